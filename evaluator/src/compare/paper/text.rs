//! What the paper's strategies say of two texts.

use std::collections::HashSet;

use super::slack::{ALLCLOSE, PLACES};
use super::value::loosely;
use crate::Value;
use crate::compare::comparison::Finding;
use crate::compare::difference::common;
use crate::compare::effort::is_affordable;
use crate::compare::hash::Key;
use crate::compare::number::Number;
use crate::compare::strategy::Strategy;
use crate::compare::tokenize::tokens;
use crate::compare::whitespace::lines;
use crate::compare::{decimal, exact, lcb, rounding, word_case};
use crate::value::{DataBudget, literal};

/// Bytes that any output may have, however short the expected one is.
const FEW_BYTES: usize = 1 << 20;

/// How many times as long as the expected output an actual one may be beyond that: strategies that overlook how often
/// something comes would read all of it.
const MOST_TIMES: usize = 16;

/// Bytes of an expected output that is taken for a set, each of whose lines is hashed and kept.
const MOST_OF_SET: usize = 4 << 20;

/// Bytes of a text that is converted, of which each word may be held several times.
const MOST_CONVERTED: usize = 16 << 20;

/// What one strategy says of two texts.
pub(crate) fn text(strategy: Strategy, expected: &[u8], actual: &[u8]) -> Finding {
    let is_far_longer = actual.len() > FEW_BYTES + MOST_TIMES * expected.len();
    if is_far_longer && strategy != Strategy::Exact {
        return Finding::Erred("the text is far longer than expected".to_owned());
    }
    Finding::from(match strategy {
        Strategy::Exact => exact::same(expected, actual),
        Strategy::Whitespace => {
            let (expected, actual) = apart(expected, actual, |byte| byte == b'\n');
            let lines = |text| lines(text).map(|line| line.bytes);
            lines(expected).eq(lines(actual))
        }
        Strategy::Tokens => pairs_agree(expected, actual, |_, _| false),
        Strategy::Numeric => pairs_agree(expected, actual, all_close),
        Strategy::Typed => return typed(expected, actual),
        Strategy::Rounding => pairs_agree(expected, actual, |left, right| {
            numbers_agree(left, right, |a, b| rounding::same_to(PLACES, a, b))
        }),
        Strategy::WordCase => pairs_agree(expected, actual, |left, right| {
            (word_case::is_answer(left) && left.eq_ignore_ascii_case(right))
                || all_close(left, right)
        }),
        Strategy::Multiset if !is_affordable(expected) => {
            return Finding::Erred("the expected text is too long for a multiset".to_owned());
        }
        Strategy::Multiset => same_multiset(expected, actual),
        Strategy::Set if expected.len() > MOST_OF_SET => {
            return Finding::Erred("the expected text is too long for a set".to_owned());
        }
        Strategy::Set => {
            same_set(expected, actual, |word, key| key.bytes(word))
                || same_set(expected, actual, rounded)
        }
        Strategy::Lcb => lcb::same_text(expected, actual),
    })
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

/// What is left of two texts without their common head, up to the last byte in it that ends an item.
fn apart<'a>(expected: &'a [u8], actual: &'a [u8], ends: fn(u8) -> bool) -> (&'a [u8], &'a [u8]) {
    let same = common(expected, actual);
    let end = expected[..same].iter().rposition(|byte| ends(*byte));
    let start = end.map_or(0, |end| end + 1);
    (&expected[start..], &actual[start..])
}

/// Whether the texts have as many words, and each pair is the same word or agrees.
fn pairs_agree(expected: &[u8], actual: &[u8], agree: impl Fn(&[u8], &[u8]) -> bool) -> bool {
    let (expected, actual) = apart(expected, actual, |byte| byte.is_ascii_whitespace());
    let (mut left, mut right) = (words(expected), words(actual));
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(left), Some(right)) if left == right || agree(left, right) => {}
            _ => return false,
        }
    }
}

fn all_close(left: &[u8], right: &[u8]) -> bool {
    numbers_agree(left, right, |a, b| ALLCLOSE.admits(a, b))
}

/// Whether two words are numbers that agree; long whole numbers, which no double holds, agree only if they are the same.
fn numbers_agree(left: &[u8], right: &[u8], agree: impl FnOnce(f64, f64) -> bool) -> bool {
    match (Number::parse(left), Number::parse(right)) {
        (Some(a), Some(b)) if a.is_long_integer() || b.is_long_integer() => {
            decimal::same(left, right)
        }
        (Some(a), Some(b)) => agree(a.value, b.value),
        _ => false,
    }
}

