//! What is known of orders while a statement is read.

use super::one_case::{is_conditional, is_ordered};
use super::sentence::Sentence;

/// What the sentences of a statement let come in any order, and what has one.
#[derive(Debug, Default)]
pub(super) struct Orders {
    pub(super) items: bool,
    pub(super) within: bool,
    pub(super) numbers: bool,
    /// Something in each part of the answer.
    pub(super) each: bool,
    /// Whether a sentence that frees an order has one thing before the others.
    pub(super) leads_free: bool,
    /// Whether any sentence, and so perhaps another, has.
    pub(super) leads: bool,
    /// Whether each item has one thing before its others.
    pub(super) leads_items: bool,
    /// Whether the members of each item have an order.
    pub(super) of_members: bool,
    /// Whether anything has one.
    pub(super) of_something: bool,
    /// Whether they are of different kinds.
    pub(super) has_columns: bool,
    /// Whether that is told by what goes with an item, so that no one thing of each could be free.
    pub(super) has_records: bool,
    /// Whether the output has: what may come in any order are its ties alone.
    pub(super) of_output: bool,
    /// Whether the items alone have, and not what stands in each of them.
    pub(super) of_items: bool,
    /// Whether something comes behind what is free.
    pub(super) goes_on: bool,
    /// How many sentences have freed one.
    pub(super) times_freed: usize,
    /// Whether one in the section on the output has.
    pub(super) freed_here: bool,
    /// Whether what frees one is about one case.
    pub(super) in_one_case: bool,
    /// Whether another sentence has what it asks for come in an order.
    pub(super) ordered_in_another: bool,
    /// How many things are asked for.
    pub(super) asked_for: usize,
    /// Whether the output has a word for how many things there are, or for one before others.
    pub(super) counts: bool,
    /// Whether the output has a section of its own.
    pub(super) has_section: bool,
}

impl Orders {
    /// Whether what is asked for is free or ordered in one case.
    pub(super) fn note_case(&mut self, read: &Sentence<'_>, is_free: bool) {
        if !read.section.may_be_of_output() {
            return;
        }
        match is_free {
            true => self.in_one_case |= is_conditional(&read.text),
            false => self.ordered_in_another |= is_ordered(&read.text),
        }
    }
}
