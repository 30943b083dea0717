//! What a sentence asks for: how many things, and whether they are rows or have an order.

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::free_order::Asked;
use super::order_words::{
    FOR_EACH, IF_THEN, ITEM_OF_SEVERAL, LAID_OUT, LIKEWISE, LINE_EACH, MEASURES, NAMED_LINE,
    NEXT_PART, NO_ITEMS, OF_SEVERAL_ANSWERS, PERMITS, POINTS_BACK, ROWS, SINGLE, SORTED, SPREAD,
    THE_ANSWER,
};
use super::placed::is_of_a_part;
use super::plain::pattern;
use super::within::{EACH, moving, stem};
use super::words::{ASKS, CONDITION, MANY_TESTS, RETURN, SEVERAL_NODES, VALUES_OF_NODES};

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
        () if is_single(sentence, asked) => false,
        () if before.into_iter().any(names_rows) => true,
        () if POINTS_BACK.is_in(sentence) => {
            !asked.last.is_empty() && !before.iter().any(|sentence| is_single(sentence, asked))
        }
        () => !THE_ANSWER.is_in(sentence),
    }
}

/// Whether what a sentence frees are single tokens. What is measured of each of several things may stand beside it.
pub(super) fn is_single(sentence: &str, asked: &Asked<'_>) -> bool {
    SINGLE.is_in(sentence) || MEASURES.is_in(sentence) && !FOR_EACH.is_in(asked.last)
}

/// Whether a sentence frees two numbers by their letters: `print x and y in any order`.
pub(super) fn frees_letters(sentence: &str) -> bool {
    static LETTERS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:print|output|write|display)\w* (?:(?:the |two )?(?:\w+ )?(?:integers|numbers|values) )?[a-z] and [a-z],? \(?in (?:any|arbitrary) order",
        )
    });
    LETTERS.is_match(sentence)
}

/// Whether each of several lines has been asked for with more than one thing: what moves then are lines, by whatever name.
pub(super) fn has_several_on_each_line(asked: &Asked<'_>) -> bool {
    static ON_EACH: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:each|every)\b[^.;]{0,60}\b(?:two|three|four|2|3|4) (?:\w+ )?(?:integers|numbers|values)\b|\b(?:each|every) of the [^.;]{0,30}\blines\b[^.;]{1,60}\band the \w+ of\b",
        )
    });
    let sentences = [asked.last, asked.before];
    sentences.iter().any(|sentence| ON_EACH.is_match(sentence))
}

/// What stands on a line of its own: `one per line`, `one vertex per line`.
static ON_ITS_LINE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:one|an?|each|every)(?: of (?:them|these))?(?: (\w+))? (?:per|(?:printed )?on (?:its own|their own|a separate|a new|a single|each|every)|in each) line\b|\ba line (?:for each|each|per) ?(\w+)?",
    )
});

/// Words for what stands on a line that name nothing of the story.
const UNNAMED: [&str; 12] = [
    "number", "integer", "value", "item", "element", "word", "entry", "id", "pair", "answer",
    "result", "string",
];

/// Whether what moves stands below what it belongs to: `each country followed by its cities`.
fn stand_below(asked: &str, is_moving: &impl Fn(&str) -> bool) -> bool {
    static BELOW: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:each|every)\b[^.;]*?\b(?:followed by|and|and then|then|with) (?:its|his|her|their) ((?:\w+ ?){1,3})|\w+s and their ((?:\w+ ?){1,3})|\b(?:under|below|behind|after) (?:each|it|every one)(?: of them)? (?:the |its |all )?((?:\w+ ?){1,3})|\b(?:each|every) \w+['’]s ((?:\w+ ?){1,2})",
        )
    });
    BELOW.captures_iter(asked).any(|found| {
        let words = found.iter().skip(1).flatten().next();
        words.is_some_and(|words| words.as_str().split(' ').any(is_moving))
    })
}

/// Whether there is one of what moves for each: `the ids of the cards`, one card per line.
fn is_one_each(asked: &str, noun: &str, is_moving: impl Fn(&str) -> bool) -> bool {
    static OF: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"\b(\w+) of (?:the |all |these |those )*(\w+)(?: (\w+))?\b"));
    OF.captures_iter(asked).any(|found| {
        let mut words = found.iter().skip(2).flatten();
        is_moving(&found[1]) && words.any(|word| stem(word.as_str()) == stem(noun))
    })
}

fn is_unnamed(noun: &str) -> bool {
    let noun = noun.to_lowercase();
    UNNAMED.iter().any(|word| stem(word) == stem(&noun))
}

/// Several things that are printed of one: `its members`, `the two most used words`.
static SEVERAL_OF_IT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b(?:its|their|the|all|every) (?:\w+ ){0,4}?(?:\w{2,}[^s\W]s|children|people)\b")
});

/// Whether each of the things that a sentence frees takes several lines, which nothing in an output keeps together: `the teams`,
/// behind `for each team print its members, one per line`.
pub(super) fn frees_several_lines(sentence: &str, asked: &Asked<'_>) -> bool {
    let Some(moving) = moving(sentence).filter(|noun| !noun.is_empty()) else {
        return false;
    };
    let is_moving = |noun: &str| stem(&noun.to_lowercase()) == stem(&moving);
    let takes_several = |asked: &str| {
        let Some(line) = ON_ITS_LINE.captures(asked) else {
            return false;
        };
        if let Some(noun) = line.get(1).or(line.get(2)) {
            let noun = noun.as_str();
            return !is_moving(noun) && !is_unnamed(noun) && !is_one_each(asked, noun, is_moving);
        }
        let before = &asked[..line.get_match().start()];
        let each = EACH.captures(before);
        let is_of_it = each.is_some_and(|each| each[1].split(' ').any(is_moving));
        is_of_it && SEVERAL_OF_IT.is_match(before)
    };
    const PICTURES: [&str; 9] = [
        "board", "grid", "matrix", "maze", "picture", "drawing", "puzzle", "recipe", "poem",
    ];
    let is_printed = !RETURN.is_in(sentence) && LINE_EACH.place_in(sentence).is_none();
    let is_picture = is_printed && PICTURES.iter().any(|noun| is_moving(noun));
    is_picture
        || takes_several(sentence)
        || takes_several(asked.last)
        || stand_below(asked.last, &is_moving)
}

/// Whether a sentence asks for values of nodes, not for these.
pub(super) fn asks_for_values(sentence: &str) -> bool {
    let asked = RETURN.place_in(sentence).map(|at| &sentence[at..]);
    asked.is_some_and(|asked| VALUES_OF_NODES.is_in(&SEVERAL_NODES.taken_from(asked)))
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
