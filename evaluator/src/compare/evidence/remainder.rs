//! What is asked for beside the things that another sentence lets come in any order.
//!
//! `Print the two vertices and the distance between them. The vertices can be printed in any order`: the distance stays where
//! it is. No output says where it stands, so that no order is free beside it.

use std::sync::LazyLock;

use regex::Regex;

use super::columns::is_record;
use super::free_order::Asked;
use super::items::are_a_figure;
use super::order_words::{FOR_EACH, NAMED_LINE};
use super::plain::pattern;
use super::within::{has_noun, moving, stem};
use super::words::{MANY_TESTS, OUTPUT};

/// Where the next thing that is asked for begins, by a word of its own: `and the sum`, `, then the total cost`.
static NEXT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r",? (?:(?:and|then|as well as|along with|together with|plus|followed by|before|in addition to|besides)(?:,? (?:then|finally|also|lastly|next))?|, ?finally)(?:,[^,]{1,40},|,)?(?: (?:on|in) the same line,?| (?:after|behind|beside) (?:it|them|that|this|these|those),?| at the end,?)? (?:(?:print|output|write|give|report|display) )?(?:the|their|its|his|her|an?|that|those|all|both) |,? with (?:the|their|its) (?:sum|total|product|distance|difference)\b",
    )
});

/// What is asked for behind what was asked for before.
static FURTHER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:output )?(?:and |then |finally,? |lastly,? )?(?:also|additionally|in addition|besides(?: that)?|moreover|furthermore|then|finally|lastly|next|afterwards|after (?:that|this|these|them|those)),? (?:you (?:should|must|have to) )?(?:also )?(?:print|output|write|display|report|give)\b",
    )
});

/// What has things of two owners: `the edges of both trees`.
static OF_BOTH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(\w+) (?:of|from|in) (?:both|(?:each of )?the (?:two|three)|two|three) (?:\w+ )?(\w+s)\b",
    )
});

/// Of which there is one for each of two.
static ONE_EACH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:indices|indexes|numbers|ids|names|labels|positions) (?:of|in) (?:the )?two (?:chosen |selected )?(?:elements|numbers|integers|items|players|vertices|points|cards|students|people|balls|boxes|values|nodes|cities|persons)$",
    )
});

/// Where nothing new begins, as the noun is still to come: `between the smallest`, `of the first`.
static GOES_ON: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:between|both|either|neither) (?:\w+ ?){1,4}$|\b(?:of|in|from) the (?:first|second|left|upper|\w+est)$",
    )
});

/// A thing of which there is one.
static SINGLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:\w*(?:[^sS\W]|ss|us|is))(?:$|\W)"));

/// Things of two kinds: `the files and folders`.
static TWO_KINDS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bthe (\w+s) and (?:the )?(\w{3,}s)\b"));

/// What stands for anything that was asked for.
static ANY_THING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:they|them|these|those|it|answers?|outputs?|results?|solutions?|lines?|elements?|items?|lists?|arrays?)$",
    )
});

/// What is told of one by one.
static EACH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:\b(?:for|after|of|in|on) |^\W*(?:output )?)(?:each|every)(?: of (?:the|these|those))?((?: [\w-]+){1,3})",
    )
});

/// `K lines, each containing i and j`.
static EACH_HOLDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\beach (?:\w+ )?(?:contain|hold|consist|describ|giv|with|of which)")
});

/// `Each describes a group: its size and then its members`.
static EACH_DESCRIBES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:each|every one)(?: of (?:them|these|which))? (?:describ\w+|represent\w+|is for) (?:an?|one) (\w+)(?:: |,? by )",
    )
});

/// What tells things apart, behind the noun by which they are asked for.
static TAIL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r",| (?:of|in|from|on|with|to|that|which|who|between|for|at|by|used|chosen|whose|-|—) ")
});

