//! Problems of functions as problems of programs, and the reverse: what comes out is verified like any other.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Workshop, dropped};

const CALL: &str = "class Solution:\n    def join(self, words, times):\n        return {\"joined\": \"é\".join(words) * times, \"half\": times / 2}\n";

fn converted(rows: &[Value], kind: &str) -> Vec<Value> {
    let shop = Workshop::new();
    let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
    fs::write(shop.path("own.jsonl"), text).unwrap();
    shop.run(&["collect", "own.jsonl", "-o", "raw.jsonl"]);
    shop.run(&[
        "process",
        "raw.jsonl",
        "-o",
        "processed.jsonl",
        "--convert",
        kind,
    ]);
    shop.run(&["verify", "processed.jsonl", "-o", "verified.jsonl"]);
    shop.records("verified.jsonl")
}

fn of_call(id: &str, code: &str) -> Value {
    json!({"id": id, "kind": "call", "fn_name": "Solution.join", "statement": "Join the words with an é, so many times.",
        "tests": [{"input": [["a", "b"], 2], "output": {"joined": "aébaéb", "half": 1.0}}, {"input": [[], 3], "output": {"joined": "", "half": 1.5}}],
        "code": code})
}

#[test]
fn a_function_becomes_a_program() {
    let wrong = CALL.replace("times / 2", "times");
    let records = converted(&[of_call("right", CALL), of_call("wrong", &wrong)], "stdin");
    let right = &records[0];
    assert_eq!(dropped(right), None, "{right}");
    assert_eq!(
        (&right["kind"], &right["fn_name"]),
        (&json!("stdin"), &Value::Null)
    );
    assert_eq!(right["tests"][0]["input"], "[\"a\", \"b\"]\n2\n");
    assert_eq!(right["solutions"][0]["role"], "verified");
    assert!(
        right["statement"]
            .as_str()
            .unwrap()
            .contains("\nInput\nEach line holds one argument of `join`")
    );
    let fields: Vec<&str> = right["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["field"].as_str().unwrap())
        .collect();
    assert_eq!(&fields[..4], ["kind", "tests", "statement", "solutions"]);
    assert_eq!(dropped(&records[1]), Some(("wrong", "reference_fails")));
}

#[test]
fn a_program_becomes_a_function() {
    let of = |id: &str, code: &str| {
        json!({"id": id, "kind": "stdin", "statement": "Print every number doubled.", "code": code,
            "tests": [{"input": "1 2\n", "output": "2\n4\n"}, {"input": "5\n", "output": "10"}]})
    };
    let plain = "def main():\n    for word in input().split():\n        print(int(word) * 2, end=' \\n')\n\n\nif __name__ == '__main__':\n    main()\n";
    let bytes = "import sys\nsys.stdout.buffer.write(b''.join(b'%d\\n' % (2 * int(x)) for x in sys.stdin.buffer.read().split()))\nsys.exit(0)\n";
    let wrong = "print('2\\n4')\n";
    let records = converted(
        &[of("plain", plain), of("bytes", bytes), of("wrong", wrong)],
        "call",
    );
    for record in &records[..2] {
        assert_eq!(dropped(record), None, "{record}");
        assert_eq!(
            (&record["kind"], &record["fn_name"]),
            (&json!("call"), &json!("solve"))
        );
        assert_eq!(record["tests"][0]["output"], "2\n4");
    }
    assert_eq!(dropped(&records[2]), Some(("wrong", "reference_fails")));
}

#[test]
fn test_code_becomes_a_program_only_where_it_is_plain() {
    let of = |name: &str, test: &str| {
        json!({"task_id": name, "prompt": "def half(x):\n    \"\"\"Half of x.\"\"\"\n", "entry_point": "half",
            "canonical_solution": "    return x / 2\n", "test": format!("def check(candidate):\n    {test}\n")})
    };
    let plain = of(
        "Bench/0",
        "assert candidate(3) == 1.5\n    assert candidate(5) == 2.5",
    );
    let close = of("Bench/1", "assert abs(candidate(3) - 1.5) < 1e-6");
    let records = converted(&[plain, close], "stdin");
    assert_eq!(
        (&records[0]["kind"], dropped(&records[0])),
        (&json!("stdin"), None),
        "{}",
        records[0]
    );
    assert_eq!(records[1]["kind"], "assert");
    assert_eq!(records[1]["notes"][0]["what"], "not_converted");
}
