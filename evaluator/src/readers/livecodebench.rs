//! LiveCodeBench: benchmark rows, and the lists that its custom evaluator takes.
//!
//! Private tests are base64 of zlib of a pickle of a JSON string. The pickle is decoded as data by a reader that can
//! make no object, and only where it is nothing but one string.

use crate::Value;

use super::cases::{self, Hints};
use super::content::{Content, unnamed};
use super::node::{Fault, Node};
use super::pickled;
use super::response::FoundProgram;
use crate::problem::{Prelude, Problem, Submission};
use crate::value::json;

/// Read a row of the benchmark.
pub(super) fn problem(row: &Node<'_>) -> Result<Content, Fault> {
    let id = row.need("question_id")?.label()?;
    let public_node = row.need("public_test_cases")?;
    let private_node = row.need("private_test_cases")?;
    let public = cases::embedded(&public_node)?;
    let private = private_tests(&private_node)?;
    let mut tests = Node::at(public_node.path(), &public).items()?;
    tests.extend(Node::at(private_node.path(), &private).items()?);
    if tests.is_empty() {
        return Err(private_node.fault("has no tests, and neither does public_test_cases"));
    }
    let hints = Hints {
        is_method: true,
        fn_name: cases::method(row)?,
    };
    let tests = cases::listed(&tests, &hints)?;
    Ok(Content {
        is_livecodebench: true,
        problem: Some(Problem {
            statement: row.find_text("question_content")?,
            prelude: Prelude::LiveCodeBench,
            platform: row.find_text("platform")?,
            difficulty: row.find_label("difficulty")?,
            ..Problem::new(id, tests)
        }),
        submissions: Vec::new(),
    })
}

/// Read an item of the custom evaluator's list of objects: `{question_id, code_list}`, or with the texts that the code is
/// found in, `output_list`.
pub(super) fn codes(row: &Node<'_>) -> Result<Content, Fault> {
    let problem_id = row.need("question_id")?.label()?;
    match row.find("code_list") {
        Some(codes) => submissions(&codes, &problem_id),
        None => answers(&row.need("output_list")?, &problem_id),
    }
}

fn answers(list: &Node<'_>, problem_id: &str) -> Result<Content, Fault> {
    let answer = |output: &Node<'_>| {
        let mut submission = Submission::new("", problem_id, None);
        submission.answer(FoundProgram::find(output.text()?, None));
        Ok(submission)
    };
    Ok(Content {
        submissions: filled(list)?.iter().map(answer).collect::<Result<_, _>>()?,
        ..Content::default()
    })
}

/// Read an item of its list of lists, whose place in the order of the problems' ids names the problem.
pub(super) fn codes_by_place(row: &Node<'_>, place: usize, count: usize) -> Result<Content, Fault> {
    submissions(row, &format!("#{}/{count}", place + 1))
}

fn submissions(list: &Node<'_>, problem_id: &str) -> Result<Content, Fault> {
    let code = |code: &Node<'_>| Ok(unnamed(problem_id, code.text()?.to_owned()));
    Ok(Content {
        submissions: filled(list)?.iter().map(code).collect::<Result<_, _>>()?,
        ..Content::default()
    })
}

fn filled<'a>(list: &Node<'a>) -> Result<Vec<Node<'a>>, Fault> {
    let items = list.items()?;
    if items.is_empty() {
        return Err(list.fault("contains no solutions"));
    }
    Ok(items)
}

fn private_tests(node: &Node<'_>) -> Result<Value, Fault> {
    match node.value() {
        Value::Str(text) if !text.trim_start().starts_with('[') => {
            let text = pickled::text(text).map_err(|message| node.fault(message))?;
            json::parse_lenient(&text).map_err(|message| node.fault(message))
        }
        _ => cases::embedded(node),
    }
}
