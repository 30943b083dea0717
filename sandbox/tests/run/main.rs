//! Real programs in real boxes.

mod harnesses;
mod kernels;
mod links;
#[path = "../support/numpy.rs"]
mod numpy;
mod system;

use std::io::Read;
use std::time::{Duration, Instant};

use sandbox::{
    Box, Files, Grants, Harness, Image, Interpreter, Interrupt, LaunchError, Level, Limits,
    Outcome, Program, Runtime, Sandbox, SandboxError, Termination,
};

fn interpreter() -> Interpreter {
    let python = std::env::var_os("PYTHON").map(std::path::PathBuf::from);
    Interpreter::find(python.as_deref()).expect("a CPython 3.9 or newer is on the search path")
}

fn sandbox() -> Sandbox {
    Sandbox::new(Level::Full).expect("this machine gives the default isolation")
}

fn runtime() -> Runtime {
    let image = Image::new(&interpreter(), &Harness::SCRIPT).expect("the harness compiles");
    sandbox()
        .start(&image)
        .expect("this machine gives the default isolation")
}

fn script(source: &str) -> Program {
    Program {
        text: source.into(),
        grants: Grants::JUDGED,
    }
}

fn limits() -> Limits {
    Limits {
        cpu: Duration::from_secs(20),
        memory: 128 << 20,
        ..Limits::default()
    }
}

/// For programs that never end: no other limit is as near.
fn a_moment() -> Limits {
    Limits {
        cpu: Duration::from_millis(500),
        ..limits()
    }
}

fn run(source: &str, stdin: &str) -> Outcome {
    run_within(&limits(), source, stdin)
}

fn run_within(limits: &Limits, source: &str, stdin: &str) -> Outcome {
    run_in(&runtime(), limits, source, stdin)
}

/// Run it in a fork of the process that compiled it, and in that process itself: both come to the same.
#[track_caller]
fn run_in(runtime: &Runtime, limits: &Limits, source: &str, stdin: &str) -> Outcome {
    let program = script(source);
    let run = |launched: Result<Box, LaunchError>| {
        let mut boxed = launched.expect("it compiles");
        let outcome = boxed.run(stdin.as_bytes(), limits, 0);
        outcome.expect("the host is sound")
    };
    let forked = run(runtime.launch(&program, limits));
    let itself = run(runtime.launch_once(&program, limits));
    assert_eq!(forked.termination, itself.termination);
    assert!(forked.stdout == itself.stdout, "{forked:?} {itself:?}");
    // What ends one of them at a limit may leave the other the time for a last word.
    if matches!(forked.termination, Termination::Exited(_)) {
        assert_eq!(
            String::from_utf8_lossy(&forked.stderr),
            String::from_utf8_lossy(&itself.stderr)
        );
    }
    forked
}

#[track_caller]
fn prints(source: &str, stdin: &str, expected: &str) {
    let outcome = run(source, stdin);
    let stdout = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert_eq!(
        (outcome.termination, stdout.as_str()),
        (Termination::Exited(0), expected),
        "{stderr}"
    );
}

#[track_caller]
fn prints_in(runtime: &Runtime, source: &str, expected: &str) {
    let outcome = run_in(runtime, &limits(), source, "");
    assert_eq!(String::from_utf8_lossy(&outcome.stdout), expected);
}

#[test]
fn reads_and_writes_real_descriptors() {
    prints("print(int(input()) + 1)", "41\n", "42\n");
    prints(
        "import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])",
        "abc",
        "cba",
    );
    prints("print(sum(map(int, open(0))))", "1\n2\n3\n", "6\n");
    prints("import os\nos.write(1, os.read(0, 99))", "raw", "raw");
    prints(
        "import sys\nfor line in sys.stdin: print(line.strip())",
        "a\nb\n",
        "a\nb\n",
    );
}

