//! Two tokens: the admitted strategies are asked in order. Knows no line and no space.

use super::number::Number;
use super::rules::Rules;
use super::strategy::Strategy;
use super::tokenize::tokens;
use super::word_case::{self, Case};
use super::{numeric, rounding};

/// How much longer than the expected token one may be that is read as a number: nobody writes that many digits, and reading
/// them takes time.
const MORE_DIGITS: usize = 4096;

/// The strictest admitted strategy under which two tokens are the same.
pub(crate) fn same_token(expected: &[u8], actual: &[u8], rules: &Rules) -> Option<Strategy> {
    // A point behind the last digit ends a sentence, or follows the number of an item.
    let is_pointed = || expected.ends_with(b".") && Number::parse(expected).is_some();
    if expected != actual && !rules.tolerance_stated() && is_pointed() {
        return None;
    }
    same_item(expected, actual, rules)
}

/// The same of what stands in brackets, where a number may end with a point: numpy prints `[1. 2.]`.
pub(crate) fn same_item(expected: &[u8], actual: &[u8], rules: &Rules) -> Option<Strategy> {
    if expected == actual {
        return Some(Strategy::Tokens);
    }
    let is_readable = actual.len() <= MORE_DIGITS + 2 * expected.len();
    if is_readable && numeric::same_token(expected, actual, rules) {
        return Some(Strategy::Numeric);
    }
    if is_readable && rounding::same_token(expected, actual, rules.rounding) {
        return Some(Strategy::Rounding);
    }
    let same_word =
        rules.case != Case::Strict && word_case::same_token(expected, actual, &rules.case);
    same_word.then_some(Strategy::WordCase)
}

/// The strictest admitted strategy under which both have the same tokens, one by one; `None` if they have not.
pub(crate) fn same_tokens<'a>(
    expected: impl Iterator<Item = &'a [u8]>,
    mut actual: impl Iterator<Item = &'a [u8]>,
    rules: &Rules,
) -> Option<Strategy> {
    let mut level = Strategy::Tokens;
    for wanted in expected {
        level = level.max(same_token(wanted, actual.next()?, rules)?);
    }
    actual.next().is_none().then_some(level)
}

/// The same of two lines, whatever the space in them.
pub(crate) fn same_lines(expected: &[u8], actual: &[u8], rules: &Rules) -> bool {
    let split = |line| tokens(line).map(|token| token.bytes);
    same_tokens(split(expected), split(actual), rules).is_some()
}
