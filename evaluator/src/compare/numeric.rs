//! The same numbers: whole numbers digit for digit, reals within the tolerance.
//!
//! A tolerance applies where the expected token is real-valued; a whole number is only ever equal to itself, unless the
//! problem states a tolerance, and so asks for reals, and the actual token is written as one or is a zero of the other
//! sign.

use super::number::{Number, Tolerance};
use super::rules::{Forbidden, Rounding, Rules, Tolerated, Writing};

/// Significant digits that tell any two doubles apart; programs print no more of one unless they are told to.
const DOUBLE_DIGITS: usize = 17;

/// Decimals of the smallest double; whatever follows is zeros.
const MOST_DECIMALS: usize = 1074;

/// Whether the actual token is a number that may stand for the expected one, which differs from it as text.
pub(crate) fn same_token(expected: &[u8], actual: &[u8], rules: &Rules) -> bool {
    let (Some(wanted), Some(found)) = (Number::parse(expected), Number::parse(actual)) else {
        return false;
    };
    if wanted.leading_zeros || found.leading_zeros || wanted.overflows || found.overflows {
        return false;
    }
    if wanted.real && !is_written_so(&wanted, &found, (expected, actual), rules.writing) {
        return false;
    }
    if is_forbidden(&wanted, &found, (expected, actual), rules.forbidden) {
        return false;
    }
    if rules.names_infinity && !wanted.value.is_finite() {
        return false;
    }
    let stated = rules.tolerance_stated();
    if !wanted.real {
        let zeros = wanted.value == 0.0 && found.value == 0.0;
        return match rules.tolerated {
            _ if !stated => false,
            Tolerated::All if found.real => {
                is_near_whole(&wanted, &found, expected, actual, rules.tolerance)
            }
            // It may be the other thing that is asked for, which has no noise.
            Tolerated::RealsWithWholes if found.real => super::decimal::same(expected, actual),
            _ => zeros,
        };
    }
    let is_measure = rules.rounding == Rounding::Short;
    if !stated && !is_measure && is_digits_of_another_base(expected) {
        return false;
    }
    if exact_only(&wanted, &found, stated || is_measure)
        || !stated && is_finer_than_a_double(&wanted, expected)
    {
        return super::decimal::same(expected, actual);
    }
    rules.tolerance.admits(wanted.value, found.value)
}

/// Whether a number has what it may not have, and the expected one has not.
fn is_forbidden(
    wanted: &Number,
    found: &Number,
    (expected, actual): (&[u8], &[u8]),
    forbidden: Forbidden,
) -> bool {
    let has_exponent = |token: &[u8]| memchr::memchr2(b'e', b'E', token).is_some();
    let is_negative_zero = |number: &Number| number.value == 0.0 && number.value.is_sign_negative();
    forbidden.exponent && has_exponent(actual) && !has_exponent(expected)
        || forbidden.negative_zero && is_negative_zero(found) && !is_negative_zero(wanted)
        || forbidden.whole && wanted.real && !found.real
}

/// Whether a real that is written in another way than the expected one is written as it may be.
fn is_written_so(
    wanted: &Number,
    found: &Number,
    (expected, actual): (&[u8], &[u8]),
    writing: Writing,
) -> bool {
    match writing {
        Writing::Free => true,
        Writing::Places(places) => {
            wanted.decimals != places || found.decimals == places && is_of_form(expected, actual)
        }
        Writing::Zeros | Writing::BesideWords => {
            found.decimals == wanted.decimals || !ends_with_a_zero(expected)
        }
        Writing::AsMany => found.decimals == wanted.decimals && is_of_form(expected, actual),
        Writing::Same => false,
    }
}

/// Whether a number that is to have so many places is written as the expected one: with an exponent, a sign before it or no digit
/// before its point only if that is. A zero may have a sign: `%.2f` gives one to what rounds to it from below.
fn is_of_form(expected: &[u8], actual: &[u8]) -> bool {
    let form = |token: &[u8]| {
        let has_plus = token.starts_with(b"+");
        let digits = token.strip_prefix(b"-").unwrap_or(token);
        let digits = digits.strip_prefix(b"+").unwrap_or(digits);
        let has_exponent = memchr::memchr2(b'e', b'E', token).is_some();
        (has_plus, digits.starts_with(b"."), has_exponent)
    };
    form(expected) == form(actual)
}

/// Whether the last decimal is a zero, and another is none.
pub(crate) fn ends_with_a_zero(token: &[u8]) -> bool {
    let decimals = memchr::memchr(b'.', token).map_or(&[][..], |at| &token[at + 1..]);
    decimals.ends_with(b"0") && decimals.iter().any(|digit| matches!(digit, b'1'..=b'9'))
}

/// A real where a whole number is expected and a tolerance is stated: `2.9999999999999996` for `3`.
fn is_near_whole(
    wanted: &Number,
    found: &Number,
    expected: &[u8],
    actual: &[u8],
    tolerance: Tolerance,
) -> bool {
    if wanted.is_long_integer() {
        return super::decimal::same(expected, actual);
    }
    tolerance.admits(wanted.value, found.value)
}

/// Whether a real is written with digits that no double has: more than tell doubles apart, and not those that follow in
/// the double's own expansion, which a program prints that is asked for twenty places.
pub(crate) fn is_finer_than_a_double(number: &Number, token: &[u8]) -> bool {
    if token.len() <= DOUBLE_DIGITS || significant_digits(token) <= DOUBLE_DIGITS {
        return false;
    }
    let decimals = number.decimals as i64 - i64::from(number.exponent);
    let decimals = usize::try_from(decimals).unwrap_or(0).min(MOST_DECIMALS);
    let printed = format!("{:.decimals$}", number.value);
    !super::decimal::same(token, printed.as_bytes())
}

/// Digits from the first to the last that is not zero.
pub(crate) fn significant_digits(token: &[u8]) -> usize {
    let mantissa = token.split(|byte| matches!(byte, b'e' | b'E')).next();
    let digits = mantissa
        .unwrap_or_default()
        .iter()
        .filter(|byte| byte.is_ascii_digit());
    let (mut count, mut last) = (0, 0);
    for digit in digits.skip_while(|digit| **digit == b'0') {
        count += 1;
        if *digit != b'0' {
            last = count;
        }
    }
    last
}

/// `1e5` is what a program prints of a number to base 16, or of a name: reals with an exponent have a point or its sign.
fn is_digits_of_another_base(token: &[u8]) -> bool {
    let power = memchr::memchr2(b'e', b'E', token).map(|at| &token[at + 1..]);
    matches!(power, Some([b'0'..=b'9', ..])) && !token.contains(&b'.')
}

/// Where no tolerance is stated, and what is asked for is no measure, a real with a long whole part is compared digit for digit,
/// and so is whatever stands for a real and is a long whole number. Where one is, such a number may still not stand for `1e18`.
fn exact_only(wanted: &Number, found: &Number, is_rough: bool) -> bool {
    let is_long = wanted.exponent == 0 && wanted.whole_digits >= 16;
    match is_rough {
        true => found.is_long_integer() && !is_long,
        false => found.is_long_integer() || is_long,
    }
}
