//! A server on a loopback port that speaks as much of OpenAI's protocol as `mc-data` asks for.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// What the model says to a request; an `Err` is the status of a refusal.
type Brain = dyn Fn(&Value) -> Result<String, u16> + Send + Sync;

/// It serves until the test ends.
pub struct Server {
    pub url: String,
    asked: Arc<AtomicUsize>,
    keys: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub fn new(brain: impl Fn(&Value) -> Result<String, u16> + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let (asked, keys) = (Arc::default(), Arc::default());
        let server = Server {
            url,
            asked: Arc::clone(&asked),
            keys: Arc::clone(&keys),
        };
        let brain: Arc<Brain> = Arc::new(brain);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (brain, asked, keys) = (brain.clone(), Arc::clone(&asked), Arc::clone(&keys));
                // A client that goes away ends its thread, and nothing else.
                std::thread::spawn(move || serve(stream, &*brain, &asked, &keys).ok());
            }
        });
        server
    }

    /// Requests so far.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    /// The headers `authorization` so far.
    pub fn keys(&self) -> Vec<String> {
        self.keys.lock().unwrap().clone()
    }
}

fn serve(
    stream: TcpStream,
    brain: &Brain,
    asked: &AtomicUsize,
    keys: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut stream = stream;
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first)? == 0 {
            return Ok(());
        }
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let Some((name, value)) = line.trim().split_once(':') else {
                break;
            };
            match name.to_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap_or(0),
                "authorization" => keys.lock().unwrap().push(value.trim().to_owned()),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        asked.fetch_add(1, Ordering::SeqCst);
        let request: Value = serde_json::from_slice(&body).unwrap_or_default();
        let said = match first.starts_with("POST /v1/chat/completions ") {
            true => brain(&request),
            false => Err(404),
        };
        let (status, body) = match said {
            Ok(text) => {
                let message = json!({"role": "assistant", "content": text});
                (200, json!({"choices": [{"message": message}]}))
            }
            Err(status) => (status, json!({"error": "not now"})),
        };
        let body = body.to_string();
        write!(
            stream,
            "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )?;
        stream.flush()?;
    }
}
