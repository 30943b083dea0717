//! Values as the JSON that crosses the border of a box; `python/data.py` is the other end.

use std::cell::Cell;
use std::fmt;

use num_bigint::BigInt;
use num_bigint::Sign;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Value as Json, json};

use super::{Returned, Value};

/// Below it every whole number has an exact double, which is what many readers of JSON make of one.
const SAFE_INT: i64 = 1 << 53;

/// The JSON text of positional arguments.
pub fn encode_arguments(arguments: &[Value]) -> String {
    encode_all(arguments).to_string()
}

/// The JSON of a value.
fn encode(value: &Value) -> Json {
    match value {
        Value::None => Json::Null,
        Value::Bool(b) => json!(b),
        Value::Int(i) if (-SAFE_INT < *i) && (*i < SAFE_INT) => json!(i),
        Value::Int(i) => json!({ "int": hex(&BigInt::from(*i)) }),
        Value::BigInt(i) => json!({ "int": hex(i) }),
        Value::Float(x) if x.is_finite() => json!(x),
        Value::Float(x) => json!({ "float": python_float(*x) }),
        Value::Complex(re, im) => json!({ "complex": [python_float(*re), python_float(*im)] }),
        Value::Str(s) => json!(s),
        Value::Bytes(b) => {
            json!({ "bytes": b.iter().map(|byte| format!("{byte:02x}")).collect::<String>() })
        }
        Value::List(items) | Value::Array(items) => encode_all(items),
        Value::Tuple(items) => json!({ "tuple": encode_all(items) }),
        Value::Set(items) => json!({ "set": encode_all(items) }),
        Value::Dict(pairs) => {
            let pairs: Vec<Json> = pairs
                .iter()
                .map(|(key, value)| json!([encode(key), encode(value)]))
                .collect();
            json!({ "dict": pairs })
        }
        Value::ListNode(items) => json!({ "ListNode": encode_all(items) }),
        Value::TreeNode(items) => json!({ "TreeNode": encode_all(items) }),
    }
}

fn encode_all(items: &[Value]) -> Json {
    Json::Array(items.iter().map(encode).collect())
}

fn hex(number: &BigInt) -> String {
    let sign = if number.sign() == Sign::Minus {
        "-"
    } else {
        ""
    };
    format!("{sign}0x{}", number.magnitude().to_str_radix(16))
}

fn python_float(x: f64) -> String {
    if x.is_nan() {
        "nan".into()
    } else {
        format!("{x:?}")
    }
}

/// How many values a result may hold in all, as in `python/data.py`. A range is written in a few bytes and stands for
/// all of its numbers, so it is this, not the size of the text, that bounds what the supervisor holds.
const MAX_ITEMS: usize = 20_000_000;

/// How many bytes of the reason for a refusal are passed on: a box may write anything.
const LONGEST_REASON: usize = 2000;

/// What a boxed process wrote as its result; `None` if it is not in the form that the box writes.
pub fn returned(bytes: &[u8]) -> Option<Returned> {
    let budget = Budget(Cell::new(MAX_ITEMS));
    let mut text = serde_json::Deserializer::from_slice(bytes);
    let message = text.deserialize_map(Message(&budget));
    match message {
        Ok(message) if text.end().is_ok() => message,
        Err(_) if budget.0.get() == 0 => {
            let why = format!("a value of more than {MAX_ITEMS} items");
            Some(Returned::Refused(why))
        }
        _ => None,
    }
}

/// How many more values may be made; at zero no more.
struct Budget(Cell<usize>);

impl Budget {
    fn spend<E: Error>(&self, values: usize) -> Result<(), E> {
        self.0.set(self.0.get().saturating_sub(values));
        match self.0.get() {
            0 => Err(E::custom("too many values")),
            _ => Ok(()),
        }
    }
}

/// Reads the object with a `value` or the reason why it was refused.
struct Message<'a>(&'a Budget);

impl<'de> Visitor<'de> for Message<'_> {
    type Value = Option<Returned>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a result")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut returned = None;
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "refused" => {
                    let mut why: String = map.next_value()?;
                    why.truncate(why.floor_char_boundary(LONGEST_REASON));
                    return Ok(Some(Returned::Refused(why)));
                }
                "value" => returned = Some(Returned::Value(map.next_value_seed(One(self.0))?)),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(returned)
    }
}

