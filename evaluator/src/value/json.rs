//! JSON text as plain data: integers of any size stay exact, depth is capped, a repeated key is an error.
//!
//! Every array and object is read one level at a time from its raw text, because `serde_json` would round an integer
//! beyond 64 bits to a float.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::sync::LazyLock;

use num_bigint::BigInt;
use regex::{Captures, Regex};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::Value;
use super::budget::{DataBudget, Exceeded, FILE_DEPTH};

/// What Python's `json` writes for floats that JSON does not have.
const BEYOND: [&str; 3] = ["NaN", "Infinity", "-Infinity"];

/// Characters shown of a string that cannot be read.
const STRING_SHOWN: usize = 40;

/// Read JSON; the error is a fragment: `is not valid JSON: ...`.
pub(crate) fn parse(text: &str) -> Result<Value, String> {
    parse_within(text, &DataBudget::of_file())
}

fn parse_within(text: &str, budget: &DataBudget) -> Result<Value, String> {
    afford(text, FILE_DEPTH, budget)?;
    value(scalar(text)?, budget)
}

/// How a field of a row is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldReading {
    /// Not at all, so that what nobody asks for costs nothing. Unless it is null it stands as `True`, to be found by its name.
    Skipped,
    /// As it stands.
    Exact,
    /// As a model wrote it, cut off anywhere: see [`without_lone_surrogates`].
    Lossy,
}

/// Read a row of a file, each field of an object as `reading` says of its name. A row that is no object holds programs alone.
pub(crate) fn parse_row(
    text: &str,
    reading: impl Fn(&str) -> FieldReading,
) -> Result<Value, String> {
    if !text.trim_start().starts_with('{') {
        return parse(&without_lone_surrogates(text));
    }
    let budget = DataBudget::of_file();
    let pairs = pairs(text)?.into_iter().map(|(name, raw)| {
        let content = match (raw.get(), reading(&name)) {
            ("null", _) => Value::None,
            (_, FieldReading::Skipped) => Value::Bool(true),
            (text, FieldReading::Exact) => field(text, &budget)?,
            (text, FieldReading::Lossy) => field(&without_lone_surrogates(text), &budget)?,
        };
        Ok((Value::Str(name), content))
    });
    pairs.collect::<Result<_, String>>().map(Value::Dict)
}

fn field(text: &str, budget: &DataBudget) -> Result<Value, String> {
    afford(text, FILE_DEPTH - 1, budget)?;
    value(scalar(text)?, budget)
}

/// JSON text with the escape of U+FFFD in place of each that is half of a surrogate pair. Python writes those where a model's
/// answer ended within a character, and no text in Unicode has them.
pub(crate) fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    static ESCAPE: LazyLock<Regex> = LazyLock::new(|| {
        let (first, second) = (
            r"u[dD][89abAB][0-9a-fA-F]{2}",
            r"u[dD][c-fC-F][0-9a-fA-F]{2}",
        );
        let pattern = format!(r"(?s)\\(?:{first}\\{second}|({first}|{second})|.)");
        Regex::new(&pattern).expect("a pattern that was tested")
    });
    let whole = |escape: &Captures<'_>| match escape.get(1) {
        Some(_) => r"\ufffd".to_owned(),
        None => escape[0].to_owned(),
    };
    match text.contains(r"\u") {
        true => ESCAPE.replace_all(text, whole),
        false => text.into(),
    }
}

/// Read JSON, or else a Python literal: data sets use both for the same field.
pub(crate) fn parse_lenient(text: &str) -> Result<Value, String> {
    let budget = DataBudget::of_file();
    parse_within(text, &budget).or_else(|json| {
        // Of what holds too much, a second attempt would cost as much again.
        if matches!(budget.exceeded(), Some(Exceeded::Items(_))) {
            return Err(json);
        }
        super::literal::parse(text.trim())
            .map_err(|literal| format!("{json}; nor a Python literal: {literal}"))
    })
}

/// What `error` says, with its column but without its line, which counts from the row's own start.
pub(crate) fn syntax(error: &serde_json::Error) -> String {
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = error.to_string();
    let message = message.strip_suffix(&place).unwrap_or(&message);
    if error.is_eof() {
        format!("is cut off at column {}: {message}", error.column())
    } else {
        format!("is not valid JSON at column {}: {message}", error.column())
    }
}

