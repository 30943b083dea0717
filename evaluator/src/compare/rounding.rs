//! The same after rounding the actual number to the places that the expected one prints.

use super::number::Number;
use super::numeric::{is_finer_than_a_double, significant_digits};
use super::rules::Rounding;
use super::tokenize::tokens;
use super::whitespace::lines;

/// Fewer printed places are a format that the problem asks for; from six on they are only how a real was printed.
const MIN_PLACES: usize = 6;

/// What C++ prints of a real unless it is told otherwise, in as many places as that takes.
const SHORT_DIGITS: usize = 6;

/// Whether the actual token, which has more places, rounds to the expected one.
pub(crate) fn same_token(expected: &[u8], actual: &[u8], admitted: Rounding) -> bool {
    if admitted == Rounding::None {
        return false;
    }
    let (Some(wanted), Some(found)) = (Number::parse(expected), Number::parse(actual)) else {
        return false;
    };
    let finer = found.real && found.half_unit() < wanted.half_unit();
    // The places of one that overflows are infinitely far apart.
    let trusted = wanted.value.is_finite()
        && wanted.whole_digits < 16
        && !wanted.leading_zeros
        && !found.leading_zeros
        && !is_finer_than_a_double(&wanted, expected);
    let rounded = wanted.decimals >= MIN_PLACES
        || (admitted == Rounding::Digits && is_short(&wanted, expected));
    let noise = 4.0 * f64::EPSILON * wanted.value.abs();
    rounded && finer && trusted && (wanted.value - found.value).abs() <= wanted.half_unit() + noise
}

/// Whether a real has all the digits that C++ prints.
fn is_short(number: &Number, token: &[u8]) -> bool {
    number.decimals > 0 && significant_digits(token) == SHORT_DIGITS
}

/// Whether a text was printed with six significant digits: no real has more, none ends in a zero, and those that have
/// as many differ in their places, which a fixed number of places would not give.
pub(crate) fn prints_short(text: &[u8]) -> bool {
    let mut shown = short_reals(text).map(|(number, _)| number.decimals);
    let first = shown.next();
    has_no_longer(text) && shown.any(|places| Some(places) != first)
}

/// Whether it may have been: no real has more digits, and none has the places of another with six, so that they would be fixed.
/// Two places or fewer may be a format of their own.
pub(crate) fn may_print_short(text: &[u8]) -> bool {
    const FEWEST_PLACES: usize = 3;
    let has_few = |number: &Number| number.exponent == 0 && number.decimals < FEWEST_PLACES;
    let first = short_reals(text).next();
    let places = first.map_or(0, |(number, _)| number.decimals);
    let mut others = reals(text).filter(|(number, token)| !is_short(number, token));
    first.is_some()
        && has_no_longer(text)
        && !short_reals(text).any(|(number, _)| has_few(&number))
        && !others.any(|(number, _)| number.decimals >= places)
}

/// The reals of a text that have decimals.
fn reals(text: &[u8]) -> impl Iterator<Item = (Number, &[u8])> {
    let is_pointed = memchr::memchr(b'.', text).is_some();
    let all = lines(text).flat_map(|line| tokens(line.bytes).map(|token| token.bytes));
    let numbers = all.filter_map(|token| Some((Number::parse(token)?, token)));
    numbers.filter(move |(number, _)| is_pointed && number.decimals > 0)
}

/// Those of them that have six significant digits.
fn short_reals(text: &[u8]) -> impl Iterator<Item = (Number, &[u8])> {
    reals(text).filter(|(number, token)| is_short(number, token))
}

/// Whether no real has more digits, or ends in a zero.
fn has_no_longer(text: &[u8]) -> bool {
    let is_fixed = |number: &Number, token: &[u8]| token.ends_with(b"0") && number.exponent == 0;
    !reals(text)
        .any(|(number, token)| is_fixed(&number, token) || significant_digits(token) > SHORT_DIGITS)
}

/// Whether two numbers are the same to `places` decimals, as Python's `round`; an infinity is only itself.
pub(crate) fn same_to(places: i32, expected: f64, actual: f64) -> bool {
    if !expected.is_finite() || !actual.is_finite() {
        return expected == actual;
    }
    to_places(places, expected) == to_places(places, actual)
}

/// A number at `places` decimals; one too large to have any stays as it is.
pub(crate) fn to_places(places: i32, number: f64) -> f64 {
    let scale = 10f64.powi(places);
    let scaled = number * scale;
    if scaled.is_finite() {
        scaled.round_ties_even() / scale + 0.0
    } else {
        number
    }
}
