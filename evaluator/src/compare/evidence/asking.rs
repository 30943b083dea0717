//! What a sentence asks for: how many things, and whether they are rows or have an order.

use super::concept::Concept;
use super::free_order::Asked;
use super::order_words::{
    IF_THEN, ITEM_OF_SEVERAL, LAID_OUT, LIKEWISE, NAMED_LINE, NEXT_PART, NO_ITEMS,
    OF_SEVERAL_ANSWERS, PERMITS, POINTS_BACK, ROWS, SINGLE, SORTED, SPREAD, THE_ANSWER,
};
use super::placed::is_of_a_part;
use super::words::{ASKS, CONDITION, MANY_TESTS};

/// An output that is spoken of as it is judged, and asked for elsewhere.
static JUDGED_OUTPUT: Concept = Concept::new(&[(
    r"(?:your|the|an?|its|any|every|each|program['’]s) (?:\w+ )?outputs? (?:(?:is|are|will be|would be|should be|must be|has to be) (?:\w+ )?(?:considered|judged|regarded|treated|counted|deemed|accepted|correct|within|off|rejected)|(?:will|would|may|can|could|should|must) (?:not )?(?:pass|differ|deviate|have an? (?:\w+ ){0,4}(?:error|difference|deviation|precision|accuracy)))|(?:errors?|difference|deviation|tolerance|precision|accuracy) (?:of|in|between|for) (?:your|the|an?|its) (?:\w+ )?outputs?",
    "Your output is considered correct when its absolute error is at most 1e-6.",
)]);

/// How many things a sentence asks for: none that only says in which order they may be printed, or that is an example.
pub(super) fn things_in(sentence: &str) -> usize {
    let sentence = &*JUDGED_OUTPUT.taken_from(sentence);
    let names_any = ASKS.taken_from(sentence).contains(char::is_alphabetic);
    if !names_any || !ASKS.is_in(sentence) || CONDITION.is_in(sentence) || PERMITS.is_in(sentence) {
        return 0;
    }
    let is_next = NEXT_PART.is_in(&IF_THEN.taken_from(sentence));
    match LIKEWISE.is_in(sentence) {
        true => 1,
        false => {
            NAMED_LINE.count_in(sentence).max(1) + usize::from(is_next || LAID_OUT.is_in(sentence))
        }
    }
}

/// Whether what a sentence frees are items of several tokens, by its own words or by those that asked for them before.
pub(super) fn frees_rows(sentence: &str, asked: &Asked<'_>) -> bool {
    let names_rows = |sentence: &str| ROWS.is_in(&NO_ITEMS.taken_from(sentence));
    let before = [asked.last, asked.before];
    match () {
        () if names_rows(sentence) || ITEM_OF_SEVERAL.is_in(asked.last) => true,
        () if OF_SEVERAL_ANSWERS.is_in(sentence) => true,
        () if SINGLE.is_in(sentence) => false,
        () if before.into_iter().any(names_rows) => true,
        () if POINTS_BACK.is_in(sentence) => {
            !asked.last.is_empty() && !before.iter().any(|sentence| SINGLE.is_in(sentence))
        }
        () => !THE_ANSWER.is_in(sentence),
    }
}

/// Whether a sentence has something come `layer by layer`.
pub(super) fn goes_by_parts(sentence: &str) -> bool {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    words.windows(3).any(|words| {
        let [part, "by", next] = words else {
            return false;
        };
        *part == next.trim_end_matches(|c: char| !c.is_alphanumeric()) && *part != "one"
    })
}

/// Whether a sentence has each item of the output take several lines, other than what is printed for a test.
pub(super) fn is_spread(sentence: &str) -> bool {
    SPREAD.is_in(sentence) && !MANY_TESTS.is_in(sentence)
}

/// Behind a comma, an order may be that of one item's own parts.
pub(super) fn is_sorted(sentence: &str) -> bool {
    let place = SORTED.place_in(sentence);
    place.is_some_and(|at| !sentence[..at].contains(',')) && !is_of_a_part(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_that_is_judged_is_not_asked_for() {
        JUDGED_OUTPUT.assert_examples();
        for sentence in [
            "Your output will be accepted if its relative error is at most 1e-6.",
            "The output should be within 1e-6 of the judge's.",
            "The absolute error of your output should not exceed 1e-6.",
        ] {
            assert_eq!(things_in(sentence), 0, "{sentence}");
        }
        assert_eq!(things_in("The output should be the sum."), 1);
        assert_eq!(things_in("Output the sum."), 1);
    }
}
