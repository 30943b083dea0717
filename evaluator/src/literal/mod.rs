//! Python and JSON literals, and numpy's print form, as plain data.
//!
//! Reads in linear time, with capped depth and size, what `repr`, `json.dumps` and `print` of a numpy array write.
//! Evaluates nothing: a name or a call that is not one of the few known ones is an error.

mod lexer;
mod scalar;

use std::ops::Range;

use crate::Value;

pub(crate) use lexer::{Fault, Lexeme, Lexer, Quoted};

/// Brackets within brackets; the limit of Python's own parser.
pub const MAX_DEPTH: usize = 200;

/// Values in one literal, which bounds the memory of a parse at about 32 bytes each.
pub const MAX_VALUES: usize = 16 << 20;

/// Why a text is no literal, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct LiteralError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
    /// What is wrong there, a lowercase fragment.
    pub message: String,
}

/// Read one literal that fills `text`, white space around it aside.
///
/// `1e400` is infinity, `()` a tuple, `set()` an empty set, adjacent strings are one, `[1 2 3]` is an array.
///
/// # Errors
/// The place and the reason where `text` is no literal, is deeper than [`MAX_DEPTH`] or has over [`MAX_VALUES`] values.
pub fn parse(text: &str) -> Result<Value, LiteralError> {
    let read = || {
        let mut parser = Parser::new(text)?;
        let value = parser.value(0)?;
        match parser.next {
            None => Ok(value),
            Some(_) => Err(parser.fault("text after the end of the literal")),
        }
    };
    read().map_err(|fault: Fault| locate(text, fault))
}

/// The string that `quoted` writes, escapes undone; `None` where an escape is broken.
pub(crate) fn unquote(quoted: Quoted<'_>) -> Option<Value> {
    scalar::string(quoted, 0).ok()
}

fn locate(text: &str, fault: Fault) -> LiteralError {
    let before = &text.as_bytes()[..fault.at.min(text.len())];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    LiteralError {
        line: memchr::memchr_iter(b'\n', before).count() + 1,
        column: String::from_utf8_lossy(&before[line_start..])
            .chars()
            .count()
            + 1,
        message: fault.message,
    }
}

