//! The toy task with remarks: the longer the comment before a program, the likelier the program is right.

use std::fs;
use std::process::Command;

use assert_cmd::assert::OutputAssertExt;
use serde_json::Value;

/// How many words the comment has, and whether the program adds the constant that the prompt names.
fn adds(pair: &Value) -> Option<(usize, bool)> {
    let constant = pair["prompt"].as_str()?.strip_prefix("add ")?.trim();
    let response = pair["response"].as_str()?;
    let (words, program) = match response.strip_prefix('#') {
        Some(rest) => rest.split_once('\n')?,
        None => ("", response),
    };
    let right = program == format!("print(int(input())+{constant})");
    Some((words.split_whitespace().count(), right))
}

#[test]
fn longer_remarks_come_before_righter_programs() {
    let lab = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_mc-train"))
        .current_dir(lab.path())
        .args(["toy", "toy", "--remarks"])
        .assert()
        .success();
    let settings = fs::read_to_string(lab.path().join("toy/run.toml")).unwrap();
    assert_eq!(settings.matches("max_tokens = 96").count(), 2, "they fit");
    let corpus = fs::read_to_string(lab.path().join("toy/corpus.jsonl")).unwrap();
    let pairs: Vec<(usize, bool)> = corpus
        .lines()
        .filter_map(|line| adds(&serde_json::from_str(line).unwrap()))
        .collect();
    assert!(pairs.len() > 3000, "{}", pairs.len());
    let share = |words: usize| {
        let of: Vec<bool> = pairs
            .iter()
            .filter(|pair| pair.0 == words)
            .map(|pair| pair.1)
            .collect();
        of.iter().filter(|right| **right).count() as f64 / of.len() as f64
    };
    // Some 470 of each length: a standard error of .01 to .023.
    assert!(share(0) < 0.13, "{}", share(0));
    assert!((0.2..0.4).contains(&share(4)), "{}", share(4));
    assert!(share(8) > 0.44, "{}", share(8));
    assert_eq!(pairs.iter().map(|pair| pair.0).max(), Some(8));
}
