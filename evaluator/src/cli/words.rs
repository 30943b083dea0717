//! Counts in words.

/// A number of things, in words: `1 test`, `2 tests`.
pub fn several(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}
