//! Whether a sentence lets what is asked for come in any order.
//!
//! It counts only if a small grammar covers the whole of it. What the grammar does not know, a last item say or an order
//! within the items, frees nothing: an unusual wording may cost a right program, but lets no wrong one through.

use std::borrow::Cow;

use super::brackets::leave_order;
use super::grammar::{
    AND_WITHIN, ASKED, ASKS_AT_END, BEHIND, BOTH_IN_ANY_ORDER, BOTH_MAY_BE, BRACKETS,
    FORM_WITH_ORDER, IRRELEVANT, LAYOUT_BEFORE, LAYOUT_BETWEEN, LINE_PER_ITEM, LINES_DESCRIBE,
    LINES_PRINT, MAY_APPEAR, MAY_BE_PRINTED, MAY_WRITE, MUST_CONTAIN, NEXT_CLAUSE, NEXT_PART,
    NOR_WITHIN, NUMBER_OF, OF_OUTPUT, OF_TEST, ONE_THING, OPENS, ORDERED, PERMISSION, PHRASE, TIE,
    WORD,
};
use super::items::{
    are_a_figure, are_items, are_items_apart, are_named_in, are_of_the_answer, are_the_answer,
    are_those_of,
};
use super::order_words::LEADING;
use super::words::{MANY_TESTS, OUTPUT};

/// Sentences that ask for output, and how long they are together, among which what another frees is looked for. No statement
/// that was written for a reader asks for as much.
const MOST_ASKED: usize = 100;
const LONGEST_ASKED: usize = 16 << 10;

/// What the sentences before one have asked for.
#[derive(Debug, Default)]
pub(super) struct Asked<'a> {
    /// The one right before it.
    pub(super) before: &'a str,
    /// The last that asks for output, under no condition.
    pub(super) last: &'a str,
    /// All that speak of the output.
    pub(super) sentences: Vec<&'a str>,
    /// The same as one text.
    pub(super) all: String,
}

impl<'a> Asked<'a> {
    /// Whether they have asked for more than is looked through for each that frees an order.
    pub(super) fn is_too_much(&self) -> bool {
        self.sentences.len() > MOST_ASKED || self.all.len() > LONGEST_ASKED
    }

    /// What comes next comes behind this sentence; an example that the one before it gives belongs to that.
    pub(super) fn come_behind(&mut self, sentence: &'a str) {
        let before = self.before.trim_end_matches(['.', ',', ' ']);
        if !before.ends_with("e.g") && !before.ends_with("i.e") {
            self.before = sentence;
        }
    }

    /// The sentence right before, if it asks for output.
    pub(super) fn right_before(&self) -> Option<&str> {
        (!self.last.is_empty() && self.before == self.last).then_some(self.last)
    }

    /// Whether the sentence right before has asked for all of these.
    fn has_asked_for_all(&self, items: &str) -> bool {
        let before = self.right_before().map(str::to_lowercase);
        let all = ["all ", "all the ", "the "].map(|all| format!("print {all}{items} "));
        before.is_some_and(|before| all.iter().any(|all| before.contains(all)))
    }

    /// Whether the sentence right before has each of several lines hold one of these.
    fn has_lines_with(&self, items: &str) -> bool {
        let noun = items.rsplit(' ').next().unwrap_or_default();
        let noun = noun.strip_suffix('s').unwrap_or(noun);
        let before = simplified(self.before);
        LINES_PRINT
            .captures(&before)
            .is_some_and(|found| !noun.is_empty() && found[1].contains(noun))
    }

    /// Whether the sentence right before has each of several lines describe one of these, whatever they are.
    fn has_lines_for(&self, items: &str) -> bool {
        let before = simplified(self.before);
        LINES_DESCRIBE.captures(&before).is_some_and(|found| {
            let noun = items.trim().strip_prefix("the ").unwrap_or(items);
            noun.strip_suffix('s') == Some(&found[1])
        })
    }

