//! Servers that fail: what passes is tried again, what does not is told, and nothing that came is lost.

use std::net::TcpListener;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::fake::{Fake, Lab, Reply, Seen, solution, stderr};

fn solve(seen: &Seen) -> Reply {
    Reply::text(&solution(seen.text()), "stop")
}

#[test]
fn what_can_pass_is_tried_again() {
    let nothing = json!({"choices": []}).to_string();
    let troubles = [
        Reply::Say(500, "", json!({"error": {"message": "oops"}}).to_string()),
        Reply::Say(429, "retry-after: 0\r\n", "slow down".into()),
        Reply::Say(503, "", String::new()),
        Reply::Say(200, "", "<html>not what you think</html>".into()),
        Reply::Say(200, "", nothing),
        Reply::text("half a", "abort"),
        Reply::HangUp,
    ];
    for trouble in troubles {
        let (lab, first) = (Lab::new(), trouble.clone());
        // The first try of each of two requests, whichever come first.
        let troubled = Mutex::new(Vec::new());
        let server = Fake::new(move |seen, _| {
            let request = (seen.text().to_owned(), seen.body["seed"].clone());
            let mut troubled = troubled.lock().unwrap();
            if troubled.len() == 2 || troubled.contains(&request) {
                return solve(seen);
            }
            troubled.push(request);
            first.clone()
        });
        lab.ask(
            "generate",
            &server.url,
            "s.jsonl",
            &["--set", "server.parallel=2"],
        )
        .success();
        assert_eq!(server.seen().len(), 10, "{trouble:?}");
        let lines = lab.lines("s.jsonl");
        assert_eq!(lines.len(), 8, "{trouble:?}");
        assert!(
            lines
                .iter()
                .all(|line| line["response"].as_str().unwrap().contains("```"))
        );
    }
}

