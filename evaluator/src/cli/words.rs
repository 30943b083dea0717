//! Counts in words, and names that stand on one line.

/// A number of things, in words: `1 test`, `2 tests`.
pub fn several(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// Whether a character shows what stands around it in another order.
fn is_directing(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A name or a line of text that others chose, without line ends or what would move a terminal's cursor.
pub fn on_one_line(text: &str) -> String {
    let plain = |c: char| match c {
        '\t' => c,
        c if c.is_control() || is_directing(c) => '\u{fffd}',
        c => c,
    };
    text.chars().map(plain).collect()
}
