//! Records that say the same as an earlier one: the same words, nearly the same words, or the same tests.
//!
//! Near duplicates are those whose sets of runs of three words have a Jaccard index of at least 0.7. Candidates come from
//! MinHash with locality-sensitive hashing (Broder 1997; Leskovec, Rajaraman, Ullman, "Mining of Massive Datasets", chapter 3),
//! in 32 bands of 4 rows: a pair at the threshold is found with a chance of 0.9998. What is found is then compared exactly. Only
//! records that are kept enter the index, so that a thousand copies of one text cost as much as one.
//!
//! Runs that many records share (`please complete the following python code`) say nothing of a problem and are left out.

use std::collections::{HashMap, HashSet};

use evaluator::fingerprint::key;
use gaoya::minhash::{MinHashIndex, MinHasher, MinHasher32};
use rayon::prelude::*;
use serde_json::json;

use crate::pairs::is_telling;
use crate::python::Assertion;
use crate::record::{Dropped, Reason, Record, Stage};
use crate::text::{runs, squeezed, words};

/// Words of a run.
const RUN: usize = 3;
/// The least Jaccard index of near duplicates.
const NEAR: f64 = 0.7;
/// The least Jaccard index of records whose tests are all the same.
const NEAR_WITH_TESTS: f64 = 0.4;
/// What the estimate of the signatures must reach for the exact index to be taken: two standard errors less.
const ESTIMATE: f64 = 0.6;
const BANDS: usize = 32;
const ROWS: usize = 4;
/// Records in which shared runs are counted.
const SAMPLE: usize = 5000;
/// A run is boilerplate if one in so many records has it, and at least [`OFTEN`] do.
const ONE_IN: usize = 50;
const OFTEN: usize = 20;
/// Records looked at for one pair of input and output.
const HOLDERS: usize = 16;

/// What is held of a record to compare it with others.
pub struct Print {
    /// Of its statement, in lower case, but for white space.
    text: u128,
    /// The hashes of its runs, sorted, each once.
    runs: Vec<u64>,
    /// Of each input, and of each input with its output.
    pairs: Vec<PairPrint>,
}

#[derive(Clone, Copy)]
struct PairPrint {
    input: u64,
    both: u64,
    is_telling: bool,
}

impl Print {
    /// Of a record whose tests are `pairs`.
    pub fn of(record: &Record, pairs: &[Assertion]) -> Print {
        let statement = record.statement.as_deref().unwrap_or_default();
        let mut runs = runs(&words(statement), RUN);
        runs.sort_unstable();
        runs.dedup();
        let short = |text: &str| key(text) as u64;
        let pairs = pairs.iter().map(|pair| PairPrint {
            input: short(&pair.input),
            both: short(&format!("{}\0{}", pair.input, pair.output)),
            is_telling: is_telling(pair),
        });
        Print {
            text: key(&squeezed(&statement.to_lowercase())),
            runs,
            pairs: pairs.collect(),
        }
    }

    /// All its pairs, in an order of their own.
    fn tests(&self) -> Vec<u64> {
        let mut all: Vec<u64> = self.pairs.iter().map(|pair| pair.both).collect();
        all.sort_unstable();
        all
    }

    /// Whether some input of both gives different answers: however alike the texts, the problems differ.
    fn contradicts(&self, other: &Print) -> bool {
        let answers: HashMap<u64, u64> = other
            .pairs
            .iter()
            .map(|pair| (pair.input, pair.both))
            .collect();
        let differs = |pair: &PairPrint| {
            answers
                .get(&pair.input)
                .is_some_and(|both| *both != pair.both)
        };
        self.pairs.iter().any(differs)
    }

    /// How many telling pairs, and how many of all pairs, both have.
    fn shared(&self, other: &Print) -> (usize, usize) {
        let theirs: HashSet<u64> = other.pairs.iter().map(|pair| pair.both).collect();
        let shared = self.pairs.iter().filter(|pair| theirs.contains(&pair.both));
        let telling = shared.clone().filter(|pair| pair.is_telling).count();
        (telling, shared.count())
    }
}

/// The runs that so many records have that they say nothing.
pub fn boilerplate<'a>(prints: impl ExactSizeIterator<Item = &'a Print>) -> HashSet<u64> {
    let step = prints.len().div_ceil(SAMPLE).max(1);
    let sampled = prints.len().div_ceil(step);
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for print in prints.step_by(step) {
        for run in &print.runs {
            *counts.entry(*run).or_default() += 1;
        }
    }
    let many = OFTEN.max(sampled / ONE_IN);
    counts.retain(|_, count| *count >= many);
    counts.into_keys().collect()
}

/// The records that were kept so far.
pub struct Duplicates {
    common: HashSet<u64>,
    kept: Vec<(String, Print)>,
    by_text: HashMap<u128, usize>,
    by_pair: HashMap<u64, Vec<usize>>,
    /// By all pairs together.
    by_tests: HashMap<Vec<u64>, Vec<usize>>,
    near: MinHashIndex<u32, usize>,
}

impl Duplicates {
    /// None is kept yet; runs in `common` do not count.
    pub fn new(common: HashSet<u64>) -> Duplicates {
        Duplicates {
            common,
            kept: Vec::new(),
            by_text: HashMap::new(),
            by_pair: HashMap::new(),
            by_tests: HashMap::new(),
            near: MinHashIndex::new(BANDS, ROWS, ESTIMATE),
        }
    }

