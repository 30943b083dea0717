//! How to verify.

use serde::{Deserialize, Serialize};

/// How to verify.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Verify {
    /// How often each reference is run on each test.
    pub runs: usize,
    /// References of a record that are run; the others are left as they are.
    pub references: usize,
    /// Mutants of a reference that are run against the tests; 0 for none.
    pub mutants: usize,
    /// Tests that are made for a record at the most, of inputs like those of its tests; 0 for none.
    pub generate: usize,
    /// References that must give the same answer to an input for it to become a test.
    pub agreeing: usize,
    /// The least share of wrong programs that the tests must reject.
    pub min_strength: f64,
    /// Tests that are kept of a record.
    pub max_tests: Option<usize>,
    /// The time limit, as a multiple of what the slowest reference takes; 0 to leave limits alone.
    pub time_factor: f64,
}

impl Default for Verify {
    fn default() -> Verify {
        Verify {
            runs: 3,
            references: 5,
            mutants: 12,
            generate: 0,
            agreeing: 2,
            min_strength: 0.0,
            max_tests: None,
            time_factor: 10.0,
        }
    }
}
