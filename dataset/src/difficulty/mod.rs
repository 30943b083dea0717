//! Puts problems on one scale of difficulty, takes down how often a model solves them, and chooses by both.
//!
//! Whether a record is one too many of its level depends on all others, so the choice is made first, over the whole input.

mod scale;
mod shares;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use evaluator::Decision;
use evaluator::verdict::VerdictRecord;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::DataError;
use crate::record::{Dropped, Reason, Record, Solved, Stage};
use crate::stage::{Job, RecordLines, Records, StageReport, hash_file};
pub use scale::level;
pub use shares::Shares;

/// How to choose by difficulty.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Difficulty {
    /// Files of verdicts on a model's samples.
    pub verdicts: Vec<PathBuf>,
    /// The least share of samples that are accepted.
    pub min_pass_rate: f64,
    /// The largest.
    pub max_pass_rate: f64,
    /// The most of a level among all that are kept.
    pub shares: Shares,
    /// Decides which records of a level are kept, where there are too many.
    pub seed: u64,
}

impl Default for Difficulty {
    fn default() -> Difficulty {
        Difficulty {
            verdicts: Vec::new(),
            min_pass_rate: 0.0,
            max_pass_rate: 1.0,
            shares: Shares::default(),
            seed: 0,
        }
    }
}

impl Difficulty {
    /// Choose from `input` to `out`.
    pub fn run(&self, input: &Path, out: &Path, resume: bool) -> Result<StageReport, DataError> {
        self.shares.check()?;
        let rates = rates(&self.verdicts)?;
        let mut drops = self.decide(input, &rates)?;
        let job = Job {
            stage: Stage::Difficulty,
            input: input.to_owned(),
            out: out.to_owned(),
            settings: self.describe()?,
            resume,
        };
        job.run(|records| {
            for record in records {
                record.level = level_of(record);
                record.solved = rates.get(&record.id).copied();
                record.dropped_by = drops.remove(&record.id);
            }
            Ok(())
        })
    }

    /// All settings as text, with the contents of the verdicts.
    fn describe(&self) -> Result<String, DataError> {
        let hashes: Result<Vec<String>, DataError> =
            self.verdicts.iter().map(|path| hash_file(path)).collect();
        let settings = Difficulty {
            verdicts: Vec::new(),
            ..self.clone()
        };
        let settings = serde_json::to_string(&settings).expect("it has only string keys");
        Ok(format!("{settings} {}", hashes?.join(" ")))
    }

    /// Which records are dropped, and why.
    fn decide(
        &self,
        input: &Path,
        rates: &HashMap<String, Solved>,
    ) -> Result<HashMap<String, Dropped>, DataError> {
        let mut drops = HashMap::new();
        let mut kept = Vec::new();
        for record in Records::open(input)? {
            let record = record?;
            if !record.is_live() {
                continue;
            }
            match self.outside(rates.get(&record.id)) {
                Some(dropped) => drop(drops.insert(record.id, dropped)),
                None => kept.push((level_of(&record), record.id)),
            }
        }
        let all = kept.len();
        for (level, id) in self.shares.too_many(kept, self.seed) {
            let evidence = json!({"level": level, "of": all});
            let dropped = Dropped::new(Stage::Difficulty, Reason::Share, evidence);
            drops.insert(id, dropped);
        }
        Ok(drops)
    }

    /// Why a record is dropped of which a model solves so much. What no verdict is known of does not fit a window that is
    /// asked for.
    fn outside(&self, solved: Option<&Solved>) -> Option<Dropped> {
        let window = self.min_pass_rate..=self.max_pass_rate;
        let share = solved.and_then(|solved| solved.share());
        let fits = match share {
            Some(share) => window.contains(&share),
            None => self.verdicts.is_empty(),
        };
        (!fits).then(|| {
            let evidence = json!({"solved": solved, "pass_rate": share});
            Dropped::new(Stage::Difficulty, Reason::PassRate, evidence)
        })
    }
}

fn level_of(record: &Record) -> Option<crate::record::Level> {
    level(record.platform.as_deref(), record.difficulty.as_deref()?)
}

/// How often each problem is solved. Where the judge failed nothing is known.
fn rates(verdicts: &[PathBuf]) -> Result<HashMap<String, Solved>, DataError> {
    let mut rates: HashMap<String, Solved> = HashMap::new();
    for path in verdicts {
        for line in RecordLines::<VerdictRecord>::open(path)? {
            let verdict = line?.verdict;
            if verdict.verdict == Decision::JudgeFailed {
                continue;
            }
            let solved = rates.entry(verdict.problem_id).or_default();
            solved.samples += 1;
            solved.accepted += usize::from(verdict.verdict == Decision::Accepted);
        }
    }
    Ok(rates)
}
