//! The least that must hold of two outputs before the profile `standard` may accept one for the other without evidence.
//!
//! Slow and obvious on purpose: exact decimals, no strategies, no state. It is an upper bound and accepts more than
//! `standard` does, so only one direction can be tested: what it rejects must be rejected.

use std::str::FromStr;

use bigdecimal::BigDecimal;
use evaluator::Value;

/// Whether `standard` may accept `actual` where `expected` is known and nothing else.
pub fn may_accept(expected: &[u8], actual: &[u8]) -> bool {
    let (expected, actual) = (atoms(expected), atoms(actual));
    expected.len() == actual.len()
        && expected
            .iter()
            .zip(&actual)
            .all(|(expected, actual)| same_atom(expected, actual))
}

/// An output without what lies between its tokens: brackets, commas, colons and quotes one by one, all else in runs.
fn atoms(text: &[u8]) -> Vec<String> {
    let mut atoms: Vec<String> = Vec::new();
    let mut joined = false;
    for character in String::from_utf8_lossy(text).chars() {
        let single = "[](){},:'\"".contains(character);
        if character.is_whitespace() || character.is_control() {
            joined = false;
        } else if single || !joined {
            if "])}".contains(character) {
                atoms.pop_if(|trailing| trailing == ",");
            }
            // A literal may have a prefix that changes nothing: `u'text'`.
            if "'\"".contains(character) && joined {
                atoms.pop_if(|prefix| ["u", "r"].contains(&prefix.to_lowercase().as_str()));
            }
            atoms.push(if character == '"' { '\'' } else { character }.to_string());
            joined = !single;
        } else {
            atoms.last_mut().expect("a run has begun").push(character);
        }
    }
    atoms
}

fn same_atom(expected: &str, actual: &str) -> bool {
    let constant = |atom: &str| match atom {
        "True" => "true".to_owned(),
        "False" => "false".to_owned(),
        "None" => "null".to_owned(),
        other => other.to_owned(),
    };
    // An escape may stand for any character, and be written in several ways.
    let escaped = expected.contains('\\') || actual.contains('\\');
    escaped || constant(expected) == constant(actual) || same_number(expected, actual)
}

fn same_number(expected: &str, actual: &str) -> bool {
    if let (Ok(a), Ok(b)) = (expected.parse::<f64>(), actual.parse::<f64>()) {
        if !a.is_finite() || !b.is_finite() {
            return a.is_nan() && b.is_nan() || a == b;
        }
        if expected.len() > 400
            || actual.len() > 400
            || far_exponent(expected)
            || far_exponent(actual)
        {
            return true;
        }
    }
    match (BigDecimal::from_str(expected), BigDecimal::from_str(actual)) {
        (Ok(a), Ok(b)) => a == b || (is_real(expected) && close(&a, &b)),
        _ => false,
    }
}

/// Whether it takes too many digits to write out.
fn far_exponent(number: &str) -> bool {
    let exponent = number.split(['e', 'E']).nth(1);
    exponent.is_some_and(|digits| {
        digits
            .parse::<i32>()
            .map_or(true, |exponent| exponent.abs() > 400)
    })
}

fn is_real(number: &str) -> bool {
    number.contains(['.', 'e', 'E'])
}

/// Half a unit of six significant digits, and half of the sixth place.
fn close(expected: &BigDecimal, actual: &BigDecimal) -> bool {
    let bound = |text: &str| BigDecimal::from_str(text).expect("a number");
    let difference = (expected - actual).abs();
    difference <= expected.abs() * bound("5.1e-6") || difference <= bound("5.1e-7")
}

/// Whether `standard` may accept one value for the other.
pub fn may_accept_value(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::Dict(expected), Value::Dict(actual)) => matched(expected, actual, same_entry),
        (Value::Set(expected), Value::Set(actual)) => matched(expected, actual, may_accept_value),
        _ => match (items(expected), items(actual)) {
            (Some(expected), Some(actual)) => {
                expected.len() == actual.len()
                    && expected
                        .iter()
                        .zip(actual)
                        .all(|(expected, actual)| may_accept_value(expected, actual))
            }
            (None, None) => same_leaf(expected, actual),
            _ => false,
        },
    }
}

/// Whether there are as many on both sides, and each that is expected has one like it.
fn matched<T>(expected: &[T], actual: &[T], same: fn(&T, &T) -> bool) -> bool {
    expected.len() == actual.len()
        && expected
            .iter()
            .all(|expected| actual.iter().any(|actual| same(expected, actual)))
}

fn same_entry(expected: &(Value, Value), actual: &(Value, Value)) -> bool {
    let key = |value: &Value| match value {
        Value::Str(text) => text.clone(),
        Value::Int(whole) => whole.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::None => "null".to_owned(),
        other => format!("{other:?}"),
    };
    let same_key = key(&expected.0) == key(&actual.0) || may_accept_value(&expected.0, &actual.0);
    same_key && may_accept_value(&expected.1, &actual.1)
}

fn items(value: &Value) -> Option<&[Value]> {
    match value {
        Value::List(items)
        | Value::Tuple(items)
        | Value::Array(items)
        | Value::ListNode(items)
        | Value::TreeNode(items) => Some(items),
        _ => None,
    }
}

fn same_leaf(expected: &Value, actual: &Value) -> bool {
    if let (Some(a), Some(b)) = (decimal(expected), decimal(actual)) {
        return a == b || (matches!(expected, Value::Float(_)) && close(&a, &b));
    }
    match (expected, actual) {
        (Value::Str(a), Value::Str(b)) => a == b || may_accept(a.as_bytes(), b.as_bytes()),
        (Value::Float(a), Value::Float(b)) => a == b || a.is_nan() && b.is_nan(),
        (Value::Complex(a, b), Value::Complex(c, d)) => close_f64(*a, *c) && close_f64(*b, *d),
        (expected, actual) => expected == actual,
    }
}

/// A finite number exactly. `True` is none.
fn decimal(value: &Value) -> Option<BigDecimal> {
    match value {
        Value::Int(whole) => Some(BigDecimal::from(*whole)),
        Value::BigInt(whole) => BigDecimal::from_str(&whole.to_string()).ok(),
        Value::Float(real) => BigDecimal::try_from(*real).ok(),
        _ => None,
    }
}

fn close_f64(a: f64, b: f64) -> bool {
    let decimal = |real| BigDecimal::try_from(real);
    match (decimal(a), decimal(b)) {
        (Ok(a), Ok(b)) => close(&a, &b),
        _ => a == b || a.is_nan() && b.is_nan(),
    }
}
