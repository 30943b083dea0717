//! `mc-eval view`: the page of verdicts, served to a browser on this machine while they are written.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use evaluator::page::{self, PageData, PageRequest};

use super::exit::{self, CliError};
use super::notices::Notices;
use super::report::{Shown, Sources, unreadable};

/// Seconds from one look of the page to the next.
const EVERY: u64 = 2;
/// What a request may take in time: one is answered at a time.
const PATIENCE: Duration = Duration::from_secs(5);

/// Show verdicts in a browser on this machine, and what is added to them while they are written.
///
/// The page is that of `mc-eval report`. Files are plain, not compressed, and what follows their last whole line is not there
/// yet.
#[derive(Debug, Args)]
pub struct ViewArgs {
    #[command(flatten)]
    shown: Shown,

    /// The port on 127.0.0.1; 0 takes any that is free.
    #[arg(long, value_name = "PORT", default_value_t = 8081)]
    port: u16,
}

/// Serve it until the process is ended.
pub fn run(args: &ViewArgs) -> Result<ExitCode, CliError> {
    let notices = Notices::open();
    let sources = Sources::read(&args.shown)?;
    // What is wrong with the files is told before anyone looks.
    sources.page(Some(&lengths(&args.shown)?))?;
    let failed = |error: io::Error| {
        let message = format!("failed to listen at port {}: {error}", args.port);
        CliError::new(exit::INTERNAL, message)
    };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let listener = TcpListener::bind(address).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    notices.say(format!("http://{address}"));
    for stream in listener.incoming() {
        // What fails here is one browser's connection.
        let _ = stream.and_then(|stream| answer(stream, &sources, &args.shown));
    }
    Ok(ExitCode::from(exit::FINE))
}

/// How much of each file is whole lines.
fn lengths(shown: &Shown) -> Result<Vec<u64>, CliError> {
    let length = |path: &Path| whole_lines(path).map_err(|error| unreadable(path, &error));
    shown.verdicts.iter().map(|path| length(path)).collect()
}

fn whole_lines(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut byte = [0];
    while end > 0 {
        file.seek(SeekFrom::Start(end - 1))?;
        file.read_exact(&mut byte)?;
        if byte == *b"\n" {
            break;
        }
        end -= 1;
    }
    Ok(end)
}

fn answer(mut stream: TcpStream, sources: &Sources<'_>, shown: &Shown) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = PageRequest::read(&stream)?;
    let reply = if request.is_local {
        reply(&request.path, sources, shown).unwrap_or_else(|error| Reply {
            status: "503 Service Unavailable",
            kind: "text/plain",
            text: error.to_string(),
        })
    } else {
        Reply {
            status: "403 Forbidden",
            kind: "text/plain",
            text: "not addressed to this machine".to_owned(),
        }
    };
    write!(
        stream,
        "HTTP/1.1 {}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
        reply.status,
        reply.kind,
        reply.text.len(),
        reply.text
    )
}

struct Reply {
    status: &'static str,
    kind: &'static str,
    text: String,
}

/// The page at `/`; at `/data?have=STAMP` what it shows, if there is more than it has.
fn reply(path: &str, sources: &Sources<'_>, shown: &Shown) -> Result<Reply, CliError> {
    let lengths = lengths(shown)?;
    let stamp = format!("{lengths:?}").replace(['[', ']', ' '], "");
    let data = || -> Result<PageData, CliError> {
        let data = sources.page(Some(&lengths))?;
        Ok(data.stamped(stamp.clone()))
    };
    let (status, kind, text) = match path.split_once("have=") {
        _ if path == "/" => ("200 OK", "text/html", page::render(&data()?, Some(EVERY))),
        Some(("/data?", had)) if had == stamp => ("204 No Content", "text/plain", String::new()),
        Some(("/data?", _)) => ("200 OK", "application/json", data()?.to_json()),
        _ => ("404 Not Found", "text/plain", "the page is at /".to_owned()),
    };
    Ok(Reply { status, kind, text })
}
