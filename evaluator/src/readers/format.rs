//! Which format a row is in, told by its fields.

use std::path::Path;

use crate::Value;

use super::content::Content;
use super::node::{Fault, Node};
use super::raw::Row;
use super::{
    apps, bigcodebench, code_contests, codeforces, deepcoder, humaneval, kodcode, leetcode,
    livecodebench, mbpp, own, rewards, synthetic,
};
use crate::value::json::{self, FieldReading};

/// Fields named in the complaint about a row of no known format.
const FIELDS_SHOWN: usize = 12;

/// The fields that hold a sample's program or text.
const SAMPLES: [&str; 4] = ["completion", "solution", "response", "code"];
/// And those that hold several.
const LISTS: [&str; 2] = ["code_list", "output_list"];

/// The fields that some format reads; all others of a row stay unread.
const READ: [&str; 91] = [
    "atol",
    "base_input",
    "canonical_solution",
    "cf_rating",
    "case",
    "checker",
    "code",
    "code_list",
    "compare",
    "complete_prompt",
    "completion",
    "contest_id",
    "correct_submissions",
    "data_source",
    "description",
    "difficulty",
    "entry_point",
    "examples",
    "expected",
    "extra_info",
    "float",
    "flags",
    "fn_name",
    "generated_checker",
    "generated_tests",
    "gold_standard_solution",
    "gpt_difficulty",
    "ground_truth",
    "id",
    "incorrect_solutions",
    "incorrect_submissions",
    "in_place",
    "input",
    "input_file",
    "input_format",
    "input_mode",
    "input_output",
    "inputs",
    "interaction_format",
    "interactive",
    "kind",
    "language",
    "list_of_one",
    "memory_limit",
    "memory_limit_bytes",
    "messages",
    "metadata",
    "name",
    "note",
    "official_tests",
    "one_process",
    "order",
    "output",
    "output_file",
    "output_format",
    "output_list",
    "outputs",
    "platform",
    "plus_input",
    "prelude",
    "private_test_cases",
    "private_tests",
    "problem",
    "problem_description",
    "problem_id",
    "prompt",
    "public_test_cases",
    "public_tests",
    "query",
    "question",
    "question_content",
    "question_id",
    "rating",
    "response",
    "reward_model",
    "solution",
    "solutions",
    "source",
    "starter_code",
    "statement",
    "style",
    "task_id",
    "test",
    "test_cases",
    "test_imports",
    "test_list",
    "test_setup_code",
    "tests",
    "text",
    "time_limit",
    "verification_info",
];

/// What a model wrote is judged, whatever it wrote; a problem that is no valid Unicode is an error.
fn reading(name: &str) -> FieldReading {
    match name {
        _ if SAMPLES.contains(&name) || LISTS.contains(&name) => FieldReading::Lossy,
        _ if READ.contains(&name) => FieldReading::Exact,
        _ => FieldReading::Skipped,
    }
}

/// Read one row.
pub(super) fn read(record: &Row) -> Result<Content, Fault> {
    let value = json::parse_row(&record.text, reading).map_err(|message| Fault {
        field: None,
        message,
    })?;
    let row = Node::row(&value);
    if let (Value::List(_), Some((place, count))) = (&value, record.position) {
        return livecodebench::codes_by_place(&row, place, count);
    }
    row.object()?;
    by_fields(&row, &made_id(&record.file, record.line), record.folder())
}

fn by_fields(row: &Node<'_>, made_id: &str, folder: Option<&Path>) -> Result<Content, Fault> {
    // Several may fit. The first decides, in the order in which docs/formats.md lists them.
    let has = |name| row.has(name);
    if has("problem_id") && (has("code") || has("response")) {
        own::read(row, folder)
    } else if has("verification_info") {
        synthetic::read(row, made_id)
    } else if has("reward_model") {
        of_verl(row, made_id, folder)
    } else if has("question_id") && (has("code_list") || has("output_list")) {
        livecodebench::codes(row)
    } else if has("public_test_cases") || has("private_test_cases") {
        livecodebench::problem(row)
    } else if has("official_tests") || has("official_tests_complete") {
        codeforces::read(row, folder)
    } else if code_contests::is_row(row) {
        code_contests::read(row)
    } else if has("correct_submissions") || has("incorrect_submissions") {
        code_contests::plus(row)
    } else if has("test_list") {
        mbpp::read(row)
    } else if has("task_id") && has("entry_point") {
        if leetcode::is_data_set(row) {
            leetcode::data_set(row)
        } else if bigcodebench::is_row(row) {
            bigcodebench::read(row)
        } else {
            humaneval::read(row)
        }
    } else if has("test_info") || (has("question") && has("test")) {
        kodcode::read(row, made_id)
    } else if (has("task_id") || has("question_id"))
        && SAMPLES.iter().any(|name| has(name))
        && !(has("kind") || has("tests"))
    {
        humaneval::sample(row)
    } else if has("input_output") {
        apps::read(row, made_id)
    } else if has("problem") && has("tests") && !has("kind") {
        deepcoder::read(row, made_id)
    } else if has("ground_truth") {
        rewards::with_tests(row, "ground_truth", made_id)
    } else if has("test_cases") && has("question") && !has("kind") {
        rewards::with_tests(row, "test_cases", made_id)
    } else if ["problem_id", "code", "response", "kind", "tests"]
        .map(has)
        .contains(&true)
    {
        own::read(row, folder)
    } else {
        Err(unknown(row))
    }
}

/// A row of verl, whose ground truth may be the row of a problem itself.
fn of_verl(row: &Node<'_>, made_id: &str, folder: Option<&Path>) -> Result<Content, Fault> {
    let (path, truth) = rewards::of_reward_model(row)?;
    let truth = Node::at(&path, &truth);
    match truth.has("kind") || truth.has("id") || truth.has("task_id") || truth.has("question_id") {
        true => by_fields(&truth, made_id, folder),
        false => rewards::verl(row, &truth, made_id),
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
