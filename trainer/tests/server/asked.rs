//! What is asked, and what becomes of the answers.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::json;

use crate::fake::{Fake, Lab, Reply, solution};

#[test]
fn a_solutions_file_holds_every_response_and_the_evaluator_reads_it() {
    let (lab, server) = (Lab::new(), Fake::solving());
    lab.ask("generate", &server.url, "solutions.jsonl", &[])
        .success();
    let lines = lab.lines("solutions.jsonl");
    let ids: Vec<&str> = lines
        .iter()
        .map(|line| line["id"].as_str().unwrap())
        .collect();
    let wanted: Vec<String> = (0..8).map(|n| format!("sum-{}/{}", n / 2, n % 2)).collect();
    assert_eq!(ids, wanted);
    let first = &lines[0];
    assert_eq!(first["response"], json!(solution("add 0")));
    assert_eq!(
        (&first["truncated"], &first["tokens"]),
        (&json!(false), &json!(6))
    );
    assert_eq!(
        first["sampled"],
        json!({"model": "tiny", "temperature": 0.6, "top_p": 0.95, "top_k": 20, "max_tokens": 8192, "seed": 0})
    );
    let read = evaluator::readers::submissions(&[lab.join("solutions.jsonl")]).unwrap();
    let codes: BTreeSet<_> = read
        .map(|item| item.unwrap().submission.code.unwrap())
        .collect();
    let sums: BTreeSet<_> = (0..4)
        .map(|k| format!("print(int(input()) + {k})\n"))
        .collect();
    assert_eq!(codes, sums);
}

#[test]
fn a_request_says_how_to_sample() {
    let (lab, server) = (Lab::new(), Fake::solving());
    let more = [
        "evaluation.temperature=0.8",
        "evaluation.top_p=1.0",
        "evaluation.top_k=0",
    ]
    .map(|setting| ["--set", setting]);
    lab.ask(
        "generate",
        &format!("{}/v1/", server.url),
        "a.jsonl",
        more.as_flattened(),
    )
    .success();
    let seen = server.seen();
    assert_eq!(seen.len(), 8);
    for request in &seen {
        assert_eq!(request.path, "/v1/chat/completions");
        let fields: Vec<_> = request
            .body
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let wanted = [
            "temperature",
            "top_p",
            "max_tokens",
            "seed",
            "model",
            "messages",
        ];
        assert_eq!(
            fields, wanted,
            "and no top_k, which OpenAI itself does not know"
        );
        assert_eq!(request.body["temperature"], json!(0.8));
        assert_eq!(request.body["model"], json!("tiny"));
        assert!(request.text().starts_with("add ") && request.text().contains("fenced block"));
    }
    let seeds = |server: &Fake| -> BTreeSet<_> {
        let of = |seen: &crate::fake::Seen| {
            (seen.text().to_owned(), seen.body["seed"].as_u64().unwrap())
        };
        server.seen().iter().map(of).collect()
    };
    assert_eq!(
        seeds(&server).len(),
        8,
        "each response to a problem has a seed of its own"
    );
    let again = Fake::solving();
    lab.ask("generate", &again.url, "b.jsonl", more.as_flattened())
        .success();
    assert_eq!(seeds(&server), seeds(&again));
}

#[test]
fn a_statement_is_asked_as_it_is() {
    let (lab, server) = (Lab::new(), Fake::solving());
    let problem = json!({
        "id": "braces", "kind": "stdin", "statement": "print {prompt} and {statement}",
        "tests": [{"input": "", "output": "1"}],
    });
    std::fs::write(lab.join("problems.jsonl"), format!("{problem}\n")).unwrap();
    let more = ["--set", "data.template=<{prompt}|{statement}|{prompt}>"];
    lab.ask("generate", &server.url, "s.jsonl", &more).success();
    assert_eq!(
        server.seen()[0].text(),
        "<|print {prompt} and {statement}|>"
    );
}

