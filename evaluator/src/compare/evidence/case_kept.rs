//! What keeps the letter case of what is printed beside a sentence that seems to free it.
//!
//! The program of the jury may print as it likes, an old checker may have ignored case, and a permission may hold in one case alone.

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::condition::is_of_a_case;
use super::plain::pattern;
use super::things::Things;
use super::within::stem;
use super::words::{ANY_CASE, OUTPUT, YES_NO_CASE};
use crate::compare::word_case::is_verdict;

/// A program, a checker or a problem other than the one at hand.
static ANOTHER: Concept = Concept::new(&[
    (
        r"(?:old|older|former|original|previous|earlier|past|first|jury|jury['’]s|judges['’]|reference|model|sample|official|authors?|author['’]s|authors['’]|setters?|setter['’]s|another|other|his|her|their|example) (?:\w+ )?(?:programs?|solutions?|code|scripts?|versions?|editions?|implementations?)",
        "The reference solution prints YES and NO in any case.",
    ),
    (
        r"(?:programs?|solutions?|code|scripts?|implementations?) (?:of|by|from|written by) (?:the |an? |our |his |her )?\w+",
        "The program of the jury outputs YES and NO in any case.",
    ),
    (
        r"(?:old|older|former|original|previous|earlier|past|first|another|other) (?:\w+ )?(?:judges?|checkers?|graders?|jury|sites?|systems?|statements?|problems?|contests?|tasks?|rounds?)",
        "The old judge ignored the case of the letters.",
    ),
    (
        r"(?:judges?|checkers?|graders?|jury|programs?|solutions?) (?:\w+ )?(?:ignored|accepted|printed|allowed|treated|used to|did|wrote)|used to|formerly|last year",
        "Last year the checker ignored case.",
    ),
]);

/// Letters that are some of the answer's, and tests that are some of all.
static SOME: Concept = Concept::new(&[
    (
        r"(?:first|last|second|initial|final|remaining|other) (?:letters?|characters?)|(?:letters?|characters?) (?:but|except|other than|after|behind|before)",
        "The first letter may be in any case.",
    ),
    (
        r"(?:in|for|on) (?:the )?(?:first|second|third|last|sample|easy|small) (?:\w+ )?(?:tests?|cases?|groups?|subtasks?)|(?:for|in) (?:ties|a tie)|(?:for|in|on) [^,(]{0,30}\b(?:subtasks?|ties?|versions?|levels?|divisions?)|(?:only|but not) (?:for|in|on)",
        "The letter case does not matter in the first test.",
    ),
]);

/// That letters are printed in one case.
static ONE_CASE: Concept = Concept::new(&[(
    r"in (?:all )?(?:upper|lower)[- ]?case(?: letters)?|in (?:all )?(?:capitals?|small letters|block letters)(?: letters)?|(?:all[- ])?(?:capital|small|upper[- ]?case|lower[- ]?case) letters only|(?:only )?(?:capitals?|capital letters) only",
    "Output YES or NO, in capitals.",
)]);

/// That words are printed as they stand in the statement.
static AS_SHOWN: Concept = Concept::new(&[(
    r"(?:them|it|these|both|those|(?:the|each|every|all|both) (?:words?|letters?|answers?|verdicts?)) (?:\w+ )?(?:as|like) (?:\w+ ){0,3}(?:shown|above|written|spelled|spelt|below|here)|in (?:exactly )?(?:this|that|the shown|the same) (?:letter )?case|(?:with|in) the letter case (?:shown|above)",
    "You must print them as shown.",
)]);

/// What a word for one case may be a condition of.
static IF: Concept = Concept::new(&[(
    r"if|whether|when|whenever|where|that (?:is|are)",
    "Print YES if the word is in upper case.",
)]);

/// What is said to have no letter case, by its noun: `usernames are case-insensitive`, `the case of the guesses does not matter`.
static OF_WHAT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:notes?:? (?:that )?)?(?:the |all |each |every |these |those |both )*(?:\w+ ){0,3}?(\w+) (?:is|are|may be|can be|could be|will be|should be) (?:in (?:any|either)|case[- ]insensitive|not case)|\bcase of (?:(?:the |an? |all |each |every |its |their |these |those )*(?:letters?|characters?) (?:of|in) )?(?:the |an? |all |each |every |its |their |these |those )*(?:\w+ )??(\w+) (?:(?:is|are|does|do|will) ?(?:not|n['’]t)|is (?:irrelevant|unimportant|insignificant))|\bcase (?:does|is) ?(?:not|n['’]t) (?:matter|important) (?:in|for|of) (?:the |an? |all |each |every )*(\w+)",
    )
});

/// What an answer is called, or what it consists of.
const ANSWERS: [&str; 20] = [
    "answer",
    "output",
    "verdict",
    "result",
    "response",
    "reply",
    "letter",
    "character",
    "word",
    "case",
    "it",
    "they",
    "yes",
    "no",
    "check",
    "checker",
    "judge",
    "comparison",
    "solution",
    "decision",
];

/// Whether it is something else, that nothing has asked to print, which has no letter case.
pub(super) fn is_of_what_is_read(sentence: &str, asked: Option<&str>) -> bool {
    let things = Things::of(asked.as_slice());
    OF_WHAT.captures_iter(sentence).any(|found| {
        let Some(noun) = found.iter().skip(1).flatten().next() else {
            return false;
        };
        let lower = noun.as_str().to_lowercase();
        let is_shown = noun.len() > 1 && noun.as_str().chars().all(char::is_uppercase)
            || noun.start() > 0 && noun.as_str().starts_with(char::is_uppercase);
        let is_answer = ANSWERS.iter().any(|word| stem(word) == stem(&lower));
        !is_shown && !is_answer && !is_verdict(lower.as_bytes()) && !things.are_called(&lower)
    })
}

/// Whether letter case is freed for another, or in one case alone.
pub(super) fn is_of_another_or_a_case(sentence: &str) -> bool {
    ANOTHER.is_in(sentence)
        || SOME.is_in(sentence)
        || is_of_a_case(sentence, &[&ANY_CASE, &YES_NO_CASE])
}

/// Whether a sentence on the output has its words printed in one case, or as shown.
pub(super) fn keeps_case(sentence: &str) -> bool {
    let others = ANY_CASE.taken_from(sentence);
    let others = YES_NO_CASE.taken_from(&others);
    let condition = IF.place_in(&others).unwrap_or(others.len());
    OUTPUT.is_in(sentence) && (ONE_CASE.is_in(&others[..condition]) || AS_SHOWN.is_in(&others))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [&ANOTHER, &SOME, &ONE_CASE, &AS_SHOWN, &IF] {
            concept.assert_examples();
        }
    }

    #[test]
    fn other_cases() {
        for sentence in [
            "You may print them in any case when n is zero",
            "If there is a tie, you may print it in any case",
            "You can print the answer in any case only in the first subtask",
        ] {
            assert!(is_of_another_or_a_case(sentence), "{sentence}");
        }
        for sentence in [
            "For each test case you may print YES or NO in any case",
            "If it is possible, print YES (you may print each letter in any case)",
            "The checker ignores case",
        ] {
            assert!(!is_of_another_or_a_case(sentence), "{sentence}");
        }
    }

    #[test]
    fn one_case() {
        for sentence in ["Output YES or NO, in capitals", "Print them as shown"] {
            assert!(keeps_case(sentence), "{sentence}");
        }
        for sentence in [
            "Print YES if the word is in upper case",
            "Print each letter in upper or lower case",
        ] {
            assert!(!keeps_case(sentence), "{sentence}");
        }
    }
}
