//! What records must be like, one by one.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::record::{Dropped, Reason, Record, Stage};

/// What records must be like. The default lets all pass that have a test.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Bounds {
    /// Only what was published on this day or later, `2024-01-31`. What has no date is not known to be new, and is dropped.
    pub after: Option<String>,
    /// Only these difficulties, in the platform's words; all if empty.
    pub difficulties: Vec<String>,
    /// Only these licences; all if empty.
    pub licenses: Vec<String>,
    /// Only statements in these languages, as ISO 639-3 calls them; all if empty. Where nobody can tell, it fits.
    pub languages: Vec<String>,
    /// The fewest characters of a statement.
    pub min_length: usize,
    /// The most characters of a statement.
    pub max_length: usize,
    /// The fewest tests.
    pub min_tests: usize,
    /// The most bytes of all tests.
    pub max_test_bytes: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            after: None,
            difficulties: Vec::new(),
            licenses: Vec::new(),
            languages: Vec::new(),
            min_length: 0,
            max_length: usize::MAX,
            min_tests: 1,
            max_test_bytes: usize::MAX,
        }
    }
}

impl Bounds {
    /// Why a record does not fit, if it does not.
    pub fn dropped(&self, record: &Record) -> Option<Dropped> {
        let (reason, evidence) = self
            .age(record)
            .or_else(|| self.licence(record))
            .or_else(|| self.language(record))
            .or_else(|| self.difficulty(record))
            .or_else(|| self.length(record))
            .or_else(|| self.tests(record))?;
        Some(Dropped::new(Stage::Filter, reason, evidence))
    }

    fn age(&self, record: &Record) -> Option<(Reason, Value)> {
        let after = self.after.as_ref()?;
        let date = record.origin.date.as_ref();
        let is_new = date.is_some_and(|date| date >= after);
        (!is_new).then(|| (Reason::TooOld, json!({"date": date, "after": after})))
    }

    fn licence(&self, record: &Record) -> Option<(Reason, Value)> {
        let license = record.origin.license.as_deref();
        let allows = |license: &str| {
            self.licenses
                .iter()
                .any(|one| one.eq_ignore_ascii_case(license))
        };
        let fits = self.licenses.is_empty() || license.is_some_and(allows);
        (!fits).then(|| (Reason::License, json!({"license": license})))
    }

    fn language(&self, record: &Record) -> Option<(Reason, Value)> {
        let language = record.written_in.as_ref()?;
        let fits = self.languages.is_empty() || self.languages.contains(language);
        (!fits).then(|| (Reason::Language, json!({"language": language})))
    }

    fn difficulty(&self, record: &Record) -> Option<(Reason, Value)> {
        let difficulty = record.difficulty.as_deref();
        let wants = |word: &str| {
            self.difficulties
                .iter()
                .any(|one| one.eq_ignore_ascii_case(word))
        };
        let fits = self.difficulties.is_empty() || difficulty.is_some_and(wants);
        (!fits).then(|| (Reason::Difficulty, json!({"difficulty": difficulty})))
    }

    fn length(&self, record: &Record) -> Option<(Reason, Value)> {
        let length = record
            .statement
            .as_ref()
            .map_or(0, |text| text.chars().count());
        let fits = (self.min_length..=self.max_length).contains(&length);
        (!fits).then(|| (Reason::Length, json!({"characters": length})))
    }

    fn tests(&self, record: &Record) -> Option<(Reason, Value)> {
        let count = record.tests.len();
        if count < self.min_tests {
            return Some((Reason::FewTests, json!({"tests": count})));
        }
        let bytes: usize = record.tests.iter().map(|test| test.size()).sum();
        (bytes > self.max_test_bytes).then(|| (Reason::LargeTests, json!({"bytes": bytes})))
    }
}
