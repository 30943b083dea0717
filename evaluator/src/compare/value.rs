//! Two values, as results of calls: the strictest strategy under which they are the same.
//!
//! JSON has lists and string keys only, so a tuple, an array or the values of a linked list or tree may stand for a list,
//! and `{1: x}` for `{"1": x}`. A bool is no number. A whole number and a real of exactly its value are the same, as for
//! Python and for JSON, which writes 2.0 as 2; only where a real is expected there is a tolerance. Sets and dicts have no
//! order; lists have one, unless the evidence says otherwise.

use std::collections::HashMap;

use crate::Value;
use num_bigint::{BigInt, Sign};
use ordered_float::OrderedFloat;

use super::admission::{Order, Rules};
use super::key::{key, order};
use super::number::Tolerance;
use super::word_case::{self, Case};
use super::{Difference, Strategy, rounding};

/// Longer whole numbers are not printed: that takes time that grows with the square of the length.
const PRINTED_BITS: u64 = 1 << 16;

/// Whole numbers from here on may have no exact double.
const EXACT_DOUBLES: i64 = 1 << 53;

/// The strictest admitted strategy that accepts `actual`, or the first difference.
pub(crate) fn compare(
    expected: &Value,
    actual: &Value,
    rules: &Rules,
) -> Result<Strategy, Difference> {
    let difference = match walk(expected, actual, rules) {
        Ok(level) => return Ok(level),
        Err(mismatch) => mismatch.describe(),
    };
    if rules.order == Order::Kept {
        return Err(difference);
    }
    match (movable(expected), movable(actual)) {
        (Some(left), Some(right))
            if (rules.order == Order::Declared || alike(left))
                && matched(left, right, rules).is_some() =>
        {
            Ok(Strategy::Multiset)
        }
        _ => Err(difference),
    }
}

/// The items of a value whose order may be free; a linked list or tree is its order.
fn movable(value: &Value) -> Option<&[Value]> {
    match value {
        Value::List(items) | Value::Tuple(items) | Value::Array(items) | Value::Set(items) => {
            Some(items)
        }
        _ => None,
    }
}

/// Whether all items are lists or none is: items that differ in kind are parts of an answer, not items of a list.
fn alike(items: &[Value]) -> bool {
    let mut kinds = items.iter().map(|item| movable(item).is_some());
    let first = kinds.next();
    kinds.all(|kind| Some(kind) == first)
}

/// Where two values differ: the innermost pair, and the way to it from the inside out.
#[derive(Debug)]
struct Mismatch {
    path: Vec<String>,
    expected: String,
    actual: String,
}

impl Mismatch {
    fn of(expected: &Value, actual: &Value) -> Mismatch {
        Mismatch {
            path: Vec::new(),
            expected: show(expected),
            actual: show(actual),
        }
    }

    fn inside(mut self, step: impl FnOnce() -> String) -> Mismatch {
        self.path.push(step());
        self
    }

    fn describe(self) -> Difference {
        let path: String = self.path.into_iter().rev().collect();
        Difference {
            line: None,
            column: None,
            path: Some(super::difference::cap(&path)),
            expected: super::difference::cap(&self.expected),
            actual: super::difference::cap(&self.actual),
        }
    }
}

fn walk(expected: &Value, actual: &Value, rules: &Rules) -> Result<Strategy, Mismatch> {
    use Value::{Array, Dict, List, ListNode, None, Set, TreeNode, Tuple};
    match (expected, actual) {
        (List(left), List(right))
        | (Tuple(left), Tuple(right))
        | (Array(left), Array(right))
        | (ListNode(left), ListNode(right))
        | (TreeNode(left), TreeNode(right)) => same_items(left, right, Strategy::Exact, rules),
        (List(left) | Tuple(left) | Array(left), TreeNode(right)) => {
            same_items(without_trailing_none(left), right, Strategy::Typed, rules)
        }
        (
            List(left) | Tuple(left) | Array(left),
            List(right) | Tuple(right) | Array(right) | ListNode(right),
        ) => same_items(left, right, Strategy::Typed, rules),
        (List(left), None) if left.is_empty() && rules.nodes => Ok(Strategy::Typed),
        (Dict(left), Dict(right)) => same_dicts(left, right, rules),
        (Set(left), Set(right)) => {
            matched(left, right, rules).ok_or_else(|| Mismatch::of(expected, actual))
        }
        _ => scalar(expected, actual, rules).ok_or_else(|| Mismatch::of(expected, actual)),
    }
}

fn without_trailing_none(items: &[Value]) -> &[Value] {
    let kept = items
        .iter()
        .rposition(|item| *item != Value::None)
        .map_or(0, |last| last + 1);
    &items[..kept]
}

