//! Whether a statement says how each of several groups is described: then what stands in one has its place, whatever may
//! come in any order.
//!
//! `A cluster is given by x, y and radius`, `each subset as n flags`. A description that names no more than the members,
//! `each subset as a list of its elements`, gives them no place.

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::order_words::GROUPS;
use super::plain::pattern;

const GROUP: &str = "(?:groups?|clusters?|components?|subsets?|sets?|combinations?|teams?|classes|class|famil(?:y|ies)|circles?|cliques?|triplets?|triples?|pairs?|partitions?|blocks?|buckets?|clubs?|committees?|of them|one)";

/// `Each cluster is described by`, `a group is a triple`, `each subset as`, with what comes next.
static DESCRIBED: LazyLock<Regex> = LazyLock::new(|| {
    const VERB: &str = "described|given|represented|written|printed|shown|denoted|defined|specified|encoded|stored|listed|output|returned|reported|identified|presented|characteri[sz]ed|formatted";
    pattern(&format!(
        r"\b(?:each|every|an?|one|the|all|these|such) (?:\w+ )?{GROUP},? (?:(?:is|are|must be|should be|will be|has to be|can be) (?:\w+ly )?(?:{VERB}) (?:by|as|through|in the form(?: of)?|using|with|via)|(?:is|are)|as|in the form(?: of)?)((?: .*)?)$"
    ))
});

/// `Print all groups, each as its size and its members`.
static EACH_AS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\beach (?:as|by|with|in the form|in form|given|written|printed|described)( .*)$")
});

/// A description that gives nothing in a group its place: no more than the members, or how they are laid out.
static OF_MEMBERS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"^\W*(?:(?:an?|the|its|their|of|by|as|all|with|line|lines|single|separate|own|one|each|new|list|set|array|collection|sequence|group|space[- ]separated|comma[- ]separated|distinct|different|unique|single) )*",
        r"(?:members?|elements?|numbers?|integers?|indices|vertices|nodes|items|names|words|people|ids|candidates|lines?|row|lists?|sets?|arrays?|strings|letters|persons|cities|friends|students|players)\b",
        r"(?: (?:it|that it|which it|they|in it|of it|of the \w+|contained|it contains|contains|separated by [\w ]+|on (?:one|a|its)(?: \w+){0,2} line|in any order|per line))*\W*$",
    ))
});

/// What a group is that gives its members no place, or that it is said of something else.
static NO_FORM: Concept = Concept::new(&[
    (
        r"(?:any|arbitrary) order|order (?:does|is)|(?:one|each) per line|(?:on|in) (?:an?|its|one|a single) (?:\w+ )?line",
        "Each group is printed in any order.",
    ),
    (
        r"\b(?:of|with) (?:size|length|exactly|at (?:least|most)|\d+|[kmn])\b|(?:a |the )?(?:maximal|maximum|largest|smallest|non-?empty|connected|subset|group|set) (?:set|subset|group|of)",
        "A component is a maximal set of vertices.",
    ),
]);

/// A group that is a thing with places of its own.
static OF_PLACES: Concept = Concept::new(&[(
    r"an? (?:\w+ )?(?:triple|triplet|pair|tuple|quadruple|sequence|string|vector|path|row|interval|segment|record|point|range|chain|queue|stack|permutation|cycle|walk|route|bit ?(?:mask|string|pattern|vector))|(?:list|array) \[",
    "A group is a triple (x, y, z).",
)]);

/// Flags for which the place says what they are of.
static FLAGS: Concept = Concept::new(&[(
    r"flags|bit ?(?:patterns?|masks?|strings?|vectors?)|indicator\w*|characteristic (?:vectors?|strings?)|0s and 1s|1s and 0s|zeros and ones|zeroes and ones|0/1",
    "each subset as its bit pattern of 0s and 1s",
)]);

/// That what stands in a group has an order of its own.
static IN_ORDER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"\b(?:(?:within|inside|in) (?:an?|each|every|one|the)|each|every|an?|members?|elements?|they|those) (?:\w+ )?(?:of (?:an?|each|every|the) )?(?:{GROUP}\b)?[^;]{{0,60}}\b(?:(?:in|by) (?:the |their |its )?(?:\w+ )?order|order (?:of|in which)|from (?:end to end|front to back|left to right|first to last|top to bottom)|keeps? (?:the|its|their) (?:\w+ )?order)\b"
    ))
});

/// An order that is free, or that of the groups.
static FREE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:in|with) (?:any|arbitrary|no particular|whatever|an arbitrary)(?: \w+)? order\b|\border (?:of [\w ]{1,40} )?(?:does|do|is|are)(?: not|n['’]t)? (?:not )?(?:matter|important|arbitrary|irrelevant|free)\b",
    )
});

