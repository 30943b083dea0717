//! What test code does without a candidate, and what that says of how it did with one.

use serde::Deserialize;

use super::conclusion::Conclusion;

/// What test code does without a candidate.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct DryRun {
    /// The lines on which something crosses that cannot.
    unshieldable: Vec<u64>,
    /// It asks nothing of the candidate.
    idle: bool,
    /// The chains that lead to objects.
    pub objects: Vec<String>,
    /// The lines on which it compares one of its objects with plain data, or computes with both.
    compared: Vec<u64>,
    /// The exceptions that it raises by itself, each with its place.
    raised: Vec<String>,
    /// It ends its process before its end.
    left: bool,
}

impl DryRun {
    /// The conclusion with the blame where it belongs, by this run alone.
    pub(super) fn settle(&self, conclusion: Conclusion) -> Conclusion {
        match conclusion {
            Conclusion::Live(why, _) => Conclusion::candidate_failed(why),
            Conclusion::Unshieldable {
                why,
                at,
                meets: true,
            } if self.compared.contains(&at) => Conclusion::Chosen(why),
            Conclusion::Unshieldable { why, at, meets }
                if meets || !self.unshieldable.contains(&at) =>
            {
                Conclusion::candidate_failed(why)
            }
            Conclusion::Idle if !self.idle => {
                Conclusion::candidate_failed("the test code never used it")
            }
            Conclusion::Left if !self.left => {
                Conclusion::candidate_failed("the test code exited before its end")
            }
            Conclusion::Failed {
                why: Some(why),
                own: Some(own),
            } if self.raised.contains(&own) => Conclusion::Broken(why),
            conclusion => conclusion,
        }
    }

    /// The same of a conclusion that decides nothing by a run that went the other way.
    pub(super) fn confirm(&self, conclusion: Conclusion) -> Conclusion {
        let settled = self.settle(conclusion.clone());
        match conclusion {
            Conclusion::Unshieldable { why, .. } if !settled.decides_nothing() => {
                Conclusion::Chosen(why)
            }
            _ => settled,
        }
    }
}
