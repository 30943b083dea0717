//! Two values, item by item.

use super::show::ValueMismatch;
use super::{dict, pairing, scalar};
use crate::Value;
use crate::compare::rules::Rules;
use crate::compare::strategy::Strategy;

/// The strictest admitted strategy under which the values are the same, item by item.
pub(super) fn walk(
    expected: &Value,
    actual: &Value,
    rules: &Rules,
) -> Result<Strategy, ValueMismatch> {
    use Value::{Array, Dict, List, ListNode, None, Set, TreeNode, Tuple};
    let within = |left: &Value, right: &Value| walk(left, right, rules);
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
        (Dict(left), Dict(right)) => dict::same(left, right, within),
        (Set(left), Set(right)) => {
            pairing::same(left, right, within).ok_or_else(|| ValueMismatch::of(expected, actual))
        }
        _ => {
            scalar::same(expected, actual, rules).ok_or_else(|| ValueMismatch::of(expected, actual))
        }
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
) -> Result<Strategy, ValueMismatch> {
    let mut level = floor;
    for (index, (left, right)) in left.iter().zip(right).enumerate() {
        let needed = walk(left, right, rules).map_err(|mismatch| mismatch.at(index))?;
        level = level.max(needed);
    }
    if left.len() == right.len() {
        return Ok(level);
    }
    let index = left.len().min(right.len());
    Err(ValueMismatch::one_sided(left.get(index), right.get(index)).at(index))
}
