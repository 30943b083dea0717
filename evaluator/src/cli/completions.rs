//! `mc-eval completions`.

use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::Shell;

use super::exit::CliError;
use super::output;

/// Print shell completions
///
/// For bash: `mc-eval completions bash > ~/.local/share/bash-completion/completions/mc-eval`
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Print those of `command`.
pub fn run(args: CompletionsArgs, mut command: Command) -> Result<ExitCode, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "mc-eval", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}
