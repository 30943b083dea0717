//! Items paired up whatever their order.

use super::show::ValueMismatch;
use crate::Value;
use crate::compare::hash::{Key, left_over};
use crate::compare::order::{by_place, pair_up};
use crate::compare::strategy::Strategy;

/// The strictest strategy by which the items pair up, each with one of the other side, whatever their order; `within`
/// compares two of them.
///
/// Equal items go first; what is left is sorted by content and paired in that order.
pub(super) fn same(
    left: &[Value],
    right: &[Value],
    within: impl Fn(&Value, &Value) -> Result<Strategy, ValueMismatch>,
) -> Option<Strategy> {
    if left.len() != right.len() {
        return None;
    }
    let key = Key::draw();
    if key.sum(left) == key.sum(right) {
        return Some(Strategy::Exact);
    }
    let (left, right) = left_over(hashed(left, &key), hashed(right, &key));
    pair_up(by_place(left), by_place(right), |left, right| {
        within(left, right).ok()
    })
}

fn hashed<'a>(items: &'a [Value], key: &Key) -> Vec<(u64, &'a Value)> {
    items.iter().map(|item| (key.value(item), item)).collect()
}
