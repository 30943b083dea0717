//! Sentences on the output that are known to say nothing of how its items follow one another.
//!
//! Below the heading of the output every sentence is about that. One that is none of these, `Ladies first, of course`, may give
//! items a place in words that nobody has thought of, so that no order is taken to be free beside it.

use super::concept::Concept;
use super::placed::is_of_a_part;
use super::words::{ANY_CASE, OUTPUT};

/// That something else is the answer under a condition, or that there are several.
static OTHERWISE: Concept = Concept::new(&[(
    r"^\W*(?:(?:for (?:each|every) [\w ]{1,20},? )?(?:if|otherwise|else|in case|when(?:ever)?|in (?:that|this) case)|for (?:each|every)\b.*\bif)\b",
    "If there is none, print -1.",
)]);

/// That a line more is printed under a condition.
static ADDED: Concept = Concept::new(&[(
    r"(?:next|following|another|new|separate|own|second|third|last) line|below|under|behind|after|above|before",
    "If he has a dog, print its name on the next line.",
)]);

/// That there is nothing on it.
static NOTHING: Concept = Concept::new(&[(
    r"empty|blank|(?:do|does|need) not|only|nothing|no other",
    "If there are none, leave the second line empty.",
)]);

/// What is promised, or explained.
static TOLD: Concept = Concept::new(&[
    (
        r"guaranteed?|(?:may|can) (?:be )?assumed?|(?:can|may) be (?:shown|proved|proven)|(?:is|are) (?:always )?unique|always exists?|at least one|recall|for (?:example|instance)|e\.g|example|sample|as described",
        "It is guaranteed that there is at least one.",
    ),
    (
        r"number(?:ed|ing|s start)|indexed|(?:zero|one|[01])[- ](?:based|indexed)|(?:start|begin|count)\w* (?:from|with|at) (?:zero|one|[01])",
        "The people are numbered from 1.",
    ),
    (
        r"^\W*let \w+ (?:be|denote)",
        "Let K be the number of pairs.",
    ),
    (
        r"errors?|precision|tolerance|accura\w+|rounded|decimal|within 10\S*|case[- ]sensitive",
        "The absolute error must not exceed 10^-5.",
    ),
    (
        r"(?:distinct|different|exactly once|only once|no more than once|at most once|more than once|duplicates?|repeated|twice|repetitions?)",
        "Each word should be printed only once.",
    ),
]);

/// How the output is laid out, or an item is printed.
static LAID_OUT: Concept = Concept::new(&[
    (
        r"^\W*(?:(?:on|in) )?(?:(?:the|each|every|all|one|a|of|next|following|subsequent|first|second|third|single|[a-z]|\d+) ){1,5}lines?",
        "Each of the next k lines must contain two integers.",
    ),
    (
        r"separated|delimited|per line|(?:own|separate|single|one|new) line|spaces?|commas?|white ?space",
        "Separate them by spaces.",
    ),
    (
        r"^\W*(?:each|every|an?|all|the|these|both|both of) (?:[\w'’-]+ ){1,4}(?:(?:is|are|must|should|can|may|has to|have to|will) )(?:to )?(?:be )?(?:printed|written|described|given|represented|shown|output|directed|defined|denoted)",
        "A segment is printed as its left and right ends.",
    ),
    (
        r"^\W*(?:each|every|an?|all|the|these|both) (?:[\w'’-]+ ){1,4}(?:represents?|denotes?|describes?|means?|(?:must|should|may|can|cannot) (?:not )?(?:participate|appear|belong|occur|be (?:used|in|part)))",
        "Each triple represents a team.",
    ),
]);

/// Whether a sentence on the output is known to give no item a place, but by words that are looked for on their own.
///
/// Before an order is freed it may ask for what comes in it.
pub(super) fn is_known(sentence: &str, is_freed: bool) -> bool {
    let asks = OUTPUT.is_in(sentence);
    let is_added = ADDED.is_in(sentence) && !NOTHING.is_in(sentence);
    let is_alternative = OTHERWISE.is_in(sentence) && !is_added;
    is_alternative
        || !is_freed && asks
        || LAID_OUT.is_in(sentence)
        || TOLD.is_in(sentence)
        || ANY_CASE.is_in(sentence)
        || is_of_a_part(sentence)
        || !sentence.contains(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [&OTHERWISE, &ADDED, &NOTHING, &TOLD, &LAID_OUT] {
            concept.assert_examples();
        }
    }
}
