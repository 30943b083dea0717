//! Values of several things that a statement asks for one after the other, or lists of such values.

use super::items;
use crate::Value;
use crate::compare::evidence::Share;

/// Whether a value holds so many things, or each of its items does.
pub(crate) fn has_things(value: &Value, count: usize) -> bool {
    let Some(all) = items(value).filter(|all| !all.is_empty()) else {
        return false;
    };
    are_things(all, count)
        || all
            .iter()
            .all(|item| items(item).is_some_and(|item| are_things(item, count)))
}

fn are_things(all: &[Value], count: usize) -> bool {
    all.len() == count && all.iter().all(|item| items(item).is_none())
}

/// The actual value, with what is expected for those things of a share that are near it.
pub(crate) fn with_things(
    expected: &Value,
    actual: &Value,
    share: &Share,
    near: &impl Fn(&Value, &Value) -> bool,
) -> Value {
    let mut patched = actual.clone();
    let (Some(wanted), Some(found)) = (items(expected), items_mut(&mut patched)) else {
        return patched;
    };
    let is_record = are_things(wanted, share.of);
    for (at, (wanted, found)) in wanted.iter().zip(found).enumerate() {
        if !is_record {
            *found = with_things(wanted, found, share, near);
        } else if share.has(at) && near(wanted, found) {
            *found = wanted.clone();
        }
    }
    patched
}

fn items_mut(value: &mut Value) -> Option<&mut [Value]> {
    match value {
        Value::List(items) | Value::Tuple(items) | Value::Array(items) => Some(items),
        _ => None,
    }
}

/// How many reals a value holds.
pub(crate) fn reals_in(value: &Value) -> usize {
    match value {
        Value::Float(_) => 1,
        Value::Dict(entries) => entries.iter().map(|(_, value)| reals_in(value)).sum(),
        _ => items(value).map_or(0, |all| all.iter().map(reals_in).sum()),
    }
}
