//! Rows of PrimeIntellect's SYNTHETIC and of the verifiable coding problems it is made of: tests in the text
//! `verification_info`, JSON or a Python literal.

use super::cases::{self, Hints};
use super::content::{Content, unnamed};
use super::node::{Fault, Node};
use super::{apps, code_contests};
use crate::problem::{Prelude, Problem, Submission};

/// Read a row; `made_id` names one that has no id of its own.
pub(super) fn read(row: &Node<'_>, made_id: &str) -> Result<Content, Fault> {
    let id = apps::id(row, made_id)?;
    let field = row.need("verification_info")?;
    let info = cases::embedded(&field)?;
    let info = Node::at(field.path(), &info);
    let solution = row.read("gold_standard_solution", apps::code)?;
    let solutions: Vec<String> = solution
        .into_iter()
        .filter(|code| !code.trim().is_empty())
        .collect();
    let listed = info.need("test_cases")?;
    let tests = cases::listed(&cases::some_items(&listed)?, &Hints::of(row, &solutions)?)?;
    let language = info.read("language", code_contests::language)?;
    let submission = |code| Submission {
        language: language.clone().unwrap_or_else(|| "python".to_owned()),
        ..unnamed(&id, code)
    };
    Ok(Content {
        submissions: solutions.into_iter().map(submission).collect(),
        problem: Some(Problem {
            statement: row.find_text("prompt")?,
            prelude: Prelude::Apps,
            compare: cases::declared(&listed, &tests)?,
            platform: row.find_text("source")?,
            ..Problem::new(&id, tests)
        }),
        ..Content::default()
    })
}
