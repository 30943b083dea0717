//! Real programs in real boxes.

use std::time::Duration;

use sandbox::*;

fn interpreter() -> Interpreter {
    let python = std::env::var_os("PYTHON").map(std::path::PathBuf::from);
    Interpreter::find(python.as_deref()).expect("a CPython 3.9 or newer is on the search path")
}

fn sandbox() -> Sandbox {
    Sandbox::new(interpreter(), Level::Full).expect("this machine gives the default isolation")
}

fn script(source: &str) -> Program {
    Program {
        source: source.into(),
        entry: Entry::Main,
        grants: Grants::JUDGED,
    }
}

fn function(source: &str, name: &str) -> Program {
    Program {
        source: source.into(),
        entry: Entry::Function(name.into()),
        grants: Grants::JUDGED,
    }
}

fn limits() -> Limits {
    Limits {
        cpu: Duration::from_secs(1),
        idle: Duration::from_secs(1),
        memory: 128 << 20,
        ..Limits::default()
    }
}

fn run_with(program: &Program, input: Input<'_>) -> Outcome {
    let sandbox = sandbox();
    let mut worker = sandbox.worker();
    let limits = limits();
    match worker.launch(program, &limits).expect("the host is sound") {
        Launch::Ready(mut running) => running.run(input).expect("the host is sound"),
        Launch::Rejected(message) => panic!("{message}"),
    }
}

fn run(source: &str, stdin: &str) -> Outcome {
    run_with(&script(source), Input::Stdin(stdin.as_bytes()))
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
    let endless = run("while True: pass", "");
    assert_eq!(endless.termination, Termination::CpuLimit);
    assert_eq!(
        run("import time\ntime.sleep(60)", "").termination,
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
fn a_program_cannot_pass_its_end_off_as_a_failure_of_the_host() {
    let source =
        "import sys\nsys.stderr.write('sandbox: failed to set the CPU timer')\nsys.exit(125)";
    assert_eq!(run(source, "").termination, Termination::Exited(125));
}

fn examine(source: &str, tests: &str) -> Examination {
    let sandbox = sandbox();
    let mut worker = sandbox.worker();
    worker
        .examine(&function(source, "f"), tests, &limits())
        .expect("the host is sound")
        .expect("it compiles")
}

#[test]
fn test_code_runs_in_a_box_of_its_own() {
    assert_eq!(
        examine(
            "def f(x): return x + 1",
            "def check(c):\n    assert c(1) == 2\ncheck(candidate)"
        )
        .finding,
        Tested::Passed
    );
    assert_eq!(
        examine("def f(x): return x", "assert f(1) == 2").finding,
        Tested::Failed
    );
    assert_eq!(
        examine("def f(x): return [][x]", "assert f(1) == 2").finding,
        Tested::CandidateFailed("IndexError: list index out of range".into())
    );
    assert_eq!(
        examine("import os\ndef f(x): os._exit(0)", "assert f(1) == 2").finding,
        Tested::CandidateFailed("the program ended before its tests did".into())
    );
    assert_eq!(
        examine(
            "def f(x):\n    x.sort()",
            "a = [2, 1]\nf(a)\nassert a == [1, 2]"
        )
        .finding,
        Tested::Passed
    );
    assert!(matches!(
        examine("def f(x): return x", "assert f(print)").finding,
        Tested::Unshieldable(_)
    ));
    let class_for_function = "class f:\n    def __init__(self, x): pass";
    assert_eq!(
        examine(class_for_function, "assert f(1) == 2").finding,
        Tested::CandidateFailed(
            "it gave back a live object where the test code wants plain data".into()
        )
    );
    let comparable = "class A:\n    def __init__(self, x): pass";
    assert!(matches!(
        examine(comparable, "assert A(1) == A(2)").finding,
        Tested::Unshieldable(_)
    ));
    let design = "class A:\n    def __init__(self, n): self.n = n\n    def add(self, k):\n        self.n += k\n        return self.n";
    assert_eq!(
        examine(design, "a = A(1)\nassert a.add(2) == 3\nassert a.n == 3").finding,
        Tested::Passed
    );
    let all = "assert all(map(lambda case: f(case) == 1, [1, 2]))";
    assert_eq!(
        examine("def f(x): raise StopIteration", all).finding,
        Tested::CandidateFailed("StopIteration".into())
    );
    let next = "try:\n    f(1)\n    assert False\nexcept StopIteration:\n    pass";
    assert_eq!(
        examine("def f(x): raise StopIteration", next).finding,
        Tested::Passed
    );
    let endless = examine("def f(x):\n    while True: pass", "f(1)");
    assert_eq!(endless.candidate.termination, Termination::CpuLimit);
}

#[test]
fn a_live_object_where_plain_data_is_wanted_is_a_fault_of_the_candidate() {
    let class = "class f:\n    def __init__(self, x): pass";
    for test in ["assert f(1) == 2", "assert f(1)", "assert f(f(1)) == 2"] {
        let finding = examine(class, test).finding;
        assert!(
            matches!(finding, Tested::CandidateFailed(_)),
            "{test}: {finding:?}"
        );
    }
    let point = "class P:\n    def __init__(self, x): pass";
    for test in [
        "assert P(1) == P(1)",
        "P(1) - P(2)",
        "assert isinstance(P(1), P)",
    ] {
        let finding = examine(point, test).finding;
        assert!(
            matches!(finding, Tested::Unshieldable(_)),
            "{test}: {finding:?}"
        );
    }
}

/// Fills every file it was given, and its directory: memory that counts in the size of no process.
#[test]
fn a_program_that_takes_its_box_with_it_ran_out_of_memory() {
    let sandbox = sandbox();
    if sandbox.isolation().cgroup.is_none() {
        return;
    }
    let source = "import os\ndef f():\n    block = bytes(1 << 20)\n    files = [0, 1, 2, 3, 4, os.open('full', os.O_CREAT | os.O_RDWR)]\n    for file in files:\n        try:\n            for at in range(63):\n                os.pwrite(file, block, at << 20)\n        except OSError:\n            pass";
    let mut worker = sandbox.worker();
    let limits = Limits {
        memory: 16 << 20,
        ..limits()
    };
    let program = function(source, "f");
    for _ in 0..2 {
        let Launch::Ready(mut running) =
            worker.launch(&program, &limits).expect("the host is sound")
        else {
            panic!("it compiles")
        };
        let outcome = running
            .run(Input::Arguments(b"[]"))
            .expect("the host is sound");
        assert_eq!(outcome.termination, Termination::MemoryLimit);
    }
}

#[test]
fn an_interrupt_ends_every_run() {
    let sandbox = sandbox();
    let mut worker = sandbox.worker();
    let (program, limits) = (script("import time\ntime.sleep(100)"), Limits::default());
    let Launch::Ready(mut running) = worker.launch(&program, &limits).expect("the host is sound")
    else {
        panic!("it compiles")
    };
    let stopper = sandbox.clone();
    let stopping = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        stopper.interrupt();
    });
    assert!(matches!(
        running.run(Input::Stdin(b"")),
        Err(SandboxError::Interrupted)
    ));
    stopping.join().expect("it does not panic");
}