#[test]
fn behaves_as_a_plain_run() {
    prints(
        "if __name__ == '__main__':\n    print('main')",
        "",
        "main\n",
    );
    prints(
        "n = 0\ndef f():\n    global n\n    n += 1\nf(); f(); print(n)",
        "",
        "2\n",
    );
    prints("print('before'); exit()\nprint('after')", "", "before\n");
    prints(
        "import atexit\natexit.register(print, 'late')\nprint('early')",
        "",
        "early\nlate\n",
    );
    prints("f = open(1, 'w')\nf.write('left open')", "", "left open");
    prints(
        "import threading\nt = threading.Thread(target=lambda: print('thread'))\nt.start()",
        "",
        "thread\n",
    );
    prints(
        "import sys, threading\nsys.setrecursionlimit(10**6)\nthreading.stack_size(2**26)\n\
         def f(n): return 0 if n == 0 else 1 + f(n - 1)\n\
         t = threading.Thread(target=lambda: print(f(50000)))\nt.start(); t.join()",
        "",
        "50000\n",
    );
    prints(
        "import sys\nsys.setrecursionlimit(10**6)\ndef f(n): return 0 if n == 0 else 1 + f(n - 1)\nprint(f(20000))",
        "",
        "20000\n",
    );
    // Calls of its own up to the usual limit of 1000, less the module itself: what runs the program does not count.
    prints(
        "n = 0\ndef f():\n    global n\n    n += 1\n    f()\ntry:\n    f()\nexcept RecursionError:\n    print(n in (999, 1000))",
        "",
        "True\n",
    );
    prints(
        "import asyncio\nasync def f(): return 7\nprint(asyncio.run(f()))",
        "",
        "7\n",
    );
    prints(
        "open('x', 'w').write('y')\nprint(open('x').read())",
        "",
        "y\n",
    );
    prints(
        "import re, json, datetime, decimal, fractions, statistics, itertools, dataclasses\nprint('ok')",
        "",
        "ok\n",
    );
    assert_eq!(
        run("raise SystemExit(3)", "").termination,
        Termination::Exited(3)
    );
    assert_eq!(
        run("import sys\nsys.exit('said')", "").termination,
        Termination::Exited(1)
    );
    let failed = run("def f():\n    return [][1]\nf()", "");
    assert_eq!(failed.termination, Termination::Exited(1));
    assert_eq!(
        String::from_utf8_lossy(&failed.stderr),
        "Traceback (most recent call last):\n  File \"main.py\", line 3, in <module>\n  File \"main.py\", line 2, in f\n\
         IndexError: list index out of range\n"
    );
}

#[test]
fn limits_end_a_program() {
    assert_eq!(
        run_within(&a_moment(), "while True: pass", "").termination,
        Termination::CpuLimit
    );
    let impatient = Limits {
        idle: Duration::from_secs(1),
        ..limits()
    };
    assert_eq!(
        run_within(&impatient, "import time\ntime.sleep(60)", "").termination,
        Termination::IdleLimit
    );
    assert_eq!(
        run("while True: print('x' * 1000)", "").termination,
        Termination::OutputLimit
    );
    let bomb = run("x = []\nwhile True: x.append(bytearray(1 << 20))", "");
    assert_eq!(
        bomb.termination,
        Termination::MemoryLimit,
        "{:?}",
        bomb.usage
    );
    assert_eq!(
        run("import os\nos.fork()", "").termination,
        Termination::Exited(1)
    );
    assert_eq!(
        run("import os\nos.kill(os.getpid(), 11)", "").termination,
        Termination::Signaled(11)
    );
}

#[test]
fn a_program_for_one_run_is_its_own_process_where_it_cannot_tell() {
    let runtime = runtime();
    let number = |launched: Result<Box, LaunchError>| {
        let outcome = launched.expect("it compiles").run(b"", &limits(), 0);
        String::from_utf8(outcome.expect("the host is sound").stdout).expect("a number")
    };
    let source = "import threading\nprint(threading.get_native_id())";
    assert_eq!(
        number(runtime.launch_once(&script(source), &limits())),
        "1\n"
    );
    assert_eq!(number(runtime.launch(&script(source), &limits())), "2\n");
    let names_signals = script(&format!("import signal\n{source}"));
    assert_eq!(
        number(runtime.launch_once(&names_signals, &limits())),
        "2\n"
    );
    let long = script(&format!("{source}\n{}", "#".repeat(1 << 20)));
    assert_eq!(number(runtime.launch_once(&long, &limits())), "2\n");
}

