//! Every setting with its meaning, its values and its default, as a TOML file that sets nothing but the defaults.

use serde_json::{Map, Value};

/// The widest line, where words allow it.
const WIDTH: usize = 100;

/// The file, from a configuration's [`schema`](super::schema::schema).
pub fn describe(schema: &Value) -> String {
    let mut text = String::new();
    section(&mut text, "", schema);
    text
}

/// A section's settings, and then the sections within it: TOML wants that order.
fn section(text: &mut String, path: &str, schema: &Value) {
    let empty = Map::new();
    let settings = schema["properties"].as_object().unwrap_or(&empty);
    let is_section = |(_, setting): &(&String, &Value)| setting.get("properties").is_some();
    for (key, setting) in settings.iter().filter(|one| !is_section(one)) {
        comment(text, &meaning(setting));
        values(text, setting);
        match default(setting) {
            Some(value) => *text += &format!("{key} = {value}\n\n"),
            None => *text += &format!("# {key} is not set\n\n"),
        }
    }
    for (key, setting) in settings.iter().filter(is_section) {
        let path = [path, key].join(if path.is_empty() { "" } else { "." });
        comment(text, &meaning(setting));
        *text += &format!("[{path}]\n\n");
        section(text, &path, setting);
    }
}

fn meaning(setting: &Value) -> String {
    let text = setting["description"].as_str().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A default in TOML, which has no null; lists that are left out where they are empty have an empty one.
fn default(setting: &Value) -> Option<String> {
    match setting.get("default") {
        None if setting["type"] == "array" => Some("[]".to_owned()),
        None | Some(Value::Null) => None,
        // Outside tables the two languages write a value alike.
        Some(value) => Some(value.to_string()),
    }
}

/// What a setting may be: named values with the meaning of each, or a kind of value with its bounds.
fn values(text: &mut String, setting: &Value) {
    let named: Vec<&Value> = alternatives(setting)
        .into_iter()
        .filter(|one| one.get("const").is_some())
        .collect();
    for one in &named {
        comment(text, &format!("- {}: {}", one["const"], meaning(one)));
    }
    if named.is_empty() {
        comment(text, &format!("({})", kind(setting)));
    }
}

fn alternatives(setting: &Value) -> Vec<&Value> {
    let lists = ["oneOf", "anyOf"].map(|key| setting[key].as_array());
    lists.into_iter().flatten().flatten().collect()
}

/// A kind of value in words.
fn kind(setting: &Value) -> String {
    let any = alternatives(setting);
    if !any.is_empty() {
        let kinds: Vec<String> = any.into_iter().map(kind).collect();
        return kinds.join(" or ");
    }
    if let Some(words) = setting["enum"].as_array() {
        let words: Vec<String> = words.iter().map(Value::to_string).collect();
        return words.join(" or ");
    }
    let name = match &setting["type"] {
        Value::Array(names) => &names[0],
        name => name,
    };
    match name.as_str().unwrap_or_default() {
        "integer" => format!("a whole number{}", bounds(setting)),
        "number" => format!("a number{}", bounds(setting)),
        "boolean" => "true or false".to_owned(),
        "array" => format!("a list, each of it {}", kind(&setting["items"])),
        "object" => table(setting),
        _ => "text".to_owned(),
    }
}

fn bounds(setting: &Value) -> String {
    let words = [
        ("minimum", "at least"),
        ("exclusiveMinimum", "above"),
        ("maximum", "at most"),
        ("exclusiveMaximum", "below"),
    ];
    let bound = |(key, word): (&str, &str)| Some(format!("{word} {}", setting.get(key)?));
    let bounds: Vec<String> = words.into_iter().filter_map(bound).collect();
    match bounds.is_empty() {
        true => String::new(),
        false => format!(", {}", bounds.join(", ")),
    }
}

fn table(setting: &Value) -> String {
    let empty = Map::new();
    let fields = setting["properties"].as_object().unwrap_or(&empty);
    let field = |(key, field): (&String, &Value)| {
        let meaning = meaning(field);
        format!("{key} ({}; {})", meaning.trim_end_matches('.'), kind(field))
    };
    format!(
        "a table of {}",
        fields.iter().map(field).collect::<Vec<_>>().join(" and ")
    )
}

/// Lines of a comment, broken between words.
fn comment(text: &mut String, words: &str) {
    let mut line = "#".to_owned();
    for word in words.split(' ').filter(|word| !word.is_empty()) {
        if line.len() + 1 + word.len() > WIDTH {
            *text += &format!("{line}\n");
            line = "#".to_owned();
        }
        line = format!("{line} {word}");
    }
    if line != "#" {
        *text += &format!("{line}\n");
    }
}
