//! What the paper's strategies say of two values.

use std::collections::HashSet;

use num_bigint::BigInt;

use super::array;
use super::slack::{ALLCLOSE, LONG, PLACES};
use crate::Value;
use crate::compare::comparison::Finding;
use crate::compare::hash::Key;
use crate::compare::order::by_place;
use crate::compare::real::{nearest_double, whole_of};
use crate::compare::strategy::Strategy;
use crate::compare::value::{items, same_exactly, show};
use crate::compare::{lcb, rounding, word_case};
use crate::value::{DataBudget, literal};

/// What one strategy says of two values.
pub(crate) fn value(strategy: Strategy, expected: &Value, actual: &Value) -> Finding {
    Finding::from(match strategy {
        Strategy::Exact => same_exactly(expected, actual),
        Strategy::Numeric => number(expected, actual, None)
            .or_else(|| array::all_close(expected, actual))
            .unwrap_or(false),
        Strategy::Typed => loosely(expected, actual, None),
        Strategy::Rounding => loosely(expected, actual, Some(PLACES)),
        Strategy::WordCase => match (expected, actual) {
            (Value::Str(left), Value::Str(right)) => {
                word_case::is_answer(left.as_bytes()) && left.eq_ignore_ascii_case(right)
            }
            _ => false,
        },
        Strategy::Multiset => {
            let (key, left, right) = (Key::draw(), parts(expected), parts(actual));
            left.len() == right.len() && key.sum(left) == key.sum(right)
        }
        Strategy::Set => {
            let key = Key::draw();
            let hashes = |value| parts(value).iter().map(|part| key.value(part));
            hashes(expected).collect::<HashSet<u64>>() == hashes(actual).collect()
        }
        Strategy::Whitespace | Strategy::Tokens => {
            return Finding::Erred("values have no text".to_owned());
        }
        Strategy::Lcb => lcb::same_value(expected, actual),
    })
}

/// The items of a value; a scalar is its only one.
fn parts(value: &Value) -> &[Value] {
    match value {
        Value::Set(items) => items,
        other => items(other).unwrap_or(std::slice::from_ref(other)),
    }
}

/// Numbers near each other, or the same at some places; `None` where one is no number.
fn number(left: &Value, right: &Value, places: Option<i32>) -> Option<bool> {
    let double = |value: &Value| match value {
        Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        Value::Int(whole) => Some(*whole as f64),
        Value::Float(real) => Some(*real),
        Value::BigInt(whole) => Some(nearest_double(whole)),
        _ => None,
    };
    let long = |value: &Value| match value {
        Value::Int(whole) => whole.unsigned_abs() >= LONG,
        Value::BigInt(_) => true,
        _ => false,
    };
    let (a, b) = (double(left)?, double(right)?);
    Some(match places {
        _ if long(left) || long(right) => whole(left) == whole(right),
        None => ALLCLOSE.admits(a, b),
        Some(places) => rounding::same_to(places, a, b),
    })
}

/// The whole number that a value is exactly.
fn whole(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(whole) => Some(BigInt::from(*whole)),
        Value::BigInt(whole) => Some(whole.clone()),
        Value::Float(real) => whole_of(*real),
        _ => None,
    }
}

/// Whether two values are the same under every conversion: containers into each other, text into what it writes.
pub(super) fn loosely(left: &Value, right: &Value, places: Option<i32>) -> bool {
    if let Some(same) = number(left, right, places) {
        return same;
    }
    match (left, right) {
        (Value::Set(_), _) | (_, Value::Set(_)) => {
            let sorted = |value| by_place(parts(value).iter().collect());
            all_loosely(sorted(left), sorted(right), places)
        }
        (Value::Dict(left), Value::Dict(right)) => same_entries(left, right, places),
        (Value::Str(a), Value::Str(b)) => a.split_whitespace().eq(b.split_whitespace()),
        (Value::Str(text), other) | (other, Value::Str(text)) => written(text, other, places),
        (Value::None, Value::None) => true,
        _ if items(left).is_some() || items(right).is_some() => all_loosely(
            parts(left).iter().collect(),
            parts(right).iter().collect(),
            places,
        ),
        _ => left == right,
    }
}

/// Whether two dicts are the same, their keys as the strings that JSON makes of them.
fn same_entries(left: &[(Value, Value)], right: &[(Value, Value)], places: Option<i32>) -> bool {
    let (left, right) = (by_name(left), by_name(right));
    left.len() == right.len()
        && left
            .iter()
            .zip(&right)
            .all(|((name, left), (other, right))| name == other && loosely(left, right, places))
}

fn by_name(entries: &[(Value, Value)]) -> Vec<(String, &Value)> {
    let mut named: Vec<(String, &Value)> = entries
        .iter()
        .map(|(name, value)| (bare(name), value))
        .collect();
    named.sort_by(|left, right| left.0.cmp(&right.0));
    named
}

/// A key as the string that JSON makes of it.
fn bare(name: &Value) -> String {
    match name {
        Value::Str(text) => text.clone(),
        other => show(other),
    }
}

/// A text against a value: what it writes as a literal, or else its words against the items.
fn written(text: &str, other: &Value, places: Option<i32>) -> bool {
    let budget = DataBudget::of_result(other);
    let literal = |text: &str| {
        literal::parse_within(text, &budget)
            .ok()
            .filter(|value| !matches!(value, Value::Str(_)))
    };
    if let Some(value) = literal(text) {
        return loosely(&value, other, places);
    }
    let items = items(other).unwrap_or(&[]);
    let mut words = text.split_whitespace();
    let pairs = words.by_ref().zip(items).all(|(word, item)| match item {
        Value::Str(text) => text == word,
        item => literal(word)
            .and_then(|word| number(&word, item, places))
            .unwrap_or(false),
    });
    !items.is_empty()
        && pairs
        && text.split_whitespace().take(items.len() + 1).count() == items.len()
}

/// Whether the items are the same one by one; the only item of one side may be the list of them.
fn all_loosely(mut left: Vec<&Value>, mut right: Vec<&Value>, places: Option<i32>) -> bool {
    loop {
        match (left.as_slice(), right.as_slice()) {
            ([Value::List(inner) | Value::Tuple(inner)], [_, _, ..]) => {
                left = inner.iter().collect();
            }
            ([_, _, ..], [Value::List(inner) | Value::Tuple(inner)]) => {
                right = inner.iter().collect();
            }
            _ => break,
        }
    }
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| loosely(left, right, places))
}
