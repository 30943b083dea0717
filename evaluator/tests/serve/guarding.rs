//! Who may ask.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use serde_json::json;

use crate::judging::{RIGHT, sum};
use crate::server::Server;

const BODY: &str = r#"{"problems": []}"#;

fn post(headers: &str) -> String {
    let length = BODY.len();
    format!(
        "POST /v1/problems HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{BODY}"
    )
}

#[test]
fn other_machines_take_a_token() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mc-eval"));
    let output = command
        .args(["serve", "--listen", "0.0.0.0:0"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("--token-file"), "{words}");
}

#[test]
fn a_token_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, "s3cret\n").unwrap();
    let token = ["--token-file", file.to_str().unwrap()];
    let server = Server::start(&[&["--listen", "0.0.0.0:0"][..], &token].concat());
    let status = |headers: &str| {
        let headers = format!("Host: example.org\r\nContent-Type: application/json\r\n{headers}");
        server.send(post(&headers)).status
    };
    assert_eq!(status(""), 401);
    assert_eq!(status("Authorization: Bearer s3cre\r\n"), 401);
    assert_eq!(status("Authorization: Bearer \r\n"), 401);
    assert_eq!(status("Authorization: Basic s3cret\r\n"), 401);
    assert_eq!(status("Authorization: Bearer s3cret\r\n"), 200);
    assert_eq!(server.get("/metrics").status, 401);
    assert_eq!(server.get("/v1/ping").body, "pong");
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn a_token_that_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    for content in ["", "\n", "two words", "two\nlines"] {
        std::fs::write(&file, content).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_mc-eval"));
        command.args(["serve", "--token-file"]).arg(&file);
        assert_eq!(
            command.output().unwrap().status.code(),
            Some(3),
            "{content:?}"
        );
    }
}

/// A web page can make a browser send requests to this machine, but not of this kind, or not under this machine's name.
#[test]
fn a_web_page_cannot_use_the_server() {
    let server = Server::start(&[]);
    let status = |headers: &str| server.send(post(headers)).status;
    assert_eq!(
        status("Host: localhost:8080\r\nContent-Type: application/json\r\n"),
        200
    );
    assert_eq!(
        status("Host: [::1]\r\nContent-Type: application/json; charset=utf-8\r\n"),
        200
    );
    assert_eq!(
        status("Host: evil.example\r\nContent-Type: application/json\r\n"),
        403
    );
    assert_eq!(
        status("Host: 127.0.0.1.evil.example\r\nContent-Type: application/json\r\n"),
        403
    );
    assert_eq!(
        status("Host: localhost\r\nContent-Type: text/plain\r\n"),
        415
    );
    assert_eq!(status("Host: localhost\r\n"), 415);
    assert_eq!(
        status("Host: localhost\r\nContent-Type: Application/JSON\r\n"),
        200
    );
    assert_eq!(
        status("Host: localhost\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"),
        415
    );
}

#[test]
fn a_socket_file_is_its_owners_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("judge.sock");
    let name = path.to_str().unwrap();
    {
        let server = Server::start(&["--unix", name]);
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let answers = server.judge_lines(&[json!({"problem": sum(), "code": RIGHT})]);
        assert_eq!(answers[0]["verdict"], "accepted");
        let mut second = Command::new(env!("CARGO_BIN_EXE_mc-eval"));
        let second = second.args(["serve", "--unix", name]).output().unwrap();
        assert_eq!(second.status.code(), Some(1), "another listens there");
    }
    assert!(path.exists(), "it was killed");
    let mut server = Server::start(&["--unix", name]);
    assert_eq!(server.get("/v1/ping").body, "pong");
    server.terminate();
    assert!(server.wait().success());
    assert!(!path.exists());
}
