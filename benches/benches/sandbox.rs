//! What the steps of the sandbox cost, beside the floor they stand on.
//!
//! `test/boxed` against `test/bare_fork` is the price of isolation: the same program, input and warm interpreter, with
//! and without a box. `floor` is a fork, exit and wait of a small process that is not Python.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use sandbox::{
    Grants, Harness, Image, Interpreter, Level, Limits, Program, Runtime, Sandbox, Termination,
};

const SOURCE: &str = "a, b = map(int, input().split())\nprint(a + b)\n";
const INPUT: &[u8] = b"17 25\n";

fn script() -> Program {
    Program {
        text: SOURCE.into(),
        grants: Grants::JUDGED,
    }
}

fn steps(criterion: &mut Criterion) {
    let interpreter = Interpreter::find(None).expect("python3 is installed");
    let image = Image::new(&interpreter, &Harness::SCRIPT).expect("the harness compiles");
    let sandbox = Sandbox::new(Level::Full).expect("landlock can be had");
    let start = || sandbox.start(&image).expect("full isolation can be had");
    one_test(criterion, &start(), &interpreter);
    starts(criterion, start);
}

/// A test of a program that is started already, beside the floor it stands on.
fn one_test(criterion: &mut Criterion, runtime: &Runtime, interpreter: &Interpreter) {
    let limits = Limits::default();
    let mut group = criterion.benchmark_group("test");
    let mut boxed = runtime.launch(&script(), &limits).expect("it compiles");
    group.bench_function("boxed", |bencher| {
        bencher.iter(|| {
            let outcome = boxed.run(INPUT, &limits, 1).expect("sound host");
            assert_eq!(
                (outcome.termination, outcome.stdout),
                (Termination::Exited(0), b"42\n".to_vec())
            );
        });
    });
    drop(boxed);
    group.bench_function("bare_fork", |bencher| {
        bencher.iter_custom(|rounds| bare_fork(interpreter, rounds))
    });
    group.bench_function("floor", |bencher| bencher.iter_custom(floor));
    group.finish();
}

/// What comes before a test: a box for the program, and once for many programs the runtime.
fn starts(criterion: &mut Criterion, start: impl Fn() -> Runtime) {
    let (program, limits) = (script(), Limits::default());
    let runtime = start();
    let mut group = criterion.benchmark_group("program");
    group.bench_function("launch_and_one_test", |bencher| {
        bencher.iter(|| {
            let mut boxed = runtime.launch(&program, &limits).expect("it compiles");
            boxed.run(INPUT, &limits, 1).expect("sound host")
        });
    });
    group.bench_function("launch_once_and_its_test", |bencher| {
        bencher.iter(|| {
            let launched = runtime.launch_once(&program, &limits);
            let mut boxed = launched.expect("it compiles");
            boxed.run(INPUT, &limits, 1).expect("sound host")
        });
    });
    group.finish();

    let mut group = criterion.benchmark_group("runtime");
    group.sample_size(10);
    group.bench_function("start", |bencher| bencher.iter(|| drop(start())));
    group.finish();
}

fn bare_fork(interpreter: &Interpreter, rounds: u64) -> Duration {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str, content: &[u8]| {
        let path = directory.path().join(name);
        std::fs::File::create(&path)
            .and_then(|mut file| file.write_all(content))
            .expect("it can be written");
        path
    };
    let output = Command::new(&interpreter.executable)
        .args([
            "-S",
            "-s",
            "-E",
            "-X",
            "utf8",
            concat!(env!("CARGO_MANIFEST_DIR"), "/peers/bare_fork.py"),
        ])
        .args([file("program.py", SOURCE.as_bytes()), file("input", INPUT)])
        .arg(rounds.to_string())
        .stdin(Stdio::null())
        .output()
        .expect("python3 runs");
    nanoseconds(&output.stderr)
}

fn floor(rounds: u64) -> Duration {
    let output = Command::new(env!("CARGO_BIN_EXE_floor"))
        .arg(rounds.to_string())
        .output()
        .expect("it runs");
    nanoseconds(&output.stdout)
}

fn nanoseconds(text: &[u8]) -> Duration {
    let text = String::from_utf8_lossy(text);
    Duration::from_nanos(
        text.trim()
            .parse()
            .unwrap_or_else(|_| panic!("not a number: {text}")),
    )
}

criterion_group!(benches, steps);
criterion_main!(benches);
