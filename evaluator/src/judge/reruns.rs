//! Runs a test again, alone, where its answer is right but took a little more CPU time than the limit while other programs
//! ran beside it: that may have been their doing.

use std::time::Duration;

use sandbox::LaunchError;

use super::gate::CpuGate;
use super::tried::Tried;
use crate::verdict::Clock;

/// How often one submission may be run again alone, which holds up all others.
const MOST: u32 = 3;

/// Among which others a test is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Company {
    /// Other workers' tests.
    Others,
    /// None.
    Alone,
}

/// How often one submission may still be run again.
#[derive(Debug)]
pub(super) struct Reruns {
    left: u32,
}

impl Default for Reruns {
    /// For a submission of which nothing was run yet.
    fn default() -> Reruns {
        Reruns { left: MOST }
    }
}

impl Reruns {
    /// What `run` comes to among others; or alone, where that has to show whether it keeps to `limit`.
    pub(super) fn settle(
        &mut self,
        gate: &CpuGate,
        limit: Duration,
        mut run: impl FnMut(Company) -> Result<Tried, LaunchError>,
    ) -> Result<Tried, LaunchError> {
        let tried = gate.shared(|| run(Company::Others))?;
        if !tried.accepted_late(limit) {
            return Ok(tried);
        }
        if self.left == 0 {
            return Ok(tried.too_late());
        }
        self.left -= 1;
        let mut again = gate.alone(|| run(Company::Alone))?;
        again.burden += tried.burden;
        again.looked += tried.looked;
        if again.case.clock.is_some() {
            // It is rejected; more of these cannot save it.
            self.left = 0;
        }
        if again.case.clock == Some(Clock::Wall) {
            // Other processes of the machine took the CPU: the clock decides nothing, and the first run stands.
            again = tried.too_late();
        }
        again.case.reruns = 1;
        Ok(again)
    }
}