    /// Whether the sentence right before has asked for these items, or for lines.
    fn just_for(&self, items: &str) -> bool {
        let noun = items.rsplit(' ').next().unwrap_or_default();
        let is_meant = |asked: &str| {
            let asked = simplified(asked);
            // How many they are is no second thing.
            let told = NUMBER_OF.replace_all(&asked, "");
            let points_back = matches!(items, "they" | "these" | "those") && asks(&asked);
            noun == "lines"
                || points_back
                || are_items(items) && asks(&asked) && told.matches(noun).count() == 1
        };
        self.right_before().is_some_and(is_meant)
    }
}

/// Whether a sentence lets what it asks for, or what those before it did, come in any order.
///
/// In one that orders parts of items, `of_parts`, these need not be what is asked for.
pub(super) fn is_free(sentence: &str, asked: &Asked<'_>, of_parts: bool) -> bool {
    let is_told_in_brackets = holds_phrase(&sentence.to_lowercase());
    if !is_told_in_brackets && !leave_order(sentence) || FORM_WITH_ORDER.is_match(sentence) {
        return false;
    }
    let sentence = simplified(sentence);
    if let Some(found) = IRRELEVANT.captures(&sentence) {
        let items = found.get(1).map(|items| items.as_str());
        let is_asked = match items {
            Some("lines") => OUTPUT.is_in(asked.before),
            Some(items) if !of_parts && !are_items(items) => false,
            Some(items) if asked.has_asked_for_all(items) || asked.has_lines_with(items) => true,
            Some(items) if !of_parts && !are_the_answer(items) => {
                asks(&simplified(asked.before)) && are_named_in(items, &asked.all)
            }
            _ => asks(&simplified(asked.before)),
        };
        return is_asked || OF_OUTPUT.is_match(&sentence);
    }
    around_phrase(&sentence).is_some_and(|(front, behind)| {
        let is_of_output = behind.contains("output") || behind.contains("answer");
        BEHIND.is_match(behind) && frees(front, asked, of_parts, is_of_output)
    })
}

/// Whether the words of an order stand in brackets alone.
fn holds_phrase(lower: &str) -> bool {
    !PHRASE.is_match(&BRACKETS.replace_all(lower, ""))
        && BRACKETS
            .find_iter(lower)
            .any(|found| found.as_str() == " (any order)" || PHRASE.is_match(found.as_str()))
}

/// In lower case, without brackets, quotes and the mark at the end.
fn simplified(sentence: &str) -> String {
    let lower = sentence.to_lowercase();
    let lower = lower.replace("(any order)", "(in any order)");
    let opened = match holds_phrase(&lower) {
        true => Cow::Owned(lower.replace(['(', ')'], "")),
        false => BRACKETS.replace_all(&lower, ""),
    };
    let plain = opened.replace(['"', '“', '”', '\''], "");
    let plain = plain.trim_end_matches(['.', '!', ';', ':', ',', ' ']);
    let plain = OF_TEST.replace_all(plain, "");
    let plain = AND_WITHIN.replace(&plain, "$1 and so can the $2");
    let plain = BOTH_IN_ANY_ORDER.replace(&plain, "$1 $2 in any order and so can the $3");
    let plain = BOTH_MAY_BE.replace(&plain, "$1 $3 in any order and so can the $2");
    let plain = NOR_WITHIN.replace(&plain, "");
    let plain = LAYOUT_BETWEEN.replace(&plain, "$1 ");
    let plain = match MANY_TESTS.is_in(&plain) {
        true => plain,
        false => Cow::Owned(LINE_PER_ITEM.replace(&plain, "$1 the lines").into_owned()),
    };
    let plain = MUST_CONTAIN.replace(&plain, "must print");
    plain.trim_start_matches([' ', '(']).to_owned()
}

/// What stands before and behind the only words of an order.
fn around_phrase(sentence: &str) -> Option<(&str, &str)> {
    let phrase = PHRASE.find(sentence)?;
    let (front, behind) = (&sentence[..phrase.start()], &sentence[phrase.end()..]);
    let is_only = !ORDERED.is_match(front) && !ORDERED.is_match(behind);
    is_only.then_some((front, behind))
}

