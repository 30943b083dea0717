//! Counts in words, and names that stand on one line.

/// A number of things, in words: `1 test`, `2 tests`.
pub fn several(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// A name or a line of text that others chose, without line ends or what would move a terminal's cursor.
pub fn on_one_line(text: &str) -> String {
    let plain = |c: char| match c {
        '\t' => c,
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    text.chars().map(plain).collect()
}
