//! `mc-data`: parses, runs, and maps what came of it to an exit code.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
