//! An output, read as testlib reads it: a token ends at a space, a tab or a line's end, and at nothing else.

use super::rejection::{Rejection, excerpt};

/// The longest output that is read.
const MOST_BYTES: usize = 128 << 20;

/// The longest token that is read.
const LONGEST_TOKEN: usize = 32 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What testlib takes for a character where a text ends behind a lone carriage return.
const END_MARK: u8 = 255;

/// One of the two outputs, from the place on that is read next.
#[derive(Clone)]
pub(super) struct Stream<'a> {
    rest: &'a [u8],
    is_expected: bool,
}

impl<'a> Stream<'a> {
    /// The output of the problem's author. A fault in it is nobody's wrong answer.
    pub fn expected(text: &'a [u8]) -> Result<Stream<'a>, Rejection> {
        Stream::of(text, true)
    }

    /// The output of the program that is judged.
    pub fn actual(text: &'a [u8]) -> Result<Stream<'a>, Rejection> {
        let mut stream = Stream::of(text, false)?;
        stream.rest = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        Ok(stream)
    }

    fn of(text: &'a [u8], is_expected: bool) -> Result<Stream<'a>, Rejection> {
        let stream = Stream {
            rest: text,
            is_expected,
        };
        match text.len() {
            0..=MOST_BYTES => Ok(stream),
            size => Err(stream.refuse(&format!(
                "File size exceeds {MOST_BYTES} bytes, size is {size}"
            ))),
        }
    }

    /// The complaint that this is no answer.
    pub fn refuse(&self, why: &str) -> Rejection {
        if self.is_expected {
            Rejection::Undecided(format!("{why} (answer)"))
        } else {
            Rejection::Malformed(why.to_owned())
        }
    }

    /// Whether nothing but space is left.
    pub fn at_end(&mut self) -> bool {
        let blanks = self.rest.iter().take_while(|byte| is_blank(**byte)).count();
        self.rest = &self.rest[blanks..];
        self.rest.is_empty()
    }

    /// Whether nothing is left, not even space.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next token.
    pub fn token(&mut self) -> Result<&'a [u8], Rejection> {
        self.token_of("token")
    }

    /// The next token, a `kind` of thing.
    fn token_of(&mut self, kind: &str) -> Result<&'a [u8], Rejection> {
        if self.at_end() {
            return Err(self.refuse(&format!("Unexpected end of file - {kind} expected")));
        }
        let blank = self.rest.iter().position(|byte| is_blank(*byte));
        let (token, rest) = self.rest.split_at(blank.unwrap_or(self.rest.len()));
        if token.len() > LONGEST_TOKEN {
            let shown = excerpt(&token[..=LONGEST_TOKEN]);
            return Err(self.refuse(&format!(
                "Length of token exceeds {LONGEST_TOKEN}, token is '{shown}...'"
            )));
        }
        self.rest = rest;
        Ok(token)
    }

    /// The next line, without its end; empty where none is left. A carriage return that does not end the line is dropped,
    /// and what follows it is a character like any other.
    pub fn line(&mut self) -> Vec<u8> {
        let mut line = Vec::new();
        loop {
            match self.rest {
                [] => return line,
                [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] => {
                    self.rest = rest;
                    return line;
                }
                [b'\r'] => {
                    self.rest = &[];
                    line.push(END_MARK);
                }
                [b'\r', byte, rest @ ..] | [byte, rest @ ..] => {
                    self.rest = rest;
                    line.push(*byte);
                }
            }
        }
    }

    /// The next token as a signed 32-bit integer.
    pub fn int32(&mut self) -> Result<i32, Rejection> {
        let token = self.token_of("int32")?;
        let number = self.integer(token)?;
        i32::try_from(number).map_err(|_| self.expected_but("int32", token))
    }

    /// The next token as a signed 64-bit integer.
    pub fn int64(&mut self) -> Result<i64, Rejection> {
        let token = self.token_of("int64")?;
        self.integer(token)
    }

    /// A token of this stream as a signed 64-bit integer, which can be written in one way only.
    pub fn integer(&self, token: &[u8]) -> Result<i64, Rejection> {
        let number = is_plain_integer(token)
            .then(|| str::from_utf8(token).ok()?.parse().ok())
            .flatten();
        number.ok_or_else(|| self.expected_but("integer", token))
    }

    /// The next token as a real: decimal or scientific, finite or too large.
    pub fn real(&mut self) -> Result<f64, Rejection> {
        let token = self.token_of("double")?;
        real(token).ok_or_else(|| self.expected_but("double", token))
    }

    fn expected_but(&self, kind: &str, token: &[u8]) -> Rejection {
        let shown = excerpt(token);
        let zero = match token.contains(&0) {
            true => " (it contains \\0)",
            false => "",
        };
        self.refuse(&format!("Expected {kind}, but \"{shown}\" found{zero}"))
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | b' ' | b'\t')
}

/// Whether `token` is an integer of any size without a plus, leading zeros or a negative zero.
pub(super) fn is_plain_integer(token: &[u8]) -> bool {
    match token.strip_prefix(b"-").unwrap_or(token) {
        [b'0'] => token.len() == 1,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// A real. The C library's reading, on which testlib's rests, lets the digits of an exponent be missing.
fn real(token: &[u8]) -> Option<f64> {
    let is_exponent = |byte: &u8| matches!(byte, b'e' | b'E');
    let (mantissa, exponent) = match token.iter().position(is_exponent) {
        Some(place) => (&token[..place], &token[place + 1..]),
        None => (token, &[][..]),
    };
    let digits = exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+"));
    let digits = digits.unwrap_or(exponent);
    let is_number = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
    if !is_number(digits) || !is_mantissa(mantissa) {
        return None;
    }
    let number = if digits.is_empty() { mantissa } else { token };
    str::from_utf8(number).ok()?.parse().ok()
}

fn is_mantissa(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").or(text.strip_prefix(b"+"));
    let digits = digits.unwrap_or(text);
    let points = digits.iter().filter(|byte| **byte == b'.').count();
    let others = digits.iter().filter(|byte| **byte != b'.');
    points <= 1 && digits.len() > points && others.into_iter().all(u8::is_ascii_digit)
}
