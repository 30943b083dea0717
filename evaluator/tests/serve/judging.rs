//! `/v1/judge` and `/v1/problems`.

use std::io::{BufRead, BufReader};

use serde_json::{Value, json};

use crate::server::{Reply, Server};

pub const RIGHT: &str = "print(sum(map(int, input().split())))";

pub fn sum() -> Value {
    json!({"id": "sum", "kind": "stdin", "tests": [
        {"input": "1 2\n", "output": "3\n"}, {"input": "2 2\n", "output": "4\n"}
    ]})
}

/// A problem whose programs may run for ten minutes.
pub fn endless() -> Value {
    let mut problem = sum();
    problem["time_limit"] = json!(600);
    problem
}

fn verdicts(answers: &[Value]) -> Vec<&str> {
    let word = |answer: &Value| answer["verdict"].as_str().map(str::len);
    assert!(answers.iter().all(|it| word(it).is_some()), "{answers:?}");
    let words = answers.iter();
    words.map(|it| it["verdict"].as_str().unwrap()).collect()
}

#[test]
fn a_batch_is_answered_row_by_row() {
    let server = Server::start(&[]);
    let reply = server.post(
        "/v1/judge",
        &json!({
            "problems": [sum()],
            "submissions": [
                {"id": "a", "problem_id": "sum", "code": RIGHT},
                {"id": "b", "problem_id": "sum", "response": "```python\nprint(3)\n```"},
                {"id": "c", "problem_id": "none", "code": RIGHT},
                {"id": "d", "problem": sum(), "code": "print("},
                7,
            ],
            "settings": {"reward": "fraction"},
        }),
    );
    assert!(reply.head.contains("content-type: application/x-ndjson"));
    let answers = reply.answers();
    assert_eq!(answers.len(), 5);
    assert_eq!(
        (&answers[0]["id"], &answers[0]["reward"]),
        (&json!("a"), &json!(1.0))
    );
    assert_eq!(
        (&answers[1]["id"], &answers[1]["reward"]),
        (&json!("b"), &json!(0.5))
    );
    assert_eq!(
        (&answers[2]["id"], &answers[2]["field"]),
        (&json!("c"), &json!("problem_id"))
    );
    assert_eq!(answers[3]["verdict"], "compile_error");
    assert_eq!(
        answers[4],
        json!({"row": 5, "id": null, "error": "must be a JSON object", "field": null})
    );
}

#[test]
fn problems_are_registered_once_and_named_by_their_hash() {
    let server = Server::start(&[]);
    let registered = server
        .post("/v1/problems", &json!({"problems": [sum()]}))
        .json();
    let problem = &registered["problems"][0];
    assert_eq!(
        (&problem["problem_id"], &problem["tests"]),
        (&json!("sum"), &json!(2))
    );
    let hash = problem["registered"].as_str().unwrap();
    assert_eq!(&server.get(&format!("/v1/problems/{hash}")).json(), problem);
    assert_eq!(server.get("/v1/problems/0123").status, 404);
    let answers = server.judge_lines(&[
        json!({"id": "a", "problem": hash, "code": RIGHT}),
        json!({"id": "b", "problem": hash, "code": "print(4)"}),
        // What one client registers is found by no other under a name that anyone may choose.
        json!({"id": "c", "problem_id": "sum", "code": RIGHT}),
    ]);
    assert_eq!(verdicts(&answers[..2]), ["accepted", "wrong_answer"]);
    assert_eq!(answers[2]["field"], "problem_id");
    let broken = json!({"problems": [sum(), {"id": "b", "kind": "stdin", "tests": []}]});
    let refused = server.post("/v1/problems", &broken);
    assert_eq!(refused.refusal(), (400, json!("problems[1].tests")));
}

#[test]
fn a_problem_of_a_request_leads_to_no_file() {
    let server = Server::start(&[]);
    let checker = json!({"language": "c", "path": "Cargo.toml", "style": "kattis"});
    let mut problem = sum();
    problem["checker"] = checker;
    let answers = server.judge_lines(&[json!({"id": "a", "problem": problem, "code": RIGHT})]);
    assert_eq!(
        answers[0]["field"], "problem.checker.path",
        "{}",
        answers[0]
    );
    let refused = server.post("/v1/problems", &json!({"problems": [problem]}));
    assert_eq!(refused.refusal(), (400, json!("problems[0].checker.path")));
}

#[test]
fn problems_of_files_are_known_by_their_ids() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("problems.jsonl");
    std::fs::write(&file, sum().to_string()).unwrap();
    let server = Server::start(&["--problems", file.to_str().unwrap()]);
    let answers = server.judge_lines(&[json!({"problem_id": "sum", "code": RIGHT})]);
    assert_eq!(verdicts(&answers), ["accepted"]);
}

