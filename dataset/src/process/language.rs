//! The language that a statement is written in, and its translation by a model.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::llm::{Llm, LlmError, Question};
use crate::record::{Record, Stage};

/// What statements are translated into, as ISO 639-3 calls it.
pub const ENGLISH: &str = "eng";

/// Characters that are looked at.
const READ: usize = 4000;
/// The longest translation, in tokens.
const MAX_TOKENS: usize = 8192;
/// Words from which on a language can be told.
const ENOUGH: usize = 8;

/// Blocks of code, formulas and whatever else is no prose.
static NO_PROSE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?s)```.*?(?:```|\z)|`[^`\n]*`|https?://\S+|[^\s\p{L}]*[\d_=<>\[\](){}]\S*")
        .expect("a fixed pattern")
});
static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d+").expect("a fixed pattern"));

/// The language of a statement, as ISO 639-3 calls it; `None` where too little of it is prose to tell.
pub fn language(statement: &str) -> Option<&'static str> {
    let read: String = statement.chars().take(READ).collect();
    let prose = NO_PROSE.replace_all(&read, " ");
    let is_long = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    // Some languages have no spaces between words.
    let words = prose.split_whitespace().filter(is_long).count();
    let letters = prose.chars().filter(|c| c.is_alphabetic() && !c.is_ascii());
    if words < ENOUGH && letters.count() < ENOUGH {
        return None;
    }
    let found = whatlang::detect(&prose).filter(whatlang::Info::is_reliable)?;
    Some(found.lang().code())
}

/// Translate the statements that are in another language than English. One whose translation lost a number keeps its own words.
pub fn translate(records: &mut [&mut Record], llm: &Llm) -> Result<(), LlmError> {
    let is_foreign = |record: &&mut &mut Record| {
        let language = record.written_in.as_deref();
        record.statement.is_some() && language.is_some_and(|language| language != ENGLISH)
    };
    let mut foreign: Vec<&mut &mut Record> = records.iter_mut().filter(is_foreign).collect();
    let questions: Vec<Question> = foreign
        .iter()
        .filter_map(|record| record.statement.as_deref().map(question))
        .collect();
    let answers = llm.ask_all(&questions)?;
    for (record, answer) in foreign.iter_mut().zip(answers) {
        take(record, answer.trim(), llm.name());
    }
    Ok(())
}

fn question(statement: &str) -> Question {
    let text = format!(
        "Translate this programming problem into English. Keep code, names, numbers, formulas, tables and samples exactly \
         as they are, and headings as headings. Answer with the translation alone.\n\n{statement}"
    );
    Question::plain(text, MAX_TOKENS)
}

fn take(record: &mut Record, translated: &str, model: &str) {
    let statement = record.statement.clone().unwrap_or_default();
    if let Some(lost) = lost_number(&statement, translated) {
        let evidence = format!("the translation by {model} lost the number {lost}");
        record.note(Stage::Process, "not_translated", evidence);
        return;
    }
    let from = record.written_in.replace(ENGLISH.to_owned());
    let what = format!("translated from {} by {model}", from.unwrap_or_default());
    record.changed(Stage::Process, "statement", what, &statement);
    record.statement = Some(translated.to_owned());
}

/// A number that the translation has less often than the original: constraints and samples must survive.
fn lost_number(original: &str, translated: &str) -> Option<String> {
    let counts = |text: &str| {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for number in NUMBER.find_iter(text) {
            *counts.entry(number.as_str().to_owned()).or_default() += 1;
        }
        counts
    };
    let there = counts(translated);
    let mut wanted = counts(original).into_iter();
    let lost = wanted.find(|(number, count)| there.get(number).unwrap_or(&0) < count);
    lost.map(|(number, _)| number)
}
