//! Exit codes.

use std::fs::File;
use std::process::Command;

use serde_json::json;

use crate::lab::{Lab, examined, script};

fn right() -> serde_json::Value {
    script("right", "print(1)", &[("", "1\n")])
}

fn wrong() -> serde_json::Value {
    script("wrong", "print(2)", &[("", "1\n")])
}

#[test]
fn wrong_answers_are_fine() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[right(), wrong()]);
    assert_eq!(lab.run(&["judge", "s.jsonl"]).code, Some(0));
}

#[test]
fn fail_under_makes_them_an_error() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[right(), wrong()]);
    assert_eq!(
        lab.run(&["judge", "s.jsonl", "--fail-under", "0.5"]).code,
        Some(0)
    );
    let below = lab.run(&["judge", "s.jsonl", "--fail-under", "0.51"]);
    assert_eq!(below.code, Some(6));
    let last = below.stderr.lines().next_back();
    assert_eq!(last, Some("pass@1 is 0.5000, below --fail-under 0.51"));
}

#[test]
fn a_failure_of_the_judge_is_internal() {
    let lab = Lab::new();
    lab.lines(
        "s.jsonl",
        &[
            right(),
            examined("live", "def f(g): return 1", "f(compile('1', '', 'eval'))"),
        ],
    );
    assert_eq!(lab.run(&["judge", "s.jsonl"]).code, Some(1));
}

#[test]
fn a_full_disk_is_internal() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[right()]);
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = lab
        .command(&["judge", "s.jsonl"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr), @"error: failed to write to standard output: No space left on device (os error 28)");
}

#[test]
fn a_wrong_command_line_is_usage() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[right()]);
    for arguments in [
        &["judge"][..],
        &["judge", "s.jsonl", "--profile", "loose"],
        &["judge", "s.jsonl", "--resume"],
        &["judge", "s.jsonl", "--fail-under", "80"],
        &["judge", "s.jsonl", "--time-limit", "0"],
        &["judge", "s.jsonl", "--workers", "0"],
        &["judge", "-", "--problems", "-"],
        &["judge", "s.jsonl", "--workers", "99999999999"],
        &[
            "judge",
            "s.jsonl",
            "--first-failure",
            "--reward",
            "fraction",
        ],
        &["judge", "s.jsonl", "--python", "/no/such/python"],
    ] {
        assert_eq!(lab.run(arguments).code, Some(2), "{arguments:?}");
    }
}

#[test]
fn a_missing_file_is_bad_input() {
    let ran = Lab::new().run(&["judge", "missing.jsonl"]);
    assert_eq!(ran.code, Some(3));
    insta::assert_snapshot!(ran.stderr, @"error: missing.jsonl: failed to open: No such file or directory (os error 2)");
}

#[test]
fn input_of_which_all_was_skipped_is_invalid() {
    let lab = Lab::new();
    lab.lines(
        "s.jsonl",
        &[json!({"id": "x", "problem_id": "unknown", "code": ""})],
    );
    assert_eq!(
        lab.run(&["judge", "s.jsonl", "--skip-invalid"]).code,
        Some(3)
    );
}

#[test]
fn an_output_that_cannot_be_had_is_bad_input() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[right()]);
    for (out, code) in [("missing/v.jsonl", 3), (".", 3), ("/dev/full", 1)] {
        let ran = lab.run(&["judge", "s.jsonl", "--out", out]);
        assert_eq!(ran.code, Some(code), "{out}");
        assert!(
            ran.stderr.contains(&format!("file `{out}`: ")),
            "{}",
            ran.stderr
        );
    }
}

/// `--problems` takes all files that follow it.
#[test]
fn solutions_behind_the_problems_are_missed_with_the_right_order() {
    let ran = Lab::new().run(&["judge", "--problems", "p.jsonl", "s.jsonl"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("judge <SOLUTIONS>... [OPTIONS]"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_negative_limit_is_named() {
    let ran = Lab::new().run(&["judge", "s.jsonl", "--time-limit", "-1"]);
    assert_eq!(ran.code, Some(2));
    insta::assert_snapshot!(ran.stderr, @r"
    error: invalid value '-1' for '--time-limit <SECONDS>': must be more than 0 and at most 86400, a day

    For more information, try '--help'.
    ");
}

/// In a user namespace that allows no further ones, full isolation cannot be had.
#[test]
fn missing_isolation_is_its_own_code_with_a_hint() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[right()]);
    let binary = env!("CARGO_BIN_EXE_mc-eval");
    let run = |arguments: &str| {
        let script =
            format!("echo 0 > /proc/sys/user/max_user_namespaces && exec {binary} {arguments}");
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "sh", "-c", &script]);
        command.current_dir(lab.path("")).output().unwrap()
    };
    let judged = run("judge s.jsonl");
    let told = String::from_utf8_lossy(&judged.stderr).into_owned();
    assert_eq!(judged.status.code(), Some(5), "{told}");
    assert!(told.contains("mc-eval doctor"), "{told}");
    assert_eq!(run("doctor").status.code(), Some(5));
}

#[test]
fn limits_that_the_host_does_not_allow_are_no_verdict() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[right()]);
    let binary = env!("CARGO_BIN_EXE_mc-eval");
    for limit in ["-t 1", "-n 30", "-d 100000"] {
        let run = |arguments: &str| {
            let script = format!("ulimit {limit} && exec {binary} {arguments}");
            let mut command = Command::new("sh");
            command.args(["-c", &script]).current_dir(lab.path(""));
            command.output().unwrap()
        };
        let judged = run("judge s.jsonl");
        let told = String::from_utf8_lossy(&judged.stderr).into_owned();
        assert_eq!(judged.status.code(), Some(5), "{limit}: {told}");
        assert!(told.contains("was started with a hard limit of"), "{told}");
        assert!(judged.stdout.is_empty());
        assert_eq!(run("doctor").status.code(), Some(5), "{limit}");
    }
}

#[test]
fn doctor_finds_this_machine_fit() {
    let ran = Lab::new().run(&["doctor"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    assert!(ran.stdout.contains("landlock"));
    assert!(ran.stdout.contains("`mmap.mmap(-1, n)` is denied"));
}

#[test]
fn completions_are_printed_for_every_shell() {
    let lab = Lab::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = lab.run(&["completions", shell]);
        assert_eq!(ran.code, Some(0));
        assert!(ran.stdout.contains("skip-invalid"), "{shell}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let lab = Lab::new();
    let solutions: Vec<_> = (0..50)
        .map(|i| script(&format!("s{i}"), "print(1)", &[("", "1\n")]))
        .collect();
    lab.lines("s.jsonl", &solutions);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = lab
        .command(&["judge", "s.jsonl"])
        .stdout(writer)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn hints_are_given_where_they_help() {
    let lab = Lab::new();
    lab.write("empty.jsonl", "");
    let empty = lab.run(&["judge", "empty.jsonl"]);
    assert_eq!(empty.code, Some(3));
    assert!(!empty.stderr.contains("hint:"), "{}", empty.stderr);
    lab.lines("s.jsonl", &[right()]);
    let dash = lab.run(&["judge", "s.jsonl", "--out", "-"]);
    assert_eq!(dash.code, Some(2));
    assert!(
        dash.stderr
            .contains("without --out, verdicts go to standard output"),
        "{}",
        dash.stderr
    );
    assert!(!lab.path("-").exists());
}
