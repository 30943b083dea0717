//! What a client may ask at most.

use crate::problem::Problem;

/// Bounds on what comes in a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    /// Tests of one problem.
    pub tests: usize,
    /// Seconds of CPU time per test that a problem may state.
    pub time_limit: f64,
    /// Memory per test, in MiB, that a problem may state.
    pub memory_limit: u64,
}

impl Default for Bounds {
    /// None: as for one's own files.
    fn default() -> Bounds {
        Bounds {
            tests: usize::MAX,
            time_limit: f64::INFINITY,
            memory_limit: u64::MAX,
        }
    }
}

impl Bounds {
    /// The field of a problem that asks for more, and why it is refused.
    pub fn exceeded_by(&self, problem: &Problem) -> Option<(&'static str, String)> {
        let tests = problem.tests.len();
        if tests > self.tests {
            let most = self.tests;
            return Some((
                "tests",
                format!("has {tests} tests; at most {most} are taken here"),
            ));
        }
        let time = problem.time_limit.filter(|time| *time > self.time_limit);
        if let Some(time) = time {
            let most = self.time_limit;
            return Some((
                "time_limit",
                format!("is {time} s; at most {most} s are given here"),
            ));
        }
        let memory = problem
            .memory_limit
            .filter(|memory| *memory > self.memory_limit);
        memory.map(|memory| {
            let most = self.memory_limit;
            (
                "memory_limit",
                format!("is {memory} MiB; at most {most} MiB are given here"),
            )
        })
    }
}
