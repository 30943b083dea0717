//! The same items in any order, each as often.

use super::walk::walk;
use super::{dict, pairing};
use crate::Value;
use crate::compare::hash::Key;
use crate::compare::rules::{Nested, Order, Rules};
use crate::compare::strategy::Strategy;

/// Whether the evidence lets the items of these values move, and they are the same then.
pub(super) fn same(expected: &Value, actual: &Value, rules: &Rules) -> bool {
    if is_within(expected, rules) {
        return !may_be_items(expected, rules) && same_within(expected, actual, rules).is_some();
    }
    let (Some(left), Some(right)) = (movable(expected), movable(actual)) else {
        return false;
    };
    match rules.order {
        Order::Kept | Order::OnLine(_) => false,
        Order::Declared => matched(left, right, rules).is_some(),
        Order::Stated { compound: true, .. } if left.iter().all(is_number) => false,
        Order::Stated { groups, .. } => {
            let (left, right) = match behind_head(left, right, rules) {
                Some(rest) => rest,
                None => return false,
            };
            alike(left)
                && (matched(left, right, rules).is_some() || groups && same_groups(left, right))
        }
    }
}

/// Whether two printed lists hold the same items; the order was found to be free, and nothing converts.
pub(crate) fn same_items_in_any_order(expected: &Value, actual: &Value, rules: &Rules) -> bool {
    if is_within(expected, rules) {
        let same = || same_within(expected, actual, rules) == Some(Strategy::Exact);
        return !may_be_items(expected, rules) && same();
    }
    let (Some(left), Some(right)) = (movable(expected), movable(actual)) else {
        return false;
    };
    let Some((left, right)) = behind_head(left, right, rules) else {
        return false;
    };
    let groups = matches!(rules.order, Order::Stated { groups: true, .. });
    matched(left, right, rules) == Some(Strategy::Exact) || groups && same_groups(left, right)
}

/// Whether what may move stands in the items of this value.
fn is_within(expected: &Value, rules: &Rules) -> bool {
    match rules.order {
        Order::Stated {
            within,
            numbers,
            nested,
            each,
            ..
        } => within || each || numbers && nested != Nested::Items && holds_lists(expected),
        _ => false,
    }
}

/// Whether all items of a value are lists.
fn holds_lists(value: &Value) -> bool {
    movable(value).is_some_and(|items| items.iter().all(|item| movable(item).is_some()))
}

/// Whether lists of numbers, or the like, may be items of several that move as wholes.
fn may_be_items(expected: &Value, rules: &Rules) -> bool {
    let (
        Order::Stated {
            numbers: true,
            within: false,
            each: false,
            nested,
            ..
        },
        Some(items),
    ) = (
        rules.order,
        movable(expected).filter(|_| holds_lists(expected)),
    )
    else {
        return false;
    };
    let widths = items.iter().filter_map(movable).map(<[Value]>::len);
    !nested.frees_within(widths)
}

/// The strictest strategy under which the items of both are the same one by one, where what stands in each may move; and so
/// may numbers that stand in none.
fn same_within(expected: &Value, actual: &Value, rules: &Rules) -> Option<Strategy> {
    let same = |wanted: &Value, found: &Value| {
        let inner = movable(wanted).zip(movable(found));
        let moved = inner.and_then(|(wanted, found)| {
            let (wanted, found) = behind_head(wanted, found, rules)?;
            matched(wanted, found, rules)
        });
        moved.map_or_else(|| walk(wanted, found, rules), Ok)
    };
    if let (Value::Dict(left), Value::Dict(right)) = (expected, actual) {
        return dict::same(left, right, same).ok();
    }
    let (left, right) = movable(expected).zip(movable(actual))?;
    if left.iter().all(is_number) {
        return same(expected, actual).ok();
    }
    let mut level = Strategy::Exact;
    for (wanted, found) in left.iter().zip(right) {
        level = level.max(same(wanted, found).ok()?);
    }
    (left.len() == right.len()).then_some(level)
}

fn is_number(item: &Value) -> bool {
    matches!(item, Value::Int(_) | Value::BigInt(_) | Value::Float(_))
}

/// What may move: all but a first item that the statement puts before the others, if that is the same.
fn behind_head<'a>(
    left: &'a [Value],
    right: &'a [Value],
    rules: &Rules,
) -> Option<(&'a [Value], &'a [Value])> {
    if !matches!(rules.order, Order::Stated { leads: true, .. }) {
        return Some((left, right));
    }
    let ((wanted, left), (found, right)) = left.split_first().zip(right.split_first())?;
    walk(wanted, found, rules).ok().map(|_| (left, right))
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

fn matched(left: &[Value], right: &[Value], rules: &Rules) -> Option<Strategy> {
    pairing::same(left, right, |left, right| walk(left, right, rules))
}

/// Whether both hold the same groups, neither of which has an order, nor have the items within a group.
fn same_groups(left: &[Value], right: &[Value]) -> bool {
    let key = Key::draw();
    let sum = |groups: &[Value]| -> Option<u64> {
        groups.iter().try_fold(0u64, |sum, group| {
            let items = movable(group)?;
            let group = key.numbers(&[items.len() as u64, key.sum(items)]);
            Some(sum.wrapping_add(group))
        })
    };
    left.len() == right.len() && sum(left).is_some_and(|wanted| sum(right) == Some(wanted))
}
