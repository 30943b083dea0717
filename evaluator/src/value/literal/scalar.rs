//! Numbers and strings of a literal, as values.

use num_bigint::BigInt;

use crate::Value;
use crate::value::DataBudget;

use super::lexer::{Quoted, SyntaxError};

/// The number that `text` writes.
pub(super) fn number(text: &str, at: usize, budget: &DataBudget) -> Result<Value, SyntaxError> {
    let (negative, digits) = match text.as_bytes()[0] {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let digits = without_underscores(digits, at)?;
    let sign = if negative { -1.0 } else { 1.0 };
    if let Some(named) = named(&digits) {
        return Ok(Value::Float(sign * named));
    }
    if let Some(radix) = radix(&digits) {
        return integer(&digits[2..], radix, negative).ok_or_else(|| not_a_number(&digits, at));
    }
    if let Some(imaginary) = digits.strip_suffix(['j', 'J']) {
        return Ok(Value::Complex(0.0, sign * real(imaginary, at)?));
    }
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        if digits.starts_with('0') && digits.bytes().any(|byte| byte != b'0') {
            return Err(SyntaxError::new(at, format!("leading zero in {text:?}")));
        }
        budget
            .read_digits(digits.len())
            .map_err(|limit| SyntaxError::new(at, limit.to_string()))?;
        return integer(&digits, 10, negative).ok_or_else(|| not_a_number(&digits, at));
    }
    Ok(Value::Float(sign * real(&digits, at)?))
}

fn named(digits: &str) -> Option<f64> {
    match digits {
        "inf" | "Infinity" => Some(f64::INFINITY),
        "nan" | "NaN" => Some(f64::NAN),
        _ => None,
    }
}

fn radix(digits: &str) -> Option<u32> {
    match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => Some(16),
        [b'0', b'o' | b'O', ..] => Some(8),
        [b'0', b'b' | b'B', ..] => Some(2),
        _ => None,
    }
}

/// Python allows one underscore between two digits.
fn without_underscores(digits: &str, at: usize) -> Result<String, SyntaxError> {
    if digits.starts_with('_') || digits.ends_with('_') || digits.contains("__") {
        return Err(SyntaxError::new(
            at,
            format!("misplaced underscore in {digits:?}"),
        ));
    }
    Ok(digits.replace('_', ""))
}

fn integer(digits: &str, radix: u32, negative: bool) -> Option<Value> {
    let magnitude = BigInt::parse_bytes(digits.as_bytes(), radix)?;
    Some(Value::from(if negative { -magnitude } else { magnitude }))
}

fn not_a_number(digits: &str, at: usize) -> SyntaxError {
    SyntaxError::new(at, format!("not a number: {digits:?}"))
}

/// Overflow gives infinity, as in Python.
fn real(digits: &str, at: usize) -> Result<f64, SyntaxError> {
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return Err(not_a_number(digits, at));
    }
    digits.parse().map_err(|_| not_a_number(digits, at))
}

/// The string or bytes that `quoted` writes; `at` is where it starts in the text.
pub(super) fn string(quoted: Quoted<'_>, at: usize) -> Result<Value, SyntaxError> {
    if quoted.bytes {
        return Ok(Value::Bytes(bytes(quoted, at)?));
    }
    if quoted.raw || !quoted.body.contains('\\') {
        return Ok(Value::Str(quoted.body.to_owned()));
    }
    text(quoted.body, at).map(Value::Str)
}

