//! What holds in one case alone: `If n is even, print the divisors in any order; otherwise print them sorted`.
//!
//! No output says which case it is of, so that what one case frees is free in none where another case has its own rule.

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::condition::is_of_a_case;
use super::error_words::SLACK;
use super::placed::is_of_a_part;
use super::plain::pattern;
use super::words::OUTPUT;

/// That a sentence is about one case.
static CONDITIONAL: Concept = Concept::new(&[(
    r"if|when|whenever|unless|otherwise|else|in case|in (?:that|this|the other|any other) case|as long as|provided",
    "Otherwise, print the edges in any order.",
)]);

/// Another case.
static OTHER_CASE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:output )?(?:but |and |or )?(?:if|when|whenever|otherwise|else|unless|in case|in (?:that|this|the other|any other|all other) cases?|for (?:odd|even|all other|other|any other))\b",
    )
});

/// An order of what is printed.
static ORDERED: Concept = Concept::new(&[
    (
        r"sort\w*|order(?:ed)?|ascending(?:ly)?|descending(?:ly)?|increasing(?:ly)?|decreasing(?:ly)?|alphabetical\w*|lexicographical\w*|ranked|chronological\w*",
        "Otherwise print them sorted.",
    ),
    (
        r"(?:in )?reversed?|backwards?|(?:from|by) (?:the )?(?:smallest|largest|lowest|highest|least|greatest|left|right|first|last|top|size|weight|length|name|value|age|number)|(?:smallest|largest|lowest|highest|shortest|longest|oldest|youngest|biggest|leader|root|leaf|latest|earliest|minimum|maximum) (?:\w+ )?(?:first|last)",
        "Otherwise print them in reverse.",
    ),
]);

/// An order that is none.
static ANY_ORDER: Concept = Concept::new(&[(
    r"(?:in )?(?:any|arbitrary|whatever|whichever|random) order|in order to|order (?:\w+ ){0,4}(?:not|n['’]t) (?:matter|important)|order is (?:irrelevant|arbitrary|free)|lexicographically (?:smallest|largest|least|minimal|minimum|first)",
    "Otherwise print the edges in any order.",
)]);

/// Whether a sentence is about one case among several.
pub(super) fn is_conditional(sentence: &str) -> bool {
    CONDITIONAL.is_in(sentence)
}

/// Whether it has what is printed come in an order, be it in another case.
pub(super) fn is_ordered(sentence: &str) -> bool {
    let is_of_output = OUTPUT.is_in(sentence) && !is_of_a_part(sentence);
    let is_meant = is_of_output || OTHER_CASE.is_match(sentence);
    is_meant && ORDERED.is_in(&ANY_ORDER.taken_from(sentence))
}

/// Whether it frees the order of what is printed in one case alone.
pub(super) fn frees_in_a_case(sentence: &str) -> bool {
    is_of_a_case(sentence, &[&ANY_ORDER])
}

/// What a sentence says of other rules than those that hold: of an earlier version, or of a part of the tests.
static OTHER_RULES: Concept = Concept::new(&[
    (
        r"(?:earlier|previous|old|older|original|first|former|other|another|easy|easier|simple|simpler|past|printed|outdated) (?:\w+ )?(?:versions?|editions?|variants?|problems?|statements?|contests?|rounds?|tasks?|rules?|years?)",
        "In the earlier version of this problem an absolute error of 0.01 was allowed.",
    ),
    (
        r"used to|formerly|once upon|last year|until (?:last|now|\d+)|no longer|(?:errors?|tolerance|deviations?)\b[^,;]{0,30}\b(?:was|were|had been) (?:allowed|permitted|tolerated|ok|okay|fine)",
        "Last year an error of 0.01 was allowed.",
    ),
    (
        r"(?:in|for|on) (?:the )?(?:\w+ ){0,3}(?:subtasks?|groups? of tests|half (?:of )?(?:the )?(?:points|credit|score)|partial (?:credit|score))",
        "In the first subtask an absolute error of 0.01 is allowed.",
    ),
]);

/// Whether a tolerance is that of one case, or of rules that no longer hold.
pub(super) fn has_tolerance_of_a_case(sentence: &str) -> bool {
    OTHER_RULES.is_in(sentence) || is_of_a_case(sentence, &[&SLACK])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [&CONDITIONAL, &ORDERED, &ANY_ORDER, &OTHER_RULES] {
            concept.assert_examples();
        }
    }

    #[test]
    fn orders_of_a_case() {
        for sentence in [
            "otherwise print them in reverse",
            "If there are more, print the leaders in order of the groups",
            "If n is odd, print them in ascending order",
            "If there are more, print the leader of each group, in order of the groups",
        ] {
            assert!(is_ordered(sentence), "{sentence}");
        }
        for sentence in [
            "If there is none, print -1",
            "Otherwise, print them in any order",
        ] {
            assert!(!is_ordered(sentence), "{sentence}");
        }
    }

    #[test]
    fn tolerances_of_a_case() {
        for sentence in [
            "If n > 100 an error of 1e-3 is allowed",
            "For n < 5 an absolute error of 0.01 is accepted",
            "In the earlier version, an error of 0.01 was allowed",
        ] {
            assert!(has_tolerance_of_a_case(sentence), "{sentence}");
        }
        for sentence in [
            "If the absolute error is at most 1e-6, it is accepted",
            "For each test case an absolute error of 1e-6 is allowed",
            "If n > 0, print the mean with an absolute error of at most 1e-6",
        ] {
            assert!(!has_tolerance_of_a_case(sentence), "{sentence}");
        }
    }
}
