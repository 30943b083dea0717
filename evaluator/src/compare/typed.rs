//! The same Python or JSON literal, however it is spaced, quoted and spelled.
//!
//! Texts are compared lexeme by lexeme, without building values, so that size and depth cost nothing. Brackets keep their
//! kind and items their order: a printed `(1, 2)` may be an interval, a printed set has been put in an order. Results of
//! calls convert more freely, see `value`.

use crate::Value;
use crate::value::literal::{Lexeme, Lexer, Quoted, constant, unquote};

use super::rules::{Literals, Rules};
use super::strategy::Strategy;
use super::token_match::{same_item, same_token};
use super::word_case::{self, Case};

/// Whether a text may be a literal with brackets; scalars are the business of the other strategies.
pub(crate) fn is_container(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let opens = [
        b"[".as_slice(),
        b"(",
        b"{",
        b"array(",
        b"set(",
        b"frozenset(",
    ];
    let holds = |byte: &u8| !b"()[]{} \t\r\n".contains(byte);
    // Brackets alone may be a bracket sequence, in which a space is out of place; but for the empty list and dict.
    (is_empty(text) || text.iter().any(holds))
        && opens.iter().any(|open| text.starts_with(open))
        && matches!(text.last(), Some(b']' | b')' | b'}'))
}

fn is_empty(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    matches!(text, [b'[', .., b']'] | [b'{', .., b'}'])
        && text[1..text.len() - 1].trim_ascii().is_empty()
}

/// Whether items are set apart by commas alone, as in no list that Python prints.
fn is_compact(text: &[u8]) -> bool {
    holds_items(text) && spaces(text) == 0
}

/// How much white space stands in a literal, outside of its quotes.
fn spaces(text: &[u8]) -> usize {
    let is_space = |byte: &&u8| byte.is_ascii_whitespace();
    form(text).iter().filter(is_space).count()
}

/// What a literal is made of: its marks and the white space outside of quotes as they are, and a letter for each item.
fn form(text: &[u8]) -> Vec<u8> {
    const ITEM: u8 = b'a';
    let (mut quote, mut form) = (None, Vec::new());
    let mut bytes = text.trim_ascii().iter();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', Some(_)) => {
                bytes.next();
            }
            (byte, Some(open)) => quote = (*byte != open).then_some(open),
            (b'"' | b'\'', None) => {
                quote = Some(*byte);
                form.push(ITEM);
            }
            (byte, None) if byte.is_ascii_whitespace() || b"[](){},:".contains(byte) => {
                form.push(*byte);
            }
            (_, None) if form.last() == Some(&ITEM) => {}
            (_, None) => form.push(ITEM),
        }
    }
    form
}

fn is_json(text: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok()
}

/// The strictest strategy under which two literals are the same; `None` if they differ or one is no literal.
pub(crate) fn same(expected: &[u8], actual: &[u8], rules: &Rules) -> Option<Strategy> {
    let is_written_so = match rules.literals {
        Literals::Free => true,
        Literals::Spaced => form(expected) == form(actual),
        Literals::Compact => !is_compact(expected) || spaces(actual) == 0,
        Literals::Json => is_json(actual) || !is_json(expected),
        Literals::Same => false,
    };
    let may_be_text = is_empty(expected) && !rules.lists;
    if !is_written_so || may_be_text || !is_container(expected) || !is_container(actual) {
        return None;
    }
    let mut wanted = Lexemes::new(std::str::from_utf8(expected).ok()?);
    let mut found = Lexemes::new(std::str::from_utf8(actual).ok()?);
    let mut level = Strategy::Typed;
    loop {
        // Cheap steps over what both write alike; the lexer is asked only where they part.
        skip_common(&mut wanted, &mut found);
        if wanted.is_done() && found.is_done() {
            return Some(level);
        }
        match (wanted.next()?, found.next()?) {
            (None, None) => return (wanted.is_closed() && found.is_closed()).then_some(level),
            (Some(left), Some(right)) => level = level.max(same_lexeme(left, right, rules)?),
            _ => return None,
        }
    }
}

