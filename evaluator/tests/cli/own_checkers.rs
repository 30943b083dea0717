//! A problem's own checker that does not decide: whose doing that is.

use serde_json::{Value, json};

use crate::lab::{Lab, outline, script, with};

/// As most are written: what is no number ends it.
const KATTIS: &str = "
import sys
answer = int(open(sys.argv[2]).read())
output = int(sys.stdin.read())
sys.exit(42 if answer == output else 43)
";

const CODEFORCES: &str = "
import sys
answer, output = (int(open(path).read()) for path in sys.argv[2:4])
print(1 if answer == output else 0)
";

/// In testlib's way, with an index that is not looked at.
const TESTLIB: &str = r#"
#include <fstream>
#include <vector>
int main(int, char **arguments) {
    std::ifstream output(arguments[2]), answer(arguments[3]);
    long long found = 0, wanted = 0;
    output >> found;
    answer >> wanted;
    std::vector<int> seen(10);
    return ++seen.data()[found] && found == wanted ? 0 : 1;
}"#;

/// An interactor that wants a number between 0 and 9 at once.
const GUESSED: &str = "
import sys
wanted = int(open(sys.argv[1]).read())
print('guess', flush=True)
places = [43] * 10
places[wanted] = 42
sys.exit(places[int(input())])
";

fn program(source: &str, style: &str, language: &str) -> Value {
    json!({"language": language, "source": source, "style": style})
}

fn judged(checker: &Value, expected: &str, programs: &[(&str, &str)]) -> Vec<Value> {
    let solution = |(id, code): &(&str, &str)| {
        with(
            script(id, code, &[("4", expected)]),
            "checker",
            checker.clone(),
        )
    };
    let solutions: Vec<Value> = programs.iter().map(solution).collect();
    Lab::new().judge(&solutions, &[])
}

#[test]
fn what_it_cannot_take_is_wrong_where_it_can_take_the_expected_answer() {
    let programs = [
        ("right", "print(4)"),
        ("wrong", "print(5)"),
        ("word", "print('x')"),
        ("nothing", ""),
        ("long", "print('9' * 5000)"),
        ("bytes", "import sys; sys.stdout.buffer.write(b'\\xff')"),
    ];
    for (source, style) in [(KATTIS, "kattis"), (CODEFORCES, "codeforces")] {
        let verdicts = judged(&program(source, style, "python"), "4\n", &programs);
        assert_eq!(verdicts[0]["verdict"], "accepted", "{style}");
        for verdict in &verdicts[1..] {
            assert_eq!(verdict["verdict"], "wrong_answer", "{style}: {verdict}");
            assert_eq!(verdict["reward"], 0.0, "{style}");
        }
        let words = verdicts[2]["cases"][0]["message"].as_str().unwrap();
        let wanted = "the problem's checker exited with status 1: ValueError: invalid literal for int() with base 10: 'x\\n' \
                      (and not on the expected answer)";
        assert_eq!(words, wanted);
    }
}

