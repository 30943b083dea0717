//! `mc-eval judge --stdio`: one answer to each line, whatever the line.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::lab::Lab;

/// A co-process at work.
struct Coprocess {
    child: Child,
    input: Option<ChildStdin>,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Coprocess {
    fn start(lab: &Lab, arguments: &[&str]) -> Coprocess {
        let mut command = lab.command(&[&["judge", "--stdio"], arguments].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        Coprocess {
            input: child.stdin.take(),
            answers: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
        }
    }

    fn send(&mut self, line: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_ref()).unwrap();
        input.write_all(b"\n").unwrap();
    }

    fn answer(&mut self) -> Value {
        serde_json::from_str(&self.answers.next().unwrap().unwrap()).unwrap()
    }

    fn ask(&mut self, line: &Value) -> Value {
        self.send(line.to_string());
        self.answer()
    }

    /// End the input; all further answers by row, and the exit code.
    fn end(mut self) -> (BTreeMap<u64, Value>, Option<i32>) {
        drop(self.input.take());
        let mut answers = BTreeMap::new();
        for line in &mut self.answers {
            let answer: Value = serde_json::from_str(&line.unwrap()).unwrap();
            let row = answer["row"].as_u64().unwrap();
            assert!(answers.insert(row, answer).is_none(), "row {row} twice");
        }
        (answers, self.child.wait().unwrap().code())
    }
}

impl Drop for Coprocess {
    fn drop(&mut self) {
        // One that has ended is not there to be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn sum() -> Value {
    json!({"id": "sum", "kind": "stdin", "tests": [{"input": "1 2\n", "output": "3\n"}]})
}

const RIGHT: &str = "print(sum(map(int, input().split())))";

#[test]
fn a_problem_is_sent_once_and_named_by_its_hash_or_its_id() {
    let lab = Lab::new();
    let mut judge = Coprocess::start(&lab, &[]);
    let registered = judge.ask(&json!({"register": sum()}));
    let hash = registered["registered"].as_str().unwrap().to_owned();
    assert_eq!(
        registered,
        json!({"row": 1, "registered": hash, "problem_id": "sum", "tests": 1})
    );
    let response = format!("So:\n```python\n{RIGHT}\n```\n");
    let by_hash = judge.ask(&json!({"id": "a", "problem": hash, "response": response}));
    assert_eq!((&by_hash["row"], &by_hash["id"]), (&json!(2), &json!("a")));
    assert_eq!(by_hash["verdict"], "accepted");
    assert_eq!(by_hash["reward"], 1.0);
    let by_id = judge.ask(&json!({"problem_id": "sum", "code": "print(4)"}));
    assert_eq!(
        (&by_id["id"], &by_id["verdict"]),
        (&json!("sum#3"), &json!("wrong_answer"))
    );
    let inline = judge.ask(&json!({"id": 7, "problem": sum(), "code": RIGHT}));
    assert_eq!(
        (&inline["id"], &inline["verdict"]),
        (&json!("7"), &json!("accepted"))
    );
    let (rest, code) = judge.end();
    assert_eq!((rest.len(), code), (0, Some(0)));
}

#[test]
fn two_problems_of_one_id_are_told_apart_by_their_hashes() {
    let lab = Lab::new();
    let mut judge = Coprocess::start(&lab, &[]);
    let mut other = sum();
    other["tests"][0]["output"] = json!("4\n");
    let first = judge.ask(&json!({"register": sum()}))["registered"].clone();
    let again = judge.ask(&json!({"register": sum()}))["registered"].clone();
    let second = judge.ask(&json!({"register": other}))["registered"].clone();
    assert_eq!(first, again);
    assert_ne!(first, second);
    let verdict = |answer: Value| answer["verdict"].clone();
    let code = "print(4)";
    assert_eq!(
        verdict(judge.ask(&json!({"problem": first, "code": code}))),
        "wrong_answer"
    );
    assert_eq!(
        verdict(judge.ask(&json!({"problem": second, "code": code}))),
        "accepted"
    );
    let unclear = judge.ask(&json!({"id": "x", "problem_id": "sum", "code": code}));
    assert_eq!(
        (&unclear["id"], &unclear["field"]),
        (&json!("x"), &json!("problem_id"))
    );
}

#[test]
fn every_line_is_answered_whatever_it_is() {
    let lab = Lab::new();
    lab.lines("problems.jsonl", &[sum()]);
    let mut judge = Coprocess::start(&lab, &["--problems", "problems.jsonl"]);
    let right = json!({"id": "right", "problem_id": "sum", "code": RIGHT}).to_string();
    let deep = format!(
        "{{\"id\":\"deep\",\"x\":{}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let bad: [&[u8]; 16] = [
        b"no JSON",
        b"",
        b"   ",
        b"[1, 2]",
        b"7",
        b"null",
        b"{}",
        b"\xff\xfe",
        deep.as_bytes(),
        br#"{"id": "a", "problem_id": "unknown", "code": ""}"#,
        br#"{"id": "b", "problem_id": "sum", "code": 7}"#,
        br#"{"id": "c", "problem": "feed", "code": ""}"#,
        br#"{"id": "d", "problem": {"id": "p", "kind": "stdin", "tests": []}, "code": ""}"#,
        br#"{"register": {"problem_id": "sum", "code": ""}}"#,
        br#"{"register": 7}"#,
        br#"{"id": "sum", "kind": "stdin", "tests": [{"input": "", "output": ""}]}"#,
    ];
    for line in bad {
        judge.send(line);
        judge.send(&right);
    }
    // The last line need not end.
    judge.input.as_mut().unwrap().write_all(b"{").unwrap();
    let (answers, code) = judge.end();
    assert_eq!(code, Some(0));
    let rows: Vec<u64> = answers.keys().copied().collect();
    assert_eq!(rows, (1..=33).collect::<Vec<u64>>());
    for (row, answer) in &answers {
        if row % 2 == 0 {
            assert_eq!(answer["verdict"], "accepted", "{answer}");
        } else {
            assert!(answer["error"].is_string(), "{answer}");
        }
    }
    let told = |row: u64| (&answers[&row]["id"], &answers[&row]["field"]);
    assert_eq!(told(19), (&json!("a"), &json!("problem_id")));
    assert_eq!(told(21), (&json!("b"), &json!("code")));
    assert_eq!(told(23), (&json!("c"), &json!("problem")));
    assert_eq!(told(25), (&json!("d"), &json!("problem.tests")));
}

#[test]
fn a_line_that_is_too_long_is_answered_and_passed_over() {
    let lab = Lab::new();
    let mut judge = Coprocess::start(&lab, &[]);
    let block = vec![b' '; 1 << 20];
    for _ in 0..300 {
        judge.input.as_mut().unwrap().write_all(&block).unwrap();
    }
    judge.send("");
    let answer = judge.answer();
    assert_eq!(answer["row"], 1);
    assert!(
        answer["error"].as_str().unwrap().contains("longer than"),
        "{answer}"
    );
    let inline = json!({"id": "a", "problem": sum(), "code": RIGHT});
    assert_eq!(judge.ask(&inline)["verdict"], "accepted");
}

#[test]
fn a_slow_program_does_not_hold_back_the_answers_behind_it() {
    let lab = Lab::new();
    let mut slow = sum();
    slow["time_limit"] = json!(600);
    let mut judge = Coprocess::start(&lab, &["--workers", "2"]);
    judge.send(json!({"id": "slow", "problem": slow, "code": "while True: pass"}).to_string());
    let quick = judge.ask(&json!({"id": "quick", "problem": sum(), "code": RIGHT}));
    assert_eq!((&quick["row"], &quick["id"]), (&json!(2), &json!("quick")));
}

/// Equal programs are judged once; each row still has an answer of its own.
#[test]
fn equal_programs_are_answered_each() {
    let lab = Lab::new();
    lab.lines("problems.jsonl", &[sum()]);
    let mut judge = Coprocess::start(&lab, &["--problems", "problems.jsonl"]);
    for id in 0..200 {
        let line = json!({"id": id, "problem_id": "sum", "code": RIGHT});
        judge.send(line.to_string());
    }
    let (answers, _) = judge.end();
    assert_eq!(answers.len(), 200);
    for (row, answer) in &answers {
        assert_eq!(answer["id"], (row - 1).to_string());
        assert_eq!(answer["verdict"], "accepted");
    }
    let copies = answers.values().filter(|it| it["same_as"].is_string());
    assert_eq!(copies.count(), 199);
}

#[test]
fn files_and_a_co_process_do_not_go_together() {
    let lab = Lab::new();
    for further in [&["a.jsonl"][..], &["--out", "v.jsonl"], &["--skip-invalid"]] {
        let ran = lab.run(&[&["judge", "--stdio"], further].concat());
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    }
    assert_eq!(lab.run(&["judge"]).code, Some(2));
}
