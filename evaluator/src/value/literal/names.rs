//! Names in a literal: constants, and the calls that `repr` writes.

use crate::Value;

/// The value of a name that stands for itself, in Python, JSON and numpy.
pub(crate) fn constant(name: &str) -> Option<Value> {
    Some(match name {
        "None" | "null" => Value::None,
        "True" | "true" | "np.True_" => Value::Bool(true),
        "False" | "false" | "np.False_" => Value::Bool(false),
        "nan" | "NaN" | "np.nan" => Value::Float(f64::NAN),
        "inf" | "Infinity" | "np.inf" => Value::Float(f64::INFINITY),
        _ => return None,
    })
}

/// What a known constructor makes of its arguments.
pub(super) fn call(name: &str, mut arguments: Vec<Value>) -> Option<Value> {
    let argument = match arguments.len() {
        0 => None,
        1 => arguments.pop(),
        _ => return None,
    };
    let short = name
        .strip_prefix("np.")
        .or_else(|| name.strip_prefix("numpy."))
        .or_else(|| name.strip_prefix("collections."))
        .unwrap_or(name);
    match (short, argument) {
        ("set" | "frozenset", argument) => argument.map_or(Some(Vec::new()), items).map(Value::Set),
        ("deque" | "list", argument) => argument.map_or(Some(Vec::new()), items).map(Value::List),
        ("tuple", argument) => argument.map_or(Some(Vec::new()), items).map(Value::Tuple),
        ("array", Some(argument)) => items(argument).map(Value::Array),
        ("dict" | "Counter" | "OrderedDict", None) => Some(Value::Dict(Vec::new())),
        ("dict" | "Counter" | "OrderedDict", Some(argument)) => entries(argument).map(Value::Dict),
        ("float", Some(Value::Str(text))) => real(&text),
        ("bytearray", Some(Value::Bytes(bytes))) => Some(Value::Bytes(bytes)),
        ("bytearray", None) => Some(Value::Bytes(Vec::new())),
        ("bool_" | "bool", Some(Value::Bool(truth))) => Some(Value::Bool(truth)),
        ("str_", Some(Value::Str(text))) => Some(Value::Str(text)),
        (scalar, Some(argument)) if numpy_scalar(scalar) => match argument {
            Value::Int(_) | Value::BigInt(_) | Value::Float(_) | Value::Complex(..) => {
                Some(argument)
            }
            _ => None,
        },
        _ => None,
    }
}

fn numpy_scalar(name: &str) -> bool {
    let kind = name.trim_end_matches(|c: char| c.is_ascii_digit());
    kind.len() < name.len() && matches!(kind, "int" | "uint" | "float" | "complex")
}

fn items(value: Value) -> Option<Vec<Value>> {
    match value {
        Value::List(items) | Value::Tuple(items) | Value::Set(items) | Value::Array(items) => {
            Some(items)
        }
        _ => None,
    }
}

fn entries(value: Value) -> Option<Vec<(Value, Value)>> {
    match value {
        Value::Dict(entries) => Some(entries),
        Value::List(pairs) => pairs.into_iter().map(pair).collect(),
        _ => None,
    }
}

fn pair(value: Value) -> Option<(Value, Value)> {
    match <[Value; 2]>::try_from(items(value)?) {
        Ok([key, value]) => Some((key, value)),
        Err(_) => None,
    }
}

/// `float('nan')` and its kin, as they stand in hand-written tests.
fn real(text: &str) -> Option<Value> {
    let number: f64 = text.trim().parse().ok()?;
    Some(Value::Float(number))
}
