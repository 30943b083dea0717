//! Python and JSON literals, and numpy's print form, as plain data.
//!
//! Reads in linear time, with capped depth and size, what `repr`, `json.dumps` and `print` of a numpy array write.
//! Evaluates nothing: a name or a call that is not one of the few known ones is an error.

mod lexer;
mod names;
mod parser;
mod scalar;

use super::{DataBudget, Value};
use parser::Parser;

pub(crate) use lexer::{Lexeme, Lexer, Quoted, SyntaxError};
pub(crate) use names::constant;

/// Why a text is no literal, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct LiteralError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
    /// What is wrong there, a lowercase fragment.
    pub message: String,
}

/// Read one literal that fills `text`, white space around it aside.
///
/// `1e400` is infinity, `()` a tuple, `set()` an empty set, adjacent strings are one, `[1 2 3]` is an array.
///
/// # Errors
/// The place and the reason where `text` is no literal, or is over the limits: a hundred brackets deep, say.
pub fn parse(text: &str) -> Result<Value, LiteralError> {
    parse_within(text, &DataBudget::of_file())
}

/// The same, within a budget that may be shared by several texts.
pub(crate) fn parse_within(text: &str, budget: &DataBudget) -> Result<Value, LiteralError> {
    Parser::new(text, budget)
        .and_then(Parser::whole)
        .map_err(|error| locate(text, error))
}

/// The string that `quoted` writes, escapes undone; `None` where an escape is broken.
pub(crate) fn unquote(quoted: Quoted<'_>) -> Option<Value> {
    scalar::string(quoted, 0).ok()
}

fn locate(text: &str, error: SyntaxError) -> LiteralError {
    let before = &text.as_bytes()[..error.at.min(text.len())];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    LiteralError {
        line: memchr::memchr_iter(b'\n', before).count() + 1,
        column: String::from_utf8_lossy(&before[line_start..])
            .chars()
            .count()
            + 1,
        message: error.message,
    }
}
