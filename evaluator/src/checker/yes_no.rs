//! Yes and no, in any letter case.

use super::integers::same_length;
use super::rejection::{Checked, Rejection, excerpt, ordinal, wrong};
use super::stream::Stream;

/// One of the two.
pub(super) fn one(expected: &mut Stream<'_>, actual: &mut Stream<'_>) -> Checked {
    let ours = expected.token()?.to_ascii_uppercase();
    let theirs = actual.token()?.to_ascii_uppercase();
    let complaint = |token: &[u8], whose| {
        let token = excerpt(token);
        format!("YES or NO expected{whose}, but {token} found")
    };
    if !is_yes_or_no(&ours) {
        return Err(Rejection::Undecided(complaint(&ours, " in answer")));
    }
    if !is_yes_or_no(&theirs) {
        return Err(actual.refuse(&complaint(&theirs, "")));
    }
    if ours != theirs {
        let (ours, theirs) = (excerpt(&ours), excerpt(&theirs));
        return Err(wrong(format!("expected {ours}, found {theirs}")));
    }
    Ok(())
}

/// A sequence of them.
pub(super) fn sequence(expected: &mut Stream<'_>, actual: &mut Stream<'_>) -> Checked {
    let mut place = 0;
    while !expected.at_end() && !actual.at_end() {
        place += 1;
        let ours = expected.token()?.to_ascii_uppercase();
        let theirs = actual.token()?.to_ascii_uppercase();
        same(place, &ours, &theirs)?;
    }
    same_length(place, count(expected)?, count(actual)?)
}

fn same(place: usize, ours: &[u8], theirs: &[u8]) -> Checked {
    if ours == theirs && is_yes_or_no(ours) {
        return Ok(());
    }
    let (place, expected, found) = (ordinal(place), excerpt(ours), excerpt(theirs));
    if !is_yes_or_no(ours) {
        return Err(Rejection::Undecided(format!(
            "YES or NO expected in answer, but {expected} found [{place} token]"
        )));
    }
    if !is_yes_or_no(theirs) {
        return Err(Rejection::Malformed(format!(
            "YES or NO expected, but {found} found [{place} token]"
        )));
    }
    Err(wrong(format!(
        "expected {expected}, found {found} [{place} token]"
    )))
}

fn count(stream: &mut Stream<'_>) -> Result<usize, Rejection> {
    let mut tokens = 0;
    while !stream.at_end() {
        stream.token()?;
        tokens += 1;
    }
    Ok(tokens)
}

fn is_yes_or_no(token: &[u8]) -> bool {
    matches!(token, b"YES" | b"NO")
}
