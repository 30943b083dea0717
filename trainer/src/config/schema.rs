//! The JSON schema of a configuration: its types and comments, its defaults, and the bounds that [`Config::validate`] keeps.

use std::ops::Bound;

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::Config;
use super::validate::{Number, numbers};
use crate::algorithm::context::LengthStage;
use crate::algorithm::temperature::TemperatureStage;

/// The schema, for editors and for [`super::describe`].
///
/// # Panics
/// If a bound is of no setting, which a test rules out.
pub fn schema() -> Value {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<Config>();
    let mut schema = schema.to_value();
    let defaults =
        serde_json::to_value(Config::default()).expect("a configuration has a form in JSON");
    settle(&mut schema, &defaults);
    for number in numbers(&complete()) {
        let keys: Vec<&str> = number.key.split('.').collect();
        let bounded = bound(&mut schema, &keys, &number);
        assert!(bounded, "there is no number {}", number.key);
    }
    schema
}

/// Writes each setting's default to it: those of a type do not hold where a section that contains it has its own.
fn settle(node: &mut Value, default: &Value) {
    let Some(node) = node.as_object_mut() else {
        return;
    };
    if let Some(Value::Object(settings)) = node.get_mut("properties") {
        settings
            .iter_mut()
            .for_each(|(key, below)| settle(below, &default[key]));
        node.remove("default");
    } else if !default.is_null() {
        node.insert("default".to_owned(), default.clone());
    }
}

/// A configuration in which every number stands that may be there.
fn complete() -> Config {
    let mut config = Config::default();
    config.rollout.stages = vec![LengthStage { step: 0, tokens: 1 }];
    config.temperature.stages = vec![TemperatureStage {
        step: 0,
        value: 1.0,
    }];
    config.loss.dual_clip = Some(3.0);
    config
}

/// Writes a number's bounds to where its keys lead, through lists and alternatives; false where they lead to no number.
fn bound(node: &mut Value, keys: &[&str], number: &Number) -> bool {
    if let Some(items) = node.get_mut("items") {
        return bound(items, keys, number);
    }
    if let Some(alternatives) = node.get_mut("anyOf").and_then(Value::as_array_mut) {
        let bounded = alternatives.iter_mut().map(|one| bound(one, keys, number));
        return bounded.fold(false, |any, one| any | one);
    }
    match keys.split_first() {
        Some((key, rest)) => {
            let below = node.pointer_mut(&format!("/properties/{key}"));
            below.is_some_and(|below| bound(below, rest, number))
        }
        None => is_number(node) && write(node, number),
    }
}

fn is_number(node: &Value) -> bool {
    let names = ["number", "integer"];
    match &node["type"] {
        Value::String(name) => names.contains(&name.as_str()),
        Value::Array(any) => any
            .iter()
            .any(|name| names.iter().any(|known| name == known)),
        _ => false,
    }
}

fn write(node: &mut Value, number: &Number) -> bool {
    let bounds = [
        (number.least, "minimum", "exclusiveMinimum"),
        (number.most, "maximum", "exclusiveMaximum"),
    ];
    let whole = node["type"] == "integer";
    for (bound, with, without) in bounds {
        let (keyword, value) = match bound {
            Bound::Included(value) => (with, value),
            Bound::Excluded(value) => (without, value),
            Bound::Unbounded => continue,
        };
        node[keyword] = if whole {
            json!(value as u64)
        } else {
            json!(value)
        };
    }
    true
}
