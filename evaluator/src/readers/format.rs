//! Which format a row is in, told by its fields.

use std::path::Path;

use crate::Value;

use super::content::Content;
use super::node::{Fault, Node};
use super::source::Row;
use super::{apps, deepcoder, humaneval, leetcode, livecodebench, mbpp, own};
use crate::value::json;

/// Fields named in the complaint about a row of no known format.
const FIELDS_SHOWN: usize = 12;

/// The fields that hold a sample's program or text.
const SAMPLES: [&str; 4] = ["completion", "solution", "response", "code"];

/// The fields that some format reads; all others of a row stay unread.
const READ: [&str; 48] = [
    "atol",
    "base_input",
    "canonical_solution",
    "checker",
    "code",
    "code_list",
    "compare",
    "completion",
    "difficulty",
    "entry_point",
    "fn_name",
    "id",
    "input_output",
    "kind",
    "language",
    "memory_limit",
    "prelude",
    "metadata",
    "platform",
    "plus_input",
    "private_test_cases",
    "problem",
    "problem_description",
    "problem_id",
    "prompt",
    "public_test_cases",
    "query",
    "question",
    "question_content",
    "question_id",
    "response",
    "solution",
    "solutions",
    "source",
    "starter_code",
    "statement",
    "task_id",
    "test",
    "test_imports",
    "test_list",
    "test_setup_code",
    "tests",
    "text",
    "time_limit",
    "output",
    "input",
    "inputs",
    "outputs",
];

/// Read one row of the file at path `file`.
pub(super) fn read(file: &str, record: &Row) -> Result<Content, Fault> {
    let value =
        json::parse_row(&record.text, |name| READ.contains(&name)).map_err(|message| Fault {
            field: None,
            message,
        })?;
    let row = Node::row(&value);
    if let (Value::List(_), Some((place, count))) = (&value, record.position) {
        return livecodebench::codes_by_place(&row, place, count);
    }
    row.object()?;
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    by_fields(&row, &made_id(file, record.line), folder)
}

fn by_fields(row: &Node<'_>, made_id: &str, folder: &Path) -> Result<Content, Fault> {
    // Several may fit. The first decides, in the order in which docs/formats.md lists them.
    let has = |name| row.has(name);
    if has("problem_id") && (has("code") || has("response")) {
        own::read(row, folder)
    } else if has("question_id") && has("code_list") {
        livecodebench::codes(row)
    } else if has("public_test_cases") || has("private_test_cases") {
        livecodebench::problem(row)
    } else if has("test_list") {
        mbpp::read(row)
    } else if has("task_id") && has("entry_point") {
        if leetcode::is_data_set(row) {
            leetcode::data_set(row)
        } else {
            humaneval::read(row)
        }
    } else if (has("task_id") || has("question_id"))
        && SAMPLES.iter().any(|name| has(name))
        && !(has("kind") || has("tests"))
    {
        humaneval::sample(row)
    } else if has("input_output") {
        apps::read(row, made_id)
    } else if has("problem") && has("tests") && !has("kind") {
        deepcoder::read(row, made_id)
    } else if ["problem_id", "code", "response", "kind", "tests"]
        .map(has)
        .contains(&true)
    {
        own::read(row, folder)
    } else {
        Err(unknown(row))
    }
}

fn unknown(row: &Node<'_>) -> Fault {
    let names: Vec<&str> = row.names().take(FIELDS_SHOWN).collect();
    let more = if row.names().nth(FIELDS_SHOWN).is_some() {
        ", ..."
    } else {
        ""
    };
    row.fault(format!(
        "is not in any known format; its fields are: {}{more}",
        names.join(", ")
    ))
}

/// The id of a row that has none: file name and line.
fn made_id(file: &str, line: usize) -> String {
    let name = Path::new(file).file_name();
    let name = name.map_or(file.into(), |name| name.to_string_lossy());
    format!("{name}:{line}")
}
