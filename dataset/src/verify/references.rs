//! Runs the references of records, and settles what that says of each record.

use std::sync::Arc;

use evaluator::lint::{self, Conduct, Defect, Failure, Reference};
use evaluator::{Evaluator, Submission};

use super::settings::Verify;
use crate::error::DataError;
use crate::record::{Dropped, Reason, Record, Role, Stage};

/// What a solution did, by its place in its record.
type Placed = (usize, Conduct);

/// Run the references of the live ones among `records`, and drop those that no reference speaks for. Gives back what the
/// slowest reference of each that passes took, in milliseconds.
pub fn settle(
    evaluator: &Arc<Evaluator>,
    verify: &Verify,
    records: &mut [&mut Record],
) -> Result<Vec<Option<f64>>, DataError> {
    let mut references = Vec::new();
    let mut places = Vec::new();
    for (index, record) in records
        .iter()
        .enumerate()
        .filter(|(_, record)| record.is_live())
    {
        for (place, reference) in of_record(record, verify)? {
            references.push(reference);
            places.push((index, place));
        }
    }
    let mut conducts: Vec<Vec<Placed>> = records.iter().map(|_| Vec::new()).collect();
    let ran = lint::conducts(evaluator, references);
    for (conduct, (index, place)) in ran.into_iter().zip(places) {
        conducts[index].push((place, conduct));
    }
    for (record, conducts) in records
        .iter_mut()
        .zip(&conducts)
        .filter(|(record, _)| record.is_live())
    {
        conclude(record, conducts);
    }
    let of = |placed: &Vec<Placed>| lint::slowest(placed.iter().map(|(_, conduct)| conduct));
    Ok(conducts.iter().map(of).collect())
}

/// The references of a record that are run, with their places among its solutions.
fn of_record(record: &Record, verify: &Verify) -> Result<Vec<(usize, Reference)>, DataError> {
    let tests = record.tests.len();
    let rounds = lint::rounds(verify.runs, tests);
    let problem = record.problem()?;
    let problem = lint::repeated(&problem, rounds);
    let right = record
        .solutions
        .iter()
        .enumerate()
        .filter(|(_, one)| one.role.is_right());
    let reference = |(place, code): (usize, &str)| {
        let id = format!("{}#{place}", record.id);
        let submission = Submission::new(id, &*record.id, Some(code.to_owned()));
        let reference = Reference {
            submission,
            problem: problem.clone(),
            tests,
        };
        (place, reference)
    };
    let taken = right.take(verify.references);
    Ok(taken
        .map(|(place, one)| reference((place, &one.code)))
        .collect())
}

fn conclude(record: &mut Record, conducts: &[Placed]) {
    for (place, conduct) in conducts {
        record.solutions[*place].role = match conduct {
            Conduct::Passes { .. } => Role::Verified,
            Conduct::Undecided(_) => Role::Reference,
            Conduct::Fails(_) | Conduct::Flaky(_) => Role::Rejected,
        };
    }
    let all: Vec<&Conduct> = conducts.iter().map(|(_, conduct)| conduct).collect();
    let statement = record.statement.as_deref();
    let against = lint::against(statement, record.checker.is_some(), &all);
    record.dropped_by =
        against.map(|(defect, evidence)| Dropped::new(Stage::Verify, reason(defect), evidence));
    for (place, conduct) in conducts {
        if let Conduct::Fails(Failure { evidence, .. }) | Conduct::Flaky(evidence) = conduct
            && record.is_live()
        {
            let evidence = format!("solution {}: {evidence}", place + 1);
            record.note(Stage::Verify, "reference_rejected", evidence);
        }
    }
}

/// The reason to drop a record whose references show a defect.
fn reason(defect: Defect) -> Reason {
    match defect {
        Defect::NoReference => Reason::NoReference,
        Defect::FlakyReference => Reason::FlakyReference,
        Defect::NeedsChecker => Reason::NeedsChecker,
        Defect::JudgeFailed => Reason::JudgeFailed,
        _ => Reason::ReferenceFails,
    }
}
