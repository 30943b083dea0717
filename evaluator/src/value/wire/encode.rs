//! Values on their way into a box, written straight to text: a tree of JSON between would take several times its size.

use num_bigint::{BigInt, Sign};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::value::Value;
use crate::value::budget::SAFE_INT;

/// The JSON text of positional arguments.
pub(crate) fn encode_arguments(arguments: &[Value]) -> String {
    serde_json::to_string(&WireItems(arguments)).expect("plain data has only string keys")
}

/// A value in the form that the box reads.
struct WireValue<'a>(&'a Value);

/// Values side by side.
struct WireItems<'a>(&'a [Value]);

/// A dict's keys and values, as a list of pairs: keys need not be strings.
struct WirePairs<'a>(&'a [(Value, Value)]);

impl Serialize for WireValue<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::None => out.serialize_unit(),
            Value::Bool(truth) => out.serialize_bool(*truth),
            Value::Int(whole) if (-SAFE_INT < *whole) && (*whole < SAFE_INT) => {
                out.serialize_i64(*whole)
            }
            Value::Int(whole) => tagged(out, "int", &hex(&BigInt::from(*whole))),
            Value::BigInt(whole) => tagged(out, "int", &hex(whole)),
            Value::Float(real) if real.is_finite() => out.serialize_f64(*real),
            Value::Float(real) => tagged(out, "float", &python_float(*real)),
            Value::Complex(re, im) => {
                tagged(out, "complex", &[python_float(*re), python_float(*im)])
            }
            Value::Str(text) => out.serialize_str(text),
            Value::Bytes(bytes) => tagged(out, "bytes", &hex_pairs(bytes)),
            Value::List(items) | Value::Array(items) => WireItems(items).serialize(out),
            Value::Tuple(items) => tagged(out, "tuple", &WireItems(items)),
            Value::Set(items) => tagged(out, "set", &WireItems(items)),
            Value::Dict(pairs) => tagged(out, "dict", &WirePairs(pairs)),
            Value::ListNode(items) => tagged(out, "ListNode", &WireItems(items)),
            Value::TreeNode(items) => tagged(out, "TreeNode", &WireItems(items)),
        }
    }
}

impl Serialize for WireItems<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut list = out.serialize_seq(Some(self.0.len()))?;
        for item in self.0 {
            list.serialize_element(&WireValue(item))?;
        }
        list.end()
    }
}

impl Serialize for WirePairs<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut list = out.serialize_seq(Some(self.0.len()))?;
        for (key, value) in self.0 {
            list.serialize_element(&[WireValue(key), WireValue(value)])?;
        }
        list.end()
    }
}

fn tagged<S: Serializer>(
    out: S,
    kind: &'static str,
    content: &impl Serialize,
) -> Result<S::Ok, S::Error> {
    let mut object = out.serialize_map(Some(1))?;
    object.serialize_entry(kind, content)?;
    object.end()
}

/// In base 16, which both sides read and write in linear time.
fn hex(number: &BigInt) -> String {
    let sign = if number.sign() == Sign::Minus {
        "-"
    } else {
        ""
    };
    format!("{sign}0x{}", number.magnitude().to_str_radix(16))
}

fn hex_pairs(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// As Python's `float` reads it.
fn python_float(real: f64) -> String {
    if real.is_nan() {
        "nan".into()
    } else {
        format!("{real:?}")
    }
}
