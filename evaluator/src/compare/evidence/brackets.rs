//! What stands in brackets within a sentence that frees something.
//!
//! `In any order (the root first)` takes back what it has just allowed, and so does `can (not) be printed`. So a bracket has to
//! be known to say nothing of that: an example, a bound, a name for what is printed. One that is not lets the permission fall.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::grammar::BRACKETS;
use super::plain::pattern;
use super::words::{ANY_CASE, YES_NO_CASE};

/// How deep brackets may stand in one another.
const DEEPEST: usize = 6;

/// A number, or a letter for one.
const NUMBER: &str = r"(?:-?\d+(?: ?\^ ?-?\d+)?|[nmk](?: ?[-+] ?1)?|zero|one|two|three|four)";

/// What a list has in it, by common names.
const THINGS: &str = r"(?:integers?|numbers?|ind(?:ex|ices|exes)|vert(?:ex|ices)|nodes?|edges?|words?|names?|strings?|pairs?|digits?|values?|ids?|positions?|coordinates?|items?|elements?|letters?|of them|in total|lines?)";

/// What says nothing of an order, of letter case or of an error.
const HARMLESS: [&str; 19] = [
    // Names, and several of them: `(i, j)`, `[x1, x2, ..., xn]`.
    r"[a-z](?:\d{1,2}|[ijknm])?(?:(?:, ?| )(?:[a-z](?:\d{1,2}|[ijknm])?|\.\.\.|…))*",
    // A bound: of one thing, or of a pair.
    r"(?:NUMBER ?(?:<=?|≤|\\leq?) ?)[a-z]\w?(?: ?(?:<=?|≤|\\leq?) ?[a-z])?(?: ?(?:<=?|≤|\\leq?) ?NUMBER)?",
    r"[a-z] ?(?:<=?|≤|\\leq?|>=?|≥|\\geq?) ?(?:NUMBER|[a-z])",
    r"(?:at (?:most|least)|up to|exactly)? ?NUMBER(?: (?:distinct |different |such )?THINGS)?",
    r"(?:zero|one|[01])[- ](?:based|indexed)(?: (?:indices|indexes|positions|numbers|ids))?|(?:numbered|indexed|counted) (?:from|starting (?:from|at|with)) (?:0|1|zero|one)",
    r"(?:(?:it |they |which |this )?(?:possibly|maybe|perhaps|may be|can be|might be)(?: an?)? )empty(?: (?:list|array|set|line|string))?|if (?:there (?:is|are) )?any|possibly none|or none",
    r"without (?:the |any )?(?:quotes|quotation marks|brackets|duplicates|repetitions?|leading zeros)|(?:quotes|brackets) (?:are )?(?:only )?for clarity",
    r"(?:in )?any order(?: (?:is|will be) (?:fine|ok|okay|allowed|accepted|acceptable|valid|good|correct))?|(?:the )?order (?:(?:does not|doesn['’]t) matter|(?:is not|isn['’]t) important|is (?:irrelevant|unimportant|arbitrary|free))",
    r"(?:all |pairwise )?(?:distinct|different|unique)|not necessarily (?:distinct|different|consecutive|contiguous)|each (?:exactly |only )?once|no duplicates|(?:with|including|counting) (?:duplicates|repetitions?|multiplicity)|duplicates (?:included|allowed|removed)",
    r"(?:one|two|three|each|all)(?: THINGS)? (?:per|on|in)(?: an?| its| their| one| each)?(?: own| single| separate| new)? lines?|(?:space|comma)[- ]separated|separated by (?:an? |one |single )*(?:spaces?|commas?|blanks?|new ?lines?)",
    r"(?:distinct |different |positive |non-?negative )?THINGS|(?:both )?inclusive|included|exclusive|es|ies",
    r"(?:or )?(?:-1|0|1)|(?:yes|no|true|false|possible|impossible|-1|0|1),? (?:or|and) (?:yes|no|true|false|possible|impossible|-1|0|1)",
    r"see (?:the )?(?:(?:first|second|third) )?(?:examples?|samples?)(?: (?:below|above|\d))?",
    r"(?:with )?(?:an? )?(?:(?:absolute|relative|or) )+errors? (?:of )?(?:at most|up to|below|less than|not exceeding|<=?|≤) \S+",
    r"case[- ]insensitive|in (?:any|either) (?:letter )?case",
    r"in (?:metres|meters|kilomet(?:re|er)s|km|km/h|m/s|seconds|minutes|hours|degrees|radians|percent|dollars|euros|cents|square \w+|\w+ per \w+)",
    r"an? (?:real|floating[- ]point|decimal|whole|positive|single) (?:number|value|integer)",
    r"(?:as )?an? (?:list|array|set|pair|string|integer|number)(?: of THINGS)?",
    r"(?:modulo|mod) (?:10\^9 ?\+ ?7|\d+)",
];

