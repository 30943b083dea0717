//! `mc-eval man`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Command};

use super::exit::{self, CliError};

/// Write manual pages, one for each command
///
/// For the user alone: `mc-eval man ~/.local/share/man/man1`
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct ManArgs {
    /// The folder to write them to; it is made if it is not there.
    folder: PathBuf,
}

/// Write those of `command`.
pub fn run(args: &ManArgs, command: Command) -> Result<ExitCode, CliError> {
    let written = fs_err::create_dir_all(&args.folder)
        .and_then(|()| clap_mangen::generate_to(command, &args.folder));
    written.map_err(|error| CliError::new(exit::INPUT, error))?;
    Ok(ExitCode::from(exit::FINE))
}
