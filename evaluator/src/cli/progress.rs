//! A line of progress on a terminal, and nothing in a pipe.

use std::io::{IsTerminal, stderr, stdout};
use std::time::Duration;

use evaluator::Decision;
use evaluator::report::ReportBuilder;
use indicatif::{ProgressBar, ProgressStyle};

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
        let style = ProgressStyle::with_template("{spinner} {elapsed} {pos} judged, {msg}");
        bar.set_style(style.expect("the template is right"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress(bar)
    }

    /// Show what is judged so far.
    pub fn show(&self, tally: &ReportBuilder) {
        self.0.set_position(tally.submissions());
        if !self.0.is_hidden() {
            let accepted = tally.count(Decision::Accepted);
            let (tests, speed) = (tally.tests(), self.0.per_sec());
            self.0.set_message(format!(
                "{accepted} accepted, {tests} tests, {speed:.0} a second"
            ));
        }
    }

    /// Print a line on standard error without spoiling the progress.
    pub fn say(&self, line: &str) {
        self.0.suspend(|| anstream::eprintln!("{line}"));
    }

    /// Take it away.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}
