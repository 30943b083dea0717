//! HumanEval, EvalPlus and the samples for them.
//!
//! A problem is the head of a program and test code that defines `check(candidate)`. The tests may use what the head
//! defines (`poly`, `encode_cyclic`): it runs with the tests, so that these never come from the candidate.

use super::cases;
use super::node::{Fault, Node};
use super::{Candidate, Content, evalplus};
use crate::problem::{Problem, Tests};

/// Read a problem, with its gold solution if it is there.
pub(super) fn read(row: &Node<'_>) -> Result<Content, Fault> {
    let id = row.need("task_id")?.label()?;
    let prompt = row.need("prompt")?.text()?.to_owned();
    let function = cases::fn_name(&row.need("entry_point")?)?;
    let cases = if row.has("base_input") || row.has("plus_input") {
        evalplus::tests(row, &prompt, &function)?
    } else {
        vec![checks(row, &prompt, &function)?]
    };
    let tests = Tests::Assert {
        function: Some(function),
        cases,
    };
    Ok(Content {
        candidates: gold(row, &id, &prompt)?.into_iter().collect(),
        problem: Some(Problem {
            statement: Some(prompt.clone()),
            prompt: Some(prompt),
            platform: row.find_text("platform")?,
            difficulty: row.find_label("difficulty")?,
            ..Problem::new(id, tests)
        }),
    })
}

/// Read a sample: a `solution` is whole, a `completion` continues the problem's prompt.
pub(super) fn sample(row: &Node<'_>) -> Result<Content, Fault> {
    let problem_id = row.need("task_id")?.label()?;
    let solution = row.find("solution");
    let completes_prompt = solution.is_none();
    let code = solution.map_or_else(|| row.need("completion"), Ok)?;
    Ok(Content {
        problem: None,
        candidates: vec![Candidate {
            id: None,
            problem_id,
            code: Some(code.text()?.to_owned()),
            completes_prompt,
        }],
    })
}

/// Test code, which must be able to fail.
pub(super) fn test_code<'a>(node: &Node<'a>) -> Result<&'a str, Fault> {
    let code = node.filled()?;
    if code.contains("assert") || code.contains("raise") {
        Ok(code)
    } else {
        Err(node.fault("holds no assertion"))
    }
}

/// The head defines a stub of the entry point; its name is given back to the candidate before the tests run.
fn checks(row: &Node<'_>, prompt: &str, function: &str) -> Result<String, Fault> {
    let test = test_code(&row.need("test")?)?;
    let call = if test.lines().any(|line| line.starts_with("check(")) {
        ""
    } else {
        "check(candidate)\n"
    };
    Ok(format!(
        "{prompt}\n\n{function} = candidate\n\n{test}\n\n{call}"
    ))
}

/// The row's own solution: what a model gave, if samples were joined to their problems, before the canonical one.
fn gold(row: &Node<'_>, id: &str, prompt: &str) -> Result<Option<Candidate>, Fault> {
    if let Some(solution) = row.find("solution") {
        return Ok(Some(Candidate::whole(id, solution.text()?.to_owned())));
    }
    let rest = row
        .find("completion")
        .or_else(|| row.find("canonical_solution"));
    let code = rest.map(|rest| rest.text()).transpose()?;
    Ok(code.map(|code| Candidate::whole(id, format!("{prompt}{code}"))))
}
