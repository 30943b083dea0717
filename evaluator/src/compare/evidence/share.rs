//! Of which of several things that are printed a tolerance is said.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use regex::Regex;

use super::bearer::{from_all_names, names_in};
use super::order_words::FOR_EACH;
use super::plain::pattern;
use super::section::Section;
use super::things::Things;
use super::tolerance::bound_in;
use super::within::stem;

/// The things, among those that are printed, that have a tolerance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Share {
    /// How many are printed.
    pub(crate) of: usize,
    /// Those that have it, each by the bit of its place.
    pub(crate) tolerant: u32,
    /// Words that say in the output which thing it is.
    pub(crate) labels: Arc<BTreeSet<String>>,
    /// They are printed for each of several tests or items.
    pub(crate) repeats: bool,
}

impl Share {
    /// Whether the thing at this place has it.
    pub(crate) fn has(&self, at: usize) -> bool {
        self.tolerant >> at & 1 == 1
    }

    /// Whether a word of the output says which thing, or whose, comes next: `Mean:`, `Case`, `#1:`.
    pub(crate) fn is_label(&self, word: &str) -> bool {
        let bare = word
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase();
        let is_number = word.starts_with(|c: char| c.is_ascii_digit() || "+-.#".contains(c));
        match is_number {
            true => word.starts_with('#') || word.ends_with(':'),
            false => bare == "case" || self.labels.contains(stem(&bare)),
        }
    }
}

/// That another thing comes next.
static AND_THEN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:error|precision|accuracy)[^,;]{0,40}, (?:and )?then\b"));

/// A line, or a thing, by its place.
static OF_A_LINE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:on|in|of) the (?:first|second|third|last) line\b|^\W*(?:only )?the (?:first|second|third|fourth|last) (?:number|value|one|answer|real|output)\b",
    )
});

/// One of several things of the same name, by its place or its letter.
static BY_PLACE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:on|in|of|to|for) the (?:first|second|third|fourth|last)\b ?(?P<noun>\w*)|\b(?:part|question|task|problem|item|row|column|shop|team|player|side) (?:[a-d]|[1-9]|one|two|three)\b",
    )
});

/// That a sentence asks for what it gives a tolerance to.
static ASKS_FOR_IT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:print|output|display|write|report|return|give|find|compute|calculate|determine)s?\b",
    )
});

/// That several things of the same name are asked for.
static SEVERAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b(?:both|two|three|four|each|every|all|first and|\w+s [a-d] and [a-d])\b")
});

/// What a number is rounded to, or what stands for whatever is printed: that may be known by its place.
static OTHER_NOUNS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:lines?|numbers?|values?|ones?|outputs?|reals?|decimals?|digits?|places?|significant|fractional|figures?|positions?)$",
    )
});

/// What is to be exact.
static EXACT_ONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:the|its) (\w+(?: \w+)?) (?:must|should|has to|have to|needs? to|is to) be (?:printed )?exact",
    )
});

/// What there is more than one of is all that has an error.
fn is_plural(name: &str) -> bool {
    let noun = name.split(' ').next().unwrap_or_default().to_lowercase();
    noun.ends_with('s')
        && !["ss", "us", "is", "as"]
            .iter()
            .any(|end| noun.ends_with(end))
}

/// What is read of tolerances, and of what has none.
#[derive(Debug, Default)]
pub(super) struct Shares<'a> {
    tolerant: Vec<&'a str>,
    exact: Vec<&'a str>,
    /// The sentences that ask for output.
    asked: Vec<&'a str>,
    has_section: bool,
    repeats: bool,
}

/// What they come to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum WhoseTolerance {
    /// All that is printed has the tolerance.
    All,
    /// One thing has, and it is not known which.
    Unknown,
    /// Something is to be exact, and it is not known what.
    None,
    /// These have it. Where an output does not show them, all do, or one thing has if it was called by its name.
    Some { share: Share, is_of_one: bool },
}

impl<'a> Shares<'a> {
    pub(super) fn note_tolerance(&mut self, sentence: &'a str) {
        self.tolerant.push(sentence);
    }

