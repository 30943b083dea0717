//! Parts of a run, judged by themselves and put together.

use serde_json::{Value, json};

use crate::lab::{Lab, Ran, script, settled};

fn solutions(count: usize) -> Vec<Value> {
    let solution = |i: usize| script(&format!("s{i}"), &format!("print({i} % 3)"), &[("", "1\n")]);
    (0..count).map(solution).collect()
}

fn judge(lab: &Lab, part: &str, more: &[&str]) -> Ran {
    let out = format!("{}.jsonl", part.replace('/', "-"));
    lab.run(&[&["judge", "s.jsonl", "--shard", part, "--out", &out], more].concat())
}

fn merge(lab: &Lab, parts: &[&str]) -> Ran {
    lab.run(&[&["merge", "--out", "merged.jsonl"], parts].concat())
}

#[test]
fn the_parts_together_are_the_whole() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions(8));
    lab.run(&["judge", "s.jsonl", "--out", "whole.jsonl"]);
    for part in ["1/3", "2/3", "3/3"] {
        assert_eq!(judge(&lab, part, &[]).code, Some(0));
    }
    assert_eq!(lab.verdicts("2-3.jsonl").len(), 3);
    let merged = merge(&lab, &["3-3.jsonl", "1-3.jsonl", "2-3.jsonl"]);
    assert_eq!(merged.code, Some(0), "{}", merged.stderr);
    let whole = settled(lab.verdicts("whole.jsonl"));
    assert_eq!(settled(lab.verdicts("merged.jsonl")), whole);
    // It is the file that one machine would have written: a run goes on with it, and has nothing to do.
    let resumed = [
        "judge",
        "s.jsonl",
        "--out",
        "merged.jsonl",
        "--resume",
        "--json",
    ];
    let report: Value = serde_json::from_str(&lab.run(&resumed).stdout).unwrap();
    assert_eq!(report["kept"], 8);
}

#[test]
fn a_merge_refuses_gaps_and_doubles() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions(5));
    for part in ["1/2", "2/2", "1/3"] {
        judge(&lab, part, &[]);
    }
    let refused = |parts: &[&str], words: &str| {
        let ran = merge(&lab, parts);
        assert_eq!(ran.code, Some(3), "{}", ran.stderr);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
        assert!(!lab.path("merged.jsonl").exists());
    };
    refused(&["1-2.jsonl"], "missing: part 2/2");
    refused(
        &["1-2.jsonl", "2-2.jsonl", "1-2.jsonl"],
        "both hold part 1/2",
    );
    refused(&["1-3.jsonl", "2-2.jsonl"], "not of one run");
    lab.run(&["judge", "s.jsonl", "--out", "whole.jsonl"]);
    refused(&["whole.jsonl"], "whole.jsonl:1: is no verdict of a part");
    let lines = lab.text("1-2.jsonl");
    let lines: Vec<&str> = lines.lines().collect();
    lab.write("short.jsonl", lines[..2].join("\n") + "\n");
    refused(&["short.jsonl", "2-2.jsonl"], "part 1/2 is not complete");
    lab.write("gap.jsonl", [lines[0], lines[2]].join("\n") + "\n");
    refused(&["gap.jsonl", "2-2.jsonl"], "gap.jsonl:2: is number 4");
    lab.write("torn.jsonl", lines.join("\n"));
    refused(&["torn.jsonl", "2-2.jsonl"], "torn.jsonl:3: is torn");
    lab.write("double.jsonl", [lines[0], lines[0]].join("\n") + "\n");
    refused(
        &["double.jsonl", "2-2.jsonl"],
        "double.jsonl:2: is number 0",
    );
    assert_eq!(merge(&lab, &["1-2.jsonl", "2-2.jsonl"]).code, Some(0));
    assert_eq!(
        merge(&lab, &["1-2.jsonl", "2-2.jsonl"]).code,
        Some(3),
        "it exists"
    );
}

#[test]
fn a_part_that_was_cut_off_is_resumed() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions(6));
    judge(&lab, "1/2", &[]);
    judge(&lab, "2/2", &[]);
    let lines = lab.text("1-2.jsonl");
    lab.write("1-2.jsonl", &lines[..lines.len() / 2]);
    assert_eq!(judge(&lab, "1/2", &["--resume"]).code, Some(0));
    assert_eq!(merge(&lab, &["1-2.jsonl", "2-2.jsonl"]).code, Some(0));
    assert_eq!(lab.verdicts("merged.jsonl").len(), 6);
}

/// The verdicts stay, their places do not.
#[test]
fn a_part_that_becomes_another_part_is_written_anew() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions(4));
    judge(&lab, "1/1", &[]);
    std::fs::rename(lab.path("1-1.jsonl"), lab.path("2-2.jsonl")).unwrap();
    judge(&lab, "2/2", &["--resume"]);
    judge(&lab, "1/2", &[]);
    let merged = merge(&lab, &["1-2.jsonl", "2-2.jsonl"]);
    assert_eq!(merged.code, Some(0), "{}", merged.stderr);
    let ids: Vec<Value> = lab
        .verdicts("merged.jsonl")
        .iter()
        .map(|it| it["id"].clone())
        .collect();
    assert_eq!(ids, [json!("s0"), json!("s1"), json!("s2"), json!("s3")]);
}

#[test]
fn there_may_be_more_parts_than_submissions() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions(2));
    let codes = ["1/3", "2/3", "3/3"].map(|part| judge(&lab, part, &[]).code);
    assert_eq!(codes, [Some(0), Some(0), Some(4)]);
    let merged = merge(&lab, &["1-3.jsonl", "2-3.jsonl", "3-3.jsonl"]);
    assert_eq!(merged.code, Some(0), "{}", merged.stderr);
    assert_eq!(lab.verdicts("merged.jsonl").len(), 2);
}

#[test]
fn parts_are_counted_from_one() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions(1));
    for part in ["0/2", "3/2", "1", "a/b", "1/0", "-1/2", "1/99999999999"] {
        assert_eq!(judge(&lab, part, &[]).code, Some(2), "{part}");
    }
}
