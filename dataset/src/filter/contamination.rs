//! Whether a record is in a benchmark: by runs of words that both have, and by equal tests.
//!
//! A shared run of 8 words flags a record. One of 13 words drops it (Brown et al. 2020, arXiv 2005.14165, appendix C), and so
//! does a text half of which, or half of the benchmark's, is covered by shared runs of 8; or equal tests. A run that three
//! problems of the benchmarks have, or more than ten records that share little else, is a phrase of the trade, such as `return
//! the answer modulo 10^9 + 7`.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use evaluator::readers;
use serde_json::json;

use crate::error::DataError;
use crate::pairs::{is_telling, pairs};
use crate::python::Assertion;
use crate::record::{Dropped, Reason, Record, Stage};
use crate::text::{runs, words};

/// Words of a run that flags.
const FLAG: usize = 8;
/// Words of a run that drops.
const DROP: usize = 13;
/// Problems of the benchmarks whose common runs are phrases of the trade.
const BENCHMARK_PHRASE: usize = 3;
/// Records whose common runs are phrases of the trade.
const RECORD_PHRASE: usize = 10;
/// The share of a text that may be covered.
const COVERED: f64 = 0.5;

/// The problems of all benchmarks.
#[derive(Default)]
pub struct Benchmarks {
    /// File and id.
    names: Vec<String>,
    flags: HashMap<u64, Vec<u32>>,
    drops: HashMap<u64, Vec<u32>>,
    tests: HashMap<(String, String), Vec<u32>>,
    /// How many runs that flag, and how many tests, each problem has.
    sizes: Vec<(usize, usize)>,
}

/// What of the benchmarks is found in a record: of the problem that shares most with it.
pub struct Found {
    problem: u32,
    /// The runs of 13 words that are shared, each with its words.
    drops: Vec<(u64, String)>,
    /// Words of the first run of 8 that is shared.
    flag: String,
    /// The larger of two shares: of the record's runs of 8, and of the problem's.
    covered: f64,
    equal_tests: usize,
    of_tests: usize,
}

impl Benchmarks {
    /// Read the problems of files in any format that the evaluator reads.
    pub fn read(paths: &[PathBuf]) -> Result<Benchmarks, DataError> {
        let mut benchmarks = Benchmarks::default();
        for path in paths {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            let name = name.unwrap_or_default();
            for row in readers::rows(path)? {
                if let Some(problem) = row?.content.problem {
                    let record = Record::of_problem(&problem);
                    let record = record.unwrap_or_else(|_| Record::without_tests(&problem));
                    benchmarks.add(format!("{name}: {}", record.id), &record);
                }
            }
        }
        benchmarks.forget_phrases();
        Ok(benchmarks)
    }

    fn add(&mut self, name: String, record: &Record) {
        let problem = self.names.len() as u32;
        self.names.push(name);
        let words = words(record.statement.as_deref().unwrap_or_default());
        let flags: HashSet<u64> = long_runs(&words, FLAG).into_iter().collect();
        let drops: HashSet<u64> = long_runs(&words, DROP).into_iter().collect();
        let tests = pairs(record);
        self.sizes.push((flags.len(), tests.len()));
        for run in flags {
            self.flags.entry(run).or_default().push(problem);
        }
        for run in drops {
            self.drops.entry(run).or_default().push(problem);
        }
        for pair in tests.into_iter().filter(is_telling) {
            self.tests
                .entry((pair.input, pair.output))
                .or_default()
                .push(problem);
        }
    }

    fn forget_phrases(&mut self) {
        self.flags
            .retain(|_, problems| problems.len() < BENCHMARK_PHRASE);
        self.drops
            .retain(|_, problems| problems.len() < BENCHMARK_PHRASE);
    }

    /// What a statement and its tests share with the problem that they share most with.
    pub fn find(&self, statement: &str, tests: &[Assertion]) -> Option<Found> {
        if self.names.is_empty() {
            return None;
        }
        let words = words(statement);
        let mut shared: HashMap<u32, (usize, usize)> = HashMap::new();
        let flags: HashSet<u64> = long_runs(&words, FLAG).into_iter().collect();
        for problem in flags.iter().filter_map(|run| self.flags.get(run)).flatten() {
            shared.entry(*problem).or_default().0 += 1;
        }
        for pair in tests {
            let key = (pair.input.clone(), pair.output.clone());
            for problem in self.tests.get(&key).into_iter().flatten() {
                shared.entry(*problem).or_default().1 += 1;
            }
        }
        let most = shared
            .into_iter()
            .max_by_key(|(problem, shared)| (*shared, std::cmp::Reverse(*problem)));
        let (problem, (runs_shared, equal_tests)) = most?;
        let (their_runs, their_tests) = self.sizes[problem as usize];
        let share = |of: usize| runs_shared as f64 / of.max(1) as f64;
        Some(Found {
            problem,
            drops: self.runs_of(problem, &words, DROP, &self.drops),
            flag: self
                .runs_of(problem, &words, FLAG, &self.flags)
                .into_iter()
                .next()
                .map(|(_, text)| text)
                .unwrap_or_default(),
            covered: share(flags.len()).max(share(their_runs)),
            equal_tests,
            of_tests: tests.len().min(their_tests),
        })
    }

    /// The runs of a text that a problem has too, with their words.
    fn runs_of(
        &self,
        problem: u32,
        words: &[String],
        length: usize,
        all: &HashMap<u64, Vec<u32>>,
    ) -> Vec<(u64, String)> {
        let numbered = long_runs(words, length).into_iter().enumerate();
        let has = |run: &u64| {
            all.get(run)
                .is_some_and(|problems| problems.contains(&problem))
        };
        let shared = numbered.filter(|(_, run)| has(run));
        shared
            .map(|(start, run)| (run, words[start..start + length].join(" ")))
            .collect()
    }

    /// The runs that more than ten records have which share little else with a benchmark.
    pub fn phrases<'a>(&self, found: impl Iterator<Item = &'a Found>) -> HashSet<u64> {
        let mut counts: HashMap<u64, usize> = HashMap::new();
        for one in found.filter(|one| one.covered < COVERED) {
            let runs: HashSet<u64> = one.drops.iter().map(|(run, _)| *run).collect();
            for run in runs {
                *counts.entry(run).or_default() += 1;
            }
        }
        counts.retain(|_, count| *count > RECORD_PHRASE);
        counts.into_keys().collect()
    }

    /// What a person should look at.
    pub fn flag(&self, found: &Found) -> Option<String> {
        let name = &self.names[found.problem as usize];
        (!found.flag.is_empty()).then(|| format!("{name}: {}", found.flag))
    }

    /// Why a record is held to be in a benchmark, if it is.
    pub fn dropped(&self, found: &Found, phrases: &HashSet<u64>) -> Option<Dropped> {
        let run = found.drops.iter().find(|(run, _)| !phrases.contains(run));
        let is_covered = found.covered >= COVERED;
        let equal_tests = found.equal_tests >= 2 && 2 * found.equal_tests >= found.of_tests;
        if run.is_none() && !is_covered && !equal_tests {
            return None;
        }
        Some(Dropped::new(
            Stage::Filter,
            Reason::Contaminated,
            json!({
                "by": self.names[found.problem as usize],
                "run": run.map(|(_, text)| text),
                "covered": (found.covered * 1000.0).round() / 1000.0,
                "equal_tests": found.equal_tests,
            }),
        ))
    }
}

/// The runs of a text of at least `length` words; none of a shorter one.
fn long_runs(words: &[String], length: usize) -> Vec<u64> {
    match words.len() < length {
        true => Vec::new(),
        false => runs(words, length),
    }
}
