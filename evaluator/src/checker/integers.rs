//! Integers, which testlib takes in one spelling only.

use super::rejection::{Checked, Rejection, excerpt, ordinal, wrong};
use super::stream::{Stream, is_plain_integer};

/// One signed 32-bit integer.
pub(super) fn one(expected: &mut Stream<'_>, actual: &mut Stream<'_>) -> Checked {
    let ours = expected.int32()?;
    let theirs = actual.int32()?;
    match ours == theirs {
        true => Ok(()),
        false => Err(wrong(format!("expected {ours}, found {theirs}"))),
    }
}

/// One integer of any size.
pub(super) fn huge(expected: &mut Stream<'_>, actual: &mut Stream<'_>) -> Checked {
    let ours = expected.token()?;
    let theirs = actual.token()?;
    let complaint = |token| format!("{} is not a valid integer", excerpt(token));
    if !is_plain_integer(ours) {
        return Err(Rejection::Undecided(complaint(ours)));
    }
    if !expected.at_end() {
        let why = "expected exactly one token in the answer file";
        return Err(Rejection::Undecided(why.to_owned()));
    }
    if !is_plain_integer(theirs) {
        return Err(actual.refuse(&complaint(theirs)));
    }
    if ours != theirs {
        let (ours, theirs) = (excerpt(ours), excerpt(theirs));
        return Err(wrong(format!("expected '{ours}', found '{theirs}'")));
    }
    Ok(())
}

/// The same integers, in order.
pub(super) fn ordered(expected: &mut Stream<'_>, actual: &mut Stream<'_>) -> Checked {
    let mut place = 0;
    while !expected.at_end() && !actual.at_end() {
        place += 1;
        let ours = expected.int64()?;
        let theirs = actual.int64()?;
        if ours != theirs {
            let place = ordinal(place);
            return Err(wrong(format!(
                "{place} numbers differ - expected: '{ours}', found: '{theirs}'"
            )));
        }
    }
    same_length(place, each(expected, |_| {})?, each(actual, |_| {})?)
}

/// The same integers, each as often.
pub(super) fn unordered(expected: &mut Stream<'_>, actual: &mut Stream<'_>) -> Checked {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let wanted = each(expected, |number| ours.push(number))?;
    let found = each(actual, |number| {
        // More cannot be right, and are only counted.
        if theirs.len() < wanted {
            theirs.push(number);
        }
    })?;
    if wanted != found {
        return Err(wrong(format!(
            "Expected {wanted} elements, but {found} found"
        )));
    }
    ours.sort_unstable();
    theirs.sort_unstable();
    match ours == theirs {
        true => Ok(()),
        false => Err(wrong(format!(
            "Expected sequence and output are different (as unordered sequences) [size={}]",
            ours.len()
        ))),
    }
}

/// Read all that is left, and tell `each`; how many there are.
fn each(stream: &mut Stream<'_>, mut each: impl FnMut(i64)) -> Result<usize, Rejection> {
    let mut numbers = 0;
    while !stream.at_end() {
        each(stream.int64()?);
        numbers += 1;
    }
    Ok(numbers)
}

/// Behind `common` items that are the same, so many more are expected and found.
pub(super) fn same_length(common: usize, expected: usize, found: usize) -> Checked {
    let (longer, shorter, length) = match (expected, found) {
        (0, 0) => return Ok(()),
        (0, more) => ("Output", "answer", common + more),
        (more, _) => ("Answer", "output", common + more),
    };
    Err(wrong(format!(
        "{longer} contains longer sequence [length = {length}], but {shorter} contains {common} elements"
    )))
}