    pub(super) fn note_exact(&mut self, sentence: &'a str) {
        self.exact.push(sentence);
    }

    /// A sentence asks for output. What the story asks for, the section on the output asks for again.
    pub(super) fn ask(&mut self, sentence: &'a str, section: Section) {
        if section == Section::Output && !self.has_section {
            self.has_section = true;
            self.asked.clear();
        }
        self.repeats |= FOR_EACH.is_in(sentence);
        self.asked.push(sentence);
    }

    /// Which of the things that are asked for have the tolerance.
    pub(super) fn shared(&self) -> WhoseTolerance {
        let asked = &self.asked;
        let things = Things::of(asked);
        let all = things.count().map(|of| (1u32 << of) - 1);
        let has_name = self.tolerant.iter().any(|sentence| is_of_one(sentence));
        if self.is_of_a_line_of(&things) {
            return WhoseTolerance::None;
        }
        let (Some(of), Some(all)) = (things.count(), all) else {
            if self.is_of_some_of(&things) {
                return WhoseTolerance::None;
            }
            return unknown(has_name, !self.exact.is_empty());
        };
        let Some(exact) = self.exact_of(&things, asked) else {
            return WhoseTolerance::None;
        };
        let masks = self.tolerant.iter();
        let masks = masks.map(|sentence| tolerant_of(sentence, &things, asked).unwrap_or(all));
        let named = masks.fold(0, |sum, mask| sum | mask);
        let tolerant = named & !exact;
        let is_unknown = self
            .tolerant
            .iter()
            .any(|sentence| is_of_one(sentence) && tolerant_of(sentence, &things, asked).is_none());
        match tolerant {
            _ if tolerant == all && is_unknown => WhoseTolerance::Unknown,
            _ if tolerant == all => WhoseTolerance::All,
            0 => WhoseTolerance::None,
            _ => WhoseTolerance::Some {
                share: Share {
                    of,
                    tolerant,
                    labels: Arc::new(things.labels()),
                    repeats: self.repeats,
                },
                is_of_one: has_name || exact != 0,
            },
        }
    }

    /// Whether each tolerance is that of some things that are called by their names, where there are others.
    fn is_of_some_of(&self, things: &Things) -> bool {
        let named = self.tolerant.iter().map(|sentence| {
            let names = from_all_names(sentence).into_iter();
            let called = names.filter_map(|name| things.called(name));
            called.collect::<BTreeSet<usize>>()
        });
        let named: Vec<_> = named.collect();
        let told: BTreeSet<_> = named.iter().flatten().collect();
        !named.is_empty()
            && named.iter().all(|names| !names.is_empty())
            && told.len() < things.with_names()
    }

    /// Whether one is that of a line, or of a thing by its place, and it is not known which thing that is.
    fn is_of_a_line_of(&self, things: &Things) -> bool {
        let mut of_a_line = self.tolerant.iter().filter(|told| is_of_a_line(told));
        let has_several = self.asked.iter().any(|asked| SEVERAL.is_match(asked));
        of_a_line.any(|told| {
            let is_unknown = tolerant_of(told, things, &self.asked).is_none();
            let is_aside = !ASKS_FOR_IT.is_match(told);
            has_several && is_aside && is_by_place(told) || is_unknown && OF_A_LINE.is_match(told)
        })
    }

    /// Those that are to be exact, if it is known which they are.
    fn exact_of(&self, things: &Things, asked: &[&str]) -> Option<u32> {
        self.exact.iter().try_fold(0, |sum, sentence| {
            let named = EXACT_ONE
                .captures(sentence)
                .and_then(|found| things.named(found.get(1)?.as_str()));
            let of = |at: usize| things.exact_in(at);
            let said = place_of(sentence, asked).map(of).unwrap_or_default();
            let found = named.into_iter().chain(said);
            let mask = found.fold(0u32, |mask, at| mask | 1 << at);
            (mask != 0).then_some(sum | mask)
        })
    }
}

/// Whether a tolerance is that of a line, or of a thing, by its place.
fn is_of_a_line(told: &str) -> bool {
    OF_A_LINE.is_match(told) || is_by_place(told)
}

