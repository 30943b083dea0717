//! The grammar of literals.

use std::ops::Range;

use super::lexer::{Lexeme, Lexer, Quoted, SyntaxError};
use super::names::{call, constant};
use super::scalar;
use crate::Value;
use crate::value::DataBudget;

/// A recursive descent with one lexeme of look-ahead.
pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    next: Option<(Range<usize>, Lexeme<'a>)>,
    /// Where the last lexeme taken ends.
    behind: usize,
    end: usize,
    budget: &'a DataBudget,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, budget: &'a DataBudget) -> Result<Parser<'a>, SyntaxError> {
        let mut lexer = Lexer::new(text);
        let next = lexer.next()?;
        Ok(Parser {
            lexer,
            next,
            behind: 0,
            end: text.len(),
            budget,
        })
    }

    /// The one literal that fills the text.
    pub(super) fn whole(mut self) -> Result<Value, SyntaxError> {
        let value = self.value(0)?;
        match self.next {
            None => Ok(value),
            Some(_) => Err(self.error("text after the end of the literal")),
        }
    }

    /// Where the look-ahead starts.
    fn at(&self) -> usize {
        self.next
            .as_ref()
            .map_or(self.end, |(range, _)| range.start)
    }

    fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.at(), message)
    }

    fn peek(&self) -> Option<Lexeme<'a>> {
        self.next.as_ref().map(|(_, lexeme)| *lexeme)
    }

    fn advance(&mut self) -> Result<Option<(Range<usize>, Lexeme<'a>)>, SyntaxError> {
        let following = self.lexer.next()?;
        self.behind = self.next.as_ref().map_or(self.end, |(range, _)| range.end);
        Ok(std::mem::replace(&mut self.next, following))
    }

    /// Take the look-ahead if it is `wanted`.
    fn take(&mut self, wanted: Lexeme<'_>) -> Result<bool, SyntaxError> {
        let found = self.peek() == Some(wanted);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn value(&mut self, depth: usize) -> Result<Value, SyntaxError> {
        let within = self.budget.enter(depth).and_then(|()| self.budget.spend(1));
        within.map_err(|limit| self.error(format!("a value {limit}")))?;
        let Some((range, lexeme)) = self.advance()? else {
            return Err(self.error("expected a value, found the end"));
        };
        match lexeme {
            Lexeme::Open(b'[') => self.list(depth),
            Lexeme::Open(b'(') => self.tuple(depth),
            Lexeme::Open(_) => self.braces(depth),
            Lexeme::Number(text) => self.number(text, range),
            Lexeme::Quoted(quoted) => self.strings(quoted, range.start),
            Lexeme::Name(name) => self.name(name, range.start, depth),
            _ => Err(SyntaxError::new(range.start, "expected a value")),
        }
    }

    /// `[...]`: items apart by commas are a list, items apart by space alone are numpy's print of an array.
    fn list(&mut self, depth: usize) -> Result<Value, SyntaxError> {
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
                    self.error("expected the items of a list all with commas between, or none")
                );
            }
            self.take(Lexeme::Comma)?;
            // numpy prints items with space between them; `1-2` without any is no array of two.
            let array_item = match self.peek() {
                Some(Lexeme::Open(b'[')) => true,
                Some(Lexeme::Number(_) | Lexeme::Name(_) | Lexeme::Quoted(_)) => {
                    self.at() > self.behind
                }
                _ => false,
            };
            if !comma && !array_item {
                return Err(self.error("expected ',' or ']'"));
            }
        }
        let items = fitted(items);
        Ok(match commas {
            Some(false) => Value::Array(items),
            _ => Value::List(items),
        })
    }

    /// `(...)`: brackets around one value without a comma are only brackets.
    fn tuple(&mut self, depth: usize) -> Result<Value, SyntaxError> {
        let (mut items, comma) = self.items(b')', depth)?;
        match items.len() {
            1 if !comma => Ok(items.remove(0)),
            _ => Ok(Value::Tuple(items)),
        }
    }

    /// Items up to `close`, and whether a comma stood among them.
    fn items(&mut self, close: u8, depth: usize) -> Result<(Vec<Value>, bool), SyntaxError> {
        let mut items = Vec::new();
        let mut comma = false;
        while !self.take(Lexeme::Close(close))? {
            items.push(self.value(depth + 1)?);
            if self.take(Lexeme::Comma)? {
                comma = true;
            } else if self.peek() != Some(Lexeme::Close(close)) {
                return Err(self.error(format!("expected ',' or '{}'", close as char)));
            }
        }
        Ok((fitted(items), comma))
    }

    /// `{...}`: a dict or a set.
    fn braces(&mut self, depth: usize) -> Result<Value, SyntaxError> {
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
            return Err(self.error("expected ',', ':' or '}'"));
        }
        Ok(Value::Set(items))
    }

    fn dict(&mut self, first: (Value, Value), depth: usize) -> Result<Value, SyntaxError> {
        let mut entries = vec![first];
        loop {
            let comma = self.take(Lexeme::Comma)?;
            if self.take(Lexeme::Close(b'}'))? {
                return Ok(Value::Dict(entries));
            }
            if !comma {
                return Err(self.error("expected ',' or '}'"));
            }
            let key = self.value(depth + 1)?;
            if !self.take(Lexeme::Colon)? {
                return Err(self.error("expected ':'"));
            }
            entries.push((key, self.value(depth + 1)?));
        }
    }

    /// A number; two that touch, the second imaginary, are one complex number.
    fn number(&mut self, text: &str, range: Range<usize>) -> Result<Value, SyntaxError> {
        let value = scalar::number(text, range.start, self.budget)?;
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
            _ => return Err(SyntaxError::new(range.start, "not a complex number")),
        };
        match scalar::number(imaginary, following.start, self.budget)? {
            Value::Complex(_, imaginary) => Ok(Value::Complex(real, imaginary)),
            _ => Err(SyntaxError::new(range.start, "not a complex number")),
        }
    }

    /// One string, or several side by side.
    fn strings(&mut self, first: Quoted<'_>, at: usize) -> Result<Value, SyntaxError> {
        let mut whole = scalar::string(first, at)?;
        while let Some(Lexeme::Quoted(more)) = self.peek() {
            let at = self.at();
            self.advance()?;
            match (&mut whole, scalar::string(more, at)?) {
                (Value::Str(text), Value::Str(tail)) => text.push_str(&tail),
                (Value::Bytes(bytes), Value::Bytes(tail)) => bytes.extend(tail),
                _ => return Err(SyntaxError::new(at, "bytes beside a string")),
            }
        }
        Ok(whole)
    }

    /// A constant, or one of the known calls.
    fn name(&mut self, name: &str, at: usize, depth: usize) -> Result<Value, SyntaxError> {
        if let Some(value) = constant(name) {
            return Ok(value);
        }
        if !self.take(Lexeme::Open(b'('))? {
            return Err(SyntaxError::new(at, format!("unknown name {name:?}")));
        }
        let mut arguments = Vec::new();
        while !self.take(Lexeme::Close(b')'))? {
            // What numpy and deque print behind their items. Other keywords may change what is meant.
            if let Some(Lexeme::Name("dtype" | "maxlen")) = self.peek() {
                self.keyword()?;
            } else {
                arguments.push(self.value(depth + 1)?);
            }
            if !self.take(Lexeme::Comma)? && self.peek() != Some(Lexeme::Close(b')')) {
                return Err(self.error("expected ',' or ')'"));
            }
        }
        call(name, arguments)
            .ok_or_else(|| SyntaxError::new(at, format!("cannot read a call of {name:?}")))
    }

    /// `dtype=int64` says nothing about the contents.
    fn keyword(&mut self) -> Result<(), SyntaxError> {
        self.advance()?;
        if !self.take(Lexeme::Equals)? {
            return Err(self.error("expected '='"));
        }
        match self.advance()? {
            Some((_, Lexeme::Name(_) | Lexeme::Quoted(_) | Lexeme::Number(_))) => Ok(()),
            _ => Err(self.error("expected a word")),
        }
    }
}

/// A list without the room that it kept for more: among many short ones that is most of what they hold.
fn fitted(mut items: Vec<Value>) -> Vec<Value> {
    items.shrink_to_fit();
    items
}
