//! Dicts have no order; a key may be the string that JSON makes of it.

use std::collections::{HashMap, HashSet};

use num_bigint::BigInt;

use super::show::ValueMismatch;
use crate::Value;
use crate::compare::hash::Key;
use crate::compare::strategy::Strategy;

/// The longest text that may be a whole number as JSON writes it for a key.
const LONGEST_KEY: usize = 1000;

/// The strictest strategy under which both dicts hold the same; `within` compares two values.
pub(super) fn same(
    left: &[(Value, Value)],
    right: &[(Value, Value)],
    within: impl Fn(&Value, &Value) -> Result<Strategy, ValueMismatch>,
) -> Result<Strategy, ValueMismatch> {
    let key = Key::draw();
    let index: HashMap<u64, &Value> = right
        .iter()
        .map(|(name, value)| (key.value(name), value))
        .collect();
    let mut level = Strategy::Exact;
    for (name, wanted) in left {
        let Some((found, floor)) = find(name, &index, &key) else {
            return Err(ValueMismatch::one_sided(Some(wanted), None).under(name));
        };
        let needed = within(wanted, found).map_err(|mismatch| mismatch.under(name))?;
        level = level.max(needed).max(floor);
    }
    if left.len() == right.len() {
        return Ok(level);
    }
    Err(extra(left, right, &key))
}

/// The value of that key, or of the key that JSON writes so.
fn find<'a>(
    name: &Value,
    index: &HashMap<u64, &'a Value>,
    key: &Key,
) -> Option<(&'a Value, Strategy)> {
    if let Some(found) = index.get(&key.value(name)) {
        return Some((found, Strategy::Exact));
    }
    let meant = from_json(name)?;
    let found = index.get(&key.value(&meant))?;
    Some((found, Strategy::Typed))
}

/// The key that is no string and that JSON writes as this string.
fn from_json(name: &Value) -> Option<Value> {
    let Value::Str(text) = name else { return None };
    let plain = match text.as_str() {
        "null" => return Some(Value::None),
        "true" => return Some(Value::Bool(true)),
        "false" => return Some(Value::Bool(false)),
        text => text,
    };
    let whole = (plain.len() <= LONGEST_KEY)
        .then(|| plain.parse::<BigInt>().ok())
        .flatten()
        .filter(|whole| whole.to_string() == plain);
    let real = || plain.parse::<f64>().ok();
    match whole {
        Some(whole) => Some(whole.into()),
        None => real()
            .filter(|real| format!("{real:?}") == plain)
            .map(Value::Float),
    }
}

/// What only the actual dict holds.
fn extra(left: &[(Value, Value)], right: &[(Value, Value)], key: &Key) -> ValueMismatch {
    let names = left.iter().map(|(name, _)| name);
    let known: HashSet<u64> = names
        .clone()
        .map(|name| key.value(name))
        .chain(names.filter_map(from_json).map(|meant| key.value(&meant)))
        .collect();
    let unknown = right
        .iter()
        .find(|(name, _)| !known.contains(&key.value(name)));
    match unknown.or(right.last()) {
        Some((name, value)) => ValueMismatch::one_sided(None, Some(value)).under(name),
        None => ValueMismatch::one_sided(None, Some(&Value::Dict(Vec::new()))),
    }
}
