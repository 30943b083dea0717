//! Rows of open-r1's codeforces: official tests, those generated where the official ones are cut off, and a checker in
//! Python where several answers are right.

use std::path::Path;

use super::cases::{self, Hints};
use super::content::Content;
use super::generated_tests;
use super::node::{Fault, Node};
use super::quantities;
use crate::checker::CheckerStyle;
use crate::problem::{Problem, Tests};
use crate::{Checker, OwnChecker, SourceFile};

/// Parts of a statement, with their headings.
const PARTS: [(&str, &str); 4] = [
    ("description", ""),
    ("input_format", "Input\n"),
    ("output_format", "Output\n"),
    ("note", "Note\n"),
];

/// Read a row of a file in `folder`, or of none.
pub(super) fn read(row: &Node<'_>, folder: Option<&Path>) -> Result<Content, Fault> {
    let id = row.need("id")?.label()?;
    by_streams(row)?;
    let tests = tests(row, &id, folder)?;
    Ok(Content {
        problem: Some(Problem {
            statement: statement(row)?,
            time_limit: row.read("time_limit", quantities::seconds)?.flatten(),
            memory_limit: row.read("memory_limit", quantities::mebibytes)?.flatten(),
            platform: Some("codeforces".to_owned()),
            difficulty: row.find_label("rating")?,
            checker: row.read("generated_checker", checker)?.flatten(),
            ..Problem::new(id, tests)
        }),
        ..Content::default()
    })
}

/// Fails for a problem whose solutions do not read standard input and write standard output, all of it at once.
fn by_streams(row: &Node<'_>) -> Result<(), Fault> {
    if let Some(mode) = row.find("input_mode")
        && mode.text()? != "stdio"
    {
        let mode_is = mode.text()?;
        return Err(mode.fault(format!(
            "is \"{mode_is}\", but only programs that read standard input are judged"
        )));
    }
    match row.find("interaction_format") {
        Some(format) if !format.text()?.trim().is_empty() => {
            Err(format.fault("tells of an interactor, which the row does not bring"))
        }
        _ => Ok(()),
    }
}

/// The official ones, as far as the row has them, and the generated ones: the field of that name counts what is in files of
/// their own, unless it lists them.
fn tests(row: &Node<'_>, id: &str, folder: Option<&Path>) -> Result<Tests, Fault> {
    let official = row.find("official_tests");
    let mut items = official.map_or(Ok(Vec::new()), |node| node.items())?;
    if let Some(generated) = row.find("generated_tests")
        && let Ok(more) = generated.items()
    {
        items.extend(more);
    }
    let beside = generated_tests::of_problem(row, id, folder)?;
    items.extend(Node::at("generated_tests", &beside).items()?);
    if items.is_empty() {
        return Err(row.need("official_tests")?.fault("has no tests"));
    }
    cases::listed(&items, &Hints::default())
}

fn statement(row: &Node<'_>) -> Result<Option<String>, Fault> {
    let mut parts = Vec::new();
    for (field, heading) in PARTS {
        if let Some(text) = row.find_text(field)? {
            parts.push(format!("{heading}{}", text.trim()));
        }
    }
    for example in row
        .find("examples")
        .map_or(Ok(Vec::new()), |it| it.items())?
    {
        let text = |field| example.need(field)?.text();
        let (input, output) = (text("input")?.trim_end(), text("output")?.trim_end());
        parts.push(format!("Example\nInput\n{input}\n\nOutput\n{output}"));
    }
    Ok((!parts.is_empty()).then(|| parts.join("\n\n")))
}

/// Called with input, correct output and the solution's output, it prints `1` where the solution is right.
fn checker(node: &Node<'_>) -> Result<Option<Checker>, Fault> {
    let source = node.text()?;
    let file = || SourceFile::new("checker", source.as_bytes());
    let own = || {
        let language = Some("python".to_owned());
        OwnChecker::new(CheckerStyle::Codeforces, language, vec![file()])
    };
    Ok((!source.trim().is_empty()).then(|| Checker::Own(own().into())))
}
