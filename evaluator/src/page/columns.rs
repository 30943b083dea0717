//! What is shown of every submission, in columns: a place in each is a submission's.

use std::collections::HashMap;

use serde::Serialize;

use crate::fingerprint;
use crate::verdict::{AcceptedBy, Decision, Verdict, VerdictRecord};

/// What is worth a look, as bits of a number.
const SEVERAL_ANSWERS: u8 = 1;
const RERUN: u8 = 2;
const FLAKY: u8 = 4;
const UNSHIELDED: u8 = 8;

/// Every submission.
#[derive(Debug, Default, Serialize)]
pub(super) struct Columns {
    id: Vec<String>,
    /// A place in `problems`.
    problem: Vec<usize>,
    /// A place in all decisions, as are `before` and those of `also`.
    verdict: Vec<u8>,
    /// The earlier decision, where there is one.
    before: Vec<Option<u8>>,
    passed: Vec<usize>,
    total: Vec<usize>,
    reward: Vec<Option<f64>>,
    /// The most of a test, in milliseconds of CPU time.
    cpu: Vec<f64>,
    /// The most of a test, in KiB.
    memory: Vec<u64>,
    /// What accepted its tests: a place in `sets`.
    set: Vec<usize>,
    flags: Vec<u8>,
    /// By further profiles.
    also: Vec<AlsoColumn>,
    sets: Vec<Vec<&'static str>>,
    problems: Vec<ProblemRow>,
    #[serde(skip)]
    seen: Seen,
}

/// What a further profile decided.
#[derive(Debug, Serialize)]
struct AlsoColumn {
    profile: String,
    verdict: Vec<Option<u8>>,
}

/// A problem, as its verdicts tell of it.
#[derive(Debug, Serialize)]
struct ProblemRow {
    id: String,
    platform: Option<String>,
    difficulty: Option<String>,
}

/// Where what has been seen is to be found.
#[derive(Debug, Default)]
struct Seen {
    problems: HashMap<String, usize>,
    sets: HashMap<Vec<AcceptedBy>, usize>,
    /// By what was judged: the first submission of which it was.
    inputs: HashMap<u128, usize>,
}

impl Columns {
    pub(super) fn len(&self) -> usize {
        self.id.len()
    }

    pub(super) fn add(&mut self, record: &VerdictRecord, before: Option<&Earlier>) {
        let verdict = &record.verdict;
        let problem = self.problem_of(verdict);
        let set = self.set_of(verdict);
        let place = self.len();
        self.id.push(verdict.id.clone());
        self.problem.push(problem);
        self.verdict.push(number(verdict.verdict));
        self.before.push(before.map(|it| number(it.decision)));
        self.passed.push(verdict.passed);
        self.total.push(verdict.total);
        self.reward.push(verdict.reward);
        let cases = || verdict.cases.iter();
        let cpu = cases().map(|case| case.cpu_ms).fold(0.0, f64::max);
        self.cpu.push((cpu * 10.0).round() / 10.0);
        let memory = cases().map(|case| case.memory_kib).max();
        self.memory.push(memory.unwrap_or(0));
        self.set.push(set);
        self.flags.push(flags(verdict));
        self.add_also(place, verdict);
        self.find_flaky(place, record, before);
    }

    fn problem_of(&mut self, verdict: &Verdict) -> usize {
        if let Some(place) = self.seen.problems.get(&verdict.problem_id) {
            return *place;
        }
        let place = self.problems.len();
        self.problems.push(ProblemRow {
            id: verdict.problem_id.clone(),
            platform: verdict.platform.clone(),
            difficulty: verdict.difficulty.clone(),
        });
        self.seen.problems.insert(verdict.problem_id.clone(), place);
        place
    }

    fn set_of(&mut self, verdict: &Verdict) -> usize {
        let strategies = verdict.cases.iter().filter_map(|case| case.strategy);
        let mut set: Vec<AcceptedBy> = strategies.collect();
        set.sort_unstable();
        set.dedup();
        let sets = &mut self.sets;
        *self.seen.sets.entry(set).or_insert_with_key(|set| {
            sets.push(set.iter().map(|it| it.name()).collect());
            sets.len() - 1
        })
    }

    fn add_also(&mut self, place: usize, verdict: &Verdict) {
        for profile in verdict.also.keys() {
            if self.also.iter().all(|column| column.profile != *profile) {
                self.also.push(AlsoColumn {
                    profile: profile.clone(),
                    verdict: vec![None; place],
                });
            }
        }
        for column in &mut self.also {
            let also = verdict.also.get(&column.profile);
            column.verdict.push(also.map(|also| number(also.verdict)));
        }
    }

    /// What was judged twice and not decided alike.
    fn find_flaky(&mut self, place: usize, record: &VerdictRecord, before: Option<&Earlier>) {
        let input = fingerprint::key(&record.input_hash);
        let first = *self.seen.inputs.entry(input).or_insert(place);
        let differs = |other: u8| other != self.verdict[place];
        if differs(self.verdict[first]) {
            self.flags[first] |= FLAKY;
            self.flags[place] |= FLAKY;
        }
        if before.is_some_and(|it| it.input == input && differs(number(it.decision))) {
            self.flags[place] |= FLAKY;
        }
    }
}

fn flags(verdict: &Verdict) -> u8 {
    let mut flags = 0;
    if verdict.several_answers && verdict.verdict == Decision::WrongAnswer {
        flags |= SEVERAL_ANSWERS;
    }
    for case in &verdict.cases {
        if case.reruns > 0 {
            flags |= RERUN;
        }
        if case.shielded == Some(false) {
            flags |= UNSHIELDED;
        }
    }
    flags
}

/// By what number a decision stands in a column.
fn number(decision: Decision) -> u8 {
    let place = Decision::ALL.iter().position(|it| *it == decision);
    place.unwrap_or_default() as u8
}

/// The verdicts of an earlier file.
#[derive(Debug)]
pub(super) struct Before {
    pub(super) file: String,
    by_id: HashMap<String, Earlier>,
}

/// What was decided earlier.
#[derive(Debug)]
pub(super) struct Earlier {
    decision: Decision,
    /// Of what was judged.
    input: u128,
    pub(super) reason: String,
}

impl Before {
    pub(super) fn of(file: String) -> Before {
        Before {
            file,
            by_id: HashMap::new(),
        }
    }

    pub(super) fn add(&mut self, record: &VerdictRecord) {
        let verdict = &record.verdict;
        let earlier = Earlier {
            decision: verdict.verdict,
            input: fingerprint::key(&record.input_hash),
            reason: verdict.reason(),
        };
        self.by_id.insert(verdict.id.clone(), earlier);
    }

    pub(super) fn of_id(&self, record: &VerdictRecord) -> Option<&Earlier> {
        self.by_id.get(&record.verdict.id)
    }
}
