//! Runs that are ended from outside leave a valid file and no process.

use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::lab::{Lab, count_lines, outline, script, wait_until};
use crate::processes::{alive, descendants};

/// Quick ones, then some that take long by the clock.
fn solutions() -> Vec<Value> {
    let quick = (0..6).map(|i| script(&format!("quick{i}"), "print(1)", &[("", "1\n")]));
    let slow = "import time\nfor _ in range(100): time.sleep(0.1)";
    let slow = (0..4).map(|i| script(&format!("slow{i}"), slow, &[("", "")]));
    quick.chain(slow).collect()
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

fn end_by(name: &str, code: i32) {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions());
    let mut child = lab.start(&["judge", "s.jsonl", "--out", "v.jsonl", "--workers", "2"]);
    wait_until("the quick verdicts", || {
        count_lines(&lab.path("v.jsonl")) == 6
    });
    let processes = descendants(child.id());
    assert!(!processes.is_empty());
    signal(&child, name);
    assert_eq!(child.wait().unwrap().code(), Some(code));
    wait_until("the sandbox to end", || !processes.iter().any(alive));
    let verdicts = lab.verdicts("v.jsonl");
    assert_eq!(verdicts.len(), 6, "{}", outline(&verdicts));
    assert!(
        verdicts
            .iter()
            .all(|verdict| verdict["verdict"] == "accepted")
    );
}

#[test]
fn interrupted_by_ctrl_c() {
    end_by("-INT", 130);
}

#[test]
fn terminated() {
    end_by("-TERM", 143);
}

/// A terminal sends the signal to the interpreter that is being started as well, whose end is no fault then.
#[test]
fn interrupted_while_it_starts() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions());
    for milliseconds in [50, 150, 250, 350, 450] {
        let mut command = lab.command(&["judge", "s.jsonl", "--workers", "2"]);
        let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.process_group(0).spawn().unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        let group = format!("-{}", child.id());
        let sent = Command::new("kill").args(["-INT", "--", &group]).status();
        assert!(sent.unwrap().success());
        let ended = child.wait_with_output().unwrap();
        let is_early = ended.status.signal() == Some(2);
        assert!(is_early || ended.status.code() == Some(130), "{ended:?}");
        assert_eq!(String::from_utf8_lossy(&ended.stderr).find("error"), None);
    }
}

#[test]
fn interrupted_while_waiting_for_input() {
    let lab = Lab::new();
    let mut command = lab.command(&["judge", "-", "--out", "v.jsonl"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", script("first", "print(1)", &[("", "1\n")])).unwrap();
    wait_until("the first verdict", || {
        count_lines(&lab.path("v.jsonl")) == 1
    });
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(lab.verdicts("v.jsonl").len(), 1);
    drop(input);
}

#[test]
fn killed() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &solutions());
    let mut child = lab.start(&["judge", "s.jsonl", "--out", "v.jsonl", "--workers", "2"]);
    wait_until("the quick verdicts", || {
        count_lines(&lab.path("v.jsonl")) == 6
    });
    let processes = descendants(child.id());
    assert!(!processes.is_empty());
    signal(&child, "-KILL");
    child.wait().unwrap();
    wait_until("the sandbox to end", || !processes.iter().any(alive));
    assert_eq!(lab.verdicts("v.jsonl").len(), 6);
}

/// A client that reads the answers alone, and lets standard error fill up, gets them all.
#[test]
fn a_standard_error_that_nobody_reads_holds_nothing_up() {
    let (_unread, full) = std::io::pipe().unwrap();
    let mut filler = Command::new("head");
    filler.args(["-c", "65536", "/dev/zero"]);
    let filled = filler.stdout(full.try_clone().unwrap()).status().unwrap();
    assert!(filled.success());
    let lab = Lab::new();
    let right = script("right", "print(1)", &[("", "1\n")]);
    lab.write("s.jsonl", format!("{{bad\n{right}\n"));
    let mut command = lab.command(&["judge", "s.jsonl", "--skip-invalid"]);
    let mut child = command.stdout(Stdio::piped()).stderr(full).spawn().unwrap();
    wait_until("the end", || child.try_wait().unwrap().is_some());
    let answers = std::io::read_to_string(child.stdout.unwrap()).unwrap();
    assert_eq!(answers.lines().count(), 2);
    assert!(answers.contains("\"accepted\""));
}
