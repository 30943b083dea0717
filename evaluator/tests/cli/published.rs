//! Rows in the shapes of published data sets, and right and wrong solutions to them, which say what is to be decided.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::lab::{Lab, Ran, parse};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures/formats")
        .join(name)
}

fn lines(path: &Path) -> Vec<Value> {
    parse(&std::fs::read_to_string(path).unwrap())
}

fn judged(arguments: &[&Path]) -> Ran {
    let arguments: Vec<&str> = arguments.iter().map(|it| it.to_str().unwrap()).collect();
    Lab::new().run(&[&["judge"], &*arguments].concat())
}

/// Each verdict against the decisions that the solution permits, which `permitted` lists in their order.
fn are_decided_so(ran: &Ran, permitted: &[Value]) {
    let verdicts = parse(&ran.stdout);
    assert_eq!(verdicts.len(), permitted.len(), "{}", ran.stderr);
    for (verdict, permitted) in verdicts.iter().zip(permitted) {
        let permitted = permitted["expected"].as_array().unwrap();
        assert!(permitted.contains(&verdict["verdict"]), "{verdict}");
    }
}

fn are_decided_as_they_say(format: &str) {
    let solutions = fixture(&format!("solutions/{format}.jsonl"));
    let problems = fixture(&format!("{format}.jsonl"));
    let testlib = fixture("testlib.h");
    let ran = judged(&[
        &solutions,
        Path::new("--problems"),
        &problems,
        Path::new("--testlib"),
        &testlib,
    ]);
    are_decided_so(&ran, &lines(&solutions));
}

#[test]
fn codeforces() {
    are_decided_as_they_say("codeforces");
}

#[test]
fn code_contests() {
    are_decided_as_they_say("code_contests");
}

#[test]
fn code_contests_plus() {
    are_decided_as_they_say("code_contests_plus");
}

#[test]
fn synthetic() {
    are_decided_as_they_say("synthetic");
}

#[test]
fn verl() {
    are_decided_as_they_say("verl");
}

#[test]
fn kodcode() {
    are_decided_as_they_say("kodcode");
}

#[test]
fn open_instruct() {
    are_decided_as_they_say("open_instruct");
}

#[test]
fn acecoder() {
    are_decided_as_they_say("acecoder");
}

#[test]
fn bigcodebench() {
    are_decided_as_they_say("bigcodebench");
}

/// The rows' own solutions, of which the row says whether they are right; a language that is not known decides nothing.
#[test]
fn solutions_in_the_rows_of_code_contests() {
    let verdicts = parse(&judged(&[&fixture("code_contests.jsonl")]).stdout);
    let decided: Vec<(&str, bool)> = verdicts
        .iter()
        .map(|verdict| {
            let decision = &verdict["verdict"];
            let permitted = verdict["expected"].as_array().unwrap();
            (decision.as_str().unwrap(), permitted.contains(decision))
        })
        .collect();
    let (accepted, wrong) = (("accepted", true), ("wrong_answer", true));
    assert_eq!(
        decided,
        [
            accepted,
            accepted,
            ("judge_failed", false),
            wrong,
            wrong,
            accepted
        ]
    );
    let message = verdicts[2]["message"].as_str().unwrap();
    assert!(
        message.contains("no language is called \"python2\""),
        "{message}"
    );
}

#[test]
fn a_checker_without_testlib_decides_nothing() {
    let verdicts = parse(&judged(&[&fixture("code_contests_plus.jsonl")]).stdout);
    assert_eq!(verdicts.len(), 3);
    for verdict in verdicts {
        assert_eq!(verdict["verdict"], "judge_failed");
        let message = verdict["message"].as_str().unwrap();
        assert!(message.contains("--testlib FILE gives it"), "{message}");
    }
}

#[test]
fn folders_of_apps_and_of_samples() {
    let verdicts = parse(&judged(&[&fixture("folders/apps")]).stdout);
    let ids = |verdict: &Value| {
        let text = |name: &str| verdict[name].as_str().unwrap().to_owned();
        (text("id"), text("verdict"))
    };
    let pair = |id: &str, decision: &str| (id.to_owned(), decision.to_owned());
    let found: Vec<_> = verdicts.iter().map(ids).collect();
    assert_eq!(
        found,
        [pair("0000#0", "accepted"), pair("0001#0", "accepted")]
    );
    let samples = fixture("folders/samples");
    let problems = fixture("humaneval.jsonl");
    let ran = judged(&[&samples, Path::new("--problems"), &problems]);
    let found: Vec<_> = parse(&ran.stdout).iter().map(ids).collect();
    let expected = [
        pair("Made_0/0", "accepted"),
        pair("Made_0/1", "wrong_answer"),
        pair("Made_0/10", "accepted"),
        pair("Made_1/0", "accepted"),
    ];
    assert_eq!(found, expected);
}
