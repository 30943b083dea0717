//! The same tokens, line by line, where the space between them says nothing.
//!
//! Lines keep their tokens: `1 2` on one line is not `1` and `2` on two. Space may differ only where no careful reader
//! would see another answer: not in figures, not where the expected text sets its columns, not beside quotes.

/// A token with its place in the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// Byte offset in the line.
    pub(crate) start: usize,
    /// Its bytes.
    pub(crate) bytes: &'a [u8],
}

/// Splits a line at spaces and tabs.
#[derive(Debug, Clone)]
pub(crate) struct Tokens<'a> {
    line: &'a [u8],
    at: usize,
}

/// The tokens of `line`.
pub(crate) fn tokens(line: &[u8]) -> Tokens<'_> {
    Tokens { line, at: 0 }
}

/// The tokens of a line from the last on that ends in its head, which the line that it is compared with has in common.
pub(crate) fn tokens_behind<'a>(head: &[u8], line: &'a [u8]) -> Tokens<'a> {
    let gap = head.iter().rposition(|byte| separates(*byte));
    let end = gap.and_then(|gap| head[..gap].iter().rposition(|byte| !separates(*byte)));
    let before = end.and_then(|end| head[..end].iter().rposition(|byte| separates(*byte)));
    let at = before.map_or(0, |gap| gap + 1);
    Tokens { line, at }
}

/// The length of the token that a text starts with. Nearly all are short; the others are not looked at byte by byte.
fn length(text: &[u8]) -> usize {
    const SHORT: usize = 32;
    let near = &text[..text.len().min(SHORT)];
    let found = near.iter().position(|byte| separates(*byte));
    let far = || Some(near.len() + memchr::memchr2(b' ', b'\t', &text[near.len()..])?);
    found.or_else(far).unwrap_or(text.len())
}

fn separates(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let rest = &self.line[self.at..];
        let start = self.at + rest.iter().position(|byte| !separates(*byte))?;
        let rest = &self.line[start..];
        let length = length(rest);
        self.at = start + length;
        Some(Token {
            start,
            bytes: &rest[..length],
        })
    }
}

/// The gaps between the tokens of two lines, as far as noted.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Gaps {
    /// Some gap is wider or narrower than its counterpart.
    pub(crate) differ: bool,
    ends: Option<(usize, usize)>,
}

impl Gaps {
    /// Take note of the next pair of tokens.
    pub(crate) fn note(&mut self, expected: Token<'_>, actual: Token<'_>) {
        if let Some((left, right)) = self.ends {
            self.differ |= expected.start - left != actual.start - right;
        }
        self.ends = Some((
            expected.start + expected.bytes.len(),
            actual.start + actual.bytes.len(),
        ));
    }
}

/// Whether other gaps in the expected line would be another answer; `alone` is the only line of its text, and words are known
/// to be set apart on purpose if `words_are_set`.
pub(crate) fn gaps_matter(line: &[u8], alone: bool, words_are_set: bool) -> bool {
    is_drawn(line)
        || is_quoted(line)
        || (sets_columns(line) && !(alone && is_numeric(line)))
        || words_are_set && !is_numeric(line)
}

/// Whether the same stands between the tokens of two lines that have as many.
pub(crate) fn have_same_gaps(line: &[u8], other: &[u8]) -> bool {
    fn gaps(line: &[u8]) -> impl Iterator<Item = &[u8]> {
        let ends = tokens(line).map(|token| token.start + token.bytes.len());
        let starts = tokens(line).skip(1).map(|token| token.start);
        ends.zip(starts).map(|(end, start)| &line[end..start])
    }
    gaps(line).eq(gaps(other))
}

/// Whether some token has neither letter nor digit, as in a drawing.
pub(crate) fn is_drawn(line: &[u8]) -> bool {
    let draws = |token: Token<'_>| {
        !token
            .bytes
            .iter()
            .any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
    };
    tokens(line).any(draws)
}

/// Whether a quoted string stands in the line; an apostrophe within a word opens none.
fn is_quoted(line: &[u8]) -> bool {
    let opens = |at: usize| line[at] == b'"' || at == 0 || !line[at - 1].is_ascii_alphanumeric();
    memchr::memchr2_iter(b'"', b'\'', line).any(opens)
}

/// Whether some gap is wider than one space.
fn sets_columns(line: &[u8]) -> bool {
    line.trim_ascii()
        .windows(2)
        .any(|pair| separates(pair[0]) && separates(pair[1]))
}

/// Whether each token of a line begins as a number does.
pub(crate) fn is_numeric(line: &[u8]) -> bool {
    tokens(line).all(|token| {
        matches!(
            token.bytes,
            [b'0'..=b'9', ..] | [b'-' | b'+' | b'.', b'0'..=b'9' | b'.', ..]
        )
    })
}
