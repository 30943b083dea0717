//! One scale for the words and ratings of different platforms.

use crate::record::{Level, Record};

/// The words that platforms and data sets have.
const WORDS: [(&str, Level); 17] = [
    ("beginner", Level::Easy),
    ("basic", Level::Easy),
    ("school", Level::Easy),
    ("easy", Level::Easy),
    ("introductory", Level::Easy),
    ("medium", Level::Medium),
    ("medium_hard", Level::Medium),
    ("intermediate", Level::Medium),
    ("interview", Level::Medium),
    ("hard", Level::Hard),
    ("harder", Level::Hard),
    ("hardest", Level::Hard),
    ("very_hard", Level::Hard),
    ("advanced", Level::Hard),
    ("expert", Level::Hard),
    ("challenging", Level::Hard),
    ("competition", Level::Hard),
];

/// Where ratings become medium and hard: a platform's, or Codeforces' where none is named that has its own.
const RATINGS: [(&str, f64, f64); 3] = [
    ("kattis", 3.0, 6.0),
    ("atcoder", 800.0, 1600.0),
    ("codeforces", 1300.0, 2000.0),
];

/// The level that a record's platform states; none of a word or a number that is not known.
pub fn stated(record: &Record) -> Option<Level> {
    level(record.platform.as_deref(), record.difficulty.as_deref()?)
}

fn level(platform: Option<&str>, difficulty: &str) -> Option<Level> {
    let word = difficulty.trim().to_lowercase().replace([' ', '-'], "_");
    if let Some((_, level)) = WORDS.iter().find(|(known, _)| *known == word) {
        return Some(*level);
    }
    if let Some(kyu) = word.strip_suffix("_kyu") {
        return of_kyu(kyu.parse().ok()?);
    }
    let rating: f64 = word.parse().ok()?;
    let named = platform.map(str::to_lowercase).unwrap_or_default();
    let own = RATINGS.iter().find(|(platform, ..)| *platform == named);
    let (_, medium, hard) = own.unwrap_or(&RATINGS[2]);
    Some(match rating {
        _ if rating < *medium => Level::Easy,
        _ if rating < *hard => Level::Medium,
        _ => Level::Hard,
    })
}

/// Codewars counts down from 8.
fn of_kyu(kyu: u8) -> Option<Level> {
    match kyu {
        7 | 8 => Some(Level::Easy),
        5 | 6 => Some(Level::Medium),
        1..=4 => Some(Level::Hard),
        _ => None,
    }
}
