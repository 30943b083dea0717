//! One verdict for a person.

use serde_json::json;

use crate::lab::{Lab, examined, script, with};

/// A line without what differs from run to run.
fn settled(text: &str) -> String {
    let line = |line: &str| match line.split_once(" ms CPU") {
        Some((start, _)) => start.rsplit_once(' ').unwrap().0.to_owned() + " ...",
        None => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn shows_cases_differences_and_streams() {
    let lab = Lab::new();
    let code = "import sys\nx = input()\nprint(x)\nprint('note\\x1b[31m', file=sys.stderr)\nif x == '3': 1/0";
    let tests = [("1", "1\n"), ("2", "4\n"), ("3", "3\n")];
    let solution = with(
        script("a", code, &tests),
        "statement",
        json!("Print any valid answer."),
    );
    lab.lines(
        "s.jsonl",
        &[script("b", "print(1)", &[("", "1\n")]), solution],
    );
    lab.run(&[
        "judge",
        "s.jsonl",
        "-o",
        "v.jsonl",
        "--keep-output",
        "100",
        "--also",
        "exact",
    ]);
    let ran = lab.run(&["show", "v.jsonl", "a"]);
    assert_eq!(ran.code, Some(0));
    insta::assert_snapshot!(settled(&ran.stdout), @r#"
    a: wrong_answer, 1 of 3 tests passed
    problem     p-a
    profile     standard
    reward      0
    exact       wrong_answer, 1 passed
    note        the problem accepts several answers; a wrong answer may be right

    test 0: accepted by exact, ...
      standard output:
        1
      standard error:
        note�[31m

    test 1: wrong_answer, ...
      differs at line 1, column 1: expected "4", found "2"
      standard output:
        2
      standard error:
        note�[31m

    test 2: runtime_error, ...
      exited with status 1
      standard output:
        3
      standard error:
        note�[31m
        Traceback (most recent call last):
          File "main.py", line 5, in <module>
        ZeroDivisionError
      end of standard error:
        note�[31m
        Traceback (most recent call last):
          File "main.py", line 5, in <module>
        ZeroDivisionError: division by zero
    "#);
}

#[test]
fn an_id_that_is_not_there_is_bad_input() {
    let lab = Lab::new();
    lab.lines(
        "s.jsonl",
        &[examined("a", "def f(x): return 1", "assert f(0) == 1")],
    );
    lab.run(&["judge", "s.jsonl", "-o", "v.jsonl"]);
    let ran = lab.run(&["show", "v.jsonl", "A"]);
    assert_eq!(ran.code, Some(3));
    insta::assert_snapshot!(ran.stderr, @r#"error: v.jsonl: no submission has the id "A" (of 1 verdict)"#);
}

#[test]
fn a_name_moves_no_cursor_and_makes_no_line() {
    let lab = Lab::new();
    let id = "a\u{1b}[31m\nb\u{202e}: accepted";
    lab.lines("s.jsonl", &[script(id, "print(1)", &[("", "1\n")])]);
    lab.run(&["judge", "s.jsonl", "-o", "v.jsonl"]);
    let ran = lab.run(&["show", "v.jsonl", id]);
    let first = ran.stdout.lines().next();
    assert_eq!(
        first,
        Some("a\u{fffd}[31m\u{fffd}b\u{fffd}: accepted: accepted, 1 of 1 test passed")
    );
}
