//! `mc-train check`: replays reference numbers and prints what each is off by.

use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use trainer::check::{Figure, replay};

/// Compare this build with a folder of reference numbers; exit with 1 if any differs too much
///
/// Each line names a figure, the reference value (of several, the largest magnitude), the largest difference seen, and the
/// difference allowed, which follows from the reference's own error in float32. trainer/reference/make_reference.py writes such
/// a folder.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Folder with cases.json and one folder per model
    folder: PathBuf,
}

impl CheckArgs {
    pub(super) fn run(&self) -> ExitCode {
        // The models are tiny: threads would only wait for one another.
        tch::set_num_threads(1);
        match replay(&self.folder) {
            Ok(figures) => report(&figures),
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::from(3)
            }
        }
    }
}

/// Prints all figures and how many missed.
fn report(figures: &[Figure]) -> ExitCode {
    for figure in figures {
        println!("{figure}");
    }
    let missed = figures.iter().filter(|figure| !figure.holds()).count();
    println!("{} figures, {missed} missed", figures.len());
    if missed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
