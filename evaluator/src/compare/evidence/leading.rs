//! Whether a sentence has one thing before what may come in any order.

use std::sync::LazyLock;

use regex::Regex;

use super::free_order::Asked;
use super::order_words::{
    BEHIND, HEAD_OF_EACH, IF_THEN, LEADING, NAMED_LINE, OF_EACH_ITEM, OTHERS, OWN_LINE,
    THING_AND_OTHERS,
};
use super::plain::pattern;
use super::words::OUTPUT;

/// `, each as its name and its size`, `one line per item: the name and the size`: how an item is shown.
static EACH_SHOWN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r", each (?:as|with|containing|consisting of) |\bline per [^:]{1,40}: ")
});

/// Whether a sentence has one thing before what may come in any order, on a line with that maybe.
pub(super) fn leads(sentence: &str) -> bool {
    let asked = asked(sentence);
    // What each item is shown as has an order of its own.
    let items = EACH_SHOWN.split(asked).next().unwrap_or(asked);
    LEADING.is_in(&IF_THEN.taken_from(items))
        && !OWN_LINE.is_in(sentence)
        && !HEAD_OF_EACH.is_in(sentence)
}

/// Whether a sentence on a line by its place has one thing before what may come in any order there: `on the first line print the
/// size and then the elements in any order`.
pub(super) fn leads_on_its_line(sentence: &str) -> bool {
    static ITS_LINE: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^\W*(?:output )?(?:(?:on|in) )?(?:the \w+ line|line \d+)\b"));
    ITS_LINE.is_match(sentence)
        && NAMED_LINE.count_in(sentence) == 1
        && LEADING.is_in(&IF_THEN.taken_from(asked(sentence)))
}

/// Whether what a sentence frees comes behind something else that was asked for, on no line of its own: `print the cost; then print
/// the roads in any order`. `goes_on`: one before it has begun the next part.
pub(super) fn is_behind(sentence: &str, asked: &Asked<'_>, goes_on: bool) -> bool {
    let names_line = [sentence, asked.last].iter().any(|of| NAMED_LINE.is_in(of));
    OTHERS.is_in(sentence)
        || !names_line && (goes_on || BEHIND.is_in(sentence) && OUTPUT.is_in(asked.last))
}

/// Whether a sentence has each line begin with one thing: `each of the next k lines contains the size of a group, followed by its
/// members`.
pub(super) fn leads_each_line(sentence: &str) -> bool {
    static EACH_LINE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^\W*(?:output )?(?:(?:on|in) )?(?:each|every)(?: of the)? (?:[\w-]+ ){0,3}lines?\b",
        )
    });
    EACH_LINE.is_match(sentence) && LEADING.is_in(sentence)
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
