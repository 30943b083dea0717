//! The generated tests of open-r1's codeforces. The data set keeps them beside its problems: those of contest 17 in
//! `generated_tests/test_cases_0017.parquet`, a row for each test.

use std::path::{Path, PathBuf};

use super::node::{Fault, Node};
use super::parquet_file;
use crate::Value;
use crate::value::json;

const FOLDER: &str = "generated_tests";

/// The tests that belong to the row of the problem `id`, in a file in `folder`: a list of rows. None where the row counts
/// none, or where the folder of such tests was not downloaded.
pub(super) fn of_problem(row: &Node<'_>, id: &str, folder: Option<&Path>) -> Result<Value, Fault> {
    let none = Ok(Value::List(Vec::new()));
    let Some(counted) = row.find(FOLDER).filter(|node| number(node) > 0) else {
        return none;
    };
    let (Some(place), Some(name)) = (folder.and_then(place), file_name(row)?) else {
        return none;
    };
    let path = place.join(name);
    let fault = |what: &str| counted.fault(format!("counts tests, but {} {what}", path.display()));
    if !path.is_file() {
        return Err(fault("is missing"));
    }
    let texts = parquet_file::rows_where(&path, "problem_id", id);
    let texts = texts.map_err(|error| counted.fault(error.to_string()))?;
    if texts.is_empty() {
        return Err(fault("has none of this problem"));
    }
    let tests = texts.iter().map(|text| json::parse(text));
    let tests: Result<Vec<Value>, String> = tests.collect();
    let mut tests = tests.map_err(|message| fault(&message))?;
    tests.sort_by_key(|test| Node::row(test).find("test_i").map(|it| number(&it)));
    Ok(Value::List(tests))
}

/// Whether a folder holds no rows by itself, but tests that belong to rows in other files.
pub fn holds_only_tests(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name == FOLDER)
}

/// A count or a place; 0 for anything else.
fn number(node: &Node<'_>) -> i64 {
    match node.value() {
        Value::Int(number) => *number,
        _ => 0,
    }
}

/// The folder of such tests: in that of the problems, or beside it, as the data set has it.
fn place(folder: &Path) -> Option<PathBuf> {
    let places = [folder.join(FOLDER), folder.join("..").join(FOLDER)];
    places.into_iter().find(|place| place.is_dir())
}

/// The file of a contest, in whose name its number has four digits or more.
fn file_name(row: &Node<'_>) -> Result<Option<String>, Fault> {
    let contest = row.find_label("contest_id")?.unwrap_or_default();
    let is_number = !contest.is_empty() && contest.bytes().all(|byte| byte.is_ascii_digit());
    Ok(is_number.then(|| format!("test_cases_{contest:0>4}.parquet")))
}
