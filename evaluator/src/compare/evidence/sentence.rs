//! The sentences of a statement, each with the section it is in.
//!
//! Under the heading of the output a statement may ask for nothing and only say what there is: `The second line contains k
//! integers`. Such a sentence is read as if it asked for that.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::order_words::LINE_EACH;
use super::plain::{pattern, sentences};
use super::prompt::is_of_prompt;
use super::reworded::{apart, reworded};
use super::section::Section;
use super::words::{ADDRESSED, ASKS, OUTPUT};

/// A sentence of a statement, as it is read.
#[derive(Debug)]
pub(super) struct Sentence<'a> {
    pub(super) section: Section,
    /// That is the one on the output, below a heading that stands alone.
    pub(super) is_headed: bool,
    /// It is of the story alone: the output comes later, or has a section of its own, and the sentence does not speak to
    /// the reader.
    pub(super) is_told: bool,
    pub(super) text: Cow<'a, str>,
}

/// `The second line contains k integers`.
static LINE_HOLDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(\W*(?:the|each|every)(?: of the)? (?:[\w-]+ ){0,2}lines?(?: [a-z])?)(?: of (?:the )?output)?(?:,? if any,)? (?:(?:should|must|shall|will|has to|have to|needs? to) )?(?:contains?|consists? of|ha(?:s|ve)|holds?|gives?|lists?|shows?|includes?) ",
    )
});

/// `The output contains the names`.
static OUTPUT_HOLDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:the |your )?output (?:(?:should|must|shall|will|has to) )?(?:contains?|consists? of|lists?) ",
    )
});

/// `Line 2: the indices`, `Lines 2..k+1: the indices`.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\W*line(?: (\d+)|s [\w+-]+ ?(?:\.\.+|-|to) ?[\w+-]+)(?: of (?:the )?output)?: ")
});

/// The heading of the section on the output, alone.
static HEADING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\W*output(?: (?:format|specification|data))?\W*$"));

/// The sentences of a plain text, without the headings on the output.
pub(super) fn read(plain: &str) -> Vec<Sentence<'_>> {
    let mut section = Section::default();
    let mut heading = None;
    let mut has_heading = false;
    let read = |sentence| {
        section = section.followed_by(sentence);
        if section == Section::Output && HEADING.is_match(sentence) {
            heading = Some(sentence);
            has_heading = true;
            return None;
        }
        let text = match section {
            Section::Output => as_asked(sentence, heading),
            _ => Cow::Borrowed(sentence),
        };
        heading = None;
        Some(Sentence {
            section,
            is_headed: has_heading && section == Section::Output,
            text,
            is_told: false,
        })
    };
    let mut all: Vec<Sentence<'_>> = sentences(plain)
        .filter(|sentence| !is_of_prompt(sentence))
        .flat_map(apart)
        .filter_map(read)
        .collect();
    put_orders_behind(&mut all);
    reword(&mut all);
    let has_section = all
        .iter()
        .any(|sentence| sentence.section == Section::Output);
    let asks = |sentence: &Sentence<'_>| ASKS.is_in(&sentence.text);
    let story = match has_section {
        true => all.len(),
        // Without one, it ends where something is asked for.
        false => all.iter().position(asks).unwrap_or(0),
    };
    for sentence in &mut all[..story] {
        sentence.is_told = sentence.section == Section::Story && !ADDRESSED.is_in(&sentence.text);
    }
    all
}

/// `The order does not matter. Print the pairs.`: where nothing comes before, the order is that of what is asked for next.
fn put_orders_behind(all: &mut [Sentence<'_>]) {
    static NO_ORDER: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^\W*(?:the )?(?:order|order of the (?:lines|output|answers?|results?)) (?:does(?: not|n['’]t) matter|is (?:not important|irrelevant|unimportant|arbitrary|free))\W*$",
        )
    });
    let is_first = |at: usize| at == 0 || all[at].section != all[at - 1].section;
    let found = (1..all.len()).find(|next| {
        let (order, asks) = (&all[next - 1], &all[*next]);
        NO_ORDER.is_match(&order.text)
            && is_first(next - 1)
            && order.section.may_be_of_output()
            && order.section == asks.section
            && OUTPUT.is_in(&asks.text)
            && (LINE_EACH.is_in(&asks.text) || OUTPUT.is_in(&order.text))
    });
    if let Some(next) = found {
        all.swap(next - 1, next);
    }
}

/// Ordinary wordings as those that are known; some hang on the sentence before.
fn reword(all: &mut [Sentence<'_>]) {
    for at in 0..all.len() {
        let before = at.checked_sub(1).map_or("", |before| &*all[before].text);
        let sentence = &all[at];
        if let Some(text) = reworded(&sentence.text, before, sentence.section) {
            all[at].text = Cow::Owned(text);
        }
    }
}

/// A sentence on the output, as one that asks for it. The first goes on from the heading: `Output: the indices`.
fn as_asked<'a>(sentence: &'a str, heading: Option<&str>) -> Cow<'a, str> {
    let numbered = |found: &Captures<'_>| match found.get(1).map(|line| line.as_str()) {
        Some("1") => "On the first line print ",
        Some("2") => "On the second line print ",
        Some("3") => "On the third line print ",
        Some(_) => "On the following line print ",
        None => "On the following lines print ",
    };
    match heading {
        _ if NUMBERED.is_match(sentence) => NUMBERED.replace(sentence, numbered),
        _ if OUTPUT_HOLDS.is_match(sentence) => OUTPUT_HOLDS.replace(sentence, "Print "),
        _ if LINE_HOLDS.is_match(sentence) => LINE_HOLDS.replace(sentence, "$1 must print "),
        Some(heading) if !OUTPUT.is_in(sentence) => Cow::Owned(format!("{heading} {sentence}")),
        _ => Cow::Borrowed(sentence),
    }
}
