//! How far beyond its CPU limit a program gets that never ends: by one thread, by two, and while it takes memory; as one test
//! of many, and as the only one.
//!
//! `cargo bench -p benches --bench overshoot`. Not a timing of ours, so not criterion's business.

use std::time::Duration;

use sandbox::{
    Grants, Harness, Image, Interpreter, LaunchError, Level, Limits, Program, Runtime, Sandbox,
    Termination,
};

const ROUNDS: usize = 15;
const LIMITS_MS: [u64; 2] = [200, 1000];
const PROGRAMS: [(&str, &str); 3] = [
    ("one thread", "while True: pass"),
    (
        "two threads",
        "import threading, hashlib\ndef f():\n    while True: hashlib.sha256(bytes(1 << 20)).digest()\n\
         threading.Thread(target=f).start()\nf()",
    ),
    (
        "taking memory",
        "x = []\nfor i in range(100): x.append(bytearray(1 << 20))\nwhile True: pass",
    ),
];

type Launch = fn(&Runtime, &Program, &Limits) -> Result<sandbox::Box, LaunchError>;
const LAUNCHES: [(&str, Launch); 2] = [
    ("one of many", Runtime::launch),
    ("the only one", Runtime::launch_once),
];

fn main() {
    let interpreter = Interpreter::find(None).expect("python3 is installed");
    let image = Image::new(&interpreter, &Harness::SCRIPT).expect("the harness compiles");
    let sandbox = Sandbox::new(Level::Full).expect("landlock can be had");
    let runtime = sandbox.start(&image).expect("full isolation can be had");
    println!("CPU time beyond the limit in ms, {ROUNDS} runs each: median, most");
    for (name, source) in PROGRAMS {
        for limit in LIMITS_MS.map(Duration::from_millis) {
            for (kind, launch) in LAUNCHES {
                let mut beyond: Vec<f64> = (0..ROUNDS)
                    .map(|_| overshoot(&runtime, launch, source, limit))
                    .collect();
                beyond.sort_by(f64::total_cmp);
                println!(
                    "{name:>14}, {kind}, limit {:>4} ms: {:6.1} {:6.1}",
                    limit.as_millis(),
                    beyond[ROUNDS / 2],
                    beyond[ROUNDS - 1]
                );
            }
        }
    }
}

fn overshoot(runtime: &Runtime, launch: Launch, source: &str, cpu: Duration) -> f64 {
    let program = Program {
        text: source.into(),
        grants: Grants::JUDGED,
    };
    let limits = Limits {
        cpu,
        ..Limits::default()
    };
    let mut boxed = launch(runtime, &program, &limits).expect("it compiles");
    let outcome = boxed.run(b"", &limits, 0).expect("sound host");
    assert_eq!(outcome.termination, Termination::CpuLimit);
    (outcome.usage.cpu.as_secs_f64() - cpu.as_secs_f64()) * 1e3
}
