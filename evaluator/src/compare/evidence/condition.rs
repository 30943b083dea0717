//! Conditions on what a statement permits: `an error of 0.01 is allowed if n > 100`.
//!
//! No output says whether the condition holds, so that what is permitted under one is not permitted at all. A condition of the
//! permitted thing itself is none of these (`if the error is at most 0.01, it is accepted`), nor is one of what is to be printed
//! (`if there is one, print its length with an error of at most 0.01`).

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::plain::pattern;

/// As many conditions as a sentence has that was written for a reader, and how long one is.
const MOST: usize = 16;
const LONGEST: usize = 400;

/// What begins a condition.
static BEGINS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:if|when|whenever|unless|(?:provided|assuming|supposing)(?: that)?|given that|(?:as|so) long as|except(?:ing)?|apart from|in (?:the |that |this )?case|while|(?P<place>where)|only (?:for|in|on))\b|^\W*should\b",
    )
});

/// One that has no word of its own: `for n > 100`, `with large n`.
static FOR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:for|with) (?:all )?(?:(?:large|small|big|huge|even|odd|prime|positive|negative|greater|smaller|larger) [a-z]\b|[a-z] ?(?:[<>=≤≥]|(?:is |are )?(?:larger|greater|less|smaller|at (?:least|most)|above|below|over|under|up to|exceed\w*|but|other than|equal|between)\b))",
    )
});

/// Answers of one kind.
static SOME_ANSWERS: Concept = Concept::new(&[
    (
        r"^\W*(?:only )?(?:large|larger|small|smaller|big|bigger|huge|negative|positive|even|odd) (?:answers?|outputs?|results?)",
        "Large answers may have an error of 0.01.",
    ),
    (
        r"(?:answers|outputs|results) (?:above|below|over|under|of at (?:least|most)|(?:greater|less|larger|smaller|more) than|exceeding|between) \d+",
        "Answers above 1000 may have an error of 0.01.",
    ),
]);

/// What is compared with something.
static COMPARATOR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"[<>=≤≥]|\b(?:exceeds?|at (?:least|most)|greater|less|larger|smaller|more|fewer|small|large|big|even|odd|prime|positive|negative|zero|equals?|below|above|up to|between)\b",
    )
});

/// What no condition of a case speaks of: how answers are judged, what they are by their kind, and whoever gives them.
static OF_JUDGING: Concept = Concept::new(&[
    (
        r"compar\w+|check(?:ed|er|ing|s)?|judg\w+|evaluat\w+|verif\w+|grad(?:ed|er|ing)|jury\w*|yours?|correct|expected|reference|participant\w*|contestant\w*",
        "An error of 0.01 is ignored when answers are compared.",
    ),
    (
        r"several|multiple|many|more than one|integers?|whole|reals?|decimals?|float\w*|fraction\w*|exists?|possible|necessary|needed|desired|printing|outputting|writing|answering|you (?:want|like|wish|prefer)",
        "If the answer is no integer, an error of 0.01 is allowed.",
    ),
]);

/// That something is to be printed.
static IS_TO_PRINT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:print|output|write|display|report|return|give|find|compute|calculate|determine)\b",
    )
});

/// That it may be, or what is printed.
static MAY_PRINT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:may|can|could|might|(?:allowed|free|permitted|able|want|wish) to|the|your|each|every|an?|its|all|whole) (?:also |you )?(?:print|output|write|display|report|return|give)\b",
    )
});

/// What may stand right before the permitted thing and is part of it.
static ARTICLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:at least one of )?\b(?:an?|the|any|its|your|both)? ?(?:(?:maximum|maximal|absolute|relative|or|and|either) )*$",
    )
});

/// Whether a sentence permits something in one case alone. What it permits is spoken of by these words, of which the first
/// that is in the sentence stands for it.
pub(super) fn is_of_a_case(sentence: &str, permitted: &[&Concept]) -> bool {
    let place = permitted
        .iter()
        .filter_map(|words| words.place_in(sentence));
    let Some(place) = place.min() else {
        return false;
    };
    if IS_TO_PRINT.is_match(&MAY_PRINT.replace_all(&sentence[..place], "")) {
        return false;
    }
    let is_one = |found: regex::Captures<'_>| {
        let is_place = found.name("place").is_some();
        let rest = &sentence[found.get_match().end()..];
        let clause = clause_of(rest);
        // It may go on to the permitted thing without a comma.
        let distance = place.checked_sub(sentence.len() - rest.len());
        let before = distance.and_then(|at| clause.get(..at));
        match before {
            Some(before) => {
                let before = ARTICLE.replace(before, "");
                COMPARATOR.is_match(&before) && !OF_JUDGING.is_in(&before)
            }
            None => {
                let is_of_it = permitted.iter().any(|words| words.is_in(clause));
                let is_told = !is_place || COMPARATOR.is_match(clause);
                is_told && !is_of_it && !OF_JUDGING.is_in(clause)
            }
        }
    };
    BEGINS.captures_iter(sentence).take(MOST).any(is_one)
        || FOR.is_match(sentence)
        || SOME_ANSWERS.is_in(sentence)
}

/// What a clause ends before that begins here: a comma, or the end of the brackets that it is in.
fn clause_of(rest: &str) -> &str {
    let rest = &rest[..rest.floor_char_boundary(LONGEST)];
    let mut depth = 0i32;
    let end = rest.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        matches!(c, ',' | ';') || depth < 0
    });
    &rest[..end.unwrap_or(rest.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::evidence::error_words::SLACK;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [&SOME_ANSWERS, &OF_JUDGING] {
            concept.assert_examples();
        }
    }

    #[test]
    fn conditions() {
        for sentence in [
            "An error of 0.01 is allowed unless n is 1",
            "If n > 100 an error of 0.01 is allowed",
            "If the answer exceeds 1000, an absolute error of 0.01 is accepted",
            "Where n is large, an error of 0.01 is accepted",
            "For n > 100 an error of 0.01 is allowed",
            "Your answer may have an error of 0.01, but only if n > 100",
        ] {
            assert!(is_of_a_case(sentence, &[&SLACK]), "{sentence}");
        }
        for sentence in [
            "If the error is at most 0.01, your answer is accepted",
            "It is correct if at least one of the absolute and relative error is below 0.01",
            "If there is a path, print its length with an error of at most 0.01",
            "An error of 0.01 is ignored when answers are compared",
            "It is accepted if |a - b| is at most 0.01, where b is the answer of the jury",
            "For each test case an error of 0.01 is allowed",
        ] {
            assert!(!is_of_a_case(sentence, &[&SLACK]), "{sentence}");
        }
    }
}
