//! Puts problems on one scale of difficulty, takes down how often a model solves them and how hard one finds them, and chooses.
//!
//! Whether a record is one too many of its level depends on all others, so the choice is made first, over the whole input.

mod rates;
mod rating;
mod sampling;
mod scale;
mod shares;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use evaluator::lint::excerpt;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::DataError;
use crate::llm::Llm;
use crate::record::{Dropped, Level, Rated, Reason, Record, Solved, Stage};
use crate::stage::{Job, Records, StageReport, hash_file};
pub use rates::{Calibration, Rates};
pub use rating::Weights;
pub use sampling::Sampling;
pub use scale::stated;
pub use shares::Shares;

/// Characters of an answer that is shown.
const SHOWN: usize = 300;

/// How to choose by difficulty.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Difficulty {
    /// Files of verdicts on a model's samples.
    pub verdicts: Vec<PathBuf>,
    /// Files of verdicts on a reference model's samples, of as many problems as there are: shares are then what that model would
    /// reach.
    pub reference_verdicts: Vec<PathBuf>,
    /// The least share of samples that are accepted.
    pub min_pass_rate: f64,
    /// The largest.
    pub max_pass_rate: f64,
    /// The most of a level among all that are kept.
    pub shares: Shares,
    /// Decides which records of a level are kept, where there are too many.
    pub seed: u64,
    /// How the model that helps is sampled.
    pub sampling: Sampling,
    /// Whether the model that helps says how hard problems are.
    pub rate: bool,
    /// What each dimension of what it says weighs.
    pub weights: Weights,
}

impl Default for Difficulty {
    fn default() -> Difficulty {
        Difficulty {
            verdicts: Vec::new(),
            reference_verdicts: Vec::new(),
            min_pass_rate: 0.0,
            max_pass_rate: 1.0,
            shares: Shares::default(),
            seed: 0,
            sampling: Sampling::default(),
            rate: false,
            weights: Weights::default(),
        }
    }
}

/// What is known of records, by their ids.
#[derive(Default)]
struct Known {
    rates: Rates,
    calibration: Option<Calibration>,
    rated: HashMap<String, Result<Rated, String>>,
}

impl Difficulty {
    /// Choose from `input` to `out`, with a model that helps if there is one, and `workers` programs at a time.
    pub fn run(
        &self,
        input: &Path,
        out: &Path,
        resume: bool,
        llm: Option<&Llm>,
        workers: usize,
    ) -> Result<StageReport, DataError> {
        self.shares.check()?;
        self.weights.check()?;
        let job = Job {
            stage: Stage::Difficulty,
            input: input.to_owned(),
            out: out.to_owned(),
            settings: self.describe(llm)?,
            resume,
        };
        job.refuse_other_output()?;
        let known = self.known(input, llm, workers)?;
        let mut drops = self.decide(input, &known)?;
        job.run(|records| {
            for record in records {
                known.take_down(record);
                record.dropped_by = drops.remove(&record.id);
            }
            Ok(())
        })
    }

    /// All settings as text, with the contents of the verdicts.
    fn describe(&self, llm: Option<&Llm>) -> Result<String, DataError> {
        let files = self.verdicts.iter().chain(&self.reference_verdicts);
        let hashes: Result<Vec<String>, DataError> = files.map(|path| hash_file(path)).collect();
        let settings = Difficulty {
            verdicts: Vec::new(),
            reference_verdicts: Vec::new(),
            ..self.clone()
        };
        let settings = serde_json::to_string(&settings).expect("it has only string keys");
        let model = llm.filter(|_| self.asks()).map_or("no model", Llm::name);
        Ok(format!("{settings} {} {model}", hashes?.join(" ")))
    }

    /// Whether there is something to ask a model.
    fn asks(&self) -> bool {
        self.rate || self.sampling.samples > 0
    }

    fn known(&self, input: &Path, llm: Option<&Llm>, workers: usize) -> Result<Known, DataError> {
        let mut known = Known {
            rates: rates::read(&self.verdicts)?,
            ..Known::default()
        };
        match llm {
            Some(llm) if self.asks() => self.ask(input, llm, workers, &mut known)?,
            None if self.asks() => {
                return Err(DataError::Setting(
                    "samples and ratings need a model: --llm-base-url and --llm-model".to_owned(),
                ));
            }
            _ => {}
        }
        if !self.reference_verdicts.is_empty() {
            let reference = rates::read(&self.reference_verdicts)?;
            known.calibration = Some(Calibration::fit(&known.rates, &reference)?);
        }
        Ok(known)
    }

    fn ask(
        &self,
        input: &Path,
        llm: &Llm,
        workers: usize,
        known: &mut Known,
    ) -> Result<(), DataError> {
        let records = Records::open(input)?;
        let live = records.filter(|record| record.as_ref().map_or(true, Record::is_live));
        let live: Vec<Record> = live.collect::<Result<_, _>>()?;
        if self.rate {
            let rated = self.weights.rate(&live, llm)?;
            let ids = live.iter().map(|record| record.id.clone());
            known.rated = ids.zip(rated).collect();
        }
        if self.sampling.samples > 0 {
            known.rates = self.sampling.rates(&live, llm, workers)?;
        }
        Ok(())
    }

    /// Which records are dropped, and why.
    fn decide(&self, input: &Path, known: &Known) -> Result<HashMap<String, Dropped>, DataError> {
        let mut drops = HashMap::new();
        let mut kept = Vec::new();
        for record in Records::open(input)? {
            let record = record?;
            if !record.is_live() {
                continue;
            }
            match self.outside(&record, known) {
                Some(dropped) => drop(drops.insert(record.id, dropped)),
                None => kept.push((known.level(&record), record.id)),
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
    fn outside(&self, record: &Record, known: &Known) -> Option<Dropped> {
        let window = self.min_pass_rate..=self.max_pass_rate;
        let solved = known.rates.get(&record.id);
        let share = known.share(&record.id);
        let fits = match share {
            Some(share) => window.contains(&share),
            None => self.verdicts.is_empty() && self.sampling.samples == 0,
        };
        (!fits).then(|| {
            let evidence = json!({"solved": solved, "pass_rate": share});
            Dropped::new(Stage::Difficulty, Reason::PassRate, evidence)
        })
    }
}

impl Known {
    /// The platform's own word first; what a model says where there is none.
    fn level(&self, record: &Record) -> Option<Level> {
        let rated = || self.rated.get(&record.id)?.as_ref().ok().map(rating::level);
        scale::stated(record).or_else(rated)
    }

    /// The share of samples that counts: the reference model's, where one is known.
    fn share(&self, id: &str) -> Option<f64> {
        let share = self.rates.get(id).copied().and_then(Solved::share)?;
        let calibrated = self.calibration.as_ref();
        Some(calibrated.map_or(share, |calibration| calibration.share(share)))
    }

    fn take_down(&self, record: &mut Record) {
        record.level = self.level(record);
        record.solved = self.rates.get(&record.id).copied();
        record.calibrated = self
            .share(&record.id)
            .filter(|_| self.calibration.is_some());
        match self.rated.get(&record.id) {
            Some(Ok(rated)) => record.rated = Some(rated.clone()),
            Some(Err(said)) => record.note(Stage::Difficulty, "not_rated", excerpt(said, SHOWN)),
            None => {}
        }
    }
}
