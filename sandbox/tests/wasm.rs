//! WebAssembly in real boxes.
#![cfg(feature = "wasm")]

use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sandbox::{
    Executable, Files, Grants, Image, LaunchError, Level, Limits, Outcome, Program, Runtime,
    Sandbox, Termination, Usage,
};

fn runtime() -> Runtime {
    let sandbox = Sandbox::new(Level::Full).expect("this machine gives the default isolation");
    sandbox.start(&Image::wasm()).expect("the engine starts")
}

fn program(text: impl Into<Vec<u8>>) -> Program {
    let module = Executable::module("main.wasm", &text.into());
    module.expect("a plain name").program(Grants::default())
}

fn limits() -> Limits {
    Limits {
        cpu: Duration::from_millis(200),
        memory: 64 << 20,
        output: 1 << 20,
        ..Limits::default()
    }
}

/// A module whose `_start` is `body`, with what WASI functions the tests use, and a page of memory.
fn command(body: &str) -> String {
    format!(
        r#"(module
          (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
          (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
          (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
          (import "wasi_snapshot_preview1" "clock_time_get" (func $now (param i32 i64 i32) (result i32)))
          (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
          (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
          (memory (export "memory") 1)
          ;; Write `length` bytes from `from` to standard output.
          (func $print (param $from i32) (param $length i32)
            (i32.store (i32.const 0) (local.get $from))
            (i32.store (i32.const 4) (local.get $length))
            (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))))
          ;; Read up to 4096 bytes to 4096; how many there were.
          (func $fetch (result i32)
            (i32.store (i32.const 0) (i32.const 4096))
            (i32.store (i32.const 4) (i32.const 4096))
            (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
            (i32.load (i32.const 8)))
          (func $deeper (param i64) (result i64)
            (i64.add (local.get 0) (call $deeper (i64.add (local.get 0) (i64.const 1)))))
          (func (export "_start") {body}))"#
    )
}

fn run(text: &str, stdin: &str) -> Outcome {
    let mut boxed = runtime()
        .launch(&program(text), &limits())
        .expect("the host is sound");
    boxed
        .run(stdin.as_bytes(), &limits(), 7)
        .expect("the host is sound")
}

#[track_caller]
fn ends(body: &str, expected: Termination) -> Outcome {
    let outcome = run(&command(body), "");
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert_eq!(outcome.termination, expected, "{said}");
    outcome
}

const ECHO: &str = "(local $length i32)
    (block $end (loop $more
      (br_if $end (i32.eqz (local.tee $length (call $fetch))))
      (call $print (i32.const 4096) (local.get $length))
      (br $more)))";

#[test]
fn modules_read_and_write() {
    let outcome = run(&command(ECHO), "some input\n");
    assert_eq!(outcome.termination, Termination::Exited(0));
    assert_eq!(outcome.stdout, b"some input\n");
}

/// Short ones go with the request and the answer, all others by ways of their own.
#[test]
fn inputs_and_outputs_of_any_length_pass_whole() {
    let mut boxed = runtime()
        .launch(&program(command(ECHO)), &limits())
        .expect("the host is sound");
    for length in [
        0, 1, 3999, 4000, 4023, 4024, 4025, 4096, 65_536, 70_000, 1_000_000,
    ] {
        let input: Vec<u8> = (0..length).map(|at: u32| (at / 7 % 251) as u8).collect();
        let outcome = boxed.run(&input, &limits(), 0).expect("the host is sound");
        assert_eq!(outcome.termination, Termination::Exited(0), "{length}");
        assert!(outcome.stdout == input, "{length}");
    }
}

#[test]
fn both_outputs_may_be_long() {
    let body = "(local $left i32)
        (i32.store8 (i32.const 0x8000) (i32.const 97))
        (local.set $left (i32.const 20))
        (loop $more
          (i32.store (i32.const 0) (i32.const 0x8000))
          (i32.store (i32.const 4) (i32.const 8000))
          (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
          (drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 8)))
          (br_if $more (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
        unreachable";
    let outcome = run(&command(body), "");
    assert_eq!(outcome.termination, Termination::Signaled(6));
    assert_eq!(outcome.stdout.len(), 160_000);
    let (written, said) = outcome.stderr.split_at(160_000);
    assert_eq!(written, outcome.stdout);
    assert!(String::from_utf8_lossy(said).contains("unreachable"));
}

#[test]
fn each_end_is_told_as_of_a_process() {
    ends("unreachable", Termination::Signaled(6));
    ends(
        "(i32.load (i32.const 65536)) drop",
        Termination::Signaled(11),
    );
    ends(
        "(drop (call $deeper (i64.const 0)))",
        Termination::Signaled(11),
    );
    ends(
        "(drop (i32.div_s (i32.const 1) (i32.const 0)))",
        Termination::Signaled(8),
    );
    ends("(call $exit (i32.const 3))", Termination::Exited(3));
    ends("(call $exit (i32.const -1))", Termination::Exited(255));
    ends("(loop (br 0))", Termination::CpuLimit);
    ends(
        "(loop (drop (memory.grow (i32.const 16))) (br 0))",
        Termination::MemoryLimit,
    );
    ends(
        "(loop (call $print (i32.const 0) (i32.const 65536)) (br 0))",
        Termination::OutputLimit,
    );
}

#[test]
fn a_trap_is_named_on_standard_error() {
    let outcome = run(&command("unreachable"), "");
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(said.contains("unreachable"), "{said}");
}

#[test]
fn endless_code_before_the_start_counts_too() {
    let text = "(module (func $f (loop (br 0))) (start $f) (func (export \"_start\")))";
    assert_eq!(run(text, "").termination, Termination::CpuLimit);
}

#[test]
fn what_is_no_command_is_rejected() {
    let runtime = runtime();
    for (text, why) in [
        ("", "expected at least one module field"),
        ("print(1)", "expected `(`"),
        ("\0asm", "unexpected end"),
        ("(module)", "it exports no function `_start`"),
        (
            "(module (func (export \"_start\") (br 3)))",
            "branch depth too large",
        ),
        (
            "(module (import \"env\" \"f\" (func)) (func (export \"_start\")))",
            "unknown import: `env::f`",
        ),
        ("(component)", "wasi:cli/run"),
    ] {
        match runtime.launch(&program(text), &limits()) {
            Err(LaunchError::Rejected(message)) => assert!(message.contains(why), "{message}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn compiling_has_limits_of_its_own() {
    let limits = Limits {
        compile: Duration::from_millis(100),
        ..limits()
    };
    let sum = "(local.set 0 (i32.add (local.get 0) (i32.mul (local.get 0) (i32.const 7))))";
    let text = format!(
        "(module (func (export \"_start\") (local i32) {}))",
        sum.repeat(200_000)
    );
    match runtime().launch(&program(text), &limits) {
        Err(LaunchError::Rejected(why)) => assert!(why.contains("CPU time"), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn components_run() {
    let component = |status: i32| {
        format!(
            r#"(component
              (core module $m (func (export "run") (result i32) (i32.const {status})))
              (core instance $i (instantiate $m))
              (func $run (result (result)) (canon lift (core func $i "run")))
              (instance $cli (export "run" (func $run)))
              (export "wasi:cli/run@0.2.0" (instance $cli)))"#
        )
    };
    assert_eq!(run(&component(0), "").termination, Termination::Exited(0));
    assert_eq!(run(&component(1), "").termination, Termination::Exited(1));
}

#[test]
fn nothing_is_left_of_a_test_for_the_next() {
    // Prints the byte that it found, and leaves another there.
    let body = "(call $print (i32.const 5000) (i32.const 1))
        (i32.store8 (i32.const 5000) (i32.const 65))";
    let mut boxed = runtime()
        .launch(&program(command(body)), &limits())
        .expect("the host is sound");
    for _ in 0..3 {
        let outcome = boxed.run(b"", &limits(), 0).expect("the host is sound");
        assert_eq!(outcome.stdout, b"\0");
    }
}

#[test]
fn a_box_goes_on_after_every_kind_of_end() {
    // What it does is in the first byte of its input.
    let body = "(drop (call $fetch))
        (if (i32.eq (i32.load8_u (i32.const 4096)) (i32.const 108)) (then (loop (br 0))))
        (if (i32.eq (i32.load8_u (i32.const 4096)) (i32.const 100))
            (then (drop (call $deeper (i64.const 0)))))
        (if (i32.eq (i32.load8_u (i32.const 4096)) (i32.const 109))
            (then (loop (drop (memory.grow (i32.const 16))) (br 0))))
        (call $print (i32.const 4096) (i32.const 1))";
    let mut boxed = runtime()
        .launch(&program(command(body)), &limits())
        .expect("the host is sound");
    for (input, expected) in [
        ("l", Termination::CpuLimit),
        ("d", Termination::Signaled(11)),
        ("m", Termination::MemoryLimit),
    ] {
        let outcome = boxed.run(input.as_bytes(), &limits(), 0);
        assert_eq!(outcome.expect("the host is sound").termination, expected);
        let outcome = boxed.run(b"x", &limits(), 0).expect("the host is sound");
        assert_eq!(outcome.termination, Termination::Exited(0));
        assert_eq!(outcome.stdout, b"x");
        assert!(!boxed.is_spent());
    }
}

#[test]
fn fuel_is_the_same_in_every_run_on_a_busy_machine_too() {
    let body = format!(
        "{ECHO} (local.set $length (i32.const 100000))
        (loop $more (br_if $more (local.tee $length (i32.sub (local.get $length) (i32.const 1)))))"
    );
    let busy = AtomicBool::new(true);
    let used = |boxed: &mut sandbox::Box| {
        let outcome = boxed
            .run(b"some input", &limits(), 0)
            .expect("the host is sound");
        assert_eq!(outcome.termination, Termination::Exited(0));
        (outcome.usage.fuel, outcome.usage.cpu, outcome.usage.memory)
    };
    let runtime = runtime();
    let launch = || runtime.launch(&program(command(&body)), &limits());
    let first = used(&mut launch().expect("the host is sound"));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while busy.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let mut boxed = launch().expect("the host is sound");
        for _ in 0..50 {
            assert_eq!(used(&mut boxed), first);
        }
        busy.store(false, Ordering::Relaxed);
    });
    let mut boxed = launch().expect("the host is sound");
    for _ in 0..50 {
        assert_eq!(used(&mut boxed), first);
    }
}

/// Each works for the program for as long as its fuel lasts, and would for seconds at the price of the call alone.
#[test]
fn what_the_host_does_is_paid_by_how_much_it_is() {
    for call in [
        "(call $random (i32.const 0) (i32.const 65536))",
        "(call $write (i32.const 1) (i32.const 1024) (i32.const 8000) (i32.const 8))",
        "(call $poll (i32.const 1024) (i32.const 30000) (i32.const 500) (i32.const 8))",
    ] {
        let body = format!("(loop $more (drop {call}) (br $more))");
        let outcome = ends(&body, Termination::CpuLimit);
        let wall = outcome.usage.wall;
        assert!(wall < Duration::from_secs(2), "{call}: {wall:?}");
    }
}

#[test]
fn bytes_cost_fuel_on_their_way() {
    let used = |body: &str, input: &str| {
        let outcome = run(&command(body), input);
        assert_eq!(outcome.termination, Termination::Exited(0));
        outcome.usage.fuel.expect("it is counted")
    };
    let print = |length: u32| {
        used(
            &format!("(call $print (i32.const 0) (i32.const {length}))"),
            "",
        )
    };
    let read = |length: usize| used("(drop (call $fetch))", &"a".repeat(length));
    assert!(print(2000) >= print(1000) + 1000);
    assert!(read(2000) >= read(1000) + 1000);
}

/// Where a program is given files, the library would have the process sleep.
#[test]
fn no_program_really_sleeps() {
    let body = "(i32.store (i32.const 116) (i32.const 1))
        (i64.store (i32.const 128) (i64.const 3600000000000))
        (drop (call $poll (i32.const 104) (i32.const 304) (i32.const 1) (i32.const 96)))";
    let mut module =
        Executable::module("main.wat", command(body).as_bytes()).expect("a plain name");
    module.arguments.push("one".to_owned());
    let program = module.program(Grants {
        scratch: true,
        ..Grants::default()
    });
    let runtime = runtime();
    let mut boxed = runtime.launch(&program, &limits()).expect("it compiles");
    let outcome = boxed.run(b"", &limits(), 7).expect("the host is sound");
    assert_eq!(outcome.termination, Termination::IdleLimit);
    assert!(outcome.usage.wall < Duration::from_secs(60));
}

#[test]
fn the_limit_is_exact() {
    let fuel = run(&command(ECHO), "abc")
        .usage
        .fuel
        .expect("it is counted");
    let runtime = runtime();
    for (fuel, expected) in [
        (fuel, Termination::Exited(0)),
        (fuel - 1, Termination::CpuLimit),
    ] {
        let limits = Limits {
            cpu: Duration::from_nanos(fuel),
            ..limits()
        };
        let mut boxed = runtime
            .launch(&program(command(ECHO)), &limits)
            .expect("the host is sound");
        let outcome = boxed.run(b"abc", &limits, 0).expect("the host is sound");
        assert_eq!(outcome.termination, expected);
    }
}

#[test]
fn time_is_simulated() {
    // Sleeps for 1000 seconds of the monotonic clock, and prints what that says before and after.
    let body = "(i32.store (i32.const 116) (i32.const 1))
        (i64.store (i32.const 128) (i64.const 1000000000000))
        (drop (call $now (i32.const 1) (i64.const 1) (i32.const 200)))
        (drop (call $poll (i32.const 104) (i32.const 304) (i32.const 1) (i32.const 96)))
        (drop (call $now (i32.const 1) (i64.const 1) (i32.const 208)))
        (call $print (i32.const 200) (i32.const 16))";
    let patient = Limits {
        idle: Duration::from_secs(2000),
        wall: Duration::from_secs(2000),
        ..limits()
    };
    let mut boxed = runtime()
        .launch(&program(command(body)), &patient)
        .expect("the host is sound");
    let [first, second] =
        [7, 7].map(|seed| boxed.run(b"", &patient, seed).expect("the host is sound"));
    assert_eq!(first.termination, Termination::Exited(0));
    assert_eq!(first.stdout, second.stdout);
    let time = |at: usize| u64::from_le_bytes(first.stdout[at..at + 8].try_into().expect("a word"));
    let slept = time(8) - time(0);
    assert!(
        (1_000_000_000_000..1_000_100_000_000).contains(&slept),
        "{slept}"
    );
    assert!(first.usage.wall < Duration::from_secs(100));
}

#[test]
fn random_numbers_follow_the_seed() {
    let body = "(drop (call $random (i32.const 200) (i32.const 8))) (call $print (i32.const 200) (i32.const 8))";
    let mut boxed = runtime()
        .launch(&program(command(body)), &limits())
        .expect("the host is sound");
    let mut drawn = |seed| {
        boxed
            .run(b"", &limits(), seed)
            .expect("the host is sound")
            .stdout
    };
    assert_eq!(drawn(1), drawn(1));
    assert_ne!(drawn(1), drawn(2));
}

/// A walk through 256 MiB in no order waits for memory at every step, which is one unit. It ends by itself before its fuel is used
/// up, should nothing end it.
#[test]
fn what_fuel_hardly_counts_is_ended_by_the_cpu_time_that_it_takes() {
    let steps = "(i32.load)".repeat(64);
    let text = format!(
        "(module (memory 4096)
          (func (export \"_start\") (local $i i32) (local $at i32) (local $next i32)
            (loop $link
              (local.set $next (i32.and (i32.const 0x3fffff)
                (i32.add (i32.mul (local.get $at) (i32.const 1664525)) (i32.const 1013904223))))
              (i32.store (i32.shl (local.get $at) (i32.const 6))
                (i32.shl (local.get $next) (i32.const 6)))
              (local.set $at (local.get $next))
              (local.set $i (i32.add (local.get $i) (i32.const 1)))
              (br_if $link (i32.lt_u (local.get $i) (i32.const 0x400000))))
            (local.set $i (i32.const 5500000))
            (loop $walk
              (local.get $at) {steps} (local.set $at)
              (local.set $i (i32.sub (local.get $i) (i32.const 1)))
              (br_if $walk (local.get $i)))
            (i32.store (i32.const 0) (local.get $at))))"
    );
    let limits = Limits {
        cpu: Duration::from_millis(500),
        memory: 256 << 20,
        ..limits()
    };
    let runtime = runtime();
    let mut boxed = runtime
        .launch(&program(text), &limits)
        .expect("it compiles");
    let usage = ended(&mut boxed, &limits, Termination::CpuLimit);
    assert_eq!(usage.cpu, usage.real_cpu);
    assert!(usage.cpu > 4 * limits.cpu, "{usage:?}");
    assert_eq!(usage.fuel, None);
}

#[test]
fn fuel_decides_where_it_is_worth_what_it_takes() {
    let limits = Limits {
        cpu: Duration::from_millis(500),
        ..limits()
    };
    let mut boxed = runtime()
        .launch(&program(command("(loop (br 0))")), &limits)
        .expect("it compiles");
    let usage = ended(&mut boxed, &limits, Termination::CpuLimit);
    let fuel = usage.fuel.map(Duration::from_nanos);
    assert_eq!(fuel, Some(usage.cpu));
    assert!(!usage.real_cpu.is_zero());
}

#[track_caller]
fn ended(boxed: &mut sandbox::Box, limits: &Limits, expected: Termination) -> Usage {
    let outcome = boxed.run(b"", limits, 0).expect("the host is sound");
    assert_eq!(outcome.termination, expected);
    outcome.usage
}

#[test]
fn the_clock_of_the_host_is_a_backstop() {
    let limits = Limits {
        cpu: Duration::from_secs(600),
        wall: Duration::from_millis(200),
        ..limits()
    };
    let mut boxed = runtime()
        .launch(&program(command("(loop (br 0))")), &limits)
        .expect("the host is sound");
    let outcome = boxed.run(b"", &limits, 0).expect("the host is sound");
    assert_eq!(outcome.termination, Termination::WallLimit);
    assert_eq!(outcome.usage.cpu, outcome.usage.real_cpu);
    assert!(outcome.usage.cpu > Duration::from_millis(1));
    assert_eq!(outcome.usage.fuel, None);
}

#[test]
fn a_program_talks_through_pipes() {
    let limits = limits();
    let runtime = runtime();
    let mut boxed = runtime
        .launch(&program(command(ECHO)), &limits)
        .expect("the host is sound");
    let (input, mut to) = std::io::pipe().expect("a pipe");
    let (mut from, output) = std::io::pipe().expect("a pipe");
    let files = Files::joined(input, output);
    boxed.begin(files, &limits, 0).expect("the host is sound");
    for message in [b"first", b"later"] {
        to.write_all(message).expect("it reads");
        let mut answer = [0; 5];
        from.read_exact(&mut answer).expect("it answers at once");
        assert_eq!(&answer, message);
    }
    drop(to);
    let ended = boxed.finish().expect("the host is sound");
    assert_eq!(ended.termination, Termination::Exited(0));
}

#[test]
fn a_program_that_waits_in_vain_is_idle() {
    let limits = Limits {
        idle: Duration::from_millis(200),
        ..limits()
    };
    let mut boxed = runtime()
        .launch(&program(command(ECHO)), &limits)
        .expect("the host is sound");
    let (input, _to) = std::io::pipe().expect("a pipe");
    let (_from, output) = std::io::pipe().expect("a pipe");
    let files = Files::joined(input, output);
    boxed.begin(files, &limits, 0).expect("the host is sound");
    let ended = boxed.finish().expect("the host is sound");
    assert_eq!(ended.termination, Termination::IdleLimit);
}

/// A module that says how many arguments it has, and copies `/program/given` to `left` in its working directory, unless that
/// is there.
const COPY: &str = r#"(module
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $sizes (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_open"
    (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 64) "given")
  (data (i32.const 80) "left")
  ;; 3 is ".", 4 is "/tmp", 5 is "/program".
  (func (export "_start") (local $count i32)
    (drop (call $sizes (i32.const 32) (i32.const 36)))
    (if (call $open (i32.const 5) (i32.const 0) (i32.const 64) (i32.const 5) (i32.const 0)
          (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 40))
      (then (call $exit (i32.const 100))))
    (i32.store (i32.const 0) (i32.const 128))
    (i32.store (i32.const 4) (i32.const 64))
    (drop (call $read (i32.load (i32.const 40)) (i32.const 0) (i32.const 1) (i32.const 8)))
    (i32.store (i32.const 4) (i32.load (i32.const 8)))
    ;; To create, and only if it is not there.
    (if (call $open (i32.const 3) (i32.const 0) (i32.const 80) (i32.const 4) (i32.const 5)
          (i64.const 64) (i64.const 0) (i32.const 0) (i32.const 40))
      (then (call $exit (i32.const 101))))
    (drop (call $write (i32.load (i32.const 40)) (i32.const 0) (i32.const 1) (i32.const 8)))
    (call $exit (i32.load (i32.const 32)))))"#;

#[test]
fn a_module_gets_arguments_and_files_and_leaves_some() {
    let mut module = Executable::module("main.wat", COPY.as_bytes()).expect("a plain name");
    module.arguments.push("one".to_owned());
    module.file("given", false, b"words").expect("a plain name");
    let program = module.program(Grants {
        scratch: true,
        ..Grants::default()
    });
    let runtime = runtime();
    // The second is compiled already.
    for _ in 0..2 {
        let mut boxed = runtime.launch(&program, &limits()).expect("it compiles");
        let outcome = boxed.run(b"", &limits(), 7).expect("the host is sound");
        assert_eq!(outcome.termination, Termination::Exited(2));
        assert!(boxed.is_spent());
        let left = boxed.collect(4, 100).expect("the host is sound");
        let left: Vec<_> = left
            .files
            .into_iter()
            .map(|file| (file.path, file.content))
            .collect();
        assert_eq!(left, [("left".into(), b"words".to_vec())]);
    }
}
