//! The same lines or items in any order: each as often (multiset), or in any number (set).
//!
//! Never by trying pairs. Equal multisets have equal sums of hashes, under a key that is drawn for each comparison: two
//! that differ pass for equal with odds of one in 2^64, whoever made them. Where the sums differ, equal rows are taken
//! away in pairs, and only what is left over, reals within a tolerance say, is sorted and compared in that order.

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hasher, RandomState};

use crate::Value;
use rayon::prelude::*;

use super::Strategy;
use super::admission::{Order, Rules};
use super::number::Number;
use super::token::same_tokens;
use super::tokens::tokens;
use super::whitespace::lines;
use super::word_case::is_answer;
use super::{typed, value};
use crate::value::literal;

/// Whether two texts have the same lines in any order, or are two lists of the same items.
pub(crate) fn same_text(expected: &[u8], actual: &[u8], rules: &Rules) -> bool {
    // What is free within one test says nothing of the order of several.
    let several_answers = matches!(
        rules.order,
        Order::Stated {
            many_tests: true,
            ..
        }
    );
    !several_answers && (same_lines(expected, actual, rules) || same_lists(expected, actual, rules))
}

/// Whether both texts are literals of the same kind with the same items; in a text these convert into no others.
fn same_lists(expected: &[u8], actual: &[u8], rules: &Rules) -> bool {
    let read = |text| {
        typed::is_container(text).then(|| literal::parse(std::str::from_utf8(text).ok()?).ok())?
    };
    match (read(expected), read(actual)) {
        (Some(Value::List(left)), Some(Value::List(right)))
        | (Some(Value::Tuple(left)), Some(Value::Tuple(right)))
        | (Some(Value::Set(left)), Some(Value::Set(right)))
        | (Some(Value::Array(left)), Some(Value::Array(right))) => {
            value::matched(&left, &right, rules) == Some(Strategy::Exact)
        }
        _ => false,
    }
}

/// Whether two texts have the same lines in any order or, where they have one line that may move, its tokens.
///
/// A head stays in its place: a count of what follows, a yes or no, a part that the statement puts first.
fn same_lines(expected: &[u8], actual: &[u8], rules: &Rules) -> bool {
    let gather = |text| lines(text).map(|line| line.bytes).collect::<Vec<&[u8]>>();
    let (wanted, found) = (gather(expected), gather(actual));
    if wanted.len() != found.len() || wanted.is_empty() {
        return false;
    }
    let head = usize::from(has_head(&wanted, rules.order));
    if !(0..head).all(|index| same_tokens(wanted[index], found[index], rules)) {
        return false;
    }
    let (wanted, found) = (&wanted[head..], &found[head..]);
    match (wanted, found) {
        // The only one of several rows that might have been is still a row.
        ([_], [_]) if matches!(rules.order, Order::Stated { rows: true, .. }) => false,
        ([wanted], [found]) => same_items(&parts(wanted), &parts(found), rules),
        _ => (rules.order == Order::Declared || alike(wanted)) && same_items(wanted, found, rules),
    }
}

fn parts(line: &[u8]) -> Vec<&[u8]> {
    tokens(line).map(|token| token.bytes).collect()
}

/// Whether the first line is no item but speaks of the others.
fn has_head(lines: &[&[u8]], order: Order) -> bool {
    let (Some(first), true) = (lines.first(), lines.len() > 1) else {
        return false;
    };
    let first = parts(first);
    let rest = &lines[1..];
    let count = |wanted: usize| first.len() == 1 && first[0] == wanted.to_string().as_bytes();
    let counted = count(rest.len()) || (rest.len() == 1 && count(tokens(rest[0]).count()));
    let answered = first.len() == 1 && is_answer(first[0]);
    let apart = order != Order::Declared
        && rest.len() > 1
        && alike(rest)
        && tokens(rest[0]).count() != first.len();
    counted || answered || apart || matches!(order, Order::Stated { head: true, .. })
}

/// Whether all lines have as many tokens: lines that differ in kind are parts of an answer, not items of a list.
fn alike(lines: &[&[u8]]) -> bool {
    let mut widths = lines.iter().map(|line| tokens(line).count());
    let first = widths.next();
    widths.all(|width| Some(width) == first)
}

