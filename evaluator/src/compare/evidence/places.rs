//! With how many decimal places exactly a sentence asks for a real.

use std::sync::LazyLock;

use regex::Regex;

use super::plain::pattern;

const NAMES: [&str; 11] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

static EXACTLY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:exactly|precisely) (\d{1,2}|[a-z]+) (?:decimal (?:places?|digits?)|decimals|fractional digits?|(?:digits?|places?) (?:after|to the right of|behind|following) the (?:decimal|dot|point|comma))",
    )
});

/// As `exactly two digits after the decimal point` has it.
pub(super) fn exactly(sentence: &str) -> Option<usize> {
    let found = EXACTLY.captures(sentence)?;
    let number = found[1].to_lowercase();
    let named = || NAMES.iter().position(|name| *name == number);
    number.parse().ok().or_else(named)
}
