//! The evaluator as a library, as a trainer uses it.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use evaluator::checker::CheckerStyle;
use evaluator::rates::pass_at_k;
use evaluator::verdict::Clock;
use evaluator::{
    Checker, Decision, Evaluator, Interpreter, Level, OwnChecker, Problem, Settings, SourceFile,
    Task, TestCase, Tests, Verdict,
};

fn evaluator() -> Arc<Evaluator> {
    let interpreter = Interpreter::find(None).unwrap();
    Evaluator::new(interpreter, Level::Full, 2, Settings::default()).unwrap()
}

fn problem() -> Arc<Problem> {
    let case = TestCase {
        input: String::new(),
        expected: "1\n".into(),
    };
    Arc::new(Problem {
        time_limit: Some(30.0),
        ..Problem::new("one", Tests::Stdin(vec![case]))
    })
}

fn task(id: usize, code: &str) -> Task {
    Task::new(id.to_string(), code, problem())
}

#[test]
fn judging_overlaps_with_making_the_tasks() {
    let (sender, receiver) = channel();
    let mut verdicts = evaluator().judge_all(receiver);
    for id in 0..3 {
        sender.send(task(id, "print(1)")).unwrap();
        let verdict = verdicts.next().unwrap();
        assert_eq!((verdict.id, verdict.reward), (id.to_string(), Some(1.0)));
    }
    drop(sender);
    assert_eq!(verdicts.next(), None);
}

#[test]
fn a_models_full_text_is_judged_in_memory() {
    let texts = [
        "I think:\n```python\nprint(1)\n```\nDone.",
        "```python\nprint(2)\n```",
        "print(1)",
    ];
    let tasks = texts.map(|text| Task::from_response("sample", text, problem()));
    let verdicts = evaluator().judge_all(tasks);
    let decisions: Vec<Decision> = verdicts.map(|verdict| verdict.verdict).collect();
    assert_eq!(
        decisions,
        [
            Decision::Accepted,
            Decision::WrongAnswer,
            Decision::CompileError
        ]
    );
}

#[test]
fn a_stopped_run_ends_at_once() {
    let start = Instant::now();
    let endless = "while True: pass";
    let mut verdicts = evaluator().judge_all([task(0, "print(1)"), task(1, endless)]);
    assert_eq!(verdicts.next().unwrap().id, "0", "the run is under way");
    verdicts.stopper().stop();
    assert_eq!(verdicts.count(), 0);
    let limit = Duration::from_secs(20);
    assert!(start.elapsed() < limit, "before the time limit of 30 s");
}

#[test]
fn a_stopped_run_gives_no_more_verdicts() {
    let (sender, receiver) = channel();
    let mut verdicts = evaluator().judge_all(receiver);
    sender.send(task(0, "print(1)")).unwrap();
    assert!(verdicts.next().is_some());
    verdicts.stopper().stop();
    assert_eq!(verdicts.next(), None, "though the sender is still there");
}

#[test]
fn a_run_that_nobody_listens_to_draws_no_more_tasks() {
    let (sender, receiver) = channel();
    let verdicts = evaluator().judge_all(receiver);
    drop(verdicts);
    let closed = (0..1000).any(|id| {
        std::thread::sleep(Duration::from_millis(5));
        sender.send(task(id, "print(1)")).is_err()
    });
    assert!(closed, "the receiver should be dropped");
}

#[test]
fn every_verdict_is_that_of_its_own_task() {
    let tasks: Vec<Task> = (0..40)
        .map(|id| task(id, &format!("print({id} % 4)")))
        .collect();
    let verdicts = evaluator().judge_all(tasks);
    let accepted: Vec<bool> = verdicts
        .map(|it| it.verdict == Decision::Accepted)
        .collect();
    let expected: Vec<bool> = (0..40).map(|id| id % 4 == 1).collect();
    assert_eq!(accepted, expected);
}

