//! `mc-eval serve`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use evaluator::serve::http::{Address, HttpLimits, ServeError, Server};
use evaluator::serve::{Bounds, Engine, ProblemStore, Room};

use super::exit::{self, CliError};
use super::input;
use super::notices::Notices;
use super::settings::{MachineArgs, SettingsArgs};
use super::stdio::read_problems;
use super::stop_signal::StopSignal;

/// Judge for other programs, over HTTP.
///
/// POST /v1/judge takes a batch and streams a verdict for each submission as soon as it is ready; POST /v1/problems keeps
/// problems, so that later submissions name them by a hash. The paths of SandboxFusion (/run_code, /submit, /v1/ping), of
/// OpenRLHF (/get_reward) and of open-instruct (/test_program, /test_program_stdio) are served too, so that their clients
/// change only the address. /health, /metrics (Prometheus) and /openapi.json tell about the server.
///
/// A server that other machines can reach takes a token, which each request shows as `Authorization: Bearer TOKEN`. SIGTERM
/// or Ctrl-C lets requests in progress end; a second one ends at once.
#[derive(Debug, Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{}", exit::HELP))]
pub struct ServeArgs {
    /// Where to listen.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,

    /// Listen at a socket file instead, which only its owner may open.
    #[arg(long, value_name = "PATH", conflicts_with = "listen")]
    unix: Option<PathBuf>,

    /// A file whose one line is the token that every request must show.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Files with problems that submissions name by `problem_id`.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    problems: Vec<PathBuf>,

    /// Submissions that may be unanswered at once. A request that does not fit is answered with 429 and Retry-After.
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = at_least_one())]
    queue: u64,

    /// The largest body of a request, in MiB; all bodies together may take four times that.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=4096))]
    max_body: u64,

    /// Memory for registered problems, in MiB. Beyond it, those unused for longest are forgotten.
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..1 << 24))]
    problem_memory: u64,

    /// The most tests that a problem in a request may have.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = at_least_one())]
    max_tests: u64,

    /// The most CPU time per test that a request may ask for, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    max_time_limit: u32,

    /// The most memory per test that a request may ask for, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..1 << 24))]
    max_memory_limit: u64,

    /// Connections at once; further ones wait.
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = at_least_one())]
    max_connections: u64,

    /// How long a client may take to send its headers, and between two pieces of its body or of the answer it reads, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3600))]
    patience: u32,

    /// How long requests may go on after SIGTERM, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(0..=86_400))]
    drain: u32,

    #[command(flatten)]
    settings: SettingsArgs,

    #[command(flatten)]
    machine: MachineArgs,
}

const EXAMPLES: &str = "\
Examples:
  mc-eval serve --problems problems.jsonl
  curl -H 'Content-Type: application/x-ndjson' --data-binary @solutions.jsonl http://127.0.0.1:8080/v1/judge
  mc-eval serve --listen 0.0.0.0:8080 --token-file token";

fn at_least_one() -> impl clap::builder::TypedValueParser<Value = u64> {
    clap::value_parser!(u64).range(1..=u64::from(u32::MAX))
}

/// Serve.
pub fn run(args: ServeArgs) -> Result<ExitCode, CliError> {
    args.settings.check()?;
    args.machine.languages.choose()?;
    let notices = Notices::open();
    let signal = StopSignal::listen()?;
    let token = args.token_file.as_deref().map(token).transpose()?;
    let address = match &args.unix {
        Some(path) => Address::Unix(path.clone()),
        None => Address::Tcp(args.listen),
    };
    refuse_unguarded(&address, token.as_deref())?;
    let problem_memory = (args.problem_memory as usize) << 20;
    let store = ProblemStore::new(read_problems(&args.problems)?, false, problem_memory);
    let machine = &args.machine;
    let workers = usize::from(machine.workers);
    let engine = Engine::start(
        &machine.interpreter()?,
        machine.isolation()?,
        workers,
        room(&args),
    )?;
    let settings = args.settings.settings()?;
    let limits = limits(&args);
    let server = Server::listen(&address, token.as_deref(), engine, store, settings, limits);
    let server = server.map_err(failed)?;
    let ender = server.ender();
    signal.ends(move || ender.end());
    notices.say(format!(
        "listening at {} with {workers} workers",
        server.url()
    ));
    let code = if server.run().map_err(failed)? {
        exit::FINE
    } else {
        notices.say("some requests did not end in time and were cut off");
        signal.code().unwrap_or(exit::INTERNAL)
    };
    notices.end();
    Ok(ExitCode::from(code))
}

/// Before anything is started, which takes a while.
fn refuse_unguarded(address: &Address, token: Option<&str>) -> Result<(), CliError> {
    match address {
        Address::Tcp(address) if token.is_none() && !address.ip().is_loopback() => {
            Err(failed(ServeError::Unguarded(*address)))
        }
        _ => Ok(()),
    }
}

fn room(args: &ServeArgs) -> Room {
    Room {
        jobs: args.queue as usize,
        bytes: bodies(args),
    }
}

/// Bytes of all bodies together.
fn bodies(args: &ServeArgs) -> usize {
    (args.max_body as usize) << 22
}

fn limits(args: &ServeArgs) -> HttpLimits {
    HttpLimits {
        body: (args.max_body as usize) << 20,
        bodies: bodies(args),
        connections: args.max_connections as usize,
        patience: Duration::from_secs(args.patience.into()),
        drain: Duration::from_secs(args.drain.into()),
        bounds: Bounds {
            tests: args.max_tests as usize,
            time_limit: args.max_time_limit.into(),
            memory_limit: args.max_memory_limit,
        },
    }
}

/// The token of a file.
fn token(path: &Path) -> Result<String, CliError> {
    let bytes = input::read(path)?;
    let text = String::from_utf8_lossy(bytes.trim_ascii()).into_owned();
    if text.is_empty() || text.contains(|c: char| !c.is_ascii_graphic()) {
        let message = format!(
            "{}: must hold one line, the token, of visible ASCII without spaces",
            path.display()
        );
        return Err(CliError::new(exit::INPUT, message));
    }
    Ok(text)
}

fn failed(error: ServeError) -> CliError {
    match &error {
        ServeError::Unguarded(_) => CliError::new(exit::USAGE, error)
            .hint("put a secret into a file and name it with --token-file, or listen at 127.0.0.1"),
        ServeError::Listen { .. } | ServeError::Start(_) => CliError::new(exit::INTERNAL, error),
    }
}