/// Whether something that was asked for is not named by a sentence that frees an order, and stands beside what is.
pub(super) fn leaves_a_remainder(freeing: &str, asked: &Asked<'_>) -> bool {
    let Some(noun) = moving(freeing) else {
        return false;
    };
    if ANY_THING.is_match(&noun) {
        return !is_told_of_each(asked.last) && ends_with_one(asked.last);
    }
    let noun = stem(&noun);
    let stays = |sentence: &&str| !tells_of(sentence, noun) && stays_beside(sentence, noun);
    is_further(asked, noun)
        || is_of_all(asked.last, noun)
        || is_of_two_kinds(asked.last, noun)
        || asked.sentences.iter().any(stays)
}

/// Whether what a sentence frees was asked for behind something else, which stays first: `the best score and the ids`.
pub(super) fn comes_behind(freeing: &str, asked: &Asked<'_>) -> bool {
    let Some(noun) = moving(freeing).filter(|noun| !ANY_THING.is_match(noun)) else {
        return false;
    };
    let noun = stem(&noun);
    asked.sentences.iter().any(|sentence| {
        !tells_of(sentence, noun) && !is_told_of_each(sentence) && is_last(sentence, noun)
    })
}

/// Whether what has this noun is the last of several things that a sentence asks for.
fn is_last(sentence: &str, noun: &str) -> bool {
    let parts = parts(asked_for(sentence));
    let Some((last, others)) = parts.split_last() else {
        return false;
    };
    !others.is_empty() && has(head(last), noun) && !others.iter().any(|part| has(part, noun))
}

/// Whether the last sentence asks for something else than what has this noun, which was asked for before it.
fn is_further(asked: &Asked<'_>, noun: &str) -> bool {
    // Lines, or what each is, are how the things before them are printed.
    let of_items = ["lines", "each", noun].map(stem);
    FURTHER.is_match(asked.last)
        && !of_items.iter().any(|word| has(asked.last, word))
        && has(&asked.all, noun)
}

/// Whether a sentence asks for several things, to which what has this noun may belong: `the men and then the women`, of names.
fn is_of_all(sentence: &str, noun: &str) -> bool {
    !tells_of(sentence, noun)
        && !is_told_of_each(sentence)
        && !has(sentence, noun)
        && parts(asked_for(sentence)).len() > 1
}

/// Whether what has this noun is one of two kinds that stand together.
fn is_of_two_kinds(sentence: &str, noun: &str) -> bool {
    TWO_KINDS
        .captures_iter(sentence)
        .any(|found| (stem(&found[1]) == noun) != (stem(&found[2]) == noun))
}

/// Whether one thing is the last of several that a sentence asks for: `the winners and the total score`.
fn ends_with_one(sentence: &str) -> bool {
    let parts = parts(asked_for(sentence));
    let last = parts.last().map_or("", |last| head(last).trim());
    let noun = last.rsplit(' ').next().unwrap_or_default();
    parts.len() > 1 && SINGLE.is_match(noun)
}

/// Whether a sentence asks for something beside what has this noun.
fn stays_beside(sentence: &str, noun: &str) -> bool {
    let asked = asked_for(sentence);
    let is_of_both = OF_BOTH.captures_iter(asked).any(|found| {
        let is_one_each = ONE_EACH.is_match(&found[0]);
        !is_one_each && (has(&found[1], noun) || has(&found[2], noun))
    });
    let parts = parts(asked);
    let others = parts.split_last();
    is_of_both || others.is_some_and(|(last, others)| is_among(noun, others, last))
}

/// Whether what has this noun is one of the others, rather than what was asked for last.
fn is_among(noun: &str, others: &[&str], last: &str) -> bool {
    let heads = |part: &&str| has(head(part), noun);
    let names = |part: &&str| has(part, noun) && !are_a_figure(part);
    others.iter().any(heads) || !heads(&last) && others.iter().any(names)
}

/// Whether a sentence gives what it asks for lines of its own, or says what there is of each thing with this noun.
fn tells_of(sentence: &str, noun: &str) -> bool {
    let tells = |each: &str| has(each, noun) || has(each, stem("line"));
    let described = described(sentence);
    NAMED_LINE.is_in(sentence)
        || is_record(sentence)
        || described.is_some_and(|(item, _)| has(item, noun))
        || EACH.captures_iter(sentence).any(|found| tells(&found[1]))
}

