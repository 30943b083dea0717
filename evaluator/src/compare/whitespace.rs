//! The same but for line ends, trailing space and blank lines: texts as their lines that hold something.
//!
//! Leading space is kept: in a figure it is the answer.

/// A line that holds something, without its line end and trailing space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// From 1, blank lines counted.
    pub(crate) number: usize,
    /// Blank lines right before it.
    pub(crate) blanks_before: usize,
    /// Its bytes, leading space included.
    pub(crate) bytes: &'a [u8],
}

/// The lines of a text that hold something.
#[derive(Debug, Clone)]
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    number: usize,
}

/// The lines of `text`; a byte order mark at its head is no part of it.
pub(crate) fn lines(text: &[u8]) -> Lines<'_> {
    Lines {
        rest: text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text),
        number: 0,
    }
}

/// Space within a line, the carriage return of a line end included.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let mut start = 0;
        let mut at = 0;
        let mut blanks_before = 0;
        loop {
            match self.rest.get(at)? {
                b'\n' => {
                    blanks_before += 1;
                    start = at + 1;
                }
                byte if is_space(*byte) => {}
                _ => break,
            }
            at += 1;
        }
        let end = memchr::memchr(b'\n', &self.rest[at..]).map_or(self.rest.len(), |step| at + step);
        let last = self.rest[..end].iter().rposition(|byte| !is_space(*byte))?;
        let bytes = &self.rest[start..=last];
        self.rest = self.rest.get(end + 1..).unwrap_or(&[]);
        self.number += blanks_before + 1;
        Some(Line {
            number: self.number,
            blanks_before,
            bytes,
        })
    }
}

/// Whether blank lines may be part of the answer: lines of drawing characters alone, or lines set in by different widths.
pub(crate) fn is_figure(text: &[u8]) -> bool {
    let mut indents = lines(text).map(|line| indent(line.bytes));
    let first = indents.next();
    indents.any(|width| Some(width) != first)
        || lines(text).any(|line| {
            !line
                .bytes
                .iter()
                .any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
        })
}

/// Whether blank lines stand between others: each is an answer, or parts two.
pub(crate) fn has_gaps(text: &[u8]) -> bool {
    lines(text).skip(1).any(|line| line.blanks_before > 0)
}

/// Whether one text has more blank lines at its head and the other at its end: an answer that is empty has moved.
pub(crate) fn are_blanks_at_another_end(expected: &[u8], actual: &[u8]) -> bool {
    let ((head, end), (other_head, other_end)) = (blank_ends(expected), blank_ends(actual));
    head < other_head && end > other_end || head > other_head && end < other_end
}

/// How many line ends stand before all that a text holds, and behind that.
fn blank_ends(text: &[u8]) -> (usize, usize) {
    fn line_ends<'a>(bytes: impl Iterator<Item = &'a u8>) -> usize {
        bytes
            .take_while(|byte| is_space(**byte) || **byte == b'\n')
            .filter(|byte| **byte == b'\n')
            .count()
    }
    (line_ends(text.iter()), line_ends(text.iter().rev()))
}

/// The width of the leading space.
pub(crate) fn indent(line: &[u8]) -> usize {
    line.iter().take_while(|byte| is_space(**byte)).count()
}
