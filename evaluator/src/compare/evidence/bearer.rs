//! What a sentence gives an error to, by its name: `the average height may be off by up to 0.01`.

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::free_order::Asked;
use super::plain::pattern;
use super::things::Things;

/// What an answer comes from, or is called for short.
static PRINTS: Concept = Concept::new(&[(
    r"you|it|they|these|those|answers?|outputs?|results?|programs?|solutions?|errors?|former|latter|one",
    "You may have an error of 0.01 in the mean.",
)]);

/// As many names as are looked at in a sentence.
const MOST: usize = 16;

/// Where a name stands, each with a sentence in which one does. What is captured is where it begins.
const PLACES: &[(&str, &str)] = &[
    (
        r"^\W*(?:the |its |any |an? )?(?:maximum |maximal )?(?:errors?|deviation|inaccuracy) (?:of|in|on|for) (?:the|its|your) (\w+)",
        "The maximal error of the mean must not exceed 0.01.",
    ),
    (
        r"\b(?:error|deviation|tolerance)[^,;]{0,15} (?:of|for|in|on) (?:the|its|your|their) (\w+)",
        "The absolute error of the mean must not exceed 0.01.",
    ),
    (
        r"\berrors?[^,;]{0,40} when comparing (?:the|its|your|their) (\w+)",
        "An error of 0.01 is allowed when comparing the mean.",
    ),
    (
        r"^\W*(?:only )?(?:for|in|of|on) (?:the|its|your) (\w+)[^,;]{0,20}, ",
        "For the mean, an absolute error of 0.01 is allowed.",
    ),
    (
        r"\band (?:the|its|their) (\w+)(?: \w+){0,3} \((?:with|within) ",
        "Print the price and the mean (within 0.01).",
    ),
    (
        r"\band,? with [^,;]{1,50}, (?:the|its|their) (\w+)",
        "Print the price and, with an absolute error of 0.01, the mean.",
    ),
    (
        r"\b(?:allowed|accepted|acceptable|tolerated|permitted|ok|fine)\b[^,;]{0,15} (?:of|for|in|on) (?:the|its|their) (\w+)",
        "An absolute error of 0.01 is allowed for the mean.",
    ),
    (
        r"\bcompares (\w) ",
        "The checker compares p with an error of 0.01.",
    ),
    (
        r"^\W*(?:only )?(?:the|its|your|their) (\w+)(?: of (?:\w+ ){1,4}?| (?:\w+ ){1,2}?)? ?(?:is|may|must|should|will|has|can|needs?|ought)\b",
        "The mean may be off by 0.01.",
    ),
    (
        r"\b(?:the|its|your|their) (\w+(?: \w+){0,2})['’]s? (?:(?:maximum|maximal|absolute|relative|or|and) )*(?:error|deviation)\b",
        "The mean's absolute error must be below 0.01.",
    ),
    (
        r"^\W*(?:the |its |your )?(\w+)(?: \w+)?: (?:an? |the |maximum |maximal )*(?:absolute|relative|errors?|tolerance)\b",
        "Mean: absolute error at most 0.01.",
    ),
    (
        r", (?:(?:and|but|only) ){0,2}the (former|latter)(?: one)? (?:with|within|having|rounded|to|up to)\b",
        "Print the price and the mean, the latter with an error of 0.01.",
    ),
    (
        r"\b(?:if|that) (?:the|its|your|their) (\w+)(?: \w+)? (?:has|is|differs|lies)\b",
        "It is enough that the mean is within 0.01 of the exact one.",
    ),
    (
        r"\b(\w+), for which\b|\b(\w+), which (?:may|must|should|can|has to|needs to)\b",
        "The mean, which may have an absolute error of 0.01, comes last.",
    ),
    (
        r"\bwhere (?:the |only )?(\w+)(?: \w+)? (?:is|may|must|should|can|has)\b",
        "Print 'Price: p, mean: m', where m may be off by 0.01.",
    ),
];

static NAME: LazyLock<Regex> = LazyLock::new(|| {
    let places: Vec<&str> = PLACES.iter().map(|(place, _)| *place).collect();
    pattern(&places.join("|"))
});

/// `The mean and the deviation must have`.
static OF_TWO: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:both )?(?:the|its) (\w+(?: \w+)?) and (?:the|its)? ?(\w+(?: \w+)?) (?:is|are|may|must|should|will|has|have|can)\b",
    )
});

/// Names of an answer as a whole, or of its error.
const WHOLE: &[&str] = &[
    "answer", "answers", "output", "result", "results", "value", "solution", "number", "jury",
    "absolute", "relative", "error", "answer's", "printed", "it", "each",
];