fn same_items(
    left: &[Value],
    right: &[Value],
    floor: Strategy,
    rules: &Rules,
) -> Result<Strategy, Mismatch> {
    let mut level = floor;
    for (index, (left, right)) in left.iter().zip(right).enumerate() {
        let needed = walk(left, right, rules)
            .map_err(|mismatch| mismatch.inside(|| format!("[{index}]")))?;
        level = level.max(needed);
    }
    if left.len() == right.len() {
        return Ok(level);
    }
    let index = left.len().min(right.len());
    let item = |items: &[Value]| items.get(index).map_or(String::new(), show);
    Err(Mismatch {
        path: vec![format!("[{index}]")],
        expected: item(left),
        actual: item(right),
    })
}

fn same_dicts(
    left: &[(Value, Value)],
    right: &[(Value, Value)],
    rules: &Rules,
) -> Result<Strategy, Mismatch> {
    let index: HashMap<Vec<u8>, &Value> = right
        .iter()
        .map(|(name, value)| (key(name), value))
        .collect();
    let as_json: HashMap<String, &Value> = right
        .iter()
        .filter_map(|(name, value)| Some((json_key(name)?, value)))
        .collect();
    let mut level = Strategy::Exact;
    for (name, wanted) in left {
        let (found, floor) = match (index.get(&key(name)), name) {
            (Some(found), _) => (found, Strategy::Exact),
            (None, Value::Str(text)) if as_json.contains_key(text) => {
                (&as_json[text], Strategy::Typed)
            }
            _ => return Err(missing(wanted, true).inside(|| format!("[{}]", show(name)))),
        };
        let needed = walk(wanted, found, rules)
            .map_err(|mismatch| mismatch.inside(|| format!("[{}]", show(name))))?;
        level = level.max(needed).max(floor);
    }
    if left.len() == right.len() {
        return Ok(level);
    }
    Err(extra_key(left, right))
}

/// A value that only one side has.
fn missing(value: &Value, expected: bool) -> Mismatch {
    let (shown, nothing) = (show(value), String::new());
    let (expected, actual) = if expected {
        (shown, nothing)
    } else {
        (nothing, shown)
    };
    Mismatch {
        path: Vec::new(),
        expected,
        actual,
    }
}

fn extra_key(left: &[(Value, Value)], right: &[(Value, Value)]) -> Mismatch {
    let known: HashMap<Vec<u8>, ()> = left.iter().map(|(name, _)| (key(name), ())).collect();
    let unknown = right.iter().find(|(name, _)| {
        let as_text = json_key(name).map(Value::Str);
        !known.contains_key(&key(name))
            && !as_text.is_some_and(|text| known.contains_key(&key(&text)))
    });
    match unknown.or(right.last()) {
        Some((name, value)) => missing(value, false).inside(|| format!("[{}]", show(name))),
        None => missing(&Value::Dict(Vec::new()), false),
    }
}

/// The string that JSON makes of a key that is none.
fn json_key(name: &Value) -> Option<String> {
    Some(match name {
        Value::None => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Int(whole) => whole.to_string(),
        Value::BigInt(whole) if whole.bits() <= PRINTED_BITS => whole.to_string(),
        Value::Float(real) => format!("{real:?}"),
        _ => return None,
    })
}

fn scalar(expected: &Value, actual: &Value, rules: &Rules) -> Option<Strategy> {
    match (expected, actual) {
        (Value::Str(left), Value::Str(right)) => same_strings(left, right, rules),
        (Value::Float(left), Value::Float(right)) => same_reals(*left, *right, rules),
        (Value::Float(left), Value::Int(_) | Value::BigInt(_)) => {
            same_real_and_whole(*left, actual, rules)
        }
        (Value::Int(left), Value::Float(right)) => {
            let exact = left.abs() < EXACT_DOUBLES && *left as f64 == *right;
            exact.then_some(Strategy::Numeric)
        }
        (Value::Complex(a, b), Value::Complex(c, d)) => {
            Some(same_reals(*a, *c, rules)?.max(same_reals(*b, *d, rules)?))
        }
        _ => (expected == actual).then_some(Strategy::Exact),
    }
}

fn same_strings(left: &str, right: &str, rules: &Rules) -> Option<Strategy> {
    if left == right {
        return Some(Strategy::Exact);
    }
    let same = rules.case != Case::Strict
        && word_case::same_token(left.as_bytes(), right.as_bytes(), rules.case);
    same.then_some(Strategy::WordCase)
}

fn same_reals(left: f64, right: f64, rules: &Rules) -> Option<Strategy> {
    if OrderedFloat(left) == OrderedFloat(right) {
        return Some(Strategy::Exact);
    }
    if rules.tolerance.admits(left, right) {
        return Some(Strategy::Numeric);
    }
    let printed = |number: f64| format!("{number:?}");
    let rounded =
        rules.rounding && rounding::same_token(printed(left).as_bytes(), printed(right).as_bytes());
    rounded.then_some(Strategy::Rounding)
}

/// A whole number where a real is expected; a long one has to be exactly the real.
fn same_real_and_whole(real: f64, whole: &Value, rules: &Rules) -> Option<Strategy> {
    let same = match whole {
        Value::Int(whole) if whole.abs() < 1_000_000_000_000_000 => {
            rules.tolerance.admits(real, *whole as f64)
        }
        Value::Int(whole) => whole_of(real) == Some(BigInt::from(*whole)),
        Value::BigInt(whole) => whole_of(real).as_ref() == Some(whole),
        _ => false,
    };
    same.then_some(Strategy::Numeric)
}

