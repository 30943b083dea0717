//! What several rows of numbers are, where a statement lets numbers come in any order by their noun: lists of them, in each of
//! which they move, or items of several numbers each, which move as wholes.
//!
//! `The indices` may be one number each or a row and a column. What is said of neither is left as it is, unless the rows show it.

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::plain::pattern;
use super::section::Section;
use super::within::stem;
use super::words::ASKS;
use crate::compare::rules::Nested;

/// That there are several lists.
static SEVERAL_LISTS: Concept = Concept::new(&[
    (
        r"(?:two|three|four|both|several|these|following) (?:\w+ ){0,2}(?:lists|lines|arrays|sets|rows|parts|groups|sublists|subsets|subsequences|halves|sides|sequences|columns|levels|paths|teams)",
        "Return two lists, of the even numbers and of the odd ones.",
    ),
    (
        r"(?:in|of|within) (?:the |these )?lists|pair of (?:lists|sets|arrays)|as lists|bipart\w*",
        "Return the buckets as lists.",
    ),
    (
        r"(?:and|then) (?:the |all )?(?:those|others|rest)|respectively|(?:first|second|next|other) (?:line|list|set|array|part|group|half|row)",
        "Print the edges in all trees and those in some.",
    ),
    (
        r"split\w*|divide (?:the|them|it|these)|partition\w*|buckets?|level by level|layers?|answer\[\d\]|rows? \d|line \d",
        "Split the numbers into even and odd ones.",
    ),
]);

/// What an item is by its columns: `the seats (row and number)`.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    const COLUMN: &str = r"(?:the |its |an? )?(?:\w+ )?(?:rows?|columns?|col|line|[xyz]|key|value|start|end|index|number|name|id|real|imaginary|count|size|length|weight|width|height)(?: \w+)?";
    pattern(&format!(
        r"\w+s,? ?[\[(]{COLUMN}(?:, ?|,? and ){COLUMN}[\])]"
    ))
});

/// By letters for them, which may be all that is asked for: `the indices [i, j]`.
static LETTERED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\w+s,? ?[\[(][a-z](?:, ?[a-z])+[\])]"));

/// A place in what has rows and columns.
static OF_MATRIX: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:indices|indexes|positions|coordinates|locations|places) of (?:the |all |these )*(?:\w+ ){0,2}(?:zeros?|zeroes|ones|cells?|peaks?|entries|elements|squares|queens|holes|mines|stars|obstacles|pixels)\b[^,;]{0,40}\b(?:matrix|grid|board|image|table|map)\b",
    )
});

/// `Each index is a pair of row and column`, with what it is said of and what comes next.
static DESCRIBED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:(?:each|every|an?|all|the|such an?|one) (?:\w+ ){0,3}?)?(\w+) ((?:is|are|has|have|comes?|goes|go|consists?|must|should|will|can be|may be|as)\b.*)$",
    )
});

/// What items are of: `the indices of the chosen points`.
static OF_OTHERS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r" (?:of|in|from|between|for) (?:\w+ ){0,3}?\w+s\b"));

/// What is several things.
static SEVERAL_THINGS: Concept = Concept::new(&[
    (
        r"(?:is|are|be|as) (?:an? )?(?:\w+ )?(?:pairs?|triples?|triplets?|tuples?|quadruples?)|(?:given|written|shown|described|represented|printed|denoted|returned|output|encoded|stored|specified) (?:as|by) (?:an? |its |their |the )?(?:\w+ )?(?:lists?|arrays?|sequences?)",
        "Each index is a pair of row and column.",
    ),
    (
        r"(?:two|three|four|several|2|3|4) (?:\w+ )?(?:digits|numbers|integers|values|parts|coordinates|components|letters|words|lines|indices|entries|things)",
        "A number has two digits with a space between them.",
    ),
    (
        r"(?:with|together with|along with|beside) (?:its|his|her|the|their|an?) \w+|followed by",
        "Each character comes with its number of occurrences.",
    ),
    (
        r"(?:given|written|shown|described|represented|printed|denoted|returned|output|listed|specified|defined|identified|encoded|stored) (?:as|by|in|with|through|using)\b[^;]*(?:, ?| and | then )\[?\w+",
        "A number is given as its real and its imaginary part.",
    ),
    (
        r"(?:consists? of|has|have) (?:an?|its|the)\b[^;]*(?:, ?| and | then )\[?\w+",
        "A position consists of a row and a column.",
    ),
]);

