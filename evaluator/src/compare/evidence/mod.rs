//! What a problem's statement says about comparing outputs: tolerances, order, letter case, printed places.
//!
//! Reads phrases, not meaning. A phrase counts only in a sentence that speaks of the answer: "tasks can be completed in
//! any order" admits nothing. What is not understood is not evidence.

mod concept;
mod order_words;
mod places;
mod plain;
mod several;
mod tolerance;
mod vocabulary;
mod within;
mod words;

use std::collections::BTreeSet;

use super::number::Tolerance;
use crate::problem::Declared;
use order_words::{
    ANY_ORDER, ASKED_BEFORE, BEHIND, DONE_BEFORE, FIRST, GROUPS, IF_THEN, LEADING, LEADING_SEVERAL,
    LINE_EACH, LINE_OF_TEST, NEXT_PART, NO_ITEMS, ORDER_ALONE, OTHER_ORDER, OVER_ORDERS, OWN_LINE,
    RANKED, ROWS, SORTED,
};
use plain::{plain, quote, sentences};
use within::{Freed, freed};
use words::{
    ANY_CASE, ANY_SPACE, CONDITION, CONVERSION, LINES, LOGARITHM, MANY_TESTS, NODES, OTHER_CASE,
    OUTPUT, PARTS, PLACES, POINTED,
};

pub use several::several_answers;

/// What speaks for admitting a loose strategy: what the problem declares, and its statement.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence<'a> {
    /// What the problem declares.
    pub declared: Declared,
    /// The problem's statement.
    pub statement: Option<&'a str>,
}

/// What a statement says, each with the words that say it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Phrases {
    /// How far a real may be off.
    pub(crate) tolerance: Option<(Tolerance, String)>,
    /// That the answer may come in any order.
    pub(crate) any_order: Option<String>,
    /// That letter case does not matter.
    pub(crate) any_case: Option<String>,
    /// The words that the statement asks to print, in lower case.
    pub(crate) vocabulary: BTreeSet<String>,
    /// That places are fixed with which a real is to be printed.
    pub(crate) fixed_places: Option<String>,
    /// How many they are, where it has to be exactly so many.
    pub(crate) exact_places: Option<usize>,
    /// That what is printed with a point in it is no real.
    pub(crate) pointed: Option<String>,
    /// That one output holds the answers of several tests.
    pub(crate) many_tests: bool,
    /// That the output has parts, one after the other.
    pub(crate) parts: bool,
    /// That one thing comes before what may come in any order, on a line with that maybe.
    pub(crate) leads: bool,
    /// That what may come in any order are lines, or items of several tokens.
    pub(crate) rows: bool,
    /// That these items are groups, whose own order says nothing either.
    pub(crate) groups: bool,
    /// That what may come in any order is not the items, but what stands in each of them.
    pub(crate) within: bool,
    /// That it is numbers, which may stand in several lists.
    pub(crate) numbers: bool,
    /// That linked lists or trees go in and out, for which nothing at all is the empty one.
    pub(crate) nodes: bool,
    /// Whether it matters which token is on which line.
    pub(crate) lines: LineEvidence,
}

/// Whether a statement lays its output out in lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum LineEvidence {
    /// It says nothing of its output, so nothing is known.
    #[default]
    Unknown,
    /// It speaks of its output and of no lines, rows or separators in it.
    Unmentioned,
    /// It speaks of lines, rows or separators.
    Matter,
    /// It says that any white space does.
    Free(String),
}

/// Read a statement.
pub(crate) fn read(statement: &str) -> Phrases {
    let plain = plain(statement);
    let mut phrases = Phrases {
        many_tests: MANY_TESTS.is_in(&plain),
        nodes: NODES.is_in(&plain),
        vocabulary: vocabulary::of(statement),
        ..Phrases::default()
    };
    let mut sorted = false;
    let mut orders = Orders::default();
    let (mut before, mut asked) = ("", "");
    // Whether nothing comes behind what is free.
    let mut ends_with_it = true;
    for sentence in sentences(&plain) {
        phrases.note(sentence);
        if phrases.note_order_alone(before, sentence) || frees_output(sentence) {
            ends_with_it = true;
            let freed = freed(sentence, &plain);
            orders.note(freed);
            phrases.rows |= freed != Freed::Numbers && frees_rows(sentence, asked);
        } else if OUTPUT.is_in(sentence) && BEHIND.is_in(sentence) {
            ends_with_it = false;
        }
        if OUTPUT.is_in(sentence) {
            asked = sentence;
        }
        orders.leads |= OUTPUT.is_in(sentence) && leads(sentence);
        sorted |= OUTPUT.is_in(sentence) && (is_sorted(sentence) || RANKED.is_in(sentence));
        sorted |= FIRST.is_in(sentence);
        before = sentence;
    }
    // Where the output is sorted, what may come in any order are its ties alone.
    phrases.any_order.take_if(|_| sorted || !ends_with_it);
    phrases.groups |= orders.items && orders.within;
    phrases.within = orders.within && !orders.items;
    phrases.leads |= phrases.within && orders.leads;
    phrases.numbers = orders.numbers && !orders.items;
    phrases
}

