//! How much of the strength of a corpus' tests comes back when all but two of each problem's are taken away, and tests are made.
//!
//! ```sh
//! cargo run --release -p dataset --example thinned -- CORPUS [MADE]
//! ```
//!
//! Mutants of each reference are run against the two tests that are left, against those and the tests that are made of them, and
//! against all that the source has. A mutant counts if the source's tests reject it. Those by which made tests are chosen are
//! fewer, and may be among those that are counted.

use std::path::PathBuf;

use dataset::collect::{Sources, collect};
use dataset::process::Process;
use dataset::python::mutants;
use dataset::record::{Role, Solution};
use dataset::stage::Records;
use dataset::verify::{Verifier, Verify};
use dataset::{DataError, Record};
use evaluator::{Evaluator, Interpreter, Level, Settings, Task};

/// Tests that are left of each problem.
const LEFT: usize = 2;
/// Mutants of each reference that are counted.
const COUNTED: usize = 40;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [corpus, rest @ ..] = arguments.as_slice() else {
        return Err("usage: thinned CORPUS [MADE]".into());
    };
    let made: usize = rest.first().map_or(Ok(10), |made| made.parse())?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let whole: Vec<Record> = records(corpus)?
        .into_iter()
        .filter(|record| record.tests.len() > LEFT)
        .collect();
    let mut thinned: Vec<Record> = whole.iter().map(thin).collect();
    let verify = Verify {
        generate: made,
        agreeing: 1,
        time_factor: 0.0,
        ..Verify::default()
    };
    let verifier = Verifier::new(verify, cores)?;
    verifier.verify(&mut thinned.iter_mut().collect::<Vec<_>>())?;
    let evaluator = Evaluator::new(
        Interpreter::find(None)?,
        Level::Full,
        cores,
        Settings::default(),
    )?;
    let mut counts = [0; 4];
    let mut problems = [0; 2];
    for (whole, grown) in whole.iter().zip(&thinned) {
        if !grown.is_live() {
            continue;
        }
        problems[0] += 1;
        problems[1] += usize::from(grown.tests.len() > LEFT);
        let wrong = mutants(&whole.solutions[0].code, COUNTED, u64::MAX);
        let by_all = rejected(&evaluator, whole, &wrong)?;
        let by_two = rejected(&evaluator, &thin(whole), &wrong)?;
        let by_made = rejected(&evaluator, grown, &wrong)?;
        let [all, left] = [&by_all, &by_made].map(|by| both(&by_all, by));
        if left < all {
            println!(
                "  {}: {left} of {all} with {} tests",
                whole.id,
                grown.tests.len()
            );
        }
        counts[0] += by_all.iter().filter(|rejected| **rejected).count();
        counts[1] += both(&by_all, &by_two);
        counts[2] += both(&by_all, &by_made);
        counts[3] += by_made
            .iter()
            .zip(&by_all)
            .filter(|(made, all)| **made && !**all)
            .count();
    }
    println!(
        "problems {}, of them with made tests {}",
        problems[0], problems[1]
    );
    println!("mutants that all tests reject: {}", counts[0]);
    for (what, count) in [("two tests", counts[1]), ("two and the made", counts[2])] {
        let share = 100.0 * count as f64 / counts[0] as f64;
        println!("of them rejected by {what}: {count} ({share:.1} %)");
    }
    println!("rejected by made tests alone: {}", counts[3]);
    Ok(())
}

fn both(one: &[bool], other: &[bool]) -> usize {
    one.iter()
        .zip(other)
        .filter(|(one, other)| **one && **other)
        .count()
}

/// What is collected and processed of a source.
fn records(corpus: &str) -> Result<Vec<Record>, DataError> {
    let folder = tempfile::tempdir().map_err(DataError::from)?;
    let [raw, processed] = ["raw.jsonl", "processed.jsonl"].map(|name| folder.path().join(name));
    let sources = Sources {
        paths: vec![PathBuf::from(corpus)],
        ..Sources::default()
    };
    collect(&[sources], &raw)?;
    Process::default().run(&raw, &processed, false, None)?;
    Records::open(&processed)?
        .filter(|record| record.as_ref().is_ok_and(Record::is_live))
        .collect()
}

/// The same with the first tests alone.
fn thin(record: &Record) -> Record {
    Record {
        tests: record.tests[..LEFT].to_vec(),
        solutions: vec![Solution {
            code: record.solutions[0].code.clone(),
            role: Role::Reference,
        }],
        ..record.clone()
    }
}

/// Which of these programs the tests of a record reject.
fn rejected(
    evaluator: &std::sync::Arc<Evaluator>,
    record: &Record,
    programs: &[String],
) -> Result<Vec<bool>, DataError> {
    let mut problem = record.problem()?;
    std::sync::Arc::make_mut(&mut problem).time_limit = Some(0.5);
    let tasks = programs
        .iter()
        .map(|code| Task::new("", code.clone(), problem.clone()));
    let verdicts = evaluator.judge_all(tasks.collect::<Vec<_>>());
    Ok(verdicts
        .map(|verdict| verdict.passed < verdict.total)
        .collect())
}
