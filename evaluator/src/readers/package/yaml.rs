//! YAML as plain data in which every scalar is text as it was written: a flag `1e-6` must not become another number, nor a
//! name `no` a truth value. Whoever reads a field knows what is meant by it.

use saphyr::{Scalar, ScalarStyle, Yaml, YamlLoader};
use saphyr_parser::Parser;

use super::fault::PackageFault;
use super::tree::Tree;
use crate::Value;
use crate::readers::node::{Fault, Node};

/// The longest file that is read.
const MOST_BYTES: usize = 1 << 20;

/// The deepest nesting, told by how many brackets are open, or how far a line is indented.
const DEEPEST: usize = 100;

/// The first document of a file; an empty object where there is none.
fn parse(text: &str) -> Result<Value, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > MOST_BYTES || is_too_deep(text) {
        return Err("is too large or nested too deeply".to_owned());
    }
    let mut parser = Parser::new_from_str(text);
    let mut loader = YamlLoader::<Yaml>::default();
    loader.early_parse(false);
    let loaded = parser.load(&mut loader, true);
    loaded.map_err(|error| format!("is not YAML: {error}"))?;
    if let Some(error) = loader.error() {
        return Err(format!("is not YAML: {error}"));
    }
    let value = loader.into_documents().first().map_or(Value::None, plain);
    Ok(match value {
        Value::None => Value::Dict(Vec::new()),
        value => value,
    })
}

/// The YAML file at `path` in a package; an empty object where there is none.
pub(super) fn yaml_of(tree: &mut Tree, path: &str) -> Result<Value, PackageFault> {
    let Some(text) = tree.take_text(path) else {
        return Ok(Value::Dict(Vec::new()));
    };
    let parsed = text.and_then(|text| parse(&text));
    parsed.map_err(|why| PackageFault::file(path, why))
}

/// By characters alone, so that it may be wrong about brackets in texts, of which no package has so many.
fn is_too_deep(text: &str) -> bool {
    let opening = text
        .bytes()
        .filter(|byte| matches!(byte, b'[' | b'{'))
        .count();
    let dashes = |line: &str| line.matches("- ").count() + line.len() - line.trim_start().len();
    opening > 10 * DEEPEST || text.lines().any(|line| dashes(line) > 10 * DEEPEST)
}

fn plain(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::Representation(text, style, _) => match (&**text, style) {
            ("" | "~" | "null" | "Null" | "NULL", ScalarStyle::Plain) => Value::None,
            (text, _) => Value::Str(text.to_owned()),
        },
        Yaml::Value(Scalar::String(text)) => Value::Str(text.to_string()),
        Yaml::Sequence(items) => Value::List(items.iter().map(plain).collect()),
        Yaml::Mapping(members) => {
            let members = members.iter();
            Value::Dict(
                members
                    .map(|(key, value)| (plain(key), plain(value)))
                    .collect(),
            )
        }
        Yaml::Tagged(_, inner) => plain(inner),
        _ => Value::None,
    }
}

/// A number that is written in the text of a field.
pub(super) fn number(node: &Node<'_>) -> Result<f64, Fault> {
    let text = node.text()?.trim();
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| node.fault(format!("is \"{text}\", but must be a number")))
}

/// A number above 0.
pub(super) fn positive(node: &Node<'_>) -> Result<f64, Fault> {
    match number(node)? {
        number if number > 0.0 => Ok(number),
        number => Err(node.fault(format!("is {number}, but must be over 0"))),
    }
}

/// Words: a list of texts, or one text with white space between.
pub(super) fn words(node: &Node<'_>) -> Result<Vec<String>, Fault> {
    match node.text() {
        Ok(text) => Ok(text.split_whitespace().map(str::to_owned).collect()),
        Err(_) => texts(node),
    }
}

/// A list of texts, none of which is taken apart.
pub(super) fn texts(node: &Node<'_>) -> Result<Vec<String>, Fault> {
    let items = node.items()?;
    items
        .iter()
        .map(|item| item.text().map(str::to_owned))
        .collect()
}
