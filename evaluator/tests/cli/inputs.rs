//! Where solutions and problems come from, and what becomes of invalid ones.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::lab::{Lab, examined, outline, parse, script, with};

fn problem(id: &str, output: &str) -> Value {
    json!({"id": id, "kind": "stdin", "tests": [{"input": "", "output": output}]})
}

fn solution(id: &str, problem: &str) -> Value {
    json!({"id": id, "problem_id": problem, "code": "print(1)"})
}

#[test]
fn problems_are_found_beside_the_solutions_or_by_name() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[solution("a", "one")]);
    let missing = lab.run(&["judge", "s.jsonl"]);
    assert_eq!(missing.code, Some(3));
    insta::assert_snapshot!(missing.stderr, @r#"
    error: s.jsonl:1: field "problem_id": "one" has no tests in its line, and no problem file was given (--problems)
    hint: --skip-invalid skips invalid lines
    "#);
    lab.lines("problems.jsonl", &[problem("one", "1\n")]);
    lab.lines("other.jsonl", &[problem("one", "2\n")]);
    insta::assert_snapshot!(outline(&parse(&lab.run(&["judge", "s.jsonl"]).stdout)), @"a accepted 1/1 [accepted exact]");
    let named = lab.run(&["judge", "s.jsonl", "--problems", "other.jsonl"]);
    insta::assert_snapshot!(outline(&parse(&named.stdout)), @"a wrong_answer 0/1 [wrong_answer]");
}

#[test]
fn named_problems_come_before_a_lines_own_tests() {
    let lab = Lab::new();
    lab.lines("s.jsonl", &[script("a", "print(1)", &[("", "1\n")])]);
    lab.lines("problems.jsonl", &[problem("p-a", "2\n")]);
    assert_eq!(
        parse(&lab.run(&["judge", "s.jsonl"]).stdout)[0]["verdict"],
        "accepted"
    );
    let named = lab.run(&["judge", "s.jsonl", "--problems", "problems.jsonl"]);
    assert_eq!(parse(&named.stdout)[0]["verdict"], "wrong_answer");
}

