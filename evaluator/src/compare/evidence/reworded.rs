//! Ordinary wordings that are read as others, which the grammar of an order knows.

use std::sync::LazyLock;

use regex::Regex;

use super::plain::pattern;
use super::section::Section;

/// The first line of the output, or what comes before others there.
static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:first line (?:of (?:the |your )?output|must print)|(?:print|output|write)\b.{0,80}\bfirst line)\b",
    )
});

/// `Their names follow, one per line`.
static FOLLOW: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\W*(?:then )?((?:the|their|its|these|those) (?:\w+ )?\w+s) follow\b(,| in )(.*)$")
});

/// `Both the groups and their members may be in any order`.
static BOTH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(\W*)(?:both )?(?:the )?(\w+s),? (?:and|as well as) (?:the )?(?:order of )?their (members|elements|numbers|items|vertices|nodes|indices|names|words),? ((?:may|can|could) be(?: printed| listed| output| given| returned)?) in (any|arbitrary) order(\W*)$",
    )
});

/// `The order of the edges and the order of the endpoints do not matter`.
static BOTH_ORDERS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(\W*)the order of (?:the )?(edges|pairs|groups|teams|sets|segments|components),? (?:and|as well as|or|nor) (?:the order of )?(?:the |their )?(?:two )?(endpoints|ends|vertices|nodes|members|elements|numbers|indices) (?:within|in|of|inside)?(?: (?:each|an?|every|the) \w+)? ?(?:does|do|is|are) (?:not|n['’]t) (?:matter|important)(\W*)$",
    )
});

/// `The groups may be in any order and their members may be in any order`.
static BOTH_APART: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(\W*)the (\w+s) ((?:may|can|could) be(?: printed| listed| output| given| returned)?) in any order,? and (?:so (?:may|can|could) their (members|elements|numbers|items|vertices|nodes|indices|names|words)|their (members|elements|numbers|items|vertices|nodes|indices|names|words) (?:may|can|could) be (?:\w+ )?in any order)(?: too| as well)?(\W*)$",
    )
});

/// `The members of a group may be in any order, but the groups must be sorted by their smallest member`.
static BUT_ITEMS_SORTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(.*\b(?:of|in|within|inside) (?:an?|one|each|every) (\w+)\b.*\bin (?:any|arbitrary) order),? (?:but|while|whereas) the (\w+) (?:themselves )?(?:must|should|have to|are to|need to) (?:be )?(?:printed |listed |given |output )?(?:sorted|ordered|in (?:increasing|decreasing|ascending|descending|alphabetical|lexicographic\w*) order)\b([^,;]*)$",
    )
});

/// `Print the two numbers (order does not matter)`.
static IN_BRACKETS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^([^()]*\w) ?\((?:note that |in any order,? )?(?:the |their )?order (?:does(?: not|n['’]t) matter|is (?:not important|irrelevant|unimportant|arbitrary))\)(\W*)$",
    )
});

/// `Each edge is given by its endpoints in any order`.
static PARTS_IN_ANY_ORDER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(\W*)(?:each|every) (edge|pair|segment|team|group|component) (?:is|must be|should be|can be) (?:given|printed|described|represented|written|listed|output) (?:by|as|with) (?:its|the|their) (?:two )?(endpoints|ends|vertices|nodes|members|elements|numbers|indices),? in (?:any|arbitrary) order(\W*)$",
    )
});

/// `Case #x: y, where x is the test case number and y is the list of cities in any order`.
static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(\W*(?:output )?for (?:each|every) (?:test )?case,? (?:print|output|write|display) )(?:(?:one|a) (?:single )?line (?:containing|with|of the form) )?\W*case #\w+: ?(?:y\W*,? where x is [^,]{1,60}?,? and y is |\W*followed by )(.*\bin (?:any|arbitrary) order\W*)$",
    )
});

/// What a later order of the groups may hang on that the order within them changes.
static BY_A_PLACE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:first|last|second|leading|leftmost|rightmost|initial|lexicographical\w*|printed|written)\b",
    )
});

/// `The teams may be in any order, but the members of a team must be sorted`, or `and the members of a team can be printed in any
/// order`.
static BUT_WITHIN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^.*\bin (?:any|arbitrary) order(?:(, (?:but|while|whereas) )the \w+s (?:of|in|within|inside) (?:an?|one|each|every) \w+ (?:must|should|have to|are to|need to) |(,? and )(?:the )?\w+s (?:of|in|within|inside) (?:an?|one|each|every) \w+ (?:can|may) (?:also )?be \w+ in (?:any|arbitrary) order\b)",
    )
});

/// A sentence that frees the order of items and then says that of their parts, as two.
pub(super) fn apart(sentence: &str) -> impl Iterator<Item = &str> {
    let joint = BUT_WITHIN.captures(sentence);
    let joint = joint.and_then(|found| found.get(1).or(found.get(2)));
    let ends = joint.map(|joint| (joint.start(), joint.end()));
    let (first, second) = ends.map_or((sentence, None), |(end, start)| {
        (&sentence[..end], Some(&sentence[start..]))
    });
    std::iter::once(first).chain(second)
}

