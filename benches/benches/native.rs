//! What a test of an executable costs in its box, beside a bare `vfork` and `execve` of the same one: both in one run, taking
//! turns, on the same input and into files in memory.

use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use sandbox::{
    Executable, Grants, Image, Level, Limits, Runtime, Sandbox, Surroundings, Termination, content,
    memory_file, memory_file_of,
};

const ROUNDS: usize = 2000;
const INPUT: &[u8] = b"17 25\n";
const OUTPUT: &[u8] = b"42\n";
const SOURCE: &str = r#"#include <stdio.h>
int main(void) { long a, b; return scanf("%ld %ld", &a, &b) != 2 || printf("%ld\n", a + b) < 0; }"#;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let binary = compiled(folder.path());
    let runtime = Sandbox::new(Level::Full)
        .and_then(|sandbox| sandbox.start(&Image::native(Surroundings::default())))
        .expect("full isolation can be had");
    let mut boxed = launched(&runtime, &binary);
    let (mut inside, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        inside.push(timed(|| in_box(&mut boxed)));
        bare.push(timed(|| bare_exec(&binary)));
    }
    inside.sort();
    bare.sort();
    println!("{ROUNDS} rounds: a test in its box, a bare execve, the first by the second");
    // The least are what both cost where nothing else was going on.
    for (name, at) in [
        ("least", 0),
        ("a tenth", ROUNDS / 10),
        ("median", ROUNDS / 2),
    ] {
        let ratio = inside[at].as_secs_f64() / bare[at].as_secs_f64();
        println!("{name:>7}: {:.0?} {:.0?} {ratio:.2}", inside[at], bare[at]);
    }
}

fn compiled(folder: &Path) -> std::path::PathBuf {
    let (code, binary) = (folder.join("sum.c"), folder.join("sum"));
    std::fs::write(&code, SOURCE).expect("a file in it");
    let compiler = Command::new("cc")
        .args(["-O2", "-static", "-o"])
        .args([&binary, &code])
        .status();
    assert!(compiler.expect("a C compiler is installed").success());
    binary
}

fn launched(runtime: &Runtime, binary: &Path) -> sandbox::Box {
    let mut executable = Executable::new(["/program/sum"]);
    let read = std::fs::read(binary).expect("it was compiled");
    executable.file("sum", true, &read).expect("a plain name");
    let program = executable.program(Grants::JUDGED);
    let launched = runtime.launch(&program, &Limits::default());
    launched.expect("the host is sound")
}

fn in_box(boxed: &mut sandbox::Box) {
    let outcome = boxed.run(INPUT, &Limits::default(), 1);
    let outcome = outcome.expect("the host is sound");
    assert_eq!(
        (outcome.termination, &outcome.stdout[..]),
        (Termination::Exited(0), OUTPUT)
    );
}

/// As the standard library starts a process: by `posix_spawn`, which is a `vfork`.
fn bare_exec(binary: &Path) {
    let file = |name: &str| memory_file(name).expect("a file in memory");
    let stdin: File = memory_file_of("stdin", INPUT).expect("a file in memory");
    let (stdout, stderr) = (file("stdout"), file("stderr"));
    let copy = |file: &File| file.try_clone().expect("a descriptor");
    let status = Command::new(binary)
        .env_clear()
        .stdin(stdin)
        .stdout(copy(&stdout))
        .stderr(copy(&stderr))
        .status();
    assert!(status.expect("it runs").success());
    assert_eq!(content(&stdout).expect("it can be read"), OUTPUT);
}

fn timed(work: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    work();
    begun.elapsed()
}
