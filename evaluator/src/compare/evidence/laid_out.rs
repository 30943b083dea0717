//! What a statement says of the lines of its output.

use super::plain::quote;
use super::space_words::{ANY_SPACE, GAP_SAID, LINES, LISTS};
use super::within::is_distributive;

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

impl LineEvidence {
    /// Lists that stand one after the other end where their lines do.
    pub(super) fn note_any_space(&mut self, sentence: &str) {
        let other_words = ANY_SPACE.taken_from(sentence);
        let is_of_lists = is_distributive(sentence) || LISTS.is_in(sentence);
        if ANY_SPACE.is_in(sentence) && !LINES.is_in(&other_words) && !is_of_lists {
            *self = LineEvidence::Free(quote(sentence));
        }
    }

    /// A gap or a line of what has just been asked for is one of the output, named or not.
    pub(super) fn note_gap(&mut self, sentence: &str) {
        if GAP_SAID.is_in(sentence) && !self.is_free() {
            *self = LineEvidence::Matter;
        }
    }

    pub(super) fn note(&mut self, sentence: &str) {
        self.note_any_space(sentence);
        if self.is_free() {
            return;
        }
        if LINES.is_in(sentence) {
            *self = LineEvidence::Matter;
        } else if *self == LineEvidence::Unknown {
            *self = LineEvidence::Unmentioned;
        }
    }

    fn is_free(&self) -> bool {
        matches!(self, LineEvidence::Free(_))
    }
}
