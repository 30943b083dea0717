//! Serves the page of live runs to a browser on this machine.

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use evaluator::page::PageRequest;

use super::{Named, Variant, draw, page};

/// Seconds from one look of the page to the next.
const EVERY: u64 = 5;
/// What a request may take in time: the page is served to one at a time.
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
        request if request.path == "/" => match live_page(runs) {
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