/// A sentence in the wording that the grammar knows. `before` is the one before it.
pub(super) fn reworded(sentence: &str, before: &str, section: Section) -> Option<String> {
    section.may_be_of_output().then_some(())?;
    behind_head(sentence, before)
        .or_else(|| of_both(sentence))
        .or_else(|| within_sorted(sentence))
        .or_else(|| out_of_brackets(sentence))
        .or_else(|| of_parts(sentence))
        .or_else(|| on_each_line(sentence))
        .or_else(|| behind_label(sentence))
}

/// What follows a first line is printed then.
fn behind_head(sentence: &str, before: &str) -> Option<String> {
    let found = FOLLOW
        .captures(sentence)
        .filter(|_| HEAD.is_match(before))?;
    Some(format!(
        "Then print {}{}{}",
        &found[1], &found[2], &found[3]
    ))
}

fn of_both(sentence: &str) -> Option<String> {
    let both = |groups: &str, may: &str, members: &str| {
        let group = groups.strip_suffix('s').unwrap_or(groups);
        format!("The {groups} and the {members} of each {group} {may} in any order.")
    };
    if let Some(found) = BOTH.captures(sentence) {
        return Some(both(&found[2], &found[4], &found[3]));
    }
    if let Some(found) = BOTH_ORDERS.captures(sentence) {
        return Some(both(&found[2], "may be printed", &found[3]));
    }
    let found = BOTH_APART.captures(sentence)?;
    let members = found.get(4).or(found.get(5))?;
    Some(both(&found[2], &found[3], members.as_str()))
}

/// The order of the groups is that of the expected output anyway.
fn within_sorted(sentence: &str) -> Option<String> {
    let found = BUT_ITEMS_SORTED.captures(sentence)?;
    let is_of_same = is_plural_of(&found[3], &found[2]);
    (is_of_same && !BY_A_PLACE.is_match(&found[4])).then(|| found[1].to_owned())
}

/// An order that is free, out of its brackets.
fn out_of_brackets(sentence: &str) -> Option<String> {
    let found = IN_BRACKETS.captures(sentence)?;
    Some(format!("{} in any order{}", &found[1], &found[2]))
}

fn of_parts(sentence: &str) -> Option<String> {
    let found = PARTS_IN_ANY_ORDER.captures(sentence)?;
    let (item, parts) = (&found[2], &found[3]);
    Some(format!(
        "{}The {parts} of each {item} may be printed in any order{}",
        &found[1], &found[4]
    ))
}

/// What each of several lines holds is printed on it.
fn on_each_line(sentence: &str) -> Option<String> {
    static CONTAINING: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^\W*(?:output |print )+(?:[a-z]|\d+) lines,? (?:with )?(?:the )?([ijk])['’-]?th (?:(?:one|line|of them|of which) )?(?:containing|contains|holds|holding) ",
        )
    });
    let found = CONTAINING.captures(sentence)?;
    let rest = &sentence[found.get_match().end()..];
    Some(format!("On the {}-th line print {rest}", &found[1]))
}

/// What stands behind the number of the test case.
fn behind_label(sentence: &str) -> Option<String> {
    let found = LABELLED.captures(sentence)?;
    Some(format!("{}{}", &found[1], &found[2]))
}

fn is_plural_of(plural: &str, noun: &str) -> bool {
    let (plural, noun) = (plural.to_lowercase(), noun.to_lowercase());
    plural.strip_suffix('s') == Some(&noun)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_output(sentence: &str, before: &str) -> Option<String> {
        reworded(sentence, before, Section::Output)
    }

    #[test]
    fn as_the_grammar_knows_it() {
        let told = [
            (
                "Their names follow, one per line.",
                "Then print Their names, one per line.",
            ),
            (
                "Both the groups and their members may be in any order.",
                "The groups and the members of each group may be in any order.",
            ),
            (
                "The groups may be in any order and their members may be in any order.",
                "The groups and the members of each group may be in any order.",
            ),
            (
                "The members of a group may be in any order, but the groups must be sorted by size.",
                "The members of a group may be in any order",
            ),
            (
                "Print the two numbers (order does not matter).",
                "Print the two numbers in any order.",
            ),
            (
                "Each edge is given by its endpoints in any order.",
                "The endpoints of each edge may be printed in any order.",
            ),
            (
                "Output n lines, with the i'th containing the chance of player i.",
                "On the i-th line print the chance of player i.",
            ),
            (
                "For each case, output one line containing Case #x: y, where x is its number (from 1) and y is the list of cities in any order.",
                "For each case, output the list of cities in any order.",
            ),
            (
                "For each test case, output Case #x: followed by the names in any order.",
                "For each test case, output the names in any order.",
            ),
        ];
        for (sentence, read) in told {
            let said = of_output(sentence, "The first line of output is their number.");
            assert_eq!(said.as_deref(), Some(read));
        }
    }

    #[test]
    fn what_is_left_as_it_is() {
        let left = [
            "Their names follow, one per line.",
            "The groups and their leaders may be in any order.",
            "Print the two numbers (order does not matter) and their sum.",
            "The members of a group may be in any order, but the groups must be sorted by their first member.",
            "The members of a group may be in any order, but the others must be sorted.",
        ];
        for sentence in left {
            assert_eq!(of_output(sentence, "Find the liars."), None, "{sentence}");
        }
    }

    #[test]
    fn two_sentences_in_one() {
        let joint = "The teams may be in any order, but the members of a team must be sorted.";
        assert_eq!(apart(joint).count(), 2);
        assert_eq!(
            apart("The teams may be in any order, but not their members.").count(),
            1
        );
    }
}