/// The strictest strategy under which two lines are the same words and literals, one by one, as `2 [1, 2]` and `2 [1,2]` are.
/// What stands outside of brackets keeps the space around it.
pub(crate) fn same_in_line(expected: &[u8], actual: &[u8], rules: &Rules) -> Option<Strategy> {
    let mut level = Strategy::Tokens;
    let (mut wanted, mut found) = (Pieces(expected), Pieces(actual));
    loop {
        let (left, right) = (wanted.next(), found.next());
        let (Some(left), Some(right)) = (left, right) else {
            // A bracket that is never closed leaves something over.
            let all = left.is_none() && right.is_none();
            return (all && wanted.0.is_empty() && found.0.is_empty()).then_some(level);
        };
        let needed = match (left, right) {
            (Piece::Gap(left), Piece::Gap(right)) => (left == right).then_some(Strategy::Tokens),
            (Piece::Word(left), Piece::Word(right)) => same_token(left, right, rules),
            (Piece::Literal(left), Piece::Literal(right)) if left == right => {
                Some(Strategy::Tokens)
            }
            (Piece::Literal(left), Piece::Literal(right)) if holds_items(left) => {
                same(left, right, rules)
            }
            _ => None,
        };
        level = level.max(needed?);
    }
}

/// Whether brackets hold several items, so that they are no drawing.
fn holds_items(literal: &[u8]) -> bool {
    memchr::memchr(b',', literal).is_some()
}

/// A part of a line.
#[derive(Clone, Copy)]
enum Piece<'a> {
    Gap(&'a [u8]),
    Word(&'a [u8]),
    /// What stands in brackets, with these.
    Literal(&'a [u8]),
}

/// Splits a line; what is left of it is not split yet.
struct Pieces<'a>(&'a [u8]);

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    /// Ends before a bracket that is not closed, or that something else follows than a gap.
    fn next(&mut self) -> Option<Piece<'a>> {
        let is_space = |byte: &u8| byte.is_ascii_whitespace();
        let text = self.0;
        let length = |is_one: &dyn Fn(&u8) -> bool| {
            let end = text.iter().position(|byte| !is_one(byte));
            end.unwrap_or(text.len())
        };
        let first = text.first()?;
        let (piece, length): (fn(&'a [u8]) -> Piece<'a>, usize) = match first {
            byte if is_space(byte) => (Piece::Gap, length(&is_space)),
            b'[' | b'(' | b'{' => (Piece::Literal, closed(text)?),
            _ => (Piece::Word, length(&|byte| !is_space(byte))),
        };
        let (taken, rest) = text.split_at(length);
        self.0 = rest;
        Some(piece(taken))
    }
}

/// The length of a bracket up to that which closes it, if a gap or nothing follows; brackets in quotes are text.
fn closed(text: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    let mut quote = None;
    let mut bytes = text.iter().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match (byte, quote) {
            (b'\\', Some(_)) => {
                bytes.next();
            }
            (byte, Some(open)) => quote = (*byte != open).then_some(open),
            (b'"' | b'\'', None) => quote = Some(*byte),
            (b'[' | b'(' | b'{', None) => depth += 1,
            (b']' | b')' | b'}', None) => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            let ends = text.get(at + 1).is_none_or(u8::is_ascii_whitespace);
            return ends.then_some(at + 1);
        }
    }
    None
}

/// Pass over brackets, commas and plain whole numbers that both sides write alike: nearly all of any long literal.
///
/// Stops before anything else.
fn skip_common(left: &mut Lexemes<'_>, right: &mut Lexemes<'_>) {
    loop {
        let (wanted, found) = (left.lexer.rest(), right.lexer.rest());
        let (Some(byte), Some(same)) = (wanted.first(), found.first()) else {
            return;
        };
        // Once a literal has ended, anything more makes the text no literal, which `next` has to see.
        let role = Role::of_byte(*byte);
        let inside = [&*left, &*right].iter().all(|side| {
            side.is_open() && (side.lexer.at() > side.end || role.may_touch(side.last))
        });
        let length = match byte {
            _ if byte != same || !inside => 0,
            b'0'..=b'9' => common_number(wanted, found),
            b'[' | b'(' | b'{' | b']' | b')' | b'}' | b':' | b',' => 1,
            _ => 0,
        };
        if length == 0 {
            return;
        }
        left.skip(*byte, length);
        right.skip(*byte, length);
    }
}

/// The length of the whole number that both texts start with; zero if they start with different ones, or reals.
fn common_number(left: &[u8], right: &[u8]) -> usize {
    let pairs = left.iter().zip(right);
    let length = pairs
        .take_while(|(left, right)| left == right && left.is_ascii_digit())
        .count();
    let ends = |text: &[u8]| {
        matches!(
            text.get(length),
            Some(b',' | b']' | b')' | b'}' | b':' | b' ' | b'\n')
        )
    };
    if ends(left) && ends(right) { length } else { 0 }
}