/// Whether the texts have as many lines and words, and the lines are the same, whatever the order of lines and of words.
fn same_multiset(expected: &[u8], actual: &[u8]) -> bool {
    let (expected, actual) = apart(expected, actual, |byte| byte == b'\n');
    let (rows, all) = (lines(expected).count(), words(expected).count());
    let same_size =
        lines(actual).take(rows + 1).count() == rows && words(actual).take(all + 1).count() == all;
    let key = Key::draw();
    let row = |line: &[u8]| {
        let hashes = words(line).map(|word| key.bytes(word));
        let (count, sum) = hashes.fold((0, 0), |(count, sum): (u64, u64), hash| {
            (count + 1, sum.wrapping_add(hash))
        });
        key.numbers(&[count, sum])
    };
    let sum = |text| {
        let hashes = lines(text).map(|line| row(line.bytes));
        hashes.fold(0, u64::wrapping_add)
    };
    same_size && sum(expected) == sum(actual)
}

/// Whether two texts have the same lines, each as the set of its words, in any order and number.
///
/// Stops at the first line that the expected text has not, or that has more words than any of its lines.
fn same_set(expected: &[u8], actual: &[u8], hash: impl Fn(&[u8], &Key) -> u64) -> bool {
    let key = Key::draw();
    let row = |line: &[u8], most: usize| {
        let mut words: Vec<u64> = Vec::new();
        for word in tokens(line).map(|token| hash(token.bytes, &key)) {
            words.push(word);
            if words.len() > 2 * most + 64 {
                words.sort_unstable();
                words.dedup();
                if words.len() > most {
                    return None;
                }
            }
        }
        words.sort_unstable();
        words.dedup();
        Some(key.numbers(&words))
    };
    let widest = lines(expected).map(|line| tokens(line.bytes).count()).max();
    let most = widest.unwrap_or(0);
    let wanted: HashSet<u64> = lines(expected)
        .filter_map(|line| row(line.bytes, most))
        .collect();
    let mut found = HashSet::new();
    for line in lines(actual) {
        match row(line.bytes, most) {
            Some(row) if wanted.contains(&row) => found.insert(row),
            _ => return false,
        };
    }
    found.len() == wanted.len()
}

/// The hash of a number at three places, or of any other word as it is.
fn rounded(word: &[u8], key: &Key) -> u64 {
    match Number::parse(word) {
        Some(number) if !number.is_long_integer() => {
            key.numbers(&[rounding::to_places(PLACES, number.value).to_bits()])
        }
        _ => key.bytes(word),
    }
}

fn typed(expected: &[u8], actual: &[u8]) -> Finding {
    let Some(wanted) = read(expected, &DataBudget::of_conversion()) else {
        return Finding::Erred("the expected text is not UTF-8, or too long to convert".to_owned());
    };
    match read(actual, &DataBudget::of_converted(&wanted)) {
        Some(found) => Finding::from(loosely(&wanted, &found, None)),
        None => Finding::Erred("the text is not UTF-8, or far longer than expected".to_owned()),
    }
}

/// A text as a value: a literal, or else its lines as lists of words that may be literals.
fn read(text: &[u8], budget: &DataBudget) -> Option<Value> {
    let text = std::str::from_utf8(text).ok()?;
    if text.len() > MOST_CONVERTED {
        return None;
    }
    if let Ok(value) = literal::parse_within(text, budget) {
        return Some(value);
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| read_line(line, budget))
        .collect::<Option<_>>()
        .map(Value::List)
}

fn read_line(line: &str, budget: &DataBudget) -> Option<Value> {
    if let Ok(value) = literal::parse_within(line, budget) {
        return Some(value);
    }
    let mut words = line.split_whitespace().map(|word| {
        budget.spend(1).ok()?;
        let literal = literal::parse_within(word, budget);
        Some(literal.unwrap_or_else(|_| Value::Str(word.to_owned())))
    });
    let first = words.next()??;
    // A list for each line of one word would take many times the room, and be compared as that word alone.
    let Some(second) = words.next() else {
        return Some(first);
    };
    let words = [Some(first), second].into_iter().chain(words);
    words.collect::<Option<_>>().map(Value::List)
}