/// Names of an error, unless an error is said to be theirs.
const ERRORS: &[&str] = &["difference", "deviation"];

/// That an error is spoken of.
static HAS_ERROR: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:absolute|relative|errors?|tolerance|accura\w+)\b"));

/// The names of the things that a sentence gives a tolerance to, each with words behind it.
pub(super) fn names_in(sentence: &str) -> Vec<&str> {
    let names = from_names(sentence).into_iter();
    names.map(three_words).collect()
}

/// The sentence from each of those names on.
fn from_names(sentence: &str) -> Vec<&str> {
    if let Some(found) = OF_TWO.captures(sentence) {
        let both = found.iter().skip(1).flatten();
        return both.map(|name| &sentence[name.start()..]).collect();
    }
    let found = NAME.captures_iter(sentence).take(MOST).filter_map(|found| {
        let name = found.iter().skip(1).flatten().next()?;
        let rest = &sentence[name.end()..];
        let is_of_error = ERRORS.contains(&&*name.as_str().to_lowercase());
        let is_whole = is_whole(name.as_str()) || is_of_error && !HAS_ERROR.is_match(rest);
        (!is_whole).then(|| &sentence[name.start()..])
    });
    found.collect()
}

fn is_whole(name: &str) -> bool {
    WHOLE.contains(&&*name.to_lowercase())
}

/// A name may be of two words or three.
fn three_words(text: &str) -> &str {
    let ends = text.match_indices(' ').map(|(at, _)| at);
    &text[..ends.take(3).last().unwrap_or(text.len())]
}

/// `Each coordinate is`, `probabilities should`: what all of it is called, of which there is no share.
static ALL_OF_THEM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:(?:each|every|all|both)(?: of)? )?(?:the |these )?(\w+)(?: \w+){0,2}? (?:is|are|may|must|should|will|has|have|can|needs?)\b",
    )
});

/// What has the error, where something else is named by which it is measured: `clocks may have an error in the duration`.
static HAVING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:only )?(?:(?:the|an?|its|your|their|each|every|all|both)(?: of)? )*((?:\w+ ){1,6}?)(?:may|can|could|must|should|will|has to|have to|needs? to) (?:\w+ )?have\b",
    )
});

/// Whether what stands before a name is of each of several things: `a part is accepted if its weight`.
static OF_EACH: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:if|that) (?:its|their) $"));

/// The sentence from each name on, be it that of all that it speaks of.
pub(super) fn from_all_names(sentence: &str) -> Vec<&str> {
    let mut names = from_names(sentence);
    let all = ALL_OF_THEM
        .captures(sentence)
        .and_then(|found| found.get(1));
    names.extend(all.map(|name| &sentence[name.start()..]));
    names.retain(|name| !OF_EACH.is_match(&sentence[..sentence.len() - name.len()]));
    names
}

/// Whether one of them is what has been asked for, and nothing that it is made of.
pub(super) fn names_what_is_asked(sentence: &str, asked: &Asked<'_>) -> bool {
    let names = from_all_names(sentence);
    if names.is_empty() || asked.is_too_much() {
        return false;
    }
    let things = Things::of(&asked.sentences);
    let having = HAVING.captures(sentence);
    let is_of_another =
        having.is_some_and(|found| !things.are_called(&found[1]) && !PRINTS.is_in(&found[1]));
    !is_of_another && names.iter().any(|name| things.are_called(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        PRINTS.assert_examples();
    }

    #[test]
    fn each_place_is_in_its_sentence() {
        for (place, sentence) in PLACES {
            let found = pattern(place).captures(sentence);
            let name = found.and_then(|found| found.iter().skip(1).flatten().next());
            let name = name.map(|name| name.as_str().to_lowercase());
            let is_name =
                ["mean", "p", "m", "latter"].contains(&name.as_deref().unwrap_or_default());
            assert!(is_name, "{place:?} finds {name:?} in {sentence:?}");
        }
    }

    #[test]
    fn what_is_asked_for() {
        let asked = Asked {
            sentences: vec!["Print the number of trees and their average height"],
            ..Asked::default()
        };
        for sentence in [
            "The average height may be off by up to 0.01",
            "The absolute error of the average height must not exceed 0.01",
            "The average height's absolute error must be below 0.01",
            "The second of them may have an absolute error of at most 0.01",
        ] {
            assert!(names_what_is_asked(sentence, &asked), "{sentence}");
        }
        for sentence in [
            "The height of the ladder may be off by up to 0.01",
            "The tallest tree may be off by up to 0.01",
            "The absolute error of the ladder must not exceed 0.01",
        ] {
            assert!(!names_what_is_asked(sentence, &asked), "{sentence}");
        }
    }
}
