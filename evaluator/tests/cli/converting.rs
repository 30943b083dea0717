//! `mc-eval convert`: what comes out is judged as what went in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use evaluator::readers;
use serde_json::{Value, json};

use crate::lab::{Lab, parse};

const FORMATS: [&str; 8] = [
    "apps",
    "code_contests",
    "evalplus",
    "humaneval",
    "kodcode",
    "leetcode_table",
    "synthetic",
    "verl",
];

fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/formats");
    folder.join(format!("{name}.jsonl"))
}

/// Each solution in a file's rows with the decision on it.
fn decided(lab: &Lab, arguments: &[&str]) -> BTreeMap<String, Value> {
    let ran = lab.run(&[&["judge"], arguments, &["--skip-invalid"]].concat());
    let verdicts = parse(&ran.stdout).into_iter();
    let verdicts = verdicts.filter(|verdict| verdict.get("error").is_none());
    verdicts
        .map(|verdict| {
            (
                verdict["id"].as_str().unwrap().to_owned(),
                verdict["verdict"].clone(),
            )
        })
        .collect()
}

#[test]
fn solutions_are_decided_as_they_were_in_their_rows() {
    let mut judged = 0;
    for name in FORMATS {
        let lab = Lab::new();
        let path = fixture(name);
        let path = path.to_str().unwrap();
        let arguments = [
            "convert",
            path,
            "--to",
            "p.jsonl",
            "--solutions",
            "s.jsonl",
            "--skip-invalid",
        ];
        let ran = lab.run(&arguments);
        assert!(matches!(ran.code, Some(0 | 3)), "{name}: {}", ran.stderr);
        let before = decided(&lab, &[path]);
        let after = decided(&lab, &["s.jsonl", "--problems", "p.jsonl"]);
        // What cannot be written was said to be skipped.
        let lost = before.keys().filter(|id| !after.contains_key(*id)).count();
        assert!(
            lost == 0 || ran.stderr.contains("skipped") || ran.stderr.contains("left out"),
            "{name}: {}",
            ran.stderr
        );
        for (id, decision) in &after {
            assert_eq!(before.get(id), Some(decision), "{name}: {id}");
        }
        judged += after.len();
    }
    assert!(judged > 10, "{judged}");
}

#[test]
fn problems_are_read_back_as_they_were() {
    for name in [
        "apps",
        "codeforces",
        "code_contests",
        "own_problems",
        "synthetic",
        "taco",
        "verl",
    ] {
        let lab = Lab::new();
        let path = fixture(name);
        let arguments = [
            "convert",
            path.to_str().unwrap(),
            "--to",
            "p.jsonl",
            "--skip-invalid",
        ];
        lab.run(&arguments);
        let (before, _) = readers::problems(std::slice::from_ref(&path));
        let (after, errors) = readers::problems(&[lab.path("p.jsonl")]);
        assert_eq!(errors, [], "{name}");
        assert!(!after.is_empty(), "{name}");
        for problem in after.iter() {
            assert_eq!(Some(problem), before.get(&problem.id), "{name}");
        }
    }
}

#[test]
fn what_is_expected_is_kept() {
    let lab = Lab::new();
    let path = fixture("code_contests");
    let ran = lab.run(&[
        "convert",
        path.to_str().unwrap(),
        "--to",
        "p.jsonl",
        "--solutions",
        "s.jsonl",
    ]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "2 problems, 5 solutions\n")
    );
    let solutions = lab.verdicts("s.jsonl");
    assert_eq!(solutions[0]["expected"], json!(["accepted"]));
    assert_eq!(solutions[1]["language"], "cpp");
    assert!(
        ran.stderr
            .contains("1 solution left out, in languages that are not known"),
        "{}",
        ran.stderr
    );
    // Python 2 was the third: the others keep their numbers.
    assert_eq!(solutions[2]["id"], "1_A. Sum#3");
    let permitted = solutions[2]["expected"].as_array().unwrap();
    assert!(permitted.contains(&json!("wrong_answer")) && !permitted.contains(&json!("accepted")));
}

#[test]
fn what_has_no_place_is_an_error_and_an_output_is_not_written_over() {
    let lab = Lab::new();
    lab.write("rows.jsonl", r#"{"id": 1, "question": "q", "input_output": {"fn_name": "f", "inputs": [[{"1": 2}]], "outputs": [3]}}"#);
    let ran = lab.run(&["convert", "rows.jsonl", "--to", "p.jsonl"]);
    assert_eq!(ran.code, Some(3));
    let message =
        "rows.jsonl:1: test 1 holds a dict with a key that is no string, which a row cannot hold";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
    // Half of what was asked for is not left behind.
    assert!(!lab.path("p.jsonl").exists());
    lab.write("p.jsonl", "kept\n");
    let ran = lab.run(&["convert", "rows.jsonl", "--to", "p.jsonl"]);
    assert_eq!(ran.code, Some(3));
    assert!(
        ran.stderr.contains("failed to create p.jsonl") && ran.stderr.contains("hint: delete it"),
        "{}",
        ran.stderr
    );
    assert_eq!(lab.text("p.jsonl"), "kept\n");
    let one = lab.run(&["convert", "rows.jsonl", "--to", "q", "--solutions", "q"]);
    assert_eq!(one.code, Some(2), "{}", one.stderr);
    let none = lab.run(&["convert", "rows.jsonl", "--to", "-"]);
    assert_eq!(none.code, Some(2), "{}", none.stderr);
    assert!(!lab.path("-").exists() && !lab.path("q").exists());
}
