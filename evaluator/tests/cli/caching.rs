//! What is compiled for the interpreter is compiled once for all processes of a user, and never taken from others.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use crate::lab::{Lab, examined, parse, script};

/// What the interpreter is told when it is to compile, and never else.
const COMPILING: &str = "-I -S -c";

/// A lab with an interpreter that notes how it is started, and a cache of its own.
struct Cached(Lab);

impl Cached {
    fn new() -> Cached {
        let lab = Lab::new();
        let mut asked = Command::new("python3");
        asked.args(["-c", "import sys; print(sys.executable)"]);
        let real = String::from_utf8(asked.output().unwrap().stdout).unwrap();
        let (log, real) = (lab.path("starts"), real.trim());
        let text = format!(
            "#!/bin/bash\necho \"$1 $2 $3\" >> '{}'\nexec -a \"$0\" '{real}' \"$@\"\n",
            log.display()
        );
        lab.write("python", text);
        fs::set_permissions(lab.path("python"), fs::Permissions::from_mode(0o755)).unwrap();
        lab.lines(
            "solutions.jsonl",
            &[script("a", "print(int(input()) + 1)", &[("1", "2")])],
        );
        Cached(lab)
    }

    /// How often something is compiled while a right solution is accepted.
    #[track_caller]
    fn compiles(&self) -> usize {
        self.0.write("starts", "");
        let python = self.0.path("python").display().to_string();
        let mut command = self
            .0
            .command(&["judge", "solutions.jsonl", "--python", &python]);
        let output = command
            .env("XDG_CACHE_HOME", self.0.path("cache"))
            .output()
            .unwrap();
        let verdicts = parse(&String::from_utf8(output.stdout).unwrap());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(verdicts.len(), 1, "{said}");
        assert_eq!(verdicts[0]["verdict"], "accepted", "{said}");
        let starts = self.0.text("starts");
        starts.lines().filter(|line| *line == COMPILING).count()
    }

    fn folder(&self) -> PathBuf {
        self.0.path("cache/microcoder/harness")
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder()).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

fn allow(path: &PathBuf, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_second_process_compiles_nothing() {
    let lab = Cached::new();
    assert_eq!([lab.compiles(), lab.compiles()], [1, 0]);
    assert_eq!(lab.files().len(), 1);
}

#[test]
fn what_is_damaged_is_compiled_again() {
    let lab = Cached::new();
    lab.compiles();
    let [file] = &lab.files()[..] else {
        panic!("one file")
    };
    let whole = fs::read(file).unwrap();
    let mut changed = whole.clone();
    *changed.last_mut().unwrap() ^= 1;
    for damaged in [&whole[..whole.len() - 1], &changed, b""] {
        fs::write(file, damaged).unwrap();
        assert_eq!([lab.compiles(), lab.compiles()], [1, 0]);
        assert!(fs::read(file).unwrap() == whole, "it is mended");
    }
}

#[test]
fn a_file_does_not_stand_for_another() {
    let lab = Cached::new();
    lab.compiles();
    let [own] = &lab.files()[..] else {
        panic!("one file")
    };
    // Test code has harnesses of its own.
    lab.0.lines(
        "solutions.jsonl",
        &[examined("a", "def f(x):\n    return x", "assert f(1) == 1")],
    );
    lab.compiles();
    let other = lab.files().into_iter().find(|file| file != own);
    fs::copy(own, other.unwrap()).unwrap();
    assert_eq!([lab.compiles(), lab.compiles()], [1, 0]);
}

#[test]
fn what_others_may_write_is_not_taken() {
    let lab = Cached::new();
    lab.compiles();
    let [file] = &lab.files()[..] else {
        panic!("one file")
    };
    allow(file, 0o620);
    assert_eq!([lab.compiles(), lab.compiles()], [1, 0]);
    allow(&lab.folder(), 0o722);
    assert_eq!([lab.compiles(), lab.compiles()], [1, 1]);
}

#[test]
fn the_cache_holds_only_what_was_read_of_late() {
    let lab = Cached::new();
    fs::create_dir_all(lab.folder()).unwrap();
    for number in 0..40 {
        fs::write(lab.folder().join(format!("{number:02}")), "").unwrap();
    }
    lab.compiles();
    assert_eq!(lab.files().len(), 32);
    assert_eq!(lab.compiles(), 0, "the newest is among them");
}

#[test]
fn no_cache_is_no_failure() {
    let lab = Cached::new();
    lab.0.write("cache", "is a file");
    assert_eq!([lab.compiles(), lab.compiles()], [1, 1]);
}