#[test]
fn a_box_for_one_run_is_spent_by_it() {
    let runtime = runtime();
    let mut boxed = runtime
        .launch_once(&script("print(1)"), &limits())
        .expect("it compiles");
    assert!(!boxed.is_spent());
    boxed.run(b"", &limits(), 0).expect("the host is sound");
    assert!(boxed.is_spent());
    drop(boxed);
    let never_run = runtime.launch_once(&script("print(1)"), &limits());
    drop(never_run.expect("it compiles"));
    prints_in(&runtime, "print(2)", "2\n");
}

#[test]
fn compiling_does_not_count_as_the_run_of_a_box_for_one() {
    let source = format!("x = [{}]\nprint(len(x))", "1,".repeat(30_000));
    let tight = Limits {
        compile: Duration::from_secs(20),
        ..limits()
    };
    let runtime = runtime();
    let mut boxed = runtime
        .launch_once(&script(&source), &tight)
        .expect("it compiles");
    let outcome = boxed.run(b"", &tight, 0).expect("the host is sound");
    assert_eq!(outcome.termination, Termination::Exited(0));
    assert!(
        outcome.usage.cpu < boxed.compiling() / 2,
        "{:?} after {:?}",
        outcome.usage,
        boxed.compiling()
    );
}

/// A signal that nobody handles ends a program, whichever way it is launched.
#[test]
fn a_signal_to_itself_ends_a_program() {
    for call in [
        "signal.raise_signal(15)",
        "os.kill(os.getpid(), 9)",
        "os.abort()",
    ] {
        let outcome = run(
            &format!("import os, signal\nprint(1, flush=True)\n{call}\nprint(2)"),
            "",
        );
        assert!(
            matches!(outcome.termination, Termination::Signaled(_)),
            "{call}: {outcome:?}"
        );
        assert_eq!(outcome.stdout, b"1\n", "{call}");
    }
}

/// Too much output stays too much, whichever way a program is launched and whatever it does about it.
#[test]
fn output_cannot_be_taken_back() {
    let runtime = runtime();
    let flood = "b = b'x' * (1 << 20)\ntry:\n    while True: os.write(1, b)\nexcept OSError: pass";
    let back = "try: os.ftruncate(1, 0)\nexcept OSError: pass\nos.lseek(1, 0, 0)\nos.write(1, b'3\\n')\nos._exit(0)";
    let ignored = "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)";
    let scratch = "with open('x', 'wb') as file:\n    try:\n        file.seek(1 << 30)\n        file.write(b'x')\n    except OSError: pass";
    let sources = [
        format!("import os\n{flood}\n{back}"),
        format!("import os, signal\n{ignored}\n{flood}\n{back}"),
        format!("import os\n{scratch}"),
    ];
    for source in sources {
        let once = runtime.launch_once(&script(&source), &limits());
        let often = runtime.launch(&script(&source), &limits());
        for boxed in [once, often] {
            let outcome = boxed.expect("it compiles").run(b"", &limits(), 0);
            let outcome = outcome.expect("the host is sound");
            assert_eq!(outcome.termination, Termination::OutputLimit, "{source}");
        }
    }
    let within = "import os\nos.write(1, b'1234')\nos.lseek(1, 0, 0)\nos.write(1, b'56')";
    prints(within, "", "5634");
}

#[test]
fn a_program_cannot_pass_its_end_off_as_a_failure_of_the_host() {
    let source =
        "import sys\nsys.stderr.write('sandbox: failed to set the CPU timer')\nsys.exit(125)";
    assert_eq!(run(source, "").termination, Termination::Exited(125));
}

#[test]
fn what_does_not_compile_is_rejected_with_the_compilers_words() {
    let runtime = runtime();
    let launched = runtime.launch(&script("x = = 1"), &limits());
    match launched {
        Err(LaunchError::Rejected(message)) => {
            assert_eq!(message, "main.py:1:5: SyntaxError: invalid syntax");
        }
        other => panic!("{other:?}"),
    }
    assert!(runtime.is_usable());
}

