//! `mc-eval judge --stdio`.

use std::io::{self, BufReader};
use std::path::PathBuf;
use std::process::ExitCode;

use evaluator::readers::{self, Problems};
use evaluator::serve::{Conversation, Engine, ProblemStore, Room};

use super::exit::{self, CliError};
use super::notices::Notices;
use super::output::heard;
use super::settings::{MachineArgs, SettingsArgs};
use super::stop_signal::StopSignal;

/// Bytes of lines that may be unanswered before no more are read.
const AHEAD_BYTES: usize = 256 << 20;

/// Lines for each worker that may be unanswered before no more are read.
const AHEAD: usize = 64;

/// Bytes that registered problems may hold.
const PROBLEM_BYTES: usize = 1 << 30;

/// Answer lines until there are no more.
pub fn run(
    settings: &SettingsArgs,
    machine: &MachineArgs,
    problems: &[PathBuf],
) -> Result<ExitCode, CliError> {
    let notices = Notices::open();
    let signal = StopSignal::listen()?;
    let workers = usize::from(machine.workers);
    let room = Room {
        jobs: workers * AHEAD,
        bytes: AHEAD_BYTES,
    };
    let store = ProblemStore::new(read_problems(problems)?, true, PROBLEM_BYTES);
    let engine = Engine::start(&machine.interpreter()?, machine.isolation()?, workers, room)?;
    let conversation = Conversation::new(&engine, settings.settings()?);
    let hangup = conversation.hangup();
    signal.ends(move || hangup.end());
    let input = BufReader::new(io::stdin());
    let held = conversation.hold(input, io::stdout().lock(), store);
    notices.end();
    heard(held)?;
    Ok(ExitCode::from(signal.code().unwrap_or(exit::FINE)))
}

/// The problems of files, all of which must be readable.
pub fn read_problems(files: &[PathBuf]) -> Result<Problems, CliError> {
    let (problems, errors) = readers::problems(files);
    match errors.first() {
        Some(error) => Err(CliError::new(exit::INPUT, error)),
        None => Ok(problems),
    }
}
