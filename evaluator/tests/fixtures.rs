//! Judges fixtures/solutions.jsonl through the binary; every line states the verdict that it must get.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Every verdict on a submission. What cannot be judged has no place here: a reader's first command exits with status 0.
const VERDICTS: [&str; 7] = [
    "accepted",
    "wrong_answer",
    "time_limit",
    "memory_limit",
    "output_limit",
    "runtime_error",
    "compile_error",
];

#[test]
fn solutions_get_the_verdicts_they_expect() {
    let solutions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/solutions.jsonl");
    let expected = field_by_id(
        &fs::read_to_string(&solutions).expect("solutions"),
        "expect",
    );
    let stated: BTreeSet<&str> = expected.values().map(String::as_str).collect();
    assert_eq!(
        stated,
        BTreeSet::from(VERDICTS),
        "a verdict without a fixture"
    );

    let judged = Command::new(env!("CARGO_BIN_EXE_mc-eval"))
        .arg("judge")
        .arg(&solutions)
        .output()
        .expect("start mc-eval");
    let summary = String::from_utf8_lossy(&judged.stderr);
    assert!(judged.status.success(), "{summary}");
    let given = field_by_id(&String::from_utf8_lossy(&judged.stdout), "verdict");
    let differing: Vec<_> = expected
        .iter()
        .filter(|(id, verdict)| given.get(*id) != Some(verdict))
        .collect();
    assert!(differing.is_empty(), "expected {differing:#?}\n{summary}");
    assert_eq!(given.len(), expected.len());
}

fn field_by_id(lines: &str, field: &str) -> BTreeMap<String, String> {
    let parse = |line: &str| {
        let record: Value = serde_json::from_str(line).expect("a line of JSON");
        let text = |name: &str| record[name].as_str().expect("a text").to_owned();
        (text("id"), text(field))
    };
    lines.lines().map(parse).collect()
}
