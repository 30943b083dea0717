//! Samples of a model that is asked through its server, judged at once: how often it solves a problem.

use std::sync::Arc;

use evaluator::{Evaluator, Interpreter, Level, Settings, Task};
use serde::{Deserialize, Serialize};

use super::rates::{Rates, count};
use crate::error::DataError;
use crate::llm::{Llm, Question};
use crate::record::Record;

/// How a model is sampled.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sampling {
    /// Samples of each problem; 0 for none.
    pub samples: usize,
    /// The temperature.
    pub temperature: f64,
    /// The longest sample, in tokens.
    pub max_tokens: usize,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling {
            samples: 0,
            temperature: 1.0,
            max_tokens: 8192,
        }
    }
}

impl Sampling {
    /// Ask for samples of each of the records, and count those that are accepted.
    pub fn rates(&self, records: &[Record], llm: &Llm, workers: usize) -> Result<Rates, DataError> {
        let of = |record: &Record| -> Vec<Question> {
            let seeds = 0..self.samples as u64;
            let question = |seed| Question {
                text: record.prompt(),
                temperature: self.temperature,
                max_tokens: self.max_tokens,
                seed,
            };
            seeds.map(question).collect()
        };
        let questions: Vec<Question> = records.iter().flat_map(of).collect();
        let answers = llm.ask_all(&questions)?;
        let mut tasks = Vec::new();
        for (record, answers) in records.iter().zip(answers.chunks(self.samples)) {
            let problem = record.problem()?;
            for (number, answer) in answers.iter().enumerate() {
                let id = format!("{}#{number}", record.id);
                tasks.push(Task::from_response(id, answer, problem.clone()));
            }
        }
        let interpreter = Interpreter::find(None)?;
        let evaluator: Arc<Evaluator> =
            Evaluator::new(interpreter, Level::Full, workers, Settings::default())?;
        let mut rates = Rates::new();
        for verdict in evaluator.judge_all(tasks) {
            count(&mut rates, verdict);
        }
        Ok(rates)
    }
}
