//! The same after rounding the actual number to the places that the expected one prints.

use super::number::Number;
use super::numeric::is_finer_than_a_double;

/// Fewer printed places are a format that the problem asks for; from six on they are only how a real was printed.
const MIN_PLACES: usize = 6;

/// Whether the actual token, which has more places, rounds to the expected one.
pub(crate) fn same_token(expected: &[u8], actual: &[u8]) -> bool {
    let (Some(wanted), Some(found)) = (Number::parse(expected), Number::parse(actual)) else {
        return false;
    };
    let finer = found.real && found.half_unit() < wanted.half_unit();
    let trusted = wanted.whole_digits < 16
        && !wanted.leading_zeros
        && !found.leading_zeros
        && !is_finer_than_a_double(&wanted, expected);
    let noise = 4.0 * f64::EPSILON * wanted.value.abs();
    wanted.decimals >= MIN_PLACES
        && finer
        && trusted
        && (wanted.value - found.value).abs() <= wanted.half_unit() + noise
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
