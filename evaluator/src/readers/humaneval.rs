//! HumanEval, EvalPlus and the samples for them.
//!
//! A problem is the head of a program and test code that defines `check(candidate)`. The tests may use what the head
//! defines (`poly`, `encode_cyclic`): it runs with the tests, so that these never come from the candidate.

use super::cases;
use super::content::{Content, unnamed};
use super::node::{Fault, Node};
use super::{evalplus, response};
use crate::problem::{Problem, Submission, Tests};

/// Read a problem, with its gold solution if it is there.
pub(super) fn read(row: &Node<'_>) -> Result<Content, Fault> {
    let id = row.need("task_id")?.label()?;
    let prompt = row.need("prompt")?.text()?.to_owned();
    let function = cases::fn_name(&row.need("entry_point")?)?;
    let tests = if row.has("base_input") || row.has("plus_input") {
        evalplus::tests(row, &prompt, function)?
    } else {
        let code = checks(row, &prompt, &function)?;
        Tests::Assert {
            function: Some(function),
            cases: vec![code],
            one_process: None,
        }
    };
    Ok(Content {
        submissions: gold(row, &id, &prompt)?.into_iter().collect(),
        problem: Some(Problem {
            statement: Some(prompt.clone()),
            prompt: Some(prompt),
            platform: row.find_text("platform")?,
            difficulty: row.find_label("difficulty")?,
            ..Problem::new(id, tests)
        }),
        ..Content::default()
    })
}

/// Read a sample: a `solution` or `code` is whole, a `completion` continues the problem's prompt, and of a `response` the
/// program is a block. Chat models fence the others too.
pub(super) fn sample(row: &Node<'_>) -> Result<Content, Fault> {
    let problem_id = row
        .find("task_id")
        .map_or_else(|| row.need("question_id"), Ok)?;
    let whole = row.find("solution").or_else(|| row.find("code"));
    let completes_prompt = whole.is_none() && !row.has("response");
    let code = match (whole, row.find("response")) {
        (Some(whole), _) => Some(response::unfenced(whole.text()?)),
        (None, Some(response)) => response::program(response.text()?),
        (None, None) => Some(completion(row.need("completion")?.text()?)),
    };
    let id = row.find_label("id")?.unwrap_or_default();
    Ok(Content {
        submissions: vec![Submission {
            completes_prompt,
            ..Submission::new(id, problem_id.label()?, code)
        }],
        ..Content::default()
    })
}

/// What continues a prompt. A fenced block often holds the function once more, from its first line on: then it starts a
/// line of its own, and takes the place of the prompt's unfinished function.
fn completion(text: &str) -> String {
    let code = response::unfenced(text);
    match !text.starts_with(&code) && !code.starts_with([' ', '\t']) {
        true => format!("\n{code}"),
        false => code,
    }
}

/// Test code, which must be able to fail.
pub(super) fn test_code<'a>(node: &Node<'a>) -> Result<&'a str, Fault> {
    let code = node.filled()?;
    if code.contains("assert") || code.contains("raise") {
        Ok(code)
    } else {
        Err(node.fault("contains no assertion"))
    }
}

/// The head defines a stub of the entry point; its name is given back to the candidate before the tests run.
fn checks(row: &Node<'_>, prompt: &str, function: &str) -> Result<String, Fault> {
    let test = test_code(&row.need("test")?)?;
    let has_line = |start: &str| test.lines().any(|line| line.starts_with(start));
    // Assertions that stand by themselves are no function to be called.
    let call = match has_line("def check(") && !has_line("check(") {
        true => "check(candidate)\n",
        false => "",
    };
    let body = missing_body(prompt);
    Ok(format!(
        "{prompt}{body}\n\n{function} = candidate\n\n{test}\n\n{call}"
    ))
}

/// What the head needs to be a program where it ends in the first line of a function, with no docstring below.
fn missing_body(prompt: &str) -> String {
    let holds_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let last = prompt.lines().rfind(holds_code).unwrap_or_default();
    if !last.trim_end().ends_with(':') {
        return String::new();
    }
    let indent = &last[..last.len() - last.trim_start().len()];
    format!("\n{indent}    pass")
}

/// The row's own solution: what a model gave, if samples were joined to their problems, before the canonical one.
fn gold(row: &Node<'_>, id: &str, prompt: &str) -> Result<Option<Submission>, Fault> {
    if let Some(solution) = row.find("solution") {
        let code = response::unfenced(solution.text()?);
        return Ok(Some(unnamed(id, code)));
    }
    let rest = row
        .find("completion")
        .or_else(|| row.find("canonical_solution"));
    let code = rest.map(|rest| rest.text().map(completion)).transpose()?;
    Ok(code.map(|code| unnamed(id, format!("{prompt}{code}"))))
}
