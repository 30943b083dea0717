//! Tokens and lines, compared as bytes.

use super::rejection::{Checked, Rejection, excerpt, ordinal, wrong};
use super::stream::Stream;

/// The same tokens, however they are laid out.
pub(super) fn tokens(expected: &mut Stream<'_>, actual: &mut Stream<'_>) -> Checked {
    let mut place = 0;
    while !expected.at_end() && !actual.at_end() {
        place += 1;
        let ours = expected.token()?;
        let theirs = actual.token()?;
        if ours != theirs {
            return Err(differ(place, "words", ours, theirs));
        }
    }
    match (expected.at_end(), actual.at_end()) {
        (true, true) => Ok(()),
        (true, false) => Err(wrong("Participant output contains extra tokens")),
        (false, _) => Err(wrong("Unexpected EOF in the participants output")),
    }
}

/// As many lines, each the `same`. Lines that are missing at the end count as empty.
pub(super) fn lines(
    expected: &mut Stream<'_>,
    actual: &mut Stream<'_>,
    same: impl Fn(&[u8], &[u8]) -> bool,
) -> Checked {
    let mut place = 0;
    while !expected.is_empty() {
        let ours = expected.line();
        if ours.is_empty() && expected.is_empty() {
            break;
        }
        let theirs = actual.line();
        place += 1;
        if !same(&ours, &theirs) {
            return Err(differ(place, "lines", &ours, &theirs));
        }
    }
    Ok(())
}

/// Whether two lines hold the same words, by the C library's notion of white space, which is wider than a stream's.
pub(super) fn same_tokens(a: &[u8], b: &[u8]) -> bool {
    let words = |line| <[u8]>::split(line, is_space).filter(|word| !word.is_empty());
    words(a).eq(words(b))
}

fn is_space(byte: &u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

fn differ(place: usize, what: &str, ours: &[u8], theirs: &[u8]) -> Rejection {
    let (place, ours, theirs) = (ordinal(place), excerpt(ours), excerpt(theirs));
    wrong(format!(
        "{place} {what} differ - expected: '{ours}', found: '{theirs}'"
    ))
}