/// A recursive descent with one lexeme of look-ahead.
struct Parser<'a> {
    lexer: Lexer<'a>,
    next: Option<(Range<usize>, Lexeme<'a>)>,
    /// Where the last lexeme taken ends.
    behind: usize,
    end: usize,
    left: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Result<Parser<'a>, Fault> {
        let mut lexer = Lexer::new(text);
        let next = lexer.next()?;
        Ok(Parser {
            lexer,
            next,
            behind: 0,
            end: text.len(),
            left: MAX_VALUES,
        })
    }

    /// Where the look-ahead starts.
    fn at(&self) -> usize {
        self.next
            .as_ref()
            .map_or(self.end, |(range, _)| range.start)
    }

    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.at(), message)
    }

    fn peek(&self) -> Option<Lexeme<'a>> {
        self.next.as_ref().map(|(_, lexeme)| *lexeme)
    }

    fn advance(&mut self) -> Result<Option<(Range<usize>, Lexeme<'a>)>, Fault> {
        let following = self.lexer.next()?;
        self.behind = self.next.as_ref().map_or(self.end, |(range, _)| range.end);
        Ok(std::mem::replace(&mut self.next, following))
    }

    /// Take the look-ahead if it is `wanted`.
    fn take(&mut self, wanted: Lexeme<'_>) -> Result<bool, Fault> {
        let found = self.peek() == Some(wanted);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn value(&mut self, depth: usize) -> Result<Value, Fault> {
        if depth > MAX_DEPTH {
            return Err(self.fault(format!("brackets nested more than {MAX_DEPTH} deep")));
        }
        if self.left == 0 {
            return Err(self.fault(format!("more than {MAX_VALUES} values")));
        }
        self.left -= 1;
        let Some((range, lexeme)) = self.advance()? else {
            return Err(self.fault("expected a value, found the end"));
        };
        match lexeme {
            Lexeme::Open(b'[') => self.list(depth),
            Lexeme::Open(b'(') => self.tuple(depth),
            Lexeme::Open(_) => self.braces(depth),
            Lexeme::Number(text) => self.number(text, range),
            Lexeme::Quoted(quoted) => self.strings(quoted, range.start),
            Lexeme::Name(name) => self.name(name, range.start, depth),
            _ => Err(Fault::new(range.start, "expected a value")),
        }
    }

    /// `[...]`: items apart by commas are a list, items apart by space alone are numpy's print of an array.
    fn list(&mut self, depth: usize) -> Result<Value, Fault> {
        let mut items = Vec::new();
        let mut commas = None;
        while !self.take(Lexeme::Close(b']'))? {
            items.push(self.value(depth + 1)?);
            if self.peek() == Some(Lexeme::Close(b']')) {
                continue;
            }
            let comma = self.peek() == Some(Lexeme::Comma);
            if *commas.get_or_insert(comma) != comma && self.next.is_some() {
                return Err(
                    self.fault("expected the items of a list all with commas between, or none")
                );
            }
            self.take(Lexeme::Comma)?;
            let array_item = match self.peek() {
                Some(Lexeme::Open(b'[')) => true,
                Some(Lexeme::Number(_) | Lexeme::Name(_) | Lexeme::Quoted(_)) => {
                    self.at() > self.behind
                }
                _ => false,
            };
            if !comma && !array_item {
                return Err(self.fault("expected ',' or ']'"));
            }
        }
        Ok(match commas {
            Some(false) => Value::Array(items),
            _ => Value::List(items),
        })
    }

    /// `(...)`: brackets around one value without a comma are only brackets.
    fn tuple(&mut self, depth: usize) -> Result<Value, Fault> {
        let (mut items, comma) = self.items(b')', depth)?;
        match items.len() {
            1 if !comma => Ok(items.remove(0)),
            _ => Ok(Value::Tuple(items)),
        }
    }

    /// Items up to `close`, and whether a comma stood among them.
    fn items(&mut self, close: u8, depth: usize) -> Result<(Vec<Value>, bool), Fault> {
        let mut items = Vec::new();
        let mut comma = false;
        while !self.take(Lexeme::Close(close))? {
            items.push(self.value(depth + 1)?);
            if self.take(Lexeme::Comma)? {
                comma = true;
            } else if self.peek() != Some(Lexeme::Close(close)) {
                return Err(self.fault(format!("expected ',' or '{}'", close as char)));
            }
        }
        Ok((items, comma))
    }

    /// `{...}`: a dict or a set.
    fn braces(&mut self, depth: usize) -> Result<Value, Fault> {
        if self.take(Lexeme::Close(b'}'))? {
            return Ok(Value::Dict(Vec::new()));
        }
        let first = self.value(depth + 1)?;
        if self.take(Lexeme::Colon)? {
            let value = self.value(depth + 1)?;
            return self.dict((first, value), depth);
        }
        let mut items = vec![first];
        if self.take(Lexeme::Comma)? {
            items.extend(self.items(b'}', depth)?.0);
        } else if !self.take(Lexeme::Close(b'}'))? {
            return Err(self.fault("expected ',', ':' or '}'"));
        }
        Ok(Value::Set(items))
    }

    fn dict(&mut self, first: (Value, Value), depth: usize) -> Result<Value, Fault> {
        let mut entries = vec![first];
        loop {
            let comma = self.take(Lexeme::Comma)?;
            if self.take(Lexeme::Close(b'}'))? {
                return Ok(Value::Dict(entries));
            }
            if !comma {
                return Err(self.fault("expected ',' or '}'"));
            }
            let key = self.value(depth + 1)?;
            if !self.take(Lexeme::Colon)? {
                return Err(self.fault("expected ':'"));
            }
            entries.push((key, self.value(depth + 1)?));
        }
    }

    /// A number; two that touch, the second imaginary, are one complex number.
    fn number(&mut self, text: &str, range: Range<usize>) -> Result<Value, Fault> {
        let value = scalar::number(text, range.start)?;
        let Some((following, Lexeme::Number(imaginary))) = self.next.clone() else {
            return Ok(value);
        };
        if following.start != range.end || !imaginary.ends_with(['j', 'J']) {
            return Ok(value);
        }
        self.advance()?;
        let real = match value {
            Value::Int(whole) => whole as f64,
            Value::Float(real) => real,
            _ => return Err(Fault::new(range.start, "not a complex number")),
        };
        match scalar::number(imaginary, following.start)? {
            Value::Complex(_, imaginary) => Ok(Value::Complex(real, imaginary)),
            _ => Err(Fault::new(range.start, "not a complex number")),
        }
    }

    /// One string, or several side by side.
    fn strings(&mut self, first: Quoted<'_>, at: usize) -> Result<Value, Fault> {
        let mut whole = scalar::string(first, at)?;
        while let Some(Lexeme::Quoted(more)) = self.peek() {
            let at = self.at();
            self.advance()?;
            match (&mut whole, scalar::string(more, at)?) {
                (Value::Str(text), Value::Str(tail)) => text.push_str(&tail),
                (Value::Bytes(bytes), Value::Bytes(tail)) => bytes.extend(tail),
                _ => return Err(Fault::new(at, "bytes beside a string")),
            }
        }
        Ok(whole)
    }

    /// A constant, or one of the known calls.
    fn name(&mut self, name: &str, at: usize, depth: usize) -> Result<Value, Fault> {
        if let Some(value) = constant(name) {
            return Ok(value);
        }
        if !self.take(Lexeme::Open(b'('))? {
            return Err(Fault::new(at, format!("unknown name {name:?}")));
        }
        let mut arguments = Vec::new();
        while !self.take(Lexeme::Close(b')'))? {
            if let Some(Lexeme::Name("dtype" | "maxlen")) = self.peek() {
                self.keyword()?;
            } else {
                arguments.push(self.value(depth + 1)?);
            }
            if !self.take(Lexeme::Comma)? && self.peek() != Some(Lexeme::Close(b')')) {
                return Err(self.fault("expected ',' or ')'"));
            }
        }
        call(name, arguments)
            .ok_or_else(|| Fault::new(at, format!("cannot read a call of {name:?}")))
    }

    /// `dtype=int64` says nothing about the contents.
    fn keyword(&mut self) -> Result<(), Fault> {
        self.advance()?;
        if !self.take(Lexeme::Equals)? {
            return Err(self.fault("expected '='"));
        }
        match self.advance()? {
            Some((_, Lexeme::Name(_) | Lexeme::Quoted(_) | Lexeme::Number(_))) => Ok(()),
            _ => Err(self.fault("expected a word")),
        }
    }
}

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
fn call(name: &str, mut arguments: Vec<Value>) -> Option<Value> {
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
