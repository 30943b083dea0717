//! A server at work, and the least of an HTTP client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long anything may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

pub struct Server {
    pub child: Child,
    address: String,
}

/// Either kind of connection.
pub trait Connection: Read + Write + Send {}
impl<T: Read + Write + Send> Connection for T {}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Server {
    /// Start one on a free port, unless `arguments` say where.
    pub fn start(arguments: &[&str]) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mc-eval"));
        command.arg("serve").args(arguments).env("NO_COLOR", "1");
        if !arguments
            .iter()
            .any(|it| ["--listen", "--unix"].contains(it))
        {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut words = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        words.read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening at ").expect(&line);
        let address = address.split(' ').next().unwrap().to_owned();
        std::thread::spawn(move || std::io::copy(&mut words, &mut std::io::sink()));
        Server { child, address }
    }

    /// Start one at the socket file `path`, whose words on standard error nobody hears.
    pub fn unheard(arguments: &[&str], path: &str, stderr: Stdio) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mc-eval"));
        command.arg("serve").args(arguments).stderr(stderr);
        let server = Server {
            child: command.spawn().unwrap(),
            address: format!("unix:{path}"),
        };
        let start = Instant::now();
        while UnixStream::connect(path).is_err() {
            assert!(start.elapsed() < PATIENCE, "nobody listens at {path}");
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    /// `http://127.0.0.1:PORT`, or `unix:PATH`.
    pub fn url(&self) -> &str {
        &self.address
    }

    pub fn connect(&self) -> Box<dyn Connection> {
        match self.address.strip_prefix("unix:") {
            Some(path) => {
                let stream = UnixStream::connect(PathBuf::from(path)).unwrap();
                stream.set_read_timeout(Some(PATIENCE)).unwrap();
                Box::new(stream)
            }
            None => {
                let address = self.address.strip_prefix("http://").unwrap();
                let address = address.replace("0.0.0.0", "127.0.0.1");
                let stream = TcpStream::connect(address).unwrap();
                stream.set_read_timeout(Some(PATIENCE)).unwrap();
                Box::new(stream)
            }
        }
    }

    /// Begin a request, whose answer is read from the connection.
    pub fn begin(&self, path: &str, kind: &str, body: &[u8]) -> Box<dyn Connection> {
        let mut connection = self.connect();
        let length = body.len();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
        );
        connection.write_all(head.as_bytes()).unwrap();
        // One that is refused by its head may be closed before the body is sent.
        let _ = connection.write_all(body);
        connection
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        let body = body.to_string();
        Reply::read(self.begin(path, "application/json", body.as_bytes()))
    }

    /// Post rows, and give their answers in the order of their rows.
    pub fn judge_lines(&self, rows: &[Value]) -> Vec<Value> {
        let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
        let connection = self.begin("/v1/judge", "application/x-ndjson", lines.as_bytes());
        Reply::read(connection).answers()
    }

    pub fn get(&self, path: &str) -> Reply {
        self.send(format!(
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        ))
    }

    /// Send these bytes, and read until the server closes the connection.
    pub fn send(&self, bytes: impl AsRef<[u8]>) -> Reply {
        let mut connection = self.connect();
        // The server may have heard enough before it has heard all.
        let _ = connection.write_all(bytes.as_ref());
        Reply::read(connection)
    }

    pub fn health(&self) -> Value {
        self.get("/health").json()
    }

    /// Wait until this holds of its health.
    pub fn wait_for(&self, holds: impl Fn(&Value) -> bool) {
        let start = Instant::now();
        while !holds(&self.health()) {
            assert!(start.elapsed() < PATIENCE, "{}", self.health());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn terminate(&self) {
        let id = self.child.id().to_string();
        let killed = Command::new("kill").arg(id).status().unwrap();
        assert!(killed.success());
    }

    pub fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended is not there to be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Reply {
    pub fn read(mut connection: impl Read) -> Reply {
        let mut bytes = Vec::new();
        // A server that refuses a body resets the connection behind its answer.
        let _ = connection.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).unwrap();
        let (head, rest) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        let head = head.to_lowercase();
        let body = if head.contains("transfer-encoding: chunked") {
            chunks(rest)
        } else {
            rest.to_owned()
        };
        Reply {
            status: status.unwrap_or(0),
            head,
            body,
        }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The lines of an answer, in the order of their rows.
    pub fn answers(&self) -> Vec<Value> {
        assert_eq!(self.status, 200, "{self:?}");
        let lines = self.body.lines();
        let mut answers: Vec<Value> = lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        answers.sort_by_key(|answer| answer["row"].as_u64());
        answers
    }

    /// Status and field of an answer that refuses.
    pub fn refusal(&self) -> (u16, Value) {
        assert!(self.json()["error"].is_string(), "{self:?}");
        (self.status, self.json()["field"].clone())
    }
}

/// The content of a chunked body; it must have its end.
fn chunks(mut text: &str) -> String {
    let mut content = String::new();
    loop {
        let (size, rest) = text.split_once("\r\n").expect("a chunk's size");
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            return content;
        }
        content.push_str(&rest[..size]);
        text = rest[size..].strip_prefix("\r\n").expect("a chunk's end");
    }
}
