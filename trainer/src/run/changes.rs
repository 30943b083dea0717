//! Settings of a run that goes on which are not those it had.

use std::collections::BTreeSet;

use toml::{Table, Value};

/// Each setting that differs, with what it was and what it is: `loss.kl_beta: 0.0 -> 0.1`. Both are configurations as a
/// run's folder keeps them; of one that cannot be read all settings differ.
pub fn changes(before: &str, now: &str) -> Vec<String> {
    let read = |text: &str| text.parse::<Table>().unwrap_or_default();
    let mut found = Vec::new();
    compare("", &read(before), &read(now), &mut found);
    found
}

fn compare(within: &str, before: &Table, now: &Table, found: &mut Vec<String>) {
    let keys: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    for key in keys {
        let name = format!("{within}{key}");
        match (before.get(key), now.get(key)) {
            (Some(Value::Table(before)), Some(Value::Table(now))) => {
                compare(&format!("{name}."), before, now, found);
            }
            (before, now) if before != now => {
                found.push(format!("{name}: {} -> {}", shown(before), shown(now)));
            }
            _ => {}
        }
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or("none".to_owned(), Value::to_string)
}
