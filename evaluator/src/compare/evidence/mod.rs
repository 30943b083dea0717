//! What a problem's statement says about comparing outputs: tolerances, order, letter case, printed places.
//!
//! Reads phrases, not meaning. A phrase counts only in a sentence that speaks of the answer: "tasks can be completed in
//! any order" admits nothing. What is not understood is not evidence.

mod concept;
mod places;
mod plain;
mod several;
mod tolerance;
mod vocabulary;
mod words;

use std::collections::BTreeSet;

use super::number::Tolerance;
use crate::problem::Declared;
use plain::{plain, quote, sentences};
use words::{
    ANY_CASE, ANY_ORDER, ANY_SPACE, CONDITION, DONE_BEFORE, GROUPS, LEADING, LEADING_SEVERAL,
    LINES, LOGARITHM, MANY_TESTS, NEXT_PART, NODES, ORDER_ALONE, OTHER_CASE, OTHER_ORDER, OUTPUT,
    OVER_ORDERS, OWN_LINE, PARTS, PLACES, POINTED, RANKED, ROWS, SORTED,
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
    let mut before = "";
    for sentence in sentences(&plain) {
        phrases.note(sentence);
        phrases.note_order_alone(before, sentence);
        sorted |= OUTPUT.is_in(sentence) && (is_sorted(sentence) || RANKED.is_in(sentence));
        before = sentence;
    }
    // Where the output is sorted, what may come in any order are its ties alone.
    phrases.any_order.take_if(|_| sorted);
    phrases
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
        self.rows |= ROWS.is_in(sentence);
        self.groups |= GROUPS.is_in(sentence);
        if OUTPUT.is_in(sentence) {
            self.note_of_output(sentence);
        }
    }

    fn note_of_output(&mut self, sentence: &str) {
        if frees_order(sentence) {
            self.any_order.get_or_insert_with(|| quote(sentence));
            self.leads |= LEADING.is_in(sentence) && !OWN_LINE.is_in(sentence);
        }
        if ANY_CASE.is_in(sentence) && !OTHER_CASE.is_in(sentence) && !is_condition(sentence) {
            self.any_case.get_or_insert_with(|| quote(sentence));
        }
        if POINTED.is_in(sentence.trim_end_matches('.')) && !LOGARITHM.is_in(sentence) {
            self.pointed.get_or_insert_with(|| quote(sentence));
        }
        self.parts |= PARTS.is_in(sentence);
        self.note_lines(sentence);
    }

    /// `The order does not matter.` is said of what the sentence before it asks for.
    fn note_order_alone(&mut self, before: &str, sentence: &str) {
        let asked =
            OUTPUT.is_in(before) && !OTHER_ORDER.is_in(before) && !OVER_ORDERS.is_in(before);
        if asked && ORDER_ALONE.is_in(sentence.trim().trim_end_matches('.')) {
            self.any_order.get_or_insert_with(|| quote(sentence));
        }
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