static IS_HARMLESS: LazyLock<Regex> = LazyLock::new(|| {
    let forms = HARMLESS.map(|form| format!("(?:{form})")).join("|");
    let forms = forms.replace("NUMBER", NUMBER).replace("THINGS", THINGS);
    pattern(&format!("^(?:{forms})$"))
});

/// `0-9`, `1 to n`: behind words of an order that may be the order.
static INTERVAL: LazyLock<Regex> = LazyLock::new(|| {
    let form = r"^(?:(?:from|between) )?NUMBER ?(?:-|to|and|or|\.\.+|…) ?NUMBER(?: ?(?:-|\+) ?1)?$";
    pattern(&form.replace("NUMBER", NUMBER))
});

static ORDER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\border\b"));

/// What begins an example, or says which forms are taken.
static EXAMPLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?:so|that is|i\.e\.?),? )?(?:e\.g\.?|for (?:example|instance)|such as|the (?:strings|words|answers)\b[^;]* (?:will|would|are|is)(?: all)?(?: be)? (?:recognized|recognised|accepted|considered|treated)|[^;]* (?:are|is) all (?:fine|ok|okay|accepted|allowed))\b",
    )
});

/// What an example does not have: that something has to be so, or is not.
static HAS_TO_BE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:must|should|shall|ha(?:s|ve|d)|needs?|not|cannot|never|no|only|but|except\w*|unless|always|before|after|first|last|if|wrong|invalid|incorrect|rejected|points|subtasks?|sort\w*|(?:a|de)scend\w*|(?:in|de)creas\w*)\b|n['’]t\b",
    )
});

/// Spellings of an answer, of which `no` is one.
static SPELLINGS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?:\b(?:yes|no)\b["'”’`]*(?:,? (?:and|or)|,|/) ?["'“‘`]*)+\b(?:yes|no)\b"#)
});

/// One name of several that say what an item is: `[name, score]`, `(row and column)`.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:the |its )?[a-z]{1,20}(?: (?:number|index|name|id|value|count))?$")
});

/// A word that says how, or which comes first.
static NO_NAME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:\w+(?:ing|ed|ly|wise|est|ss|ward|wards)|\w*order\w*|[a-z]{2,}s|then|not|no|never|only|always|but|except|first|last|next|before|after|if|when|while|until|reverse|stable|small|smaller|large|larger|low|lower|high|higher|min|max|old|older|young|younger|topological|lexicographic|lexicographical|alphabetic|alphabetical|numeric|numerical|chronological|monotone|up|down|or|to|by|in|as|at|none)\b",
    )
});

/// Two that are not the same, which puts neither first.
static UNEQUAL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[a-z]\w? ?(?:≠|!=|<>|\\neq?) ?[a-z]\w?$"));

/// Words of letter case, which a bracket may end with.
static CASE_WORDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:\W|\b(?:in|all|either|any|both|of|the|upper|lower|case|uppercase|lowercase|letters?|or|and|these|those|two|words?|is|are|fine|ok|okay|allowed|accepted|acceptable)\b)*$",
    )
});

/// Words that say how far an answer may be off, and those of a formula.
static ERROR_WORD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[a-z]\w?|max|min|abs|frac|leq?|geq?|cdot|times|lvert|rvert|your|our|jury|judge|the|of|or|and|is|at|most|up|to|an?|with|within|either|both|that|which|less|than|below|absolute|relative|errors?|precision|tolerance|answers?|outputs?|results?|values?|correct|expected|true|exact|difference|acceptable|accepted|allowed|fine|whichever|larger|smaller|greater|bigger|looser|stricter)$",
    )
});
static NO_FORMULA: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:no|if|by|in|so|on|my|he)\b"));

/// Whether the brackets of a sentence that frees an order leave it free.
pub(super) fn leave_order(sentence: &str) -> bool {
    let behind = ORDER.find(sentence).map_or(0, |found| found.start());
    all(sentence, |words, at| {
        is_harmless(words) || at < behind && INTERVAL.is_match(words)
    })
}

/// Whether those of one that frees letter case leave that free.
pub(super) fn leave_case(sentence: &str) -> bool {
    all(sentence, |words, _| {
        is_harmless(words) || INTERVAL.is_match(words) || ends_with_case(words)
    })
}

