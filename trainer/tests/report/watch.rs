//! `mc-train report --watch`: the page of a run that goes on, over a socket and in a browser.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use super::browser::document;
use super::page::{act, samples};
use super::{of_run, places, run};

/// A page that is served while a run goes on; it ends with the test.
struct Watch {
    process: std::process::Child,
    address: String,
}

impl Watch {
    fn start(folder: &Path, run: &str) -> Watch {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mc-train"));
        command
            .current_dir(folder)
            .args(["report", "--watch", "--port", "0", run]);
        let mut process = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let told = process.stderr.take().unwrap();
        BufReader::new(told).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("report: http://");
        Watch {
            process,
            address: address.trim_end_matches('/').to_owned(),
        }
    }

    fn get(&self, path: &str, host: &str) -> String {
        get(&self.address, path, host)
    }
}

/// A server's answer to a request for `path` that is addressed to `host`.
fn get(address: &str, path: &str, host: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_live_run_is_served_on_this_machine_as_it_stands() {
    let lab = tempfile::tempdir().unwrap();
    let watch = Watch::start(lab.path(), "one");
    assert!(watch.address.starts_with("127.0.0.1:"), "{}", watch.address);
    let early = watch.get("/", &watch.address);
    assert!(
        early.starts_with("HTTP/1.1 503") && early.contains("one/metrics.jsonl"),
        "{early}"
    );
    let points = |page: &str| places(&of_run(page, "one"), "<polyline").len();
    run(&lab.path().join("one"), &[0.0, 0.2], 0.4);
    let page = watch.get("/", &watch.address);
    assert!(
        page.starts_with("HTTP/1.1 200") && page.contains("data-live=\"5\""),
        "{page}"
    );
    let titles = |page: &str| page.matches("<title>one, step ").count();
    let before = titles(&page);
    assert_eq!(points(&page), 1, "one evaluation");
    run(&lab.path().join("one"), &[0.0, 0.2, 0.4], 0.4);
    assert!(titles(&watch.get("/", "localhost")) > before);
    assert!(watch.get("/other", "localhost").starts_with("HTTP/1.1 404"));
    assert!(
        watch
            .get("/", "evil.example:80")
            .starts_with("HTTP/1.1 403")
    );
    assert!(!lab.path().join("report").exists());
}

/// A server in front of another, for one browser: the page gets a script at its end, and as soon as the browser has it, `then`
/// happens.
fn between(watch: &Watch, script: String, then: impl FnOnce() + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    let behind = watch.address.clone();
    let mut then = Some(then);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line).unwrap();
            let path = line.split(' ').nth(1).unwrap_or("/");
            let answer = get(&behind, path, "localhost");
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            let (status, _) = head.split_once("\r\n").unwrap();
            write!(
                stream,
                "{status}\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n\r\n{body}"
            )
            .unwrap();
            if let Some(then) = then.take_if(|_| path == "/") {
                stream.write_all(script.as_bytes()).unwrap();
                then();
            }
        }
    });
    address
}

#[test]
fn a_browser_follows_a_live_run_and_keeps_what_was_opened() {
    let lab = tempfile::tempdir().unwrap();
    let folder: PathBuf = lab.path().join("one");
    run(&folder, &[0.0, 0.2], 0.4);
    samples(&folder, 10);
    let watch = Watch::start(lab.path(), "one");
    let opened = act("document.querySelectorAll('details').forEach(one => one.open = true)");
    let later = move || {
        run(&folder, &[0.0, 0.2, 0.4], 0.4);
        samples(&folder, 20);
    };
    let page = document(&between(&watch, opened, later), "one, step 3: 0.4000");
    let step = |number: usize| page.contains(&format!("<summary>step {number}</summary>"));
    assert!(step(10) && step(20), "{page}");
    // The run, its first step, the prompt and two responses; what came later is closed.
    let opened = |part: &&str| part.contains("open=\"\"");
    let details = page.split("<details").skip(1);
    assert_eq!(details.clone().filter(opened).count(), 5, "{page}");
    let mut later = details.filter(|part| part.contains("step 20</summary>"));
    assert!(later.next().is_some_and(|part| !opened(&part)), "{page}");
}