/// An interpreter that can import numpy: the machine's own, or else a virtual environment that pip fills.
fn interpreter_with_numpy() -> Interpreter {
    let own = interpreter();
    if own.numpy.is_some() {
        return own;
    }
    let place = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("numpy");
    let python = place.join("bin/python3");
    let done = |mut command: std::process::Command| {
        let status = command.status().expect("the interpreter runs");
        assert!(
            status.success(),
            "numpy is needed for this test, and was not to be had: {command:?}"
        );
    };
    if !python.exists() {
        let mut make = std::process::Command::new(&own.executable);
        make.args(["-m", "venv"]).arg(&place);
        done(make);
    }
    let mut install = std::process::Command::new(&python);
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "numpy",
    ]);
    done(install);
    Interpreter::find(Some(&python)).expect("the virtual environment has an interpreter")
}

#[test]
fn numpy_is_warm() {
    let sandbox =
        Sandbox::new(interpreter_with_numpy(), Level::Full).expect("full isolation can be had");
    let mut worker = sandbox.worker();
    let source = "import numpy as np\ndef f(x):\n    a = np.array(x)\n    \
                  return [a * 2, a.sum(), a.mean(), a > 1, np.array([[1.5], [2.5]])]";
    let (program, limits) = (function(source, "f"), limits());
    let Launch::Ready(mut running) = worker.launch(&program, &limits).expect("the host is sound")
    else {
        panic!("it compiles")
    };
    let outcome = running
        .run(Input::Arguments(b"[[1,2]]"))
        .expect("the host is sound");
    let stderr = String::from_utf8_lossy(&outcome.stderr).into_owned();
    let returned = outcome.returned.as_deref().unwrap_or_default();
    assert!(
        returned.starts_with(b"{\"value\":[{\"ndarray\":"),
        "{stderr}"
    );
    // Importing numpy takes far longer than this; it was there already.
    assert!(
        outcome.usage.cpu < Duration::from_millis(50),
        "{:?}",
        outcome.usage
    );
}
