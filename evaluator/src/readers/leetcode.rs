//! LeetCode tables: test code that defines `check(candidate)`, with a gold solution.
//!
//! The test code stays one test. The names of LeetCode's own prelude (`ListNode`, `list_node`, `List`, ...) come from
//! the harness, so that both sides of it mean the same classes; of the prelude that some rows carry, imports and
//! constants are kept.

use super::content::{Content, all_unnamed};
use super::humaneval;
use super::node::{Fault, Node};
use super::{apps, cases};
use crate::problem::{Prelude, Problem, Tests};

/// Read a row of `{problem, solutions, tests: {functional}}`, whose test code ends in `check(Solution().name)`.
pub(super) fn table(row: &Node<'_>, tests: &Node<'_>, id: &str) -> Result<Content, Fault> {
    let tests = functional(&tests.need("functional")?)?;
    Ok(Content {
        problem: Some(Problem {
            statement: row.find_text("problem")?,
            prelude: Prelude::LeetCode,
            platform: Some("leetcode".to_owned()),
            difficulty: row.find_label("difficulty")?,
            ..Problem::new(id, tests)
        }),
        submissions: all_unnamed(id, apps::solutions(row)?),
        ..Content::default()
    })
}

/// Test code that ends in `check(Solution().name)`.
pub(super) fn functional(node: &Node<'_>) -> Result<Tests, Fault> {
    let code = humaneval::test_code(node)?;
    let Some(entry_point) = checked(code) else {
        return Err(node.fault("never calls check; add check(candidate)"));
    };
    Ok(Tests::Assert {
        function: Some(method(node, entry_point)?),
        cases: vec![code.to_owned()],
        one_process: None,
    })
}

/// Whether a row with `task_id` and `entry_point` is of LeetCodeDataset rather than of HumanEval's kind.
pub(super) fn is_data_set(row: &Node<'_>) -> bool {
    let entry_point = row.find("entry_point");
    entry_point.is_some_and(|name| name.text().is_ok_and(|name| name.contains("()")))
}

/// Read a row of LeetCodeDataset: `{task_id, entry_point: "Solution().name", test, completion}`.
pub(super) fn data_set(row: &Node<'_>) -> Result<Content, Fault> {
    let id = row.need("task_id")?.label()?;
    let entry_point = row.need("entry_point")?;
    let function = method(&entry_point, entry_point.text()?)?;
    let test = humaneval::test_code(&row.need("test")?)?;
    let preamble = preamble(&row.find_text("prompt")?.unwrap_or_default());
    let tests = Tests::Assert {
        function: Some(function),
        cases: vec![format!("{preamble}{test}\n\ncheck(candidate)\n")],
        one_process: None,
    };
    let statement = row.find_text("problem_description")?;
    let solution = row.find_text("completion")?;
    Ok(Content {
        submissions: all_unnamed(&id, solution),
        problem: Some(Problem {
            statement: statement.or(row.find_text("query")?),
            prelude: Prelude::LeetCode,
            platform: Some("leetcode".to_owned()),
            difficulty: row.find_label("difficulty")?,
            ..Problem::new(id, tests)
        }),
        ..Content::default()
    })
}

/// The imports and constants (`inf = float('inf')`) of the row's prompt, which its test code uses. Its classes and functions
/// are left out, since both sides must mean the same ones.
fn preamble(prompt: &str) -> String {
    let is_meant = |line: &&str| {
        let assigned = line.split_once(" = ").map(|(name, _)| name);
        line.starts_with("import ")
            || line.starts_with("from ")
            || assigned.is_some_and(cases::is_identifier)
    };
    let lines = prompt.lines().filter(is_meant);
    lines.map(|line| format!("{line}\n")).collect()
}

/// What the last call of `check` at the start of a line is given.
fn checked(code: &str) -> Option<&str> {
    code.lines()
        .rev()
        .find_map(|line| line.strip_prefix("check(")?.trim_end().strip_suffix(')'))
}

/// `Solution().name` as `Solution.name`; a plain function as it is.
fn method(node: &Node<'_>, expression: &str) -> Result<String, Fault> {
    let name = crate::Value::Str(expression.trim().replacen("()", "", 1));
    cases::fn_name(&Node::at(node.path(), &name))
}
