//! Runs the references of records, and settles what that says of each record.

use std::sync::Arc;

use evaluator::compare::several_answers;
use evaluator::{Decision, Evaluator, Task};
use serde_json::json;

use super::settings::Verify;
use super::trial::{Failure, Trial};
use crate::error::DataError;
use crate::record::{Dropped, Reason, Record, Role, Stage};

/// Runs of a reference over all its tests at least: one that fails half the time, on its only test, is then found with a chance of
/// 0.9995.
const TRIALS: usize = 12;

/// Run the references of the live ones among `records`, and drop those that no reference speaks for. Gives back what the
/// slowest reference of each that passes took, in milliseconds.
pub fn settle(
    evaluator: &Arc<Evaluator>,
    verify: &Verify,
    records: &mut [&mut Record],
) -> Result<Vec<Option<f64>>, DataError> {
    let mut tasks = Vec::new();
    let mut places = Vec::new();
    for (index, record) in records
        .iter()
        .enumerate()
        .filter(|(_, record)| record.is_live())
    {
        let rounds = verify.runs.max(TRIALS.div_ceil(record.tests.len().max(1)));
        let problem = record.repeated(rounds)?;
        let references = record
            .solutions
            .iter()
            .enumerate()
            .filter(|(_, one)| one.role.is_right());
        for (place, reference) in references.take(verify.references) {
            let id = format!("{}#{place}", record.id);
            tasks.push(Task::new(id, reference.code.as_str(), problem.clone()));
            places.push((index, place));
        }
    }
    let mut trials: Vec<Vec<(usize, Trial)>> = records.iter().map(|_| Vec::new()).collect();
    for (verdict, (index, place)) in evaluator.judge_all(tasks).zip(places) {
        let trial = Trial::of(&verdict, records[index].tests.len());
        trials[index].push((place, trial));
    }
    for (record, trials) in records
        .iter_mut()
        .zip(&trials)
        .filter(|(record, _)| record.is_live())
    {
        conclude(record, trials);
    }
    Ok(trials.iter().map(|trials| slowest(trials)).collect())
}

fn slowest(trials: &[(usize, Trial)]) -> Option<f64> {
    let times = trials.iter().filter_map(|(_, trial)| match trial {
        Trial::Passes { slowest } => Some(*slowest),
        _ => None,
    });
    times.max_by(f64::total_cmp)
}

fn conclude(record: &mut Record, trials: &[(usize, Trial)]) {
    for (place, trial) in trials {
        record.solutions[*place].role = match trial {
            Trial::Passes { .. } => Role::Verified,
            Trial::Undecided(_) => Role::Reference,
            Trial::Fails(_) | Trial::Flaky(_) => Role::Rejected,
        };
    }
    let all: Vec<&Trial> = trials.iter().map(|(_, trial)| trial).collect();
    let passes = all
        .iter()
        .any(|trial| matches!(trial, Trial::Passes { .. }));
    record.dropped_by = needs_checker(record, &all).or_else(|| (!passes).then(|| verdict_of(&all)));
    for (place, trial) in trials {
        if let Trial::Fails(Failure { evidence, .. }) | Trial::Flaky(evidence) = trial
            && record.is_live()
        {
            let evidence = format!("solution {}: {evidence}", place + 1);
            record.note(Stage::Verify, "reference_rejected", evidence);
        }
    }
}

/// Of references none of which passes: what speaks against the record.
fn verdict_of(trials: &[&Trial]) -> Dropped {
    let reasons = trials.iter().map(|trial| match trial {
        Trial::Flaky(evidence) => (Reason::FlakyReference, evidence.clone()),
        Trial::Fails(failure) => (Reason::ReferenceFails, failure.evidence.clone()),
        Trial::Undecided(why) => (Reason::JudgeFailed, json!({"message": why})),
        Trial::Passes { .. } => unreachable!("one that passes speaks for the record"),
    });
    // Flaky speaks loudest: what it fails may be right.
    let rank = |reason: &Reason| match reason {
        Reason::FlakyReference => 0,
        Reason::ReferenceFails => 1,
        _ => 2,
    };
    let (reason, evidence) = reasons
        .min_by_key(|(reason, _)| rank(reason))
        .expect("a reference was run");
    Dropped::new(Stage::Verify, reason, evidence)
}

/// Several answers are right if references give different ones to one test, or if one gives another than expected and
/// the statement says that any will do.
fn needs_checker(record: &Record, trials: &[&Trial]) -> Option<Dropped> {
    if record.checker.is_some() {
        return None;
    }
    let wrong: Vec<&Failure> = trials
        .iter()
        .filter_map(|trial| match trial {
            Trial::Fails(failure) if failure.decision == Decision::WrongAnswer => Some(failure),
            _ => None,
        })
        .collect();
    let first = wrong.first()?;
    let said = record.statement.as_deref().and_then(several_answers);
    if let Some(said) = said {
        let evidence = json!({"statement": said, "reference": first.evidence});
        return Some(Dropped::new(Stage::Verify, Reason::NeedsChecker, evidence));
    }
    let passes = trials
        .iter()
        .any(|trial| matches!(trial, Trial::Passes { .. }));
    let other = wrong
        .iter()
        .find(|other| other.test == first.test && other.actual != first.actual)?;
    (!passes && first.actual.is_some()).then(|| {
        Dropped::new(
            Stage::Verify,
            Reason::NeedsChecker,
            json!({"references": [first.evidence, other.evidence]}),
        )
    })
}