#[test]
fn a_prompt_that_is_whole_goes_to_completions() {
    let (lab, server) = (
        Lab::new(),
        Fake::new(|seen, _| {
            assert!(seen.body.get("messages").is_none());
            let constant = seen.text().trim().trim_start_matches("add ").to_owned();
            Reply::text(&format!("print(int(input()) + {constant})"), "stop")
        }),
    );
    let more = [
        "data.chat=false",
        "data.program=whole",
        "data.template={statement}",
        "server.model=named",
    ]
    .map(|setting| ["--set", setting]);
    lab.ask(
        "generate",
        &server.url,
        "solutions.jsonl",
        more.as_flattened(),
    )
    .success();
    assert!(
        server
            .seen()
            .iter()
            .all(|seen| seen.path == "/v1/completions")
    );
    assert!(
        server
            .seen()
            .iter()
            .all(|seen| seen.body["model"] == json!("named"))
    );
    let lines = lab.lines("solutions.jsonl");
    assert_eq!(lines[7]["code"], json!("print(int(input()) + 3)"));
    assert_eq!(lines[7]["sampled"]["model"], json!("named"));
}

#[test]
fn an_evaluation_judges_what_the_server_says() {
    let lab = Lab::new();
    // The first response to each problem is right, but for the one that has no solution; the second breaks off.
    let server = Fake::new(|seen, before| match before {
        0..4 => Reply::chat(&solution(seen.text())),
        _ => Reply::text("Let me think about ```pyth", "length"),
    });
    let told = lab
        .ask(
            "eval",
            &server.url,
            "eval.jsonl",
            &["--set", "server.parallel=1"],
        )
        .success();
    let table = String::from_utf8_lossy(&told.get_output().stdout).into_owned();
    assert!(
        table.contains("toy/easy") && table.contains("50.0") && table.contains("25.0"),
        "{table}"
    );
    let record = &lab.lines("eval.jsonl")[0];
    assert_eq!(
        (&record["kind"], &record["accuracy"]),
        (&json!("evaluation"), &json!(3.0 / 8.0))
    );
    assert_eq!(
        (&record["solved"], &record["truncated"]),
        (&json!(0.75), &json!(0.5))
    );
    assert_eq!(
        (&record["absent_rewards"], &record["response_length"]),
        (&json!(0), &json!(5.0))
    );
    assert_eq!(
        record["by"]["toy"]["hard"],
        json!({"problems": 2, "accuracy": 0.25, "response_length": 5.0})
    );
    assert!(
        record.get("diversity").is_none(),
        "without tokens there is none"
    );
    assert_eq!(lab.lines("eval.solutions.jsonl").len(), 8);
    lab.ask("eval", &server.url, "eval.jsonl", &["--resume"])
        .success();
    let lines = lab.lines("eval.jsonl");
    assert_eq!(lines.len(), 2, "it is appended to");
    assert_eq!(lines[0]["accuracy"], lines[1]["accuracy"]);
    assert_eq!(server.seen().len(), 8, "and nothing is asked twice");
}

#[test]
fn many_are_asked_at_a_time_and_slow_answers_are_waited_for() {
    let slow = |seen: &crate::fake::Seen, _| {
        std::thread::sleep(Duration::from_millis(700));
        Reply::text(&solution(seen.text()), "stop")
    };
    for (parallel, most) in [("server.parallel=8", 8), ("server.parallel=3", 3)] {
        let (lab, server) = (Lab::new(), Fake::new(slow));
        lab.ask("generate", &server.url, "s.jsonl", &["--set", parallel])
            .success();
        assert_eq!(server.most_at_a_time(), most);
        assert_eq!(lab.lines("s.jsonl").len(), 8);
    }
}

#[test]
fn the_key_comes_from_the_environment_and_goes_nowhere_else() {
    let (lab, server) = (Lab::new(), Fake::solving());
    let more = ["--set", "server.key_variable=TINY_KEY"];
    let missing = lab.ask("generate", &server.url, "s.jsonl", &more).code(3);
    assert!(crate::fake::stderr(&missing).contains("TINY_KEY is not set"));
    let mut command = lab.command("generate", &server.url, "s.jsonl", &more);
    command.env("TINY_KEY", "quite-secret").assert().success();
    assert!(
        server
            .seen()
            .iter()
            .all(|seen| seen.key == "Bearer quite-secret")
    );
    let text = std::fs::read_to_string(lab.join("s.jsonl")).unwrap();
    assert!(!text.contains("quite-secret"));
}
