//! A statement as a whole, of which many a sentence asks the same: it is looked up once.

use std::cell::RefCell;
use std::collections::HashMap;

use super::concept::Concept;
use super::plain::pattern;

/// A statement, and what is known of it.
#[derive(Debug, Default)]
pub(super) struct Whole<'a> {
    text: &'a str,
    /// Whether it speaks of these, each told by its place in memory.
    concepts: RefCell<HashMap<usize, bool>>,
    /// Whether it has these words.
    words: RefCell<HashMap<String, bool>>,
}

impl<'a> Whole<'a> {
    pub(super) fn new(text: &'a str) -> Whole<'a> {
        Whole {
            text,
            ..Whole::default()
        }
    }

    /// Whether it speaks of this.
    pub(super) fn speaks_of(&self, concept: &'static Concept) -> bool {
        let mut known = self.concepts.borrow_mut();
        let place = std::ptr::from_ref(concept).addr();
        *known
            .entry(place)
            .or_insert_with(|| concept.is_in(self.text))
    }

    /// Whether these words, a pattern, are in it.
    pub(super) fn has(&self, words: String) -> bool {
        let mut known = self.words.borrow_mut();
        let is_in = |words: &String| pattern(words).is_match(self.text);
        *known.entry(words).or_insert_with_key(is_in)
    }
}
