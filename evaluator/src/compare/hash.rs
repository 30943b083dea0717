//! Hashes of rows and values, under a key that is drawn for each comparison.
//!
//! Equal multisets have equal sums of hashes. Two that differ pass for equal with odds of one in 2^64, whoever made
//! them: nobody outside knows the key. So no order of any size needs to be tried, and nothing is copied.

use std::hash::{BuildHasher, DefaultHasher, Hasher, RandomState};

use num_bigint::BigInt;

use super::real::whole_of;
use super::tokenize::tokens;
use crate::Value;

/// One comparison's key.
#[derive(Debug, Clone, Default)]
pub(crate) struct Key(RandomState);

impl Key {
    /// A key that nobody knows.
    pub(crate) fn draw() -> Key {
        Key(RandomState::new())
    }

    /// The hash of a row's tokens in their order, whatever the space between them.
    pub(crate) fn row(&self, row: &[u8]) -> u64 {
        self.hash(|state| {
            for token in tokens(row) {
                state.write(token.bytes);
                // No token holds a space, so that `1 23` and `12 3` do not read alike.
                state.write_u8(b' ');
            }
        })
    }

    /// The hash of bytes.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> u64 {
        self.hash(|state| state.write(bytes))
    }

    /// The hash of numbers in their order.
    pub(crate) fn numbers(&self, numbers: &[u64]) -> u64 {
        self.hash(|state| numbers.iter().for_each(|number| state.write_u64(*number)))
    }

    /// The same for values of the same kind and content, and only for those; sets and dicts have no order.
    pub(crate) fn value(&self, value: &Value) -> u64 {
        self.hash(|state| self.feed(value, state))
    }

    /// The same for all values that Python holds equal and hashes alike: `1`, `1.0` and `True`.
    pub(crate) fn python(&self, value: &Value) -> u64 {
        let whole = match value {
            Value::Bool(truth) => Some(BigInt::from(u8::from(*truth))),
            Value::Float(real) => whole_of(*real),
            _ => None,
        };
        match (whole, value) {
            (Some(whole), _) => self.value(&Value::from(whole)),
            (None, Value::Tuple(items)) => self.hash(|state| {
                state.write_u8(b't');
                items
                    .iter()
                    .for_each(|item| state.write_u64(self.python(item)));
            }),
            (None, Value::Set(items)) => {
                let sum = items.iter().map(|item| self.python(item));
                self.numbers(&[u64::from(b'S'), sum.fold(0, u64::wrapping_add)])
            }
            (None, other) => self.value(other),
        }
    }

    /// The sum of the hashes of many values.
    pub(crate) fn sum(&self, values: &[Value]) -> u64 {
        let hashes = values.iter().map(|value| self.value(value));
        hashes.fold(0, u64::wrapping_add)
    }

    fn hash(&self, write: impl FnOnce(&mut DefaultHasher)) -> u64 {
        let mut state = self.0.build_hasher();
        write(&mut state);
        state.finish()
    }

    /// Each value starts with its kind, and with its length where that may vary, so that no two read alike.
    fn feed(&self, value: &Value, state: &mut DefaultHasher) {
        state.write_u8(kind(value));
        // Where order says nothing, a sum of hashes stands for the items: it is the same for every order of them.
        match value {
            Value::None => {}
            Value::Bool(truth) => state.write_u8(u8::from(*truth)),
            Value::Int(whole) => state.write_i64(*whole),
            Value::BigInt(whole) => sized(&whole.to_signed_bytes_le(), state),
            Value::Float(real) => state.write_u64(bits(*real)),
            Value::Complex(real, imaginary) => {
                state.write_u64(bits(*real));
                state.write_u64(bits(*imaginary));
            }
            Value::Str(text) => sized(text.as_bytes(), state),
            Value::Bytes(bytes) => sized(bytes, state),
            Value::List(items)
            | Value::Tuple(items)
            | Value::Array(items)
            | Value::ListNode(items)
            | Value::TreeNode(items) => {
                state.write_usize(items.len());
                items.iter().for_each(|item| self.feed(item, state));
            }
            Value::Set(items) => {
                state.write_usize(items.len());
                state.write_u64(self.sum(items));
            }
            Value::Dict(pairs) => {
                let pair = |(name, value): &(Value, Value)| {
                    self.numbers(&[self.value(name), self.value(value)])
                };
                state.write_usize(pairs.len());
                state.write_u64(pairs.iter().map(pair).fold(0, u64::wrapping_add));
            }
        }
    }
}

fn sized(bytes: &[u8], state: &mut DefaultHasher) {
    state.write_usize(bytes.len());
    state.write(bytes);
}

fn kind(value: &Value) -> u8 {
    match value {
        Value::None => b'n',
        Value::Bool(_) => b'b',
        Value::Int(_) => b'i',
        Value::BigInt(_) => b'I',
        Value::Float(_) => b'f',
        Value::Complex(..) => b'c',
        Value::Str(_) => b's',
        Value::Bytes(_) => b'y',
        Value::List(_) => b'l',
        Value::Tuple(_) => b't',
        Value::Array(_) => b'a',
        Value::ListNode(_) => b'L',
        Value::TreeNode(_) => b'T',
        Value::Set(_) => b'S',
        Value::Dict(_) => b'D',
    }
}

/// Zeros of both signs are one, and so are all NaN.
fn bits(real: f64) -> u64 {
    // Adding zero turns -0.0 into 0.0 and leaves every other number as it is.
    let plain = if real.is_nan() { f64::NAN } else { real + 0.0 };
    plain.to_bits()
}

/// What is left of two lists of hashed items when items of equal hashes are taken away in pairs.
pub(crate) fn left_over<T: Copy>(
    mut wanted: Vec<(u64, T)>,
    mut found: Vec<(u64, T)>,
) -> (Vec<T>, Vec<T>) {
    wanted.sort_unstable_by_key(|item| item.0);
    found.sort_unstable_by_key(|item| item.0);
    let (mut only_wanted, mut only_found) = (Vec::new(), Vec::new());
    let (mut left, mut right) = (wanted.iter().peekable(), found.iter().peekable());
    loop {
        match (left.peek(), right.peek()) {
            (None, None) => return (only_wanted, only_found),
            (Some(a), Some(b)) if a.0 == b.0 => {
                left.next();
                right.next();
            }
            (Some(a), b) if b.is_none_or(|b| a.0 < b.0) => {
                only_wanted.extend(left.next().map(|item| item.1));
            }
            _ => only_found.extend(right.next().map(|item| item.1)),
        }
    }
}