/// Expected values from Python: `float(1 - Fraction(comb(n - c, k), comb(n, k)))`.
#[test]
fn pass_at_k_is_unbiased() {
    let cases = [
        (1, 0, 1, 0.0),
        (1, 1, 1, 1.0),
        (8, 3, 1, 0.375),
        (8, 3, 4, 0.9285714285714286),
        (8, 3, 8, 1.0),
        (10, 1, 5, 0.5),
        (200, 17, 100, 0.99999636769084),
        (200, 17, 10, 0.5974489015799118),
        (5, 4, 2, 1.0),
    ];
    for (tried, accepted, k, expected) in cases {
        let estimate = pass_at_k(tried, accepted, k);
        assert!(
            (estimate - expected).abs() < 1e-12,
            "{tried} {accepted} {k}: {estimate}"
        );
    }
}

/// One program that fails every test by sleeping must not hold a worker for as long as there are tests.
#[test]
fn a_submission_cannot_lose_time_without_end() {
    let case = |number: usize| TestCase {
        input: format!("{number}\n"),
        expected: "1\n".into(),
    };
    let mut problem = Problem::new("many", Tests::Stdin((0..50).map(case).collect()));
    problem.time_limit = Some(0.2);
    let settings = Settings {
        budget: Duration::from_secs(1),
        ..Settings::default()
    };
    let interpreter = Interpreter::find(None).unwrap();
    let evaluator = Evaluator::new(interpreter, Level::Full, 1, settings).unwrap();
    let problem = Arc::new(problem);
    let late = "while True: pass";
    let wrong = "print(2)";
    let tasks = [late, wrong].map(|code| Task::new("sample", code, problem.clone()));
    let verdicts: Vec<Verdict> = evaluator.judge_all(tasks).collect();
    assert_eq!(verdicts[0].verdict, Decision::TimeLimit);
    let run = verdicts[0].cases.len();
    assert!((5..=6).contains(&run), "a second, in tests of .2 s: {run}");
    assert_eq!(verdicts[0].not_run, 50 - run);
    assert_eq!(verdicts[1].not_run, 0, "wrong answers lose no time");
}

/// A module that touches 256 MiB page by page, which takes the kernel far longer than its fuel is worth, and says `1`.
#[cfg(feature = "wasm")]
const TOUCH: &str = r#"(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 4097)
  (data (i32.const 0x10000000) "\10\00\00\10\02\00\00\00")
  (data (i32.const 0x10000010) "1\n")
  (func (export "_start") (local $at i32)
    (loop $more
      (i32.store (local.get $at) (i32.const 1))
      (local.set $at (i32.add (local.get $at) (i32.const 4096)))
      (br_if $more (i32.lt_u (local.get $at) (i32.const 0x10000000))))
    (drop (call $write (i32.const 1) (i32.const 0x10000000) (i32.const 1) (i32.const 0)))))"#;

/// Each test is within its limit by its fuel.
#[cfg(feature = "wasm")]
#[test]
fn what_tests_take_beyond_their_fuel_is_part_of_what_a_submission_may_cost() {
    let case = TestCase {
        input: String::new(),
        expected: "1\n".into(),
    };
    let judged = |tests: usize, budget: Duration| {
        let settings = Settings {
            budget,
            ..Settings::default()
        };
        let interpreter = Interpreter::find(None).unwrap();
        let evaluator = Evaluator::new(interpreter, Level::Full, 1, settings).unwrap();
        let problem = Problem {
            time_limit: Some(0.01),
            memory_limit: Some(300),
            ..Problem::new("many", Tests::Stdin(vec![case.clone(); tests]))
        };
        let mut task = Task::new("one", TOUCH, Arc::new(problem));
        task.submission.language = "wat".to_owned();
        evaluator.judge_all([task]).next().unwrap()
    };
    let plenty = judged(1, Duration::from_secs(60));
    assert_eq!(plenty.verdict, Decision::Accepted);
    let fuel = plenty.cases[0].fuel.expect("it is counted");
    assert_eq!(plenty.cases[0].cpu_ms, (fuel / 1000) as f64 / 1e3);
    let short = judged(60, Duration::ZERO);
    assert_eq!(short.verdict, Decision::TimeLimit);
    assert!(short.not_run > 0);
    let last = short.cases.last().unwrap();
    assert_eq!(last.clock, Some(Clock::Cpu));
    assert!(last.message.as_ref().unwrap().contains("whatever fuel"));
}

