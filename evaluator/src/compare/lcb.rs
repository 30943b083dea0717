//! LiveCodeBench's rule, exactly: its stdio rule for texts, Python's `==` for values.
//!
//! Texts: strip both; the same number of lines; each pair of lines stripped equal, or all tokens of both are decimals and
//! pairwise equal. Values: Python's `==`, where only a tuple at the top becomes a list. Neither has a tolerance.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::Value;
use num_bigint::BigInt;

use super::decimal::Decimal;
use super::hash::Key;
use super::real::{nearest_double, whole_of};

/// Whether LiveCodeBench accepts the text. A text that is not UTF-8 is no Python `str`: it is only equal to itself.
pub(crate) fn same_text(expected: &[u8], actual: &[u8]) -> bool {
    let (Ok(expected), Ok(actual)) = (std::str::from_utf8(expected), std::str::from_utf8(actual))
    else {
        return expected == actual;
    };
    let (expected, actual) = (strip(expected), strip(actual));
    if expected == actual {
        return true;
    }
    let line_ends = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
    if line_ends(expected) != line_ends(actual) {
        return false;
    }
    // Lines that are the same need no look at what they hold.
    let alike = common(expected.as_bytes(), actual.as_bytes());
    let start = memchr::memrchr(b'\n', &expected.as_bytes()[..alike]).map_or(0, |end| end + 1);
    expected[start..]
        .split('\n')
        .zip(actual[start..].split('\n'))
        .all(|(left, right)| same_line(left, right))
}

/// How many bytes both texts begin with alike.
fn common(left: &[u8], right: &[u8]) -> usize {
    const BLOCK: usize = 4096;
    let blocks = left.chunks(BLOCK).zip(right.chunks(BLOCK));
    let whole = BLOCK * blocks.take_while(|(left, right)| left == right).count();
    let whole = whole.min(left.len()).min(right.len());
    let rest = left[whole..].iter().zip(&right[whole..]);
    whole + rest.take_while(|(left, right)| left == right).count()
}

/// `str.isspace`, which knows four separators more than Unicode's white space.
fn is_space(c: char) -> bool {
    if matches!(c, '!'..='~') {
        return false;
    }
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

fn same_line(expected: &str, actual: &str) -> bool {
    let (expected, actual) = (strip(expected), strip(actual));
    if expected == actual {
        return true;
    }
    let passed = common_whole_numbers(expected.as_bytes(), actual.as_bytes());
    let mut wanted = tokens(&expected[passed..]);
    let mut found = tokens(&actual[passed..]);
    loop {
        match (wanted.next(), found.next()) {
            (None, None) => return true,
            (Some(left), Some(right)) if same_decimal(left, right) => {}
            _ => return false,
        }
    }
}

/// The length of what both lines begin with alike, up to a space, where that holds nothing but digits and spaces.
fn common_whole_numbers(left: &[u8], right: &[u8]) -> usize {
    let alike = common(left, right);
    let is_plain = |byte: &u8| byte.is_ascii_digit() || *byte == b' ';
    let end = left[..alike].iter().position(|byte| !is_plain(byte));
    memchr::memrchr(b' ', &left[..end.unwrap_or(alike)]).unwrap_or(0)
}

fn tokens(line: &str) -> impl Iterator<Item = &str> {
    line.split(is_space).filter(|token| !token.is_empty())
}

fn same_decimal(left: &str, right: &str) -> bool {
    if left == right && left.bytes().all(|byte| byte.is_ascii_digit()) {
        return true;
    }
    let (left, right) = (plain(left), plain(right));
    match (
        Decimal::parse(left.as_bytes()),
        Decimal::parse(right.as_bytes()),
    ) {
        (Some(left), Some(right)) => left.equals(&right),
        _ => false,
    }
}

/// `decimal.Decimal` drops underscores wherever they stand and reads the decimal digits of every script.
fn plain(token: &str) -> Cow<'_, str> {
    if token.is_ascii() && !token.contains('_') {
        return Cow::Borrowed(token);
    }
    Cow::Owned(
        token
            .chars()
            .filter(|c| *c != '_')
            .map(ascii_digit)
            .collect(),
    )
}

/// The zeros of Unicode's decimal digits; the nine code points after each are its other digits.
const ZEROS: [u32; 65] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6,
    0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50,
    0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
    0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

