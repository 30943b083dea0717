//! Values as bytes and in an order, so that equal and near ones are found without trying all pairs.
//!
//! Decides nothing: what is found by them is compared as values.

use std::cmp::Ordering;

use crate::Value;
use num_bigint::BigInt;
use ordered_float::OrderedFloat;

use super::value::items;

/// Bytes that are the same for values of the same kind and content, and only for those.
pub(crate) fn key(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    write_key(value, &mut out);
    out
}

fn write_key(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::None => out.push(b'n'),
        Value::Bool(truth) => out.extend([b'b', u8::from(*truth)]),
        Value::Int(whole) => sized(b'i', &BigInt::from(*whole).to_signed_bytes_be(), out),
        Value::BigInt(whole) => sized(b'i', &whole.to_signed_bytes_be(), out),
        Value::Float(real) => sized(b'f', &real_key(*real), out),
        Value::Complex(real, imaginary) => {
            sized(b'c', &[real_key(*real), real_key(*imaginary)].concat(), out)
        }
        Value::Str(text) => sized(b's', text.as_bytes(), out),
        Value::Bytes(bytes) => sized(b'y', bytes, out),
        Value::List(items) => nested(b'l', items.iter().map(key), out),
        Value::Tuple(items) => nested(b't', items.iter().map(key), out),
        Value::Array(items) => nested(b'a', items.iter().map(key), out),
        Value::ListNode(items) => nested(b'L', items.iter().map(key), out),
        Value::TreeNode(items) => nested(b'T', items.iter().map(key), out),
        Value::Set(items) => nested(b'S', sorted(items.iter().map(key)), out),
        Value::Dict(entries) => nested(
            b'D',
            sorted(
                entries
                    .iter()
                    .map(|entry| [key(&entry.0), key(&entry.1)].concat()),
            ),
            out,
        ),
    }
}

/// Zeros of both signs are one, and so are all NaN.
fn real_key(real: f64) -> [u8; 8] {
    let plain = if real.is_nan() { f64::NAN } else { real + 0.0 };
    plain.to_bits().to_be_bytes()
}

fn sized(tag: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(tag);
    out.extend((bytes.len() as u64).to_be_bytes());
    out.extend(bytes);
}

fn sorted(keys: impl Iterator<Item = Vec<u8>>) -> impl Iterator<Item = Vec<u8>> {
    let mut keys: Vec<Vec<u8>> = keys.collect();
    keys.sort_unstable();
    keys.into_iter()
}

fn nested(tag: u8, keys: impl Iterator<Item = Vec<u8>>, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend([tag; 9]);
    let mut count = 0u64;
    for key in keys {
        out.extend(key);
        count += 1;
    }
    out[start + 1..start + 9].copy_from_slice(&count.to_be_bytes());
}

/// An order of all values in which those that convert into each other stand side by side.
pub(crate) fn order(left: &Value, right: &Value) -> Ordering {
    let rank = |value: &Value| match value {
        Value::None => 0,
        Value::Bool(_) => 1,
        Value::Int(_) | Value::BigInt(_) | Value::Float(_) => 2,
        Value::Complex(..) => 3,
        Value::Str(_) => 4,
        Value::Bytes(_) => 5,
        Value::Set(_) => 7,
        Value::Dict(_) => 8,
        _ => 6,
    };
    rank(left)
        .cmp(&rank(right))
        .then_with(|| match (items(left), items(right)) {
            (Some(left), Some(right)) => {
                let pairs = left
                    .iter()
                    .zip(right)
                    .map(|(left, right)| order(left, right));
                pairs
                    .fold(Ordering::Equal, Ordering::then)
                    .then(left.len().cmp(&right.len()))
            }
            _ => match (double(left), double(right)) {
                (Some(left), Some(right)) => left.cmp(&right),
                _ => key(left).cmp(&key(right)),
            },
        })
}

fn double(value: &Value) -> Option<OrderedFloat<f64>> {
    match value {
        Value::Int(whole) => Some(OrderedFloat(*whole as f64)),
        Value::Float(real) => Some(OrderedFloat(*real)),
        Value::BigInt(whole) => Some(OrderedFloat(super::value::nearest_double(whole))),
        _ => None,
    }
}
