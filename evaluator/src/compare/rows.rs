//! The lines of a text that hold something, and their words.

use super::tokenize::tokens;
use super::whitespace::lines;

/// The lines that hold something.
pub(super) fn rows(text: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    lines(text).map(|line| line.bytes)
}

/// The words of a line.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    tokens(line).map(|token| token.bytes)
}

/// Whether all lines have as many tokens: lines that differ in kind are parts of an answer, not items of a list.
pub(super) fn alike<'a>(lines: impl Iterator<Item = &'a [u8]>) -> bool {
    let mut widths = lines.map(|line| words(line).count());
    let first = widths.next();
    widths.all(|width| Some(width) == first)
}
