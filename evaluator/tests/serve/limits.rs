//! Clients that ask too much, too slowly or for nothing at all; the server answers the others meanwhile.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::judging::{RIGHT, endless, sum};
use crate::server::{PATIENCE, Reply, Server};

/// It answers others as if nothing had been.
fn is_well(server: &Server) {
    let answers = server.judge_lines(&[json!({"problem": sum(), "code": RIGHT})]);
    assert_eq!(answers[0]["verdict"], "accepted");
}

#[test]
fn a_full_queue_is_told_of_at_once() {
    let arguments = ["--queue", "2", "--workers", "1", "--max-time-limit", "600"];
    let server = Server::start(&arguments);
    let row = |n: u8| {
        let code = format!("while True: pass # {n}");
        json!({"problem": endless(), "code": code}).to_string() + "\n"
    };
    let begin = |rows: &str| server.begin("/v1/judge", "application/x-ndjson", rows.as_bytes());
    let busy = begin(&(row(1) + &row(2)));
    server.wait_for(|health| health["running"] == 1 && health["waiting"] == 1);
    let refused = Reply::read(begin(&row(3)));
    assert_eq!(refused.refusal().0, 429);
    assert!(refused.head.contains("retry-after: 1"), "{}", refused.head);
    let never = Reply::read(begin(&(row(4) + &row(5) + &row(6))));
    assert_eq!(never.refusal().0, 413);
    let waits = json!({"code": "print(1)", "language": "python"});
    assert_eq!(server.post("/run_code", &waits).refusal().0, 504);
    drop(busy);
    server.wait_for(|health| health["running"] == 0 && health["waiting"] == 0);
    is_well(&server);
}

#[test]
fn a_body_that_is_too_long_is_refused_however_it_is_sent() {
    let server = Server::start(&["--max-body", "1"]);
    let long = vec![b' '; (1 << 20) + 1];
    let declared = server.begin("/v1/judge", "application/json", &long);
    assert_eq!(Reply::read(declared).refusal().0, 413);
    let mut chunked = server.connect();
    let head = "POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
                Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    chunked.write_all(head.as_bytes()).unwrap();
    let mut chunk = b"8000\r\n".to_vec();
    chunk.resize(6 + 0x8000, b' ');
    chunk.extend(b"\r\n");
    // The server closes its end when it has heard enough.
    while chunked.write_all(&chunk).is_ok() {}
    let mut answer = Vec::new();
    let _ = chunked.read_to_end(&mut answer);
    is_well(&server);
}

/// What a program writes takes as much of the memory for bodies as its answer has bytes, until that is sent.
#[test]
fn answers_that_nobody_reads_are_bounded() {
    let server = Server::start(&["--max-body", "8"]);
    let floods = "import os\nos.write(1, bytes(4 << 20))";
    let request = json!({"code": floods, "language": "python"});
    let body = request.to_string();
    let mut unread = server.begin("/run_code", "application/json", body.as_bytes());
    let mut first = [0];
    unread.read_exact(&mut first).unwrap();
    assert_eq!(server.post("/run_code", &request).refusal().0, 504);
    drop(unread);
    let start = Instant::now();
    let answer = loop {
        let reply = server.post("/run_code", &request);
        if reply.status == 200 {
            break reply.json();
        }
        // It takes a while until it is known that nobody will read the other.
        assert!(start.elapsed() < PATIENCE, "{}", reply.status);
    };
    let written = answer["run_result"]["stdout"].as_str().unwrap();
    assert_eq!(written.len(), 4 << 20);
}

