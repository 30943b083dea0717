//! Tokens that are numbers, and how far apart two of them may be.

use crate::problem::FloatTolerance;

/// Whole numbers with this many digits need not survive a way through a double.
const DOUBLE_DIGITS: usize = 16;

/// A power of ten far beyond those of doubles: what has it is zero or infinite.
const MAX_POWER: i64 = 1_000_000;

/// A longer token is compared as the text that it is: to read its digits over and over would cost more than they are worth.
const LONGEST: usize = 1 << 20;

/// A token read as a decimal number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number {
    /// The nearest double; infinite for `inf`, and for finite numbers too large for a double.
    pub(crate) value: f64,
    /// Has a point, an exponent, or is `nan` or `inf`.
    pub(crate) real: bool,
    /// Digits before the point.
    pub(crate) whole_digits: usize,
    /// Digits after the point.
    pub(crate) decimals: usize,
    /// The power of ten that the exponent says.
    pub(crate) exponent: i32,
    /// Finite as written but not as a double.
    pub(crate) overflows: bool,
    /// `007`: the same value as `7` but hardly the same answer.
    pub(crate) leading_zeros: bool,
}

impl Number {
    /// Read `token`: Python's syntax of floats without underscores, and the names `nan`, `inf` and `Infinity`. One of more
    /// than a mebibyte is none.
    pub(crate) fn parse(token: &[u8]) -> Option<Number> {
        if token.len() > LONGEST {
            return None;
        }
        let (negative, digits) = signed(token);
        match digits.first()? {
            b'0'..=b'9' | b'.' => Number::digits(digits, negative),
            _ => Number::named(digits, negative),
        }
    }

    fn named(name: &[u8], negative: bool) -> Option<Number> {
        let value = match name {
            b"nan" | b"NaN" => f64::NAN,
            b"inf" | b"Infinity" => f64::INFINITY,
            _ => return None,
        };
        Some(Number {
            value: if negative { -value } else { value },
            real: true,
            whole_digits: 0,
            decimals: 0,
            exponent: 0,
            overflows: false,
            leading_zeros: false,
        })
    }

    fn digits(text: &[u8], negative: bool) -> Option<Number> {
        let mut mantissa = 0u64;
        let whole_digits = run_of_digits(text, &mut mantissa);
        let mut at = whole_digits;
        let mut decimals = 0;
        let point = text.get(at) == Some(&b'.');
        if point {
            decimals = run_of_digits(&text[at + 1..], &mut mantissa);
            at += 1 + decimals;
        }
        if whole_digits + decimals == 0 {
            return None;
        }
        let exponent = match &text[at..] {
            [] => None,
            [b'e' | b'E', power @ ..] => Some(power_of_ten(power, MAX_POWER)? as i32),
            _ => return None,
        };
        let scale = exponent.unwrap_or(0).saturating_sub(decimals as i32);
        let magnitude = magnitude(mantissa, whole_digits + decimals, scale, text)?;
        Some(Number {
            value: if negative { -magnitude } else { magnitude },
            real: point || exponent.is_some(),
            whole_digits,
            decimals,
            exponent: exponent.unwrap_or(0),
            overflows: magnitude.is_infinite(),
            leading_zeros: whole_digits > 1 && text[0] == b'0',
        })
    }

    /// A whole number too long to be trusted to a double.
    pub(crate) fn is_long_integer(&self) -> bool {
        !self.real && self.whole_digits >= DOUBLE_DIGITS
    }

    /// Half a unit of the last printed place.
    pub(crate) fn half_unit(&self) -> f64 {
        0.5 * 10f64.powi(self.exponent.saturating_sub(self.decimals as i32))
    }
}

/// The number of digits at the head of `text`, shifted into `mantissa` (which wraps beyond nineteen of them).
fn run_of_digits(text: &[u8], mantissa: &mut u64) -> usize {
    let mut count = 0;
    for byte in text {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        *mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
        count += 1;
    }
    count
}

