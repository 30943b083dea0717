//! A candidate against one piece of test code.

use std::time::Duration;

use crate::Prelude;
use crate::harness::Options;

/// A candidate and the test code that it is tried by.
pub(super) struct Trial<'a> {
    pub source: &'a str,
    pub function: &'a str,
    pub prelude: Prelude,
    pub code: &'a str,
    /// Whether the problem has no other test.
    pub is_only: bool,
    pub options: &'a Options,
    /// CPU time that it may take.
    pub limit: Duration,
    /// Of the candidate's and of the test code's pseudo-random numbers.
    pub seeds: [u64; 2],
}
