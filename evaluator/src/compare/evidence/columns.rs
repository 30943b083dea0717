//! Whether each item of the output is several things of different kinds, such as a number with its count.
//!
//! Such an item is a record: it may move as a whole, but what stands in it has the place that its column gives it, whatever
//! the word is by which the statement lets the items come in any order.

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::order_words::FOR_EACH;
use super::plain::pattern;
use super::words::{MANY_TESTS, OUTPUT};

/// That an item goes with something of its own, or is shown as its columns.
static COLUMNS: Concept = Concept::new(&[
    // Not "with its own line".
    (
        r"(?:with|together with|along with|next to|beside) (?:its|their|his|her|the corresponding|the respective) (?:\w+ )?(?:[a-np-z]\w*|o[a-vx-z]\w*)",
        "Print the vertices with their degrees.",
    ),
    (
        r"(?:each|every|one of|it|him|her)\b[^,;]{0,60}?,? (?:and|as well as) (?:its|his|her) \w+",
        "Each line contains one of the values and its count.",
    ),
    (
        r"(?:each|every)\b[^,;]{0,60}?,? (?:and|as well as) (?:how|whether|where|when)|(?:one|each) (?:pair|triple|triplet|tuple|record) (?:per|on an?|on its own|on each|a) line",
        "Print each number and how often it occurs.",
    ),
    (
        r"with (?:the )?(?:multiplicit(?:y|ies)|exponents?|frequenc(?:y|ies))|how (?:often|many times) (?:each|it|they)",
        "Return the prime factors and how often each occurs.",
    ),
    (
        r"for each(?: of (?:them|these|those))?,? (?:how|whether|its|the number)",
        "Print all numbers and, for each, how many times it occurs.",
    ),
    (
        r"each (?:with|containing|consisting of) (?:the|an?|its|his|her) [^,;]{1,60} and (?:the|an?|its|his|her) \w+",
        "Print n lines, each with the name of a student and the room.",
    ),
    (
        r"\w+s(?: [^,;]{1,60}?)?,? (?:and|as well as) their (?:\w+ ){0,2}\w*(?:[^suSU\W]s|counts|multiplicities)",
        "Print the distinct numbers and their frequencies.",
    ),
    (
        r"(?:each|every|an?|one|the|all) (?:\w+ )?\w+ (?:consists? of|(?:is|are|being|should be|must be|will be) (?:\w+ )?(?:described|given|represented|printed|written|shown|defined|denoted|specified) (?:by|as)|is|has) (?:an?|its|the|his|her|their) (?:\w+ ){0,2}\w+(?:,| and| followed by| then) (?:an?|its|the|his|her|their|then|and|followed)",
        "A group consists of an id, a price and a weight.",
    ),
    (
        r"(?:first|second|third|fourth|last|final|other|remaining|next) (?:\w+ )?(?:on|of|in|within) (?:each|every|an?|the) (?:\w+ )?(?:lines?|rows?|groups?|components?|clusters?|subsets?|pairs?|triples?|triplets?|tuples?|items?|entry|entries|lists?|sublists?|arrays?|combinations?|teams?|sets?) (?:is|are|must|should|will|has|gives|holds|tells|shows|contains)",
        "The last number on each line is its size.",
    ),
]);

/// `[value, count]`, `(row, column)`: columns by their names, which are no variables, and no arguments: `solve(names, n)`.
static NAMED_IN_BRACKETS: LazyLock<Regex> = LazyLock::new(|| {
    const NAME: &str = r"[a-z][a-z]+\d*(?: [a-z]\w*)?";
    pattern(&format!(r"(?:^|\W)[\[(]{NAME}(?:, ?{NAME})+[\])]"))
});

/// `A line has the form: leader, deputy, member`.
static FORM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"\b(?:form|format|as) \W?[a-z](?: [a-z])+\b|\b(?:pair|triple|triplet|tuple|record): (?:the )?[a-z][\w-]+(?:,| and) |\b(?:form|format|layout|columns|fields)\b\W{1,4}(?:the )?[a-z][\w-]+(?: [\w-]+)?(?:,? and|,|;) ?(?:the )?[a-z]"#,
    )
});

/// Several things that are asked for of each item: `For each group, output the smallest, the largest and the median`.
static SEVERAL_OF_EACH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:print|output|write|give|display|report|return|list)\w*,? (?:[^,;]{1,60}, )*[^,;]{1,60}?,? (?:and|then|as well as|followed by) (?:[^,;]{1,80})",
    )
});

/// A list behind how many it has: `its size k followed by the k vertices`.
static COUNTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:number|count|size)\b[^,;]{0,40}?,? (?:and|then|followed by) (?:the|its|their|those|these|all) (?:\w+ )?\w+s\W*$",
    )
});

/// An item that a sentence says something of.
static OF_ITEM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:(?:in|within|on|for) )?(?:each|every|an?|one|the (?:first|second|third|last|other) \w+ (?:of|in|on) (?:each|every|an?)) (?:\w+ )?(?:group|component|cluster|subset|combination|team|class|set|line|row|item|entry|pair|triple|triplet|tuple|interval|segment|edge)s?\b",
    )
});

/// Whether a sentence has each item of the output be several things of different kinds.
pub(super) fn has_columns(sentence: &str) -> bool {
    is_record(sentence) || asks_for_several_of_each(sentence)
}

/// Whether it says so by what an item goes with, or by its form.
pub(super) fn is_record(sentence: &str) -> bool {
    let is_of_output = OUTPUT.is_in(sentence) || OF_ITEM.is_match(sentence);
    is_of_output && (COLUMNS.is_in(sentence) || shows_columns(sentence))
}

/// Whether it is of one item, and says nothing but what its columns are.
pub(super) fn describes_columns(sentence: &str) -> bool {
    OF_ITEM.is_match(sentence) && is_record(sentence)
}

/// Whether it shows them by their names.
pub(super) fn shows_columns(sentence: &str) -> bool {
    NAMED_IN_BRACKETS.is_match(sentence) || FORM.is_match(sentence)
}

/// Whether it asks for several things of each item, or for one and then for others.
fn asks_for_several_of_each(sentence: &str) -> bool {
    let of_each = FOR_EACH.is_in(sentence) && !MANY_TESTS.is_in(sentence);
    of_each && SEVERAL_OF_EACH.is_match(sentence) && !COUNTED.is_match(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        COLUMNS.assert_examples();
    }

    #[test]
    fn records() {
        for sentence in [
            "Return a list of pairs [index, value]",
            "Each group is [leader, follower1, follower2]",
            "A line has the form: leader, deputy, member",
            "For each group, output the smallest, the largest and the median age",
        ] {
            assert!(has_columns(sentence), "{sentence}");
        }
        for sentence in [
            "Print the indices in any order, one per line",
            "Print the chosen numbers and their sum",
            "Return [0, 1]",
            "Write regulars(names, visits): the different names",
            "For each test case print the size and the members",
        ] {
            assert!(!has_columns(sentence), "{sentence}");
        }
    }
}
