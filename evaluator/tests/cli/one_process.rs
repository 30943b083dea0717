//! Test code that runs one test after another in one process too, as the harnesses of some formats have it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::lab::{Lab, judged, parse, with};

/// A row of MBPP with its solution.
fn mbpp(id: &str, code: &str, tests: &[&str]) -> Value {
    json!({"task_id": id, "text": "Do it.", "test_list": tests, "code": code})
}

/// A row of KodCode with its solution.
fn kodcode(id: &str, code: &str, tests: &str) -> Value {
    json!({"question_id": id, "question": "Do it.", "test": tests, "solution": code})
}

const UNIQUE: [&str; 2] = [
    "assert uniq([1, 1, 2]) == [1, 2]",
    "assert uniq([2, 3]) == [2, 3]",
];
const LEAKING: &str =
    "def uniq(l, seen=set()):\n    return [x for x in l if not (x in seen or seen.add(x))]";
const COUNTING: &str = "n = 0\ndef next_id():\n    global n\n    n += 1\n    return n";

#[test]
fn what_a_program_keeps_is_there_in_the_next_test() {
    let fresh = LEAKING
        .replace("seen=set()", "seen=None")
        .replace("    return", "    seen = set()\n    return");
    let appends = "from solution import add\ndef test_one():\n    assert add(1) == [1]\ndef test_two():\n    assert add(2) == [2]\ndef test_three():\n    assert add(3) == [3]\n";
    insta::assert_snapshot!(judged(&[
        mbpp("leaks", LEAKING, &UNIQUE),
        mbpp("is-fresh", &fresh, &UNIQUE),
        mbpp("goes-on", COUNTING, &["assert next_id() == 1", "assert next_id() == 2", "assert next_id() == 3"]),
        mbpp("stays", "def next_id(): return 1", &["assert next_id() == 1", "assert next_id() == 2", "assert next_id() == 3"]),
        mbpp("one-test", LEAKING, &UNIQUE[..1]),
        kodcode("default", "def add(x, l=[]):\n    l.append(x)\n    return l", appends),
        kodcode("no-default", "def add(x):\n    return [x]", appends),
    ]), @r"
    leaks#0 wrong_answer 1/2 [accepted assertions shielded=true, wrong_answer shielded=true in one process with the tests before it: AssertionError]
    is-fresh#0 accepted 2/2 [accepted assertions shielded=true, accepted assertions shielded=true]
    goes-on#0 accepted 3/3 [accepted assertions shielded=true, accepted assertions shielded=true, accepted assertions shielded=true]
    stays#0 wrong_answer 1/3 [accepted assertions shielded=true, wrong_answer shielded=true AssertionError, wrong_answer shielded=true AssertionError]
    one-test#0 accepted 1/1 [accepted assertions shielded=true]
    default#0 wrong_answer 2/3 [accepted assertions shielded=true, accepted assertions shielded=true, wrong_answer shielded=true in one process with the tests before it: AssertionError]
    no-default#0 accepted 3/3 [accepted assertions shielded=true, accepted assertions shielded=true, accepted assertions shielded=true]
    ");
}

/// What ends the module of the tests belongs to the last of them, and a test that has to fail is one.
#[test]
fn the_last_test_ends_what_was_begun_for_all() {
    let tests = "import pytest\nfrom solution import f\nl = []\ndef test_one(): f(l)\ndef test_two(): f(l)\n\
        @pytest.mark.xfail(strict=True)\ndef test_three(): assert f(l) == 2\n\
        def teardown_module(): assert l == [1, 1, 1]\n";
    insta::assert_snapshot!(judged(&[
        kodcode("appends", "def f(l): l.append(1)", tests),
        kodcode("does-nothing", "def f(l): pass", tests),
        kodcode("does-not-fail", "def f(l):\n    l.append(1)\n    return len(l) and 2", tests),
    ]), @r"
    appends#0 accepted 3/3 [accepted assertions shielded=true, accepted assertions shielded=true, accepted assertions shielded=true]
    does-nothing#0 wrong_answer 2/3 [accepted assertions shielded=true, accepted assertions shielded=true, wrong_answer shielded=true AssertionError]
    does-not-fail#0 wrong_answer 2/3 [accepted assertions shielded=true, accepted assertions shielded=true, wrong_answer shielded=true AssertionError: [XPASS(strict)]]
    ");
}

/// A test that fails by itself is told of as before, and those after a failure are run alone.
#[test]
fn a_failure_of_its_own_is_no_other_than_before() {
    let tests = ["assert f(1) == 1", "assert f(2) == 2", "assert f(3) == 3"];
    insta::assert_snapshot!(judged(&[
        mbpp("first", "def f(x): return 0 if x == 1 else x", &tests),
        mbpp("middle", "def f(x): return 0 if x == 2 else x", &tests),
        mbpp("last", "def f(x): return 0 if x == 3 else x", &tests),
        mbpp("raises", "def f(x): return x if x < 3 else {}[x]", &tests),
        mbpp("exits", "def f(x): return x if x < 3 else exit()", &tests),
        mbpp("leaves-at-once", "import os\ndef f(x): return x if x < 3 else os._exit(0)", &tests),
    ]), @r"
    first#0 wrong_answer 2/3 [wrong_answer shielded=true AssertionError, accepted assertions shielded=true, accepted assertions shielded=true]
    middle#0 wrong_answer 2/3 [accepted assertions shielded=true, wrong_answer shielded=true AssertionError, accepted assertions shielded=true]
    last#0 wrong_answer 2/3 [accepted assertions shielded=true, accepted assertions shielded=true, wrong_answer shielded=true AssertionError]
    raises#0 runtime_error 2/3 [accepted assertions shielded=true, accepted assertions shielded=true, runtime_error shielded=true KeyError: 3]
    exits#0 runtime_error 2/3 [accepted assertions shielded=true, accepted assertions shielded=true, runtime_error shielded=true the program ended before its tests did]
    leaves-at-once#0 runtime_error 2/3 [accepted assertions shielded=true, accepted assertions shielded=true, runtime_error shielded=true the program ended before its tests did]
    ");
}

/// The limit is that of each test, and all together have those of all.
#[test]
fn each_test_has_its_time() {
    let busy = |times: &str| {
        format!(
            "import time\ndef f(x):\n    end = time.process_time() + {times}[x]\n    while time.process_time() < end: pass\n    return x"
        )
    };
    let tests = [
        "assert f(0) == 0",
        "assert f(1) == 1",
        "assert f(2) == 2",
        "assert f(3) == 3",
    ];
    let limited = |id: &str, times: &str| {
        let tests: Vec<Value> = tests.iter().map(|code| json!({"code": code})).collect();
        json!({"id": id, "kind": "assert", "tests": tests, "one_process": true, "time_limit": 0.6, "code": busy(times)})
    };
    insta::assert_snapshot!(judged(&[
        limited("each-in-time", "[.4, .4, .4, .4]"),
        limited("last-late", "[0, 0, 0, 1.2]"),
        limited("last-slow", "[0, 0, 0, .4]"),
        limited("middle-late", "[0, 1.2, 0, 0]"),
        with(limited("late-with-the-others", "[0, 0, 0, 0]"), "code", json!("m = []\ndef f(x):\n    m.append(x)\n    while len(m) == 4: pass\n    return x")),
    ]), @r"
    each-in-time accepted 4/4 [accepted assertions shielded=true, accepted assertions shielded=true, accepted assertions shielded=true, accepted assertions shielded=true]
    last-late time_limit 3/4 [accepted assertions shielded=true, accepted assertions shielded=true, accepted assertions shielded=true, time_limit cpu shielded=true]
    last-slow accepted 4/4 [accepted assertions shielded=true, accepted assertions shielded=true, accepted assertions shielded=true, accepted assertions shielded=true]
    middle-late time_limit 3/4 [accepted assertions shielded=true, time_limit cpu shielded=true, accepted assertions shielded=true, accepted assertions shielded=true]
    late-with-the-others time_limit 3/4 [accepted assertions shielded=true, accepted assertions shielded=true, accepted assertions shielded=true, time_limit cpu shielded=true in one process with the tests before it]
    ");
}

/// Tests that need what those before them made are run after them, in every round.
#[test]
fn references_are_run_in_rounds() {
    let kept = "from solution import Names\nnames = Names()\ndef test_a():\n    names.add('x')\n    assert names.all() == ['x']\ndef test_b():\n    names.add('y')\n    assert names.all() == ['x', 'y']\n";
    let right = "class Names:\n    def __init__(self): self.held = []\n    def add(self, name): self.held.append(name)\n    def all(self): return list(self.held)\n";
    let lab = Lab::new();
    lab.lines(
        "p.jsonl",
        &[
            kodcode("kept", right, kept),
            mbpp("leaks", LEAKING, &UNIQUE),
        ],
    );
    let ran = lab.run(&["lint", "p.jsonl", "--json"]);
    let mut told = String::new();
    for line in parse(&ran.stdout) {
        writeln!(
            told,
            "{} {} {}",
            line["problem_id"], line["defect"], line["evidence"]["test"]
        )
        .unwrap();
    }
    insta::assert_snapshot!(told, @r#""leaks" "reference_fails" 2"#);
}

/// What is converted is judged as it was.
#[test]
fn the_own_format_has_a_field_for_it() {
    let lab = Lab::new();
    let setup = with(
        mbpp("2", LEAKING, &UNIQUE),
        "test_setup_code",
        json!("import math"),
    );
    lab.lines("p.jsonl", &[mbpp("1", LEAKING, &UNIQUE), setup]);
    let ran = lab.run(&[
        "convert",
        "p.jsonl",
        "--to",
        "own.jsonl",
        "--solutions",
        "s.jsonl",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let fields = parse(&lab.text("own.jsonl"));
    let fields: Vec<&Value> = fields.iter().map(|row| &row["one_process"]).collect();
    assert_eq!(fields, [&json!(true), &json!({"setup": "import math\n"})]);
    let ran = lab.run(&["judge", "s.jsonl", "--problems", "own.jsonl"]);
    let decided = parse(&ran.stdout);
    let decided: Vec<&Value> = decided.iter().map(|verdict| &verdict["verdict"]).collect();
    assert_eq!(decided, ["wrong_answer"; 2]);
}

#[test]
fn test_code_that_runs_with_the_program_does_so_too() {
    let object = "assert uniq([1], compile('1', '', 'eval')) == [1]";
    let takes = LEAKING.replace("l, seen", "l, lock, seen");
    let lab = Lab::new();
    let solutions = [mbpp("leaks", &takes, &[object, object])];
    let verdicts = lab.judge(&solutions, &["--allow-unshielded"]);
    insta::assert_snapshot!(crate::lab::outline(&verdicts), @"leaks#0 wrong_answer 1/2 [accepted assertions shielded=false, wrong_answer exit=1 shielded=false in one process with the tests before it: AssertionError]");
}