/// The double nearest to a whole number; infinite where it is larger than any.
pub(crate) fn nearest_double(whole: &BigInt) -> f64 {
    const MOST_BITS: u64 = 1100;
    if whole.bits() <= MOST_BITS {
        return whole.to_string().parse().unwrap_or(f64::NAN);
    }
    match whole.sign() {
        Sign::Minus => f64::NEG_INFINITY,
        _ => f64::INFINITY,
    }
}

/// The whole number that a real is exactly.
pub(crate) fn whole_of(real: f64) -> Option<BigInt> {
    if !real.is_finite() || real.fract() != 0.0 {
        return None;
    }
    // Rust prints a whole double with all its digits.
    format!("{real:.0}").parse().ok()
}

/// Whether the values are the same in kind and content; NaN is itself, sets and dicts have no order.
pub(crate) fn same_exactly(left: &Value, right: &Value) -> bool {
    walk(left, right, &STRICT).is_ok_and(|level| level == Strategy::Exact)
}

/// The first difference under the strictest rules; that of the whole values where those tell none.
pub(crate) fn difference(expected: &Value, actual: &Value) -> Difference {
    walk(expected, actual, &STRICT)
        .err()
        .unwrap_or_else(|| Mismatch::of(expected, actual))
        .describe()
}

/// Nothing admitted.
const STRICT: Rules = Rules {
    tolerance: Tolerance::Unstated,
    rounding: false,
    case: Case::Strict,
    order: Order::Kept,
    nodes: false,
};

/// The level at which the items pair up, each with one of the other side, whatever their order.
///
/// Items with equal keys go first; what is left is sorted by content and paired in that order.
pub(crate) fn matched(left: &[Value], right: &[Value], rules: &Rules) -> Option<Strategy> {
    if left.len() != right.len() {
        return None;
    }
    let (left, right) = left_over(left, right);
    let mut level = Strategy::Exact;
    for (left, right) in left.iter().zip(&right) {
        level = level.max(walk(left, right, rules).ok()?);
    }
    (left.len() == right.len()).then_some(level)
}

fn left_over<'a>(left: &'a [Value], right: &'a [Value]) -> (Vec<&'a Value>, Vec<&'a Value>) {
    let mut open: HashMap<Vec<u8>, Vec<&Value>> = HashMap::new();
    for item in left {
        open.entry(key(item)).or_default().push(item);
    }
    let mut only_right: Vec<&Value> = right
        .iter()
        .filter(|item| open.get_mut(&key(item)).and_then(Vec::pop).is_none())
        .collect();
    let mut only_left: Vec<&Value> = open.into_values().flatten().collect();
    only_left.sort_by(|left, right| order(left, right));
    only_right.sort_by(|left, right| order(left, right));
    (only_left, only_right)
}

/// The items of an ordered value.
pub(crate) fn items(value: &Value) -> Option<&[Value]> {
    match value {
        Value::List(items)
        | Value::Tuple(items)
        | Value::Array(items)
        | Value::ListNode(items)
        | Value::TreeNode(items) => Some(items),
        _ => None,
    }
}

/// A value as Python prints it, near enough to be recognised.
pub(crate) fn show(value: &Value) -> String {
    let list = |open: &str, items: &[Value], close: &str| {
        // What is shown is capped, so the tail of a long list need not be printed.
        let shown: Vec<String> = items.iter().take(40).map(show).collect();
        format!("{open}{}{close}", shown.join(", "))
    };
    match value {
        Value::None => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Int(whole) => whole.to_string(),
        Value::BigInt(whole) if whole.bits() <= PRINTED_BITS => whole.to_string(),
        Value::BigInt(whole) => format!("an integer of {} bits", whole.bits()),
        Value::Float(real) if real.is_nan() => "nan".to_owned(),
        Value::Float(real) => format!("{real:?}"),
        Value::Complex(real, imaginary) => format!("({real}{imaginary:+}j)"),
        Value::Str(text) => format!("{:?}", super::difference::cap(text)),
        Value::Bytes(bytes) => format!("b\"{}\"", bytes[..bytes.len().min(80)].escape_ascii()),
        Value::List(items) => list("[", items, "]"),
        Value::Tuple(items) if items.len() == 1 => list("(", items, ",)"),
        Value::Tuple(items) => list("(", items, ")"),
        Value::Set(items) if items.is_empty() => "set()".to_owned(),
        Value::Set(items) => list("{", items, "}"),
        Value::Array(items) => list("array([", items, "])"),
        Value::ListNode(items) => list("ListNode([", items, "])"),
        Value::TreeNode(items) => list("TreeNode([", items, "])"),
        Value::Dict(entries) => {
            let shown = entries
                .iter()
                .take(40)
                .map(|(name, value)| format!("{}: {}", show(name), show(value)));
            format!("{{{}}}", shown.collect::<Vec<_>>().join(", "))
        }
    }
}