/// Whether those of one that states a tolerance let it hold for all answers.
pub(super) fn leave_tolerance(sentence: &str) -> bool {
    all(sentence, |words, _| {
        is_harmless(words) || INTERVAL.is_match(words) || is_of_error(words)
    })
}

/// Whether all brackets hold such words, each with its place, from those within others outwards.
fn all(sentence: &str, is_such: impl Fn(&str, usize) -> bool) -> bool {
    let mut rest = Cow::Owned(sentence.to_lowercase());
    for _ in 0..DEEPEST {
        let is_all = BRACKETS.find_iter(&rest).all(|found| {
            let words = found.as_str().trim();
            let words = &words[1..words.len() - 1];
            is_such(
                words.trim_matches([' ', '.', '!', ',', '"', '“', '”', '\'']),
                found.start(),
            )
        });
        if !is_all {
            return false;
        }
        match BRACKETS.replace_all(&rest, "") {
            Cow::Borrowed(_) => return true,
            Cow::Owned(without) => rest = Cow::Owned(without),
        }
    }
    false
}

fn is_harmless(words: &str) -> bool {
    let is_example =
        EXAMPLE.is_match(words) && !HAS_TO_BE.is_match(&SPELLINGS.replace_all(words, ""));
    !words.contains(char::is_alphanumeric)
        || UNEQUAL.is_match(words)
        || is_example
        || IS_HARMLESS.is_match(words)
        || are_names(words)
}

/// Whether these are names of what an item is made of.
fn are_names(words: &str) -> bool {
    let joined = words.replace(", and ", ",").replace(" and ", ",");
    let names: Vec<&str> = joined.split(',').map(str::trim).collect();
    (2..=4).contains(&names.len())
        && names
            .iter()
            .all(|name| NAME.is_match(name) && !NO_NAME.is_match(name))
}

/// Whether they free letter case, and end with that.
fn ends_with_case(words: &str) -> bool {
    let ends = [&ANY_CASE, &YES_NO_CASE].map(|phrase| phrase.last_end_in(words));
    let end = ends.into_iter().flatten().max();
    CASE_WORDS.is_match(words) || end.is_some_and(|end| CASE_WORDS.is_match(&words[end..]))
}

/// Whether they are a formula, or say how far off an answer may be.
fn is_of_error(words: &str) -> bool {
    let words = words.replace("not exceeding", "at most");
    let words = words.replace("does not exceed", "is at most");
    let is_word = |word: &str| {
        word.is_empty()
            || word.starts_with(|c: char| c.is_ascii_digit())
            || ERROR_WORD.is_match(word)
    };
    !NO_FORMULA.is_match(&words) && words.split(|c: char| !c.is_alphanumeric()).all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_order() {
        for bracket in [
            "(i, j)",
            "[x1, x2, ..., xn]",
            "(1 ≤ i < j ≤ n)",
            "(1-based)",
            "(possibly empty)",
            "(row and column)",
            "[name, score]",
            "(without quotes)",
            "(for example, 3 1 2)",
            "(one per line)",
        ] {
            let sentence = format!("Print them in any order {bracket}");
            assert!(leave_order(&sentence), "{bracket}");
        }
        for bracket in [
            "(sorted)",
            "(not)",
            "(except the first, which is the root)",
            "(for example, the root must be first)",
            "(1 to n)",
            "(parents, children)",
            "(a1 < a2 < a3)",
            "(by id)",
            "(n (but sorted))",
        ] {
            let sentence = format!("Print them in any order {bracket}");
            assert!(!leave_order(&sentence), "{bracket}");
        }
        assert!(leave_order("Print the digits (0-9) in any order"));
    }

    #[test]
    fn of_letter_case() {
        for bracket in [
            "(upper or lower)",
            "(you can print each letter in any case)",
            "(for example, yEs and Yes)",
            "(for example, the strings NO, nO, No, and no will all be treated as identical)",
        ] {
            assert!(leave_case(bracket), "{bracket}");
        }
        for bracket in [
            "(not)",
            "(for example, no letter may be small)",
            "(but all must be upper)",
            "(in any case, print a line)",
        ] {
            assert!(!leave_case(bracket), "{bracket}");
        }
    }

    #[test]
    fn of_a_tolerance() {
        for bracket in [
            "(|a-b| / max(1, |b|))",
            "(absolute or relative)",
            "(in metres)",
        ] {
            assert!(leave_tolerance(bracket), "{bracket}");
        }
        for bracket in ["(with half of the points)", "(not)", "(for n = 1)"] {
            assert!(!leave_tolerance(bracket), "{bracket}");
        }
    }
}
