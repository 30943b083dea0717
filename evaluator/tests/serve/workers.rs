//! Workers outlast whatever the clients do, and the server whatever becomes of its standard error.

use std::io::{ErrorKind, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::mpsc::channel;

use evaluator::serve::{Client, Engine, Job, Room, Work};
use evaluator::{Interpreter, Level, Problem, Settings, Task, TestCase, Tests};
use serde_json::{Value, json};

use crate::judging::{RIGHT, endless, sum};
use crate::server::{PATIENCE, Server};

/// Clients that only register problems, or whose rows are all refused, hand in no job; the others are judged meanwhile.
#[test]
fn rows_without_a_job_take_no_worker() {
    let server = Server::start(&["--workers", "2"]);
    let idle = [json!({"register": sum()}), json!(7)];
    std::thread::scope(|scope| {
        for row in &idle {
            scope.spawn(|| {
                for _ in 0..100 {
                    server.judge_lines(std::slice::from_ref(row));
                }
            });
        }
    });
    let rows: Vec<Value> = (0..20)
        .map(|n| json!({"problem": sum(), "code": format!("{RIGHT} # {n}")}))
        .collect();
    let answers = server.judge_lines(&rows);
    assert!(answers.iter().all(|it| it["verdict"] == "accepted"));
    server.wait_for(|health| health["running"] == 0 && health["waiting"] == 0);
}

#[test]
fn clients_that_hang_up_leave_their_workers_behind() {
    let server = Server::start(&["--workers", "2", "--max-time-limit", "600"]);
    for n in 0..20 {
        let row = json!({"problem": endless(), "code": format!("while True: pass # {n}")});
        let lines = format!("{row}\n").repeat(3);
        let connection = server.begin("/v1/judge", "application/x-ndjson", lines.as_bytes());
        if n % 2 == 0 {
            server.wait_for(|health| health["running"] != 0);
        }
        drop(connection);
    }
    server.wait_for(|health| health["running"] == 0 && health["waiting"] == 0);
    let answers = server.judge_lines(&[json!({"problem": sum(), "code": RIGHT})]);
    assert_eq!(answers[0]["verdict"], "accepted");
}

/// What becomes of standard error, and the way in which the server is then ended: within `--drain`, by a request that does not.
fn serves_with(stderr: Stdio, folder: &tempfile::TempDir) {
    let path = folder.path().join("socket");
    let path = path.to_str().unwrap();
    let arguments = ["--drain", "1", "--max-time-limit", "600", "--unix", path];
    let mut server = Server::unheard(&arguments, path, stderr);
    let answers = server.judge_lines(&[json!({"problem": sum(), "code": RIGHT})]);
    assert_eq!(answers[0]["verdict"], "accepted");
    let row = json!({"problem": endless(), "code": "while True: pass"}).to_string();
    let _connection = server.begin("/v1/judge", "application/x-ndjson", row.as_bytes());
    server.wait_for(|health| health["running"] == 1);
    server.terminate();
    assert_eq!(server.wait().code(), Some(143));
}

#[test]
fn a_closed_standard_error_ends_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (_, theirs) = UnixStream::pair().unwrap();
    serves_with(OwnedFd::from(theirs).into(), &folder);
}

#[test]
fn a_full_standard_error_holds_nothing_up() {
    let folder = tempfile::tempdir().unwrap();
    let (_ours, mut theirs) = UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    let full = loop {
        if let Err(error) = theirs.write(&[b'x'; 1024]) {
            break error.kind();
        }
    };
    assert_eq!(full, ErrorKind::WouldBlock);
    // What is full to the last kilobyte has room for a byte.
    while theirs.write(b"x").is_ok() {}
    theirs.set_nonblocking(false).unwrap();
    serves_with(OwnedFd::from(theirs).into(), &folder);
}

fn engine() -> Engine {
    let interpreter = Interpreter::find(None).unwrap();
    let room = Room {
        jobs: 16,
        bytes: 1 << 20,
    };
    Engine::start(&interpreter, Level::Full, 1, room).unwrap()
}

fn submit(client: &Client) {
    let test = TestCase {
        input: "1 2\n".into(),
        expected: "3\n".into(),
    };
    let problem = Arc::new(Problem::new("sum", Tests::Stdin(vec![test])));
    let job = Job {
        row: 0,
        work: Work::Judge(Task::new("a", RIGHT, problem)),
        bytes: 0,
    };
    client.submit(&mut vec![job]).unwrap();
}

#[test]
fn a_client_that_panics_takes_no_worker_with_it() {
    let engine = engine();
    let settings = Arc::new(Settings::default());
    let (told, ends) = channel();
    let broken = engine.client(settings.clone(), move |answered| match answered {
        Some(_) => panic!("of this client's making"),
        None => told.send(()).unwrap(),
    });
    submit(&broken);
    ends.recv_timeout(PATIENCE).unwrap();
    let (told, answers) = channel();
    let sound = engine.client(settings, move |answered| {
        told.send(answered.is_some()).unwrap();
    });
    submit(&sound);
    assert_eq!(answers.recv_timeout(PATIENCE), Ok(true));
    assert_eq!(engine.load().unanswered, 0);
}
