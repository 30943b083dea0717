//! Texts next to a known one. A text may have parts: numbers, and words between the same sign. A part is changed as a whole, so
//! that a date stays a date, and a list of words one.

use std::ops::RangeInclusive;

use rand::RngExt;
use rand::seq::IndexedRandom;

use super::draw::{Draw, edited};

/// Signs that part a text, the first of which it holds does.
const PARTING: [&str; 7] = [", ", ",", ";", " ", "-", "/", "."];

/// A text that differs a little from `known`, of characters of `alphabet` or of what is mentioned, and of such a length.
pub fn near(
    known: &str,
    alphabet: &[char],
    lengths: RangeInclusive<usize>,
    draw: &mut Draw,
) -> String {
    let changed = match draw.rng.random_range(0..4) {
        0 => with_other_number(known, draw),
        1 => with_other_words(known, draw),
        2 => with_mentioned(known, draw),
        _ => None,
    };
    let fits = |text: &String| lengths.contains(&text.chars().count());
    changed.filter(fits).unwrap_or_else(|| {
        let fresh = |draw: &mut Draw| alphabet.choose(&mut draw.rng).copied();
        let letters = edited(known.chars().collect(), lengths, fresh, draw);
        letters.into_iter().collect()
    })
}

/// One number of the text exchanged for one that is mentioned or a neighbour, as wide as it was.
fn with_other_number(text: &str, draw: &mut Draw) -> Option<String> {
    let mut runs = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, character.is_ascii_digit()) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                runs.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    let run = runs.choose(&mut draw.rng)?.clone();
    let number: i64 = text[run.clone()].parse().ok()?;
    let mentioned = draw.mentioned.numbers.choose(&mut draw.rng).copied();
    let base = mentioned.filter(|_| draw.rng.random()).unwrap_or(number);
    let other = base.checked_add(draw.rng.random_range(-1..=1))?.max(0);
    let width = run.len();
    let mut changed = text.to_owned();
    changed.replace_range(run, &format!("{other:0width$}"));
    Some(changed)
}

/// The words between a sign edited as a list.
fn with_other_words(text: &str, draw: &mut Draw) -> Option<String> {
    let sign = PARTING.iter().find(|sign| text.contains(**sign))?;
    let words: Vec<&str> = text.split(*sign).collect();
    let most = words.len() + 1;
    let known = words.clone();
    let fresh = |draw: &mut Draw| known.choose(&mut draw.rng).copied();
    let words = edited(words, 1..=most, fresh, draw);
    Some(words.join(*sign))
}

/// A text that is mentioned, put in somewhere or in the place of as much.
fn with_mentioned(text: &str, draw: &mut Draw) -> Option<String> {
    let mentioned = draw.mentioned.texts.choose(&mut draw.rng)?.clone();
    let mut letters: Vec<char> = text.chars().collect();
    let at = draw.rng.random_range(0..=letters.len());
    let replaced = match draw.rng.random() {
        true => mentioned.chars().count(),
        false => 0,
    };
    let end = (at + replaced).min(letters.len());
    letters.splice(at..end, mentioned.chars());
    Some(letters.into_iter().collect())
}