/// What a statement says of rows of numbers.
#[derive(Debug, Default)]
pub(super) struct Nesting {
    /// The words of the sentences that ask for what may move, in their singular.
    nouns: Vec<String>,
    /// What is told to be several things, by its noun.
    described: Vec<String>,
    are_lists: bool,
    are_named: bool,
    are_shown: bool,
}

impl Nesting {
    /// A sentence that may be about the output.
    pub(super) fn note(&mut self, sentence: &str, section: Section) {
        let is_asked = section == Section::Output || ASKS.is_in(sentence);
        self.are_lists |= is_asked && SEVERAL_LISTS.is_in(sentence);
        let found = DESCRIBED.captures(sentence);
        let found = found.filter(|found| SEVERAL_THINGS.is_in(&found[2]));
        let noun = found.map(|found| stem(&found[1].to_lowercase()).to_owned());
        self.described.extend(noun);
    }

    /// A sentence frees an order, or has asked for what another frees.
    pub(super) fn note_free(&mut self, sentence: &str) {
        let lower = sentence.to_lowercase();
        let told = OF_OTHERS.replace_all(&lower, "");
        let words = told.split(|c: char| !c.is_alphanumeric());
        let plurals = words.filter(|word| word.len() > 2 && stem(word) != *word);
        self.nouns.extend(plurals.map(|word| stem(word).to_owned()));
        self.are_named |= NAMED.is_match(sentence);
        self.are_shown |= LETTERED.is_match(sentence) || OF_MATRIX.is_match(sentence);
    }

    /// Whether each of what may move is said to be several things: none of them by itself is an item.
    pub(super) fn are_several(&self) -> bool {
        let is_free = |noun: &String| self.nouns.contains(noun);
        self.are_named || self.described.iter().any(is_free)
    }

    /// What rows of numbers are.
    pub(super) fn rows(&self) -> Nested {
        match (self.are_lists, self.are_several() || self.are_shown) {
            (true, false) => Nested::Lists,
            (false, true) => Nested::Items,
            (true, true) | (false, false) => Nested::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(sentences: &[&str]) -> Nested {
        let mut nesting = Nesting::default();
        for sentence in sentences {
            nesting.note(sentence, Section::Story);
        }
        nesting.note_free(sentences[0]);
        nesting.rows()
    }

    #[test]
    fn every_word_is_in_its_sentence() {
        SEVERAL_LISTS.assert_examples();
        SEVERAL_THINGS.assert_examples();
    }

    #[test]
    fn rows_that_are_items() {
        for sentences in [
            &["Return the indices [i, j] of all zeros in any order"][..],
            &["Print the indices of all zeros of the matrix in any order"],
            &["Print the numbers of the seats (row number and seat number) in any order"],
            &[
                "Return the positions in any order",
                "Each position is a pair of row and column",
            ],
            &[
                "Return the numbers in any order",
                "A complex number is given as [real, imaginary]",
            ],
        ] {
            assert_eq!(rows(sentences), Nested::Items, "{sentences:?}");
        }
    }

    #[test]
    fn rows_that_are_not() {
        let lists = "Return two lists, the even numbers and the odd numbers, in any order";
        assert_eq!(rows(&[lists]), Nested::Lists);
        assert_eq!(rows(&["Print the indices in any order"]), Nested::Unknown);
        let points = "Each point is given by two numbers";
        assert_eq!(
            rows(&["Print the indices of the points in any order", points]),
            Nested::Unknown
        );
        let range = "Each index is between 1 and n";
        assert_eq!(
            rows(&["Print the indices in any order", range]),
            Nested::Unknown
        );
    }
}