/// Reads one value in the form that the box writes, straight from the text: a tree of JSON takes many times its size.
#[derive(Clone, Copy)]
struct One<'a>(&'a Budget);

impl<'de> DeserializeSeed<'de> for One<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, text: D) -> Result<Value, D::Error> {
        text.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for One<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("plain data")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::None)
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Int(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(BigInt::from(number).into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Float(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Str(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self)? {
            self.0.spend(1)?;
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let unknown = || A::Error::custom("an object that names no kind of value");
        let kind = map.next_key::<String>()?.ok_or_else(unknown)?;
        let content = map.next_value_seed(self)?;
        if map.next_key::<IgnoredAny>()?.is_some() {
            return Err(unknown());
        }
        if kind == "range" {
            self.0.spend(range_length(&content).ok_or_else(unknown)?)?;
        }
        tagged(&kind, content).ok_or_else(unknown)
    }
}

/// The value that `content` is by the name of its kind.
fn tagged(kind: &str, content: Value) -> Option<Value> {
    match (kind, content) {
        ("range", content) => range(&content),
        ("int", Value::Str(text)) => Some(parse_hex(&text)?.into()),
        ("float", Value::Str(text)) => Some(Value::Float(text.parse().ok()?)),
        ("bytes", Value::Str(text)) => Some(Value::Bytes(parse_bytes(&text)?)),
        (kind, Value::List(items)) => tagged_items(kind, items),
        _ => None,
    }
}

fn tagged_items(kind: &str, mut items: Vec<Value>) -> Option<Value> {
    Some(match kind {
        "tuple" => Value::Tuple(items),
        "set" | "frozenset" => Value::Set(items),
        "deque" | "iterator" => Value::List(items),
        "ListNode" => Value::ListNode(items),
        "TreeNode" => Value::TreeNode(items),
        "dict" => Value::Dict(items.into_iter().map(pair).collect::<Option<_>>()?),
        "complex" => Value::Complex(real(items.first()?)?, real(items.get(1)?)?),
        "ndarray" if items.len() == 2 => match items.pop()? {
            Value::List(items) => Value::Array(items),
            scalar => scalar,
        },
        _ => return None,
    })
}

fn pair(item: Value) -> Option<(Value, Value)> {
    let Value::List(items) = item else {
        return None;
    };
    <[Value; 2]>::try_from(items)
        .ok()
        .map(<(Value, Value)>::from)
}

fn real(value: &Value) -> Option<f64> {
    match value {
        Value::Str(text) => text.parse().ok(),
        _ => None,
    }
}

fn parse_hex(text: &str) -> Option<BigInt> {
    let (sign, digits) = text
        .strip_prefix('-')
        .map_or((Sign::Plus, text), |rest| (Sign::Minus, rest));
    let magnitude = num_bigint::BigUint::parse_bytes(digits.strip_prefix("0x")?.as_bytes(), 16)?;
    Some(BigInt::from_biguint(sign, magnitude))
}

fn parse_bytes(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    if rest.is_empty() {
        pairs.iter().map(byte).collect()
    } else {
        None
    }
}

/// Start, stop and step of a `range`.
fn range_parts(content: &Value) -> Option<[i64; 3]> {
    let Value::List(parts) = content else {
        return None;
    };
    let part = |at: usize| match parts.get(at)? {
        Value::Str(text) => i64::try_from(&parse_hex(text)?).ok(),
        _ => None,
    };
    Some([part(0)?, part(1)?, part(2)?])
}

/// How many numbers a `range` stands for.
fn range_length(content: &Value) -> Option<usize> {
    let [start, stop, step] = range_parts(content)?.map(i128::from);
    let span = if step > 0 { stop - start } else { start - stop };
    let length = span
        .max(0)
        .checked_add(step.abs() - 1)?
        .checked_div(step.abs())?;
    Some(usize::try_from(length).unwrap_or(usize::MAX))
}

/// A `range` as the list of its numbers.
fn range(content: &Value) -> Option<Value> {
    let [start, _, step] = range_parts(content)?;
    let numbers = std::iter::successors(Some(start), |at| at.checked_add(step));
    let numbers = numbers.take(range_length(content)?).map(Value::Int);
    Some(Value::List(numbers.collect()))
}
