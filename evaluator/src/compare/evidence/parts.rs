//! What is printed beside the parts that a sentence lets come in any order: the members of a team stand behind its name, the ends
//! of an edge before its weight.
//!
//! No output tells them apart, so that where there is more than the parts, these are not free.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::{Match, Regex};

use super::free_order::Asked;
use super::order_words::ONE_LINE;
use super::plain::pattern;
use super::things::Things;
use super::within::{Freed, stem};

/// `The members of a team`.
static PART: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?P<part>\w+) (?:of|in|within|inside|on|at) (?:each|every|the same|one|an?|its) (?P<whole>\w+)|\ba (?P<owner>\w+)['’]s (?P<own>\w+)\b|\b(?:the|its) two (?P<two>\w+)\b",
    )
});

/// The ends of an edge, which are two.
const ENDS: [&str; 5] = ["endpoint", "end", "vertex", "node", "city"];

/// Three things by their letters: `u v w`.
static THREE_LETTERS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b[a-z],? [a-z],? (?:and )?[a-z]\b"));

/// `The edges with their weights`.
static WITH_THEIRS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bwith (?:its|their) (?:\w+ )?(\w+)\b"));

/// `Its leader and then its members`.
static AND_THEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\bits (?:two |own )?(\w+),? (?:and then|then|followed by|and) (?:its|their|the) (?:two |other )?(\w+)",
    )
});

/// `[captain, member, member]`.
static IN_BRACKETS: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\[({]([^\])}]*,[^\])}]*)[\])}]"));

/// What is told of a thing in one number.
const FIGURES: [&str; 17] = [
    "score", "sum", "size", "rank", "total", "count", "cost", "length", "value", "area", "average",
    "mean", "product", "maximum", "minimum", "points", "height",
];

/// Wholes that are what is printed, whatever stands in them.
const PRINTED: [&str; 8] = [
    "line", "row", "list", "array", "output", "answer", "test", "case",
];

/// What a traversal or a listing is divided into, be it on one line.
const DIVISIONS: [&str; 11] = [
    "level",
    "layer",
    "depth",
    "column",
    "class",
    "category",
    "section",
    "room",
    "table",
    "family",
    "generation",
];

/// Things by their letters: `a, b and c`.
static LETTERS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[a-z](?:, ?[a-z])*,? and [a-z]\b"));

/// That each part has a line or a list of its own.
static LAID_OUT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:lines?|rows?|lists?|arrays?|blocks?)\b"));

/// By what something is listed: `the cities by country`.
static LISTED_BY: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bby (?:the |their |its )?(\w+)\b"));

/// Whether the parts that a sentence frees stand in a whole which no output tells from the next: on one line all of them, in one by
/// which things are listed, or on a level of a tree that has no line of its own.
pub(super) fn cannot_be_told_apart(sentence: &str, asked: &Asked<'_>, freed: Freed) -> bool {
    let is_on_one_line = ONE_LINE.is_in(sentence) || ONE_LINE.is_in(asked.last);
    freed == Freed::Within && is_on_one_line
        || are_in_a_division(sentence, asked)
        || are_some_of_the_named(sentence, asked)
}

/// Whether what is free are some things by their letters, of more that were asked for: `a and b`, of `a, b and c`.
fn are_some_of_the_named(sentence: &str, asked: &Asked<'_>) -> bool {
    let letters = |found: &str| -> BTreeSet<char> {
        let words = found.split(|c: char| !c.is_alphanumeric());
        words
            .filter(|word| word.len() == 1)
            .flat_map(str::chars)
            .collect()
    };
    let (freed, all) = (sentence.to_lowercase(), asked.all.to_lowercase());
    LETTERS.find(&freed).is_some_and(|freed| {
        let freed = letters(freed.as_str());
        let mut named = LETTERS.find_iter(&all).map(|named| letters(named.as_str()));
        named.any(|named| named.len() > freed.len() && named.is_superset(&freed))
    })
}

fn are_in_a_division(sentence: &str, asked: &Asked<'_>) -> bool {
    let Some((_, whole)) = part_in(sentence) else {
        return false;
    };
    let all = asked.all.to_lowercase();
    let is_whole = |word: &str| stem(word) == whole;
    let is_listed_by = LISTED_BY.captures_iter(&all).any(|by| is_whole(&by[1]));
    let is_laid_out = LAID_OUT.is_match(&all) || LAID_OUT.is_match(sentence);
    // They are told apart where they are themselves what is asked for.
    let is_asked = |word: &str| word.ends_with('s') && word != "class" && is_whole(word);
    let are_asked = all.split(|c: char| !c.is_alphanumeric()).any(is_asked);
    is_listed_by || is_among(&DIVISIONS, &whole) && !is_laid_out && !are_asked
}

/// Whether what is asked for is more than the parts that a sentence frees, or no more than a figure that is told of them.
pub(super) fn stand_beside_others(sentence: &str, asked: &Asked<'_>) -> bool {
    let Some((part, whole)) = part_in(sentence) else {
        return false;
    };
    if is_among(&PRINTED, &whole) {
        return false;
    }
    let rows = [sentence, asked.last, asked.before];
    let things = Things::of(&[asked.last, asked.before]);
    rows.iter().any(|row| has_more(row, &part))
        || things.has_part_beside_others(&part, &whole)
        || !asked.last.to_lowercase().contains(&*part) && things.are_all_among(&FIGURES)
}

/// The nouns of the parts and of what they are parts of, if that is told, without the endings of their plurals.
fn part_in(sentence: &str) -> Option<(String, String)> {
    let found = PART.captures(sentence)?;
    let named = |names: &[&str]| names.iter().find_map(|name| found.name(name));
    let noun = |name: Match<'_>| stem(&name.as_str().to_lowercase()).to_owned();
    let part = named(&["part", "own", "two"]).map(noun)?;
    Some((
        part,
        named(&["whole", "owner"]).map(noun).unwrap_or_default(),
    ))
}

fn is_among(nouns: &[&str], noun: &str) -> bool {
    nouns.iter().any(|known| stem(known) == noun)
}

/// A size is read as what it is, and stays before them.
fn is_size(noun: &str) -> bool {
    ["size", "number", "count"].contains(&&*noun.to_lowercase())
}

fn has_more(row: &str, part: &str) -> bool {
    let is_part = |word: &str| stem(&word.to_lowercase()) == part;
    let theirs = WITH_THEIRS.captures(row);
    let names_another = theirs.is_some_and(|theirs| !is_part(&theirs[1]))
        || AND_THEN
            .captures_iter(row)
            .any(|two| is_part(&two[1]) != is_part(&two[2]) && !is_size(&two[1]));
    let brackets = IN_BRACKETS.captures_iter(row);
    let mut lists = brackets.map(|found| {
        let words = found[1].split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| word.len() > 1);
        let (parts, others): (Vec<_>, Vec<_>) = words.partition(|word| is_part(word));
        !parts.is_empty() && !others.is_empty()
    });
    names_another || is_among(&ENDS, part) && THREE_LETTERS.is_match(row) || lists.any(|is| is)
}
