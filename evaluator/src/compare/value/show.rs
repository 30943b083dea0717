//! Values as a person reads them, and where two of them differ.

use crate::Value;
use crate::compare::difference::{Difference, SHOWN, cap};

/// Longer whole numbers are not printed: that takes time that grows with the square of the length.
const PRINTED_BITS: u64 = 1 << 12;

/// Where two values differ: the innermost pair, and the way to it from the inside out.
#[derive(Debug)]
pub(super) struct ValueMismatch {
    path: Vec<String>,
    expected: String,
    actual: String,
}

impl ValueMismatch {
    /// Two values that differ as a whole.
    pub(super) fn of(expected: &Value, actual: &Value) -> ValueMismatch {
        ValueMismatch::one_sided(Some(expected), Some(actual))
    }

    /// Two values of which only one may be there.
    pub(super) fn one_sided(expected: Option<&Value>, actual: Option<&Value>) -> ValueMismatch {
        ValueMismatch {
            path: Vec::new(),
            expected: expected.map_or(String::new(), show),
            actual: actual.map_or(String::new(), show),
        }
    }

    /// The same, seen from outside the item at `index`.
    pub(super) fn at(self, index: usize) -> ValueMismatch {
        self.inside(format!("[{index}]"))
    }

    /// The same, seen from outside the dict with this key.
    pub(super) fn under(self, name: &Value) -> ValueMismatch {
        self.inside(format!("[{}]", show(name)))
    }

    fn inside(mut self, step: String) -> ValueMismatch {
        self.path.push(step);
        self
    }

    /// The difference as shown.
    pub(super) fn describe(self) -> Difference {
        let path: String = self.path.into_iter().rev().collect();
        Difference {
            line: None,
            column: None,
            path: Some(cap(&path)),
            expected: cap(&self.expected),
            actual: cap(&self.actual),
        }
    }
}

/// A value as Python prints it, near enough to be recognised; the tail of a long one is left out.
pub(crate) fn show(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::None => *out += "None",
        Value::Bool(true) => *out += "True",
        Value::Bool(false) => *out += "False",
        Value::Int(whole) => *out += &whole.to_string(),
        Value::BigInt(whole) if whole.bits() <= PRINTED_BITS => *out += &whole.to_string(),
        Value::BigInt(whole) => *out += &format!("an integer of {} bits", whole.bits()),
        Value::Float(real) if real.is_nan() => *out += "nan",
        Value::Float(real) => *out += &format!("{real:?}"),
        Value::Complex(real, imaginary) => *out += &format!("({real}{imaginary:+}j)"),
        Value::Str(text) => *out += &format!("{:?}", cap(text)),
        Value::Bytes(bytes) => {
            *out += &format!("b\"{}\"", bytes[..bytes.len().min(SHOWN)].escape_ascii());
        }
        Value::List(items) => list("[", items, "]", out),
        Value::Tuple(items) if items.len() == 1 => list("(", items, ",)", out),
        Value::Tuple(items) => list("(", items, ")", out),
        Value::Set(items) if items.is_empty() => *out += "set()",
        Value::Set(items) => list("{", items, "}", out),
        Value::Array(items) => list("array([", items, "])", out),
        Value::ListNode(items) => list("ListNode([", items, "])", out),
        Value::TreeNode(items) => list("TreeNode([", items, "])", out),
        Value::Dict(pairs) => {
            let pair = |(name, value): &(Value, Value), out: &mut String| {
                write(name, out);
                *out += ": ";
                write(value, out);
            };
            joined("{", pairs, "}", out, pair);
        }
    }
}

fn list(open: &str, items: &[Value], close: &str, out: &mut String) {
    joined(open, items, close, out, write);
}

/// Stops once there is more than will be shown: a nested value of many items would be printed for nothing.
fn joined<T>(
    open: &str,
    items: &[T],
    close: &str,
    out: &mut String,
    write: impl Fn(&T, &mut String),
) {
    *out += open;
    for (index, item) in items.iter().enumerate() {
        if out.chars().count() > SHOWN {
            return;
        }
        if index > 0 {
            *out += ", ";
        }
        write(item, out);
    }
    *out += close;
}
