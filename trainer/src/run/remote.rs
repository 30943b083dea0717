//! A server answers in place of the policy: solutions files and evaluations without weights, tokenizer or GPU here.
//!
//! Each response is kept in a solutions file as soon as it comes. A server that goes away ends the run with an error, and
//! the same command with `--resume` asks for what is missing, and for nothing else.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use evaluator::Problem;

use super::RunError;
use super::evaluate::{Attempts, JudgedResponse, record};
use super::judging::Judge;
use super::metrics::EvaluationRecord;
use super::setup::{ask, problems};
use super::solutions::{SampledBy, Solution, Solutions, id};
use crate::chance::{self, Purpose};
use crate::config::{Config, ConfigError};
use crate::server::{Asked, Request, Server, ServerError, Wanted};

/// How often progress is told of.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// Get `evaluation.samples` responses to each held-out problem from the server at `url`, and write them to `out`. Gives
/// how many responses the file holds.
///
/// # Errors
/// Among others [`RunError::Missing`] where responses are missing at the end; those that came are in the file.
pub fn generate(config: &Config, url: &str, out: &Path, resume: bool) -> Result<usize, RunError> {
    let mut collection = Collection::open(config, url, out, resume)?;
    let failed = collection.ask(&mut |_, _| {})?;
    collection.complete(failed)?;
    Ok(collection.wanted())
}

/// Get the same responses, judge each as it comes, and measure. They are kept beside `out`, in a file that ends in
/// `.solutions.jsonl`. A response that the server refuses counts as absent, as one whose judge failed.
///
/// # Errors
/// Among others [`RunError::Missing`] where the server went away or gave no response at all.
pub fn evaluate(
    config: &Config,
    url: &str,
    out: &Path,
    resume: bool,
) -> Result<EvaluationRecord, RunError> {
    let start = Instant::now();
    let judge = Judge::new(&config.reward)?;
    let mut collection = Collection::open(config, url, &beside(out), resume)?;
    let mut batch = judge.batch();
    let mut handed_in = Vec::new();
    let mut hear = |problem: &Arc<Problem>, solution: &Solution| {
        batch.submit(problem, solution.text(), config.data.program);
        handed_in.push((problem.id.clone(), solution.tokens, solution.truncated));
    };
    collection.recall(&mut hear);
    let failed = collection.ask(&mut hear)?;
    if handed_in.is_empty() {
        collection.complete(failed)?;
    } else if let Some(error) = failed.first() {
        let count = failed.len();
        eprintln!(
            "{count} responses are missing and excluded from all rates (--resume requests them again); the first: {error}"
        );
    }
    let mut answers: HashMap<String, Vec<JudgedResponse>> = HashMap::new();
    for ((problem, tokens, truncated), verdict) in handed_in.into_iter().zip(batch.finish()?) {
        answers
            .entry(problem)
            .or_default()
            .push(JudgedResponse::new(tokens, truncated, &verdict));
    }
    let asked: Vec<Attempts> = collection
        .problems
        .iter()
        .map(|problem| Attempts {
            problem: problem.clone(),
            answers: answers.remove(&problem.id).unwrap_or_default(),
        })
        .collect();
    Ok(EvaluationRecord {
        model: Some(collection.sampled.model.clone()),
        seconds: start.elapsed().as_secs_f64(),
        ..record(
            &asked,
            &config.evaluation,
            config.evaluation.max_tokens.longest(),
            0,
        )
    })
}

/// Where an evaluation written to `out` keeps its responses.
fn beside(out: &Path) -> PathBuf {
    out.with_extension("solutions.jsonl")
}

/// Problems that a server is asked about.
struct Collection<'a> {
    config: &'a Config,
    server: Server,
    problems: Vec<Arc<Problem>>,
    solutions: Solutions,
    sampled: SampledBy,
    /// Responses that came from the server now.
    came: usize,
}

/// A response that is not there yet.
struct Missing<'a> {
    problem: &'a Arc<Problem>,
    place: usize,
    about: String,
    text: String,
}