#[test]
fn so_is_what_has_it_killed_or_take_all_its_memory() {
    let hungry = KATTIS.replace(
        "sys.exit",
        "all = [0] * (output // 10**9 * 10**9)\nsys.exit",
    );
    let programs = [
        ("right", "print(4)"),
        ("wrong", "print(5)"),
        ("far", "print(10**15)"),
    ];
    let killed = judged(&program(TESTLIB, "testlib", "cpp"), "4\n", &programs);
    insta::assert_snapshot!(outline(&killed), @r"
    right accepted 1/1 [accepted checker]
    wrong wrong_answer 0/1 [wrong_answer]
    far wrong_answer 0/1 [wrong_answer the problem's checker was ended by signal 11 (and not on the expected answer)]
    ");
    let verdicts = judged(&program(&hungry, "kattis", "python"), "4\n", &programs);
    assert_eq!(verdicts[0]["verdict"], "accepted");
    assert_eq!(verdicts[2]["verdict"], "wrong_answer", "{}", verdicts[2]);
}

/// What is expected need not be an output: it may be the best length, and outputs are what has it.
#[test]
fn it_need_not_accept_the_expected_answer_but_decide_about_it() {
    let never = program(&KATTIS.replace("42 if", "43 if"), "kattis", "python");
    let verdict = &judged(&never, "4\n", &[("word", "print('x')")])[0];
    assert_eq!(verdict["verdict"], "wrong_answer", "{verdict}");
}

#[test]
fn one_that_fails_on_the_expected_answer_too_decides_nothing() {
    let cases = [
        // Neither is a number.
        (KATTIS.to_owned(), "four\n"),
        ("raise ValueError('always')".to_owned(), "4\n"),
        ("pass".to_owned(), "4\n"),
    ];
    for (source, expected) in cases {
        let checker = program(&source, "kattis", "python");
        let verdict = &judged(&checker, expected, &[("any", "print('x')")])[0];
        assert_eq!(verdict["verdict"], "judge_failed", "{source}");
        assert_eq!(verdict["reward"], Value::Null);
    }
}

/// An output that is better than the jury's answer may have a checker say that it fails: nobody chooses a verdict by that.
#[test]
fn one_that_says_that_it_fails_is_asked_about_the_expected_answer() {
    let testlib = "import sys\np, j = (int(open(sys.argv[at]).read()) for at in (2, 3))\n\
                   if p > j:\n    sys.exit(3)\nsys.exit(0 if p == j else 1)";
    let kattis = "import sys\np, j = int(sys.stdin.read()), int(open(sys.argv[2]).read())\n\
                  if p > j:\n    open(sys.argv[3] + 'judgeerror.txt', 'w').write('better')\n    sys.exit(1)\n\
                  sys.exit(42 if p == j else 43)";
    let programs = [
        ("right", "print(4)"),
        ("far", "print(99)"),
        ("near", "print(3)"),
    ];
    for (source, style) in [(testlib, "testlib"), (kattis, "kattis")] {
        let checker = program(source, style, "python");
        let verdicts = judged(&checker, "4\n", &programs);
        let found: Vec<&Value> = verdicts.iter().map(|verdict| &verdict["verdict"]).collect();
        assert_eq!(
            found,
            ["accepted", "wrong_answer", "wrong_answer"],
            "{style}"
        );
    }
    let always = program("import sys\nsys.exit(3)", "testlib", "python");
    let verdict = &judged(&always, "4\n", &[("any", "print(4)")])[0];
    assert_eq!(verdict["verdict"], "judge_failed");
}

/// To testlib's way status 1 is a wrong answer, and to Python an exception that nothing caught.
#[test]
fn an_exception_that_nothing_catches_is_no_rejection() {
    let programs = [("right", "print(4)"), ("word", "print('x')")];
    for broken in ["import sys\nprint(foo)", "def f(:\n    pass"] {
        let verdicts = judged(&program(broken, "testlib", "python"), "4\n", &programs);
        for verdict in verdicts {
            assert_eq!(verdict["verdict"], "judge_failed", "{broken}");
        }
    }
    // Where it can take the expected answer, it is the output that it cannot take.
    let compares = "import sys\np, j = (int(open(sys.argv[at]).read()) for at in (2, 3))\n\
                    sys.exit(0 if p == j else 1)";
    let verdicts = judged(&program(compares, "testlib", "python"), "4\n", &programs);
    let found: Vec<&Value> = verdicts.iter().map(|verdict| &verdict["verdict"]).collect();
    assert_eq!(found, ["accepted", "wrong_answer"]);
}

/// An answer that is no output, as where there are many, shows nothing of a checker.
#[test]
fn what_it_cannot_take_is_wrong_where_it_can_take_another_output() {
    let any_even = "import sys\nsys.exit(43 if int(sys.stdin.read()) % 2 else 42)";
    for expected in ["", "any\n"] {
        let checker = program(any_even, "kattis", "python");
        let programs = [
            ("right", "print(4)"),
            ("odd", "print(5)"),
            ("word", "print('x')"),
        ];
        let verdicts = judged(&checker, expected, &programs);
        let found: Vec<&Value> = verdicts.iter().map(|verdict| &verdict["verdict"]).collect();
        assert_eq!(found, ["accepted", "wrong_answer", "wrong_answer"]);
    }
}

/// Where no output that is made up is one that it can take, that it fails in another way on each shows that it reads them.
#[test]
fn what_it_cannot_take_is_wrong_where_its_failures_differ() {
    let two_numbers = "import sys\na, b = map(int, open(sys.argv[3]).read().split())\nprint(int(a + b == 5 and a > 2))";
    let blind = "import sys\nopen(sys.argv[3]).read()\nraise ValueError('always')";
    for expected in ["", "any\n"] {
        let programs = [
            ("right", "print(3, 2)"),
            ("wrong", "print(2, 3)"),
            ("word", "print('x')"),
            ("nothing", ""),
        ];
        let verdicts = judged(
            &program(two_numbers, "codeforces", "python"),
            expected,
            &programs,
        );
        let found: Vec<&Value> = verdicts.iter().map(|verdict| &verdict["verdict"]).collect();
        assert_eq!(
            found,
            ["accepted", "wrong_answer", "wrong_answer", "wrong_answer"]
        );
        let verdict = &judged(&program(blind, "codeforces", "python"), expected, &programs)[0];
        assert_eq!(verdict["verdict"], "judge_failed", "{verdict}");
    }
}

#[test]
fn points_beyond_all_numbers_are_none() {
    let points =
        "import sys\nprint(open(sys.argv[2]).read(), 'points', file=sys.stderr)\nsys.exit(7)";
    let checker = program(points, "testlib", "python");
    let programs = [
        ("some", "print(4)"),
        ("inf", "print('inf')"),
        ("none", "print(0)"),
    ];
    let verdicts = judged(&checker, "4\n", &programs);
    let found: Vec<&Value> = verdicts.iter().map(|verdict| &verdict["verdict"]).collect();
    assert_eq!(found, ["accepted", "wrong_answer", "wrong_answer"]);
    let two = program("print(2)", "codeforces", "python");
    let verdict = &judged(&two, "4\n", &[("any", "print(4)")])[0];
    assert_eq!(verdict["verdict"], "wrong_answer", "{verdict}");
}

#[test]
fn however_it_fails_the_output_has_it_do_so() {
    let fails = "if output == 5: ";
    let checker = |statement: &str| {
        let source = KATTIS.replace("sys.exit", &format!("{fails}{statement}\nsys.exit"));
        program(&source, "kattis", "python")
    };
    let says = "open(sys.argv[3] + 'judgeerror.txt', 'w').write('better than ours'); sys.exit(1)";
    let programs = [("better", "print(5)"), ("other", "print(6)")];
    let verdicts = judged(&checker(says), "4\n", &programs);
    assert_eq!(verdicts[0]["verdict"], "wrong_answer");
    let wanted = "the problem's checker says that it fails: better than ours (and not on the expected answer)";
    assert_eq!(verdicts[0]["cases"][0]["message"], wanted);
    assert_eq!(verdicts[1]["verdict"], "wrong_answer");
    // Words that it may have of the output.
    let quotes = "open(sys.argv[3] + 'judgemessage.txt', 'w').write('FAIL 5'); sys.exit(1)";
    let quotes = judged(&checker(quotes), "4\n", &[("worse", "print(5)")]);
    assert_eq!(quotes[0]["verdict"], "wrong_answer");
    // By a status alone each language reports what nobody caught, and some authors an output that they cannot take.
    for status in [1, 2, 3, 13, 101, 120] {
        let leaves = checker(&format!("sys.exit({status})"));
        let left = judged(&leaves, "4\n", &[("worse", "print(5)")]);
        assert_eq!(left[0]["verdict"], "wrong_answer", "{status}");
    }
    let testlib = TESTLIB.replace("std::vector", "if (found == 5) return 3;\nstd::vector");
    let verdicts = judged(
        &program(&testlib, "testlib", "cpp"),
        "4\n",
        &[("better", "print(5)")],
    );
    assert_eq!(verdicts[0]["verdict"], "wrong_answer");
}

fn talked(source: &str, programs: &[(&str, &str)]) -> String {
    let mut interactor = program(source, "kattis", "python");
    interactor["interactive"] = json!(true);
    outline(&judged(&interactor, "4\n", programs))
}

#[test]
fn what_an_interactor_cannot_take_is_wrong_where_it_does_well_until_it_hears_it() {
    let programs = [
        ("right", "input(); print(4)"),
        ("wrong", "print(5)"),
        ("word", "print('x')"),
        ("far", "print(11)"),
        ("silent", ""),
        ("crash", "1/0"),
    ];
    insta::assert_snapshot!(talked(GUESSED, &programs), @r"
    right accepted 1/1 [accepted interactor]
    wrong wrong_answer 0/1 [wrong_answer]
    word wrong_answer 0/1 [wrong_answer the problem's interactor exited with status 1: ValueError: invalid literal for int() with base 10: 'x' (and not before the solution says a word)]
    far wrong_answer 0/1 [wrong_answer the problem's interactor exited with status 1: IndexError: list index out of range (and not before the solution says a word)]
    silent wrong_answer 0/1 [wrong_answer the problem's interactor exited with status 1: EOFError: EOF when reading a line (and not before the solution says a word)]
    crash runtime_error 0/1 [runtime_error exit=1]
    ");
    let broken = GUESSED.replace("print('guess'", "int('y'); print('guess'");
    let verdicts = talked(&broken, &programs[1..3]);
    assert_eq!(
        verdicts.matches(" judge_failed 0/1 ").count(),
        2,
        "{verdicts}"
    );
    let timed = GUESSED.replace(
        "print('guess'",
        "import signal; signal.alarm(1); print('guess'",
    );
    let sleeps = [
        ("right", "input(); print(4)"),
        ("sleeps", "import time; time.sleep(3); print(4)"),
    ];
    insta::assert_snapshot!(talked(&timed, &sleeps), @r"
    right accepted 1/1 [accepted interactor]
    sleeps wrong_answer 0/1 [wrong_answer exit=120 the problem's interactor was ended by signal 14 (and not before the solution says a word)]
    ");
    let says = "open(sys.argv[3] + 'judgeerror.txt', 'w').write('cannot') and sys.exit(1)";
    let fails = GUESSED.replace(
        "places = ",
        &format!("places = input() == '5' and {says} or "),
    );
    let verdict = talked(&fails, &programs[1..2]);
    assert!(verdict.starts_with("wrong wrong_answer 0/1 "), "{verdict}");
}

/// A status of its own says no more than a crash.
#[test]
fn an_interactor_that_leaves_because_the_solution_did_is_no_way_out() {
    let hears = "import sys
print('guess', flush=True)
try:
    word = input()
except EOFError:
    sys.exit(9)
sys.exit(42 if word == '4' else 43)";
    let waits = "import select, sys
if not select.select([0], [], [], 1)[0]:
    sys.exit(7)
sys.exit(42 if input() == '4' else 43)";
    let programs = [("right", "print(4)"), ("silent", ""), ("crash", "1/0")];
    insta::assert_snapshot!(talked(hears, &programs), @r"
    right accepted 1/1 [accepted interactor]
    silent wrong_answer 0/1 [wrong_answer the problem's interactor exited with status 9 (and not before the solution says a word)]
    crash runtime_error 0/1 [runtime_error exit=1]
    ");
    let late = [("late", "import time; time.sleep(2); print(4)")];
    insta::assert_snapshot!(talked(waits, &late), @r"
    late wrong_answer 0/1 [wrong_answer exit=120 the problem's interactor exited with status 7 (and not before the solution says a word)]
    ");
    let never = talked("import sys; sys.exit(9)", &programs[..1]);
    assert!(never.contains("judge_failed"), "{never}");
}

/// By an assertion, or a status of its own, it says of what it has read that it is wrong, though it would say so of all that
/// is made up.
#[test]
fn what_it_asserts_of_an_output_it_has_read_is_a_rejection() {
    let asserts = r#"
#include <cassert>
#include <cstdlib>
#include <fstream>
#include <string>
int main(int, char **arguments) {
    std::ifstream output(arguments[2]), answer(arguments[3]);
    std::string mark;
    int found = 0, wanted = 0;
    answer >> wanted;
    assert(wanted > 0);
    output >> mark;
    assert(mark == "!");
    output >> found;
    return found == wanted ? 0 : 1;
}"#;
    let aborts = asserts.replace(r#"assert(mark == "!")"#, r#"if (mark != "!") abort()"#);
    let leaves = asserts.replace(r#"assert(mark == "!")"#, r#"if (mark != "!") return 5"#);
    let programs = [("right", "print('! 4')"), ("wrong", "print('x')")];
    let fails = asserts.replace(r#"assert(mark == "!")"#, r#"if (mark != "!") return 3"#);
    for source in [asserts, &aborts, &leaves, &fails] {
        let checker = program(source, "testlib", "cpp");
        let verdicts = judged(&checker, "4\n", &programs);
        let found: Vec<&Value> = verdicts.iter().map(|verdict| &verdict["verdict"]).collect();
        assert_eq!(found, ["accepted", "wrong_answer"], "{source}");
        // What it asserts of the problem's own files, no output has it do.
        let verdict = &judged(&checker, "-4\n", &programs[1..])[0];
        assert_eq!(verdict["verdict"], "judge_failed", "{verdict}");
    }
}

#[test]
fn what_an_interactor_asserts_of_what_it_heard_is_a_rejection() {
    let hears = "import select, sys
wanted = open(sys.argv[1]).read().strip()
assert select.select([0], [], [], 0.3)[0]
assert input() == 'HELLO'
sys.exit(42 if input() == wanted else 43)";
    let programs = [
        ("right", "print('HELLO'); print(4)"),
        ("silent", "import time; time.sleep(2)"),
        ("word", "print('x', flush=True); import time; time.sleep(1)"),
    ];
    let talk = talked(hears, &programs);
    assert!(talk.contains("right accepted"), "{talk}");
    assert_eq!(talk.matches(" wrong_answer ").count(), 2, "{talk}");
    for broken in ["assert len(wanted) > 1", "wanted.missing"] {
        let talk = talked(
            &hears.replace("assert sel", &format!("{broken}; assert sel")),
            &programs[2..],
        );
        assert!(talk.contains("word judge_failed"), "{broken}: {talk}");
    }
}

/// Node leaves with status 13 where it waits for what cannot come any more.
#[test]
fn a_checker_that_waits_for_more_output_in_vain_is_no_way_out() {
    let source = "import { createInterface } from 'readline';
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const next = async () => {
    const { value, done } = await lines.next();
    return done ? new Promise(() => {}) : value;
};
const both = [await next(), await next()];
process.exit(both.join(' ') === '3 ok' ? 42 : 43);
";
    let checker = program(source, "kattis", "javascript");
    let programs = [("right", "print(3); print('ok')"), ("nothing", "")];
    let verdicts = judged(&checker, "3\nok\n", &programs);
    assert_eq!(verdicts[0]["verdict"], "accepted", "{}", verdicts[0]);
    assert_eq!(verdicts[1]["verdict"], "wrong_answer", "{}", verdicts[1]);
}

/// Points are those of a right answer only where there are no more: one whole, or as many as the expected answer earns.
#[test]
fn what_earns_some_of_the_points_is_not_right() {
    let says = |counts: &str| {
        let source = format!(
            "import sys\ngot, want = (open(path).read().split() for path in sys.argv[2:4])\n\
             right = sum(a == b for a, b in zip(got, want))\n{counts}"
        );
        program(&source, "testlib", "python")
    };
    let points = |number: &str| {
        says(&format!(
            "print('points', {number}, file=sys.stderr)\nsys.exit(7)"
        ))
    };
    let programs = [
        ("all", "print(1, 2, 3, 4)"),
        ("one", "print(1, 0, 0, 0)"),
        ("none", "print(0)"),
    ];
    let percent = says("sys.exit(16 + 25 * right)");
    let or_ok = says("sys.exit(0 if right == 4 else 16 + 25 * right if right else 1)");
    let ok_or_points = says(
        "print('points', right, file=sys.stderr)\nsys.exit(0 if right == 4 else 7 if right else 1)",
    );
    for (checker, of_one) in [
        (percent, 0.25),
        (or_ok, 0.25),
        (ok_or_points, 1.0),
        (points("right / 4"), 0.25),
        (points("right"), 1.0),
        (points("25 * right"), 25.0),
    ] {
        let verdicts = judged(&checker, "1 2 3 4\n", &programs);
        let found: Vec<&Value> = verdicts.iter().map(|it| &it["verdict"]).collect();
        assert_eq!(
            found,
            ["accepted", "wrong_answer", "wrong_answer"],
            "{checker}"
        );
        let rewards: Vec<f64> = verdicts
            .iter()
            .flat_map(|it| it["reward"].as_f64())
            .collect();
        assert_eq!(rewards, [1.0, 0.0, 0.0], "{checker}");
        assert_eq!(verdicts[1]["score"], of_one, "{checker}");
    }
}

/// The same of a validator's files.
#[test]
fn a_share_of_the_points_is_not_right() {
    for (file, full, half) in [
        ("score.txt", "8", "4"),
        ("score_multiplier.txt", "1", "0.5"),
    ] {
        let source = format!(
            "import sys\nright = sys.stdin.read() == open(sys.argv[2]).read()\n\
             open(sys.argv[3] + '{file}', 'w').write('{full}' if right else '{half}')\nsys.exit(42)"
        );
        let programs = [("all", "print(4)"), ("half", "print(5)")];
        let verdicts = judged(&program(&source, "kattis", "python"), "4\n", &programs);
        let found: Vec<&Value> = verdicts.iter().map(|it| &it["verdict"]).collect();
        assert_eq!(found, ["accepted", "wrong_answer"], "{file}");
        assert_eq!(verdicts[1]["reward"], 0.0, "{file}");
    }
}
