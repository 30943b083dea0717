//! A place in a row: a value and the path that leads to it, so that every complaint names its field.

use crate::Value;

/// What is wrong with a row, and where in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The field's path; absent for the row as a whole.
    pub field: Option<String>,
    /// A fragment: `is missing`.
    pub message: String,
}

/// A value in a row.
#[derive(Debug, Clone)]
pub(super) struct Node<'a> {
    path: String,
    value: &'a Value,
}

impl<'a> Node<'a> {
    /// The row as a whole.
    pub fn row(value: &'a Value) -> Node<'a> {
        Node::at("", value)
    }

    /// A value that was decoded from the text of the field at `path`.
    pub fn at(path: &str, value: &'a Value) -> Node<'a> {
        Node {
            path: path.to_owned(),
            value,
        }
    }

    /// Where it is: `tests[2].input`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The value itself.
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// A complaint about this value.
    pub fn fault(&self, message: impl Into<String>) -> Fault {
        Fault {
            field: (!self.path.is_empty()).then(|| self.path.clone()),
            message: message.into(),
        }
    }

    /// The names of an object's fields; none for any other value.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let members = match self.value {
            Value::Dict(members) => members.as_slice(),
            _ => &[],
        };
        members.iter().filter_map(|(key, _)| match key {
            Value::Str(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The field `name`, unless it is absent or null.
    pub fn find(&self, name: &str) -> Option<Node<'a>> {
        let Value::Dict(members) = self.value else {
            return None;
        };
        members
            .iter()
            .find(|(key, value)| {
                matches!(key, Value::Str(key) if key == name) && *value != Value::None
            })
            .map(|(_, value)| Node {
                path: self.below(name),
                value,
            })
    }

    /// Whether the field `name` is there and not null.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The field `name`, which must be there.
    pub fn need(&self, name: &str) -> Result<Node<'a>, Fault> {
        self.object()?;
        self.find(name).ok_or_else(|| self.missing(name))
    }

    /// The complaint that the field `name` is missing, or holds nothing.
    pub fn missing(&self, name: &str) -> Fault {
        let is_null = matches!(self.value, Value::Dict(members)
            if members.iter().any(|(key, _)| matches!(key, Value::Str(key) if key == name)));
        Fault {
            field: Some(self.below(name)),
            message: if is_null { "is null" } else { "is missing" }.to_owned(),
        }
    }

    /// The field `name` as it stands, null too; an expected value may be null.
    pub fn need_value(&self, name: &str) -> Result<&'a Value, Fault> {
        if let Value::Dict(members) = self.value {
            let is_named = |key: &Value| matches!(key, Value::Str(key) if key == name);
            if let Some((_, value)) = members.iter().find(|(key, _)| is_named(key)) {
                return Ok(value);
            }
        }
        self.need(name).map(|node| node.value)
    }

    /// Fails unless this is an object.
    pub fn object(&self) -> Result<(), Fault> {
        match self.value {
            Value::Dict(_) => Ok(()),
            _ => Err(self.wrong("an object")),
        }
    }

    /// Its text.
    pub fn text(&self) -> Result<&'a str, Fault> {
        match self.value {
            Value::Str(text) => Ok(text),
            _ => Err(self.wrong("a string")),
        }
    }

    /// Its text, which must not be blank.
    pub fn filled(&self) -> Result<&'a str, Fault> {
        match self.text()? {
            text if text.trim().is_empty() => Err(self.fault("is empty")),
            text => Ok(text),
        }
    }

    /// An id: text, or an integer as text.
    pub fn label(&self) -> Result<String, Fault> {
        match self.value {
            Value::Int(number) => Ok(number.to_string()),
            Value::Str(_) => self.filled().map(str::to_owned),
            _ => Err(self.wrong("a string or an integer")),
        }
    }

    /// A truth value.
    pub fn truth(&self) -> Result<bool, Fault> {
        match self.value {
            Value::Bool(truth) => Ok(*truth),
            _ => Err(self.wrong("true or false")),
        }
    }

    /// A finite number.
    pub fn number(&self) -> Result<f64, Fault> {
        match self.value {
            Value::Int(number) => Ok(*number as f64),
            Value::Float(number) if number.is_finite() => Ok(*number),
            _ => Err(self.wrong("a finite number")),
        }
    }

    /// Its items, of a list or tuple.
    pub fn items(&self) -> Result<Vec<Node<'a>>, Fault> {
        let (Value::List(items) | Value::Tuple(items)) = self.value else {
            return Err(self.wrong("a list"));
        };
        let items = items.iter().enumerate().map(|(index, value)| Node {
            path: format!("{}[{index}]", self.path),
            value,
        });
        Ok(items.collect())
    }

    /// What `read` makes of the field `name`, unless it is absent or null.
    pub fn read<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Node<'a>) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        self.find(name).map(|node| read(&node)).transpose()
    }

    /// The optional text of field `name`.
    pub fn find_text(&self, name: &str) -> Result<Option<String>, Fault> {
        self.read(name, |node| node.text().map(str::to_owned))
    }

    /// The optional text of field `name`, or its integer as text.
    pub fn find_label(&self, name: &str) -> Result<Option<String>, Fault> {
        self.read(name, Node::label)
    }

    /// The complaint that this is not `wanted`.
    pub fn wrong(&self, wanted: &str) -> Fault {
        self.fault(format!("must be {wanted}, not {}", noun(self.value)))
    }

    fn below(&self, name: &str) -> String {
        match self.path.as_str() {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        }
    }
}

/// What a value is called in a complaint.
fn noun(value: &Value) -> &'static str {
    match value {
        Value::None => "null",
        Value::Bool(_) => "a boolean",
        Value::Float(number) if !number.is_finite() => "an infinite one",
        Value::Int(_) | Value::BigInt(_) | Value::Float(_) | Value::Complex(..) => "a number",
        Value::Str(_) => "a string",
        Value::Dict(_) => "an object",
        _ => "a list",
    }
}
