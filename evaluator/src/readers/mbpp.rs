//! MBPP rows: each assertion of `test_list` is a test; the gold solution is `code`.

use super::cases::some_items;
use super::content::{Content, all_unnamed};
use super::humaneval::test_code;
use super::node::{Fault, Node};
use super::response;
use crate::problem::{Problem, Tests};

/// Read a row.
pub(super) fn read(row: &Node<'_>) -> Result<Content, Fault> {
    let id = row.need("task_id")?.label()?;
    let mut setup = String::new();
    if let Some(imports) = row.find("test_imports") {
        for import in imports.items()? {
            setup.push_str(import.text()?);
            setup.push('\n');
        }
    }
    if let Some(code) = row.find("test_setup_code") {
        setup.push_str(code.text()?);
        setup.push('\n');
    }
    let statement = row.find_text("text")?;
    let solution = ["solution", "completion", "code"]
        .iter()
        .find_map(|name| row.find(name));
    let solution = solution
        .map(|code| code.text().map(response::unfenced))
        .transpose()?;
    Ok(Content {
        problem: Some(Problem {
            statement: statement.or(row.find_text("prompt")?),
            ..Problem::new(&id, tests(row, &setup)?)
        }),
        submissions: all_unnamed(&id, solution),
        ..Content::default()
    })
}

/// EvalPlus's version has a whole test program in `test`, which contains what `test_list` tests.
fn tests(row: &Node<'_>, setup: &str) -> Result<Tests, Fault> {
    let list = row.need("test_list")?;
    let codes = match row.find("test") {
        Some(whole) => vec![whole],
        None => some_items(&list)?,
    };
    let code = |node: &Node<'_>| Ok(format!("{}\n", test_code(node)?));
    let codes = codes.iter().map(code).collect::<Result<_, _>>()?;
    Ok(Tests::in_one_process(None, setup.to_owned(), codes))
}
