//! Serves the page of live runs to a browser on this machine.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use super::{Named, Variant, draw, page};

/// Seconds from one look of the page to the next.
const EVERY: u64 = 5;
/// What a request may take in bytes, and in time: the page is served to one at a time.
const LONGEST: u64 = 16 << 10;
const PATIENCE: Duration = Duration::from_secs(2);

/// Answer every request with the page of the runs as they stand. It ends only with the process.
///
/// # Errors
/// A listener that accepts nothing any more.
pub fn serve(listener: &TcpListener, runs: &[Named]) -> io::Result<()> {
    for stream in listener.incoming() {
        // What fails here is one browser's connection.
        let _ = answer(stream?, runs);
    }
    Ok(())
}

fn answer(mut stream: TcpStream, runs: &[Named]) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let (status, text) = match PageRequest::read(&stream)? {
        request if !request.is_local => ("403 Forbidden", "not addressed to this machine".into()),
        request if request.line.starts_with("GET / ") => match live_page(runs) {
            Ok(page) => ("200 OK", page),
            Err(problem) => ("503 Service Unavailable", problem),
        },
        _ => ("404 Not Found", "the page is at /".to_owned()),
    };
    let kind = if status.starts_with("200") {
        "html"
    } else {
        "plain"
    };
    let length = text.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/{kind}; charset=utf-8\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{text}"
    )
}

fn live_page(runs: &[Named]) -> Result<String, String> {
    let variants = Variant::read(runs).map_err(|error| error.to_string())?;
    page(&variants, &draw(&variants), Some(EVERY)).map_err(|error| error.to_string())
}

/// As much of a request as matters here.
struct PageRequest {
    line: String,
    /// Whether its host is this machine: a page of the web that had its own name lead here must not read samples.
    is_local: bool,
}

impl PageRequest {
    fn read(stream: &TcpStream) -> io::Result<PageRequest> {
        let mut lines = BufReader::new(stream.take(LONGEST)).lines();
        let line = lines.next().transpose()?.unwrap_or_default();
        let mut is_local = false;
        for header in lines {
            let header = header?.to_ascii_lowercase();
            if header.is_empty() {
                break;
            }
            if let Some(host) = header.strip_prefix("host:") {
                let name = host
                    .trim()
                    .rsplit_once(':')
                    .map_or(host.trim(), |(name, _)| name);
                is_local = ["127.0.0.1", "localhost"].contains(&name);
            }
        }
        Ok(PageRequest { line, is_local })
    }
}