fn frees(front: &str, asked: &Asked<'_>, of_parts: bool, is_of_output: bool) -> bool {
    let is_apart = LAYOUT_BEFORE.find(front).is_some_and(|layout| {
        layout.as_str().contains("line") || layout.as_str().contains("separated")
    });
    let front = LAYOUT_BEFORE.replace(front, "");
    let of_parts = of_parts && !are_a_figure(&front);
    let are_items = |items: &str| are_items(items) || is_apart && are_items_apart(items);
    let are_meant = |items: &str| {
        of_parts || are_the_answer(items) || are_items(items) && are_those_of(items, &asked.all)
    };
    if let Some(found) = MAY_BE_PRINTED.captures(&front) {
        // What is listed may be what is given.
        let is_given = front.ends_with(" listed") && asked.all.is_empty();
        let is_described = asked.has_lines_for(&found[1]);
        return are_of_the_answer(&found[1]) || !is_given && are_meant(&found[1]) || is_described;
    }
    if let Some(found) = MAY_APPEAR.captures(&front) {
        let is_of_parts = of_parts && asked.right_before().is_some();
        return is_of_output
            || is_of_parts
            || are_of_the_answer(&found[1])
            || asked.just_for(&found[1]);
    }
    // A story may say that something is written in any order, as a sum.
    if asked.all.is_empty() && MAY_WRITE.is_match(&front) {
        return false;
    }
    let clause = NEXT_CLAUSE.captures(&front).and_then(|found| found.get(1));
    let clause = clause.map_or_else(|| opened(&front), |clause| clause.as_str());
    let said = PERMISSION.replace(clause, "");
    let is_of_a_tie = TIE.is_match(&front[..front.len() - clause.len()]);
    let Some(asked_for) = asked_for(&said).filter(|said| !is_of_a_tie || said.starts_with("all "))
    else {
        return false;
    };
    match items_of(asked_for) {
        Some(items) if clause.len() > said.len() => are_meant(items),
        Some(items) => of_parts || are_the_answer(items) || are_items(items),
        None => of_parts,
    }
}

/// Whether a sentence asks for items.
fn asks(sentence: &str) -> bool {
    let sentence = LAYOUT_BEFORE.replace(sentence, "");
    let said = PERMISSION.replace(opened(&sentence), "");
    asked_for(&said)
        .and_then(items_of)
        .is_some_and(|items| are_the_answer(items) || are_items(items))
}

/// A sentence from where it asks.
fn opened(sentence: &str) -> &str {
    let mut rest = sentence;
    while let Some(opening) = OPENS.find(rest) {
        // The verb that ends an opening is that of what is asked for.
        let said = opening.as_str();
        let verb = ASKS_AT_END
            .find(said)
            .map_or(said.len(), |verb| verb.start());
        rest = &rest[verb..];
        if verb < said.len() {
            break;
        }
    }
    rest.trim_start()
}

fn asked_for(said: &str) -> Option<&str> {
    Some(ASKED.captures(said)?.get(1)?.as_str())
}

/// The part of what is asked for that has an order: what it is, or the last of two parts.
fn items_of(asked_for: &str) -> Option<&str> {
    if let Some((told, items)) = asked_for.rsplit_once(": ") {
        return (!NEXT_PART.is_match(told)).then(|| last_part(items))?;
    }
    last_part(asked_for)
}

fn last_part(asked_for: &str) -> Option<&str> {
    let parts: Vec<&str> = NEXT_PART.split(asked_for).collect();
    match parts[..] {
        [all] => match all.rsplit_once(" and ") {
            Some((first, items))
                if WORD.is_match(first) || LEADING.is_in(&format!("print {all}")) =>
            {
                Some(items)
            }
            _ => Some(all),
        },
        [first, items] => ONE_THING.is_match(first).then_some(items),
        _ => None,
    }
}
