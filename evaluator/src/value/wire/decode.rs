//! Values on their way out of a box, read straight from the text: a tree of JSON takes many times its size.

use std::borrow::Cow;
use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::value::budget::{DataBudget, Exceeded};
use crate::value::{Returned, Value};

/// How many bytes of the reason for a refusal are passed on: a box may write anything.
const LONGEST_REASON: usize = 2000;

/// What a boxed process wrote as its result; `None` if it is not in the form that the harness writes.
pub fn returned(bytes: &[u8], budget: &DataBudget) -> Option<Returned> {
    let mut text = serde_json::Deserializer::from_slice(bytes);
    match text.deserialize_map(MessageSeed(budget)) {
        Ok(message) if text.end().is_ok() => message,
        // What breaks a limit has a reason that can be told; anything else is not what the harness writes.
        _ => budget.exceeded().map(refused),
    }
}

fn refused(limit: Exceeded) -> Returned {
    Returned::Refused(format!("a value {limit}"))
}

/// Reads the object with a `value` or the reason why it was refused.
struct MessageSeed<'a>(&'a DataBudget);

impl<'de> Visitor<'de> for MessageSeed<'_> {
    type Value = Option<Returned>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a result")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let one = ValueSeed {
            budget: self.0,
            depth: 0,
        };
        let mut returned = None;
        while let Some(name) = map.next_key::<Cow<'_, str>>()? {
            match &*name {
                "refused" => {
                    let mut why: String = map.next_value()?;
                    why.truncate(why.floor_char_boundary(LONGEST_REASON));
                    // At once: a value beside it was written by something else than the harness.
                    return Ok(Some(Returned::Refused(why)));
                }
                "value" => returned = Some(Returned::Value(map.next_value_seed(one)?)),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(returned)
    }
}

/// Reads one value inside `depth` others.
#[derive(Clone, Copy)]
struct ValueSeed<'a> {
    budget: &'a DataBudget,
    depth: usize,
}

impl<'a> ValueSeed<'a> {
    /// For what stands within the bracket that opens here.
    fn inner<E: Error>(self) -> Result<ValueSeed<'a>, E> {
        let depth = self.depth + 1;
        self.budget.enter(depth).map_err(E::custom)?;
        Ok(ValueSeed { depth, ..self })
    }

    /// For a list.
    fn items(self) -> ManySeed<'a, ValueSeed<'a>> {
        let (each, budget) = (self, self.budget);
        ManySeed {
            each,
            cost: 1,
            budget,
        }
    }

    /// For a dict, whose keys need not be strings.
    fn pairs(self) -> ManySeed<'a, PairSeed<'a>> {
        let (each, budget) = (PairSeed(self), self.budget);
        ManySeed {
            each,
            cost: 2,
            budget,
        }
    }
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, text: D) -> Result<Value, D::Error> {
        text.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
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
        // serde_json hands over every number that is not negative this way; `into` makes a plain `Int` of those that fit.
        Ok(BigInt::from(number).into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Float(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Str(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Value, A::Error> {
        self.inner()?.items().visit_seq(seq).map(Value::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let kind = map.next_key::<Cow<'_, str>>()?;
        let kind = kind.ok_or_else(|| A::Error::custom("an object that names no kind of value"))?;
        let value = tagged(&kind, &mut map, self.inner()?)?;
        match map.next_key::<IgnoredAny>()? {
            None => Ok(value),
            Some(_) => Err(A::Error::custom("an object of several members")),
        }
    }
}

/// Reads what stands side by side, in each place as many values as `cost` says.
struct ManySeed<'a, S> {
    each: S,
    cost: usize,
    budget: &'a DataBudget,
}

impl<'de, S: DeserializeSeed<'de> + Copy> DeserializeSeed<'de> for ManySeed<'_, S> {
    type Value = Vec<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, text: D) -> Result<Self::Value, D::Error> {
        text.deserialize_seq(self)
    }
}

impl<'de, S: DeserializeSeed<'de> + Copy> Visitor<'de> for ManySeed<'_, S> {
    type Value = Vec<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of plain data")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self.each)? {
            self.budget.spend(self.cost).map_err(A::Error::custom)?;
            items.push(item);
        }
        Ok(items)
    }
}

/// Reads two values.
#[derive(Clone, Copy)]
struct PairSeed<'a>(ValueSeed<'a>);

impl<'de> DeserializeSeed<'de> for PairSeed<'_> {
    type Value = (Value, Value);

    fn deserialize<D: Deserializer<'de>>(self, text: D) -> Result<Self::Value, D::Error> {
        text.deserialize_tuple(2, self)
    }
}

impl<'de> Visitor<'de> for PairSeed<'_> {
    type Value = (Value, Value);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pair")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let first = seq.next_element_seed(self.0)?;
        match first.zip(seq.next_element_seed(self.0)?) {
            Some(pair) => Ok(pair),
            None => Err(A::Error::custom("half a pair")),
        }
    }
}

/// The value of an object by the name of its kind.
fn tagged<'de, A: MapAccess<'de>>(
    kind: &str,
    map: &mut A,
    inner: ValueSeed<'_>,
) -> Result<Value, A::Error> {
    let broken = || A::Error::custom(format_args!("no {kind}"));
    let scalar = match kind {
        "int" => parse_hex(&map.next_value::<Cow<'_, str>>()?).map(Value::from),
        "float" => real(&map.next_value::<Cow<'_, str>>()?).map(Value::Float),
        "bytes" => parse_bytes(&map.next_value::<Cow<'_, str>>()?).map(Value::Bytes),
        "complex" => {
            let [re, im] = map.next_value::<[Cow<'_, str>; 2]>()?;
            real(&re)
                .zip(real(&im))
                .map(|(re, im)| Value::Complex(re, im))
        }
        _ => return container(kind, map, inner),
    };
    scalar.ok_or_else(broken)
}

fn container<'de, A: MapAccess<'de>>(
    kind: &str,
    map: &mut A,
    inner: ValueSeed<'_>,
) -> Result<Value, A::Error> {
    match kind {
        "dict" => return map.next_value_seed(inner.pairs()).map(Value::Dict),
        "ndarray" => {
            return Ok(match map.next_value_seed(PairSeed(inner))?.1 {
                Value::List(items) => Value::Array(items),
                scalar => scalar,
            });
        }
        _ => {}
    }
    let items = map.next_value_seed(inner.items())?;
    Ok(match kind {
        "tuple" => Value::Tuple(items),
        "set" | "frozenset" => Value::Set(items),
        "ListNode" => Value::ListNode(items),
        "TreeNode" => Value::TreeNode(items),
        _ => return Err(A::Error::custom("an unknown kind of value")),
    })
}

fn real(text: &str) -> Option<f64> {
    text.parse().ok()
}

fn parse_hex(text: &str) -> Option<BigInt> {
    let (sign, digits) = text
        .strip_prefix('-')
        .map_or((Sign::Plus, text), |rest| (Sign::Minus, rest));
    let magnitude = BigUint::parse_bytes(digits.strip_prefix("0x")?.as_bytes(), 16)?;
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
