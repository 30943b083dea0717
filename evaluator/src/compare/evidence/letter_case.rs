//! Whether words of letter case are said of what is printed.
//!
//! `Print YES if the words are equal ignoring case` frees the case of no answer: it is the task that ignores case. So what
//! stands between the word for printing and those of letter case has to be what is printed, and nothing more. Any other word
//! may be part of a condition or of an operation.

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::plain::pattern;
use super::whole::Whole;
use super::words::{ANY_CASE, CONDITION, OUTPUT, YES_NO_CASE};
use crate::compare::word_case::is_answer;

/// What a statement sets off.
static SET_OFF: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"^\W*(?:note|notice)(?: that)? |^\W*it (?:does not|doesn['’]t) matter (?:whether|if|in)? ?|["“‘`'][^"“”‘’`']{1,30}["”’`']|\b(?:for|on|in) (?:each|every) (?:test|case|testcase|query|line|pair|word|string|game|round|player)s?(?: case)?"#,
    )
});

/// Words that name what is printed, and those between them.
static PRINTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?:the|an?|each|every|any|all|both|either|of|in|on|as|to|your|its|his|her|their|these|those|this|it|them|they|you|or|and|is|are|be|can|could|may|might|will|want|also|one|two|single|first|second|english|latin|out|matter|ignores?|accepts?|treats?|written|printed|given|accepted|case|test|testcase|query|lines?|letters?|characters?|words?|verdicts?|answers?|outputs?|results?|responses?|repl(?:y|ies)|strings?|names?|winners?|players?|use|using|judged|checked|graded|evaluated|judges?|checkers?)(?:['’]s)?|s)$",
    )
});

/// What stands on both sides of an `or`: words to print, whatever they are.
static EITHER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[a-z]+,? or [a-z]+\b"));

/// A question, rather than what is printed.
static QUESTION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[:-] ?(?:is|are|do|does|did|has|have|was|were) "));

/// Brackets with a sentence of their own in them: `(each letter may be in any case)`.
static OWN_SENTENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\((?:each|every|any|all|the) (?:letters?|characters?)[^()]{0,40}\b(?:may|can|could|might) be\b",
    )
});

/// That a task is about letters, whose case may be what it ignores.
static OF_LETTERS: Concept = Concept::new(&[
    (
        r"palindrom\w*|anagram\w*|pangram\w*|isogram\w*|acronym\w*|substrings?|subsequences?|prefix\w*|suffix\w*|vowels?|consonants?|alphabet\w*|dictionary|lexicographical\w*",
        "Print YES if the word is a palindrome.",
    ),
    (
        r"(?:words?|strings?|names?|letters?|characters?|texts?|passwords?|commands?|keys?|sentences?|lines)\b[^.;]{0,60}\b(?:equal\w*|same|alike|match\w*|identical|differ\w*|unique|repeat\w*|compar\w*|valid|twice|(?:starts?|begins?|ends?) with)",
        "Print YES if both words are equal.",
    ),
    (
        r"(?:each|every|all|any|which|how many) (?:\w+ ){0,2}(?:letters?|characters?)\b[^.;]{0,40}\b(?:occurs?|appears?|used|contain\w*|there)|letters? (?:that )?(?:occurs?|appears?)",
        "Print YES if every letter occurs.",
    ),
    (
        r"(?:equal|same|alike|match\w*|identical|compar\w*|contains?|starts? with|begins? with|ends? with|count|find|search) (?:\w+ ){0,3}(?:words?|strings?|names?|letters?|characters?|texts?|passwords?)",
        "Print YES if they have the same letters.",
    ),
    (
        r"sort(?:s|ed|ing)?|alphabetical\w*|pairs? of (?:words|strings|names)|both (?:words|strings|names|texts|lists)|(?:words?|strings?|names?) found",
        "Print the names sorted.",
    ),
]);

/// Whether a sentence that speaks of letter case does so of what is printed.
pub(super) fn is_of_printing(sentence: &str, statement: &Whole<'_>) -> bool {
    let at = [&ANY_CASE, &YES_NO_CASE]
        .into_iter()
        .filter_map(|phrase| phrase.place_in(sentence))
        .min();
    let before = &sentence[..at.unwrap_or(0)];
    let brackets = OWN_SENTENCE.find(sentence).map(|found| found.start());
    if let Some(start) = brackets.filter(|start| *start < before.len()) {
        return !statement.speaks_of(&OF_LETTERS) && is_what_is_printed(&before[start..]);
    }
    let names_output = OUTPUT.is_in(sentence);
    let from = OUTPUT.last_end_in(before).unwrap_or(0);
    (names_output || !statement.speaks_of(&OF_LETTERS)) && is_what_is_printed(&before[from..])
}

/// Whether these words are what is printed, with no more to it.
fn is_what_is_printed(words: &str) -> bool {
    if QUESTION.is_match(words) {
        return false;
    }
    let words = SET_OFF.replace_all(words, " ");
    let words = EITHER.replace_all(&words, "or");
    let mut words = words.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    words.all(|word| {
        word.is_empty()
            || PRINTED.is_match(word)
            || word.starts_with(char::is_uppercase) && word.len() > 1 && !is_conditional(word)
            || is_answer(word.as_bytes())
    })
}

/// Whether a capital is that of the first word of a condition.
fn is_conditional(word: &str) -> bool {
    const CONDITIONS: [&str; 5] = ["if", "when", "whenever", "whether", "while"];
    CONDITIONS.contains(&word.to_lowercase().as_str())
}

/// Whether a sentence speaks of letter case in a condition, before it comes to the output.
pub(super) fn is_condition(sentence: &str) -> bool {
    let phrase = ANY_CASE.place_in(sentence);
    CONDITION.is_in(sentence) && phrase < OUTPUT.place_in(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        OF_LETTERS.assert_examples();
    }

    #[test]
    fn what_is_printed() {
        for words in [
            "",
            " YES or NO",
            " each letter of \"Yes\"",
            " vowel or consonant,",
        ] {
            assert!(is_what_is_printed(words), "{words}");
        }
        for words in [
            " YES if they are equal,",
            " whether s and t are anagrams,",
            " vowel, for a letter",
        ] {
            assert!(!is_what_is_printed(words), "{words}");
        }
    }
}
