//! Plain data as Python writes it.

use evaluator::Value;
use serde_json::json;

/// The literal of a value; `None` of what has none, such as an array of numpy.
pub fn literal(value: &Value) -> Option<String> {
    Some(match value {
        Value::None => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Int(whole) => whole.to_string(),
        Value::BigInt(whole) => whole.to_string(),
        Value::Float(real) if real.is_finite() => format!("{real:?}"),
        // JSON escapes no character in a way that Python reads otherwise.
        Value::Str(text) => json!(text).to_string(),
        Value::List(items) => format!("[{}]", literals(items)?),
        Value::Tuple(items) if items.len() == 1 => format!("({},)", literals(items)?),
        Value::Tuple(items) => format!("({})", literals(items)?),
        Value::Set(items) if items.is_empty() => "set()".to_owned(),
        Value::Set(items) => format!("{{{}}}", literals(items)?),
        Value::Dict(pairs) => format!("{{{}}}", entries(pairs)?),
        _ => return None,
    })
}

fn literals(items: &[Value]) -> Option<String> {
    let items: Option<Vec<String>> = items.iter().map(literal).collect();
    Some(items?.join(", "))
}

fn entries(pairs: &[(Value, Value)]) -> Option<String> {
    let entry = |(key, value): &(Value, Value)| {
        let (key, value) = (literal(key)?, literal(value)?);
        Some(format!("{key}: {value}"))
    };
    let entries: Option<Vec<String>> = pairs.iter().map(entry).collect();
    Some(entries?.join(", "))
}
