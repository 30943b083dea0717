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
    if memchr::memchr(b'.', text).is_none() {
        return false;
    }
    let all = lines(text).flat_map(|line| tokens(line.bytes).map(|token| token.bytes));
    let mut places = None;
    let mut differ = false;
    for token in all {
        let Some(number) = Number::parse(token).filter(|number| number.decimals > 0) else {
            continue;
        };
        let fixed = token.ends_with(b"0") && number.exponent == 0;
        if fixed || significant_digits(token) > SHORT_DIGITS {
            return false;
        }
        if is_short(&number, token) {
            differ |= *places.get_or_insert(number.decimals) != number.decimals;
        }
    }
    differ
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