/// The same of the text that is at fault: what Python writes beyond JSON is told by its name.
pub(crate) fn syntax_of(text: &str, error: &serde_json::Error) -> String {
    let line = text.lines().nth(error.line().saturating_sub(1));
    let at = line.and_then(|line| line.get(error.column().saturating_sub(1)..));
    let named = at.and_then(|at| BEYOND.into_iter().find(|name| at.starts_with(name)));
    match named {
        Some(name) => format!(
            "{}; JSON has no {name}, write it as a string or as null",
            syntax(error)
        ),
        None => syntax(error),
    }
}

/// Told in one pass ahead: reading costs a pass for each level, and holds a list's items before it reads them.
fn afford(text: &str, most: usize, budget: &DataBudget) -> Result<(), String> {
    let (mut depth, mut items) = (0_usize, 1_usize);
    let (mut in_string, mut is_escaped, mut opens) = (false, false, false);
    for byte in text.bytes() {
        let opened = opens && !byte.is_ascii_whitespace();
        opens &= !opened;
        // Commas part the items; a list that is not empty holds one more.
        items += usize::from(opened && !in_string && !matches!(byte, b']' | b'}'));
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' if depth == most => return Err(too_deep()),
            b'[' | b'{' => {
                depth += 1;
                opens = true;
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' => items += 1,
            _ => {}
        }
    }
    let spent = budget.spend(items);
    spent.map_err(|limit| format!("holds data {limit}"))
}

fn too_deep() -> String {
    format!("is nested deeper than {FILE_DEPTH} levels")
}

fn value(raw: &RawValue, budget: &DataBudget) -> Result<Value, String> {
    budget
        .spend(1)
        .map_err(|limit| format!("contains data {limit}"))?;
    let text = raw.get();
    match text.as_bytes().first() {
        Some(b'n') => Ok(Value::None),
        Some(b't') => Ok(Value::Bool(true)),
        Some(b'f') => Ok(Value::Bool(false)),
        Some(b'"') => string(text).map(Value::Str),
        Some(b'[') => list(text, budget),
        Some(b'{') => object(text, budget),
        _ => number(text, budget),
    }
}

fn scalar<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| syntax_of(text, &error))
}

fn string(text: &str) -> Result<String, String> {
    serde_json::from_str(text).map_err(|_| {
        let head: String = text.chars().take(STRING_SHOWN).collect();
        format!("contains a string that is not valid Unicode: {head}")
    })
}

fn list(text: &str, budget: &DataBudget) -> Result<Value, String> {
    let items: Vec<&RawValue> = scalar(text)?;
    let items = items.into_iter().map(|item| value(item, budget));
    items.collect::<Result<_, _>>().map(Value::List)
}

/// The members of an object, their values unread.
fn pairs(text: &str) -> Result<Vec<(String, &RawValue)>, String> {
    let RawMembers(pairs) = scalar(text)?;
    let mut seen = HashSet::with_capacity(pairs.len());
    match pairs.iter().find(|(key, _)| !seen.insert(key.as_str())) {
        Some((key, _)) => Err(format!("contains the key \"{key}\" twice")),
        None => Ok(pairs),
    }
}

fn object(text: &str, budget: &DataBudget) -> Result<Value, String> {
    let pairs = pairs(text)?
        .into_iter()
        .map(|(key, raw)| Ok((Value::Str(key), value(raw, budget)?)));
    pairs.collect::<Result<_, String>>().map(Value::Dict)
}

fn number(text: &str, budget: &DataBudget) -> Result<Value, String> {
    let broken = |_| format!("contains an invalid number: {text}");
    if text.contains(['.', 'e', 'E']) {
        return text.parse().map(Value::Float).map_err(|_| broken(()));
    }
    if let Ok(number) = text.parse() {
        return Ok(Value::Int(number));
    }
    budget
        .read_digits(text.len())
        .map_err(|limit| format!("contains {limit}"))?;
    let number: Result<BigInt, _> = text.parse();
    number.map(Value::BigInt).map_err(|_| broken(()))
}

/// An object's members in order, their values unread.
struct RawMembers<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for RawMembers<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RawMembersVisitor)
    }
}

struct RawMembersVisitor;

impl<'de> Visitor<'de> for RawMembersVisitor {
    type Value = RawMembers<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = members.next_entry()? {
            pairs.push(pair);
        }
        Ok(RawMembers(pairs))
    }
}
