//! A run that was killed goes on and loses nothing; a verdict is used again only for the very same input.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::lab::{Lab, count_lines, examined, script, settled, wait_until, with};
use crate::processes::descendants;

fn solutions(count: usize) -> Vec<Value> {
    (0..count)
        .map(|i| {
            let wait = if i > 4 {
                "import time; time.sleep(0.05)\n"
            } else {
                ""
            };
            script(
                &format!("s{i}"),
                &format!("{wait}print({i} % 3)"),
                &[("", "1\n")],
            )
        })
        .collect()
}

const RESUME: [&str; 5] = ["judge", "s.jsonl", "--out", "v.jsonl", "--resume"];

/// How many submissions a resumed run kept and how many it has in all.
fn kept(lab: &Lab) -> (u64, u64) {
    let ran = lab.run(&[&RESUME[..], &["--json"]].concat());
    let report: Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    (
        report["kept"].as_u64().unwrap(),
        report["submissions"].as_u64().unwrap(),
    )
}

#[test]
fn killed_midway_and_resumed_is_as_never_killed() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions(30));
    assert_eq!(
        lab.run(&["judge", "s.jsonl", "--out", "whole.jsonl"]).code,
        Some(0)
    );
    for enough in [1, 7, 15] {
        let mut child = lab.start(&RESUME);
        wait_until("some verdicts", || {
            count_lines(&lab.path("v.jsonl")) >= enough
        });
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (kept, all) = kept(&lab);
    assert!(kept >= 15, "{kept}");
    assert_eq!(all, 30);
    assert_eq!(
        settled(lab.verdicts("v.jsonl")),
        settled(lab.verdicts("whole.jsonl"))
    );
    assert!(!lab.path("v.jsonl.old").exists());
}

/// What the host ends while a program compiles is no crash of the compiler.
#[test]
fn a_worker_that_is_killed_costs_no_verdict() {
    let lab = Lab::new();
    let long = format!("{}print(5)", "a = 1\n".repeat(300_000));
    lab.lines("s.jsonl", &[script("long", &long, &[("", "5\n")])]);
    let mut judge = lab.start(&[&RESUME[..], &["--workers", "1"]].concat());
    // What the judge asks of interpreters comes before its file of verdicts, and ends sooner.
    let mut seen = (BTreeSet::new(), Instant::now());
    wait_until("a worker and its box", || {
        let now = descendants(judge.id());
        if now != seen.0 {
            seen = (now, Instant::now());
        }
        let is_settled = seen.0.len() > 1 && seen.1.elapsed() > Duration::from_millis(300);
        lab.path("v.jsonl").exists() && is_settled
    });
    let worker = seen.0.iter().min_by_key(|(_, started)| *started).unwrap();
    let kill = Command::new("kill")
        .args(["-9", &worker.0.to_string()])
        .status();
    assert!(kill.unwrap().success());
    judge.wait().unwrap();
    let verdicts = lab.verdicts("v.jsonl");
    assert_eq!(verdicts[0]["verdict"], "accepted", "{}", verdicts[0]);
}

#[test]
fn a_torn_line_is_cut_off() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions(5));
    lab.run(&RESUME);
    let whole = lab.text("v.jsonl");
    for torn in [whole.len() - 1, whole.len() - 40, whole.len() - 500] {
        lab.write("v.jsonl", &whole[..torn]);
        assert_eq!(kept(&lab).1, 5);
        assert_eq!(lab.verdicts("v.jsonl").len(), 5);
    }
}

#[test]
fn a_forged_line_is_not_believed() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions(3));
    lab.run(&RESUME);
    let forged = lab.text("v.jsonl").replacen("wrong_answer", "accepted", 1);
    lab.write("v.jsonl", forged);
    let ran = lab.run(&[&RESUME[..], &["--json"]].concat());
    assert_eq!(
        ran.stderr,
        "skipped 1 damaged line in the verdict file; the submissions affected are judged again\n"
    );
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["kept"], json!(2));
    assert_eq!(lab.verdicts("v.jsonl").len(), 3);
    assert_eq!(lab.verdicts("v.jsonl")[0]["verdict"], "wrong_answer");
}

#[test]
fn a_finished_run_is_left_as_it_is() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions(5));
    lab.run(&RESUME);
    let before = lab.text("v.jsonl");
    assert_eq!(kept(&lab), (5, 5));
    assert_eq!(lab.text("v.jsonl"), before);
}

#[test]
fn changed_input_is_judged_again_in_its_place() {
    let lab = Lab::new();
    let mut all = solutions(5);
    lab.lines("s.jsonl", &all);
    lab.run(&RESUME);
    all[1]["code"] = json!("print(1)");
    all[3]["tests"][0]["output"] = json!("0\n");
    all.push(script("new", "print(1)", &[("", "1\n")]));
    all.swap(0, 4);
    lab.lines("s.jsonl", &all);
    assert_eq!(kept(&lab), (3, 6));
    let verdicts = lab.verdicts("v.jsonl");
    let ids: Vec<&str> = verdicts
        .iter()
        .map(|verdict| verdict["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["s4", "s1", "s2", "s3", "s0", "new"]);
    assert_eq!(verdicts[1]["verdict"], "accepted");
    assert_eq!(verdicts[3]["verdict"], "accepted");
    assert_eq!(
        count_lines(&lab.path("v.jsonl.old")),
        6,
        "five verdicts behind a blank line"
    );
}

#[test]
fn other_settings_are_other_input() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions(3));
    lab.run(&RESUME);
    let ran = lab.run(&[&RESUME[..], &["--json", "--profile", "exact"]].concat());
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["kept"], json!(0));
}

