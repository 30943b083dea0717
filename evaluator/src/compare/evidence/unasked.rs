//! Whether a sentence lets something come in any order that no other has asked for.
//!
//! `Print the words, each with its count. Anagrams may be printed in any order`: the anagrams are some of the words, and the order of
//! these is their own. So what is free has to be asked for by its name, or by one that stands for whatever is.

use std::sync::LazyLock;

use regex::Regex;

use super::order_words::{PERMITS, POINTS_BACK};
use super::plain::pattern;
use super::section::Section;
use super::sentence::Sentence;
use super::within::{has_noun, stem};
use super::words::ASKS;

/// What a sentence permits, before it says so: `the vertices that you chose` may be printed.
static SUBJECT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:.*[,;:] (?:and |but )?|(?:note|notice|it is (?:allowed|ok|okay|fine)) that )?([^,;:]+?)(?: themselves)? (?:may|can|could|might|should|must|will) (?:also )?be (?:printed|output|outputted|outputed|returned|reported|displayed|written|listed|given|in any|in arbitrary)\b",
    )
});

/// The same where it is what somebody may print.
static OBJECT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:may|can|could|might|allowed to|free to) (?:also )?(?:print|output|return|report|display|write|list|give|show) ([^,;:]+?),? (?:in|with) (?:any|arbitrary|an arbitrary)\b",
    )
});

/// What follows the noun.
static TAIL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r" (?:of|in|from|on|with|within|to|that|which|who|for|at|inside|by) ")
});

/// What the things do, which tells them from others: `words that rhyme`.
static DO: LazyLock<Regex> = LazyLock::new(|| pattern(r" (?:that|which|who) (\w+)$"));

/// So many of them, which are not all: `two words`.
static SO_MANY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:any )?(two|three|four|five|some|several|most|few) \w+$"));

/// How many there are, of what is named later.
static COUNT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:the|their) (?:count|number|total)\W*$"));

/// That what follows is the answer.
static THE_ANSWER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:the )?(?:output|resulting|returned|found) "));

/// Nouns that stand for whatever is asked for, or for what it is of.
const GENERAL: [&str; 34] = [
    "them",
    "they",
    "these",
    "those",
    "it",
    "all",
    "both",
    "answer",
    "output",
    "result",
    "solution",
    "line",
    "row",
    "element",
    "item",
    "member",
    "list",
    "array",
    "value",
    "number",
    "integer",
    "entry",
    "object",
    "thing",
    "operation",
    "each",
    "one",
    "pair",
    "name",
    "index",
    "component",
    "group",
    "part",
    "string",
];

/// Nouns of one thing.
const ALIKE: [&[&str]; 5] = [
    &["vertex", "node", "endpoint", "end", "city"],
    &["edge", "road", "connection", "bridge", "link", "pair"],
    &["index", "indexes", "position", "id"],
    &["swap", "move", "step", "action"],
    &["person", "student", "player", "employee", "friend"],
];

/// What a statement asks for, and what it permits to come in any order.
#[derive(Debug, Default)]
pub(super) struct ByName<'a> {
    asked: Vec<&'a str>,
    /// The same in the story, which counts where the section on the output points back at it, or where there is none.
    told: Vec<&'a str>,
    freed: Vec<&'a str>,
}

impl<'a> ByName<'a> {
    /// A sentence that may ask for what is printed, in whatever words.
    pub(super) fn note(&mut self, read: &'a Sentence<'_>) {
        let sentence = &*read.text;
        let may_ask = read.section == Section::Output || ASKS.is_in(sentence);
        let is_more = !PERMITS.is_in(sentence) && !COUNT.is_match(sentence);
        match read.section {
            _ if !may_ask || !is_more => {}
            Section::Output => self.asked.push(sentence),
            Section::Story => self.told.push(sentence),
            _ => {}
        }
    }

    /// A sentence that frees an order.
    pub(super) fn free(&mut self, sentence: &'a str) {
        self.freed.push(sentence);
    }

    /// Whether one of these only permits an order, of what no other has asked for by its name.
    pub(super) fn is_something_else_free(&self) -> bool {
        if self.freed.is_empty() {
            return false;
        }
        let points_back = self.asked.iter().any(|asked| POINTS_BACK.is_in(asked));
        let told = self.told.iter();
        let told = told.filter(|_| points_back || self.asked.is_empty());
        let asked = self.asked.iter().chain(told);
        let asked: Vec<String> = asked.map(|asked| asked.to_lowercase()).collect();
        let is_asked = |noun: &str| asked.iter().any(|asked| has_noun(asked, noun));
        !asked.is_empty() && self.freed.iter().any(|freed| is_unasked(freed, is_asked))
    }
}

/// Whether what a sentence permits is none of what is asked for, or only some of it.
fn is_unasked(sentence: &str, is_asked: impl Fn(&str) -> bool) -> bool {
    let lower = sentence.to_lowercase();
    let found = SUBJECT.captures(&lower).or_else(|| OBJECT.captures(&lower));
    let Some(subject) = found.as_ref().map(|found| &found[1]) else {
        return false;
    };
    let head = TAIL.split(subject).next().unwrap_or(subject);
    let noun = stem(head.rsplit(' ').next().unwrap_or(head));
    let is_known = THE_ANSWER.is_match(subject)
        || GENERAL.iter().any(|known| stem(known) == noun)
        || is_asked(noun)
        || alike(noun).any(|other| is_asked(stem(other)));
    // `The indices of the chosen roads`, where nothing tells of roads.
    let of = TAIL.split(subject).nth(1).unwrap_or_default();
    let of = stem(of.rsplit(' ').next().unwrap_or_default());
    let is_of_new = !of.is_empty()
        && !is_asked(noun)
        && !is_asked(of)
        && !GENERAL.iter().any(|known| stem(known) == of);
    let is_new = |pattern: &Regex| {
        let found = pattern.captures(subject);
        found.is_some_and(|found| !is_asked(stem(&found[1])))
    };
    !is_known || is_of_new || is_new(&SO_MANY) || is_new(&DO)
}

/// The other nouns of what this one is of.
fn alike(noun: &str) -> impl Iterator<Item = &&str> {
    let is_one = move |nouns: &&[&str]| nouns.iter().any(|known| stem(known) == noun);
    ALIKE.iter().copied().find(is_one).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frees_something_else(asked: &str, freed: &str) -> bool {
        let (asked, freed) = (vec![asked], vec![freed]);
        let told = Vec::new();
        ByName { asked, told, freed }.is_something_else_free()
    }

    #[test]
    fn what_is_free_is_asked_for() {
        let words = "Print the words, each with its count";
        for freed in [
            "Anagrams may be printed in any order",
            "Words that rhyme may be printed in any order",
            "Two words may be printed in any order",
            "Half of the words may be printed in any order",
            "You may print the letters in any order",
        ] {
            assert!(frees_something_else(words, freed), "{freed}");
        }
        for freed in [
            "The words may be printed in any order",
            "Note that the words themselves can be printed in any order",
            "You may print them in any order",
            "The lines can be in any order",
            "Print the letters in any order",
        ] {
            assert!(!frees_something_else(words, freed), "{freed}");
        }
        let nodes = "The nodes can be printed in any order";
        assert!(!frees_something_else("Print all vertices", nodes));
    }
}
