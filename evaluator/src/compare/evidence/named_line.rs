//! Lines of the output that a statement tells by their place, where the order is free in one of them alone.

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::items::are_a_figure;
use super::order_words::SORTED;
use super::plain::pattern;

/// A line whose items may come in any order, while others follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FreeLine {
    /// Its place, from 0.
    pub(crate) at: usize,
    /// Those behind it may be lists, whose order is stated. Otherwise they are single words: the order of a list may be that of the
    /// items on the free line.
    pub(crate) lists_behind: bool,
}

/// `The second line`, `on the second`.
static LINE: LazyLock<Regex> = LazyLock::new(|| {
    const PLACE: &str = "first|second|third|fourth|fifth|next|following|last|final";
    pattern(&format!(
        r"\b(?:the ({PLACE}) line|(?:on|in) the ({PLACE}))\b"
    ))
});

/// That what is on one line goes with what is on another, item by item.
static PARALLEL: Concept = Concept::new(&[
    (
        r"respective(?:ly)?|correspond\w*|accordingly|match(?:es|ing)?|item by item|one by one",
        "On the third line print the corresponding weights.",
    ),
    (
        r"(?:same|this|that|such an?|chosen|printed|your) order|order (?:of|in|as) (?:the |your )?(?:\w+ ){0,4}(?:line|above|before|printed|chosen)",
        "The third line holds the weights in the same order.",
    ),
    (r"[ijk]-?th", "The i-th of them is the weight of the i-th."),
]);

/// What has been read of lines that are told by their place.
#[derive(Debug, Default)]
pub(super) struct NamedLines {
    free: Option<usize>,
    behind: Option<bool>,
    parallel: bool,
}

impl NamedLines {
    /// A sentence frees an order: its own line's, or that of the one last asked for.
    pub(super) fn free(&mut self, sentence: &str, asked: &str) {
        self.free = last_place(sentence).or_else(|| last_place(asked));
        self.behind = None;
    }

    /// Take a sentence that asks for a line behind the free one. Whether it is one.
    pub(super) fn take_behind(&mut self, sentence: &str) -> bool {
        let Some(free) = self.free else {
            return false;
        };
        let is_behind = last_place(sentence).is_some_and(|at| at > free);
        if is_behind {
            let is_ordered = SORTED.is_in(sentence) || are_a_figure(sentence);
            self.behind = Some(is_ordered && self.behind.unwrap_or(true));
        }
        self.parallel |= self.behind.is_some() && PARALLEL.is_in(sentence);
        is_behind
    }

    /// Whether items on two lines may go together.
    pub(super) fn are_parallel(&self) -> bool {
        self.parallel
    }

    /// The line that is free, if others follow it.
    pub(super) fn found(&self) -> Option<FreeLine> {
        let lists_behind = self.behind?;
        let at = self.free?;
        Some(FreeLine { at, lists_behind })
    }
}

/// The place of the line that a sentence names last.
fn last_place(sentence: &str) -> Option<usize> {
    let place = |named: &str| match named.to_lowercase().as_str() {
        "first" => Some(0),
        "second" => Some(1),
        "third" => Some(2),
        "fourth" => Some(3),
        "fifth" => Some(4),
        "last" | "final" => Some(usize::MAX),
        // Which these are hangs on what came before.
        _ => None,
    };
    let named = LINE.captures_iter(sentence).last()?;
    place(named.get(1).or(named.get(2))?.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        PARALLEL.assert_examples();
    }
}