#[test]
fn a_request_that_cannot_be_read_is_one_clear_error() {
    let server = Server::start(&[]);
    let refused = |body: Value| server.post("/v1/judge", &body).refusal();
    let none = json!([]);
    assert_eq!(refused(json!({})), (400, Value::Null));
    assert_eq!(
        refused(json!({"submissions": 7})),
        (400, json!("submissions"))
    );
    assert_eq!(
        refused(json!({"submissions": none, "promblems": none})).0,
        400
    );
    let settings = |settings: Value| refused(json!({"submissions": none, "settings": settings}));
    assert_eq!(
        settings(json!({"profile": "loose"})),
        (400, json!("profile"))
    );
    assert_eq!(
        settings(json!({"time_limit": 61})),
        (400, json!("time_limit"))
    );
    assert_eq!(
        settings(json!({"time_limit": 0})),
        (400, json!("time_limit"))
    );
    assert_eq!(
        settings(json!({"memory_limit": 1 << 20})),
        (400, json!("memory_limit"))
    );
    assert_eq!(
        settings(json!({"reward": "fraction", "first_failure": true})).0,
        400
    );
    let mut other = sum();
    other["tests"][0]["output"] = json!("5\n");
    let twice = json!({"problems": [sum(), other], "submissions": none});
    assert_eq!(refused(twice), (400, json!("problems[1]")));
    let query = server.begin("/v1/judge?profile=loose", "application/x-ndjson", b"{}\n");
    assert_eq!(Reply::read(query).refusal(), (400, json!("profile")));
    let query = server.begin("/v1/judge?prof=exact", "application/x-ndjson", b"{}\n");
    assert_eq!(Reply::read(query).refusal().0, 400);
}

#[test]
fn settings_of_lines_stand_in_the_query() {
    let server = Server::start(&[]);
    let row = json!({"problem": sum(), "code": "print(3)"});
    let path = "/v1/judge?reward=fraction&keep_output=10";
    let connection = server.begin(path, "application/x-ndjson", row.to_string().as_bytes());
    let answer = &Reply::read(connection).answers()[0];
    assert_eq!(
        (&answer["reward"], &answer["cases"][0]["stdout"]),
        (&json!(0.5), &json!("3\n"))
    );
}

#[test]
fn what_a_problem_may_ask_for_is_bounded() {
    let server = Server::start(&["--max-tests", "1", "--max-time-limit", "5"]);
    let asked = |change: Value| {
        let mut problem =
            json!({"id": "p", "kind": "stdin", "tests": [{"input": "", "output": "1\n"}]});
        for (name, value) in change.as_object().unwrap() {
            problem[name] = value.clone();
        }
        let answers = server.judge_lines(&[json!({"problem": problem, "code": "print(1)"})]);
        answers[0]["field"].clone()
    };
    assert_eq!(asked(json!({"time_limit": 5})), Value::Null);
    assert_eq!(asked(json!({"time_limit": 6})), "problem.time_limit");
    assert_eq!(asked(json!({"memory_limit": 5000})), "problem.memory_limit");
    assert_eq!(asked(json!({"tests": sum()["tests"]})), "problem.tests");
}

/// A client that hangs up frees its work: the program could run for ten minutes.
#[test]
fn answers_come_as_they_are_ready_and_a_client_that_hangs_up_frees_its_work() {
    let server = Server::start(&["--max-time-limit", "600", "--workers", "2"]);
    let rows = [
        json!({"id": "slow", "problem": endless(), "code": "while True: pass"}),
        json!({"id": "quick", "problem": sum(), "code": RIGHT}),
    ];
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    let connection = server.begin("/v1/judge", "application/x-ndjson", lines.as_bytes());
    let mut lines = BufReader::new(connection).lines();
    let first = lines.find(|line| line.as_ref().unwrap().starts_with('{'));
    let first: Value = serde_json::from_str(&first.unwrap().unwrap()).unwrap();
    assert_eq!((&first["row"], &first["id"]), (&json!(2), &json!("quick")));
    server.wait_for(|health| health["running"] == 1);
    drop(lines);
    server.wait_for(|health| health["running"] == 0 && health["waiting"] == 0);
}

/// A client of one row is not behind all rows of a client that came before it.
#[test]
fn a_large_batch_does_not_hold_up_a_small_one() {
    let server = Server::start(&["--workers", "1"]);
    let code = |i: usize| format!("print(sum(map(int, input().split()))) # {i}");
    let rows = (0..2000).map(|i| json!({"problem": sum(), "code": code(i)}).to_string() + "\n");
    let rows: String = rows.collect();
    let large = server.begin("/v1/judge", "application/x-ndjson", rows.as_bytes());
    server.wait_for(|health| health["waiting"].as_u64() > Some(100));
    let answers = server.judge_lines(&[json!({"problem": sum(), "code": RIGHT})]);
    assert_eq!(verdicts(&answers), ["accepted"]);
    assert!(server.health()["waiting"].as_u64() > Some(0));
    drop(large);
}

#[test]
fn a_hundred_clients_get_each_their_own_answers() {
    let server = Server::start(&[]);
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..100)
            .map(|client| {
                let server = &server;
                scope.spawn(move || {
                    let code = format!("print({client})");
                    let tests =
                        json!([{"input": "", "output": format!("{}\n", client - client % 2)}]);
                    let problem = json!({"id": "own", "kind": "stdin", "tests": tests});
                    let rows = json!([{"id": client, "problem_id": "own", "code": code}]);
                    let request = json!({"problems": [problem], "submissions": rows});
                    let answers = server.post("/v1/judge", &request).answers();
                    assert_eq!(answers.len(), 1);
                    assert_eq!(answers[0]["id"], client.to_string());
                    let right = ["accepted", "wrong_answer"][client % 2];
                    assert_eq!(answers[0]["verdict"], right);
                })
            })
            .collect();
        clients
            .into_iter()
            .for_each(|client| client.join().unwrap());
    });
}
