//! Which of the tests that could be made are worth having: those that reject wrong programs which the known tests let pass.

use std::cmp::Reverse;
use std::sync::Arc;

use evaluator::{Evaluator, Task, lint};

use crate::error::DataError;
use crate::record::{Record, Test};
use crate::verify::settings::Verify;
use crate::verify::strength::{Rejections, hurried, wrong_programs};

/// Mutants by which tests are chosen. A program has seldom more that differ from it.
const MUTANTS: usize = 60;
/// What a wrong program that is rejected already still counts: half of what it did before.
const AGAIN: f64 = 0.5;

/// Add to each of the records at these places the best of these tests, until it has as many made ones as are wanted.
pub fn add(
    evaluator: &Arc<Evaluator>,
    verify: &Verify,
    records: &mut [&mut Record],
    slowest: &[Option<f64>],
    made: Vec<(usize, Vec<Test>)>,
) -> Result<(), DataError> {
    let wrong = made.iter().map(|(index, _)| {
        let programs = wrong_programs(records[*index], verify.mutants.max(MUTANTS));
        (programs, records[*index].tests.clone(), *index)
    });
    let wrong: Vec<Trial> = wrong.collect();
    let by_known = rejections(evaluator, records, slowest, &wrong)?;
    let survivors = wrong.iter().zip(by_known).zip(&made);
    let survivors = survivors.map(|(((programs, _, index), by_known), (_, tests))| {
        let passed = programs.iter().zip(by_known);
        let passed = passed.filter(|(_, tests)| !tests.contains(&true));
        let passed = passed.map(|(program, _)| program.clone()).collect();
        (passed, tests.clone(), *index)
    });
    let survivors: Vec<Trial> = survivors.collect();
    let by_made = rejections(evaluator, records, slowest, &survivors)?;
    for ((index, tests), by_made) in made.into_iter().zip(by_made) {
        let record = &mut records[index];
        let there = record.tests.iter().filter(|test| test.made_by.is_some());
        let most = verify.generate.saturating_sub(there.count());
        let chosen = chosen(&tests, &by_made, most);
        record
            .tests
            .extend(chosen.into_iter().map(|at| tests[at].clone()));
    }
    Ok(())
}

/// Programs, the tests they are run on, and the place of the record they are for.
type Trial = (Vec<String>, Vec<Test>, usize);

/// Which of its tests reject each program of each trial.
fn rejections(
    evaluator: &Arc<Evaluator>,
    records: &[&mut Record],
    slowest: &[Option<f64>],
    trials: &[Trial],
) -> Result<Vec<Vec<Rejections>>, DataError> {
    let mut tasks = Vec::new();
    let mut owners = Vec::new();
    for (place, (programs, tests, index)) in trials.iter().enumerate() {
        if tests.is_empty() {
            continue;
        }
        let record = Record {
            tests: tests.clone(),
            ..records[*index].bare()
        };
        let problem = hurried(record.problem()?, slowest[*index]);
        for program in programs {
            tasks.push(Task::new(
                format!("{}#{}", record.id, tasks.len()),
                program.clone(),
                problem.clone(),
            ));
            owners.push(place);
        }
    }
    let mut rejections: Vec<Vec<Rejections>> = trials.iter().map(|_| Vec::new()).collect();
    for (verdict, owner) in evaluator.judge_all(tasks).zip(owners) {
        // Nothing is known of a program on which the host failed: as one that every test rejects, it has no say.
        let all = || vec![true; verdict.total];
        rejections[owner].push(lint::rejections(&verdict).unwrap_or_else(all));
    }
    Ok(rejections)
}

/// The places of at most `most` tests: each time the one whose wrong programs count most, and of equals one that is made otherwise
/// than those before. A wrong program counts less the more often it is rejected.
fn chosen(tests: &[Test], rejections: &[Rejections], most: usize) -> Vec<usize> {
    let mut weights = vec![1.0_f64; rejections.len()];
    let mut left: Vec<usize> = (0..tests.len()).collect();
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < most && !left.is_empty() {
        let alike = |test: usize| {
            let same = |other: &&usize| tests[**other].made_by == tests[test].made_by;
            chosen.iter().filter(same).count()
        };
        let worth = |test: usize| {
            let rejected = rejections.iter().zip(&weights);
            let rejected = rejected.filter(|(tests, _)| tests[test]);
            rejected.map(|(_, weight)| weight).sum::<f64>()
        };
        let best = left.iter().copied().max_by(|one, other| {
            let rank = |test| (Reverse(alike(test)), Reverse(test));
            worth(*one)
                .total_cmp(&worth(*other))
                .then_with(|| rank(*one).cmp(&rank(*other)))
        });
        let best = best.expect("one is left");
        for (tests, weight) in rejections.iter().zip(&mut weights) {
            if tests[best] {
                *weight *= AGAIN;
            }
        }
        left.retain(|test| *test != best);
        chosen.push(best);
    }
    chosen.sort_unstable();
    chosen
}
