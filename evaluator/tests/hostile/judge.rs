//! A running `mc-eval judge` with one worker, which is given solutions as they come.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::machine::{list, wait_for_none};
use crate::processes::{Process, alive, descendants};

/// No program of the fixtures takes nearly as long.
const DEADLINE: Duration = Duration::from_secs(120);
/// How often the processes of a judge are noted while it works.
const GLANCE: Duration = Duration::from_millis(20);

pub struct Judge {
    child: Child,
    solutions: ChildStdin,
    verdicts: Receiver<String>,
    /// Every process that was ever seen to descend from it.
    family: BTreeSet<Process>,
    folder: TempDir,
}

impl Judge {
    pub fn start(problems: &[Value]) -> Judge {
        let folder = TempDir::new().expect("a folder");
        let lines: String = problems.iter().map(|line| format!("{line}\n")).collect();
        fs::write(folder.path().join("problems.jsonl"), lines).expect("write the problems");
        fs::create_dir(folder.path().join("tmp")).expect("a folder for temporary files");
        let complaints = File::create(folder.path().join("stderr")).expect("a file");
        let mut child = Command::new(env!("CARGO_BIN_EXE_mc-eval"))
            .args(["judge", "-", "--problems", "problems.jsonl"])
            .args(["--workers", "1", "--first-failure"])
            .current_dir(folder.path())
            .env("TMPDIR", folder.path().join("tmp"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(complaints)
            .spawn()
            .expect("start mc-eval");
        Judge {
            solutions: child.stdin.take().expect("its standard input"),
            verdicts: lines_of(child.stdout.take().expect("its standard output")),
            child,
            family: BTreeSet::new(),
            folder,
        }
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The verdicts of some solutions, judged one after the other without a pause.
    pub fn judge<const N: usize>(&mut self, solutions: [Value; N]) -> Result<[Value; N], String> {
        for solution in &solutions {
            writeln!(self.solutions, "{solution}").map_err(|error| self.complaint(&error))?;
        }
        let mut verdicts = solutions;
        for verdict in &mut verdicts {
            let line = self.next_line()?;
            *verdict = serde_json::from_str(&line).map_err(|error| format!("{line}: {error}"))?;
        }
        Ok(verdicts)
    }

    fn next_line(&mut self) -> Result<String, String> {
        let start = Instant::now();
        while start.elapsed() < DEADLINE {
            self.family.extend(descendants(self.id()));
            match self.verdicts.recv_timeout(GLANCE) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.complaint(&"mc-eval ended without a verdict"));
                }
            }
        }
        Err(self.complaint(&"no verdict came in time"))
    }

    /// What went wrong, with what mc-eval says of it.
    fn complaint(&self, what: &dyn std::fmt::Display) -> String {
        let said = fs::read_to_string(self.folder.path().join("stderr")).unwrap_or_default();
        format!("{what}; standard error: {said}")
    }

    /// End it. Gives what it left.
    pub fn end(self) -> Vec<String> {
        let Judge {
            mut child,
            solutions,
            family,
            folder,
            ..
        } = self;
        drop(solutions);
        let status = child.wait().expect("wait for mc-eval");
        let mut left = Vec::new();
        if !status.success() {
            left.push(format!("mc-eval ended with {status}"));
        }
        if family.is_empty() {
            left.push("no process of mc-eval was ever seen".into());
        }
        let still = wait_for_none(|| family.iter().filter(|process| alive(process)).collect());
        left.extend(still.iter().map(|(id, _)| format!("process {id}")));
        let temporary: PathBuf = folder.path().join("tmp");
        let files = list(&temporary).into_iter();
        left.extend(files.map(|name| format!("{name} in its TMPDIR")));
        left
    }
}

/// The lines of a process as they come; none once it has ended.
fn lines_of(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}