/// The items that a sentence has on a line each, and where it begins to say what is there.
fn described(sentence: &str) -> Option<(&str, usize)> {
    let found = EACH_DESCRIBES.captures(sentence)?;
    let (item, from) = (found.get(1)?.as_str(), found.get(0)?.end());
    (!sentence[from..].contains("line")).then_some((item, from))
}

/// A sentence up to there: parts of an item are none of the output.
pub(super) fn without_description(sentence: &str) -> &str {
    described(sentence).map_or(sentence, |(_, from)| &sentence[..from])
}

/// Whether it says so of each item, whatever that is called.
fn is_told_of_each(sentence: &str) -> bool {
    NAMED_LINE.is_in(sentence)
        || is_record(sentence)
        || EACH_HOLDS.is_match(sentence)
        || FOR_EACH.is_in(sentence) && !MANY_TESTS.is_in(sentence)
}

/// A sentence from where it asks for output.
fn asked_for(sentence: &str) -> &str {
    OUTPUT.place_in(sentence).map_or("", |at| &sentence[at..])
}

/// The things that a sentence asks for, each up to where the next begins.
fn parts(asked: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for next in NEXT.find_iter(asked) {
        let part = &asked[from..next.start()];
        if !GOES_ON.is_match(part) {
            parts.push(part);
            from = next.end();
        }
    }
    parts.push(&asked[from..]);
    parts
}

/// What a thing is asked for by, without what tells it from others.
fn head(part: &str) -> &str {
    TAIL.split(part).next().unwrap_or(part)
}

/// Whether a text has a word with the stem of this noun.
fn has(text: &str, noun: &str) -> bool {
    has_noun(&text.to_lowercase(), noun)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(asked: &str) -> Asked<'_> {
        Asked {
            before: asked,
            last: asked,
            sentences: vec![asked],
            all: asked.to_owned(),
        }
    }

    fn leaves(asked: &str, freeing: &str) -> bool {
        leaves_a_remainder(freeing, &only(asked))
    }

    #[test]
    fn what_stays() {
        let vertices = "The vertices can be printed in any order";
        let names = "The names can be printed in any order";
        for (asked, freeing) in [
            (
                "Print the two vertices and the distance between them",
                vertices,
            ),
            ("Print the vertices, then the total cost", vertices),
            ("Print the vertices of both trees", vertices),
            (
                "Print the names of the boys and then the names of the girls",
                names,
            ),
            ("Print the men and then the women", names),
            (
                "Print the winners and the total score",
                "You may print them in any order",
            ),
        ] {
            assert!(leaves(asked, freeing), "{asked}");
        }
    }

    #[test]
    fn what_stays_first() {
        let ids = "The ids can be printed in any order";
        for asked in [
            "Output the best score and the ids of the players",
            "Print the room number as well as the ids of the workers",
            "Print x and the ids of the workers",
        ] {
            assert!(comes_behind(ids, &only(asked)), "{asked}");
        }
        for asked in [
            "Print the ids of the best and the ids of the last",
            "Print the ids of the players and the coaches",
            "Print all ids",
        ] {
            assert!(!comes_behind(ids, &only(asked)), "{asked}");
        }
    }

    #[test]
    fn what_is_free() {
        let vertices = "The vertices can be printed in any order";
        for (asked, freeing) in [
            ("Print the number of vertices and the vertices", vertices),
            ("Print the vertices with their degrees", vertices),
            ("For each vertex print its name and its degree", vertices),
            (
                "Print k lines, each describes a vertex: its name and then its degree",
                vertices,
            ),
            (
                "Print all vertices between the first and the last",
                vertices,
            ),
            (
                "Print the number of winners and the winners",
                "You may print them in any order",
            ),
        ] {
            assert!(!leaves(asked, freeing), "{asked}");
        }
    }
}
