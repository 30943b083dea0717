//! What test code came to, by its own account.

use std::time::Duration;

use serde_json::Value;

/// What the test code's box wrote into its result file, if the harness signed it: else nothing.
pub(super) struct Account(Value);

impl Account {
    pub(super) fn read(written: &[u8], key: &str) -> Account {
        let said: Value = serde_json::from_slice(written).unwrap_or_default();
        let is_signed = |said: &Value| said["key"] == key;
        Account(Some(said).filter(is_signed).unwrap_or_default())
    }

    /// For how long it waited for its candidate.
    pub(super) fn waited(&self) -> Duration {
        let seconds = self.0["waited"].as_f64().unwrap_or_default();
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }

    /// Whether it was not shown all that the candidate did to what both hold.
    pub(super) fn hid_changes(&self) -> bool {
        self.0["hid"] == true
    }
}

/// What a run of test code came to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Conclusion {
    /// It came to its end, and asked something of the candidate on the way.
    Passed,
    /// It came to its end and asked nothing of the candidate. The run decides nothing.
    Idle,
    /// It raised an exception, an assertion for the most part, or its runner of tests found something wrong.
    Failed {
        /// The exception.
        why: Option<String>,
        /// The same with its place, where it may be the test code's own doing.
        own: Option<String>,
    },
    /// It ended the process without a word. The run decides nothing.
    Left,
    /// The candidate raised an exception that the test code did not expect, or ended early, or gave back what cannot be
    /// judged: which.
    CandidateFailed(String),
    /// The candidate gave back an object where plain data may be wanted: what, and the chain that led to it.
    Live(String, String),
    /// The two cannot be kept apart, as something crosses that is not plain data: what. The run decides nothing.
    Unshieldable {
        why: String,
        /// The line of the test code.
        at: u64,
        /// It is one of the candidate's objects, which met plain data there.
        meets: bool,
    },
    /// The two could not be kept apart by what the candidate chose: one of its objects met plain data where the test code
    /// wants an object, and only its own methods say what comes of that; or what cannot cross does so after some answers
    /// alone. This counts against it unless both run in one process.
    Chosen(String),
    /// The test code itself does not compile, or fails by itself: the message. The run decides nothing.
    Broken(String),
}

impl Conclusion {
    /// From what the test code's box said. A process that exited well and wrote nothing left early; an exception leaves the
    /// file empty too.
    pub(super) fn of(said: &Account, exited_well: bool) -> Conclusion {
        let said = &said.0;
        let text = |name: &str| said[name].as_str().map(str::to_owned);
        if let Some(why) = text("unshieldable") {
            return Conclusion::Unshieldable {
                why,
                at: said["at"].as_u64().unwrap_or_default(),
                meets: said["meets"].as_bool().unwrap_or_default(),
            };
        }
        if let Some(why) = text("live") {
            return Conclusion::Live(why, text("chain").unwrap_or_default());
        }
        if let Some(why) = text("candidate") {
            return Conclusion::CandidateFailed(why);
        }
        match (said.get("passed"), said.get("idle"), said.get("failed")) {
            (Some(_), _, _) => Conclusion::Passed,
            (_, Some(_), _) => Conclusion::Idle,
            (_, _, None) if exited_well => Conclusion::Left,
            _ => Conclusion::Failed {
                why: text("failed"),
                own: text("own"),
            },
        }
    }

    /// Whether no candidate could be judged.
    pub(super) fn decides_nothing(&self) -> bool {
        matches!(
            self,
            Conclusion::Unshieldable { .. }
                | Conclusion::Idle
                | Conclusion::Left
                | Conclusion::Broken(_)
        )
    }

    /// The candidate's failure.
    pub(super) fn candidate_failed(why: impl Into<String>) -> Conclusion {
        Conclusion::CandidateFailed(why.into())
    }
}
