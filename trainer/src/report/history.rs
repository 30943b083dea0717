//! What runs have measured, read from their folders.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use evaluator::jsonl::JsonLinesError;

use crate::run::metrics::{EvaluationRecord, Record, StepRecord, read};

/// The folder of a run, and the name it is drawn under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    name: String,
    folder: PathBuf,
}

impl FromStr for Named {
    type Err = Infallible;

    /// `NAME=FOLDER`; else all of it is the folder, and its name.
    fn from_str(text: &str) -> Result<Named, Infallible> {
        let (name, folder) = match text.split_once('=') {
            Some(both) if !Path::new(text).exists() => both,
            _ => (text, text),
        };
        Ok(Named {
            name: name.to_owned(),
            folder: PathBuf::from(folder),
        })
    }
}

/// A run as its metrics tell it.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) folder: PathBuf,
    pub(super) steps: Vec<StepRecord>,
    pub(super) evaluations: Vec<EvaluationRecord>,
}

impl History {
    fn read(folder: &Path) -> Result<History, JsonLinesError> {
        // What `mc-train eval` appends to is a file of the same records.
        let path = match folder.is_file() {
            true => folder.to_path_buf(),
            false => folder.join("metrics.jsonl"),
        };
        let mut history = History {
            folder: folder.to_path_buf(),
            ..History::default()
        };
        for record in read(&path)? {
            match record {
                Record::Step(step) => history.steps.push(*step),
                Record::Evaluation(evaluation) => history.evaluations.push(*evaluation),
                Record::Sft(_) => {}
            }
        }
        Ok(history)
    }
}

/// Runs of one name, which are drawn as one: the same settings from several seeds, or one run alone.
#[derive(Debug)]
pub struct Variant {
    pub(super) name: String,
    pub(super) runs: Vec<History>,
}

impl Variant {
    /// Read these runs, those of the same name together.
    ///
    /// # Errors
    /// A folder without metrics, or with a line that is none.
    pub fn read(runs: &[Named]) -> Result<Vec<Variant>, JsonLinesError> {
        let mut variants: Vec<Variant> = Vec::new();
        for Named { name, folder } in runs {
            let history = History::read(folder)?;
            match variants.iter_mut().find(|known| known.name == *name) {
                Some(known) => known.runs.push(history),
                None => variants.push(Variant {
                    name: name.clone(),
                    runs: vec![history],
                }),
            }
        }
        Ok(variants)
    }

    /// The limits of a response that it was evaluated at.
    pub(super) fn limits(&self) -> BTreeSet<usize> {
        let evaluations = self.runs.iter().flat_map(|run| &run.evaluations);
        evaluations.map(|record| record.max_tokens).collect()
    }

    /// One line from what each of the runs measured: pairs of a step and a value. It has the steps that all runs have, so that
    /// it never jumps because a run ended.
    pub(super) fn series<'a, I>(&'a self, of: impl Fn(&'a History) -> I) -> Series
    where
        I: Iterator<Item = (usize, f64)>,
    {
        let mut by_step: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (step, value) in self.runs.iter().flat_map(of) {
            by_step.entry(step).or_default().push(value);
        }
        let points = by_step
            .into_iter()
            .filter(|(_, values)| values.len() == self.runs.len())
            .filter_map(|(step, values)| Some((step as f64, Spread::of(&values)?)));
        Series {
            name: self.name.clone(),
            run: self.name.clone(),
            points: points.collect(),
        }
    }
}

/// A line in a figure.
pub(super) struct Series {
    /// As the legend has it.
    pub(super) name: String,
    /// The variant that it is of, which may have several lines in a figure.
    pub(super) run: String,
    pub(super) points: Vec<(f64, Spread)>,
}

/// What several runs measured of the same thing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    pub(super) mean: f64,
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Spread {
    /// Of some values; none of none.
    pub(super) fn of(values: &[f64]) -> Option<Spread> {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        (!values.is_empty()).then(|| Spread {
            mean,
            least: values.iter().copied().fold(f64::INFINITY, f64::min),
            most: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        })
    }
}
