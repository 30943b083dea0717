//! Splits a literal into lexemes; knows no grammar, so that two huge literals can be compared lexeme by lexeme.

use std::ops::Range;

/// One lexeme, borrowed from the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lexeme<'a> {
    /// `(`, `[` or `{`.
    Open(u8),
    /// `)`, `]` or `}`.
    Close(u8),
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `=`, as in `dtype=int`.
    Equals,
    /// A number with its sign, also `-inf`, `0x1f`, `1_000` and the imaginary `2j`.
    Number(&'a str),
    /// `True`, `null`, `np.int64`: letters, digits, `_` and `.`.
    Name(&'a str),
    /// A string.
    Quoted(Quoted<'a>),
}

/// A string as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quoted<'a> {
    /// What stands between the quotes, escapes untouched.
    pub(crate) body: &'a str,
    /// Prefix `b`.
    pub(crate) bytes: bool,
    /// Prefix `r`: a backslash is a backslash.
    pub(crate) raw: bool,
    /// Prefix `u`, which says nothing.
    pub(crate) marked: bool,
    /// Three quotes on either side.
    pub(crate) triple: bool,
}

/// What is wrong, and at which byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    /// Byte offset into the text.
    pub(crate) at: usize,
    /// A lowercase fragment.
    pub(crate) message: String,
}

impl SyntaxError {
    /// A fault at byte `at`.
    pub(crate) fn new(at: usize, message: impl Into<String>) -> SyntaxError {
        SyntaxError {
            at,
            message: message.into(),
        }
    }
}

/// Reads lexemes from left to right.
#[derive(Debug, Clone)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    /// Start at the beginning of `text`.
    pub(crate) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    /// The next lexeme with its bytes in the text; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<(Range<usize>, Lexeme<'a>)>, SyntaxError> {
        let bytes = self.text.as_bytes();
        self.at = after_space(bytes, self.at);
        let start = self.at;
        let Some(&first) = bytes.get(start) else {
            return Ok(None);
        };
        let lexeme = match first {
            b'(' | b'[' | b'{' => self.one(Lexeme::Open(first)),
            b')' | b']' | b'}' => self.one(Lexeme::Close(first)),
            b',' => self.one(Lexeme::Comma),
            b':' => self.one(Lexeme::Colon),
            b'=' => self.one(Lexeme::Equals),
            b'"' | b'\'' => Lexeme::Quoted(self.quoted(start, start)?),
            b'0'..=b'9' | b'+' | b'-' | b'.' => Lexeme::Number(self.number()?),
            _ => self.word()?,
        };
        Ok(Some((start..self.at, lexeme)))
    }

    /// What is left of the text, from the next lexeme on.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        self.at = after_space(self.text.as_bytes(), self.at);
        &self.text.as_bytes()[self.at..]
    }

    /// Where in the text it is.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Skip `count` ASCII bytes that are whole lexemes.
    pub(crate) fn skip(&mut self, count: usize) {
        self.at += count;
    }

    fn one(&mut self, lexeme: Lexeme<'a>) -> Lexeme<'a> {
        self.at += 1;
        lexeme
    }

    /// A name, or a string with a prefix.
    fn word(&mut self) -> Result<Lexeme<'a>, SyntaxError> {
        let start = self.at;
        self.run(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.');
        let name = &self.text[start..self.at];
        if name.is_empty() {
            let found = self.text[start..].chars().next().unwrap_or(' ');
            return Err(SyntaxError::new(start, format!("unexpected {found:?}")));
        }
        if matches!(self.text.as_bytes().get(self.at), Some(b'"' | b'\'')) {
            return Ok(Lexeme::Quoted(self.quoted(start, self.at)?));
        }
        Ok(Lexeme::Name(name))
    }

    /// A string whose prefix starts at `start` and whose quote stands at `quote`.
    fn quoted(&mut self, start: usize, quote: usize) -> Result<Quoted<'a>, SyntaxError> {
        let prefix = self.text[start..quote].to_ascii_lowercase();
        let marked = prefix == "u";
        let (bytes, raw) = match prefix.as_str() {
            "" | "u" => (false, false),
            "r" => (false, true),
            "b" => (true, false),
            "br" | "rb" => (true, true),
            _ => {
                let message = format!("unknown string prefix {prefix:?}");
                return Err(SyntaxError::new(start, message));
            }
        };
        let triple = self.has_three(quote);
        let body = self.body(quote)?;
        Ok(Quoted {
            body,
            bytes,
            raw,
            marked,
            triple,
        })
    }

    /// Whether three quotes of one kind begin at `quote`.
    fn has_three(&self, quote: usize) -> bool {
        let rest = &self.text.as_bytes()[quote..];
        rest.starts_with(&[rest[0]; 3])
    }

    /// The text between the quotes that open at `quote`.
    fn body(&mut self, quote: usize) -> Result<&'a str, SyntaxError> {
        let mark = self.text.as_bytes()[quote];
        let triple = self.has_three(quote);
        let width = if triple { 3 } else { 1 };
        let open = quote + width;
        let mut at = open;
        while let Some(step) = memchr::memchr3(mark, b'\\', b'\n', &self.text.as_bytes()[at..]) {
            at += step;
            let here = &self.text.as_bytes()[at..];
            match here[0] {
                // Whatever is escaped cannot end the string; a text that ends here has no end quote either.
                b'\\' => at = (at + 2).min(self.text.len()),
                b'\n' if !triple => return Err(SyntaxError::new(at, "line end inside a string")),
                byte if byte == mark && (!triple || here.starts_with(&[mark; 3])) => {
                    self.at = at + width;
                    return Ok(&self.text[open..at]);
                }
                _ => at += 1,
            }
        }
        Err(SyntaxError::new(quote, "string without an end"))
    }

    /// A number with its sign.
    fn number(&mut self) -> Result<&'a str, SyntaxError> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        if matches!(bytes[start], b'+' | b'-') {
            self.at += 1;
        }
        let radix = bytes.get(self.at) == Some(&b'0')
            && matches!(
                bytes.get(self.at + 1),
                Some(b'x' | b'X' | b'o' | b'O' | b'b' | b'B')
            );
        if radix || bytes.get(self.at).is_some_and(u8::is_ascii_alphabetic) {
            self.run(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        } else {
            self.decimal();
        }
        if !self.text[start..self.at].contains(|c: char| c.is_ascii_alphanumeric()) {
            return Err(SyntaxError::new(start, "expected a number"));
        }
        Ok(&self.text[start..self.at])
    }

    /// Digits, a point, an exponent and `j`.
    fn decimal(&mut self) {
        let bytes = self.text.as_bytes();
        self.run(|byte| byte.is_ascii_digit() || byte == b'_');
        if bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.run(|byte| byte.is_ascii_digit() || byte == b'_');
        }
        if matches!(bytes.get(self.at), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(self.at + 1), Some(b'+' | b'-')));
            if bytes
                .get(self.at + 1 + sign)
                .is_some_and(u8::is_ascii_digit)
            {
                self.at += 1 + sign;
                self.run(|byte| byte.is_ascii_digit() || byte == b'_');
            }
        }
        if matches!(bytes.get(self.at), Some(b'j' | b'J')) {
            self.at += 1;
        }
    }

    fn run(&mut self, belongs: impl Fn(u8) -> bool) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest
            .iter()
            .position(|&byte| !belongs(byte))
            .unwrap_or(rest.len());
    }
}

fn after_space(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}
