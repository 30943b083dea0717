//! What a sentence frees that lets something come in any order: the items of the answer, or what stands in one of them.

use std::sync::LazyLock;

use regex::Regex;

use super::plain::pattern;
use super::whole::Whole;

/// What an answer may consist of that has parts of its own.
const ITEM: &str = "levels?|lines?|rows?|layers?|teams?|groups?|lists?|sublists?|sets?|subsets?|components?|classes|class|clusters?|\
                    buckets?|columns?|edges?|pairs?|triplets?|tuples?|categor(?:y|ies)|sections?|rooms?|tables?|families|family|answers?|roads?|connections?|friendships?|segments?|bridges?|triples?";

/// Those parts, by a plural.
const PARTS: &str = r"(?:\w+s|children|people|men|women)";

/// `The members of each team`; `two lists, each in any order`; `the i-th line the neighbours in any order`.
static OF_EACH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"\b(?:{PARTS} (?:\w+ ){{0,2}}(?:of|in|within|inside|on|at|from)|order (?:of|in|within|inside)) (?:each|every|the same) (?:\w+ )?(?:{ITEM})\b|\b(?:{ITEM}) (?:with|and) their {PARTS}, (?:the |these )?{PARTS} in any order|\b{PARTS} (?:in|within|inside) (?:the|these|both) (?:\w+ )?(?:lists|sublists|rows|groups|arrays|triplets|triples|pairs|teams)\b|\beach in (?:any|arbitrary) order\b|^\W*(?:in|on) (?:each|every) line,? (?:the |both )?(?:two |three )?{PARTS} (?:can|may|could) be\b|\b(?:[ijk]-?th|each) (?:line|row|list) (?:\w+ ){{0,4}}{PARTS} [^,]{{0,40}}in (?:any|arbitrary) order\b"
    ))
});

/// `The members of a team`, with what that is.
static OF_ONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"\b(?:{PARTS} (?:\w+ ){{0,2}}(?:of|in|within|inside|on|at|from)|order (?:of|in|within|inside)|^\W*(?:within|inside)) (?:one|an?) ({ITEM})\b"
    ))
});

/// `The vertices of the edge`, which is one that has been spoken of.
static OF_THE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"\b{PARTS} (?:of|in|within) the (edge|pair|segment|interval|tuple|triplet)\b"
    ))
});

/// `The indices of the edges`: numbers, in whichever list they are.
static NUMBERS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:indices|indexes|numbers|ids|labels) of (?:the |these |those |all )?(?:\w+ ){0,2}\w+s in (?:any|arbitrary) order\b",
    )
});

/// `The teams and the members of each`, where an order is free in both.
static BOTH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"\b(?:and|as well as|nor does) (?:also |so (?:can|may) )?(?:the )?(?:order of )?(?:the )?(?:two |three )?(?:{PARTS} (?:\w+ )?)?(?:of|in|within|inside|on|at|from) (?:each |every |the same |one |an? |the (?:triplets|pairs|triples|teams)\b)"
    ))
});

/// `For each vertex`; `answer[i]`: what is said is said of each part of the answer.
static OF_EACH_PART: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\bfor (?:each|every)\b|^\W*for all (?:the |these |given )?\w+s\b|\b(?:[ijk]-?th|[a-z]+\[[ijk]\]|(?:row|line|person|node|vertex) [ijk])(?:\W|$)",
    )
});

/// Whether a sentence says it of each part of the answer.
pub(super) fn is_distributive(sentence: &str) -> bool {
    OF_EACH_PART.is_match(sentence)
}

/// What there is several of, before what is asked for of each: `For each of the n customers, print`.
pub(super) static EACH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:(?:for|after|before|in|on|at) (?:each|every)|for all|(?:each|every) time)\b(?: of (?:the|these|those))?((?: [\w-]+){1,6}?)(?:,| (?:print|output|list|write|give|display|report|return)\w*\b|$)",
    )
});