/// A program that leaves a file behind in each test is compiled again for the next.
#[test]
fn compiling_again_and_again_is_part_of_what_a_submission_may_cost() {
    let long = format!("def g(y):\n{}", "    y = [y + 1, y * 2]\n".repeat(12_000));
    let case = TestCase {
        input: String::new(),
        expected: "1\n".into(),
    };
    let problem = Arc::new(Problem {
        time_limit: Some(1.0),
        ..Problem::new("many", Tests::Stdin(vec![case; 40]))
    });
    let settings = Settings {
        budget: Duration::from_secs(1),
        dedup: false,
        ..Settings::default()
    };
    let interpreter = Interpreter::find(None).unwrap();
    let evaluator = Evaluator::new(interpreter, Level::Full, 2, settings).unwrap();
    let judged = |code: String| {
        let task = Task::new("one", code, problem.clone());
        let verdict = evaluator.judge_all([task]).next().unwrap();
        (verdict.verdict, verdict.not_run > 0)
    };
    let leaves = "print(1)\nopen('/tmp/left', 'w').close()\n";
    assert_eq!(
        judged(format!("{long}\n{leaves}")),
        (Decision::TimeLimit, true)
    );
    assert_eq!(
        judged(format!("{long}\nprint(1)")),
        (Decision::Accepted, false)
    );
    assert_eq!(judged(leaves.to_owned()), (Decision::Accepted, false));
}

/// A checker that takes as long as the input says and, with `also`, as the output says.
fn slow_checker(also: bool) -> Checker {
    let source = format!(
        "import sys, time\n\
         seconds = float(open(sys.argv[1]).read()) + {} * float(sys.stdin.read())\n\
         while time.process_time() < seconds: pass\n\
         sys.exit(42)\n",
        u8::from(also)
    );
    let file = SourceFile::new("check.py", source.into_bytes());
    let checker = OwnChecker::new(CheckerStyle::Kattis, Some("python".to_owned()), vec![file]);
    Checker::Own(Arc::new(checker))
}

/// What the problem's own checker takes longer over an output than over the expected one is the candidate's doing.
#[test]
fn a_checkers_time_is_part_of_what_a_submission_may_cost() {
    let settings = Settings {
        budget: Duration::from_secs(1),
        ..Settings::default()
    };
    let interpreter = Interpreter::find(None).unwrap();
    let evaluator = Evaluator::new(interpreter, Level::Full, 1, settings).unwrap();
    let judged = |tests: usize, input: &str, also: bool, code: &str| {
        let case = TestCase {
            input: input.to_owned(),
            expected: "0\n".to_owned(),
        };
        let problem = Problem {
            time_limit: Some(0.3),
            checker: Some(slow_checker(also)),
            ..Problem::new("checked", Tests::Stdin(vec![case; tests]))
        };
        let task = Task::new("one", code, Arc::new(problem));
        evaluator.judge_all([task]).next().unwrap()
    };
    let slowed = judged(20, "0", true, "print(1.7)");
    assert_eq!(slowed.verdict, Decision::TimeLimit);
    assert_eq!(slowed.cases.len(), 2, "0.7 s too much in each: {slowed:?}");
    let why = slowed.cases[1].message.as_deref().unwrap_or_default();
    assert!(why.starts_with("what it gave took 1."), "{why}");
    let slow_by_itself = judged(3, "1.5", false, "print(1.7)");
    assert_eq!(slow_by_itself.verdict, Decision::Accepted);
    assert_eq!(slow_by_itself.not_run, 0);
}

