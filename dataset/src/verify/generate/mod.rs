//! Tests for records that have too few: new inputs like those that are known, with the answers on which the references agree.
//!
//! An input is made by what the known ones have in common ([`shape`]), within the bounds that the statement gives
//! ([`bounds`]): at its bounds, next to a known input as EvalPlus does it (Liu et al. 2023, section 2.1), or anywhere. It
//! becomes a test if every reference that is run ends well on it, each time with the same answer.

mod answers;
mod bounds;
mod form;
mod inputs;
mod layout;
mod sample;
mod shape;

use std::sync::Arc;

use evaluator::Evaluator;

use super::settings::Verify;
use crate::error::DataError;
use crate::record::Record;
pub use inputs::LONGEST;
use inputs::inputs;

/// Add tests to the live ones among `records` whose references agree about them. Which of them are kept, their strength decides.
pub fn add(
    evaluator: &Arc<Evaluator>,
    verify: &Verify,
    records: &mut [&mut Record],
) -> Result<(), DataError> {
    let mut asked = Vec::new();
    for (index, record) in records.iter().enumerate() {
        if let Some(inputs) = inputs(record, verify) {
            asked.push((index, inputs));
        }
    }
    let answers = answers::of(evaluator, records, &asked)?;
    for ((index, inputs), answers) in asked.iter().zip(answers) {
        let rows = inputs.rows.iter().zip(answers);
        let tests = rows.filter_map(|((row, how), answer)| {
            let mut test = inputs.form.test(row, &answer?)?;
            test.made_by = Some(format!("mc-data verify: {how}"));
            Some(test)
        });
        let tests: Vec<_> = tests.collect();
        records[*index].tests.extend(tests);
    }
    Ok(())
}