/// Whether a number is negative, and what stands behind its sign.
pub(crate) fn signed(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

/// The power of ten that stands behind an `e`, if it is one; none is further from zero than `cap`.
pub(crate) fn power_of_ten(text: &[u8], cap: i64) -> Option<i64> {
    let (negative, digits) = signed(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let power = digits.iter().fold(0i64, |power, digit| {
        let power = power.saturating_mul(10);
        power.saturating_add(i64::from(digit - b'0')).min(cap)
    });
    Some(if negative { -power } else { power })
}

/// `mantissa` times ten to `scale`, rounded once: both factors are exact doubles in the fast case.
fn magnitude(mantissa: u64, digits: usize, scale: i32, text: &[u8]) -> Option<f64> {
    const EXACT_POWERS: [f64; 23] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ];
    let power = EXACT_POWERS.get(scale.unsigned_abs() as usize);
    match power {
        Some(power) if digits <= 19 && mantissa < 1 << 53 => Some(if scale < 0 {
            mantissa as f64 / power
        } else {
            mantissa as f64 * power
        }),
        _ => std::str::from_utf8(text).ok()?.parse().ok(),
    }
}

/// How much of a declared bound may be the noise of doubles.
const MOST_NOISE: f64 = 1e-3;

/// How far an actual real may be from the expected one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tolerance {
    /// Where nothing is said: absolute 1e-9 plus relative 1e-9 at the very most, see [`unstated`].
    Unstated,
    /// `|a - b| <= abs + rel * |b|`, as `numpy.allclose`.
    Sum(FloatTolerance),
    /// `|a - b| <= max(abs, rel * |b|)`: "absolute or relative error".
    Either(FloatTolerance),
}

impl Tolerance {
    /// Whether `actual` may stand for `expected`. NaN stands for NaN alone, an infinity for itself alone.
    pub(crate) fn admits(self, expected: f64, actual: f64) -> bool {
        let size = expected.abs();
        let bound = self.bound(size);
        // An error that is just the bound may be on either side of it by the noise of doubles.
        let noise = match self {
            Tolerance::Unstated => 0.0,
            // A declared formula is taken at its word where it asks for less than that.
            Tolerance::Sum(_) => noise(size).min(bound * MOST_NOISE),
            Tolerance::Either(_) => noise(size),
        };
        is_within(expected, actual, bound + noise)
    }

    /// The same of a whole number, which has no noise.
    pub(crate) fn admits_for_whole(self, expected: f64, actual: f64) -> bool {
        is_within(expected, actual, self.bound(expected.abs()))
    }

    fn bound(self, size: f64) -> f64 {
        match self {
            Tolerance::Unstated => unstated(size).max(noise(size)),
            Tolerance::Sum(FloatTolerance { abs, rel }) => abs + rel * size,
            Tolerance::Either(FloatTolerance { abs, rel }) => abs.max(rel * size).max(noise(size)),
        }
    }
}

/// The last units of a double, which are noise to a reader.
fn noise(size: f64) -> f64 {
    4.0 * f64::EPSILON * size
}

fn is_within(expected: f64, actual: f64, bound: f64) -> bool {
    match expected.is_finite() && actual.is_finite() {
        true => (expected - actual).abs() <= bound,
        false => expected == actual || expected.is_nan() && actual.is_nan(),
    }
}

/// The bound where neither problem nor statement gives one: small enough that no digit a person would look at differs.
///
/// Relative 1e-9, never over 1e-6 (so that 1000000000.5 is not 1000000001), and for numbers under a thousandth
/// relative 1e-6 (so that 1e-10 is not 2e-10). Zero gets absolute 1e-9.
fn unstated(size: f64) -> f64 {
    if size == 0.0 {
        return 1e-9;
    }
    (1e-9 * size.max(1.0)).min(1e-6).min(1e-6 * size)
}
