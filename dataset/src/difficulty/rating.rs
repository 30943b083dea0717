//! How hard a model finds a problem, in five dimensions whose weighted mean is the score.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::DataError;
use crate::llm::{Llm, LlmError, Question};
use crate::record::{Level, Rated, Record};

/// The longest answer, in tokens; a model may think first.
const MAX_TOKENS: usize = 4096;
/// Scores from which on a problem is medium, and hard: thirds of what lies between 1 and 5.
const MEDIUM: f64 = 1.0 + 4.0 / 3.0;
const HARD: f64 = 1.0 + 8.0 / 3.0;

/// The dimensions: name, weight, and what is asked.
const DIMENSIONS: [(&str, f64, &str); 5] = [
    (
        "algorithms",
        0.3,
        "which algorithms and data structures it needs",
    ),
    (
        "insight",
        0.3,
        "how far its solution lies from what the statement says",
    ),
    ("implementation", 0.2, "how much there is to write"),
    (
        "edge_cases",
        0.1,
        "how many cases a careful solver has to think of",
    ),
    (
        "efficiency",
        0.1,
        "how far beyond the plain way the limits force a solution",
    ),
];

/// What each dimension weighs, by its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Weights(pub BTreeMap<String, f64>);

impl Default for Weights {
    fn default() -> Weights {
        let weights = DIMENSIONS.iter();
        Weights(
            weights
                .map(|(name, weight, _)| ((*name).to_owned(), *weight))
                .collect(),
        )
    }
}

impl Weights {
    /// Fails for a dimension that is not known, and for weights that make no mean.
    pub fn check(&self) -> Result<(), DataError> {
        let is_known = |name: &String| DIMENSIONS.iter().any(|(known, ..)| known == name);
        if let Some(name) = self.0.keys().find(|name| !is_known(name)) {
            let error = format!("no dimension of difficulty is called \"{name}\"");
            return Err(DataError::Setting(error));
        }
        let sum: f64 = self.0.values().sum();
        match sum > 0.0 && self.0.values().all(|weight| *weight >= 0.0) {
            true => Ok(()),
            false => Err(DataError::Setting(
                "weights of difficulty must be positive".to_owned(),
            )),
        }
    }

    /// What a model says of each of the records, or what it said instead.
    pub fn rate(
        &self,
        records: &[Record],
        llm: &Llm,
    ) -> Result<Vec<Result<Rated, String>>, LlmError> {
        let questions: Vec<Question> = records.iter().map(question).collect();
        let answers = llm.ask_all(&questions)?;
        let rated = answers
            .into_iter()
            .map(|answer| self.read(&answer, llm.name()).ok_or(answer));
        Ok(rated.collect())
    }

    /// The last object of an answer, with a number from 1 to 5 for each dimension.
    fn read(&self, answer: &str, by: &str) -> Option<Rated> {
        let (start, end) = (answer.rfind('{')?, answer.rfind('}')?);
        let mut said: BTreeMap<String, f64> =
            serde_json::from_str(answer.get(start..=end)?).ok()?;
        said.retain(|name, _| self.0.contains_key(name));
        let is_whole = said.len() == self.0.len();
        if !is_whole || said.values().any(|value| !(1.0..=5.0).contains(value)) {
            return None;
        }
        let weighted = said.iter().map(|(name, value)| self.0[name] * value);
        let score = weighted.sum::<f64>() / self.0.values().sum::<f64>();
        Some(Rated {
            dimensions: said,
            score: (score * 1000.0).round() / 1000.0,
            by: by.to_owned(),
        })
    }
}

fn question(record: &Record) -> Question {
    let dimensions = DIMENSIONS.map(|(name, _, asks)| format!("- {name}: {asks}\n"));
    let statement = record.statement.as_deref().unwrap_or_default();
    let text = format!(
        "Rate how hard this programming problem is from 1 (a beginner's first week) to 5 (a world final) in each of five \
         dimensions:\n{}\nAnswer with a JSON object alone, such as {{\"algorithms\": 2, \"insight\": 1, \"implementation\": 2, \
         \"edge_cases\": 3, \"efficiency\": 1}}.\n\n{statement}",
        dimensions.concat()
    );
    Question::plain(text, MAX_TOKENS)
}

/// The level of a score.
pub fn level(rated: &Rated) -> Level {
    match rated.score {
        score if score < MEDIUM => Level::Easy,
        score if score < HARD => Level::Medium,
        _ => Level::Hard,
    }
}
