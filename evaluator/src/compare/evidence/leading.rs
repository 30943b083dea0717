//! Whether a sentence has one thing before what may come in any order.

use std::sync::LazyLock;

use regex::Regex;

use super::order_words::{
    HEAD_OF_EACH, IF_THEN, LEADING, OF_EACH_ITEM, OWN_LINE, THING_AND_OTHERS,
};
use super::plain::pattern;
use super::words::OUTPUT;

/// `, each as its name and its size`: how an item is shown.
static EACH_SHOWN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r", each (?:as|with|containing|consisting of) "));

/// Whether a sentence has one thing before what may come in any order, on a line with that maybe.
pub(super) fn leads(sentence: &str) -> bool {
    let asked = asked(sentence);
    // What each item is shown as has an order of its own.
    let items = EACH_SHOWN.split(asked).next().unwrap_or(asked);
    LEADING.is_in(&IF_THEN.taken_from(items))
        && !OWN_LINE.is_in(sentence)
        && !HEAD_OF_EACH.is_in(sentence)
}

/// Whether a sentence, which frees no order itself, asks for one thing and for others.
pub(super) fn asks_for_a_thing_and_others(sentence: &str) -> bool {
    let asked = asked(sentence);
    THING_AND_OTHERS.is_in(asked) && !OF_EACH_ITEM.is_in(sentence) && !OWN_LINE.is_in(sentence)
}

/// A sentence from where it asks for output.
fn asked(sentence: &str) -> &str {
    &sentence[OUTPUT.place_in(sentence).unwrap_or(0)..]
}