/// What a lexeme is to those beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Value,
    /// A name that calls something.
    Call,
    Open,
    Close,
    /// A comma, a colon, or what stands between a name and its value.
    Between,
}

impl Role {
    fn of(lexeme: &Lexeme<'_>) -> Role {
        match lexeme {
            Lexeme::Open(_) => Role::Open,
            Lexeme::Close(_) => Role::Close,
            Lexeme::Name(name) if constant(name).is_none() => Role::Call,
            Lexeme::Name(_) | Lexeme::Number(_) | Lexeme::Quoted(_) => Role::Value,
            _ => Role::Between,
        }
    }

    fn of_byte(byte: u8) -> Role {
        match byte {
            b'0'..=b'9' => Role::Value,
            b'[' | b'(' | b'{' => Role::Open,
            b']' | b')' | b'}' => Role::Close,
            _ => Role::Between,
        }
    }

    /// Whether it may stand right behind another: two values have something between them, be it a space as numpy prints it.
    fn may_touch(self, before: Role) -> bool {
        match self {
            Role::Value | Role::Call => matches!(before, Role::Open | Role::Between),
            Role::Open => !matches!(before, Role::Value | Role::Close),
            Role::Close | Role::Between => true,
        }
    }
}

/// The lexemes of one literal.
struct Lexemes<'a> {
    lexer: Lexer<'a>,
    /// Whether white space stands before what was read last.
    is_apart: bool,
    /// Where that ended.
    end: usize,
    /// The brackets that are open.
    open: Vec<u8>,
    /// Some bracket was closed by one of another kind, as in an interval: `[1, 2)`.
    crossed: bool,
    started: bool,
    last: Role,
}

impl<'a> Lexemes<'a> {
    fn new(text: &'a str) -> Lexemes<'a> {
        Lexemes {
            lexer: Lexer::new(text),
            is_apart: false,
            end: 0,
            open: Vec::new(),
            crossed: false,
            started: false,
            last: Role::Between,
        }
    }

    /// The next lexeme; `Some(None)` at the end, `None` where this is no single literal.
    fn next(&mut self) -> Option<Option<Lexeme<'a>>> {
        let lexeme = self.read()?;
        match lexeme {
            Some(_) if self.started && self.open.is_empty() => return None,
            Some(Lexeme::Open(open)) => self.open(open),
            Some(Lexeme::Close(close)) => self.close(close),
            _ => {}
        }
        if self.crossed {
            return None;
        }
        if let Some(role) = lexeme.as_ref().map(Role::of) {
            if !self.is_apart && !role.may_touch(self.last) {
                return None;
            }
            self.last = role;
        }
        Some(lexeme)
    }

    /// Whether the literal may go on: it has not begun, or some bracket is open.
    fn is_open(&self) -> bool {
        !self.started || !self.open.is_empty()
    }

    /// Whether the literal and its text have ended.
    fn is_done(&mut self) -> bool {
        self.started && self.is_closed() && self.lexer.rest().is_empty()
    }

    /// Whether each bracket was closed by one of its kind.
    fn is_closed(&self) -> bool {
        self.open.is_empty() && !self.crossed
    }

    fn open(&mut self, bracket: u8) {
        self.started = true;
        self.open.push(bracket);
    }

    fn close(&mut self, bracket: u8) {
        let open = match bracket {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        self.crossed |= self.open.pop() != Some(open);
    }

    /// Pass over a lexeme of `length` bytes that starts with `byte`.
    fn skip(&mut self, byte: u8, length: usize) {
        self.lexer.skip(length);
        self.end = self.lexer.at();
        self.last = Role::of_byte(byte);
        match byte {
            b'[' | b'(' | b'{' => self.open(byte),
            b']' | b')' | b'}' => self.close(byte),
            _ => {}
        }
    }

    fn read(&mut self) -> Option<Option<Lexeme<'a>>> {
        let Some((place, lexeme)) = self.lexer.next().ok()? else {
            return Some(None);
        };
        self.is_apart = place.start > self.end;
        self.end = place.end;
        Some(Some(lexeme))
    }
}