#[test]
fn bodies_of_nonsense_are_refused() {
    let server = Server::start(&[]);
    let deep = "[".repeat(1 << 20);
    let nested = format!("{{\"submissions\": [{}]}}", "[".repeat(200_000));
    let bodies: [&[u8]; 6] = [
        b"",
        b"{",
        b"\xff\xff",
        b"null",
        deep.as_bytes(),
        nested.as_bytes(),
    ];
    for body in bodies {
        for path in [
            "/v1/judge",
            "/v1/problems",
            "/run_code",
            "/submit",
            "/get_reward",
            "/test_program",
        ] {
            let reply = Reply::read(server.begin(path, "application/json", body));
            assert_eq!(
                reply.refusal().0,
                400,
                "{path} {:?}",
                &body[..body.len().min(9)]
            );
        }
    }
    let lines = b"\xff\n";
    let reply = Reply::read(server.begin("/v1/judge", "application/x-ndjson", lines));
    assert_eq!(reply.refusal().0, 400);
    is_well(&server);
}

#[test]
fn clients_that_dawdle_are_hung_up_on() {
    let server = Server::start(&["--patience", "1"]);
    let dawdle = |begin: &str| {
        let mut connection = server.connect();
        connection.write_all(begin.as_bytes()).unwrap();
        Reply::read(connection).status
    };
    assert!([0, 408].contains(&dawdle("POST /v1/judge HTTP/1.1\r\nHost: loc")));
    assert!([0, 408].contains(&dawdle("")));
    let head = "POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Content-Length: 100\r\n\r\n{\"sub";
    assert_eq!(dawdle(head), 408);
    is_well(&server);
}

/// A byte now and then is not silence.
#[test]
fn clients_that_drip_are_hung_up_on() {
    let server = Server::start(&["--patience", "1"]);
    let mut connection = server.connect();
    let head = "POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n\
                Content-Length: 1000000\r\n\r\n";
    connection.write_all(head.as_bytes()).unwrap();
    let start = Instant::now();
    while connection.write_all(b" ").is_ok() {
        assert!(start.elapsed() < PATIENCE, "it may go on for ever");
        std::thread::sleep(Duration::from_millis(20));
    }
    is_well(&server);
}

#[test]
fn requests_that_come_at_once_are_answered_in_turn() {
    let server = Server::start(&[]);
    let request = |path: &str, more: &str, body: &str| {
        let (length, kind) = (body.len(), "application/x-ndjson");
        format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n{more}Content-Length: {length}\r\n\r\n{body}"
        )
    };
    let row = |id: &str| json!({"id": id, "problem": sum(), "code": RIGHT}).to_string();
    let all = [
        request("/v1/judge", "", &row("first")),
        request("/v1/judge", "", "{"),
        request("/nowhere", "", ""),
        request("/v1/judge", "Connection: close\r\n", &row("last")),
    ];
    let mut connection = server.connect();
    connection.write_all(all.concat().as_bytes()).unwrap();
    let mut text = String::new();
    connection.read_to_string(&mut text).unwrap();
    let heads = text.match_indices("HTTP/1.1 ");
    let statuses: Vec<_> = heads
        .map(|(at, head)| &text[at + head.len()..][..3])
        .collect();
    assert_eq!(statuses, ["200", "200", "404", "200"], "{text}");
    let place = |what: &str| {
        text.find(what)
            .unwrap_or_else(|| panic!("no {what} in {text}"))
    };
    assert!(place("\"id\":\"first\"") < place("\"id\":\"last\""));
}

#[test]
fn heads_that_are_no_heads_are_refused() {
    let server = Server::start(&[]);
    let long = format!(
        "GET /health HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n",
        "x".repeat(1 << 20)
    );
    let many: String = (0..1000).map(|n| format!("X-{n}: 1\r\n")).collect();
    let many = format!("GET /health HTTP/1.1\r\nHost: localhost\r\n{many}\r\n");
    let path = format!(
        "GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "x".repeat(1 << 20)
    );
    let two_lengths = "POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12";
    for head in [&long, &many, &path, two_lengths, "\0\0\0\r\n\r\n"] {
        // Of a connection that is closed with bytes unread, the answer may be lost.
        let mut connection = server.connect();
        let _ = connection.write_all(head.as_bytes());
        let status = Reply::read(connection).status;
        assert!(status == 0 || (400..500).contains(&status), "{status}");
    }
    is_well(&server);
}

