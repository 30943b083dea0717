//! `mc-eval lint`: each defect is found, and its nearest sound neighbour is left alone.

use serde_json::{Value, json};

use crate::lab::{Lab, parse};

const DOUBLE: &str = "print(2 * int(input()))";

fn problem(id: &str, statement: &str, tests: &[(&str, &str)], code: &str) -> Value {
    let tests: Vec<Value> = tests
        .iter()
        .map(|(input, output)| json!({"input": input, "output": output}))
        .collect();
    json!({"id": id, "kind": "stdin", "statement": statement, "tests": tests, "code": code})
}

fn plain(id: &str, tests: &[(&str, &str)], code: &str) -> Value {
    problem(id, "Print twice the number.", tests, code)
}

/// The defects that are found, with the problems that have them; and the exit code.
fn found(problems: &[Value], solutions: &[Value]) -> (Vec<(String, String)>, Option<i32>) {
    let lab = Lab::new();
    lab.lines("problems.jsonl", problems);
    let mut arguments = vec!["lint", "problems.jsonl", "--json"];
    if !solutions.is_empty() {
        lab.lines("solutions.jsonl", solutions);
        arguments.extend(["--solutions", "solutions.jsonl"]);
    }
    let ran = lab.run(&arguments);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let pair = |line: Value| (text(&line["problem_id"]), text(&line["defect"]));
    (parse(&ran.stdout).into_iter().map(pair).collect(), ran.code)
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let own = |(id, defect): &(&str, &str)| ((*id).to_owned(), (*defect).to_owned());
    expected.iter().map(own).collect()
}

#[test]
fn sound_problems_have_no_defects() {
    let sound = plain("sound", &[("1", "2"), ("1", "2"), ("3", "6")], DOUBLE);
    assert_eq!(found(&[sound], &[]), (Vec::new(), Some(0)));
}

#[test]
fn a_problem_may_be_in_a_row_for_each_of_its_solutions() {
    let tests = [("1", "2"), ("3", "6")];
    let mut wrong = plain("twice", &tests, "print(2)");
    wrong["expected"] = json!(["wrong_answer"]);
    let rows = [plain("twice", &tests, DOUBLE), wrong];
    // By itself the wrong one would be a problem without a reference, and the test that it passes is idle.
    let idle = pairs(&[("twice", "idle_tests")]);
    assert_eq!(found(&rows, &[]), (idle, Some(6)));
}

#[test]
fn what_references_show() {
    let chance = "import random\nprint(2 * int(input()) if random.random() < 0.5 else 0)";
    let problems = [
        plain("contradicts", &[("1", "2"), (" 1\n", "3")], DOUBLE),
        plain("broken", &[("1", "2"), ("2", "5")], DOUBLE),
        plain("flaky", &[("1", "2")], chance),
        json!({"id": "alone", "kind": "stdin", "tests": [{"input": "1", "output": "2"}]}),
        problem(
            "any",
            "Print a number over n. If there are several answers, print any of them.",
            &[("1", "2")],
            DOUBLE,
        ),
        problem(
            "other",
            "Print a number over n. If there are several answers, print any of them.",
            &[("1", "2")],
            "print(3)",
        ),
    ];
    let (defects, code) = found(&problems, &[]);
    let expected = [
        ("contradicts", "contradicting_tests"),
        ("contradicts", "reference_fails"),
        ("broken", "reference_fails"),
        ("flaky", "flaky_reference"),
        ("alone", "no_reference"),
        ("any", "any_answer"),
        ("other", "needs_checker"),
    ];
    assert_eq!((defects, code), (pairs(&expected), Some(6)));
}

#[test]
fn a_checker_decides_where_several_answers_are_right() {
    let checker = "import sys\nn = int(open(sys.argv[1]).read())\nprint(int(int(open(sys.argv[3]).read()) > n))";
    let mut any = problem(
        "any",
        "Print a number over n. If there are several answers, print any of them.",
        &[("1", "2")],
        "print(9)",
    );
    any["checker"] = json!({"language": "python", "source": checker, "style": "codeforces"});
    assert_eq!(found(&[any], &[]), (Vec::new(), Some(0)));
}

#[test]
fn what_wrong_solutions_show() {
    let tests = [("1", "2"), ("2", "4"), ("3", "6")];
    let problems = [
        plain("idle", &tests, DOUBLE),
        plain("weak", &tests[1..2], DOUBLE),
    ];
    let wrong = |problem: &str, code: &str| json!({"problem_id": problem, "code": code, "expected": ["wrong_answer"]});
    let solutions = [
        wrong("idle", "n = int(input())\nprint(n + 1 if n < 3 else n * 2)"),
        wrong("weak", "print(int(input()) ** 2)"),
    ];
    let (defects, code) = found(&problems, &solutions);
    let expected = [("idle", "idle_tests"), ("weak", "wrong_passes")];
    assert_eq!((defects, code), (pairs(&expected), Some(6)));
}

#[test]
fn limits_near_to_what_the_reference_takes() {
    let busy = "import time\nn = int(input())\nwhile time.process_time() < 0.5: pass\nprint(2 * n)";
    let limited = |id: &str, seconds: f64| {
        let mut problem = plain(id, &[("1", "2")], busy);
        problem["time_limit"] = json!(seconds);
        problem
    };
    let (defects, _) = found(&[limited("tight", 0.9), limited("ample", 10.0)], &[]);
    assert_eq!(defects, pairs(&[("tight", "tight_time_limit")]));
}

#[test]
fn a_row_that_cannot_be_read_is_named() {
    let lab = Lab::new();
    lab.write(
        "problems.jsonl",
        r#"{"id": "x", "kind": "stdin", "tests": []}"#,
    );
    let ran = lab.run(&["lint", "problems.jsonl"]);
    assert_eq!(ran.code, Some(3));
    assert!(
        ran.stderr
            .contains("problems.jsonl:1: field \"tests\": has no tests"),
        "{}",
        ran.stderr
    );
}
