//! Rates by platform and difficulty: how often the problems of a group are solved.
//!
//! Holds a few bytes per problem and no verdict. A problem's attempts that could not be judged are in no rate.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::fingerprint;

/// What stands for a platform or difficulty that a problem does not state.
const UNSTATED: &str = "-";

/// What stands for every platform or difficulty.
const ALL: &str = "all";

/// The words for how hard a problem is, from easy to hard: those of LiveCodeBench and LeetCode, APPS and TACO.
const DIFFICULTIES: [&str; 8] = [
    "easy",
    "introductory",
    "medium",
    "interview",
    "medium_hard",
    "hard",
    "competition",
    "very_hard",
];

/// Attempts at problems, counted as they come.
#[derive(Debug, Default)]
pub struct RateTable {
    /// By [`fingerprint::key`] of the problem's id.
    attempts: HashMap<u128, Attempts>,
    /// Platform and difficulty; an [`Attempts::group`] is a place here.
    groups: Vec<(String, String)>,
}

/// The attempts at one problem that were judged.
#[derive(Debug, Clone, Copy)]
struct Attempts {
    group: usize,
    tried: u32,
    accepted: u32,
}

impl RateTable {
    /// Count an attempt at a problem; `accepted` is `None` where it could not be judged.
    pub fn add(
        &mut self,
        problem_id: &str,
        platform: Option<&str>,
        difficulty: Option<&str>,
        accepted: Option<bool>,
    ) {
        let group = self.group(platform.unwrap_or(UNSTATED), difficulty.unwrap_or(UNSTATED));
        let attempts = self
            .attempts
            .entry(fingerprint::key(problem_id))
            .or_insert(Attempts {
                group,
                tried: 0,
                accepted: 0,
            });
        if let Some(accepted) = accepted {
            attempts.tried += 1;
            attempts.accepted += u32::from(accepted);
        }
    }

    fn group(&mut self, platform: &str, difficulty: &str) -> usize {
        let known = self
            .groups
            .iter()
            .position(|(p, d)| p == platform && d == difficulty);
        known.unwrap_or_else(|| {
            self.groups
                .push((platform.to_owned(), difficulty.to_owned()));
            self.groups.len() - 1
        })
    }

    /// The rates of each platform and difficulty, from easy to hard.
    pub fn groups(&self) -> Vec<Rates> {
        let mut groups: Vec<&(String, String)> = self.groups.iter().collect();
        groups.sort_by_key(|(platform, difficulty)| {
            (platform, difficulty_rank(difficulty), difficulty)
        });
        let rates = groups
            .into_iter()
            .map(|(platform, difficulty)| self.over(Some(platform), Some(difficulty)));
        rates.collect()
    }

    /// The rates over the problems of a platform and a difficulty; `None` takes them all.
    pub fn over(&self, platform: Option<&str>, difficulty: Option<&str>) -> Rates {
        let is_meant = |attempts: &&Attempts| {
            let (its_platform, its_difficulty) = &self.groups[attempts.group];
            platform.is_none_or(|platform| platform == its_platform)
                && difficulty.is_none_or(|difficulty| difficulty == its_difficulty)
        };
        Rates::of(
            platform.unwrap_or(ALL),
            difficulty.unwrap_or(ALL),
            self.attempts.values().filter(is_meant),
        )
    }
}

/// How often the problems of a group are solved. Submissions that could not be judged are not counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rates {
    /// `-` where the problems state none; `all` for every one.
    pub platform: String,
    /// `-` where the problems state none; `all` for every one.
    pub difficulty: String,
    /// Problems with at least one attempt that was judged.
    pub problems: u64,
    /// Attempts that were judged.
    pub samples: u64,
    /// Fewest and most attempts at one problem.
    pub samples_per_problem: (u32, u32),
    /// The share of all samples that were accepted: with k samples of each problem, avg@k.
    pub avg: f64,
    /// pass@k by k, for 1, the powers of two below, and the fewest attempts at one problem.
    pub pass: BTreeMap<u32, f64>,
}

impl Rates {
    fn of<'a>(
        platform: &str,
        difficulty: &str,
        members: impl Iterator<Item = &'a Attempts>,
    ) -> Rates {
        // A problem of which nothing could be judged is in no rate, not even as one that was not solved.
        let members: Vec<Attempts> = members.copied().filter(|it| it.tried > 0).collect();
        let tried = || members.iter().map(|it| it.tried);
        let fewest = tried().min().unwrap_or(0);
        let samples: u64 = tried().map(u64::from).sum();
        let accepted: u64 = members.iter().map(|it| u64::from(it.accepted)).sum();
        Rates {
            platform: platform.to_owned(),
            difficulty: difficulty.to_owned(),
            problems: members.len() as u64,
            samples,
            samples_per_problem: (fewest, tried().max().unwrap_or(0)),
            avg: accepted as f64 / samples.max(1) as f64,
            pass: ks(fewest)
                .into_iter()
                .map(|k| (k, mean_pass(&members, k)))
                .collect(),
        }
    }
}

/// The mean of pass@k over problems.
fn mean_pass(members: &[Attempts], k: u32) -> f64 {
    let passes = members.iter().map(|it| pass_at_k(it.tried, it.accepted, k));
    passes.sum::<f64>() / members.len() as f64
}

/// The k for which pass@k is told, given the fewest attempts at one problem.
fn ks(fewest: u32) -> Vec<u32> {
    let mut ks: Vec<u32> = (0..32)
        .map(|power| 1 << power)
        .take_while(|k| *k < fewest)
        .collect();
    ks.extend((fewest > 0).then_some(fewest));
    ks
}

/// The chance that of `k` samples drawn from `tried` at least one is among the `accepted`: the unbiased estimator of
/// Chen et al. 2021 (arXiv 2107.03374), equation 1, 1 - C(n-c, k) / C(n, k), as a product that does not overflow.
pub fn pass_at_k(tried: u32, accepted: u32, k: u32) -> f64 {
    if tried - accepted < k {
        return 1.0;
    }
    let miss = |n: u32| 1.0 - f64::from(k) / f64::from(n);
    1.0 - (tried - accepted + 1..=tried).map(miss).product::<f64>()
}

/// The 95 % interval of Wilson 1927 about a share of `count`. For a mean over problems, of which each lies between 0 and 1, it
/// is wide enough, as no such values vary more than those that are 0 or 1.
pub fn wilson(share: f64, count: u64) -> (f64, f64) {
    // The 97.5th percentile of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    if count == 0 {
        return (0.0, 1.0);
    }
    let n = count as f64;
    let (middle, weight) = (share + Z * Z / (2.0 * n), 1.0 + Z * Z / n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let bound = |value: f64| (value / weight).clamp(0.0, 1.0);
    (bound(middle - half), bound(middle + half))
}

/// Sorts difficulties: the usual words from easy to hard, then ratings by their number, then other words, then the
/// unstated, then `all`.
pub fn difficulty_rank(difficulty: &str) -> (usize, u64) {
    let word = difficulty.to_lowercase();
    let known = DIFFICULTIES.len();
    if let Some(place) = DIFFICULTIES.iter().position(|it| *it == word) {
        return (place, 0);
    }
    match (word.parse(), word.as_str()) {
        (Ok(rating), _) => (known, rating),
        (_, ALL) => (known + 3, 0),
        (_, UNSTATED) => (known + 2, 0),
        _ => (known + 1, 0),
    }
}