/// Whether it is that of one of several things of the same name: not one up to the second decimal.
fn is_by_place(told: &str) -> bool {
    let mut found = BY_PLACE.captures_iter(told);
    found.any(|found| {
        !found
            .name("noun")
            .is_some_and(|noun| OTHER_NOUNS.is_match(noun.as_str()))
    })
}

fn unknown(is_of_one: bool, is_exact: bool) -> WhoseTolerance {
    match (is_exact, is_of_one) {
        (true, _) => WhoseTolerance::None,
        (false, true) => WhoseTolerance::Unknown,
        (false, false) => WhoseTolerance::All,
    }
}

/// Whether a tolerance is that of one thing by its name, which need not be all that is printed.
fn is_of_one(sentence: &str) -> bool {
    let is_in_brackets = bound_in(sentence).is_some_and(|at| is_bracketed(sentence, at));
    names_in(sentence).iter().any(|name| !is_plural(name))
        || is_in_brackets
        || AND_THEN.is_match(sentence)
}

fn named_of(sentence: &str, things: &Things) -> Option<u32> {
    let names = names_in(sentence).into_iter();
    let found = names.filter_map(|name| things.named(name));
    let mask = found.fold(0u32, |mask, at| mask | 1 << at);
    (mask != 0).then_some(mask)
}

/// The things that a sentence gives a tolerance to: by their names, or as it is said behind what it asks for.
fn tolerant_of(sentence: &str, things: &Things, asked: &[&str]) -> Option<u32> {
    named_of(sentence, things).or_else(|| {
        let at = place_of(sentence, asked)?;
        let bound = bound_in(sentence)?;
        let here = things.in_sentence(at);
        let one = things.before(at, bound)?;
        let is_last = here.last() == Some(&one) && here.len() > 1;
        match is_last && !is_of_one(sentence) {
            // It may be that of all before it.
            true => Some(here.iter().fold(0u32, |mask, at| mask | 1 << at)),
            false => Some(1 << one),
        }
    })
}

fn place_of(sentence: &str, asked: &[&str]) -> Option<usize> {
    asked.iter().position(|other| *other == sentence)
}

/// Whether what stands at a place of a sentence is in brackets behind something.
fn is_bracketed(sentence: &str, at: usize) -> bool {
    let before = &sentence[..at];
    let opens = before.rfind('(').filter(|open| *open > 0);
    opens.is_some_and(|open| !before[open..].contains(')')) && sentence[at..].contains(')')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tolerant(asked: &[&str], said: &str) -> Option<u32> {
        let mut shares = Shares::default();
        shares.note_tolerance(said);
        for sentence in asked {
            shares.ask(sentence, Section::Story);
        }
        match shares.shared() {
            WhoseTolerance::Some { share, .. } => Some(share.tolerant),
            _ => None,
        }
    }

    #[test]
    fn those_that_have_it() {
        let both = "Print the area and the perimeter.";
        let of_one = "The perimeter is accepted with an absolute error of at most 0.01.";
        assert_eq!(tolerant(&[both], of_one), Some(0b10));
        let of_all = "Your answers may have an absolute error of at most 0.01.";
        assert_eq!(tolerant(&[both], of_all), None);
        let bracketed = "Print the price and the mean (with an absolute error of at most 0.01).";
        assert_eq!(tolerant(&[bracketed], bracketed), Some(0b10));
        let behind = "Print the area and the perimeter with an absolute error of at most 0.01.";
        assert_eq!(tolerant(&[behind], behind), None);
        let deviation = "Print the mean and the deviation.";
        let said = "The deviation may have an absolute error of 0.01.";
        assert_eq!(tolerant(&[deviation], said), Some(0b10));
    }

    #[test]
    fn beside_what_is_exact() {
        let asked = "Print the area exactly and the volume with an absolute error of at most 0.01.";
        let mut shares = Shares::default();
        shares.note_tolerance(asked);
        shares.note_exact(asked);
        shares.ask(asked, Section::Story);
        let shared = shares.shared();
        assert!(matches!(shared, WhoseTolerance::Some { share, .. } if share.tolerant == 0b10));
    }
}
