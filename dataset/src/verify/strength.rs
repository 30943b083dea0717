//! How well tests tell wrong programs from right ones: the share of wrong programs that they reject.
//!
//! Wrong are the solutions that the source calls wrong, the references that the tests rejected, and mutants of a verified reference.
//! Some mutants do the same as their original, so that no tests reject all.

use std::sync::Arc;

use evaluator::fingerprint::key;
use evaluator::{Evaluator, Problem, Settings, Task, lint};
use serde_json::json;

use super::settings::Verify;
use crate::error::DataError;
use crate::python::mutants;
use crate::record::{Dropped, Reason, Record, Role, Stage, Strength};

/// The least time in seconds that a wrong program gets for a test.
const LEAST: f64 = 0.25;
/// A wrong program gets so many times what the slowest reference took.
const SLOWER: f64 = 10.0;

/// Which tests reject a wrong program.
pub type Rejections = Vec<bool>;

/// Run wrong programs against the live ones among `records`, whose slowest references took `slowest` milliseconds, and take down
/// what their tests are worth.
pub fn measure(
    evaluator: &Arc<Evaluator>,
    verify: &Verify,
    records: &mut [&mut Record],
    slowest: &[Option<f64>],
) -> Result<(), DataError> {
    let mut tasks = Vec::new();
    let mut owners = Vec::new();
    for (index, record) in records
        .iter()
        .enumerate()
        .filter(|(_, record)| record.is_live())
    {
        let programs = wrong_programs(record, verify.mutants);
        if programs.is_empty() {
            continue;
        }
        let problem = hurried(record.problem()?, slowest[index]);
        for (number, code) in programs.into_iter().enumerate() {
            tasks.push(Task::new(
                format!("{}#{number}", record.id),
                code,
                problem.clone(),
            ));
            owners.push(index);
        }
    }
    let mut rejections: Vec<Vec<Rejections>> = records.iter().map(|_| Vec::new()).collect();
    for (verdict, owner) in evaluator.judge_all(tasks).zip(owners) {
        rejections[owner].extend(lint::rejections(&verdict));
    }
    for (record, rejections) in records
        .iter_mut()
        .zip(rejections)
        .filter(|(record, _)| record.is_live())
    {
        take_down(record, &rejections);
        record.dropped_by = weak(record, verify.min_strength);
        if let Some(most) = verify.max_tests
            && record.is_live()
            && record.tests.len() > most
        {
            cap(record, &rejections, most);
        }
    }
    Ok(())
}

/// Programs that a good set of tests rejects.
pub fn wrong_programs(record: &Record, most_mutants: usize) -> Vec<String> {
    let known = record
        .solutions
        .iter()
        .filter(|one| matches!(one.role, Role::Wrong | Role::Rejected));
    let mut programs: Vec<String> = known.map(|one| one.code.clone()).collect();
    let verified = record
        .solutions
        .iter()
        .find(|one| one.role == Role::Verified);
    if let Some(verified) = verified {
        let seed = key(&record.id) as u64;
        programs.extend(mutants(&verified.code, most_mutants, seed));
    }
    programs
}

/// The same problem with less time, since a mutant may run for ever.
pub fn hurried(mut problem: Arc<Problem>, slowest: Option<f64>) -> Arc<Problem> {
    let seconds = slowest.unwrap_or_default() / 1000.0 * SLOWER;
    let most = problem
        .time_limit
        .unwrap_or(Settings::TIME_LIMIT.as_secs_f64());
    Arc::make_mut(&mut problem).time_limit = Some(seconds.max(LEAST).min(most));
    problem
}

fn take_down(record: &mut Record, rejections: &[Rejections]) {
    let killed = rejections
        .iter()
        .filter(|tests| tests.contains(&true))
        .count();
    record.strength = Some(Strength {
        tried: rejections.len(),
        killed,
    });
    for (place, test) in record.tests.iter_mut().enumerate() {
        let kills = rejections.iter().filter(|tests| tests[place]).count();
        let share = kills as f64 / rejections.len() as f64;
        test.kills = (!rejections.is_empty()).then_some((share * 1000.0).round() / 1000.0);
    }
}

fn weak(record: &Record, least: f64) -> Option<Dropped> {
    let strength = record.strength?;
    let share = strength.share()?;
    (share < least).then(|| {
        let evidence = json!({"tried": strength.tried, "killed": strength.killed});
        Dropped::new(Stage::Verify, Reason::Weak, evidence)
    })
}

/// Keep the strongest tests, as long as each rejects a program that none before did, and then the largest.
fn cap(record: &mut Record, rejections: &[Rejections], most: usize) {
    let mut open: Vec<&Rejections> = rejections
        .iter()
        .filter(|tests| tests.contains(&true))
        .collect();
    let mut left: Vec<usize> = (0..record.tests.len()).collect();
    let mut chosen = Vec::new();
    while chosen.len() < most && !open.is_empty() {
        let kills = |test: &usize| open.iter().filter(|tests| tests[*test]).count();
        let best = left
            .iter()
            .copied()
            .max_by_key(|test| (kills(test), std::cmp::Reverse(*test)));
        let best = best.expect("a program that is rejected has a test that is left");
        open.retain(|tests| !tests[best]);
        left.retain(|test| *test != best);
        chosen.push(best);
    }
    left.sort_by_key(|test| std::cmp::Reverse(record.tests[*test].size()));
    chosen.extend(left.into_iter().take(most - chosen.len()));
    chosen.sort_unstable();
    let before = std::mem::take(&mut record.tests);
    let what = format!("the strongest and the largest {most} of {}", before.len());
    record.changed(Stage::Verify, "tests", what, &before);
    record.tests = chosen
        .into_iter()
        .map(|test| before[test].clone())
        .collect();
}

/// Set the time limit to `factor` times what the slowest reference took, unless the problem gives more; never below a second.
pub fn calibrate(record: &mut Record, slowest: f64, factor: f64) {
    let needed = (slowest / 1000.0 * factor).ceil().max(1.0);
    if record.time_limit.is_some_and(|limit| limit >= needed) {
        return;
    }
    let before = record.time_limit;
    record.changed(
        Stage::Verify,
        "time_limit",
        format!("{factor} times the slowest reference"),
        &before,
    );
    record.time_limit = Some(needed);
}