/// What the sentences of a statement let come in any order.
#[derive(Debug, Default)]
struct Orders {
    items: bool,
    within: bool,
    numbers: bool,
    /// Whether any sentence, and so perhaps another, has one thing before the others.
    leads: bool,
}

impl Orders {
    fn note(&mut self, freed: Freed) {
        self.items |= matches!(freed, Freed::Items | Freed::Both);
        self.within |= matches!(freed, Freed::Within | Freed::Both);
        self.numbers |= freed == Freed::Numbers;
    }
}

/// Whether a sentence about the output frees an order.
fn frees_output(sentence: &str) -> bool {
    OUTPUT.is_in(sentence) && frees_order(sentence)
}

/// Whether what a sentence frees are items of several tokens, by its own words or by those that have `asked` for them.
fn frees_rows(sentence: &str, asked: &str) -> bool {
    let speaks_of_rows = |sentence: &str| ROWS.is_in(&NO_ITEMS.taken_from(sentence));
    speaks_of_rows(sentence) || ASKED_BEFORE.is_in(sentence) && speaks_of_rows(asked)
}

/// Whether a sentence has one thing before what may come in any order, on a line with that maybe.
fn leads(sentence: &str) -> bool {
    LEADING.is_in(&IF_THEN.taken_from(sentence)) && !OWN_LINE.is_in(sentence)
}

/// Whether a sentence lets the answer, or the part of it that it speaks of there, come in any order.
fn frees_order(sentence: &str) -> bool {
    let is_free = |part: &str| ANY_ORDER.is_in(part) && !OVER_ORDERS.is_in(part);
    let parted = NEXT_PART.place_in(sentence).is_some_and(|at| {
        let (former, latter) = sentence.split_at(at);
        is_free(latter) && !ANY_ORDER.is_in(former)
    });
    let is_clear = !LEADING_SEVERAL.is_in(sentence);
    (parted || is_free(sentence))
        && is_clear
        && !OTHER_ORDER.is_in(&DONE_BEFORE.taken_from(sentence))
}

/// Whether a sentence speaks of letter case in a condition, before it comes to the output.
fn is_condition(sentence: &str) -> bool {
    let phrase = ANY_CASE.place_in(sentence);
    CONDITION.is_in(sentence) && phrase < OUTPUT.place_in(sentence)
}

/// Behind a comma, an order may be that of one item's own parts.
fn is_sorted(sentence: &str) -> bool {
    SORTED
        .place_in(sentence)
        .is_some_and(|at| !sentence[..at].contains(','))
}

impl Phrases {
    fn note(&mut self, sentence: &str) {
        if let Some(found) = tolerance::tolerance(sentence) {
            let tighter = match &self.tolerance {
                Some((known, _)) => tolerance::tightest(*known, found),
                None => found,
            };
            self.tolerance = Some((tighter, quote(sentence)));
        }
        if PLACES.is_in(sentence) {
            self.fixed_places.get_or_insert_with(|| quote(sentence));
            self.exact_places = self.exact_places.or_else(|| places::exactly(sentence));
        }
        self.groups |= GROUPS.is_in(sentence);
        let is_pointed =
            POINTED.is_in(sentence.trim_end_matches('.')) && !LOGARITHM.is_in(sentence);
        if is_pointed && (OUTPUT.is_in(sentence) || CONVERSION.is_in(sentence)) {
            self.pointed.get_or_insert_with(|| quote(sentence));
        }
        if OUTPUT.is_in(sentence) {
            self.note_of_output(sentence);
        }
    }

    fn note_of_output(&mut self, sentence: &str) {
        if frees_order(sentence) {
            self.any_order.get_or_insert_with(|| quote(sentence));
            self.leads |= leads(sentence);
        }
        if ANY_CASE.is_in(sentence) && !OTHER_CASE.is_in(sentence) && !is_condition(sentence) {
            self.any_case.get_or_insert_with(|| quote(sentence));
        }
        self.parts |= PARTS.is_in(&IF_THEN.taken_from(sentence));
        let of_test = MANY_TESTS.is_in(sentence) && LINE_OF_TEST.is_in(sentence);
        self.rows |= LINE_EACH.is_in(sentence) && !of_test;
        self.note_lines(sentence);
    }

    /// `The order does not matter.` is said of what the sentence before it asks for.
    fn note_order_alone(&mut self, before: &str, sentence: &str) -> bool {
        let asked =
            OUTPUT.is_in(before) && !OTHER_ORDER.is_in(before) && !OVER_ORDERS.is_in(before);
        let is_free = asked && ORDER_ALONE.is_in(sentence.trim().trim_end_matches('.'));
        if is_free {
            self.any_order.get_or_insert_with(|| quote(sentence));
        }
        is_free
    }

    fn note_lines(&mut self, sentence: &str) {
        if matches!(self.lines, LineEvidence::Free(_)) {
            return;
        }
        if ANY_SPACE.is_in(sentence) {
            self.lines = LineEvidence::Free(quote(sentence));
        } else if LINES.is_in(sentence) {
            self.lines = LineEvidence::Matter;
        } else if self.lines == LineEvidence::Unknown {
            self.lines = LineEvidence::Unmentioned;
        }
    }
}
