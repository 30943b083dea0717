//! What stands above the items of a text, and stays there whatever their order.

use super::number::Number;
use super::rows::{alike, rows, words};
use super::rules::Order;
use super::word_case::{is_answer, is_verdict};

/// What the first line is, if it is no item but speaks of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    /// It is an item.
    None,
    /// It says how many items follow, and so that each line is one.
    Count,
    /// It says how many tokens stand on the only other line, which are items then: more than two, as a figure may be two.
    Words,
    /// It is another part of the answer.
    Part,
}

impl Head {
    /// The head of a text of `count` lines.
    pub(super) fn of(text: &[u8], count: usize, order: Order) -> Head {
        let (Some(first), true) = (rows(text).next(), count > 1) else {
            return Head::None;
        };
        let rest = || rows(text).skip(1);
        let width = words(first).count();
        let says =
            |wanted: usize| width == 1 && first.trim_ascii() == wanted.to_string().as_bytes();
        let second = || rest().next().map_or(0, |line| words(line).count());
        let is_bare = matches!(order, Order::Stated { bare: true, .. }) && second() == width;
        // Of two lines in any order, the former may well be a 1.
        if says(count - 1) && !is_bare && (count > 2 || order != Order::Declared) {
            return Head::Count;
        }
        let counts_words = count == 2 && second() > 1 && says(second());
        // Two are no figure beside it where it is how many there are.
        let is_number_of_items = matches!(order, Order::Stated { counted: true, .. });
        if counts_words && (second() > 2 || is_number_of_items) {
            return Head::Words;
        }
        let word = first.trim_ascii();
        // A name or another word that is also an answer may be one of several.
        let answers =
            width == 1 && (is_verdict(word) || is_answer(word) && !rest().all(is_one_word));
        // A lone number above groups of other sizes may be a figure of its own.
        let is_figure = order != Order::Declared
            && width == 1
            && !alike(rest())
            && Number::parse(first.trim_ascii()).is_some();
        let apart = order != Order::Declared && count > 2 && alike(rest()) && second() != width;
        if counts_words
            || answers
            || is_figure
            || apart
            || matches!(order, Order::Stated { head, leads, .. } if head || leads && width == 1)
        {
            Head::Part
        } else {
            Head::None
        }
    }

    /// How many lines it takes.
    pub(super) fn lines(self) -> usize {
        usize::from(self != Head::None)
    }
}

/// Whether a line is a word of letters.
fn is_one_word(line: &[u8]) -> bool {
    line.trim_ascii().iter().all(u8::is_ascii_alphabetic)
}
