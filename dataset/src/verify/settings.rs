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
}

impl Default for Verify {
    fn default() -> Verify {
        Verify {
            runs: 3,
            references: 5,
        }
    }
}