/// What may come in any order, by its noun.
static MOVING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(\w+) (?:may|can|could|might|should|must) (?:also )?be\b|\b(?:print|output|list|write|give|display|report|return)\w* (?:the |these |those |all )*(\w+)(?: of (?:an?|each|every) \w+)? in (?:any|arbitrary)|\border of (?:the |these |those )?(\w+)|\border (?:in which )?(?:you|they|we) (?:print|output|list|write|give|display|report|return) (?:the |these |those )?(\w+)",
    )
});

/// A number that runs, and no thing.
static RUNNING: LazyLock<Regex> = LazyLock::new(|| pattern(r"^ [a-z](?: |$)"));

/// Several things that are asked for.
static PLURAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:print|output|list|write|give|display|report|return)\w* (?:the|all|all the) (?:\w+ )?\w+s\b",
    )
});

/// Whether a sentence frees what another has `asked` for of each of several things: the order of these is theirs.
pub(super) fn is_of_each(sentence: &str, asked: &str) -> bool {
    let (Some(each), Some(moving)) = (EACH.captures(asked), moving(sentence)) else {
        return false;
    };
    let asked = asked.to_lowercase();
    let things = each[1].to_lowercase();
    if matches!(&*moving, "them" | "they" | "these" | "those") {
        return RUNNING.is_match(&things) || PLURAL.is_match(&asked);
    }
    let is_thing = |word: &str| stem(word) == stem(&moving);
    let is_asked = |word: &str| word == moving && word.ends_with('s');
    !things.split(' ').any(is_thing) && asked.split(|c: char| !c.is_alphanumeric()).any(is_asked)
}

/// What a sentence lets come in any order, by its noun.
pub(super) fn moving(sentence: &str) -> Option<String> {
    let found = MOVING.captures(sentence)?;
    let noun = found.iter().skip(1).flatten().next();
    Some(noun.map_or_else(String::new, |noun| noun.as_str().to_lowercase()))
}

/// A noun without the ending of its plural.
pub(super) fn stem(noun: &str) -> &str {
    const IRREGULAR: [(&str, &str); 7] = [
        ("people", "person"),
        ("children", "child"),
        ("men", "man"),
        ("women", "woman"),
        ("vertices", "vertex"),
        ("indices", "index"),
        ("leaves", "leaf"),
    ];
    let singular = IRREGULAR.iter().find(|(plural, _)| *plural == noun);
    let endings = ["ies", "es", "s", "y", "e"];
    singular.map_or_else(
        || {
            let ending = endings.iter().find_map(|ending| noun.strip_suffix(ending));
            ending.unwrap_or(noun)
        },
        |(_, singular)| singular,
    )
}

/// Whether a text in lower case has a word with the stem of this noun.
pub(super) fn has_noun(text: &str, noun: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| stem(word) == noun)
}

/// What is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Freed {
    /// The order of the items.
    Items,
    /// That of what stands in each of them.
    Within,
    /// Both.
    Both,
    /// That of numbers, which may stand in several lists.
    Numbers,
}

/// What a sentence of a statement frees.
pub(super) fn freed(sentence: &str, statement: &Whole<'_>) -> Freed {
    let of_one = |of_one: &Regex| {
        let found = of_one.captures(sentence);
        found.is_some_and(|found| match &found[1] {
            // `Numbers in one line` says how they are laid out.
            "line" => found[0].contains("within") || found[0].contains("inside"),
            item => are_several(item, statement),
        })
    };
    let is_within = OF_EACH.is_match(sentence) || of_one(&OF_ONE) || of_one(&OF_THE);
    match is_within {
        true if BOTH.is_match(sentence) => Freed::Both,
        true => Freed::Within,
        false if NUMBERS.is_match(sentence) => Freed::Numbers,
        false => Freed::Items,
    }
}

/// Whether a statement speaks of several such items: `a team` may be all that is asked for.
fn are_several(item: &str, statement: &Whole<'_>) -> bool {
    let item = regex::escape(&item.to_lowercase());
    statement.has(format!(
        r"\b(?:{item}s|first {item}|(?:one|each|every) {item})\b"
    ))
}