/// What the test code takes for what the candidate answered is part of that too, and so are the runs that show whose doing
/// something is.
#[test]
fn a_test_codes_time_is_part_of_what_a_submission_may_cost() {
    let settings = Settings {
        budget: Duration::from_secs(1),
        ..Settings::default()
    };
    let interpreter = Interpreter::find(None).unwrap();
    let evaluator = Evaluator::new(interpreter, Level::Full, 1, settings).unwrap();
    let judged = |test: &str, code: &str| {
        let tests = (0..12).map(|i| format!("{test}\n# {i}")).collect();
        let cases = Tests::Assert {
            function: Some("f".to_owned()),
            cases: tests,
            one_process: None,
        };
        let problem = Problem {
            time_limit: Some(0.4),
            ..Problem::new("examined", cases)
        };
        let task = Task::new("one", code, Arc::new(problem));
        evaluator.judge_all([task]).next().unwrap()
    };
    let counts = "n = 0\nfor i in range(candidate(1)): n += 1\nassert n == 3";
    let endless = judged(counts, "def f(x): return 10 ** 12");
    assert_eq!(endless.verdict, Decision::TimeLimit);
    assert!(endless.cases.len() < 6, "{endless:?}");
    assert_eq!(
        judged(counts, "def f(x): return 3").verdict,
        Decision::Accepted
    );
    let nested = "a = candidate(1)\nfor i in range(a[0]):\n  for j in range(a[0]):\n    for k in range(a[0]):\n      for l in range(a[0]): pass\nassert a == [3]";
    let object = judged(
        nested,
        "class A:\n  def __getitem__(s, i): return 3\n  def __eq__(s, o): return True\ndef f(x): return A()",
    );
    assert_ne!(object.verdict, Decision::Accepted);
    assert!(object.cases.len() < 6, "{object:?}");
    assert_eq!(
        judged(nested, "def f(x): return [3]").verdict,
        Decision::Accepted
    );
}

/// One engine whose submissions may lose a second.
fn impatient() -> Arc<Evaluator> {
    let settings = Settings {
        budget: Duration::from_secs(1),
        ..Settings::default()
    };
    let interpreter = Interpreter::find(None).unwrap();
    Evaluator::new(interpreter, Level::Full, 1, settings).unwrap()
}

fn judged_by(evaluator: &Arc<Evaluator>, tests: Tests, code: &str) -> Verdict {
    let problem = Problem {
        time_limit: Some(0.3),
        ..Problem::new("short", tests)
    };
    let task = Task::new("one", code, Arc::new(problem));
    evaluator.judge_all([task]).next().unwrap()
}

fn printed(tests: usize, expected: &str) -> Tests {
    let case = TestCase {
        input: String::new(),
        expected: expected.to_owned(),
    };
    Tests::Stdin(vec![case; tests])
}

/// A file of nothing but a length costs the program nothing, and whoever reads it much.
#[test]
fn reading_an_output_is_part_of_what_a_submission_may_cost() {
    let long = "import os\nos.ftruncate(1, 63 << 20)";
    let verdict = judged_by(&impatient(), printed(60, "3\n"), long);
    assert_eq!(verdict.verdict, Decision::WrongAnswer);
    assert!(verdict.not_run > 0, "{}", verdict.cases.len());
}

/// A test that sleeps holds a worker, though no clock runs out.
#[test]
fn sleep_is_part_of_what_a_submission_may_cost() {
    let evaluator = impatient();
    let dozes = |seconds: f64| format!("import time\ntime.sleep({seconds})\nprint(1)");
    let slow = judged_by(&evaluator, printed(12, "1\n"), &dozes(2.2));
    assert_eq!(slow.verdict, Decision::TimeLimit);
    assert!(slow.cases.len() < 6, "{slow:?}");
    let late = slow.cases.last().unwrap();
    assert_eq!(late.clock, Some(Clock::Idle));
    let why = late.message.as_deref().unwrap_or_default();
    assert!(why.starts_with("its tests slept "), "{why}");
    // What each may do, all of them together may not.
    let steady = judged_by(&evaluator, printed(25, "1\n"), &dozes(0.7));
    assert_eq!(steady.verdict, Decision::TimeLimit);
    assert!(steady.cases.len() < 22, "{steady:?}");
    let quick = judged_by(&evaluator, printed(12, "1\n"), &dozes(0.4));
    assert_eq!(quick.verdict, Decision::Accepted);
}

