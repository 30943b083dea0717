//! How a server ends.

use std::time::Instant;

use serde_json::json;

use crate::judging::{endless, sum};
use crate::processes::{alive, descendants};
use crate::server::{PATIENCE, Reply, Server};

#[test]
fn requests_in_progress_are_answered_before_the_end() {
    let mut server = Server::start(&[]);
    let code = "import time\ntime.sleep(1.5)\nprint(sum(map(int, input().split())))";
    let rows = json!({"problem": sum(), "code": code}).to_string();
    let connection = server.begin("/v1/judge", "application/x-ndjson", rows.as_bytes());
    server.wait_for(|health| health["running"] == 1);
    server.terminate();
    let answers = Reply::read(connection).answers();
    assert_eq!(answers[0]["verdict"], "accepted");
    assert_eq!(server.wait().code(), Some(0));
}

#[test]
fn what_does_not_end_in_time_is_cut_off_and_nothing_is_left_of_it() {
    let mut server = Server::start(&["--drain", "1", "--max-time-limit", "600"]);
    let rows = json!({"problem": endless(), "code": "while True: pass"}).to_string();
    let _connection = server.begin("/v1/judge", "application/x-ndjson", rows.as_bytes());
    server.wait_for(|health| health["running"] == 1);
    let started = descendants(server.child.id());
    assert!(!started.is_empty());
    server.terminate();
    assert_eq!(server.wait().code(), Some(143));
    let end = Instant::now();
    while started.iter().any(alive) {
        assert!(end.elapsed() < PATIENCE, "{started:?}");
        std::thread::yield_now();
    }
}
