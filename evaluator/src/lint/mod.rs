//! Whether a problem can be trusted: what its own solutions, right and wrong, show of its tests.
//!
//! Nothing here judges in another way than the judge does. A reference is a solution that is said to be right; it is run in
//! several rounds on all tests, each run with another seed. What speaks against a problem is a [`Defect`], with the
//! evidence.
//!
//! ```
//! use evaluator::lint::{contradiction, Defect};
//!
//! let tests = [("1 2", "3"), ("0 0", "0"), ("1 2", "4")];
//! assert_eq!(contradiction(tests), Some((tests[0], tests[2])));
//! assert_eq!(Defect::ContradictingTests.name(), "contradicting_tests");
//! ```

mod conduct;
mod examination;
mod references;
mod strength;

pub use conduct::{Conduct, Failure, excerpt};
pub use examination::{KnownSolutions, LintFinding, examine};
pub use references::{Reference, against, conducts, repeated, rounds, slowest};
pub use strength::rejections;

use std::collections::HashMap;
use std::hash::Hash;

use serde::Serialize;

/// What is wrong with a problem.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Defect {
    /// Two tests expect different answers to the same input.
    ContradictingTests,
    /// No solution is said to be right.
    NoReference,
    /// A reference passes and fails the same test.
    FlakyReference,
    /// No reference passes every test.
    ReferenceFails,
    /// References give different answers, or one gives another than expected while the statement accepts any of several.
    NeedsChecker,
    /// The statement accepts any of several answers, and nothing decides which.
    AnyAnswer,
    /// A solution that is said to be wrong passes every test.
    WrongPasses,
    /// Tests that none of the wrong solutions fails.
    IdleTests,
    /// The time limit is near to what a reference takes.
    TightTimeLimit,
    /// The host failed, so nothing was decided.
    JudgeFailed,
}

impl Defect {
    /// Its name in a line.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Two tests of the same input with different outputs.
pub fn contradiction<I: Hash + Eq + Copy, O: PartialEq + Copy>(
    tests: impl IntoIterator<Item = (I, O)>,
) -> Option<((I, O), (I, O))> {
    let mut outputs: HashMap<I, O> = HashMap::new();
    tests.into_iter().find_map(|(input, output)| {
        let first = *outputs.entry(input).or_insert(output);
        (first != output).then_some(((input, first), (input, output)))
    })
}