#[test]
fn a_server_asks_for_patience() {
    let server = Fake::new(|seen, before| match before {
        0 => Reply::Say(429, "retry-after: 3\r\n", String::new()),
        _ => solve(seen),
    });
    let (lab, start) = (Lab::new(), Instant::now());
    lab.ask(
        "generate",
        &server.url,
        "s.jsonl",
        &["--set", "server.parallel=1"],
    )
    .success();
    assert!(
        start.elapsed() > Duration::from_secs(3),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn a_server_that_goes_away_costs_nothing_that_came() {
    let lab = Lab::new();
    let dying = Fake::new(|seen, before| match before {
        0..3 => solve(seen),
        _ => Reply::Say(
            500,
            "",
            json!({"error": {"message": "out of memory"}}).to_string(),
        ),
    });
    let one = ["--set", "server.parallel=1"];
    let failed = lab.ask("generate", &dying.url, "s.jsonl", &one).code(1);
    let message = stderr(&failed);
    let url = format!("{}/v1/chat/completions", dying.url);
    for part in [
        "5 of 8 responses are missing from s.jsonl",
        &url,
        "problem \"sum-3\"",
        "status 500: out of memory",
        "tries: 2",
        "--resume",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let kept = std::fs::read_to_string(lab.join("s.jsonl")).unwrap();
    assert_eq!(kept.lines().count(), 3);
    assert_eq!(
        dying.seen().len(),
        5,
        "once it is gone, nothing else is asked of it"
    );

    // As if the program had been killed within a line.
    std::fs::write(
        lab.join("s.jsonl"),
        format!("{kept}{{\"id\": \"sum-3/0\", \"resp"),
    )
    .unwrap();
    let server = Fake::solving();
    let refused = lab.ask("generate", &server.url, "s.jsonl", &[]).code(3);
    assert!(
        stderr(&refused).contains("output file already exists"),
        "{}",
        stderr(&refused)
    );
    let other = [
        &one[..],
        &["--resume", "--set", "evaluation.temperature=1.0"],
    ]
    .concat();
    let refused = lab.ask("generate", &server.url, "s.jsonl", &other).code(3);
    assert!(
        stderr(&refused).contains("other settings"),
        "{}",
        stderr(&refused)
    );
    assert_eq!(server.seen().len(), 0);
    lab.ask("generate", &server.url, "s.jsonl", &["--resume"])
        .success();
    assert_eq!(server.seen().len(), 5, "only what is missing is asked for");
    assert_eq!(lab.lines("s.jsonl").len(), 8);
    assert!(
        std::fs::read_to_string(lab.join("s.jsonl"))
            .unwrap()
            .starts_with(&kept)
    );
}

#[test]
fn an_evaluation_goes_on_with_what_it_has() {
    let lab = Lab::new();
    let dying = Fake::new(|seen, before| match before {
        0..6 => solve(seen),
        _ => Reply::HangUp,
    });
    let one = ["--set", "server.parallel=1"];
    let failed = lab.ask("eval", &dying.url, "e.jsonl", &one).code(1);
    assert!(
        stderr(&failed).contains("missing from e.solutions.jsonl"),
        "{}",
        stderr(&failed)
    );
    assert_eq!(lab.lines("e.jsonl").len(), 0);
    assert_eq!(lab.lines("e.solutions.jsonl").len(), 6);
    let server = Fake::solving();
    lab.ask("eval", &server.url, "e.jsonl", &["--resume"])
        .success();
    assert_eq!(server.seen().len(), 2);
    let record = &lab.lines("e.jsonl")[0];
    assert_eq!(
        (&record["accuracy"], &record["absent_rewards"]),
        (&json!(0.75), &json!(0))
    );
}

#[test]
fn a_refused_response_is_absent_and_no_wrong_answer() {
    let brain = |seen: &Seen, _| match seen.text().starts_with("add 1\n") {
        true => Reply::Say(
            400,
            "",
            json!({"object": "error", "message": "the prompt is too long"}).to_string(),
        ),
        false => solve(seen),
    };
    let (lab, server) = (Lab::new(), Fake::new(brain));
    let told = lab.ask("eval", &server.url, "e.jsonl", &[]).success();
    let message = stderr(&told);
    assert!(
        message.contains("2 responses are missing and excluded from all rates")
            && message.contains("\"sum-1\": status 400: the prompt is too long"),
        "{message}"
    );
    let record = &lab.lines("e.jsonl")[0];
    assert_eq!(
        (&record["absent_rewards"], &record["accuracy"]),
        (&json!(2), &json!(4.0 / 6.0))
    );
    assert_eq!(
        server.seen().len(),
        8,
        "what is refused is not asked for again"
    );
    let failed = lab.ask("generate", &server.url, "s.jsonl", &[]).code(1);
    assert!(
        stderr(&failed).contains("2 of 8 responses are missing"),
        "{}",
        stderr(&failed)
    );
    assert_eq!(lab.lines("s.jsonl").len(), 6);
}

#[test]
fn a_wrong_key_ends_it_at_once() {
    let (lab, server) = (
        Lab::new(),
        Fake::new(|_, _| {
            Reply::Say(
                401,
                "",
                json!({"error": {"message": "no such key"}}).to_string(),
            )
        }),
    );
    let failed = lab
        .ask(
            "generate",
            &server.url,
            "s.jsonl",
            &["--set", "server.parallel=1"],
        )
        .code(1);
    assert!(
        stderr(&failed).contains("status 401: no such key"),
        "{}",
        stderr(&failed)
    );
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn nobody_there_is_told_with_the_url() {
    let lab = Lab::new();
    // A port that was free a moment ago.
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let url = format!("http://{free}");
    let failed = lab.ask("eval", &url, "e.jsonl", &[]).code(1);
    let message = stderr(&failed);
    assert!(
        message.contains(&format!("{url}/v1/models")) && message.contains("connection refused"),
        "{message}"
    );
    let named = ["--set", "server.model=tiny"];
    let failed = lab.ask("eval", &url, "e.jsonl", &named).code(1);
    assert!(
        stderr(&failed).contains("8 of 8 responses are missing"),
        "{}",
        stderr(&failed)
    );
    let failed = lab.ask("eval", "no url at all", "f.jsonl", &named).code(1);
    assert!(
        stderr(&failed).contains("no url at all"),
        "{}",
        stderr(&failed)
    );
}

#[test]
fn an_answer_that_takes_too_long_is_given_up() {
    let server = Fake::new(|seen, before| {
        if before == 0 {
            std::thread::sleep(Duration::from_secs(20));
        }
        solve(seen)
    });
    let lab = Lab::new();
    let more = ["server.parallel=1", "server.timeout=1.5"].map(|setting| ["--set", setting]);
    let start = Instant::now();
    lab.ask("generate", &server.url, "s.jsonl", more.as_flattened())
        .success();
    assert!(start.elapsed() < Duration::from_secs(18));
    assert_eq!(lab.lines("s.jsonl").len(), 8);
}
