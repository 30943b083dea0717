//! Equal programs for one problem are judged once.

use serde_json::{Value, json};

use crate::lab::{Lab, parse};

const TESTS: [(&str, &str); 2] = [("1 2\n", "3\n"), ("5 6\n", "11\n")];

/// A solution to a problem of the file beside it.
fn solution(id: &str, problem: &str, code: &str) -> Value {
    json!({"id": id, "problem_id": problem, "code": code})
}

fn problem(id: &str) -> Value {
    let tests = TESTS.map(|(input, output)| json!({"input": input, "output": output}));
    json!({"id": id, "kind": "stdin", "tests": tests})
}

/// The verdicts on right and wrong programs, most of them equal to others; and the summary.
fn judge(arguments: &[&str]) -> (Vec<Value>, String) {
    let lab = Lab::new();
    lab.lines("problems.jsonl", &[problem("sum"), problem("other")]);
    let right = "a, b = map(int, input().split())\nprint(a + b)";
    let mut solutions = vec![
        solution("right", "sum", right),
        solution("elsewhere", "other", right),
        solution("wrong", "sum", "print(3)"),
        solution("wrong too", "sum", "print(3) "),
    ];
    solutions.extend((0..20).map(|n| solution(&format!("right {n}"), "sum", right)));
    solutions.extend((0..20).map(|n| solution(&format!("wrong {n}"), "sum", "print(3)")));
    lab.lines("solutions.jsonl", &solutions);
    let ran = lab.run(&[&["judge", "solutions.jsonl", "-j", "2"], arguments].concat());
    let verdicts = parse(&ran.stdout);
    let ids = |all: &[Value]| all.iter().map(|it| it["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&verdicts), ids(&solutions), "{}", ran.stderr);
    (verdicts, ran.stderr)
}

#[test]
fn an_equal_program_has_the_same_verdict_and_names_the_one_that_was_run() {
    let (verdicts, summary) = judge(&[]);
    assert!(
        summary.contains("\n40 submissions repeat another program and were not run (--no-dedup)\n"),
        "{summary}"
    );
    let (copies, originals): (Vec<&Value>, Vec<&Value>) =
        verdicts.iter().partition(|it| it["same_as"].is_string());
    assert_eq!(originals.len(), 4);
    for verdict in copies {
        let original = originals.iter().find(|it| it["id"] == verdict["same_as"]);
        let mut original = Value::clone(original.expect("one that was run"));
        original["id"] = verdict["id"].clone();
        original["same_as"] = verdict["same_as"].clone();
        for hash in ["input_hash", "crc"] {
            original[hash] = verdict[hash].clone();
        }
        assert_eq!(*verdict, original);
    }
}

#[test]
fn without_that_each_program_is_run() {
    let (verdicts, summary) = judge(&["--no-dedup"]);
    assert!(!summary.contains("repeat"), "{summary}");
    assert!(verdicts.iter().all(|it| it["same_as"].is_null()));
    let passed = |it: &&Value| it["verdict"] == "accepted";
    assert_eq!(verdicts.iter().filter(passed).count(), 22);
}

#[test]
fn two_problems_of_one_id_are_two() {
    let with_tests = |id: &str, output: &str| {
        json!({"id": id, "problem_id": "one", "code": "print(1)", "kind": "stdin",
               "tests": [{"input": "", "output": output}]})
    };
    let solutions = [with_tests("a", "1\n"), with_tests("b", "2\n")];
    let verdicts = Lab::new().judge(&solutions, &[]);
    assert_eq!(verdicts[0]["verdict"], "accepted");
    assert_eq!(verdicts[1]["verdict"], "wrong_answer");
}