/// A client that closes its writing side is not there any more, as far as the server can tell.
#[test]
fn a_client_that_closes_half_of_its_connection_harms_nobody() {
    let server = Server::start(&["--max-time-limit", "600"]);
    let address = server.url().strip_prefix("http://").unwrap();
    let row = json!({"problem": endless(), "code": "while True: pass"}).to_string();
    let head = format!(
        "POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n\
         Content-Length: {}\r\n\r\n",
        row.len()
    );
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all((head + &row).as_bytes()).unwrap();
    server.wait_for(|health| health["running"] == 1);
    stream.shutdown(Shutdown::Write).unwrap();
    server.wait_for(|health| health["running"] == 0);
    is_well(&server);
}

#[test]
fn connections_are_bounded_and_a_new_one_waits() {
    let server = Server::start(&["--max-connections", "2", "--patience", "2"]);
    let _idle = [server.connect(), server.connect(), server.connect()];
    is_well(&server);
}

/// Programs that attack do so in a box; the server goes on.
#[test]
fn a_hostile_program_is_a_verdict() {
    let server = Server::start(&[]);
    let codes = [
        "import os\nwhile True: os.fork()",
        "x = 'x' * (1 << 40)",
        "while True: print('x' * 1000000)",
        "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)",
        "import os\nos._exit(0)",
    ];
    let rows: Vec<Value> = codes
        .iter()
        .map(|code| json!({"problem": sum(), "code": code}))
        .collect();
    let answers = server.judge_lines(&rows);
    assert_eq!(answers.len(), codes.len());
    for answer in answers {
        let verdict = answer["verdict"].as_str().unwrap();
        assert!(!["accepted", "judge_failed"].contains(&verdict), "{answer}");
    }
    is_well(&server);
}

/// Rows that are answered at once are held until their answers are read, as are those that wait for a worker.
#[test]
fn rows_that_need_no_worker_are_bounded() {
    const MOST_KIB: u64 = 300 << 10;
    let server = Server::start(&[]);
    let kind = "application/x-ndjson";
    let empty = vec![b'\n'; 6_000_000];
    let nothing = "{}\n".repeat(1_000_000);
    let zeros = format!("{{\"submissions\": [{}0]}}", "0,".repeat(1_500_000));
    for (kind, body) in [
        (kind, empty.as_slice()),
        (kind, nothing.as_bytes()),
        ("application/json", zeros.as_bytes()),
    ] {
        let unread = server.begin("/v1/judge", kind, body);
        assert_eq!(Reply::read(unread).refusal().0, 413);
    }
    let few = server.begin("/v1/judge", kind, "\n".repeat(4096).as_bytes());
    let answers = Reply::read(few).answers();
    assert_eq!(answers.len(), 4096);
    assert!(answers.iter().all(|answer| answer["error"] == "is empty"));
    assert_eq!(answers[4095]["row"], 4096);
    is_well(&server);
    let held = most_held(&server);
    assert!(held < MOST_KIB, "{held} KiB");
}

/// What it held in memory at most, in KiB.
fn most_held(server: &Server) -> u64 {
    let path = format!("/proc/{}/status", server.child.id());
    let status = std::fs::read_to_string(path).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.unwrap().parse().unwrap()
}

/// However much a statement says, and whether or not its client is still there.
#[test]
fn long_statements_hold_up_nobody() {
    let server = Server::start(&["--workers", "1"]);
    let start = Instant::now();
    let asked: String = (0..2000)
        .map(|n| format!("Print the ids{n} in any order. "))
        .collect();
    for repeats in [1, 20] {
        let mut problem = sum();
        problem["statement"] = Value::from(asked.repeat(repeats));
        let row = |code: &str| json!({"problem": problem, "code": code});
        let answers = server.judge_lines(&[row(RIGHT)]);
        assert_eq!(answers[0]["verdict"], "accepted");
        let wrong = row("print(0)").to_string();
        drop(server.begin("/v1/judge", "application/x-ndjson", wrong.as_bytes()));
        is_well(&server);
    }
    assert!(start.elapsed() < PATIENCE / 2, "{:?}", start.elapsed());
}
