//! The schema of a verdict line.

use serde_json::{Value, json};

use crate::lab::{Lab, examined, function, script, with};

const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/verdict.schema.json");

#[test]
fn the_committed_schema_is_what_the_binary_prints() {
    let printed = Lab::new().run(&["schema"]).stdout;
    let committed = std::fs::read_to_string(COMMITTED).unwrap();
    assert!(
        printed == committed,
        "write it anew: mc-eval schema > evaluator/verdict.schema.json"
    );
}

#[test]
fn every_verdict_line_keeps_to_it() {
    let schema: Value = serde_json::from_str(&Lab::new().run(&["schema"]).stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let solutions = [
        script("right", "print(1)", &[("", "1\n")]),
        script("unordered", "print('2 1')", &[("", "1 2\n")]),
        with(
            script("checked", "print(1)", &[("", "1\n")]),
            "checker",
            json!("ncmp"),
        ),
        script("raises", "print('x'); 1/0", &[("", "1\n")]),
        script("broken", "print(", &[("", "1\n")]),
        function(
            "f",
            "def f(x): return [x, {}]",
            json!([1]),
            json!([1, {"a": 2}]),
        ),
        examined("live", "def f(g): return 1", "f(compile('1', '', 'eval'))"),
        examined("asserted", "def f(x): return 1", "assert f(0) == 1"),
    ];
    let arguments = ["--also", "lcb,paper,exact", "--keep-output", "10"];
    let verdicts = Lab::new().judge(&solutions, &arguments);
    assert_eq!(verdicts.len(), solutions.len());
    for verdict in &verdicts {
        let faults: Vec<String> = validator
            .iter_errors(verdict)
            .map(|fault| fault.to_string())
            .collect();
        assert_eq!(faults, Vec::<String>::new(), "{verdict}");
        let known = schema["properties"].as_object().unwrap();
        assert!(
            verdict
                .as_object()
                .unwrap()
                .keys()
                .all(|field| known.contains_key(field)),
            "{verdict}"
        );
    }
    let mut wrong = verdicts[0].clone();
    wrong["verdict"] = json!("nearly");
    assert!(!validator.is_valid(&wrong));
}
