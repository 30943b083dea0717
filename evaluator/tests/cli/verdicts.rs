//! What is decided of tiny programs.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::Command;

use serde_json::{Value, json};

use crate::lab::{Lab, examined, function, judged, outline, parse, script, with};

const ADD: &str = "a, b = map(int, input().split())\nprint(a + b)\n";

#[test]
fn every_verdict_of_a_script() {
    let one = [("1 2\n", "3\n")];
    let small = json!(64);
    let solutions = [
        script("right", ADD, &[("1 2\n", "3\n"), ("5 6\n", "11\n")]),
        script("half", "print(3)", &[("1 2\n", "3\n"), ("5 6\n", "11\n")]),
        with(
            script("loops", "while True: pass", &one),
            "time_limit",
            json!(0.3),
        ),
        script("eats", "x = [0]\nwhile True: x *= 2", &one),
        script("raises-memory-error", "raise MemoryError()", &one),
        script("floods", "while True: print('x' * 65536)", &one),
        script("divides", "1 / 0", &one),
        script(
            "right-then-fails",
            "print(3, flush=True)\nraise SystemExit(7)",
            &one,
        ),
        script(
            "dies",
            "import os, signal\nos.kill(os.getpid(), signal.SIGABRT)",
            &one,
        ),
        script("unclosed", "print((3)", &one),
        script("exits-well", "print(3)\nexit()", &one),
    ];
    let solutions = solutions.map(|solution| with(solution, "memory_limit", small.clone()));
    insta::assert_snapshot!(judged(&solutions), @r#"
    right accepted 2/2 [accepted exact, accepted exact]
    half wrong_answer 1/2 [accepted exact, wrong_answer]
    loops time_limit 0/1 [time_limit cpu]
    eats memory_limit 0/1 [memory_limit]
    raises-memory-error memory_limit 0/1 [memory_limit exit=1]
    floods output_limit 0/1 [output_limit]
    divides runtime_error 0/1 [runtime_error exit=1]
    right-then-fails runtime_error 0/1 [runtime_error exit=7]
    dies runtime_error 0/1 [runtime_error signal=6]
    unclosed compile_error 0/1 []
    exits-well accepted 1/1 [accepted exact]
    "#);
}

#[test]
fn sleeping_is_a_time_limit_that_names_its_clock() {
    let sleeper = script("sleeps", "import time\ntime.sleep(60)", &[("", "")]);
    insta::assert_snapshot!(judged(&[sleeper]), @"sleeps time_limit 0/1 [time_limit idle]");
}

#[test]
fn every_verdict_of_a_function() {
    let solutions = [
        function(
            "right",
            "def f(a, b): return a + b",
            json!([1, 2]),
            json!(3),
        ),
        function(
            "wrong",
            "def f(a, b): return a - b",
            json!([1, 2]),
            json!(3),
        ),
        function(
            "raises",
            "def f(a, b): return a[b]",
            json!([1, 2]),
            json!(3),
        ),
        function("leaves", "def f(a, b): exit()", json!([1, 2]), json!(3)),
        function("missing", "def g(a, b): return 3", json!([1, 2]), json!(3)),
        function(
            "returns-an-object",
            "def f(a, b): return object()",
            json!([1, 2]),
            json!(3),
        ),
        function("broken", "def f(a, b) return 3", json!([1, 2]), json!(3)),
    ];
    insta::assert_snapshot!(judged(&solutions), @r#"
    right accepted 1/1 [accepted exact]
    wrong wrong_answer 0/1 [wrong_answer]
    raises runtime_error 0/1 [runtime_error exit=1]
    leaves runtime_error 0/1 [runtime_error it exited before the function returned]
    missing runtime_error 0/1 [runtime_error exit=1]
    returns-an-object wrong_answer 0/1 [wrong_answer the result was refused: a live object of type object]
    broken compile_error 0/1 []
    "#);
}

#[test]
fn every_verdict_of_test_code() {
    let test = "assert candidate(1, 2) == 3, 'sum'\nassert f(2, 2) == 4";
    let solutions = [
        examined("right", "def f(a, b): return a + b", test),
        examined("wrong", "def f(a, b): return 3", test),
        examined("raises", "def f(a, b): return a[b]", test),
        examined("leaves", "def f(a, b): exit()", test),
        examined("leaves-at-once", "exit()\ndef f(a, b): return a + b", test),
        examined(
            "equals-everything",
            "class E:\n def __eq__(s, o): return True\ndef f(a, b): return E()",
            test,
        ),
        examined("broken", "def f(a, b) return 3", test),
        with(
            examined("loops", "def f(a, b):\n while True: pass", test),
            "time_limit",
            json!(0.3),
        ),
        examined(
            "broken-test",
            "def f(a, b): return a + b",
            "assert f(1, 2) = 3",
        ),
    ];
    insta::assert_snapshot!(judged(&solutions), @r#"
    right accepted 1/1 [accepted assertions shielded=true]
    wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    raises runtime_error 0/1 [runtime_error shielded=true TypeError: 'int' object is not subscriptable]
    leaves runtime_error 0/1 [runtime_error shielded=true the program ended before its tests did]
    leaves-at-once runtime_error 0/1 [runtime_error shielded=true the program ended before its tests did]
    equals-everything runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type E]
    broken compile_error 0/1 []
    loops time_limit 0/1 [time_limit cpu shielded=true]
    broken-test judge_failed 0/1 [judge_failed the test code cannot run: main.py:1:16: SyntaxError: invalid syntax]
    "#);
}

#[test]
fn a_bare_assertion_that_fails_is_in_the_message() {
    let test = "def check(f):\n    assert f(1, 2) == 3\n    assert f(2, 2) == 4\ncheck(candidate)";
    let said = "assert candidate(1, 2) == 3\nassert candidate(2, 2) == 4, 'of twos'";
    let wrong = "def f(a, b): return 3";
    let solutions = [examined("bare", wrong, test), examined("said", wrong, said)];
    let verdicts = Lab::new().judge(&solutions, &[]);
    let messages = [0, 1].map(|at| verdicts[at]["cases"][0]["message"].as_str());
    assert_eq!(
        messages,
        [
            Some("AssertionError: assert f(2, 2) == 4"),
            Some("AssertionError: of twos"),
        ]
    );
}

#[test]
fn test_code_with_live_objects_is_run_only_when_allowed() {
    let test = "import types\ncell = types.CellType(1)\nassert candidate(cell, 2) == 3";
    let solutions = [
        examined(
            "right",
            "def f(cell, x): return cell.cell_contents + x",
            test,
        ),
        examined("wrong", "def f(cell, x): return x", test),
        examined(
            "leaves",
            "import os\nos._exit(0)\ndef f(cell, x): return cell.cell_contents + x",
            test,
        ),
    ];
    let lab = Lab::new();
    insta::assert_snapshot!(outline(&lab.judge(&solutions, &[])), @r#"
    right judge_failed 0/1 [judge_failed the test code cannot be kept apart from the candidate: the test code passes a live object of type cell; --allow-unshielded runs them together]
    wrong judge_failed 0/1 [judge_failed the test code cannot be kept apart from the candidate: the test code passes a live object of type cell; --allow-unshielded runs them together]
    leaves judge_failed 0/1 [judge_failed the test code cannot be kept apart from the candidate: the test code passes a live object of type cell; --allow-unshielded runs them together]
    "#);
    insta::assert_snapshot!(outline(&lab.judge(&solutions, &["--allow-unshielded"])), @r#"
    right accepted 1/1 [accepted assertions shielded=false]
    wrong wrong_answer 0/1 [wrong_answer exit=1 shielded=false AssertionError]
    leaves runtime_error 0/1 [runtime_error shielded=false it exited before the tests ended]
    "#);
}

#[test]
fn a_response_without_a_program_does_not_compile() {
    let tests = json!([{"input": "1 2\n", "output": "3\n"}]);
    let response = |id: &str, text: &str| json!({"id": id, "problem_id": "add", "response": text, "kind": "stdin", "tests": tests});
    let solutions = [
        response("fenced", &format!("So:\n```python\n{ADD}```\n")),
        response("none", "I cannot solve this."),
    ];
    let verdicts = Lab::new().judge(&solutions, &[]);
    insta::assert_snapshot!(outline(&verdicts), @r#"
    fenced accepted 1/1 [accepted exact]
    none compile_error 0/1 []
    "#);
    insta::assert_snapshot!(verdicts[1]["message"], @r#""the response contains no python code block""#);
}

#[test]
fn a_failing_case_shows_difference_and_end_of_standard_error() {
    let code = "import sys\nprint('3 4')\nprint('hint', file=sys.stderr)";
    let verdicts = Lab::new().judge(&[script("s", code, &[("", "3 5\n")])], &[]);
    let case = &verdicts[0]["cases"][0];
    insta::assert_snapshot!(case["diff"], @r#"{"line":1,"column":3,"expected":"5","actual":"4"}"#);
    insta::assert_snapshot!(case["stderr_tail"], @r#""hint""#);
    assert_eq!(case["stdout"], Value::Null);
}

#[test]
fn first_failure_stops_and_says_how_many_were_not_run() {
    let tests = [("", "1\n"), ("", "2\n"), ("", "1\n")];
    let solution = script("s", "print(1)", &tests);
    let lab = Lab::new();
    let all = lab.judge(std::slice::from_ref(&solution), &[]);
    assert_eq!(
        (&all[0]["passed"], &all[0]["not_run"]),
        (&json!(2), &Value::Null)
    );
    let stopped = lab.judge(std::slice::from_ref(&solution), &["--first-failure"]);
    assert_eq!(
        (&stopped[0]["passed"], &stopped[0]["not_run"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(stopped[0]["cases"].as_array().unwrap().len(), 2);
}

#[test]
fn first_failure_waits_for_every_profile() {
    let tests = [("", "1 2\n"), ("", "3\n"), ("", "4\n")];
    let solution = script("s", "print('2 1')", &tests);
    let arguments = ["--first-failure", "--also", "paper"];
    let verdicts = Lab::new().judge(&[solution], &arguments);
    assert_eq!(verdicts[0]["also"]["paper"]["passed"], json!(1));
    assert_eq!(verdicts[0]["not_run"], json!(1));
}

#[test]
fn output_is_kept_on_request() {
    let code = "import sys\nprint('abcdef')\nprint('ghijkl', file=sys.stderr)";
    let verdicts = Lab::new().judge(
        &[script("s", code, &[("", "abcdef\n")])],
        &["--keep-output", "3"],
    );
    let case = &verdicts[0]["cases"][0];
    assert_eq!(
        (&case["stdout"], &case["stderr"]),
        (&json!("abc"), &json!("ghi"))
    );
    assert_eq!(case["stderr_tail"], Value::Null);
}

#[test]
fn a_verdict_keeps_so_much_output_of_all_its_tests_and_no_more() {
    // In bytes that are no text, each of which is kept as three.
    let code = r"import sys; sys.stdout.buffer.write(b'\xff' * 2_000_000)";
    let tests = ["1", "2", "3", "4"].map(|input| (input, ""));
    let solution = script("s", code, &tests);
    let verdicts = Lab::new().judge(&[solution], &["--keep-output", "100000000"]);
    let cases = verdicts[0]["cases"].as_array().unwrap();
    let kept = cases
        .iter()
        .map(|case| case["stdout"].as_str().unwrap().len());
    let kept: Vec<usize> = kept.collect();
    assert_eq!(kept[..2], [6_000_000, 6_000_000]);
    assert!(
        kept.iter().sum::<usize>() <= 16 << 20 && kept[3] == 0,
        "{kept:?}"
    );
}

#[test]
fn verdicts_come_in_the_order_of_the_solutions() {
    let solutions: Vec<Value> = (0..24)
        .map(|i| {
            let spin = if i % 8 == 0 { 4_000_000 } else { 0 };
            script(
                &format!("s{i}"),
                &format!("for _ in range({spin}): pass\nprint({i})"),
                &[("", &format!("{i}\n"))],
            )
        })
        .collect();
    let verdicts = Lab::new().judge(&solutions, &["--workers", "4"]);
    let ids: Vec<&str> = verdicts
        .iter()
        .map(|verdict| verdict["id"].as_str().unwrap())
        .collect();
    let expected: Vec<String> = (0..24).map(|i| format!("s{i}")).collect();
    assert_eq!(ids, expected);
    assert!(
        verdicts
            .iter()
            .all(|verdict| verdict["verdict"] == "accepted")
    );
}

#[test]
fn a_time_near_the_limit_is_measured_again_alone() {
    let spin = "import time\nwhile time.process_time() < 0.52: pass";
    let near = with(script("near", spin, &[("", "")]), "time_limit", json!(0.5));
    let far = with(script("far", spin, &[("", "")]), "time_limit", json!(0.2));
    let below = with(script("below", spin, &[("", "")]), "time_limit", json!(2));
    let verdicts = Lab::new().judge(&[near, far, below], &["--workers", "2"]);
    let reruns: Vec<&Value> = verdicts
        .iter()
        .map(|verdict| &verdict["cases"][0]["reruns"])
        .collect();
    assert_eq!(reruns, [&json!(1), &Value::Null, &Value::Null]);
    insta::assert_snapshot!(outline(&verdicts), @r#"
    near time_limit 0/1 [time_limit cpu]
    far time_limit 0/1 [time_limit cpu]
    below accepted 1/1 [accepted exact]
    "#);
}

#[test]
fn rewards_follow_the_function_that_is_named() {
    let tests = [("", "1\n"), ("", "2\n")];
    let solutions = [
        script("half", "print(1)", &tests),
        script("raises", "1/0", &tests),
        script("broken", "print(", &tests),
        examined(
            "failed",
            "def f(g): return g(1)",
            "assert f(compile('1', '', 'eval')) == 1",
        ),
    ];
    let lab = Lab::new();
    let rewards = |name: &str| -> Vec<Value> {
        let verdicts = lab.judge(&solutions, &["--reward", name]);
        verdicts
            .iter()
            .map(|verdict| verdict["reward"].clone())
            .collect()
    };
    assert_eq!(
        rewards("binary"),
        [json!(0.0), json!(0.0), json!(0.0), Value::Null]
    );
    assert_eq!(
        rewards("fraction"),
        [json!(0.5), json!(0.0), json!(0.0), Value::Null]
    );
    assert_eq!(
        rewards("coarse"),
        [json!(-0.3), json!(-0.6), json!(-1.0), Value::Null]
    );
}

#[test]
fn what_protected_a_run_is_in_its_verdict() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[script("s", "print(1)", &[("", "1\n")])]);
    let full = lab.run(&["judge", "s.jsonl"]);
    let isolation = &parse(&full.stdout)[0]["isolation"];
    assert_eq!(isolation["seccomp"], json!(true));
    assert!(
        isolation["namespaces"]
            .as_array()
            .is_some_and(|names| names.len() > 3)
    );
}

#[test]
fn reduced_isolation_is_refused_to_root() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[script("s", "print(1)", &[("", "1\n")])]);
    let mut command = Command::new("unshare");
    command
        .args(["--user", "--map-root-user", env!("CARGO_BIN_EXE_mc-eval")])
        .args(["judge", "s.jsonl", "--isolation", "reduced"])
        .current_dir(lab.path(""));
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{said}");
    assert!(output.stdout.is_empty());
    assert!(said.contains("run by root"), "{said}");
}

#[test]
fn reduced_isolation_is_in_the_verdict_of_an_ordinary_user() {
    const NOBODY: u32 = 65534;
    let lab = Lab::new();
    lab.lines("s.jsonl", &[script("s", "print(1)", &[("", "1\n")])]);
    let mut arguments = vec!["judge", "s.jsonl", "--isolation", "reduced"];
    let mut command = lab.command(&[]);
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        // What root has may lie where no other user gets to.
        fs::set_permissions(lab.path(""), Permissions::from_mode(0o755)).unwrap();
        // By a process of its own: what other threads start would hold a file that is open here for writing, which cannot be run.
        let mut copy = Command::new("cp");
        let copied = copy
            .arg(env!("CARGO_BIN_EXE_mc-eval"))
            .arg(lab.path("mc-eval"))
            .status();
        assert!(copied.unwrap().success());
        command = Command::new(lab.path("mc-eval"));
        command.current_dir(lab.path("")).uid(NOBODY).gid(NOBODY);
        arguments.extend(["--python", "/usr/bin/python3"]);
    }
    let output = command.args(arguments).output().unwrap();
    let verdicts = parse(&String::from_utf8(output.stdout).unwrap());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(verdicts.len(), 1, "{said}");
    assert_eq!(verdicts[0]["verdict"], "accepted");
    assert_eq!(verdicts[0]["isolation"]["namespaces"], json!([]));
}

#[test]
fn no_isolation_is_refused_unless_it_is_accepted() {
    let lab = Lab::new();
    let sees = "import os\nprint(os.path.exists('/proc/self/status'))";
    lab.lines("s.jsonl", &[script("s", sees, &[("", "True\n")])]);
    let judge = ["judge", "s.jsonl", "--python", "/usr/bin/python3"];
    let none = [&judge[..], &["--isolation", "none"]].concat();
    let refused = lab.run(&none);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stdout.is_empty());
    assert!(refused.stderr.contains("--i-accept-no-isolation"));
    let accepted = lab.run(&[&none[..], &["--i-accept-no-isolation"]].concat());
    let verdict = &parse(&accepted.stdout)[0];
    assert_eq!(verdict["verdict"], "accepted", "{verdict}");
    let isolation = &verdict["isolation"];
    assert_eq!(isolation["namespaces"], json!([]));
    assert_eq!(isolation["seccomp"], json!(false));
    assert_eq!(isolation["landlock"], json!(0));
    assert!(
        accepted
            .stderr
            .contains("no namespaces; no seccomp; no landlock")
    );
    // To accept it changes nothing where more is asked for.
    let full = lab.run(&[&judge[..], &["--i-accept-no-isolation"]].concat());
    let verdict = &parse(&full.stdout)[0];
    assert_eq!(verdict["verdict"], "wrong_answer");
    assert_eq!(verdict["isolation"]["seccomp"], json!(true));
}

#[test]
fn less_isolation_than_is_asked_for_is_an_error_with_a_hint() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[script("s", "print(1)", &[("", "1\n")])]);
    let other_kernel = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../sandbox/tests/run/other_kernel.py"
    );
    for call in ["unshare", "seccomp", "landlock_create_ruleset"] {
        let output = Command::new("python3")
            .args([other_kernel, "--without", call])
            .args([env!("CARGO_BIN_EXE_mc-eval"), "judge", "s.jsonl"])
            .current_dir(lab.path(""))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{said}");
        assert!(output.stdout.is_empty());
        assert!(said.contains("isolation is not available"), "{said}");
        assert!(said.contains("mc-eval doctor"), "{said}");
    }
}