fn same_lexeme(expected: Lexeme<'_>, actual: Lexeme<'_>, rules: &Rules) -> Option<Strategy> {
    match (expected, actual) {
        // Numpy prints a real with its point.
        (Lexeme::Number(left), Lexeme::Number(right))
            if left.ends_with('.') && !rules.tolerance_stated() && !right.contains('.') =>
        {
            None
        }
        (Lexeme::Number(left), Lexeme::Number(right)) => {
            same_item(left.as_bytes(), right.as_bytes(), rules)
        }
        (Lexeme::Quoted(left), Lexeme::Quoted(right)) => same_quoted(left, right, &rules.case),
        (Lexeme::Name(left), Lexeme::Name(right)) => {
            same_name(left, right).then_some(Strategy::Typed)
        }
        (Lexeme::Name(left), Lexeme::Number(right))
        | (Lexeme::Number(left), Lexeme::Name(right)) => {
            same_item(left.as_bytes(), right.as_bytes(), rules)
        }
        (left, right) => (left == right).then_some(Strategy::Typed),
    }
}

fn same_quoted(left: Quoted<'_>, right: Quoted<'_>, case: &Case) -> Option<Strategy> {
    if left == right {
        return Some(Strategy::Typed);
    }
    if !is_printed(right) {
        return None;
    }
    let (left, right) = (unquote(left)?, unquote(right)?);
    if left == right {
        return Some(Strategy::Typed);
    }
    let (Value::Str(left), Value::Str(right)) = (left, right) else {
        return None;
    };
    word_case::same_token(left.as_bytes(), right.as_bytes(), case).then_some(Strategy::WordCase)
}

/// Whether a printer would have written this literal: none puts a comma behind the last item, or one text right behind another, or
/// writes a number in any other way than with digits, a point and an exponent.
pub(crate) fn is_printed_literal(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else {
        return false;
    };
    let mut lexer = Lexer::new(text);
    let mut last = None;
    // How many commas stand in each bracket that is open.
    let mut commas = vec![0];
    while let Ok(Some((_, lexeme))) = lexer.next() {
        let is_printed = match (lexeme, last) {
            (Lexeme::Quoted(_), Some(Lexeme::Quoted(_))) => false,
            (Lexeme::Quoted(quoted), _) => is_printed(quoted),
            (Lexeme::Number(number), _) => is_printed_number(number),
            // `(1,)`.
            (Lexeme::Close(close), Some(Lexeme::Comma)) => {
                close == b')' && commas.last() == Some(&1)
            }
            _ => true,
        };
        if !is_printed {
            return false;
        }
        match (lexeme, commas.last_mut()) {
            (Lexeme::Open(_), _) => commas.push(0),
            (Lexeme::Close(_), _) => drop(commas.pop()),
            (Lexeme::Comma, Some(count)) => *count += 1,
            _ => {}
        }
        last = Some(lexeme);
    }
    true
}

fn is_printed_number(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number).as_bytes();
    let has_base = digits.first() == Some(&b'0')
        && digits
            .get(1)
            .is_some_and(|second| b"xXoObB".contains(second));
    !has_base && !number.starts_with('+') && !number.contains('_')
}

/// Whether a printer would have written this: none escapes a plain letter, as `'\x41'`, has a prefix but for bytes, or three quotes.
fn is_printed(quoted: Quoted<'_>) -> bool {
    let is_plain = |code: &str, digits: usize| {
        let value = code.get(1..=digits);
        let value = value.and_then(|value| u32::from_str_radix(value, 16).ok());
        value
            .and_then(char::from_u32)
            .is_some_and(|c| c.is_ascii_alphanumeric())
    };
    let mut codes = quoted.body.match_indices('\\');
    let is_needless = codes.any(|(at, _)| {
        let code = &quoted.body[at + 1..];
        match code.as_bytes().first() {
            Some(b'x') => is_plain(code, 2),
            Some(b'u') => is_plain(code, 4),
            Some(b'U') => is_plain(code, 8),
            _ => false,
        }
    });
    !(quoted.raw || quoted.marked || quoted.triple || is_needless)
}

/// `True` is JSON's `true`; names that call something are the same name.
fn same_name(left: &str, right: &str) -> bool {
    const CALLS: [&str; 6] = ["array", "set", "frozenset", "deque", "dtype", "np.array"];
    match (constant(left), constant(right)) {
        (Some(left), Some(right)) => super::value::same_exactly(&left, &right),
        (None, None) => left == right && (CALLS.contains(&left) || left.starts_with("np.")),
        _ => false,
    }
}
