//! The words that a statement asks to print: those in quotes, in code or in capitals, and names.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::plain::{pattern, sentences};
use super::section::Section;
use super::words::OUTPUT;
use crate::compare::word_case::ANSWERS;

/// A word of letters between marks that set it off: quotes, backticks, `\texttt{...}`, `\t{...}`, `<code>`, `**`.
static SET_OFF: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?:["'“”‘’`]|\\(?:texttt|textbf|text|mathtt|t|bf)\{|<(?:code|tt|b|strong)>|\*\*)([[:alpha:]]{1,30})(?:["'“”‘’`}]|</|\*\*)"#,
    )
});

static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[[:alpha:]]+\b"));

/// Sentences about examples.
static EXAMPLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:examples?|samples?|notes?)\b"));

/// A word in capitals. Shorter ones are variables and abbreviations as a rule.
static CAPITALS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b[A-Z]{2,30}\b").expect("the pattern is valid"));

/// A word with a capital, such as a name.
static CAPITALISED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b[A-Z][a-z]{2,29}\b").expect("the pattern is valid"));

/// Whether what follows goes on with a sentence, in which a capital is not that of its first word.
fn goes_on(before: &str) -> bool {
    let last = before.trim_end_matches(' ').chars().next_back();
    last.is_some_and(|c| c.is_alphanumeric() || matches!(c, ',' | ':' | '('))
}

/// A sentence that shows what an answer may be, or says how its letters may be written.
static ASIDE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:examples?|samples?|notes?|recogni[sz]ed|accepted|insensitive)\b|\b(?:upper|lower|any)[- ]?case\b|in any ",
    )
});

/// That the case of each letter is free, and so that of words which a statement writes in two ways itself.
static EACH_LETTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:each|every|any) (?:letter|character)\b[^.]{0,60}\b(?:upper|lower|(?:any|either) (?:case|register))",
    )
});

/// That something else comes behind the words whose case is free, or may: `Yes or No in any case, followed by the name`.
static FOLLOWED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\bcase\)?,? (?:followed by|(?:and|then|and then) (?:the|its|their|an?)\b)|^\W*(?:the )?verdicts?\b",
    )
});

/// Whether a sentence sets off words, has them in capitals, or has something else behind them: then it is of these that it
/// speaks.
pub(super) fn names_words(sentence: &str) -> bool {
    set_off(sentence).next().is_some() || CAPITALS.is_match(sentence) || FOLLOWED.is_match(sentence)
}

/// These words in lower case: names, and what sentences about the output set off. Of those written in two ways only what is
/// asked for in capitals, and where the case of each letter is free. Where the case of words that are set off is free, `of_named`, that
/// of names and of answers to other questions is not: `YES`, and on the next line the name.
pub(super) fn of(statement: &str, of_named: bool) -> BTreeSet<String> {
    let mut written: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut asked_for = BTreeSet::new();
    let mut in_capitals = BTreeSet::new();
    let is_of_letters = EACH_LETTER.is_match(statement);
    let mut section = Section::default();
    for sentence in sentences(statement) {
        section = section.followed_by(sentence);
        let is_aside = ASIDE.is_match(sentence);
        if !EXAMPLE.is_match(sentence) {
            let is_of_output = OUTPUT.is_in(sentence);
            let set_off = set_off(sentence).filter(|_| is_of_output);
            let uniform = set_off
                .chain(names(sentence).filter(|_| !of_named && section.may_be_of_output()))
                .filter(|word| is_uniform(word));
            asked_for.extend(uniform.map(str::to_lowercase));
            if (is_of_letters || of_named) && is_of_output {
                let capitals = CAPITALS.find_iter(sentence);
                in_capitals.extend(capitals.map(|found| found.as_str().to_lowercase()));
            }
        }
        for word in WORD.find_iter(sentence).filter(|_| !is_aside) {
            let forms = written.entry(word.as_str().to_lowercase()).or_default();
            forms.insert(word.as_str());
        }
    }
    let is_one = |word: &String| written.get(word).is_none_or(|forms| forms.len() < 2);
    asked_for.retain(|word| is_one(word) || in_capitals.contains(word));
    if of_named {
        asked_for.extend(in_capitals);
    } else {
        asked_for.extend(ANSWERS.iter().map(|word| (*word).to_owned()));
    }
    asked_for
}

fn set_off(sentence: &str) -> impl Iterator<Item = &str> {
    SET_OFF
        .captures_iter(sentence)
        .filter_map(|found| Some(found.get(1)?.as_str()))
}

/// The words in capitals, and those with one.
fn names(sentence: &str) -> impl Iterator<Item = &str> {
    let capitals = CAPITALS.find_iter(sentence).map(|found| found.as_str());
    let capitalised = CAPITALISED
        .find_iter(sentence)
        .filter(|found| goes_on(&sentence[..found.start()]))
        .map(|found| found.as_str());
    capitals.chain(capitalised)
}

/// Whether a word is in small letters, in capitals, or has one at its head.
fn is_uniform(word: &str) -> bool {
    let mut rest = word.chars().skip(1).peekable();
    let is_short = rest.peek().is_none();
    let lower = rest.clone().all(char::is_lowercase);
    let upper = rest.all(char::is_uppercase) && word.starts_with(char::is_uppercase);
    is_short || lower || upper
}
