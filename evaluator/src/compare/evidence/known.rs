//! Sentences on the output that are known to say nothing of how its items follow one another.
//!
//! Below the heading of the output every sentence is about that. One that is none of these, `Ladies first, of course`, may give
//! items a place in words that nobody has thought of, so that no order is taken to be free beside it.

use super::aside::speaks_of_places;
use super::columns::describes_columns;
use super::concept::Concept;
use super::leading::leads;
use super::placed::{is_of_a_part, is_of_another_place};
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
        r"guaranteed?|(?:may|can) (?:be )?assumed?|(?:can|may) be (?:shown|proved|proven)|(?:is|are) (?:always )?unique|always exists?|at least one|there (?:may|can|will) be (?:up to|at most|no more than)|recall|for (?:example|instance)|e\.g|example|sample|as described",
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
        r"errors?|precision|tolerance|accura\w+|rounded|decimal|within (?:10|\de-|0\.0)\S*|case[- ]sensitive",
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
        r"^\W*(?:output )?(?:each|every) (?:answer|list) must (?:begin|start) with (?:an? |the )?(?:\w+ )?(?:integer|number|count)\b|^\W*(?:output )?(?:next|then),? [a-z] (?:\w+ ){1,3}(?:must |should )?follow",
        "Each answer must begin with an integer k.",
    ),
    (
        r"^\W*(?:each|every|an?|one) (?:\w+ ){1,2}(?:is|consists of|takes|occupies|stands on) (?:an? |one )?(?:(?:single|separate|own) )?(?:lines?|list|row|pair|triple|string) (?:of|with|containing|and)\b",
        "Each solution is a line of n integers.",
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

/// A line by its place that items do not move to.
static NAMED: Concept = Concept::new(&[(
    r"^\W*(?:(?:on|in) )?(?:the|its|your) (?:very )?(?:first|last|final|top|bottom) (?:\w+ )?line",
    "The first line contains their number.",
)]);

/// What stands there, and is no item.
static FIGURE: Concept = Concept::new(&[(
    r"number|count|size|sum|total|length|cost|amount|how many|integers?|numbers?|[a-z]|minimum|maximum|yes|no|verdict|answer",
    "The first line contains their number.",
)]);

/// Two of them, which are as wide as an item may be.
static FIGURES: Concept = Concept::new(&[(
    r"[a-z],? (?:and )?[a-z]|two (?:integers|numbers|figures|counts)|(?:number|count|size)s? of (?:the )?\w+,? and (?:the )?(?:(?:number|count|size)s? )?of (?:the )?\w+",
    "The first line is n m.",
)]);

/// Space and decimals, of which much stands before or after something.
static NO_LINES: Concept = Concept::new(&[(
    r"(?:(?:blank|empty) lines?|spaces?|blanks?|commas?|colons?|characters?|new ?lines?|digits?|places?|decimals?) (?:\w+ )?(?:after|before|behind|between)|(?:after|before|behind) (?:the |a )?(?:decimal )?(?:point|comma|dot)",
    "Print no space after the last number.",
)]);

/// That items stand in a relation to those beside them.
static RELATED: Concept = Concept::new(&[(
    r"(?:adjacent|consecutive|successive|neighbou?ring) (?:numbers|integers|elements|items|names|words|ones|lines|values|entries)|in the middle|lines? (?:that |which )?(?:follows?|after|before|below|above|under)",
    "Adjacent numbers must have different parity.",
)]);

/// What a program or a word is, which is no place.
static DEFINED: Concept = Concept::new(&[
    (
        r"(?:is|are) (?:left out|omitted|skipped)|algorithm|complexity|linear time|extra (?:space|memory)|leading zero(?:e?s)?",
        "You must write an algorithm that runs in linear time.",
    ),
    (
        r"^\W*note that two \w+ (?:may|can|could) (?:be|contain|share|have|use|overlap|depend)",
        "Note that two recipes may contain each other in their ingredients.",
    ),
    (
        r"^\W*(?:the|an?) \w+ of (?:an?|the) [\w ]{1,40} (?:is|are) (?:the|defined|an?)",
        "The height of a tree is the number of edges on the longest path.",
    ),
    (
        r"(?:vertex|vertices|nodes?|cells?|squares?)\b.*\b(?:neighbou?rs?|adjacent)|(?:begin|start|end)s? with an? (?:\w+ ){0,2}(?:letter|digit|vowel|consonant|character|capital)",
        "No two chosen vertices should be neighbours.",
    ),
]);

/// Whether a sentence asks for something more, which goes with what is free.
fn goes_with_items(sentence: &str) -> bool {
    let on_line = NAMED.taken_from(sentence);
    let is_figure = FIGURE.is_in(&on_line) && !FIGURES.is_in(&on_line);
    let is_named = NAMED.is_in(sentence) && !is_figure;
    let is_more = OUTPUT.is_in(sentence) && ADDED.is_in(&NO_LINES.taken_from(sentence));
    let is_related = RELATED.is_in(&NO_LINES.taken_from(sentence));
    is_named || is_related || is_more && !NOTHING.is_in(sentence)
}

/// Whether a sentence on the output is known to give no item a place, but by words that are looked for on their own.
///
/// Before an order is freed it may ask for what comes in it.
pub(super) fn is_known(sentence: &str, is_freed: bool) -> bool {
    let asks = OUTPUT.is_in(sentence);
    let is_added = ADDED.is_in(sentence) && !NOTHING.is_in(sentence);
    let is_alternative = OTHERWISE.is_in(sentence) && !is_added;
    if is_freed && !is_alternative && goes_with_items(sentence) {
        return false;
    }
    is_alternative
        || !is_freed && asks
        || LAID_OUT.is_in(sentence)
        || TOLD.is_in(sentence)
        || ANY_CASE.is_in(sentence)
        || is_of_a_part(sentence)
        || describes_columns(sentence)
        || !sentence.contains(char::is_alphabetic)
}

/// Whether a sentence that stands in no section, behind one that frees an order, gives no item a place: it is known not to,
/// or has no word for one.
pub(super) fn is_beside_the_point(sentence: &str) -> bool {
    let is_of_another = is_of_another_place(sentence) || DEFINED.is_in(sentence);
    is_known(sentence, true)
        || !goes_with_items(sentence) && is_of_another
        || leads(sentence)
        || !OUTPUT.is_in(sentence) && !speaks_of_places(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [
            &OTHERWISE, &ADDED, &NOTHING, &TOLD, &LAID_OUT, &NAMED, &FIGURE, &FIGURES, &NO_LINES,
            &RELATED, &DEFINED,
        ] {
            concept.assert_examples();
        }
    }
}
