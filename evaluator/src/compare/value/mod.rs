//! Two values, as results of calls: the strictest strategy under which they are the same.
//!
//! JSON has lists and string keys only, so a tuple, an array or the values of a linked list or tree may stand for a list,
//! and `{1: x}` for `{"1": x}`. A bool is no number. A whole number and a real of exactly its value are the same, as for
//! Python and for JSON, which writes 2.0 as 2; there is a tolerance where a real is expected, or where the problem states
//! one and a real is returned. Sets and dicts have no order; lists have one, unless the evidence says otherwise.

mod dict;
mod pairing;
mod scalar;
mod show;
mod things;
mod unordered;
mod walk;

use super::difference::Difference;
use super::rules::Rules;
use super::strategy::Strategy;
use crate::Value;
use show::ValueMismatch;
use walk::walk;

pub(crate) use show::show;
pub(crate) use things::{has_things, reals_in, with_things};
pub(crate) use unordered::same_items_in_any_order;

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
    if unordered::same(expected, actual, rules) {
        return Ok(Strategy::Multiset);
    }
    match actual {
        Value::List(items) | Value::Tuple(items) if rules.list_of_one && items.len() == 1 => {
            let same = walk(expected, &items[0], rules);
            same.map_or(Err(difference), |level| Ok(level.max(Strategy::Typed)))
        }
        _ => Err(difference),
    }
}

/// Whether the values are the same in kind and content; NaN is itself, sets and dicts have no order.
pub(crate) fn same_exactly(left: &Value, right: &Value) -> bool {
    walk(left, right, &Rules::STRICT).is_ok_and(|level| level == Strategy::Exact)
}

/// The first difference under the strictest rules; that of the whole values where those tell none.
pub(crate) fn difference(expected: &Value, actual: &Value) -> Difference {
    walk(expected, actual, &Rules::STRICT)
        .err()
        .unwrap_or_else(|| ValueMismatch::of(expected, actual))
        .describe()
}

/// Whether a value holds no others.
pub(crate) fn is_single(value: &Value) -> bool {
    items(value).is_none() && !matches!(value, Value::Set(_) | Value::Dict(_))
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
