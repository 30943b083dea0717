//! Judges the solutions of fixtures/ through the binary, each reported as a test of its own.
//!
//! A line of fixtures/solutions.jsonl, the showcase, states its verdict in the field `expect`. Below fixtures/submissions
//! the folder of a file is the verdict of all its lines; each line holds its problem too, or is a data set's row with a
//! solution.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// Every verdict on a submission. What cannot be judged has no place in the showcase.
const SHOWN: [&str; 7] = [
    "accepted",
    "compile_error",
    "memory_limit",
    "output_limit",
    "runtime_error",
    "time_limit",
    "wrong_answer",
];

fn main() {
    let arguments = Arguments::from_args();
    let showcase = Arc::new(Files::showcase());
    let mut trials = showcase.trials("showcase");
    trials.push(Trial::test("showcase", move || showcase.is_shown_whole()));
    trials.extend(Arc::new(Files::in_folders()).trials("submissions"));
    libtest_mimic::run(&arguments, trials).exit();
}

/// Files that are judged in one run, once the first of their tests asks for it.
struct Files {
    paths: Vec<PathBuf>,
    /// The verdict that each submission must get.
    expected: BTreeMap<String, String>,
    run: OnceLock<Result<Run, String>>,
}

struct Run {
    status: Option<i32>,
    verdicts: BTreeMap<String, Value>,
}

impl Files {
    fn showcase() -> Files {
        let path = fixtures().join("solutions.jsonl");
        let pair = |line: Value| (text(&line, "id"), text(&line, "expect"));
        Files {
            expected: lines(&path).into_iter().map(pair).collect(),
            paths: vec![path],
            run: OnceLock::new(),
        }
    }

    fn in_folders() -> Files {
        let (mut paths, mut expected) = (Vec::new(), BTreeMap::new());
        for folder in entries(&fixtures().join("submissions")) {
            let verdict = folder.file_name().expect("a name").display().to_string();
            for path in entries(&folder) {
                for line in lines(&path) {
                    let id = id_of(&line);
                    let other = expected.insert(id.clone(), verdict.clone());
                    assert_eq!(other, None, "{id} is there twice");
                }
                paths.push(path);
            }
        }
        assert!(!expected.is_empty(), "fixtures/submissions is empty");
        Files {
            paths,
            expected,
            run: OnceLock::new(),
        }
    }

    fn trials(self: &Arc<Self>, kind: &str) -> Vec<Trial> {
        let trial = |(id, verdict): (&String, &String)| {
            let (files, id, verdict) = (self.clone(), id.clone(), verdict.clone());
            Trial::test(id.clone(), move || files.expect(&id, &verdict)).with_kind(kind)
        };
        self.expected.iter().map(trial).collect()
    }

    fn expect(&self, id: &str, verdict: &str) -> Result<(), Failed> {
        let given = self.run()?.verdicts.get(id).ok_or("no verdict")?;
        if given["verdict"] == verdict {
            return Ok(());
        }
        Err(format!("should get {verdict}: {given}").into())
    }

    /// The showcase has every verdict, and its command, which is a reader's first, succeeds.
    fn is_shown_whole(&self) -> Result<(), Failed> {
        let expected: BTreeSet<&str> = self.expected.values().map(String::as_str).collect();
        assert_eq!(expected, BTreeSet::from(SHOWN));
        assert_eq!(self.run()?.status, Some(0));
        Ok(())
    }

    fn run(&self) -> Result<&Run, Failed> {
        let run = self.run.get_or_init(|| judge(&self.paths));
        run.as_ref().map_err(Failed::from)
    }
}

fn judge(paths: &[PathBuf]) -> Result<Run, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mc-eval"));
    let output = command.arg("judge").args(paths).output();
    let output = output.map_err(|error| format!("start mc-eval: {error}"))?;
    let verdicts: Result<Vec<Value>, _> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(serde_json::from_str)
        .collect();
    let verdicts = verdicts.map_err(|error| format!("a verdict line: {error}"))?;
    if verdicts.is_empty() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let with_id = |verdict: Value| (text(&verdict, "id"), verdict);
    Ok(Run {
        status: output.status.code(),
        verdicts: verdicts.into_iter().map(with_id).collect(),
    })
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let line = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    text.lines().map(line).collect()
}

/// The id of a line's submission; the solution of a data set's row has the first number.
fn id_of(line: &Value) -> String {
    let named = ["question_id", "task_id"];
    match named.iter().find(|field| line.get(field).is_some()) {
        Some(field) => text(line, field) + "#0",
        None => text(line, "id"),
    }
}

fn text(record: &Value, field: &str) -> String {
    let text = record[field].as_str();
    text.unwrap_or_else(|| panic!("no {field} in {record}"))
        .to_owned()
}
