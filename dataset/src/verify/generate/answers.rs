//! What references answer to inputs that no test has.

use std::sync::Arc;

use evaluator::{CaseResult, Decision, Evaluator, Task};

use super::inputs::{Inputs, LONGEST};
use crate::error::DataError;
use crate::record::{Kind, Record, Test};

/// How often each reference is asked.
const ROUNDS: usize = 2;

/// Of all `asked`, by their records' places, the answer to each input on which every reference agrees each time.
pub fn of(
    evaluator: &Arc<Evaluator>,
    records: &[&mut Record],
    asked: &[(usize, Inputs)],
) -> Result<Vec<Vec<Option<String>>>, DataError> {
    let mut tasks = Vec::new();
    let mut owners = Vec::new();
    for (place, (index, inputs)) in asked.iter().enumerate() {
        let problem = asking(records[*index], inputs).problem()?;
        for reference in &inputs.references {
            let id = format!("{}#{}", records[*index].id, tasks.len());
            tasks.push(Task::new(
                id,
                inputs.form.program(reference),
                problem.clone(),
            ));
            owners.push(place);
        }
    }
    let mut said: Vec<Vec<Option<Said>>> = asked
        .iter()
        .map(|(_, inputs)| vec![None; inputs.rows.len()])
        .collect();
    for (verdict, owner) in evaluator.judge_all(tasks).zip(owners) {
        let inputs = said[owner].len();
        for (at, said) in said[owner].iter_mut().enumerate() {
            for round in 0..ROUNDS {
                let case = verdict.cases.get(round * inputs + at);
                // Where several answers are right, that of a reference is but one of them.
                let answer = case.and_then(answer).filter(|_| !verdict.several_answers);
                *said = Some(Said::after(said.take(), answer));
            }
        }
    }
    let agreed = said
        .into_iter()
        .map(|said| said.into_iter().map(|one| one?.agreed()).collect());
    Ok(agreed.collect())
}

/// What was said of an input so far.
#[derive(Clone)]
enum Said {
    /// The same by all.
    Agreed(String),
    /// Nothing that could be kept.
    Otherwise,
}

impl Said {
    fn after(before: Option<Said>, answer: Option<String>) -> Said {
        match (before, answer) {
            (None, Some(answer)) => Said::Agreed(answer),
            (Some(Said::Agreed(one)), Some(other)) if one == other => Said::Agreed(one),
            _ => Said::Otherwise,
        }
    }

    fn agreed(self) -> Option<String> {
        match self {
            Said::Agreed(answer) => Some(answer),
            Said::Otherwise => None,
        }
    }
}

/// The record with these inputs in place of its tests, for programs that print their answers.
fn asking(record: &Record, inputs: &Inputs) -> Record {
    let texts = inputs
        .rows
        .iter()
        .filter_map(|(row, _)| inputs.form.stdin(row));
    let tests: Vec<Test> = texts.map(|text| Test::stdin(&text, "")).collect();
    Record {
        kind: Kind::Stdin,
        one_process: None,
        fn_name: None,
        compare: None,
        tests: tests
            .iter()
            .cycle()
            .take(ROUNDS * tests.len())
            .cloned()
            .collect(),
        ..record.bare()
    }
}

/// What a program wrote that ended well, if it is all there.
fn answer(case: &CaseResult) -> Option<String> {
    let ended = matches!(case.verdict, Decision::Accepted | Decision::WrongAnswer);
    let written = case.stdout.as_ref().filter(|_| ended)?;
    (written.len() < LONGEST && !written.trim().is_empty()).then(|| written.clone())
}
