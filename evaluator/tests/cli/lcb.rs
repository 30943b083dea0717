//! `--harness lcb` against what LiveCodeBench's own evaluator said of the same programs.
//!
//! `fixtures/lcb/answers.jsonl` is the record, which `tests/peers/lcb.py` makes. Where LCB_ROOT names a checkout of
//! LiveCodeBench, the record itself is made again and compared.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::lab::{Lab, function, parse, script, with};

/// What is judged otherwise here, and why.
const DIFFERENCES: [(&str, &str); 2] = [
    ("digit-descent/4", "its evaluator does not limit memory"),
    (
        "equal-to-everything",
        "an object of a class of its own is equal to nothing that is expected",
    ),
];

/// What it prints without end stays in memory: here that limit may come before the one of time, which is the only one there.
const WHICHEVER_COMES_FIRST: &str = "matched-brackets/3";

/// Programs that are judged: solutions with their tests, solutions to the showcase, and pairs of texts.
const FILES: [&str; 10] = [
    "lcb/cases.jsonl",
    "solutions.jsonl",
    "comparisons/numeric.jsonl",
    "comparisons/rounding.jsonl",
    "comparisons/tokens.jsonl",
    "comparisons/typed.jsonl",
    "comparisons/unordered.jsonl",
    "comparisons/values.jsonl",
    "comparisons/whitespace.jsonl",
    "comparisons/word-case.jsonl",
];

const RECORD: &str = "lcb/answers.jsonl";

fn fixture(name: &str) -> PathBuf {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    fixtures.join(name).canonicalize().expect(name)
}

fn lines(name: &str) -> Vec<Value> {
    parse(&std::fs::read_to_string(fixture(name)).expect(name))
}

fn id(line: &Value) -> String {
    line["id"].as_str().expect("an id").to_owned()
}

fn results(lines: &[Value], result: fn(&Value) -> &Value) -> BTreeMap<String, Value> {
    let result = |line| (id(line), result(line).clone());
    lines.iter().map(result).collect()
}

/// A program that prints the one text, where the other is expected.
fn printing(pair: &Value) -> Value {
    let code = format!("import sys\nsys.stdout.write({})", pair["actual"]);
    let expected = pair["expected"].as_str().expect("a text");
    script(&id(pair), &code, &[("", expected)])
}

/// All that is judged, by the record: solutions to problems with test code are not in it.
fn solutions(record: &BTreeMap<String, Value>) -> Vec<Value> {
    let lines = FILES.iter().flat_map(|file| lines(file));
    let known = lines.filter(|line| record.contains_key(&id(line)));
    known
        .map(|line| match line["actual"] {
            Value::Null => line,
            _ => printing(&line),
        })
        .collect()
}

#[test]
fn it_says_what_livecodebench_says() {
    let record = results(&lines(RECORD), |line| &line["results"]);
    let solutions = solutions(&record);
    let problems = fixture("problems.jsonl");
    let problems = problems.to_str().expect("a path");
    let arguments = [
        "--problems",
        problems,
        "--harness",
        "lcb",
        "--profile",
        "lcb",
    ];
    let judged = Lab::new().judge(&solutions, &arguments);
    let judged = results(&judged, |verdict| &verdict["lcb"]["results"]);
    assert_eq!(judged.len(), record.len(), "some were not judged");
    let explained: Vec<&str> = DIFFERENCES.iter().map(|(id, _)| *id).collect();
    let differing: Vec<_> = judged
        .iter()
        .filter(|(id, result)| record[*id] != **result && *id != WHICHEVER_COMES_FIRST)
        .map(|(id, result)| (id.as_str(), result, &record[id]))
        .collect();
    let ids: Vec<&str> = differing.iter().map(|(id, ..)| *id).collect();
    assert_eq!(ids, explained, "ours, theirs: {differing:#?}");
}