    /// The MinHash signatures of prints.
    pub fn signatures<'a>(
        prints: impl Iterator<Item = &'a Print>,
        common: &HashSet<u64>,
    ) -> Vec<Vec<u32>> {
        let hasher = MinHasher32::new(BANDS * ROWS);
        let prints: Vec<&Print> = prints.collect();
        let own = |print: &&Print| own_runs(print, common);
        prints
            .par_iter()
            .map(|print| hasher.create_signature(own(print).into_iter()))
            .collect()
    }

    /// Why a record is a duplicate of one that was kept; it is kept itself if it is none.
    pub fn dropped(&mut self, id: &str, print: Print, signature: Vec<u32>) -> Option<Dropped> {
        let found = self
            .exact(&print)
            .or_else(|| self.nearly(&print, &signature))
            .or_else(|| self.nearly_with_tests(&print))
            .or_else(|| self.same_tests(&print));
        if found.is_none() {
            self.keep(id, print, signature);
        }
        let (reason, evidence) = found?;
        Some(Dropped::new(Stage::Filter, reason, evidence))
    }

    fn exact(&self, print: &Print) -> Option<(Reason, serde_json::Value)> {
        let (id, kept) = &self.kept[*self.by_text.get(&print.text)?];
        (!print.contradicts(kept)).then(|| (Reason::ExactDuplicate, json!({"of": id})))
    }

    fn nearly(&self, print: &Print, signature: &[u32]) -> Option<(Reason, serde_json::Value)> {
        let candidates = self.near.query_owned_return_similarity(signature);
        let alike = candidates.into_iter().map(|(index, _)| {
            let (_, kept) = &self.kept[index];
            (
                jaccard(
                    &own_runs(print, &self.common),
                    &own_runs(kept, &self.common),
                ),
                index,
            )
        });
        let close = alike.filter(|(jaccard, index)| {
            *jaccard >= NEAR && !print.contradicts(&self.kept[*index].1)
        });
        // The order of the candidates is that of a hash table: the first of the nearest decides.
        let nearest =
            close.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
        let (jaccard, index) = nearest?;
        let jaccard = (jaccard * 1000.0).round() / 1000.0;
        let evidence = json!({"of": self.kept[index].0, "jaccard": jaccard});
        Some((Reason::NearDuplicate, evidence))
    }

    /// The same tests to the last, and much of the text.
    fn nearly_with_tests(&self, print: &Print) -> Option<(Reason, serde_json::Value)> {
        let holders = self.by_tests.get(&print.tests())?;
        let own = own_runs(print, &self.common);
        let alike = holders.iter().map(|of| {
            (
                jaccard(&own, &own_runs(&self.kept[*of].1, &self.common)),
                of,
            )
        });
        let (jaccard, of) = alike
            .into_iter()
            .find(|(jaccard, _)| *jaccard >= NEAR_WITH_TESTS)?;
        let evidence = json!({
            "of": self.kept[*of].0,
            "jaccard": (jaccard * 1000.0).round() / 1000.0,
            "equal_tests": print.pairs.len(),
        });
        Some((Reason::NearDuplicate, evidence))
    }

    /// At least two telling pairs shared, and no pair that only one has.
    fn same_tests(&self, print: &Print) -> Option<(Reason, serde_json::Value)> {
        let telling = print.pairs.iter().find(|pair| pair.is_telling)?;
        let holders = self.by_pair.get(&telling.both)?;
        let of = holders.iter().find(|index| {
            let (_, kept) = &self.kept[**index];
            let (telling, shared) = print.shared(kept);
            telling >= 2 && shared == print.pairs.len() && shared == kept.pairs.len()
        })?;
        let evidence = json!({"of": self.kept[*of].0, "equal_tests": print.pairs.len()});
        Some((Reason::SameTests, evidence))
    }

    fn keep(&mut self, id: &str, print: Print, signature: Vec<u32>) {
        let index = self.kept.len();
        if !print.runs.is_empty() {
            self.by_text.entry(print.text).or_insert(index);
            self.near.insert(index, signature);
        }
        if !print.pairs.is_empty() {
            let holders = self.by_tests.entry(print.tests()).or_default();
            if holders.len() < HOLDERS {
                holders.push(index);
            }
        }
        for pair in print.pairs.iter().filter(|pair| pair.is_telling) {
            let holders = self.by_pair.entry(pair.both).or_default();
            if holders.len() < HOLDERS {
                holders.push(index);
            }
        }
        self.kept.push((id.to_owned(), print));
    }
}

/// The runs of a print that are no boilerplate; all of them if few would be left.
fn own_runs(print: &Print, common: &HashSet<u64>) -> Vec<u64> {
    let own: Vec<u64> = print
        .runs
        .iter()
        .copied()
        .filter(|run| !common.contains(run))
        .collect();
    match own.len() < RUN {
        true => print.runs.clone(),
        false => own,
    }
}

/// The Jaccard index of two sorted sets.
fn jaccard(one: &[u64], other: &[u64]) -> f64 {
    let (mut shared, mut rest) = (0, other);
    for run in one {
        rest = &rest[rest.partition_point(|theirs| theirs < run)..];
        shared += usize::from(rest.first() == Some(run));
    }
    match one.len() + other.len() - shared {
        0 => 0.0,
        union => shared as f64 / union as f64,
    }
}
