//! What a row says beside its tests, under any of the names that published data sets have for it.

use evaluator::readers::WholeRow;
use serde_json::{Map, Value};

use crate::record::Origin;

const URL: [&str; 4] = ["url", "problem_url", "link", "source_url"];
const LICENSE: [&str; 2] = ["license", "licence"];
const ATTRIBUTION: [&str; 4] = ["attribution", "author", "authors", "credit"];
const TITLE: [&str; 4] = ["title", "question_title", "name", "problem_title"];
const DATE: [&str; 6] = [
    "contest_date",
    "date",
    "estimated_date",
    "release_date",
    "published",
    "created_at",
];
/// Seconds since 1970, in rows of open-r1/codeforces.
const CONTEST_START: &str = "contest_start";
const TAGS: [&str; 4] = ["tags", "raw_tags", "skill_types", "topics"];
const PLATFORM: [&str; 3] = ["platform", "judge", "online_judge"];
const DIFFICULTY: [&str; 4] = ["difficulty", "rating", "cf_rating", "level"];
/// In rows of CodeContests, beside a difficulty that is the number of a word.
const CODE_CONTESTS_RATING: &str = "cf_rating";
/// These words, from 1.
const CODE_CONTESTS_WORDS: [&str; 5] = ["easy", "medium", "hard", "harder", "hardest"];
const WRONG: [&str; 2] = ["incorrect_solutions", "wrong_solutions"];

/// The fields of a row; none of a row that is no object.
pub struct Metadata(Map<String, Value>);

impl Metadata {
    /// Of a row's JSON text.
    pub fn read(text: &str) -> Metadata {
        Metadata(serde_json::from_str(text).unwrap_or_default())
    }

    /// Where the row is from; `id` is what its format calls it.
    pub fn origin(&self, source: &str, row: &WholeRow, id: &str) -> Origin {
        let file = row.file.rsplit('/').next().map(str::to_owned);
        Origin {
            source: source.to_owned(),
            file,
            line: (row.line > 0).then_some(row.line),
            id: id.to_owned(),
            title: self.text(&TITLE),
            url: self.text(&URL),
            license: self.text(&LICENSE),
            attribution: self.text(&ATTRIBUTION),
            date: self.date(),
            tags: self.list(&TAGS),
        }
    }

    /// Programs that the source calls wrong, a list of texts. Where their languages stand beside them, the reader of the row's
    /// format knows them.
    pub fn wrong_solutions(&self) -> Vec<String> {
        let field = WRONG.iter().find_map(|name| self.0.get(*name));
        field.map_or_else(Vec::new, texts)
    }

    /// The platform that the row names.
    pub fn platform(&self) -> Option<String> {
        self.text(&PLATFORM)
    }

    /// The difficulty that the row states, a rating too.
    pub fn difficulty(&self) -> Option<String> {
        if self.0.contains_key(CODE_CONTESTS_RATING) {
            return self.code_contests_difficulty();
        }
        self.text(&DIFFICULTY)
    }

    /// A rating of 0 is none, and so is the number of a difficulty that stands for no word.
    fn code_contests_difficulty(&self) -> Option<String> {
        let number = |name: &str| self.0.get(name).and_then(Value::as_u64);
        let rating = number(CODE_CONTESTS_RATING).filter(|rating| *rating > 0);
        let word = || {
            let place = usize::try_from(number("difficulty")?).ok()?;
            CODE_CONTESTS_WORDS.get(place.checked_sub(1)?)
        };
        let rating = rating.map(|rating| rating.to_string());
        rating.or_else(|| word().map(|word| (*word).to_owned()))
    }

    /// The day, as a text or as seconds since 1970.
    fn date(&self) -> Option<String> {
        let written = self.text(&DATE).and_then(|date| day(&date));
        let seconds = || self.0.get(CONTEST_START)?.as_i64();
        written.or_else(|| seconds().map(day_of))
    }

    fn text(&self, names: &[&str]) -> Option<String> {
        let found = names.iter().filter_map(|name| self.0.get(*name));
        let mut texts = found.filter_map(|value| match value {
            Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        });
        texts.next()
    }

    fn list(&self, names: &[&str]) -> Vec<String> {
        let found = names.iter().filter_map(|name| self.0.get(*name));
        found
            .map(texts)
            .find(|texts| !texts.is_empty())
            .unwrap_or_default()
    }
}

/// The texts of a list, which may itself stand in a text as JSON or as Python's print of it.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items
            .iter()
            .filter_map(|item| item.as_str().map(str::to_owned))
            .collect(),
        Value::String(text) => match evaluator::literal::parse(text) {
            Ok(evaluator::Value::List(items)) => items
                .into_iter()
                .filter_map(|item| match item {
                    evaluator::Value::Str(text) => Some(text),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The day of a date, `2024-01-06`, whatever time follows it.
fn day(text: &str) -> Option<String> {
    let day = text.get(..10)?;
    let is_digit = |index: usize, byte: u8| match index {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    let fits = day
        .bytes()
        .enumerate()
        .all(|(index, byte)| is_digit(index, byte));
    fits.then(|| day.to_owned())
}

/// The day of a second since 1970: years are counted from March, so that a leap day is the last of its year (Hinnant, "chrono-
/// Compatible Low-Level Date Algorithms").
fn day_of(seconds: i64) -> String {
    const ERA: i64 = 146_097;
    let days = seconds.div_euclid(86_400) + 719_468;
    let (era, day) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year = (day - day / 1_460 + day / 36_524 - day / (ERA - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + 400 * era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}
