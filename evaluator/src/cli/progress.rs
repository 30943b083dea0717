//! A line of progress on a terminal, and nothing in a pipe.

use std::io::{IsTerminal, stderr, stdout};
use std::path::PathBuf;
use std::time::Duration;

use evaluator::Decision;
use evaluator::readers;
use evaluator::report::ReportBuilder;
use indicatif::{ProgressBar, ProgressStyle};

use super::notices;
use super::words::several;

/// Shows how far a run is.
#[derive(Clone)]
pub struct Progress(ProgressBar);

impl Progress {
    /// On standard error if that is a terminal, unless the verdict lines go to the same.
    pub fn start(lines_on_stdout: bool) -> Progress {
        if !stderr().is_terminal() || (lines_on_stdout && stdout().is_terminal()) {
            return Progress(ProgressBar::hidden());
        }
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
        bar.set_style(style.expect("the template is right"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress(bar)
    }

    /// Count the rows of the files on a thread of its own; once they are known, show how much is left.
    pub fn count_rows(&self, files: &[PathBuf]) {
        if self.0.is_hidden() {
            return;
        }
        let (bar, files) = (self.0.clone(), files.to_vec());
        std::thread::spawn(move || {
            let Some(rows) = readers::count_rows(&files) else {
                return;
            };
            let style = ProgressStyle::with_template(
                "{spinner} {elapsed} {percent} % of {len} rows, about {eta} left: {msg}",
            );
            bar.set_style(style.expect("the template is right"));
            bar.set_length(rows);
        });
    }

    /// Show what is judged so far: all rows up to `row`.
    pub fn show(&self, tally: &ReportBuilder, row: u64) {
        if self.0.is_hidden() {
            return;
        }
        self.0.set_position(row);
        self.0.set_message(format!(
            "{} judged, {} accepted, {}",
            tally.submissions(),
            tally.count(Decision::Accepted),
            several(tally.tests(), "test")
        ));
    }

    /// Print a line on standard error without spoiling the progress.
    pub fn say(&self, line: &str) {
        self.0.suspend(|| notices::say(line));
    }

    /// Take it away.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}
