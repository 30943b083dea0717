//! Lines of the output that a statement tells by their place, where the order is free in one of them alone.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::concept::Concept;
use super::items::are_a_figure;
use super::order_words::{LIKEWISE, SORTED};
use super::plain::pattern;
use super::within::{moving, stem};
use super::words::OUTPUT;

/// A line whose items may come in any order, while others follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FreeLine {
    /// Its place, from 0.
    pub(crate) at: usize,
    /// Those behind it may be lists, whose order is stated. Otherwise they are single words: the order of a list may be that of the
    /// items on the free line.
    pub(crate) lists_behind: bool,
    /// Others whose items may come in any order as well, each by the bit of its place.
    pub(crate) also: u8,
}

impl FreeLine {
    /// Whether the items of the line at this place may come in any order.
    pub(crate) fn frees(&self, at: usize) -> bool {
        at == self.at || at < 8 && self.also >> at & 1 == 1
    }
}

/// `The second line`, `on the second`.
static LINE: LazyLock<Regex> = LazyLock::new(|| {
    const PLACE: &str = "first|second|third|fourth|fifth|next|following|last|final";
    pattern(&format!(
        r"\b(?:the ({PLACE}) line\b|(?:on|in) the ({PLACE})(?:$|[^\w\s]| (?:one|print|output|write|the|all|their|its)\b))"
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

/// `On the first line print the number of sets and the indices`: what is free shares its line with another part.
static LED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:on|in) the \w+ line,? (?:print|output|write) (?:the )?(?:number|count|sum|cost|size|length|total|minimum|maximum|amount|name|value|weight|[kmn])\b[^,]{0,40}? (?:and|followed by|together with) (?:the|its|their|all|those|[kmn])\b",
    )
});

/// What has been read of lines that are told by their place.
#[derive(Debug, Default)]
pub(super) struct NamedLines<'a> {
    /// The sentences that ask for them.
    asked: Vec<&'a str>,
    /// Whether one of these asks for the same on several lines.
    likewise: bool,
    free: Option<usize>,
    /// The others that sentences of their own have freed.
    also: u8,
    behind: Option<bool>,
    parallel: bool,
}

impl<'a> NamedLines<'a> {
    /// A sentence asks for output.
    pub(super) fn ask(&mut self, sentence: &'a str) {
        self.likewise |= LIKEWISE.is_in(sentence);
        if LINE.is_match(sentence) {
            self.asked.push(sentence);
        }
    }

    /// A sentence frees an order: its own line's, or that of the one on which such things were asked for, the last if they have
    /// no name.
    pub(super) fn free(&mut self, sentence: &str, asked: &str) {
        let named = moving(sentence).and_then(|noun| self.place_of(&noun));
        let own = last_place(sentence);
        // One between them may go with the former item by item.
        if let Some(before) = self
            .free
            .filter(|before| *before < 8 && own == Some(*before + 1))
        {
            self.also |= 1 << before;
        }
        self.parallel |= LED.is_match(sentence);
        self.free = own.or(named).or_else(|| last_place(asked));
        self.free.take_if(|_| self.likewise);
        let behind = |asked: &&&str| last_place(asked).is_some_and(|at| Some(at) > self.free);
        let behind: Vec<&str> = self.asked.iter().filter(behind).copied().collect();
        self.behind = None;
        for asked in behind {
            self.note_behind(asked);
        }
    }

    /// The only line on which these have been asked for.
    fn place_of(&self, noun: &str) -> Option<usize> {
        let mut places = self.asked.iter().filter_map(|asked| place_in(noun, asked));
        let place = places.next()?;
        places.all(|other| other == place).then_some(place)
    }

    /// Take a sentence that asks for a line behind the free one. Whether it is one.
    pub(super) fn take_behind(&mut self, sentence: &str) -> bool {
        let Some(free) = self.free else {
            return false;
        };
        let is_behind = last_place(sentence).is_some_and(|at| at > free);
        if is_behind {
            self.note_behind(sentence);
        }
        self.parallel |= self.behind.is_some() && PARALLEL.is_in(sentence);
        is_behind
    }

    fn note_behind(&mut self, sentence: &str) {
        let is_ordered = SORTED.is_in(sentence) || are_a_figure(sentence);
        self.behind = Some(is_ordered && self.behind.unwrap_or(true));
    }

    /// How many lines are told by their place, if the first and the second are.
    pub(super) fn named(&self) -> Option<usize> {
        let all = self.asked.iter();
        let mut places: Vec<usize> = all
            .flat_map(|asked| LINE.captures_iter(asked))
            .filter_map(|named| place(&named).filter(|at| *at != usize::MAX))
            .collect();
        places.sort_unstable();
        places.dedup();
        let is_told = places.starts_with(&[0, 1]);
        is_told.then(|| places.last().map(|last| last + 1))?
    }

    /// Whether items on two lines may go together.
    pub(super) fn are_parallel(&self) -> bool {
        self.parallel
    }

    /// The line that is free, if others follow it.
    pub(super) fn found(&self) -> Option<FreeLine> {
        // Lines that are free by themselves are no figures of one another.
        let lists_behind = self.behind.or((self.also > 0).then_some(true))?;
        Some(FreeLine {
            at: self.free?,
            lists_behind,
            also: self.also,
        })
    }

    /// The line that is free, if others come before it and none follows.
    pub(super) fn last(&self) -> Option<usize> {
        self.free.filter(|at| *at > 0 && self.behind.is_none())
    }
}

/// On which line a sentence asks for things of this name: the one named before them, if it begins with one, or behind.
fn place_in(noun: &str, sentence: &str) -> Option<usize> {
    let lower = sentence.to_lowercase();
    let mut words = lower.match_indices(|c: char| c.is_alphanumeric());
    let at = words.find(|(at, _)| is_word_at(noun, &lower, *at))?.0;
    let first = LINE.find(sentence)?.start();
    let begins = OUTPUT.place_in(sentence).is_none_or(|verb| first < verb);
    let mut named = LINE.captures_iter(sentence);
    let start = |found: &Captures<'_>| found.get(0).map_or(0, |line| line.start());
    let named = match begins {
        true => named.take_while(|found| start(found) < at).last(),
        false => named.find(|found| start(found) > at),
    };
    place(&named?)
}

/// Whether a word with the stem of this noun begins here.
fn is_word_at(noun: &str, text: &str, at: usize) -> bool {
    // Of a long word, only the first letter is looked at any further.
    if text[..at].ends_with(|c: char| c.is_alphanumeric()) {
        return false;
    }
    let word = text[at..].split(|c: char| !c.is_alphanumeric()).next();
    // `The number k` is none of the numbers.
    let are_as_many = |word: &str| word.ends_with('s') || !noun.ends_with('s');
    word.is_some_and(|word| stem(word) == stem(noun) && are_as_many(word))
}

/// The place of the line that a sentence names last.
fn last_place(sentence: &str) -> Option<usize> {
    place(&LINE.captures_iter(sentence).last()?)
}

fn place(named: &Captures<'_>) -> Option<usize> {
    let word = named.get(1).or(named.get(2))?.as_str();
    match word.to_lowercase().as_str() {
        "first" => Some(0),
        "second" => Some(1),
        "third" => Some(2),
        "fourth" => Some(3),
        "fifth" => Some(4),
        "last" | "final" => Some(usize::MAX),
        // Which these are hangs on what came before.
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        PARALLEL.assert_examples();
    }
}
