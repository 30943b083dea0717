//! Two values that hold no others.

use num_bigint::BigInt;
use ordered_float::OrderedFloat;

use crate::Value;
use crate::compare::real::whole_of;
use crate::compare::rounding;
use crate::compare::rules::{Rules, Tolerated};
use crate::compare::strategy::Strategy;
use crate::compare::word_case::{self, Case};

/// Whole numbers from here on may have no exact double.
const EXACT_DOUBLES: i64 = 1 << 53;

/// Whole numbers from here on have more digits than a double is sure to keep.
const LONG: i64 = 1_000_000_000_000_000;

/// The strictest admitted strategy under which the values are the same.
pub(super) fn same(expected: &Value, actual: &Value, rules: &Rules) -> Option<Strategy> {
    match (expected, actual) {
        (Value::Str(left), Value::Str(right)) => same_strings(left, right, rules),
        (Value::Float(left), Value::Float(right)) => same_reals(*left, *right, rules),
        (Value::Float(left), Value::Int(_) | Value::BigInt(_)) => {
            same_real_and_whole(*left, actual, rules)
        }
        (Value::Int(left), Value::Float(right)) => same_whole_and_real(*left, *right, rules),
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
        && word_case::same_token(left.as_bytes(), right.as_bytes(), &rules.case);
    same.then_some(Strategy::WordCase)
}

fn same_reals(left: f64, right: f64, rules: &Rules) -> Option<Strategy> {
    if OrderedFloat(left) == OrderedFloat(right) {
        return Some(Strategy::Exact);
    }
    if rules.tolerance.admits(left, right) {
        return Some(Strategy::Numeric);
    }
    let [left, right] = [left, right].map(|number| format!("{number:?}"));
    let rounded = rounding::same_token(left.as_bytes(), right.as_bytes(), rules.rounding);
    rounded.then_some(Strategy::Rounding)
}

/// A whole number where a real is expected; a long one has to be exactly the real.
fn same_real_and_whole(real: f64, whole: &Value, rules: &Rules) -> Option<Strategy> {
    let same = match whole {
        Value::Int(whole) if whole.abs() < LONG => rules.tolerance.admits(real, *whole as f64),
        Value::Int(whole) => whole_of(real) == Some(BigInt::from(*whole)),
        Value::BigInt(whole) => whole_of(real).as_ref() == Some(whole),
        _ => false,
    };
    same.then_some(Strategy::Numeric)
}

/// A real where a whole number is expected: of exactly its value, unless a stated tolerance asks for nothing but reals.
fn same_whole_and_real(whole: i64, real: f64, rules: &Rules) -> Option<Strategy> {
    let asks_for_reals = match rules.tolerated {
        Tolerated::All => true,
        Tolerated::RealsWithWholes => !rules.whole,
        Tolerated::Reals | Tolerated::OneOfALine | Tolerated::One => false,
    };
    let near = rules.tolerance_stated()
        && asks_for_reals
        && whole.abs() < LONG
        && rules.tolerance.admits_for_whole(whole as f64, real);
    let exact = whole.abs() < EXACT_DOUBLES && whole as f64 == real;
    (near || exact).then_some(Strategy::Numeric)
}