#[test]
fn failures_of_the_judge_are_judged_again() {
    let lab = Lab::new();
    lab.lines(
        "s.jsonl",
        &[
            solutions(1).remove(0),
            examined("live", "def f(g): return 1", "f(compile('1', '', 'eval'))"),
        ],
    );
    lab.run(&RESUME);
    assert_eq!(kept(&lab), (1, 2));
}

#[test]
fn a_file_with_verdicts_is_not_overwritten() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions(1));
    let judge = ["judge", "s.jsonl", "--out", "v.jsonl"];
    assert_eq!(lab.run(&judge).code, Some(0));
    let verdicts = lab.text("v.jsonl");
    let ran = lab.run(&judge);
    assert_eq!(ran.code, Some(3));
    insta::assert_snapshot!(ran.stderr, @r#"
    error: output file already exists: v.jsonl
    hint: --resume continues the interrupted run; to start over, delete the file or choose another --out
    "#);
    assert_eq!(lab.text("v.jsonl"), verdicts);
    lab.write("v.jsonl", "my notes\n");
    assert_eq!(lab.run(&judge).code, Some(3));
    assert_eq!(lab.text("v.jsonl"), "my notes\n");
}

#[test]
fn two_runs_cannot_write_one_file() {
    let lab = Lab::new();
    let slow = with(
        script("slow", "while True: pass", &[("", "")]),
        "time_limit",
        json!(60),
    );
    lab.lines("s.jsonl", &[solutions(1).remove(0), slow]);
    let mut first = lab.start(&RESUME);
    wait_until("the first to write", || {
        count_lines(&lab.path("v.jsonl")) == 1
    });
    let second = lab.run(&RESUME);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.code, Some(3));
    insta::assert_snapshot!(second.stderr, @"error: v.jsonl is being written by another process");
}

#[test]
fn a_torn_line_does_not_spoil_what_is_put_aside() {
    let lab = Lab::new();
    let mut all = solutions(4);
    lab.lines("s.jsonl", &all);
    lab.run(&RESUME);
    lab.write("v.jsonl.old", "{\"id\":\"torn");
    all.swap(0, 1);
    lab.lines("s.jsonl", &all);
    let mut old = OpenOptions::new()
        .append(true)
        .open(lab.path("v.jsonl"))
        .unwrap();
    old.write_all(b"{\"id\":\"to").unwrap();
    assert_eq!(kept(&lab), (4, 4));
}

/// A file of an earlier run beside the verdicts is used, but never without a word.
#[test]
fn what_an_earlier_run_put_aside_is_told_of() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions(2));
    lab.run(&RESUME);
    std::fs::rename(lab.path("v.jsonl"), lab.path("v.jsonl.old")).unwrap();
    let ran = lab.run(&[&RESUME[..], &["--json"]].concat());
    insta::assert_snapshot!(ran.stderr, @"v.jsonl.old holds 2 verdicts set aside by an earlier run, to be reused where the submission is unchanged");
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["kept"], json!(2));
    assert_eq!(lab.verdicts("v.jsonl").len(), 2);
}

#[test]
fn a_file_that_holds_no_verdicts_is_not_touched() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions(2));
    for foreign in [
        "my notes",
        "{\"id\":\"p\",\"kind\":\"stdin\"}",
        "{\"id\":\"p\",\"kind\":\"stdin\"}\n{\"id\":\"q\"}\n",
        "\0\u{1}",
    ] {
        lab.write("v.jsonl", foreign);
        let ran = lab.run(&RESUME);
        assert_eq!(ran.code, Some(3), "{foreign}");
        assert_eq!(lab.text("v.jsonl"), foreign);
    }
    let into_itself = lab.run(&["judge", "s.jsonl", "--out", "s.jsonl", "--resume"]);
    assert_eq!(into_itself.code, Some(3));
    insta::assert_snapshot!(into_itself.stderr, @r"
    error: s.jsonl contains no verdicts, so a run cannot be resumed from it
    hint: it was left unchanged; delete it or choose another --out
    ");
    lab.write("v.jsonl", "{\"id\":\"s0\",\"pro");
    assert_eq!(kept(&lab), (0, 2), "torn in its first line");
}

#[test]
fn a_file_of_the_name_for_what_is_put_aside_is_not_touched() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions(2));
    lab.run(&RESUME);
    let verdicts = lab.text("v.jsonl");
    lab.write("v.jsonl.old", "my notes\n");
    let ran = lab.run(&RESUME);
    assert_eq!(ran.code, Some(3));
    insta::assert_snapshot!(ran.stderr, @r"
    error: v.jsonl.old contains no verdicts, so a run cannot be resumed from it
    hint: it was left unchanged; delete it or choose another --out
    ");
    assert_eq!(lab.text("v.jsonl.old"), "my notes\n");
    assert_eq!(lab.text("v.jsonl"), verdicts);
}