#[test]
fn the_record_is_what_it_says_today() {
    let Some(root) = std::env::var_os("LCB_ROOT") else {
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/lcb.py");
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let asked = Command::new(python)
        .arg(script)
        .args(FILES.map(fixture))
        .env("LCB_ROOT", root)
        .output()
        .expect("start Python");
    let answers = String::from_utf8(asked.stdout).expect("lines of text");
    assert_eq!(
        results(&parse(&answers), |line| &line["results"]),
        results(&lines(RECORD), |line| &line["results"])
    );
}

/// The file that its custom evaluator writes: pass@k, results and metadata of problems in the order of their ids.
#[test]
fn the_evaluation_file_is_its_own() {
    let lab = Lab::new();
    let test = json!([{"input": [1], "output": 2}]);
    let problem = |id: &str| json!({"id": id, "kind": "call", "fn_name": "f", "tests": test});
    lab.lines("problems.jsonl", &[problem("b"), problem("a")]);
    let codes = [
        "def f(x): return 2",
        "def f(x): return 3",
        "def f(x): return y",
    ];
    lab.write(
        "codes.json",
        json!([
            {"question_id": "b", "code_list": [codes[1], codes[2]]},
            {"question_id": "a", "code_list": [codes[0], codes[1]]},
        ])
        .to_string(),
    );
    let judge = [
        "judge",
        "codes.json",
        "--harness",
        "lcb",
        "--profile",
        "lcb",
    ];
    let ran = lab.run(&[&judge[..], &["--out", "verdicts.jsonl"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = lab.run(&["lcb", "verdicts.jsonl"]);
    let mut evaluation: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let time = evaluation[2][0][0].take();
    let time: Value = serde_json::from_str(time.as_str().unwrap()).unwrap();
    assert!(time["execution time"].as_f64().unwrap() > 0.0);
    let wrong = r#"{"error_code":-2,"error_message":"Wrong Answer"}"#;
    let raised = r#"{"error":"NameError(\"name 'y' is not defined\")","error_code":-4,"error_message":"Runtime Error"}"#;
    assert_eq!(
        evaluation,
        json!([
            {"pass@1": 0.25, "detail": {"pass@1": {"0": 0.5, "1": 0.0}}},
            {"0": [[true], [false]], "1": [[false], [-4]]},
            [[null, wrong], [wrong, raised]]
        ])
    );
}

#[test]
fn what_it_does_not_go_with_is_said() {
    let lab = Lab::new();
    lab.lines(
        "s.jsonl",
        &[function("a", "def f(x): return x", json!([1]), json!(1))],
    );
    for more in [["--also", "paper"], ["--reward", "fraction"]] {
        let ran = lab.run(&[&["judge", "s.jsonl", "--harness", "lcb"], &more[..]].concat());
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains("--harness lcb stops"), "{}", ran.stderr);
    }
    let ran = lab.run(&["judge", "s.jsonl", "--out", "verdicts.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = lab.run(&["lcb", "verdicts.jsonl"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("--harness lcb"), "{}", ran.stderr);
}

/// A program that never answers, or answers with no end, is a verdict like any other.
#[test]
fn hostile_programs_get_verdicts() {
    let forged = "import os\nos.write(3, b'{\"output\": \"1\"}\\n' * 9)\nos._exit(0)";
    let flood = "import os\nwhile True:\n    os.write(3, b'x' * 65536)";
    let nonsense = "import os\nos.write(3, b'[]\\n')";
    let silent = "import os\nos.close(3)";
    let solutions = [
        ("forged", forged),
        ("flood", flood),
        ("nonsense", nonsense),
        ("silent", silent),
    ];
    let solutions = solutions.map(|(id, code)| {
        let solution = script(id, code, &[("", "2\n"), ("", "2\n")]);
        with(solution, "time_limit", json!(0.5))
    });
    let verdicts = Lab::new().judge(&solutions, &["--harness", "lcb"]);
    for verdict in &verdicts {
        assert_ne!(verdict["verdict"], "accepted", "{verdict}");
        assert_ne!(verdict["verdict"], "judge_failed", "{verdict}");
        assert_eq!(verdict["reward"], 0.0, "{verdict}");
    }
}