fn ascii_digit(c: char) -> char {
    let after = ZEROS.partition_point(|zero| *zero <= c as u32);
    match after.checked_sub(1).map(|index| c as u32 - ZEROS[index]) {
        Some(digit @ 0..=9) => char::from(b'0' + digit as u8),
        _ => c,
    }
}

/// Whether LiveCodeBench accepts the value that a call returned.
pub(crate) fn same_value(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::List(left), Value::Tuple(right)) => same_items(left, right),
        // The expected value is never made a list, so two tuples differ here.
        (Value::Tuple(_), Value::Tuple(_)) => false,
        _ => python_equal(expected, actual),
    }
}

fn same_items(left: &[Value], right: &[Value]) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| python_equal(left, right))
}

/// Python's `left == right` for plain data whose two sides share no objects, so that no NaN is identical to another.
fn python_equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(items), other) | (other, Value::Array(items)) => single(items, other),
        (Value::List(left), Value::List(right)) | (Value::Tuple(left), Value::Tuple(right)) => {
            same_items(left, right)
        }
        (Value::None, Value::None) => true,
        (Value::Str(left), Value::Str(right)) => left == right,
        (Value::Bytes(left), Value::Bytes(right)) => left == right,
        (Value::Set(left), Value::Set(right)) => same_set(left, right),
        (Value::Dict(left), Value::Dict(right)) => same_dict(left, right),
        // A node of a list or tree has no `__eq__` and is equal to itself alone.
        _ => same_number(left, right),
    }
}

/// Comparing an array gives an array, which is true or false only if it has one element.
fn single(items: &[Value], other: &Value) -> bool {
    let mut left = items;
    let left = loop {
        match left {
            [Value::Array(inner)] => left = inner,
            [only] => break only,
            _ => return false,
        }
    };
    let mut right = other;
    while let Value::Array(inner) | Value::List(inner) | Value::Tuple(inner) = right {
        match inner.as_slice() {
            [only] => right = only,
            _ => return false,
        }
    }
    python_equal(right, left)
}

fn same_number(left: &Value, right: &Value) -> bool {
    if let (Value::Complex(..), _) | (_, Value::Complex(..)) = (left, right) {
        return match (complex(left), complex(right)) {
            (Some(left), Some(right)) => left == right,
            _ => false,
        };
    }
    match (real(left), real(right)) {
        (Some(Real::Whole(left)), Some(Real::Whole(right))) => left == right,
        (Some(Real::Float(left)), Some(Real::Float(right))) => left == right,
        (Some(Real::Whole(whole)), Some(Real::Float(float)))
        | (Some(Real::Float(float)), Some(Real::Whole(whole))) => {
            whole_of(float).as_ref() == Some(&whole)
        }
        _ => false,
    }
}

/// A number that is no complex one.
enum Real {
    Whole(BigInt),
    Float(f64),
}

fn real(value: &Value) -> Option<Real> {
    Some(match value {
        Value::Bool(truth) => Real::Whole(BigInt::from(u8::from(*truth))),
        Value::Int(whole) => Real::Whole(BigInt::from(*whole)),
        Value::BigInt(whole) => Real::Whole(whole.clone()),
        Value::Float(float) => Real::Float(*float),
        _ => return None,
    })
}

/// As a complex number, where that loses nothing.
fn complex(value: &Value) -> Option<(f64, f64)> {
    match real(value) {
        Some(Real::Float(float)) => Some((float, 0.0)),
        Some(Real::Whole(whole)) => {
            let float = nearest_double(&whole);
            (whole_of(float)? == whole).then_some((float, 0.0))
        }
        None => match value {
            Value::Complex(real, imaginary) => Some((*real, *imaginary)),
            _ => None,
        },
    }
}

fn same_set(left: &[Value], right: &[Value]) -> bool {
    let key = Key::draw();
    let index: HashMap<u64, &Value> = right.iter().map(|item| (key.python(item), item)).collect();
    left.len() == right.len()
        && left.iter().all(|item| {
            index
                .get(&key.python(item))
                .is_some_and(|other| python_equal(item, other))
        })
}

fn same_dict(left: &[(Value, Value)], right: &[(Value, Value)]) -> bool {
    let key = Key::draw();
    let index: HashMap<u64, &(Value, Value)> = right
        .iter()
        .map(|entry| (key.python(&entry.0), entry))
        .collect();
    left.len() == right.len()
        && left.iter().all(|(name, value)| {
            index
                .get(&key.python(name))
                .is_some_and(|entry| python_equal(name, &entry.0) && python_equal(value, &entry.1))
        })
}