/// Undo the escapes of a `str`; JSON's `\/` and surrogate pairs too.
fn text(body: &str, at: usize) -> Result<String, SyntaxError> {
    let mut out = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(slash) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..slash]);
        rest = &rest[slash + 1..];
        let Some(kind) = rest.chars().next() else {
            return Err(SyntaxError::new(at, "string ends in a backslash"));
        };
        rest = &rest[kind.len_utf8()..];
        if let Some(plain) = plain_escape(kind) {
            out.extend(plain);
            continue;
        }
        match kind {
            '/' => out.push('/'),
            'x' => out.push(scalar(hex(&mut rest, 2, at)?, at)?),
            'u' => out.push(utf16(&mut rest, at)?),
            'U' => out.push(scalar(hex(&mut rest, 8, at)?, at)?),
            '0'..='7' => out.push(scalar(octal(kind, &mut rest), at)?),
            'N' => return Err(SyntaxError::new(at, "named characters are not supported")),
            other => out.extend(['\\', other]),
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// Escapes of one character; `Some(None)` for an escaped line end, which stands for nothing.
fn plain_escape(kind: char) -> Option<Option<char>> {
    Some(match kind {
        '\n' => None,
        '\\' | '\'' | '"' => Some(kind),
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        'a' => Some('\u{7}'),
        'b' => Some('\u{8}'),
        'f' => Some('\u{c}'),
        'v' => Some('\u{b}'),
        _ => return Option::None,
    })
}

fn hex(rest: &mut &str, width: usize, at: usize) -> Result<u32, SyntaxError> {
    let digits = rest.get(..width).unwrap_or("");
    let all_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match u32::from_str_radix(digits, 16) {
        Ok(number) if all_hex => {
            *rest = &rest[width..];
            Ok(number)
        }
        _ => Err(SyntaxError::new(
            at,
            format!("escape needs {width} hex digits"),
        )),
    }
}

fn octal(first: char, rest: &mut &str) -> u32 {
    let more = rest
        .bytes()
        .take(2)
        .take_while(|byte| matches!(byte, b'0'..=b'7'))
        .count();
    let number = rest[..more]
        .bytes()
        .fold(first as u32 - '0' as u32, |number, digit| {
            number * 8 + u32::from(digit - b'0')
        });
    *rest = &rest[more..];
    number
}

/// `\u` and four hexadecimal digits, twice where the first is half of a surrogate pair.
fn utf16(rest: &mut &str, at: usize) -> Result<char, SyntaxError> {
    let high = hex(rest, 4, at)?;
    if !(0xd800..0xdc00).contains(&high) {
        return scalar(high, at);
    }
    let low = match rest.strip_prefix("\\u") {
        Some(tail) => {
            *rest = tail;
            hex(rest, 4, at)?
        }
        None => 0,
    };
    if !(0xdc00..0xe000).contains(&low) {
        return Err(SyntaxError::new(at, "half of a surrogate pair"));
    }
    scalar(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), at)
}

fn scalar(code: u32, at: usize) -> Result<char, SyntaxError> {
    char::from_u32(code)
        .ok_or_else(|| SyntaxError::new(at, format!("no character has code {code:#x}")))
}

/// Undo the escapes of a `bytes` literal.
fn bytes(quoted: Quoted<'_>, at: usize) -> Result<Vec<u8>, SyntaxError> {
    if !quoted.body.is_ascii() {
        return Err(SyntaxError::new(at, "bytes hold only ascii characters"));
    }
    if quoted.raw {
        return Ok(quoted.body.as_bytes().to_vec());
    }
    let mut out = Vec::with_capacity(quoted.body.len());
    let mut rest = quoted.body;
    while let Some(slash) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.extend_from_slice(&rest.as_bytes()[..slash]);
        rest = &rest[slash + 1..];
        let Some(kind) = rest.chars().next() else {
            return Err(SyntaxError::new(at, "bytes end in a backslash"));
        };
        rest = &rest[1..];
        match plain_escape(kind) {
            Some(plain) => out.extend(plain.map(|c| c as u8)),
            None if kind == 'x' => out.push(hex(&mut rest, 2, at)? as u8),
            // Python keeps the low eight bits of an octal escape.
            None if kind.is_digit(8) => out.push(octal(kind, &mut rest) as u8),
            None => out.extend([b'\\', kind as u8]),
        }
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(out)
}
