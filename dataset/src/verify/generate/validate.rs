//! Whether the tests that a record has keep to the bounds that its statement gives.

use evaluator::Value;
use evaluator::lint::excerpt;

use super::bounds::Stated;
use super::form::Form;
use crate::python::{literal, parameters};
use crate::record::Record;

/// Characters of evidence.
const SHOWN: usize = 300;

/// The first test of a function whose arguments are outside what is stated of them, with them. Of programs nothing is said: the
/// words of a text have no names.
pub fn outside(record: &Record) -> Option<String> {
    let function = record.fn_name.as_deref()?;
    let names = parameters(&record.references().next()?.code, function)?;
    let (_, rows) = Form::of_tests(record)?;
    let stated = Stated::of(record.statement.as_deref()?);
    let mut rows = rows.into_iter().enumerate();
    let (at, row) = rows.find(|(_, row)| !stated.admit(&names, row))?;
    let arguments = literal(&Value::List(row)).unwrap_or_default();
    Some(format!("test {}: {}", at + 1, excerpt(&arguments, SHOWN)))
}
