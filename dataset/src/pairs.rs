//! Tests as pairs of input and output in one form, whatever kind of test they are written as.

use crate::python::{Assertion, assertions};
use crate::record::{Kind, Record, Test, stdin_text};
use crate::text::squeezed;

/// The pairs of a record's tests, each once, in a form in which equal data is equal text. Test code gives those of its assertions
/// that are plain equalities.
pub fn pairs(record: &Record) -> Vec<Assertion> {
    let tests = record.tests.iter();
    let mut found: Vec<Assertion> = tests.flat_map(|test| pairs_of(record, test)).collect();
    found.sort_by(|one, other| (&one.input, &one.output).cmp(&(&other.input, &other.output)));
    found.dedup();
    found
}

/// Those of one of its tests.
pub fn pairs_of(record: &Record, test: &Test) -> Vec<Assertion> {
    match (&test.input, &test.output, &test.code) {
        (Some(input), Some(output), _) if record.kind == Kind::Stdin => vec![Assertion {
            input: squeezed(&stdin_text(input)),
            output: squeezed(&stdin_text(output)),
        }],
        (Some(input), Some(output), _) => vec![Assertion {
            input: input.get().to_owned(),
            output: output.get().to_owned(),
        }],
        (_, _, Some(code)) => assertions(code, record.fn_name.as_deref()),
        _ => Vec::new(),
    }
}

/// Whether a pair says much: an answer such as `true` or `0` to a short input is given by many problems.
pub fn is_telling(pair: &Assertion) -> bool {
    const COMMON: [&str; 11] = [
        "", "true", "false", "null", "0", "1", "-1", "[]", "\"\"", "YES", "NO",
    ];
    pair.input.len() >= 8 && !COMMON.contains(&pair.output.as_str())
}