#[test]
fn cpu_time_limits_a_compilation() {
    let runtime = runtime();
    let long = script(&"x = [1, (2, 3), 'four']\n".repeat(100_000));
    let tight = Limits {
        compile: Duration::from_millis(200),
        ..limits()
    };
    match runtime.launch(&long, &tight) {
        Err(LaunchError::Rejected(message)) => {
            assert_eq!(message, "compiling took more than 200ms of CPU time");
        }
        other => panic!("{other:?}"),
    }
    let roomy = Limits {
        memory: 1 << 30,
        ..Limits::default()
    };
    let launched = runtime.launch(&long, &roomy);
    launched.expect("it compiles where it has the time");
}

/// Two boxes of one runtime, joined by a channel that nobody else holds.
#[test]
fn boxes_can_be_tied_together() {
    let runtime = runtime();
    let limits = limits();
    let asking = script("import os\nos.write(3, b'6 7')\nprint(os.read(3, 9).decode())");
    let answering = script(
        "import os\na, b = map(int, os.read(3, 9).split())\nos.write(3, str(a * b).encode())",
    );
    let mut boxes =
        [asking, answering].map(|program| runtime.launch(&program, &limits).expect("it compiles"));
    let (left, right) = std::os::unix::net::UnixStream::pair().expect("a channel");
    for (boxed, end) in boxes.iter_mut().zip([left, right]) {
        let files = Files::new(b"").expect("files").give(end);
        boxed.begin(files, &limits, 0).expect("the host is sound");
    }
    let outcomes = boxes
        .each_mut()
        .map(|boxed| boxed.finish().expect("the host is sound"));
    assert_eq!(outcomes[0].stdout, b"42\n");
    assert_eq!(outcomes[1].termination, Termination::Exited(0));
}

#[test]
fn an_interrupt_ends_a_run_that_is_under_way() {
    let mut runtime = runtime();
    let interrupt = Interrupt::default();
    runtime.interrupted_by(&interrupt);
    let program = script("import os, time\nos.write(3, b'!')\ntime.sleep(100)");
    let limits = Limits::default();
    let mut boxed = runtime.launch(&program, &limits).expect("it compiles");
    let (mut ours, its) = std::os::unix::net::UnixStream::pair().expect("a channel");
    let files = Files::new(b"").expect("files").give(its);
    boxed.begin(files, &limits, 0).expect("the host is sound");
    ours.read_exact(&mut [0]).expect("it says that it runs");
    interrupt.pull();
    assert!(matches!(boxed.finish(), Err(SandboxError::Interrupted)));
}

#[test]
fn what_an_image_imports_is_warm() {
    let interpreter = Interpreter::find(Some(numpy::python())).expect("it was just run");
    let image = Image::new(&interpreter, &Harness::SCRIPT).expect("it compiles");
    let program = script("import numpy as np\nprint(np.array([1, 2]).sum())");
    let [cold, warm] = [&[][..], &["numpy"]].map(|modules| {
        let runtime = sandbox().start(&image.clone().importing(modules));
        let runtime = runtime.expect("full isolation can be had");
        let mut boxed = runtime.launch(&program, &limits()).expect("it compiles");
        let outcome = boxed.run(b"", &limits(), 0).expect("the host is sound");
        let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
        assert_eq!(outcome.stdout, b"3\n", "{said}");
        outcome.usage.cpu
    });
    // Importing numpy takes far longer than all else.
    assert!(warm < cold / 2, "{warm:?} {cold:?}");
}

#[test]
fn a_worker_that_dies_while_it_starts_is_not_waited_for() {
    const DYING: Harness = Harness {
        module: "dying",
        sources: &[("dying.py", "import os\nos._exit(3)\n")],
    };
    let image = Image::new(&interpreter(), &DYING).expect("the harness compiles");
    let started = Instant::now();
    let runtime = sandbox().start(&image);
    assert!(runtime.is_err());
    // One that says nothing while it lives is given a minute.
    assert!(started.elapsed() < Duration::from_secs(30));
}
