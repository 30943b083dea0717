//! A directory to try the binary in.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A temporary directory with the binary at hand.
pub struct Lab {
    directory: TempDir,
}

/// How a run of the binary ended.
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Lab {
    pub fn new() -> Lab {
        Lab {
            directory: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    /// Write one JSON value a line.
    pub fn lines(&self, name: &str, values: &[Value]) {
        let lines: String = values.iter().map(|value| format!("{value}\n")).collect();
        self.write(name, lines);
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mc-eval"));
        command.args(arguments).current_dir(self.directory.path());
        command.env("NO_COLOR", "1");
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        ran(self.command(arguments).output().unwrap())
    }

    pub fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ran {
        self.write("standard-input", input);
        let stdin = std::fs::File::open(self.path("standard-input")).unwrap();
        ran(self.command(arguments).stdin(stdin).output().unwrap())
    }

    pub fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The verdicts of a file.
    pub fn verdicts(&self, name: &str) -> Vec<Value> {
        parse(&self.text(name))
    }

    /// Judge solutions with further arguments; the verdicts are on standard output.
    pub fn judge(&self, solutions: &[Value], arguments: &[&str]) -> Vec<Value> {
        self.lines("solutions.jsonl", solutions);
        let mut all = [&["judge", "solutions.jsonl"], arguments].concat();
        // To start another takes longer than these few take to judge.
        if !arguments.contains(&"--workers") {
            all.extend(["--workers", "1"]);
        }
        let ran = self.run(&all);
        let verdicts = parse(&ran.stdout);
        assert_eq!(verdicts.len(), solutions.len(), "{}", ran.stderr);
        verdicts
    }
}

fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The verdicts of verdict lines.
pub fn parse(lines: &str) -> Vec<Value> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A submission with its own `stdin` tests, each an input with its output.
pub fn script(id: &str, code: &str, tests: &[(&str, &str)]) -> Value {
    let tests: Vec<Value> = tests
        .iter()
        .map(|(i, o)| json!({"input": i, "output": o}))
        .collect();
    json!({"id": id, "problem_id": format!("p-{id}"), "code": code, "kind": "stdin", "tests": tests})
}

/// A submission of a function `f` with its own `call` test.
pub fn function(id: &str, code: &str, input: Value, output: Value) -> Value {
    let tests = json!([{"input": input, "output": output}]);
    json!({"id": id, "problem_id": format!("p-{id}"), "code": code, "kind": "call", "fn_name": "f", "tests": tests})
}

/// A submission of a function `f` with its own test code.
pub fn examined(id: &str, code: &str, test: &str) -> Value {
    let tests = json!([{"code": test}]);
    json!({"id": id, "problem_id": format!("p-{id}"), "code": code, "kind": "assert", "fn_name": "f", "tests": tests})
}

/// A submission with its own test code, which calls the candidate by its names alone.
pub fn named(id: &str, code: &str, test: &str) -> Value {
    let mut solution = examined(id, code, test);
    solution.as_object_mut().unwrap().remove("fn_name");
    solution
}

/// A value with one more field.
pub fn with(mut value: Value, field: &str, content: Value) -> Value {
    value[field] = content;
    value
}

/// The outline of what these come to.
pub fn judged(solutions: &[Value]) -> String {
    outline(&Lab::new().judge(solutions, &[]))
}

/// Verdicts without what differs from run to run: what was measured, and the checksum over it.
pub fn settled(mut verdicts: Vec<Value>) -> Vec<Value> {
    for verdict in &mut verdicts {
        verdict["crc"] = Value::Null;
        for case in verdict["cases"].as_array_mut().unwrap() {
            for measured in ["cpu_ms", "wall_ms", "memory_kib", "reruns"] {
                case[measured] = Value::Null;
            }
        }
    }
    verdicts
}

/// One line a verdict: id, decision, passed of total, and of each case what decided it.
pub fn outline(verdicts: &[Value]) -> String {
    let line = |verdict: &Value| {
        let cases: Vec<String> = verdict["cases"]
            .as_array()
            .unwrap()
            .iter()
            .map(case)
            .collect();
        format!(
            "{} {} {}/{} [{}]",
            verdict["id"].as_str().unwrap(),
            verdict["verdict"].as_str().unwrap(),
            verdict["passed"],
            verdict["total"],
            cases.join(", ")
        )
    };
    verdicts.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn case(case: &Value) -> String {
    let mut text = case["verdict"].as_str().unwrap().to_owned();
    for field in ["strategy", "clock", "exit", "signal", "shielded", "message"] {
        match &case[field] {
            Value::Null => {}
            // Of an assertion that is all there is to say, the source follows.
            Value::String(value) => text += &format!(" {}", before_source(value)),
            value => text += &format!(" {field}={value}"),
        }
    }
    text
}

fn before_source(message: &str) -> &str {
    message.split(": assert ").next().unwrap_or(message)
}

/// Wait until `done`, at most a minute.
pub fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "waited too long for {what}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The number of lines in a file that may not be there yet.
pub fn count_lines(path: &Path) -> usize {
    std::fs::read(path)
        .unwrap_or_default()
        .iter()
        .filter(|byte| **byte == b'\n')
        .count()
}
