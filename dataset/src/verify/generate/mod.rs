//! Tests for records that have too few: new inputs like those that are known, with the answers on which the references agree.
//!
//! An input is made by what the known ones have in common ([`shape`]), within the bounds that the statement gives
//! ([`bounds`]): at its bounds, next to a known input as EvalPlus does it (Liu et al. 2023, section 2.1), or anywhere. It
//! may become a test if every reference that is run ends well on it, each time with the same answer. Which do, [`choice`] decides.

mod answers;
mod bounds;
mod choice;
mod draw;
mod form;
mod inputs;
mod layout;
mod sample;
mod shape;
mod texts;
mod validate;

use std::sync::Arc;

use evaluator::Evaluator;

use super::settings::Verify;
use crate::error::DataError;
use crate::record::{Record, Test};
pub use inputs::LONGEST;
use inputs::inputs;
pub use validate::outside;

/// Add tests to the live ones among `records` whose references agree about them, and of those such as reject wrong programs.
/// `slowest` is what the slowest reference of each took, in milliseconds.
pub fn add(
    evaluator: &Arc<Evaluator>,
    verify: &Verify,
    records: &mut [&mut Record],
    slowest: &[Option<f64>],
) -> Result<(), DataError> {
    let mut asked = Vec::new();
    for (index, record) in records.iter().enumerate() {
        if let Some(inputs) = inputs(record, verify) {
            asked.push((index, inputs));
        }
    }
    let answers = answers::of(evaluator, records, &asked)?;
    let made = asked.iter().zip(answers).map(|((index, inputs), answers)| {
        let rows = inputs.rows.iter().zip(answers);
        let tests = rows.filter_map(|((row, how), answer)| {
            let mut test = inputs.form.test(row, &answer?)?;
            test.made_by = Some(format!("mc-data verify: {how}"));
            Some(test)
        });
        (*index, tests.collect())
    });
    let made: Vec<(usize, Vec<Test>)> = made.collect();
    choice::add(evaluator, verify, records, slowest, made)
}
