//! `mc-eval completions`.

use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::exit::CliError;
use super::{Cli, output};

/// Print shell completions
///
/// For bash: `mc-eval completions bash > ~/.local/share/bash-completion/completions/mc-eval`
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Print them.
pub fn run(args: CompletionsArgs) -> Result<ExitCode, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "mc-eval", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}
