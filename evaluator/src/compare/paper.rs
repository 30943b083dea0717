//! The paper's full chain: every strategy always on, line structure and order overlooked.
//!
//! Not sound: it accepts `3 2 1` for `1 2 3` and 100001 for 100000. It is here to be compared with.

use crate::Value;
use ndarray::{Array1, Zip};

use super::number::{Number, Tolerance};
use super::whitespace::lines;
use super::{Finding, Strategy, decimal, key, rounding, unordered, value, word_case};
use crate::problem::FloatTolerance;
use crate::value::literal;

/// The defaults of `numpy.allclose`.
const ALLCLOSE: Tolerance = Tolerance::Sum(FloatTolerance {
    abs: 1e-8,
    rel: 1e-5,
});

/// Decimals that the rounding fallback keeps.
const PLACES: i32 = 3;

/// What one strategy of the paper's chain says of two texts.
pub(crate) fn text(strategy: Strategy, expected: &[u8], actual: &[u8]) -> Finding {
    Finding::from(match strategy {
        Strategy::Exact => super::exact::same(expected, actual),
        Strategy::Whitespace => lines(expected)
            .map(|line| line.bytes)
            .eq(lines(actual).map(|line| line.bytes)),
        Strategy::Tokens => words(expected).eq(words(actual)),
        Strategy::Numeric => all_close(expected, actual),
        Strategy::Typed => match (read(expected), read(actual)) {
            (Some(left), Some(right)) => loosely(&left, &right, None),
            _ => return Finding::Erred("a text is not UTF-8".to_owned()),
        },
        Strategy::Rounding => pairs_agree(expected, actual, |left, right| {
            numbers_agree(left, right, |a, b| rounding::same_to(PLACES, a, b))
        }),
        Strategy::WordCase => pairs_agree(expected, actual, |left, right| {
            (word_case::is_answer(left) && left.eq_ignore_ascii_case(right))
                || numbers_agree(left, right, |a, b| ALLCLOSE.admits(a, b))
        }),
        Strategy::Multiset => sorted_lines(expected) == sorted_lines(actual),
        Strategy::Set => {
            unordered::same_set(expected, actual, <[u8]>::to_vec)
                || unordered::same_set(expected, actual, rounded)
        }
        Strategy::Lcb => super::lcb::same_text(expected, actual),
    })
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

/// `numpy.allclose` over all numbers of both texts at once, where the words between them are the same.
fn all_close(expected: &[u8], actual: &[u8]) -> bool {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let same_words = pairs_agree(expected, actual, |wanted, found| {
        numbers_agree(wanted, found, |a, b| {
            left.push(a);
            right.push(b);
            true
        })
    });
    let (left, right) = (Array1::from(left), Array1::from(right));
    same_words
        && Zip::from(&left)
            .and(&right)
            .all(|left, right| ALLCLOSE.admits(*left, *right))
}

/// Whether the texts have as many words, and each pair is the same word or agrees.
fn pairs_agree(
    expected: &[u8],
    actual: &[u8],
    mut agree: impl FnMut(&[u8], &[u8]) -> bool,
) -> bool {
    let (mut left, mut right) = (words(expected), words(actual));
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(left), Some(right)) if left == right || agree(left, right) => {}
            _ => return false,
        }
    }
}

/// Whether two words are numbers that agree; long whole numbers, which no double holds, agree only if they are the same.
fn numbers_agree(left: &[u8], right: &[u8], agree: impl FnOnce(f64, f64) -> bool) -> bool {
    match (Number::parse(left), Number::parse(right)) {
        (Some(a), Some(b)) if a.is_long_integer() || b.is_long_integer() => {
            decimal::same(left, right)
        }
        (Some(a), Some(b)) => agree(a.value, b.value),
        _ => false,
    }
}

/// A number at three places, any other word as it is.
fn rounded(word: &[u8]) -> Vec<u8> {
    match Number::parse(word) {
        Some(number) if !number.is_long_integer() => {
            format!("{:.3}", number.value + 0.0).into_bytes()
        }
        _ => word.to_vec(),
    }
}

/// The lines, each as its sorted words, sorted.
fn sorted_lines(text: &[u8]) -> Vec<Vec<&[u8]>> {
    let mut rows: Vec<Vec<&[u8]>> = lines(text)
        .map(|line| {
            let mut row: Vec<&[u8]> = words(line.bytes).collect();
            row.sort_unstable();
            row
        })
        .collect();
    rows.sort_unstable();
    rows
}

/// A text as a value: a literal, or else its lines as lists of words that may be literals.
fn read(text: &[u8]) -> Option<Value> {
    let text = std::str::from_utf8(text).ok()?;
    let word = |word: &str| literal::parse(word).unwrap_or_else(|_| Value::Str(word.to_owned()));
    Some(literal::parse(text).unwrap_or_else(|_| {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        Value::List(
            lines
                .map(|line| {
                    literal::parse(line).unwrap_or_else(|_| {
                        Value::List(line.split_whitespace().map(word).collect())
                    })
                })
                .collect(),
        )
    }))
}

