//! The generated tests of open-r1's codeforces, in files of their own beside the problems. Those of the fixture were written
//! by pyarrow, a row group for each problem or two, and not in their order.

use evaluator::Tests;
use evaluator::readers::{self, ReadError};
use serde_json::json;
use tempfile::TempDir;

use crate::{fixture, stdin, written};

const DATA_SET: &str = "folders/codeforces";

/// The tests of the problem in a row of a file in `folder`, or what is wrong with it.
fn tests_of(folder: &TempDir, row: &serde_json::Value) -> Result<Tests, ReadError> {
    let path = written(folder, "problems.jsonl", row.to_string().as_bytes());
    let (problems, mut errors) = readers::problems(&[path]);
    match errors.pop() {
        Some(error) => Err(error),
        None => Ok(problems.iter().next().unwrap().tests.clone()),
    }
}

fn row(id: &str, contest: &str, count: u64) -> serde_json::Value {
    json!({"id": id, "contest_id": contest, "official_tests": [{"input": "1", "output": "2"}],
           "official_tests_complete": false, "generated_tests": count})
}

/// The row's folder with the file of contest 17 beside it.
fn downloaded() -> TempDir {
    let folder = TempDir::new().unwrap();
    let tests = folder.path().join("generated_tests");
    std::fs::create_dir(&tests).unwrap();
    let name = "generated_tests/test_cases_0017.parquet";
    let file = fixture(DATA_SET).join(name);
    std::fs::copy(file, folder.path().join(name)).unwrap();
    folder
}

#[test]
fn they_follow_the_official_ones() {
    let path = fixture(DATA_SET).join("data/train-00000-of-00001.parquet");
    let (problems, errors) = readers::problems(&[path]);
    assert_eq!(errors, []);
    let tests = |id: &str| problems.get(id).unwrap().tests.clone();
    let generated = [("2", "4"), ("10", "20"), ("1000000", "2000000")];
    assert_eq!(
        tests("17/A"),
        stdin(&[&[("1", "2")], &generated[..]].concat())
    );
    // It has none, though others of its contest do.
    assert_eq!(tests("17/B"), stdin(&[("5", "25")]));
    // Its row has none of its own.
    assert_eq!(tests("17/C"), stdin(&[("3", "6")]));
    assert_eq!(tests("2059/A"), stdin(&[("1", "1"), ("7", "7")]));
}

#[test]
fn they_may_lie_in_the_folder_of_the_problems() {
    let found = tests_of(&downloaded(), &row("17/C", "17", 1));
    assert_eq!(found, Ok(stdin(&[("1", "2"), ("3", "6")])));
}

#[test]
fn what_was_not_downloaded_is_done_without() {
    let found = tests_of(&TempDir::new().unwrap(), &row("17/C", "17", 1));
    assert_eq!(found, Ok(stdin(&[("1", "2")])));
}

#[test]
fn what_is_missing_of_them_is_an_error() {
    let folder = downloaded();
    for (row, message) in [
        (row("18/A", "18", 3), "test_cases_0018.parquet is missing"),
        (
            row("17/D", "17", 3),
            "test_cases_0017.parquet has none of this problem",
        ),
    ] {
        let error = tests_of(&folder, &row).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("generated_tests"));
        assert!(error.message.ends_with(message), "{error}");
    }
    let cut = folder
        .path()
        .join("generated_tests/test_cases_0019.parquet");
    std::fs::write(cut, "PAR1").unwrap();
    let error = tests_of(&folder, &row("19/A", "19", 3)).unwrap_err();
    assert!(error.message.contains("cannot be read"), "{error}");
}

#[test]
fn a_contest_is_a_number_and_no_path() {
    let folder = downloaded();
    let outside = row("17/C", "../generated_tests/test_cases_0017", 1);
    assert_eq!(tests_of(&folder, &outside), Ok(stdin(&[("1", "2")])));
}
