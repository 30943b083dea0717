//! Solutions files: what a model answers, in the form that `mc-eval judge` reads. A line is written as soon as its response
//! is there, so that a run that is ended loses none, and the same command with `--resume` goes on with the rest.

use std::collections::HashMap;
use std::path::Path;

use evaluator::jsonl::{self, JsonLines};
use serde::{Deserialize, Serialize};

use super::RunError;
use crate::config::{EvaluationConfig, ProgramIn};

/// How the responses of a file were sampled. The same in all its lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SampledBy {
    /// The model: a folder, or its name at a server.
    pub model: String,
    /// The sampling temperature.
    pub temperature: f64,
    /// The smallest set of tokens with this probability was sampled from.
    pub top_p: f64,
    /// So many of the likeliest tokens were sampled from; 0 for all.
    pub top_k: usize,
    /// The limit of a response, in tokens.
    pub max_tokens: usize,
    /// The run's seed.
    pub seed: u64,
}

impl SampledBy {
    /// As evaluations sample, from `model`.
    pub fn new(model: &str, config: &EvaluationConfig, seed: u64) -> SampledBy {
        SampledBy {
            model: model.to_owned(),
            temperature: config.temperature,
            top_p: config.top_p,
            top_k: config.top_k,
            max_tokens: config.max_tokens.longest(),
            seed,
        }
    }
}

/// A line of a solutions file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Solution {
    /// The problem's id and the response's number among those to it.
    pub id: String,
    /// The problem.
    pub problem_id: String,
    /// The response, where the whole of it is the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The response, where the program is a block in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    /// Whether it ran into the length limit.
    pub truncated: bool,
    /// Its length in tokens, where that is known.
    pub tokens: Option<usize>,
    /// How it was sampled.
    pub sampled: SampledBy,
}

impl Solution {
    /// Response number `place` to a problem.
    pub fn new(
        problem: &str,
        place: usize,
        program: ProgramIn,
        text: String,
        sampled: &SampledBy,
    ) -> Solution {
        let (code, response) = match program {
            ProgramIn::Whole => (Some(text), None),
            ProgramIn::Fence => (None, Some(text)),
        };
        Solution {
            id: id(problem, place),
            problem_id: problem.to_owned(),
            code,
            response,
            truncated: false,
            tokens: None,
            sampled: sampled.clone(),
        }
    }

    /// The text of the response.
    pub fn text(&self) -> &str {
        let text = self.code.as_deref().or(self.response.as_deref());
        text.unwrap_or_default()
    }
}

/// What the response number `place` to a problem is called.
pub fn id(problem: &str, place: usize) -> String {
    format!("{problem}/{place}")
}

impl jsonl::Record for Solution {
    const PLURAL: &'static str = "solutions";
    const START: &'static str = "{\"id\":\"";
    const CHECKSUM: bool = false;
}

/// A solutions file that is being written.
#[derive(Debug)]
pub struct Solutions {
    lines: JsonLines<Solution>,
    /// What it held when it was opened, by id.
    pub kept: HashMap<String, Solution>,
}

impl Solutions {
    /// Begin a file, or with `resume` continue one, whose responses must have been sampled in the same way.
    ///
    /// # Errors
    /// A file that exists though it is not to be continued; one of other sampling; what the file system says.
    pub fn open(path: &Path, resume: bool, sampled: &SampledBy) -> Result<Solutions, RunError> {
        let (lines, kept) = match resume {
            true => JsonLines::resume_all(path)?,
            false => (JsonLines::create(path)?, Vec::new()),
        };
        if kept
            .iter()
            .any(|solution: &Solution| solution.sampled != *sampled)
        {
            let problem = "holds responses sampled from another model or with other settings; choose another file";
            return Err(RunError::unusable(path, problem));
        }
        let by_id = |solution: Solution| (solution.id.clone(), solution);
        Ok(Solutions {
            lines,
            kept: kept.into_iter().map(by_id).collect(),
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.lines.path()
    }

    /// Write one line, at once.
    pub fn write(&mut self, solution: &Solution) -> Result<(), RunError> {
        Ok(self.lines.append(solution)?)
    }
}