impl<'a> Collection<'a> {
    fn open(
        config: &'a Config,
        url: &str,
        file: &Path,
        resume: bool,
    ) -> Result<Collection<'a>, RunError> {
        if config.evaluation.max_tokens.0.len() > 1 {
            let problem =
                "takes one limit where a server answers: its responses cannot be cut by tokens";
            return Err(ConfigError::new("evaluation.max_tokens", problem).into());
        }
        let problems = problems(&config.data.held_out, "data.held_out")?;
        let server = Server::connect(url, &config.server, &config.data)?;
        let sampled = SampledBy::new(server.model(), &config.evaluation, config.seed);
        Ok(Collection {
            config,
            solutions: Solutions::open(file, resume, &sampled)?,
            server,
            problems,
            sampled,
            came: 0,
        })
    }

    /// How many responses there are to be.
    fn wanted(&self) -> usize {
        self.problems.len() * self.config.evaluation.samples
    }

    /// The responses that are kept from an earlier run, of those wanted.
    fn recall(&self, hear: &mut dyn FnMut(&Arc<Problem>, &Solution)) {
        for problem in &self.problems {
            for place in 0..self.config.evaluation.samples {
                if let Some(solution) = self.solutions.kept.get(&id(&problem.id, place)) {
                    hear(problem, solution);
                }
            }
        }
    }

    /// Ask for all that is missing, sample by sample, so that each problem has one before any has two. Gives what failed.
    fn ask(
        &mut self,
        hear: &mut dyn FnMut(&Arc<Problem>, &Solution),
    ) -> Result<Vec<ServerError>, RunError> {
        let problems = self.problems.clone();
        let open = self.missing(&problems)?;
        let requests: Vec<Request<'_>> = open.iter().map(|open| self.request(open)).collect();
        let (mut failure, mut told) = (None, Instant::now());
        let (solutions, came) = (&mut self.solutions, &mut self.came);
        let (sampled, program) = (&self.sampled, self.config.data.program);
        let asked = self.server.ask_all(&requests, &mut |at, answer| {
            let Missing { problem, place, .. } = &open[at];
            let solution = Solution {
                truncated: answer.truncated,
                tokens: answer.tokens,
                ..Solution::new(&problem.id, *place, program, answer.text, sampled)
            };
            if let Err(error) = solutions.write(&solution) {
                failure = Some(error);
                return ControlFlow::Break(());
            }
            *came += 1;
            hear(problem, &solution);
            if told.elapsed() > TOLD_EVERY {
                told = Instant::now();
                eprintln!("{came} of {} responses", open.len());
            }
            ControlFlow::Continue(())
        });
        match (failure, asked) {
            (Some(error), _) => Err(error),
            (None, Ok(failed)) => Ok(failed),
            (None, Err(error)) => Err(self.lacking(error)),
        }
    }

    fn missing<'p>(&self, problems: &'p [Arc<Problem>]) -> Result<Vec<Missing<'p>>, RunError> {
        let all = (0..self.config.evaluation.samples)
            .flat_map(|place| problems.iter().map(move |problem| (place, problem)));
        let open = all
            .filter(|(place, problem)| !self.solutions.kept.contains_key(&id(&problem.id, *place)));
        open.map(|(place, problem)| {
            Ok(Missing {
                problem,
                place,
                about: format!("problem \"{}\"", problem.id),
                text: ask(&self.config.data, problem, "data.held_out")?,
            })
        })
        .collect()
    }

    /// A response's seed depends on its place alone: more problems or more samples leave those of before as they were.
    fn request<'o>(&self, open: &'o Missing<'_>) -> Request<'o> {
        let evaluation = &self.config.evaluation;
        let seed = chance::seed(self.config.seed, Purpose::Evaluation, open.place as u64);
        Request {
            about: &open.about,
            prompt: Asked::Text(&open.text),
            wanted: Wanted {
                temperature: evaluation.temperature,
                top_p: evaluation.top_p,
                top_k: evaluation.top_k,
                max_tokens: evaluation.max_tokens.longest(),
                // Servers take 32 bits with a sign, some of them no more.
                seed: seed >> 33,
            },
        }
    }

    /// An error unless every response is there.
    fn complete(&self, failed: Vec<ServerError>) -> Result<(), RunError> {
        match failed.into_iter().next() {
            Some(error) => Err(self.lacking(error)),
            None => Ok(()),
        }
    }

    fn lacking(&self, source: ServerError) -> RunError {
        let wanted = self.wanted();
        let mut kept = self.came;
        self.recall(&mut |_, _| kept += 1);
        RunError::Missing {
            missing: wanted - kept,
            wanted,
            file: self.solutions.path().to_path_buf(),
            source: Box::new(source),
        }
    }
}
