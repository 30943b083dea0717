//! What a browser on this machine asks of a page that is served to it.

use std::io::{self, BufRead, BufReader, Read};
use std::net::TcpStream;

/// What a request may take, in bytes.
const LONGEST: u64 = 16 << 10;

/// As much of a request as matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    /// What is to be got; empty if it is no GET.
    pub path: String,
    /// Whether its host is this machine: a page of the web that had its own name lead here must not read what is served.
    pub is_local: bool,
}

impl PageRequest {
    /// Read its first line and its headers.
    ///
    /// # Errors
    /// The connection broke, or did not send in the time that it has.
    pub fn read(stream: &TcpStream) -> io::Result<PageRequest> {
        let mut lines = BufReader::new(stream.take(LONGEST)).lines();
        let first = lines.next().transpose()?.unwrap_or_default();
        let mut words = first.split(' ');
        let path = match (words.next(), words.next()) {
            (Some("GET"), Some(path)) => path.to_owned(),
            _ => String::new(),
        };
        let mut is_local = false;
        for header in lines {
            let header = header?.to_ascii_lowercase();
            if header.is_empty() {
                break;
            }
            if let Some(host) = header.strip_prefix("host:") {
                let host = host.trim();
                let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
                is_local = ["127.0.0.1", "localhost"].contains(&name);
            }
        }
        Ok(PageRequest { path, is_local })
    }
}
