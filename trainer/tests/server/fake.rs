//! A small HTTP server that speaks as much of OpenAI's protocol as a test needs, and a folder to run `mc-train` in.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use assert_cmd::assert::Assert;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A request as the server got it.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Its path: `/v1/chat/completions`.
    pub path: String,
    /// The header `authorization`; empty without one.
    pub key: String,
    /// Its body.
    pub body: Value,
}

impl Seen {
    /// The user's message, or the prompt.
    pub fn text(&self) -> &str {
        let message = self.body["messages"][0]["content"].as_str();
        message.or(self.body["prompt"].as_str()).unwrap()
    }
}

/// What the server does with a request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// Answer with a status, further headers and a body.
    Say(u16, &'static str, String),
    /// Close the connection without a word.
    HangUp,
}

impl Reply {
    /// A response, ended in this way.
    pub fn text(text: &str, finish: &str) -> Reply {
        let choice = json!({
            "index": 0, "finish_reason": finish, "text": text,
            "message": {"role": "assistant", "content": text},
        });
        let tokens = text.split_whitespace().count();
        let body = json!({"choices": [choice], "usage": {"completion_tokens": tokens}});
        Reply::Say(200, "", body.to_string())
    }

    /// What a chat server says: no bare `text`, and the reverse.
    pub fn chat(text: &str) -> Reply {
        let choice =
            json!({"finish_reason": "stop", "message": {"role": "assistant", "content": text}});
        Reply::Say(200, "", json!({"choices": [choice]}).to_string())
    }
}

type Brain = dyn Fn(&Seen, usize) -> Reply + Send + Sync;

/// A server on a port of its own. It serves until the test ends.
pub struct Fake {
    /// Its URL, without a path.
    pub url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    busy: Arc<Busy>,
}

#[derive(Default)]
struct Busy {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Fake {
    /// Answers with what `brain` makes of a request and the number of requests before it, but lists the model `tiny`.
    pub fn new(brain: impl Fn(&Seen, usize) -> Reply + Send + Sync + 'static) -> Fake {
        let sink = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", sink.local_addr().unwrap());
        let (seen, busy) = (Arc::<Mutex<Vec<Seen>>>::default(), Arc::<Busy>::default());
        let brain: Arc<Brain> = Arc::new(brain);
        let (all, count) = (seen.clone(), busy.clone());
        std::thread::spawn(move || {
            for stream in sink.incoming().flatten() {
                let (brain, seen, busy) = (brain.clone(), all.clone(), count.clone());
                std::thread::spawn(move || serve(stream, &*brain, &seen, &busy));
            }
        });
        Fake { url, seen, busy }
    }

    /// Solves every toy problem that asks for a sum, and no other.
    pub fn solving() -> Fake {
        Fake::new(|seen, _| Reply::text(&solution(seen.text()), "stop"))
    }

    /// All requests for responses.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// The most requests that were under way at a time.
    pub fn most_at_a_time(&self) -> usize {
        self.busy.most.load(Ordering::SeqCst)
    }
}

/// A program in a block, as a model would answer the toy statement `add 12`.
pub fn solution(prompt: &str) -> String {
    let constant = prompt.split_whitespace().nth(1).unwrap_or("0");
    format!("Here:\n```python\nprint(int(input()) + {constant})\n```\n")
}

/// Serve one connection until it ends.
fn serve(stream: TcpStream, brain: &Brain, seen: &Mutex<Vec<Seen>>, busy: &Busy) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    while let Some(request) = request(&mut reader) {
        let reply = if request.path.ends_with("/models") {
            Reply::Say(200, "", json!({"data": [{"id": "tiny"}]}).to_string())
        } else {
            let before = {
                let mut seen = seen.lock().unwrap();
                seen.push(request.clone());
                seen.len() - 1
            };
            let now = busy.now.fetch_add(1, Ordering::SeqCst) + 1;
            busy.most.fetch_max(now, Ordering::SeqCst);
            let reply = brain(&request, before);
            busy.now.fetch_sub(1, Ordering::SeqCst);
            reply
        };
        let Reply::Say(status, headers, body) = reply else {
            return;
        };
        let head = format!(
            "HTTP/1.1 {status} Said\r\n{headers}content-length: {}",
            body.len()
        );
        if write!(stream, "{head}\r\n\r\n{body}").is_err() {
            return;
        }
    }
}

/// The next request on a connection; none at its end.
fn request(reader: &mut BufReader<TcpStream>) -> Option<Seen> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let (mut length, mut key) = (0, String::new());
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim_end().split_once(": ") else {
            break;
        };
        match name.to_lowercase().as_str() {
            "content-length" => length = value.parse().ok()?,
            "authorization" => key = value.to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Some(Seen { path, key, body })
}

/// A folder with four problems in `problems.jsonl`: sums, of which `sum-2` has a test that no sum passes.
pub struct Lab(TempDir);

impl Lab {
    /// Make it.
    pub fn new() -> Lab {
        let lab = Lab(tempfile::tempdir().unwrap());
        let problem = |number: usize| {
            let output = if number == 2 {
                "never".to_owned()
            } else {
                (number + 5).to_string()
            };
            let difficulty = if number < 2 { "easy" } else { "hard" };
            json!({
                "id": format!("sum-{number}"), "kind": "stdin", "statement": format!("add {number}"),
                "tests": [{"input": "5\n", "output": format!("{output}\n")}],
                "platform": "toy", "difficulty": difficulty,
            })
        };
        let lines: String = (0..4)
            .map(|number| format!("{}\n", problem(number)))
            .collect();
        std::fs::write(lab.join("problems.jsonl"), lines).unwrap();
        lab
    }

    /// A path in it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `mc-train COMMAND` on these problems, asking the server at `url`, two responses to a problem; `more` are further
    /// arguments.
    pub fn ask(&self, command: &str, url: &str, out: &str, more: &[&str]) -> Assert {
        let mut mc_train = self.command(command, url, out, more);
        mc_train.timeout(Duration::from_secs(120)).assert()
    }

    /// The same, not yet begun.
    pub fn command(
        &self,
        command: &str,
        url: &str,
        out: &str,
        more: &[&str],
    ) -> assert_cmd::Command {
        let mut plain = Command::new(env!("CARGO_BIN_EXE_mc-train"));
        plain
            .current_dir(self.0.path())
            .env("NO_PROXY", "127.0.0.1");
        let mut mc_train = assert_cmd::Command::from_std(plain);
        mc_train.args([command, "--server", url, "--out", out]);
        for setting in [
            "data.held_out=[\"problems.jsonl\"]",
            "evaluation.samples=2",
            "server.retries=1",
        ] {
            mc_train.args(["--set", setting]);
        }
        mc_train.args(more);
        mc_train
    }

    /// The lines of a file of JSON, in the order of their ids.
    pub fn lines(&self, file: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.join(file)).unwrap();
        let mut lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        lines.sort_by_key(|line| line["id"].as_str().unwrap_or_default().to_owned());
        lines
    }
}

/// What a command wrote to standard error.
pub fn stderr(assert: &Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}
