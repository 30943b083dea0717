//! `mc-train report`: what came of runs, as a page.

use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;

use clap::Args;
use trainer::report::{self, Named, Variant, watch};

use super::exit::CliError;

/// Draw curves over steps, seconds per phase, the table by platform and difficulty, and the samples with their verdicts
///
/// Runs that share a NAME, such as several seeds, are drawn as one curve: their mean at each step, with a band from the lowest
/// to the highest.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// Run folders
    #[arg(required = true, value_name = "[NAME=]FOLDER")]
    runs: Vec<Named>,

    /// The folder to write `index.html` and the figures to
    #[arg(long, short, value_name = "FOLDER", default_value = "report")]
    out: PathBuf,

    /// Serve the page on this machine alone, and keep it up to date while runs go on; nothing is written
    #[arg(long, conflicts_with = "out")]
    watch: bool,

    /// Port of the page, with --watch; 0 takes one that is free
    #[arg(long, default_value_t = 6060, requires = "watch")]
    port: u16,
}

impl ReportArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        if self.watch {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port))?;
            eprintln!("report: http://{}/", listener.local_addr()?);
            return Ok(watch::serve(&listener, &self.runs)?);
        }
        let variants = Variant::read(&self.runs).map_err(CliError::input)?;
        report::write(&variants, &self.out)?;
        eprintln!("report: {}", self.out.join("index.html").display());
        Ok(())
    }
}
