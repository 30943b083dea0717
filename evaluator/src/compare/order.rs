//! An order of all values in which those that convert into each other, or differ within a tolerance, stand side by side.
//!
//! Decides nothing: what stands in the same place of two sorted lists is compared as values.

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::VecDeque;

use ordered_float::OrderedFloat;

use super::real::nearest_double;
use super::strategy::Strategy;
use crate::Value;

/// So far from its place a partner is looked for.
const NEAR: usize = 16;

/// A value's place among others; made once for each value, since the items of sets and dicts have to be sorted first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place<'a> {
    None,
    Bool(bool),
    Number(OrderedFloat<f64>),
    Complex(OrderedFloat<f64>, OrderedFloat<f64>),
    Str(Folded<'a>),
    Bytes(&'a [u8]),
    Items(Vec<Place<'a>>),
    Set(Vec<Place<'a>>),
    Dict(Vec<(Place<'a>, Place<'a>)>),
}

/// A text, ordered by its letters first and by their case only where those are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Folded<'a>(pub(crate) &'a [u8]);

impl Ord for Folded<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let lower = u8::to_ascii_lowercase;
        let (left, right) = (self.0, other.0);
        let letters = left.iter().map(lower).cmp(right.iter().map(lower));
        letters.then_with(|| left.cmp(right))
    }
}

impl PartialOrd for Folded<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<'a> Place<'a> {
    /// The place of a value.
    pub(crate) fn of(value: &'a Value) -> Place<'a> {
        let items = |items: &'a [Value]| items.iter().map(Place::of).collect::<Vec<_>>();
        match value {
            Value::None => Place::None,
            Value::Bool(truth) => Place::Bool(*truth),
            Value::Int(whole) => Place::Number(OrderedFloat(*whole as f64)),
            Value::BigInt(whole) => Place::Number(OrderedFloat(nearest_double(whole))),
            Value::Float(real) => Place::Number(OrderedFloat(*real)),
            Value::Complex(re, im) => Place::Complex(OrderedFloat(*re), OrderedFloat(*im)),
            Value::Str(text) => Place::Str(Folded(text.as_bytes())),
            Value::Bytes(bytes) => Place::Bytes(bytes),
            Value::List(all)
            | Value::Tuple(all)
            | Value::Array(all)
            | Value::ListNode(all)
            | Value::TreeNode(all) => Place::Items(items(all)),
            Value::Set(all) => Place::Set(sorted(items(all))),
            Value::Dict(pairs) => Place::Dict(sorted(
                pairs
                    .iter()
                    .map(|(name, value)| (Place::of(name), Place::of(value)))
                    .collect(),
            )),
        }
    }
}

/// The values by their places.
pub(crate) fn by_place(values: Vec<&Value>) -> Vec<&Value> {
    if values.len() < 2 {
        return values;
    }
    let mut placed: Vec<(Place<'_>, &Value)> = values
        .into_iter()
        .map(|value| (Place::of(value), value))
        .collect();
    // Stable, so that values of one place keep their order, and two lists that were sorted alike stay alike.
    placed.sort_by(|left, right| left.0.cmp(&right.0));
    placed.into_iter().map(|(_, value)| value).collect()
}

thread_local! {
    /// Whether items are compared that are being paired up.
    static IS_WITHIN: Cell<bool> = const { Cell::new(false) };
}

/// The strictest strategy by which the items of two lists pair up that are sorted alike; `same` compares two of them.
///
/// What is nearly in one place, by a real that may be off, need not stand in the same order on both sides; within an
/// item that is paired up itself it has to, as the tries of one would be made for each try of the other.
pub(crate) fn pair_up<T: Copy>(
    left: impl IntoIterator<Item = T>,
    right: impl IntoIterator<Item = T>,
    same: impl Fn(T, T) -> Option<Strategy>,
) -> Option<Strategy> {
    let was_within = IS_WITHIN.replace(true);
    let level = pair_up_near(left, right, same, if was_within { 1 } else { NEAR });
    IS_WITHIN.set(was_within);
    level
}

fn pair_up_near<T: Copy>(
    left: impl IntoIterator<Item = T>,
    right: impl IntoIterator<Item = T>,
    same: impl Fn(T, T) -> Option<Strategy>,
    near: usize,
) -> Option<Strategy> {
    let mut right = right.into_iter();
    let mut passed_over = VecDeque::new();
    let mut level = Strategy::Exact;
    for wanted in left {
        let mut found = None;
        for at in 0..near {
            if at == passed_over.len() {
                passed_over.extend(right.next());
            }
            found = same(wanted, *passed_over.get(at)?);
            if found.is_some() {
                passed_over.remove(at);
                break;
            }
        }
        level = level.max(found?);
    }
    Some(level)
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items
}