/// An order, of whatever: what stands in the groups is all that may have one where these may come in any order.
static SOME_ORDER: Concept = Concept::new(&[
    (
        r"sort\w*|ascending(?:ly)?|descending(?:ly)?|increasing(?:ly)?|decreasing(?:ly)?|alphabetical\w*|lexicographical\w*|chronological\w*|ordered|ranked",
        "The vertices of a component should be sorted.",
    ),
    (
        r"(?:\w+(?:er|est)|minimum|maximum|minimal|maximal|leaders?|roots?|captains?|heads?) (?:\w+ ){0,2}(?:first|last|in front|ahead)|(?:first|last) (?:comes?|is|goes)|(?:comes?|goes|stands?|is|are|be|appears?|listed|printed|placed|written) (?:\w+ )?(?:first|last|before|behind|ahead|after)",
        "In each component, list smaller vertices first.",
    ),
    (
        r"(?:as|like) (?:they|it|those|these|the \w+)? ?(?:are |is |were |was )?(?:in the |in |by the )?(?:input|given|appear\w*|occur\w*|come|stand|read|listed|original)|(?:in|by|keep\w*|preserv\w*|retain\w*|maintain\w*) (?:the |their |its |an |this |that )?(?:\w+ )?order\b(?: (?:of|in|as|from|that|given)|\W*$)",
        "Within each group the words should appear as in the input.",
    ),
    (
        r"precedes?|follows? (?:an?|the|one)|before (?:an?|the|its|all|any|every)",
        "In a component a smaller vertex precedes a larger one.",
    ),
    (
        r"from (?:the )?(?:\w+est|left|top|first|low|high|small|large|old|young|front|least|most)\w* to|by (?:index|id|number|name|age|size|value|length|rank|weight|date|time)",
        "In a group the members stand from the youngest to the oldest.",
    ),
]);

/// That there is none.
static NO_ORDER: Concept = Concept::new(&[(
    r"(?:not|n['’]t|never|no|without|un)(?:\W(?:\w+ ){0,4})?(?:sort\w*|ordered|order|ranked)|unsorted|unordered",
    "The members need not be sorted.",
)]);

/// What is given, unless it is said that something is to be like that.
static OF_INPUT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:(?:you (?:are|will be) )?given\b|the (?:input|given)\b|(?:the |an? )?(?:\w+ )?\w+ (?:is|are) given\b|it is guaranteed|input\b)",
    )
});

/// Whether a sentence has something in an order, other than what is given.
pub(super) fn orders_something(sentence: &str) -> bool {
    let told = FREE.replace_all(sentence, "");
    let told = NO_ORDER.taken_from(&told);
    SOME_ORDER.is_in(&told) && !OF_INPUT.is_match(sentence)
}

/// Whether a sentence gives what stands in each group its place.
pub(super) fn gives_members_places(sentence: &str) -> bool {
    let told = FREE.replace_all(sentence, "");
    is_described(&told) || FLAGS.is_in(&told) && is_of_group(&told) || IN_ORDER.is_match(&told)
}

fn is_of_group(sentence: &str) -> bool {
    static OF_GROUP: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"\b{GROUP}\b")));
    OF_GROUP.is_match(sentence) || GROUPS.is_in(sentence)
}

fn is_described(sentence: &str) -> bool {
    let found = DESCRIBED.captures(sentence);
    let found = found.or_else(|| EACH_AS.captures(sentence).filter(|_| is_of_group(sentence)));
    let Some(form) = found.and_then(|found| Some(found.get(1)?.as_str())) else {
        return false;
    };
    let is_verb_alone = DESCRIBED.is_match(sentence) && is_of_kind(sentence, form);
    match is_verb_alone {
        // `A group is`: what it is need not be how it is printed.
        true => OF_PLACES.is_in(form),
        false => !form.trim().is_empty() && !OF_MEMBERS.is_match(form) && !NO_FORM.is_in(form),
    }
}

/// Whether what comes next is said with `is` alone.
fn is_of_kind(sentence: &str, form: &str) -> bool {
    let before = sentence[..sentence.len() - form.len()].trim_end();
    before.ends_with(" is") || before.ends_with(" are")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [&NO_FORM, &OF_PLACES, &FLAGS, &SOME_ORDER, &NO_ORDER] {
            concept.assert_examples();
        }
    }

    #[test]
    fn orders() {
        for sentence in [
            "Sort the vertices of each component.",
            "A component is a sorted list of its vertices.",
            "In each component, list smaller vertices first.",
            "Within each group the words should appear as in the input.",
            "Every group keeps the order of the input.",
        ] {
            assert!(orders_something(sentence), "{sentence}");
        }
        for sentence in [
            "Given a sorted array, return all subsets in any order.",
            "The members need not be sorted.",
            "The groups may be printed in any order.",
            "The order of the members does not matter.",
            "Print each component on a line of its own.",
        ] {
            assert!(!orders_something(sentence), "{sentence}");
        }
    }

    #[test]
    fn members_with_places() {
        for sentence in [
            "Each cluster is described by x, y and radius.",
            "A group is a triple (x, y, z).",
            "Each subset is given as n flags, 0 or 1.",
            "Print all subsets in any order; each subset as its bit pattern of 0s and 1s.",
            "Within a group they stand in order of arrival.",
            "Print all groups in any order, each with its size and its members.",
            "Return the components in any order, each component in DFS order.",
        ] {
            assert!(gives_members_places(sentence), "{sentence}");
        }
        for sentence in [
            "Print all subsets in any order.",
            "Print all groups in any order, one per line.",
            "Each group is printed as a list of its members.",
            "Print each component on a line of its own.",
            "A component is a maximal set of vertices that are connected.",
            "Print all groups, each on a separate line, in any order.",
            "The order of the groups does not matter, nor does the order of the members.",
        ] {
            assert!(!gives_members_places(sentence), "{sentence}");
        }
    }
}
