//! Whether a statement is whole.
//!
//! Few things are true of every whole statement: that it says something, and that what it opens it closes. The rest is
//! learned: what nearly all statements of a source have, such as a section on the output or the signature of the function, one that lacks
//! it has lost.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rayon::prelude::*;
use regex::Regex;

use crate::python::is_python;
use crate::record::Record;

/// Statements of a source from which customs are learned.
const ENOUGH: usize = 50;
/// The share of a source's statements that makes something a custom.
const NEARLY_ALL: f64 = 0.97;
/// The same for what belongs to a source's form, so that even a source of which one statement in ten is cut off shows it.
const FORM: f64 = 0.9;

/// What a statement may have.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "snake_case")]
enum Feature {
    /// It names the function that the tests call.
    FunctionName,
    /// It is a Python program, such as the head of one.
    Python,
    /// Its last line ends a block of code.
    CodeBlockAtEnd,
    /// A line begins with the word.
    InputSection,
    /// A line begins with the word.
    OutputSection,
    /// A line begins with a word for them.
    Examples,
    /// A line begins with the word.
    Constraints,
    /// Its last sentence ends, or its last line is no sentence.
    EndOfSentence,
}

impl Feature {
    /// The share of statements that makes it a custom.
    fn custom(self) -> f64 {
        match self {
            Feature::FunctionName | Feature::Python | Feature::CodeBlockAtEnd => FORM,
            _ => NEARLY_ALL,
        }
    }
}

static INPUT: LazyLock<Regex> = LazyLock::new(|| heading("input"));
static OUTPUT: LazyLock<Regex> = LazyLock::new(|| heading("output"));
static EXAMPLES: LazyLock<Regex> = LazyLock::new(|| heading("(?:examples?|samples?)"));
static CONSTRAINTS: LazyLock<Regex> = LazyLock::new(|| heading("(?:constraints?|limits?)"));

/// A line that opens with a word, whatever marks it as a heading.
fn heading(words: &str) -> Regex {
    Regex::new(&format!(r"(?mi)^[\W_]*{words}\b")).expect("a fixed pattern")
}

/// What is customary in each source.
#[derive(Debug, Default)]
pub struct Customs {
    /// Statements, and how many of them have each feature.
    sources: BTreeMap<String, (usize, BTreeMap<Feature, usize>)>,
}

impl Customs {
    /// Learn from some records.
    pub fn learn(&mut self, records: &[&Record]) {
        let features: Vec<Vec<Feature>> =
            records.par_iter().map(|record| features(record)).collect();
        for (record, features) in records.iter().zip(features) {
            let (count, counts) = self
                .sources
                .entry(record.origin.source.clone())
                .or_default();
            *count += 1;
            for feature in features {
                *counts.entry(feature).or_default() += 1;
            }
        }
    }

    /// What a statement lacks to be whole, in words.
    pub fn lacking(&self, record: &Record) -> Option<Vec<&'static str>> {
        let statement = record.statement.as_deref().unwrap_or_default();
        if statement.trim().is_empty() {
            return Some(vec!["text"]);
        }
        let mut lacking: Vec<&'static str> = unclosed(statement).into_iter().collect();
        if let Some((count, counts)) = self.sources.get(&record.origin.source)
            && *count >= ENOUGH
        {
            let has = features(record);
            let customary = counts
                .iter()
                .filter(|(feature, having)| **having as f64 >= feature.custom() * *count as f64);
            let lost = customary.filter(|(feature, _)| !has.contains(feature));
            lacking.extend(lost.map(|(feature, _)| <&'static str>::from(*feature)));
        }
        (!lacking.is_empty()).then_some(lacking)
    }
}

/// What a statement opens and does not close.
fn unclosed(statement: &str) -> Option<&'static str> {
    let fences = statement
        .lines()
        .filter(|line| line.trim_start().starts_with("```"));
    if fences.count() % 2 == 1 {
        return Some("end_of_code_block");
    }
    let is_head = statement.lines().any(|line| line.starts_with("def "));
    let quotes = |mark: &str| statement.matches(mark).count() % 2 == 1;
    (is_head && (quotes("\"\"\"") || quotes("'''"))).then_some("end_of_docstring")
}

fn features(record: &Record) -> Vec<Feature> {
    let statement = record.statement.as_deref().unwrap_or_default();
    let all = <Feature as strum::VariantArray>::VARIANTS.iter().copied();
    all.filter(|feature| has(*feature, record, statement))
        .collect()
}

fn has(feature: Feature, record: &Record, statement: &str) -> bool {
    match feature {
        Feature::FunctionName => {
            let name = record
                .fn_name
                .as_deref()
                .and_then(|name| name.rsplit('.').next());
            name.is_some_and(|name| statement.contains(name))
        }
        Feature::Python => is_python(statement),
        Feature::CodeBlockAtEnd => statement.trim_end().ends_with("```"),
        Feature::InputSection => INPUT.is_match(statement),
        Feature::OutputSection => OUTPUT.is_match(statement),
        Feature::Examples => EXAMPLES.is_match(statement),
        Feature::Constraints => CONSTRAINTS.is_match(statement),
        Feature::EndOfSentence => ends(statement),
    }
}

/// A last line of several words that ends in a letter or a comma is a sentence that was cut.
fn ends(statement: &str) -> bool {
    let last = statement.trim_end().lines().last().unwrap_or_default();
    let is_sentence = last
        .split_whitespace()
        .filter(|word| word.chars().all(char::is_alphabetic))
        .count()
        >= 4;
    let end = last.chars().last().unwrap_or('.');
    !is_sentence || !(end.is_alphabetic() || ",;(".contains(end))
}
