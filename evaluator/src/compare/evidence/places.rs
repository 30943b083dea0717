//! With how many decimal places exactly a sentence asks for a real.

use std::sync::LazyLock;

use regex::Regex;

use super::plain::pattern;
use crate::compare::number::Tolerance;
use crate::problem::FloatTolerance;

const NAMES: [&str; 11] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

static EXACTLY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:exactly|precisely) (\d{1,2}|[a-z]+) (?:decimal (?:places?|digits?)|decimals|fractional digits?|(?:digits?|places?) (?:after|to the right of|behind|following) (?:the )?(?:decimal|dot|point|comma))",
    )
});

/// As `exactly two digits after the decimal point` has it.
pub(super) fn exactly(sentence: &str) -> Option<usize> {
    let found = EXACTLY.captures(sentence)?;
    number(&found[1])
}

static AT_LEAST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:at least|no(?:t)? (?:fewer|less) than|a minimum of) (\d{1,2}|[a-z]+) (?:(?:correct|accurate|exact|significant|valid) )?(?:decimal (?:places|digits)|decimals|(?:digits|places) (?:after|behind|following) (?:the )?(?:decimal )?point)|\b(\d{1,2}|[a-z]+) or more (?:decimal (?:places|digits)|decimals|(?:digits|places) (?:after|behind|following) (?:the )?(?:decimal )?point)",
    )
});

static SO_MANY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(at (?:least|most)|up to|(?:more|less|fewer) than|maximum of|(?:(?:round|truncat|correct|accura|precis)\w*|nearest)\b[^,;]{0,40}?)? ?\b(\d{1,2}|one|two|three|four) (?:decimal (?:places?|digits?)|decimals?|fractional digits|(?:digits?|places) (?:after|behind|following|to the right of) (?:the )?(?:decimal|comma|dot|point))",
    )
});

/// Beyond so many, places say how precise a number is to be rather than how it is to be shown.
const MOST_SHOWN: usize = 4;

/// As `with two decimal places` has it, but not `rounded to two`, which is of the value.
pub(super) fn shown(sentence: &str) -> Option<usize> {
    so_many(sentence).filter(|places| *places <= MOST_SHOWN)
}

/// The same however many, of a judge that looks at the form of what is printed.
pub(super) fn so_many(sentence: &str) -> Option<usize> {
    let mut found = SO_MANY.captures_iter(sentence);
    let shown = found.find(|found| found.get(1).is_none_or(|of| shows(of.as_str())))?;
    number(&shown[2])
}

/// Whether what is said of a value goes on to how it is shown: `rounded with`, `rounded and printed with`.
fn shows(of_value: &str) -> bool {
    static ROUNDED_WITH: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^round.*\b(?:with|show\w*|print\w*|display\w*|format\w*|written|has|have|having|keep\w*)(?: (?:its|the|exactly|always))*\W*$",
        )
    });
    ROUNDED_WITH.is_match(of_value)
}

/// The tolerance of `with at least six digits after the decimal point`: half a unit of the last of them.
pub(super) fn at_least(sentence: &str) -> Option<Tolerance> {
    // Of those that have so many another is asked for.
    static OF_THOSE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"\b(?:that|which|whose|those|only|if|when|there (?:are|is))\b[^,;]{0,20}$")
    });
    static SEVERAL_WITH: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"\w(?:s|ies) (?:with|having|of) $"));
    let found = AT_LEAST.captures(sentence)?;
    let before = &sentence[..found.get(0)?.start()];
    if OF_THOSE.is_match(before) || found.get(2).is_some() && SEVERAL_WITH.is_match(before) {
        return None;
    }
    let places = number(found.get(1).or(found.get(2))?.as_str())?;
    // And what a double is off by.
    let abs = format!("0.500001e-{places}").parse().ok()?;
    Some(Tolerance::Either(FloatTolerance { abs, rel: 0.0 }))
}

/// A number in digits or as a word.
fn number(word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    let named = || NAMES.iter().position(|name| *name == word);
    word.parse().ok().or_else(named)
}