/// What one strategy of the paper's chain says of two values.
pub(crate) fn value(strategy: Strategy, expected: &Value, actual: &Value) -> Finding {
    let keys = |value: &Value| {
        let mut keys: Vec<Vec<u8>> = parts(value).iter().map(key::key).collect();
        keys.sort_unstable();
        keys
    };
    Finding::from(match strategy {
        Strategy::Exact => value::same_exactly(expected, actual),
        Strategy::Numeric => number(expected, actual, None).unwrap_or(false),
        Strategy::Typed => loosely(expected, actual, None),
        Strategy::Rounding => loosely(expected, actual, Some(PLACES)),
        Strategy::WordCase => match (expected, actual) {
            (Value::Str(left), Value::Str(right)) => {
                word_case::is_answer(left.as_bytes()) && left.eq_ignore_ascii_case(right)
            }
            _ => false,
        },
        Strategy::Multiset => keys(expected) == keys(actual),
        Strategy::Set => {
            let (mut left, mut right) = (keys(expected), keys(actual));
            left.dedup();
            right.dedup();
            left == right
        }
        Strategy::Whitespace | Strategy::Tokens => {
            return Finding::Erred("values have no text".to_owned());
        }
        Strategy::Lcb => super::lcb::same_value(expected, actual),
    })
}

/// The items of a value; a scalar is its only one.
fn parts(value: &Value) -> &[Value] {
    match value {
        Value::Set(items) => items,
        other => value::items(other).unwrap_or(std::slice::from_ref(other)),
    }
}

/// Numbers near each other, or the same at some places; `None` where one is no number.
fn number(left: &Value, right: &Value, places: Option<i32>) -> Option<bool> {
    let double = |value: &Value| match value {
        Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        Value::Int(whole) => Some(*whole as f64),
        Value::Float(real) => Some(*real),
        Value::BigInt(whole) => Some(value::nearest_double(whole)),
        _ => None,
    };
    let long = |value: &Value| match value {
        Value::Int(whole) => whole.unsigned_abs() >= 1_000_000_000_000_000,
        Value::BigInt(_) => true,
        _ => false,
    };
    let (a, b) = (double(left)?, double(right)?);
    Some(match places {
        _ if long(left) || long(right) => value::show(left) == value::show(right),
        None => ALLCLOSE.admits(a, b),
        Some(places) => rounding::same_to(places, a, b),
    })
}

/// Whether two values are the same under every conversion: containers into each other, text into what it writes.
fn loosely(left: &Value, right: &Value, places: Option<i32>) -> bool {
    if let Some(same) = number(left, right, places) {
        return same;
    }
    match (left, right) {
        (Value::Set(_), _) | (_, Value::Set(_)) => {
            let sort = |value: &Value| {
                let mut items = parts(value).to_vec();
                items.sort_by_cached_key(key::key);
                items
            };
            all_loosely(&sort(left), &sort(right), places)
        }
        (Value::Dict(a), Value::Dict(b)) => {
            let pairs = |entries: &[(Value, Value)]| {
                let pair =
                    |(name, value): &(Value, Value)| Value::List(vec![bare(name), value.clone()]);
                let mut pairs: Vec<Value> = entries.iter().map(pair).collect();
                pairs.sort_by_cached_key(key::key);
                pairs
            };
            all_loosely(&pairs(a), &pairs(b), places)
        }
        (Value::Str(a), Value::Str(b)) => a.split_whitespace().eq(b.split_whitespace()),
        (Value::Str(text), other) | (other, Value::Str(text)) => written(text, other, places),
        (Value::None, Value::None) => true,
        _ if value::items(left).is_some() || value::items(right).is_some() => {
            all_loosely(parts(left), parts(right), places)
        }
        _ => left == right,
    }
}

/// A text against a value: what it writes as a literal, or else its words against the items.
fn written(text: &str, other: &Value, places: Option<i32>) -> bool {
    let literal = |text: &str| {
        literal::parse(text)
            .ok()
            .filter(|value| !matches!(value, Value::Str(_)))
    };
    if let Some(value) = literal(text) {
        return loosely(&value, other, places);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let items = value::items(other).unwrap_or(&[]);
    !items.is_empty()
        && words.len() == items.len()
        && words.iter().zip(items).all(|(word, item)| match item {
            Value::Str(text) => text == word,
            item => literal(word)
                .and_then(|word| number(&word, item, places))
                .unwrap_or(false),
        })
}

fn all_loosely(left: &[Value], right: &[Value], places: Option<i32>) -> bool {
    match (left, right) {
        ([Value::List(inner) | Value::Tuple(inner)], [_, _, ..]) => {
            all_loosely(inner, right, places)
        }
        ([_, _, ..], [Value::List(inner) | Value::Tuple(inner)]) => {
            all_loosely(left, inner, places)
        }
        _ => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| loosely(left, right, places))
        }
    }
}

/// A key as the string that JSON makes of it.
fn bare(name: &Value) -> Value {
    match name {
        Value::Str(_) => name.clone(),
        other => Value::Str(value::show(other)),
    }
}
