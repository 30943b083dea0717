//! Who takes part: mc-eval, an evaluator in LiveCodeBench's style, bwrap and bare Python per test.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::Value;
use tempfile::TempDir;

use crate::workload::Workload;

/// One that judges, and how.
pub struct Contender {
    /// For the table.
    pub name: &'static str,
    /// What it lacks on this machine, if anything.
    pub missing: Option<String>,
    /// Whether it waits for its processes, so that their CPU time can be counted.
    pub waits: bool,
    /// Judge; how many programs were accepted.
    pub run: Box<dyn Fn(&Setting) -> usize>,
}

/// The workload as files, one set for all.
pub struct Setting {
    folder: TempDir,
    workers: usize,
    problems: Vec<Value>,
}

impl Setting {
    /// Write the workload's files.
    pub fn new(workload: &Workload, workers: usize) -> io::Result<Setting> {
        let folder = TempDir::new()?;
        write_lines(&folder.path().join("problems.jsonl"), &workload.problems)?;
        write_lines(&folder.path().join("solutions.jsonl"), &workload.solutions)?;
        for (number, solution) in workload.solutions.iter().enumerate() {
            let code = solution["code"].as_str().expect("code");
            fs::write(folder.path().join(format!("{number}.py")), code)?;
        }
        Ok(Setting {
            folder,
            workers,
            problems: workload.problems.clone(),
        })
    }

    /// What the programs themselves used in the last run of `mc-eval judge`.
    pub fn candidates_cpu_seconds(&self) -> f64 {
        let milliseconds = |verdict: &Value| -> f64 {
            let cases = verdict["cases"].as_array().expect("cases");
            cases
                .iter()
                .filter_map(|case| case["cpu_ms"].as_f64())
                .sum()
        };
        self.verdicts().iter().map(milliseconds).sum::<f64>() / 1e3
    }

    fn verdicts(&self) -> Vec<Value> {
        let lines = fs::read_to_string(self.path("verdicts.jsonl")).expect("verdicts.jsonl");
        let verdict = |line| serde_json::from_str(line).expect("a verdict");
        lines.lines().map(verdict).collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// All of them, mc-eval first.
pub fn all(mc_eval: &Path, python: &Path) -> Vec<Contender> {
    let (mc_eval, prefix) = (
        mc_eval.to_owned(),
        python.ancestors().nth(2).expect("bin/python").to_owned(),
    );
    let interpreter = python.to_owned();
    let cold = python.to_owned();
    let boxed = python.to_owned();
    let bwrap = Command::new("bwrap").arg("--version").output();
    vec![
        contender("mc-eval judge", move |setting| {
            judge(&mc_eval, &interpreter, setting)
        }),
        contender("LiveCodeBench style", script(python, "lcb_style.py")),
        Contender {
            missing: bwrap.err().map(|error| format!("bwrap: {error}")),
            waits: false,
            ..contender(
                "bwrap, all unshared: python3 -I -S -E per test",
                move |setting| each_test(setting, |program| bwrapped(&boxed, &prefix, program)),
            )
        },
        contender("no box: cold python3 -I -S -E per test", move |setting| {
            each_test(setting, |program| bare(&cold, program))
        }),
    ]
}

fn contender(name: &'static str, run: impl Fn(&Setting) -> usize + 'static) -> Contender {
    Contender {
        name,
        missing: None,
        waits: true,
        run: Box::new(run),
    }
}

fn write_lines(path: &Path, lines: &[Value]) -> io::Result<()> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(path, text)
}

/// `mc-eval judge` on the files.
fn judge(mc_eval: &Path, python: &Path, setting: &Setting) -> usize {
    let out = setting.path("verdicts.jsonl");
    let _ = fs::remove_file(&out);
    let mut command = Command::new(mc_eval);
    command
        .arg("judge")
        .arg(setting.path("solutions.jsonl"))
        .arg("--out")
        .arg(&out)
        .arg("--python")
        .arg(python);
    command.args(["--workers", &setting.workers.to_string()]);
    run(&mut command);
    let accepted = |verdict: &&Value| verdict["verdict"] == "accepted";
    setting.verdicts().iter().filter(accepted).count()
}

/// A script beside this file, which prints a JSON object with the number accepted.
fn script(python: &Path, name: &str) -> impl Fn(&Setting) -> usize + use<> {
    let python = python.to_owned();
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("peers")
        .join(name);
    move |setting| {
        let mut command = Command::new(&python);
        command
            .arg(&script)
            .arg("--problems")
            .arg(setting.path("problems.jsonl"));
        command
            .args(["--workers", &setting.workers.to_string()])
            .arg(setting.path("solutions.jsonl"));
        let report: Value = serde_json::from_slice(&run(&mut command)).expect("a report in JSON");
        report["accepted"].as_u64().expect("accepted") as usize
    }
}

fn run(command: &mut Command) -> Vec<u8> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .expect("start a contender");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {complaint}");
    output.stdout
}

/// Run every test as a command of its own, in as many threads as workers; how many programs passed all theirs.
fn each_test(setting: &Setting, command: impl Fn(&Path) -> Command + Sync) -> usize {
    let (next, accepted) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(problem) = setting.problems.get(number) else {
                break;
            };
            let program = setting.path(&format!("{number}.py"));
            let passes = |test: &Value| {
                passes(
                    command(&program),
                    &setting.path(&format!("{number}.in")),
                    test,
                )
            };
            if problem["tests"]
                .as_array()
                .expect("tests")
                .iter()
                .all(passes)
            {
                accepted.fetch_add(1, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| (0..setting.workers).for_each(|_| drop(scope.spawn(work))));
    accepted.into_inner()
}

fn passes(mut command: Command, input: &Path, test: &Value) -> bool {
    fs::write(input, test["input"].as_str().expect("input")).expect("write the input");
    command.stdin(fs::File::open(input).expect("the input"));
    let output = command.output().expect("start a test");
    output.status.success() && output.stdout == test["output"].as_str().expect("output").as_bytes()
}

fn bare(python: &Path, program: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-I", "-S", "-E"]).arg(program);
    command
}

fn bwrapped(python: &Path, prefix: &Path, program: &Path) -> Command {
    let mut command = Command::new("bwrap");
    command.args([
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--clearenv",
    ]);
    command.args([
        "--ro-bind",
        "/usr",
        "/usr",
        "--symlink",
        "usr/lib",
        "/lib",
        "--symlink",
        "usr/lib64",
        "/lib64",
    ]);
    command.arg("--ro-bind").args([prefix, prefix]);
    command.arg("--ro-bind").arg(program).arg("/program.py");
    command.args(["--tmpfs", "/tmp", "--chdir", "/tmp"]);
    command.arg(python).args(["-I", "-S", "-E", "/program.py"]);
    command
}