#[test]
fn plain_gzip_zstandard_and_standard_input() {
    let lab = Lab::new();
    let lines = format!("{}\n", script("a", "print(1)", &[("", "1\n")]));
    for (name, program) in [("s.jsonl.gz", "gzip"), ("s.jsonl.zst", "zstd")] {
        let mut child = Command::new(program)
            .args(["-c", "-q"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(lines.as_bytes())
            .unwrap();
        lab.write(name, child.wait_with_output().unwrap().stdout);
        assert_eq!(
            parse(&lab.run(&["judge", name]).stdout)[0]["verdict"],
            "accepted",
            "{name}"
        );
    }
    let piped = lab.run_with_input(&["judge", "-"], lines.as_bytes());
    assert_eq!(parse(&piped.stdout)[0]["verdict"], "accepted");
}

#[test]
fn an_invalid_line_ends_the_run_after_the_verdicts_before_it() {
    let lab = Lab::new();
    let good = script("a", "print(1)", &[("", "1\n")]);
    let bad = script("b", "print(1)", &[]);
    let unread = script("c", "print(1)", &[("", "1\n")]);
    lab.lines("s.jsonl", &[good, bad, unread]);
    let ran = lab.run(&["judge", "s.jsonl"]);
    assert_eq!(ran.code, Some(3));
    insta::assert_snapshot!(ran.stderr, @r#"
    error: s.jsonl:2: field "tests": has no tests
    hint: --skip-invalid skips invalid lines
    "#);
    insta::assert_snapshot!(outline(&parse(&ran.stdout)), @"a accepted 1/1 [accepted exact]");
}

#[test]
fn skip_invalid_goes_on_and_counts() {
    let lab = Lab::new();
    let lines = [
        script("a", "print(1)", &[("", "1\n")]).to_string(),
        "{\"id\": \"torn".to_owned(),
        solution("b", "unknown").to_string(),
        script("c", "print(1)", &[("", "1\n")]).to_string(),
    ];
    lab.write("s.jsonl", lines.join("\n"));
    let ran = lab.run(&[
        "judge",
        "s.jsonl",
        "--skip-invalid",
        "--out",
        "v.jsonl",
        "--json",
    ]);
    assert_eq!(ran.code, Some(3));
    insta::assert_snapshot!(ran.stderr, @r#"
    skipped: s.jsonl:2: is cut off at column 12: EOF while parsing a string
    skipped: s.jsonl:3: field "problem_id": "unknown" has no tests in its line, and no problem file was given (--problems)
    "#);
    insta::assert_snapshot!(outline(&lab.verdicts("v.jsonl")), @r#"
    a accepted 1/1 [accepted exact]
    c accepted 1/1 [accepted exact]
    "#);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["invalid"], json!(2));
}

#[test]
fn names_of_other_schemas_are_told_by_their_name_here() {
    let lab = Lab::new();
    lab.lines(
        "s.jsonl",
        &[
            json!({"task_id": "one", "code": "print(1)", "tests": [{"input": "", "output": ""}]}),
            json!({"question_id": "one", "code": "print(1)", "kind": "stdin"}),
            json!({"problem_id": "one", "generation": "print(1)"}),
            json!({"problem_id": "one", "code": "print(1)", "task_id": "metadata"}),
        ],
    );
    lab.lines("problems.jsonl", &[problem("one", "1\n")]);
    let ran = lab.run(&["judge", "s.jsonl", "--skip-invalid", "--out", "v.jsonl"]);
    insta::assert_snapshot!(ran.stderr, @r#"
    skipped: s.jsonl:1: field "task_id": is not recognised here; did you mean "problem_id"?
    skipped: s.jsonl:2: field "question_id": is not recognised here; did you mean "problem_id"?
    skipped: s.jsonl:3: field "generation": is not recognised; did you mean "response"?
    "#);
    assert_eq!(lab.verdicts("v.jsonl").len(), 1);
}

#[test]
fn other_compressions_are_named_as_such() {
    let lab = Lab::new();
    lab.write("s.jsonl.bz2", b"BZh91AY&SY");
    let ran = lab.run(&["judge", "s.jsonl.bz2"]);
    assert_eq!(ran.code, Some(3));
    insta::assert_snapshot!(ran.stderr, @"error: s.jsonl.bz2: is compressed, but with neither gzip nor zstd");
}

#[test]
fn a_tag_behind_the_closing_fence_is_not_part_of_the_program() {
    let lab = Lab::new();
    lab.lines("problems.jsonl", &[problem("one", "1\n")]);
    let responses = [
        "</answer>",
        "<|im_end|>",
        " <|return|>",
        "</s>\nSo it prints 1.",
    ];
    let solutions = responses.map(|end| {
        let response = format!("<answer>\n```python\nprint(1)\n```{end}");
        json!({"problem_id": "one", "response": response})
    });
    lab.lines("s.jsonl", &solutions);
    let ran = lab.run(&["judge", "s.jsonl"]);
    insta::assert_snapshot!(outline(&parse(&ran.stdout)), @"
    one#0 accepted 1/1 [accepted exact]
    one#1 accepted 1/1 [accepted exact]
    one#2 accepted 1/1 [accepted exact]
    one#3 accepted 1/1 [accepted exact]
    ");
}

#[test]
fn checks_that_nothing_calls_are_no_test() {
    let lab = Lab::new();
    let check = "def check(candidate):\n    assert candidate() == 1\n";
    let code = "def f(): return 2";
    lab.lines("s.jsonl", &[examined("a", code, check)]);
    let ran = lab.run(&["judge", "s.jsonl"]);
    assert_eq!(ran.code, Some(3));
    insta::assert_snapshot!(ran.stderr, @r#"
    error: s.jsonl:1: field "tests[0].code": defines check but never calls it; add check(candidate)
    hint: --skip-invalid skips invalid lines
    "#);
    let called = format!("{check}check(candidate)");
    let verdicts = lab.judge(&[examined("a", code, &called)], &[]);
    assert_eq!(verdicts[0]["verdict"], "wrong_answer");
}

/// A client that writes a line and waits for the answer gets one, even to a line that cannot be judged.
#[test]
fn a_client_that_waits_gets_an_answer_to_every_line() {
    let lab = Lab::new();
    lab.lines("problems.jsonl", &[problem("one", "1\n")]);
    let mut client = lab
        .command(&[
            "judge",
            "-",
            "--problems",
            "problems.jsonl",
            "--skip-invalid",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = client.stdin.take().unwrap();
    let mut answers = BufReader::new(client.stdout.take().unwrap()).lines();
    let right = r#"{"id":"a","problem_id":"one","code":"print(1)"}"#;
    let mut ask = |line: &str| -> Value {
        writeln!(input, "{line}").unwrap();
        serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap()
    };
    assert_eq!(ask(right)["verdict"], "accepted");
    assert_eq!(
        ask(r#"{"problem_id":"one","code":7}"#),
        json!({"error": "must be a string, not a number", "file": "-", "line": 2, "field": "code"})
    );
    assert_eq!(ask("no JSON")["line"], 3);
    let unknown = right.replace("one", "two").replace("\"a\"", "\"c\"");
    assert_eq!(ask(&unknown)["field"], "problem_id");
    assert_eq!(ask(&right.replace("\"a\"", "\"b\""))["verdict"], "accepted");
    drop(input);
    assert_eq!(client.wait().unwrap().code(), Some(3));
}

/// In a file, which nobody waits at, only verdicts stand.
#[test]
fn a_verdict_file_holds_no_answers_to_invalid_lines() {
    let lab = Lab::new();
    lab.lines("problems.jsonl", &[problem("one", "1\n")]);
    lab.write(
        "s.jsonl",
        "{\"problem_id\":\"one\",\"code\":7}\n{\"problem_id\":\"one\",\"code\":\"print(1)\"}\n",
    );
    let ran = lab.run(&["judge", "s.jsonl", "--skip-invalid", "--out", "v.jsonl"]);
    assert_eq!(ran.code, Some(3));
    assert_eq!(
        outline(&lab.verdicts("v.jsonl")),
        "one#0 accepted 1/1 [accepted exact]"
    );
}

#[test]
fn what_a_model_wrote_is_judged_though_it_ends_within_a_character() {
    let lab = Lab::new();
    let cut = |id: &str, field: &str, text: &str| {
        script(id, "", &[("", "1\n")])
            .to_string()
            .replace(r#""code":"""#, &format!(r#""{field}":"{text}""#))
    };
    let rows = [
        cut(
            "behind the program",
            "response",
            r"```python\nprint(1)\n```\nDone \ud83d",
        ),
        cut("in a comment", "code", r"print(1) # \uDE00"),
        cut("in the program", "code", r"print(1)\ud83d"),
        cut("as the program writes it", "code", r"print(len('\\ud83d'))"),
        cut("a whole pair", "code", r"print(len('\ud83d\ude00'))"),
    ];
    lab.write("s.jsonl", rows.join("\n"));
    insta::assert_snapshot!(outline(&parse(&lab.run(&["judge", "s.jsonl"]).stdout)), @"
    behind the program accepted 1/1 [accepted exact]
    in a comment accepted 1/1 [accepted exact]
    in the program compile_error 0/1 []
    as the program writes it accepted 1/1 [accepted exact]
    a whole pair accepted 1/1 [accepted exact]
    ");
    let test = cut("a", "code", "").replace(r"1\n", r"\ud83d");
    lab.write("test.jsonl", test);
    let refused = lab.run(&["judge", "test.jsonl"]);
    assert_eq!(refused.code, Some(3));
    assert!(
        refused.stderr.contains("is not valid Unicode"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_list_of_lists_is_matched_by_order_only_if_asked_for() {
    let lab = Lab::new();
    let problems: Vec<Value> = (1..=10)
        .map(|n| problem(&format!("q{n}"), &format!("{n}\n")))
        .collect();
    lab.lines("p.jsonl", &problems);
    let codes: Vec<Value> = (1..=10).map(|n| json!([format!("print({n})")])).collect();
    lab.write("generations.json", json!(codes).to_string());
    let refused = lab.run(&["judge", "generations.json", "--problems", "p.jsonl"]);
    assert_eq!(refused.code, Some(3));
    assert!(
        refused.stderr.contains("--by-order takes them"),
        "{}",
        refused.stderr
    );
    let ran = lab.run(&[
        "judge",
        "generations.json",
        "--problems",
        "p.jsonl",
        "--by-order",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let verdicts = parse(&ran.stdout);
    assert!(verdicts.len() == 10 && verdicts.iter().all(|it| it["verdict"] == "accepted"));
    assert_eq!(verdicts[9]["problem_id"], "q10");
}

#[test]
fn problems_with_several_answers_are_marked_and_counted() {
    let lab = Lab::new();
    let any = "Print two numbers. If there are several answers, print any of them.";
    let said = |id: &str, code: &str, statement: &str| {
        with(
            script(id, code, &[("", "1 2\n")]),
            "statement",
            json!(statement),
        )
    };
    lab.lines(
        "s.jsonl",
        &[
            said("other", "print(3, 4)", any),
            said("same", "print(1, 2)", any),
            said(
                "one",
                "print(3, 4)",
                "Print two numbers. If there are several answers, print the smallest.",
            ),
        ],
    );
    let ran = lab.run(&["judge", "s.jsonl", "--out", "v.jsonl"]);
    let marked: Vec<bool> = lab
        .verdicts("v.jsonl")
        .iter()
        .map(|it| it["several_answers"] == true)
        .collect();
    assert_eq!(marked, [true, true, false]);
    assert!(
        ran.stdout
            .contains("1 wrong answer may be right, as its problem accepts several answers"),
        "{}",
        ran.stdout
    );
}

/// The reference is computed from what the test gives, not from what the candidate made of it; nothing is near infinity.
#[test]
fn evalplus_references_cannot_be_moved() {
    let lab = Lab::new();
    let row = |id: &str, prompt: &str, function: &str, solution: &str, input: Value, atol: f64| {
        json!({"task_id": id, "prompt": prompt, "entry_point": function, "canonical_solution": solution,
               "base_input": [input], "plus_input": [], "atol": atol})
    };
    let poly = "def poly(xs, x):\n    return sum(c * x ** i for i, c in enumerate(xs))\n\ndef find_zero(xs):\n";
    lab.lines(
        "p.jsonl",
        &[
            row(
                "HumanEval/32",
                poly,
                "find_zero",
                "    return -0.5\n",
                json!([[1, 2]]),
                0.0001,
            ),
            row(
                "HumanEval/900",
                "def f(x):\n",
                "f",
                "    return float('inf')\n",
                json!([1]),
                0.0,
            ),
            row(
                "Mbpp/2",
                "",
                "similar_elements",
                "def similar_elements(a, b):\n    return tuple(set(a) & set(b))\n",
                json!([[3, 4, 5, 6], [5, 7, 4, 10]]),
                0.0,
            ),
        ],
    );
    let sample = |id: &str, code: &str| json!({"task_id": id, "solution": code});
    let verdicts = lab.judge(
        &[
            sample("HumanEval/32", "def find_zero(xs):\n    return -xs[0] / xs[1]\n"),
            sample("HumanEval/32", "def find_zero(xs):\n    xs[:] = [0, 0]\n    return 0.0\n"),
            sample("HumanEval/900", "def f(x):\n    return float('inf')\n"),
            sample("HumanEval/900", "def f(x):\n    return 5.0\n"),
            sample("Mbpp/2", "def similar_elements(a, b):\n    assert type(a) is tuple\n    return [x for x in b if x in a]\n"),
            sample("Mbpp/2", "def similar_elements(a, b):\n    return a + b\n"),
        ],
        &["--problems", "p.jsonl"],
    );
    let decided: Vec<&str> = verdicts
        .iter()
        .map(|it| it["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(
        decided,
        [
            "accepted",
            "wrong_answer",
            "accepted",
            "wrong_answer",
            "accepted",
            "wrong_answer"
        ]
    );
}

/// A list of one may be the value, or hold it: APPS's own evaluator accepts both.
#[test]
fn outputs_in_lists_of_one_are_read_in_both_ways() {
    let row = |id: &str, outputs: &str| {
        let tests =
            format!("{{\"fn_name\": \"f\", \"inputs\": [[1], [2]], \"outputs\": {outputs}}}");
        let programs = ["return x", "return [x]", "return [[x]]", "return [x, x]"];
        let solutions = programs.map(|end| format!("def f(x): {end}"));
        json!({"problem_id": id, "question": "", "input_output": tests, "solutions": solutions})
    };
    let lab = Lab::new();
    let rows = [
        row("ones", "[[1], [2]]"),
        row("bare", "[1, 2]"),
        row("some", "[[1], 2]"),
    ];
    lab.lines("s.jsonl", &rows);
    let ran = lab.run(&["judge", "s.jsonl", "--out", "v.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let accepted: Vec<bool> = lab
        .verdicts("v.jsonl")
        .iter()
        .map(|verdict| verdict["verdict"] == "accepted")
        .collect();
    let ones = [true, true, false, false];
    let bare = [true, false, false, false];
    assert_eq!(accepted, [ones, bare, [false; 4]].concat());
}

/// A head that ends in the first line of its function runs with the tests all the same.
#[test]
fn a_prompt_may_end_without_a_body() {
    let row = |id: &str, prompt: &str, rest: &str| {
        json!({
            "task_id": id, "prompt": prompt, "entry_point": "f", "canonical_solution": rest,
            "test": "def check(candidate):\n    assert candidate(1) == 2\n",
        })
    };
    let lab = Lab::new();
    let rows = [
        row("right", "def f(x):\n", "    return x + 1\n"),
        row(
            "remark",
            "def f(x):\n    # adds one\n",
            "    return x + 1\n",
        ),
        row("wrong", "def f(x):\n", "    return x\n"),
    ];
    lab.lines("s.jsonl", &rows);
    let ran = lab.run(&["judge", "s.jsonl", "--out", "v.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let verdicts = lab.verdicts("v.jsonl");
    let said: Vec<_> = verdicts.iter().map(|verdict| &verdict["verdict"]).collect();
    assert_eq!(said, ["accepted", "accepted", "wrong_answer"]);
}
