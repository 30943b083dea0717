//! Judges every program of fixtures/hostile through the binary, each as a test of its own and followed by an honest
//! canary. After all of them nothing may be left on the machine.
//!
//! The folder of a program is the verdict that an honest judge gives when the attack fails; the program's header may add
//! others, where machines or interpreters differ. A canary answers only if it finds its world clean.

mod judge;
mod machine;
#[path = "../support/processes.rs"]
mod processes;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};

use judge::Judge;
use machine::Machine;

/// Programs at the same time, unless --test-threads says otherwise: some measure time.
const AT_A_TIME: usize = 2;

/// Time limits, in seconds.
const SHORT: u64 = 1;
const LONG: u64 = 10;

fn main() {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_A_TIME);
    let judges = Arc::<Judges>::default();
    let before = Machine::look();
    let programs = programs(&fixtures().join("hostile"));
    let trial = |program: Program| {
        let judges = judges.clone();
        Trial::test(program.name.clone(), move || judges.try_program(&program))
    };
    let conclusion = libtest_mimic::run(&arguments, programs.into_iter().map(trial).collect());
    let left = judges.end(&before);
    if !left.is_empty() {
        eprintln!("left behind:\n{}", left.join("\n"));
        exit(101);
    }
    conclusion.exit();
}

/// The judges that are started; a program takes one that is idle, or another.
#[derive(Default)]
struct Judges {
    idle: Mutex<Vec<Judge>>,
    started: Mutex<BTreeSet<u32>>,
}

impl Judges {
    fn try_program(&self, program: &Program) -> Result<(), Failed> {
        let idle = self.idle.lock().unwrap().pop();
        let mut judge = idle.unwrap_or_else(|| self.start());
        let verdicts = judge.judge([program.solution(), program.canary()]);
        let Ok([given, canary]) = &verdicts else {
            let left = judge.end();
            return Err(format!("{}; left: {left:?}", verdicts.unwrap_err()).into());
        };
        self.idle.lock().unwrap().push(judge);
        expect("the program", given, &program.verdicts)?;
        expect("its canary", canary, &["accepted".into()])
    }

    fn start(&self) -> Judge {
        let judge = Judge::start(&problems());
        self.started.lock().unwrap().insert(judge.id());
        judge
    }

    /// End all of them. Gives what they left.
    fn end(&self, before: &Machine) -> Vec<String> {
        let idle = self.idle.lock().unwrap().drain(..).collect::<Vec<_>>();
        let mut left: Vec<String> = idle.into_iter().flat_map(Judge::end).collect();
        left.extend(before.new_things(&self.started.lock().unwrap()));
        left
    }
}

fn expect(whose: &str, verdict: &Value, wanted: &[String]) -> Result<(), Failed> {
    let given = verdict["verdict"].as_str().unwrap_or_default();
    if wanted.iter().any(|one| one == given) {
        return Ok(());
    }
    Err(format!("{whose} should get {}: {verdict}", wanted.join(" or ")).into())
}

/// One of the fixtures: a program with what its place and its header say.
struct Program {
    /// Folder and name.
    name: String,
    verdicts: Vec<String>,
    kind: String,
    source: String,
}

impl Program {
    fn read(path: &Path, verdict: &str) -> Program {
        let source = fs::read_to_string(path).expect("a program in UTF-8");
        let header = |field: &str| {
            let mut lines = source.lines().take_while(|line| line.starts_with('#'));
            lines.find_map(|line| line.strip_prefix(&format!("# {field}: ")))
        };
        let needed = |field| header(field).unwrap_or_else(|| panic!("{path:?} has no {field}"));
        needed("attacks");
        let others = header("or").map(|list| list.split('|')).into_iter();
        let verdicts = [verdict].into_iter().chain(others.flatten());
        Program {
            name: format!("{verdict}/{}", path.file_stem().unwrap().display()),
            verdicts: verdicts.map(str::to_owned).collect(),
            kind: needed("kind").to_owned(),
            source,
        }
    }

    fn solution(&self) -> Value {
        json!({"id": self.name, "problem_id": self.problem(), "code": self.source})
    }

    /// Only what may end by the time limit is held to a short one: the others meet another limit first, on a slow machine
    /// too.
    fn problem(&self) -> String {
        let may_run_out = self.verdicts.iter().any(|verdict| verdict == "time_limit");
        problem_id(&self.kind, if may_run_out { SHORT } else { LONG })
    }

    fn canary(&self) -> Value {
        let mut code = fs::read_to_string(fixtures().join("canary.py")).expect("the canary");
        if self.kind == "stdin" {
            code += "\n\nprint(add(*map(int, input().split())))\n";
        }
        let id = format!("canary after {}", self.name);
        json!({"id": id, "problem_id": problem_id(&self.kind, LONG), "code": code})
    }
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// The programs of all folders in `folder`.
fn programs(folder: &Path) -> Vec<Program> {
    let mut programs = Vec::new();
    for verdict in machine::list(folder) {
        for name in machine::list(&folder.join(&verdict)) {
            let path = folder.join(&verdict).join(name);
            programs.push(Program::read(&path, &verdict));
        }
    }
    assert!(!programs.is_empty(), "no hostile programs");
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    programs
}

/// The sum of two numbers, in each kind and with each time limit.
fn problems() -> Vec<Value> {
    [SHORT, LONG].into_iter().flat_map(sums_within).collect()
}

fn sums_within(seconds: u64) -> [Value; 3] {
    let pairs = [
        (123_456_789_u64, 987_654_321_u64),
        (700_000_001, 31_000_000_000),
    ];
    let text = pairs
        .map(|(a, b)| json!({"input": format!("{a} {b}\n"), "output": format!("{}\n", a + b)}));
    let call = pairs.map(|(a, b)| json!({"input": [a, b], "output": a + b}));
    let code = pairs.map(|(a, b)| json!({"code": test_code(a, b)}));
    let id = |kind| problem_id(kind, seconds);
    [
        json!({"id": id("stdin"), "kind": "stdin", "tests": text, "time_limit": seconds, "memory_limit": 128}),
        json!({"id": id("call"), "kind": "call", "fn_name": "add", "tests": call, "time_limit": seconds, "memory_limit": 128}),
        json!({"id": id("assert"), "kind": "assert", "fn_name": "add", "tests": code, "time_limit": seconds, "memory_limit": 128}),
    ]
}

fn problem_id(kind: &str, seconds: u64) -> String {
    format!("{kind} within {seconds} s")
}

fn test_code(a: u64, b: u64) -> String {
    let sum = a + b;
    format!("def check(candidate):\n    assert candidate({a}, {b}) == {sum}\n\ncheck(candidate)\n")
}
