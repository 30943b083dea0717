//! How many items a statement lets come in any order, where it says so: `the two roots`.
//!
//! An output with more of them holds the answers to several tests, whatever the statement calls these.

use std::sync::LazyLock;

use regex::Regex;

use super::plain::pattern;
use super::within::{moving, stem};

/// Numbers as words, from two on.
const NUMBERS: [&str; 9] = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

/// `The two roots`, `both cities`.
static SO_MANY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:(?:print|output|find|return|write|give)\w*(?: out)?(?: the| these| those| all)?|the) (both|two|three|four|five|six|seven|eight|nine|ten|[2-9]|10)(?: of the| of these| the)?((?: [a-z]+){1,4})",
    )
});

/// The words of an order that is free.
static PHRASE: LazyLock<Regex> = LazyLock::new(|| pattern(r" in (?:any|arbitrary) order"));

/// `Output k and then the k indices`.
static NUMBER_AND_ITEMS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:print|output|write|display) (?:the (?:number|integer) )?([a-z]),? (?:and then|then|and|followed by)(?: print| output)? (?:the |these |those )?([a-z]) (?:\w+ )?\w+s\W*$",
    )
});

/// `Print n integers`.
static SO_MANY_NUMBERS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:print|output|write|display) (?:[a-z]|\d+|two|three|four|five|six|seven|eight|nine|ten) (?:(?:distinct|different|positive|non-negative|whole) )*(?:integers|numbers)(?: ?[,:—–-] ?(?:the )?[\w ]+)?\W*$",
    )
});

/// Whether a sentence says how many numbers to print.
pub(super) fn is_number_of_numbers(sentence: &str) -> bool {
    SO_MANY_NUMBERS.is_match(sentence)
}

/// Whether a sentence asks for a number, and for so many items behind it.
pub(super) fn is_number_and_items(sentence: &str) -> bool {
    let found = NUMBER_AND_ITEMS.captures(sentence);
    found.is_some_and(|found| found[1].eq_ignore_ascii_case(&found[2]))
}

/// How many items a sentence frees: the number stands before them there, or in the one that `asked` for them.
pub(super) fn count_of(sentence: &str, asked: &str) -> Option<usize> {
    let moving = moving(sentence).unwrap_or_default();
    let points_back = matches!(&*moving, "them" | "they" | "these" | "those");
    let lower = sentence.to_lowercase();
    let here = SO_MANY.captures_iter(&lower).find(|found| {
        let behind = found.get(2).map_or("", |words| &lower[words.start()..]);
        let to_phrase = PHRASE
            .find(behind)
            .map_or("", |phrase| &behind[..phrase.start()]);
        !to_phrase.is_empty() && !to_phrase.contains(',')
    });
    let before = asked.to_lowercase();
    let before = SO_MANY
        .captures_iter(&before)
        .find(|found| points_back || !moving.is_empty() && found[2].contains(&*moving));
    here.or(before).and_then(|found| number(&found[1]))
}

/// `The number of necessary cities`.
static NUMBER_OF: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b(?:number|count) of (?:(?:the|these|those|all) )?((?:[\w-]+ ?){1,3})")
});

/// Whether the number of what a sentence frees has been `asked` for.
pub(super) fn counts_what_moves(sentence: &str, asked: &str) -> bool {
    let moving = moving(sentence).unwrap_or_default();
    let asked = asked.to_lowercase();
    let names = |words: &str| words.split(' ').any(|word| stem(word) == stem(&moving));
    !moving.is_empty()
        && NUMBER_OF
            .captures_iter(&asked)
            .any(|found| names(&found[1]))
}

fn number(word: &str) -> Option<usize> {
    let named = NUMBERS.iter().position(|name| *name == word);
    match word {
        "both" => Some(2),
        _ => named.map_or_else(|| word.parse().ok(), |at| Some(at + 2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_counted() {
        assert!(is_number_of_numbers("Print n integers."));
        assert!(!is_number_of_numbers(
            "Print n integers on each of two lines."
        ));
        assert!(is_number_and_items("Output k and then the k indices."));
        assert!(!is_number_and_items("Output k and then the n indices."));
    }

    #[test]
    fn the_number_of_what_is_free() {
        let cities = "You may print the cities in any order.";
        let asked = "First print an integer k: the number of necessary cities.";
        assert!(counts_what_moves(cities, asked));
        assert!(!counts_what_moves(cities, "Print the number of roads."));
    }

    #[test]
    fn a_number_before_what_is_free() {
        let both = "Print both cities in any order, one per line.";
        assert_eq!(count_of(both, ""), Some(2));
        let asked = "Print the 3 roots.";
        assert_eq!(count_of("They may be in any order.", asked), Some(3));
        assert_eq!(count_of("Print the roots in any order.", ""), None);
    }
}
