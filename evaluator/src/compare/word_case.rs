//! The same but for the case of yes/no-like words.

use std::collections::BTreeSet;
use std::sync::Arc;

/// Words that say whether something is so.
const VERDICTS: [&str; 8] = [
    "yes",
    "no",
    "true",
    "false",
    "possible",
    "impossible",
    "valid",
    "invalid",
];

/// Words that answer another question.
pub(crate) const ANSWERS: [&str; 10] = [
    "win", "lose", "draw", "tie", "first", "second", "alice", "bob", "even", "odd",
];

/// Whether letter case matters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Case {
    /// It does.
    #[default]
    Strict,
    /// Not in yes and no.
    YesNo,
    /// Not in words that say whether something is so, nor in these, in lower case, which the statement asks to print.
    Answers(Arc<BTreeSet<String>>),
    /// In no word.
    Ignored,
}

/// Whether the words differ at most in case, and their case does not matter.
pub(crate) fn same_token(expected: &[u8], actual: &[u8], case: &Case) -> bool {
    match case {
        Case::Strict => false,
        Case::Answers(vocabulary) => {
            expected.eq_ignore_ascii_case(actual)
                && (is_verdict(expected) || asked_for(expected, vocabulary))
        }
        Case::YesNo => {
            let is_either = |word: &[u8]| {
                [b"yes".as_slice(), b"no"]
                    .iter()
                    .any(|known| known.eq_ignore_ascii_case(word))
            };
            expected.eq_ignore_ascii_case(actual) && is_either(bare(expected))
        }
        Case::Ignored => same_letters(expected, actual),
    }
}

fn asked_for(word: &[u8], vocabulary: &BTreeSet<String>) -> bool {
    let word = std::str::from_utf8(bare(word)).map(str::to_lowercase);
    word.is_ok_and(|word| vocabulary.contains(&word))
}

/// A word without the mark that ends it.
fn bare(word: &[u8]) -> &[u8] {
    word.strip_suffix(b".")
        .or_else(|| word.strip_suffix(b"!"))
        .unwrap_or(word)
}

/// Whether the word answers a question, in any case and whatever mark ends it.
pub(crate) fn is_answer(word: &[u8]) -> bool {
    is_verdict(word) || is_among(&ANSWERS, word)
}

/// Whether it says that something is so, or is not.
pub(crate) fn is_verdict(word: &[u8]) -> bool {
    is_among(&VERDICTS, word)
}

fn is_among(words: &[&str], word: &[u8]) -> bool {
    let bare = bare(word);
    words
        .iter()
        .any(|known| known.as_bytes().eq_ignore_ascii_case(bare))
}

/// A letter in lower case; a sign such as the one for kelvins is no letter of the alphabet, though Unicode has it become one.
fn lower(letter: char) -> impl Iterator<Item = char> {
    let is_sign = !letter.is_ascii() && letter.to_lowercase().all(|lower| lower.is_ascii());
    let lowered = (!is_sign).then(|| letter.to_lowercase());
    lowered
        .into_iter()
        .flatten()
        .chain(is_sign.then_some(letter))
}

/// The same letters of any script, whatever their case.
fn same_letters(left: &[u8], right: &[u8]) -> bool {
    if left.is_ascii() && right.is_ascii() {
        return left.eq_ignore_ascii_case(right);
    }
    match (std::str::from_utf8(left), std::str::from_utf8(right)) {
        (Ok(left), Ok(right)) => left
            .chars()
            .flat_map(lower)
            .eq(right.chars().flat_map(lower)),
        _ => left == right,
    }
}
