//! Says where two outputs first differ, in few words.

use std::fmt;

use super::tokenize::Token;
use super::whitespace::{Line, indent};

/// Characters of a token that are shown.
pub(crate) const SHOWN: usize = 80;

/// Where two outputs first differ; every text is capped.
#[derive(
    Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Difference {
    /// Line, from 1, in the actual output; absent for values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Column, from 1, in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Where in the value: `[2]["x"]`; absent for text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The expected token there; empty where nothing more is expected.
    pub expected: String,
    /// The actual token there; empty where the output has ended.
    pub actual: String,
}

impl fmt::Display for Difference {
    /// `line 3, column 4: expected "4", found "5"`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column, self.path.as_deref()) {
            (Some(line), Some(column), _) => write!(formatter, "line {line}, column {column}: ")?,
            (Some(line), None, _) => write!(formatter, "line {line}: ")?,
            (None, _, None | Some("")) => {}
            (None, _, Some(path)) => write!(formatter, "{path}: ")?,
        }
        match self.expected.as_str() {
            "" => write!(formatter, "expected nothing more, ")?,
            token => write!(formatter, "expected {token:?}, ")?,
        }
        match self.actual.as_str() {
            "" => write!(formatter, "found nothing more"),
            token => write!(formatter, "found {token:?}"),
        }
    }
}

/// Where a walk over two texts stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextMismatch<'a> {
    /// One text has no more lines.
    Lines(Option<Line<'a>>, Option<Line<'a>>),
    /// Tokens of a line differ, or one line has no more.
    Tokens(Line<'a>, Line<'a>, Option<Token<'a>>, Option<Token<'a>>),
    /// Only the space differs, but it matters.
    Space(Line<'a>, Line<'a>),
}

impl TextMismatch<'_> {
    /// The line of the expected text; `None` where that had ended.
    pub(crate) fn line(&self) -> Option<usize> {
        match self {
            TextMismatch::Lines(expected, _) => expected.map(|line| line.number),
            TextMismatch::Tokens(expected, ..) | TextMismatch::Space(expected, _) => {
                Some(expected.number)
            }
        }
    }

    /// The difference as shown; `actual` is the whole actual text.
    pub(crate) fn describe(&self, actual: &[u8]) -> Difference {
        match *self {
            TextMismatch::Lines(expected, None) => Difference {
                line: Some(end_line(actual)),
                column: Some(1),
                path: None,
                expected: expected.map_or(String::new(), |line| show(line.bytes.trim_ascii())),
                actual: String::new(),
            },
            TextMismatch::Lines(expected, Some(actual)) => Difference {
                line: Some(actual.number),
                column: Some(indent(actual.bytes) + 1),
                path: None,
                expected: expected.map_or(String::new(), |line| show(line.bytes)),
                actual: show(actual.bytes.trim_ascii()),
            },
            TextMismatch::Tokens(_, line, Some(expected), Some(actual))
                if common(expected.bytes, actual.bytes) > SHOWN / 2 =>
            {
                inside(expected, actual, line)
            }
            TextMismatch::Tokens(_, line, expected, actual) => Difference {
                line: Some(line.number),
                column: Some(column(
                    line.bytes,
                    actual.map_or(line.bytes.len(), |token| token.start),
                )),
                path: None,
                expected: expected.map_or(String::new(), |token| show(token.bytes)),
                actual: actual.map_or(String::new(), |token| show(token.bytes)),
            },
            TextMismatch::Space(expected, actual) => {
                at_byte(expected.bytes, actual.bytes, actual.number)
            }
        }
    }
}

/// Two long tokens with a common head, shown from shortly before they part.
fn inside(expected: Token<'_>, actual: Token<'_>, line: Line<'_>) -> Difference {
    let same = common(expected.bytes, actual.bytes);
    let from = |token: &[u8]| format!("…{}", show(&token[same - SHOWN / 8..]));
    Difference {
        line: Some(line.number),
        column: Some(column(line.bytes, actual.start + same)),
        path: None,
        expected: from(expected.bytes),
        actual: from(actual.bytes),
    }
}

/// The line after the last that holds something.
fn end_line(text: &[u8]) -> usize {
    let text = text.trim_ascii_end();
    if text.is_empty() {
        1
    } else {
        memchr::memchr_iter(b'\n', text).count() + 2
    }
}

/// The first different byte of two whole texts.
pub(crate) fn of_bytes(expected: &[u8], actual: &[u8]) -> Difference {
    let same = common(expected, actual);
    let line = memchr::memchr_iter(b'\n', &actual[..same]).count() + 1;
    let start = memchr::memrchr(b'\n', &actual[..same]).map_or(0, |end| end + 1);
    let rest = |text: &'_ [u8]| -> usize {
        start + memchr::memchr(b'\n', &text[start..]).map_or(text.len() - start, |end| end + 1)
    };
    at_byte(
        &expected[start..rest(expected)],
        &actual[start..rest(actual)],
        line,
    )
}

/// The first different byte of two lines; both shown from there, with white space made visible.
fn at_byte(expected: &[u8], actual: &[u8], line: usize) -> Difference {
    let mut same = common(expected, actual);
    // Back to the first byte of the character that differs: half of one would be shown as a question mark.
    while same > 0
        && expected
            .get(same)
            .or(actual.get(same))
            .is_some_and(|byte| byte & 0xc0 == 0x80)
    {
        same -= 1;
    }
    let visible = |text: &[u8]| {
        cap(&String::from_utf8_lossy(head(&text[same..]))
            .escape_debug()
            .to_string())
    };
    Difference {
        line: Some(line),
        column: Some(column(actual, same)),
        path: None,
        expected: visible(expected),
        actual: visible(actual),
    }
}

/// The length of the common head of two texts, by blocks.
pub(crate) fn common(left: &[u8], right: &[u8]) -> usize {
    // Slices compare at the speed of memcmp, single bytes do not; only the block that differs is looked at closely.
    const BLOCK: usize = 4096;
    let blocks = left
        .chunks(BLOCK)
        .zip(right.chunks(BLOCK))
        .take_while(|(left, right)| left == right);
    let start = blocks.map(|(left, _)| left.len()).sum::<usize>();
    let rest = left[start..].iter().zip(&right[start..]);
    start + rest.take_while(|(left, right)| left == right).count()
}

/// The column, from 1, of the character at byte `at` of `line`.
fn column(line: &[u8], at: usize) -> usize {
    // Without a copy: what is no UTF-8 would grow to three times its size in one.
    let chunks = line[..at].utf8_chunks();
    let width = |chunk: std::str::Utf8Chunk<'_>| {
        chunk.valid().chars().count() + usize::from(!chunk.invalid().is_empty())
    };
    chunks.map(width).sum::<usize>() + 1
}

/// Enough for all that is shown. A hostile token may have a hundred megabytes.
fn head(text: &[u8]) -> &[u8] {
    &text[..text.len().min(SHOWN * 8)]
}

fn show(text: &[u8]) -> String {
    cap(&String::from_utf8_lossy(head(text)))
}

/// The head of a text.
pub(crate) fn cap(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