/// Whether two lists of token rows are the same multiset.
fn same_items(wanted: &[&[u8]], found: &[&[u8]], rules: &Rules) -> bool {
    if wanted.len() != found.len() {
        return false;
    }
    let hasher = RandomState::new();
    if sum(wanted, &hasher) == sum(found, &hasher) {
        return true;
    }
    if wanted.par_iter().all(|row| is_exact(row)) {
        return false;
    }
    let (mut wanted, mut found) = left_over(wanted, found, &hasher);
    wanted.sort_unstable_by(|left, right| order(left, right));
    found.sort_unstable_by(|left, right| order(left, right));
    wanted.len() == found.len()
        && wanted
            .iter()
            .zip(&found)
            .all(|(left, right)| same_tokens(left, right, rules))
}

/// The sum of the hashes of all rows.
fn sum(rows: &[&[u8]], hasher: &RandomState) -> u64 {
    rows.par_iter()
        .map(|row| hash(row, hasher))
        .reduce(|| 0, u64::wrapping_add)
}

/// Whether a row has whole numbers alone, which nothing but the same digits can match.
fn is_exact(row: &[u8]) -> bool {
    row.iter()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b' ' | b'\t' | b'\r'))
}

/// What is left of both lists when equal rows are taken away in pairs.
fn left_over<'a>(
    wanted: &[&'a [u8]],
    found: &[&'a [u8]],
    hasher: &RandomState,
) -> (Vec<&'a [u8]>, Vec<&'a [u8]>) {
    let (wanted, found) = rayon::join(|| hashed(wanted, hasher), || hashed(found, hasher));
    let (mut only_wanted, mut only_found) = (Vec::new(), Vec::new());
    let (mut left, mut right) = (wanted.iter().peekable(), found.iter().peekable());
    loop {
        let side = match (left.peek(), right.peek()) {
            (None, None) => return (only_wanted, only_found),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(left), Some(right)) => left.0.cmp(&right.0),
        };
        match side {
            Ordering::Less => only_wanted.extend(left.next().map(|row| row.1)),
            Ordering::Greater => only_found.extend(right.next().map(|row| row.1)),
            Ordering::Equal => {
                let pair = left.next().zip(right.next());
                if let Some((left, right)) =
                    pair.filter(|(left, right)| !tokens_equal(left.1, right.1))
                {
                    only_wanted.push(left.1);
                    only_found.push(right.1);
                }
            }
        }
    }
}

fn hashed<'a>(rows: &[&'a [u8]], hasher: &RandomState) -> Vec<(u64, &'a [u8])> {
    let mut hashed: Vec<(u64, &[u8])> = rows.iter().map(|row| (hash(row, hasher), *row)).collect();
    hashed.sort_unstable_by_key(|row| row.0);
    hashed
}

/// The hash of a row's tokens in their order.
fn hash(row: &[u8], hasher: &RandomState) -> u64 {
    let mut state = hasher.build_hasher();
    for token in tokens(row) {
        state.write(token.bytes);
        state.write_u8(b' ');
    }
    state.finish()
}

fn tokens_equal(left: &[u8], right: &[u8]) -> bool {
    left == right
        || tokens(left)
            .map(|token| token.bytes)
            .eq(tokens(right).map(|token| token.bytes))
}

/// Words and whole numbers first, so that rows which differ in a real alone stand side by side; then reals by value.
fn order(left: &[u8], right: &[u8]) -> Ordering {
    let texts = |row| {
        parts(row)
            .into_iter()
            .filter(|token| Number::parse(token).is_none())
            .map(<[u8]>::to_ascii_lowercase)
    };
    let values = |row| {
        parts(row)
            .into_iter()
            .filter_map(|token| {
                Number::parse(token).map(|number| ordered_float::OrderedFloat(number.value))
            })
            .collect::<Vec<_>>()
    };
    texts(left)
        .cmp(texts(right))
        .then_with(|| values(left).cmp(&values(right)))
}

/// Whether two texts have the same lines, each as the set of its tokens, in any order and number: no sound rule.
pub(crate) fn same_set(
    expected: &[u8],
    actual: &[u8],
    canonical: impl Fn(&[u8]) -> Vec<u8>,
) -> bool {
    let gather = |text| {
        let mut rows: Vec<Vec<Vec<u8>>> = lines(text)
            .map(|line| {
                let mut row: Vec<Vec<u8>> = tokens(line.bytes)
                    .map(|token| canonical(token.bytes))
                    .collect();
                row.sort_unstable();
                row.dedup();
                row
            })
            .collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    };
    gather(expected) == gather(actual)
}