/// The same of one that test code waits for, but not of one that waits for test code.
#[test]
fn sleep_of_what_test_code_waits_for_counts() {
    let evaluator = impatient();
    let examined = |test: &str| Tests::Assert {
        function: Some("f".to_owned()),
        cases: (0..6).map(|i| format!("{test}\n# {i}")).collect(),
        one_process: None,
    };
    let asks = "assert candidate(1) == 1";
    let dozes = "import time\ndef f(x):\n    time.sleep(2.2)\n    return x";
    let slow = judged_by(&evaluator, examined(asks), dozes);
    assert_eq!(slow.verdict, Decision::TimeLimit);
    assert!(slow.cases.len() < 6, "{slow:?}");
    let waits = format!("import time\ntime.sleep(2.2)\n{asks}");
    let quick = judged_by(&evaluator, examined(&waits), "def f(x): return x");
    assert_eq!(quick.verdict, Decision::Accepted);
}

/// A candidate that sleeps a little at each call is not given the time of one that waits for the test code's own work.
#[test]
fn sleep_by_and_by_reaches_the_idle_limit() {
    let calls = Tests::Assert {
        function: Some("f".to_owned()),
        cases: vec!["for i in range(40): assert candidate(i) == i".to_owned()],
        one_process: None,
    };
    let drips = "import time\ndef f(x):\n    time.sleep(2.3)\n    return x";
    let verdict = judged_by(&impatient(), calls, drips);
    assert_eq!(verdict.cases[0].clock, Some(Clock::Idle));
    assert!(verdict.cases[0].wall_ms < 9_000.0, "{verdict:?}");
}

/// What a candidate sleeps once the test code has ended reaches the idle limit, and so it does where a forged answer kept the
/// test code at work until its own limit.
#[test]
fn sleep_behind_the_test_code_reaches_the_idle_limit() {
    let thread = "import threading, time\ndef f():\n    \
        threading.Thread(target=time.sleep, args=(1000,)).start()\n    return 1";
    // Numbers that all have one hash.
    let forged = "import os, time\ndef f():\n    \
        items = ','.join('{\"int\":\"0x%x\"}' % (i * (2**61 - 1)) for i in range(50000))\n    \
        os.write(3, b'{\"value\":{\"set\":[%s]}}\\n' % items.encode())\n    time.sleep(1000)";
    let evaluator = Evaluator::new(
        Interpreter::find(None).unwrap(),
        Level::Full,
        1,
        Settings::default(),
    )
    .unwrap();
    for (candidate, most) in [(thread, 20_000.0), (forged, 35_000.0)] {
        let problem = Problem {
            time_limit: Some(3.0),
            ..Problem::new("idle", asserted("assert candidate() == 1"))
        };
        let task = Task::new("one", candidate, Arc::new(problem));
        let verdict = evaluator.judge_all([task]).next().unwrap();
        assert_eq!(verdict.verdict, Decision::TimeLimit, "{verdict:?}");
        assert_ne!(verdict.cases[0].clock, Some(Clock::Wall), "{verdict:?}");
        assert!(verdict.cases[0].wall_ms < most, "{verdict:?}");
    }
}

/// Test code that sleeps itself, again and again, has the candidate wait, and that is no fault.
#[test]
fn test_code_may_sleep_for_longer_than_the_idle_limit() {
    let sleeps =
        "import time\nfor i in range(4):\n    time.sleep(2.4)\n    assert candidate() == 1";
    let verdict = judged_by(&impatient(), asserted(sleeps), "def f():\n    return 1");
    assert_eq!(verdict.verdict, Decision::Accepted, "{verdict:?}");
}

fn asserted(code: &str) -> Tests {
    Tests::Assert {
        function: Some("f".to_owned()),
        cases: vec![code.to_owned()],
        one_process: None,
    }
}

/// What it takes this process to compare an answer counts too.
#[test]
fn comparing_is_part_of_what_a_submission_may_cost() {
    let evaluator = impatient();
    let expected = format!("{}\n", "0.5 ".repeat(2_000_000));
    let prints = |number: &str| format!("print('{number} ' * 2_000_000)");
    let slow = judged_by(&evaluator, printed(40, &expected), &prints("0.6"));
    assert_eq!(slow.verdict, Decision::WrongAnswer);
    assert!(slow.not_run > 0, "{:?}", slow.cases.len());
    let quick = judged_by(&evaluator, printed(40, &expected), &prints("0.5"));
    assert_eq!(quick.verdict, Decision::Accepted, "{quick:?}");
}
