//! The same lines or items in any order, each as often.
//!
//! Never by trying pairs: sums of hashes tell equal multisets, see `hash`. Where they differ, equal rows are taken away
//! in pairs, and only what is left over, reals within a tolerance say, is sorted and compared in that order.
//!
//! The actual text is read for its size before anything is kept of it, so that no more is ever held than the expected
//! text calls for.

use std::iter::once;

use ordered_float::OrderedFloat;

use super::effort::{MOST_BYTES_SORTED, MOST_MOVED, MOST_SORTED};
use super::evidence::FreeLine;
use super::hash::{Key, left_over};
use super::head::Head;
use super::number::Number;
use super::order::{Folded, pair_up};
use super::rows::{alike, rows, words};
use super::rules::{Nested, Order, Rules};
use super::strategy::Strategy;
use super::token_match::same_lines;
use super::whitespace::lines;
use super::word_case::Case;
use super::{typed, value};
use crate::Value;
use crate::value::{DataBudget, literal};

/// Whether two texts have the same lines in any order, or are two lists of the same items.
pub(crate) fn same_text(expected: &[u8], actual: &[u8], rules: &Rules) -> bool {
    match rules.order {
        Order::Stated {
            count: Some(count),
            rows,
            ..
        } if are_several_answers(expected, count, rows) => same_of_each(expected, actual, rules),
        Order::Stated {
            count: Some(count), ..
        } if are_wider(expected, count) => false,
        // What is free within one test says nothing of the order of several.
        Order::Stated {
            head,
            many_tests,
            each,
            rows,
            within,
            ..
        } if many_tests || each => {
            (within || !rows) && same_row_by_row(expected, actual, rules)
                || head && !within && same_blocks(expected, actual, rules)
        }
        Order::Stated { .. } | Order::OnLine(_) if has_blocks(expected) => false,
        Order::OnLine(line) => same_but_for_line(expected, actual, line, rules),
        Order::Stated { line: Some(at), .. } if has_lists(expected) => {
            let line = FreeLine {
                at,
                lists_behind: true,
                also: 0,
            };
            same_but_for_line(expected, actual, line, rules)
        }
        // Numbers that stand in several lists move within theirs, and items of several numbers as wholes.
        Order::Stated {
            numbers: true,
            nested,
            ..
        } if has_lists(expected) => match nested {
            Nested::Items => same_rows(expected, actual, rules),
            _ => {
                nested.frees_within(widths_of_lists(expected))
                    && same_row_by_row(expected, actual, rules)
            }
        },
        Order::Stated { within: true, .. } => {
            same_row_by_row(expected, actual, rules) || same_lists(expected, actual, rules)
        }
        _ => same_rows(expected, actual, rules) || same_lists(expected, actual, rules),
    }
}

/// Whether a text holds more items than the statement says there are, and so answers to several tests.
fn are_several_answers(text: &[u8], count: usize, are_rows: bool) -> bool {
    let lines = rows(text).count();
    let are_full = !are_rows && rows(text).all(|line| words(line).count() == count);
    lines > count + 1 || lines > 1 && are_full
}

/// Whether items of several words each stand on one line, so that no word moves by itself: four coordinates, where there are two
/// positions.
fn are_wider(text: &[u8], count: usize) -> bool {
    let is_wider = |line: &[u8]| {
        let width = words(labelled(line).1).count();
        width > count && width.is_multiple_of(count)
    };
    rows(text).count() != count && rows(text).all(is_wider)
}

/// The same of answers to several tests, of which each has a line of its own.
fn same_of_each(expected: &[u8], actual: &[u8], rules: &Rules) -> bool {
    let is_of_rows = matches!(rules.order, Order::Stated { rows: true, .. });
    !is_of_rows && same_row_by_row(expected, actual, rules)
}

/// Whether two texts have the same lines one after the other, each with the same tokens in any order.
fn same_row_by_row(expected: &[u8], actual: &[u8], rules: &Rules) -> bool {
    let count = rows(expected).count();
    let mut order = rules.order;
    let mut is_alone = false;
    if let Order::Stated {
        leads,
        head,
        within,
        alone,
        ..
    } = &mut order
    {
        is_alone = *alone || *within;
        *leads |= count > 1 && rows(expected).all(is_counted);
        // What counts the others does so in each line that has any.
        let mut lists = rows(expected).filter(|line| words(line).nth(1).is_some());
        *head &= !*within && lists.all(is_counted) && !are_below_counts(expected);
    }
    // Where something else is printed too, only what has its length before it is sure to be a list, or all that are lists if
    // each has a word before it.
    let leads = matches!(order, Order::Stated { leads: true, .. });
    is_alone |= are_below_words(expected);
    let same = |(before, (wanted, found)): (&[u8], (&[u8], &[u8]))| {
        let (label, wanted_items) = labelled(wanted);
        let (found_label, found_items) = labelled(found);
        let is_sure = is_alone || leads && is_counted(wanted) || counts(before, wanted);
        same_lines(wanted, found, rules)
            || is_sure
                && label == found_label
                && is_list(wanted_items)
                && same_words(once(wanted_items), once(found_items), rules, order)
    };
    let before = once(&b""[..]).chain(rows(expected));
    let mut pairs = before.zip(rows(expected).zip(rows(actual)));
    rows(actual).take(count + 1).count() == count && pairs.all(same)
}

/// Whether two texts have the same lines, and the same items in any order on the one that is free.
fn same_but_for_line(expected: &[u8], actual: &[u8], line: FreeLine, rules: &Rules) -> bool {
    let count = rows(expected).count();
    let is_single = |row: &[u8]| words(row).nth(1).is_none();
    let free = match line.at {
        usize::MAX => count.saturating_sub(1),
        at => at,
    };
    let line = FreeLine { at: free, ..line };
    let same = |(at, (wanted, found)): (usize, (&[u8], &[u8]))| match line.frees(at) {
        true => same_words(once(wanted), once(found), rules, behind_head(rules.order)),
        false => {
            (at < free || line.lists_behind || is_single(wanted))
                && same_lines(wanted, found, rules)
        }
    };
    free < count
        && rows(actual).take(count + 1).count() == count
        && rows(expected).zip(rows(actual)).enumerate().all(same)
}

/// Whether two texts are blocks of lines, one for each test, each below how many they are, with the same lines in any order.
fn same_blocks(expected: &[u8], actual: &[u8], rules: &Rules) -> bool {
    let count = rows(expected).count();
    if rows(actual).take(count + 1).count() != count {
        return false;
    }
    let (mut wanted, mut found) = (rows(expected), rows(actual));
    let mut most = 0;
    while let Some(head) = wanted.next() {
        let Some(size) = counted(head).filter(|_| found.next() == Some(head)) else {
            return false;
        };
        let block = || (wanted.clone().take(size), found.clone().take(size));
        let (left, right) = block();
        if left.clone().count() < size || !alike(left.clone()) || !same_items(left, right, rules) {
            return false;
        }
        most = most.max(size);
        if size > 0 {
            wanted.nth(size - 1);
            found.nth(size - 1);
        }
    }
    // Lone numbers may be answers rather than counts of what follows.
    most > 1
}

/// The number of lines that follow, if a line is nothing but that.
fn counted(line: &[u8]) -> Option<usize> {
    std::str::from_utf8(line.trim_ascii()).ok()?.parse().ok()
}

/// Whether a line starts with how many tokens follow.
fn is_counted(line: &[u8]) -> bool {
    let count = words(line).count();
    let first = words(line).next();
    first.is_some_and(|first| first == (count - 1).to_string().as_bytes())
}

/// Whether each line of several words stands below one of one.
fn are_below_words(text: &[u8]) -> bool {
    let is_list = |line: &[u8]| words(line).nth(1).is_some();
    let before = once(None).chain(rows(text).map(Some));
    let mut pairs = before.zip(rows(text));
    pairs.all(|(before, line)| !is_list(line) || before.is_some_and(|before| !is_list(before)))
}

/// Whether a number on one line is how many tokens another has.
fn counts(line: &[u8], next: &[u8]) -> bool {
    let count = words(next).count().to_string();
    words(line).any(|word| word == count.as_bytes())
}

/// Whether each line of several words stands below a number of these, and so has none itself.
fn are_below_counts(text: &[u8]) -> bool {
    let is_single = |line: &[u8]| words(line).nth(1).is_none();
    let before = once(&b""[..]).chain(rows(text));
    let mut pairs = before.zip(rows(text));
    pairs.all(|(before, line)| is_single(line) || is_single(before) && counts(before, line))
}

/// A line's label, up to a colon with space behind it, and the rest.
fn labelled(line: &[u8]) -> (&[u8], &[u8]) {
    let colon = line.windows(2).position(|pair| pair == b": ");
    line.split_at(colon.map_or(0, |at| at + 1))
}

/// Whether a line may be a list: of numbers alone, or of words without a label.
fn is_list(line: &[u8]) -> bool {
    let is_number = |word| Number::parse(word).is_some();
    let is_word = |word: &[u8]| word.iter().all(u8::is_ascii_alphabetic);
    words(line).all(is_number) || words(line).all(is_word)
}

/// Whether both texts are literals of the same kind with the same items; in a text these convert into no others.
fn same_lists(expected: &[u8], actual: &[u8], rules: &Rules) -> bool {
    let read = |text, budget: &DataBudget| {
        typed::is_container(text)
            .then(|| literal::parse_within(std::str::from_utf8(text).ok()?, budget).ok())?
    };
    let Some(wanted) = read(expected, &DataBudget::of_conversion()) else {
        return false;
    };
    // As with rows of words, the only one of several that might have been is still one.
    let is_row = matches!(&wanted, Value::Tuple(items) if items.iter().all(|item| value::items(item).is_none()));
    if is_row && matches!(rules.order, Order::Stated { rows: true, .. }) {
        return false;
    }
    read(actual, &DataBudget::of_converted(&wanted)).is_some_and(|found| {
        std::mem::discriminant(&wanted) == std::mem::discriminant(&found)
            && typed::is_printed_literal(actual)
            && value::same_items_in_any_order(&wanted, &found, rules)
    })
}

/// Whether two texts have the same lines in any order or, where they have one line that may move, its tokens.
///
/// A head stays in its place: a count of what follows, a yes or no, a part that the statement puts first.
fn same_rows(expected: &[u8], actual: &[u8], rules: &Rules) -> bool {
    let count = rows(expected).count();
    if count == 0 || rows(actual).take(count + 1).count() != count {
        return false;
    }
    let head = Head::of(expected, count, rules.order);
    let mut heads = rows(expected).zip(rows(actual)).take(head.lines());
    if !heads.all(|(wanted, found)| same_lines(wanted, found, rules)) {
        return false;
    }
    let body = |text| rows(text).skip(head.lines());
    match (count - head.lines(), rules.order) {
        // The only one of several rows that might have been is still a row.
        (1, Order::Stated { rows: true, .. })
            if head != Head::Words
                && !body(expected).all(|line| is_enumeration(line, rules.order)) =>
        {
            false
        }
        (1, order) => {
            let order = if head == Head::None {
                order
            } else {
                behind_head(order)
            };
            same_words(body(expected), body(actual), rules, order)
        }
        // What belongs together stands on several lines, and nothing tells which.
        (size, Order::Stated { compound: true, .. })
            if [size, count].iter().any(|of| of.is_multiple_of(2))
                && body(expected).all(is_one_item) =>
        {
            false
        }
        (_, Order::Stated { groups: true, .. })
            if !is_labelled(body(expected))
                && body(expected).all(|line| are_items(words(line)))
                && same_groups(body(expected), body(actual)) =>
        {
            true
        }
        (
            _,
            Order::Stated {
                ordered_groups: true,
                leads: false,
                ..
            },
        ) if head == Head::None
            && !is_labelled(body(expected))
            && body(expected).all(|line| are_items(words(line))) =>
        {
            same_items(body(expected), body(actual), rules)
        }
        (
            _,
            Order::Stated {
                own_lines, numbers, ..
            },
        ) if head != Head::Count
            && !alike(body(expected))
            && !(own_lines && !numbers && head == Head::None && are_phrases(body(expected))) =>
        {
            false
        }
        // The head may be that of each row.
        (_, Order::Stated { leads: true, .. }) if head == Head::None => false,
        _ => same_items(body(expected), body(actual), rules),
    }
}

/// How many words each line has that holds several.
fn widths_of_lists(text: &[u8]) -> impl Iterator<Item = usize> {
    let widths = rows(text).map(|line| words(line).count());
    widths.filter(|width| *width > 1)
}

/// Whether several lines hold several numbers each.
fn has_lists(text: &[u8]) -> bool {
    let are_numbers = |line: &[u8]| words(line).all(|word| Number::parse(word).is_some());
    let several = rows(text).filter(|line| words(line).nth(1).is_some());
    several.take(2).count() == 2 && rows(text).all(are_numbers)
}

/// Whether blank lines, lines of marks alone or space before some lines part the text: then lines of one block are no items of
/// another.
fn has_blocks(text: &[u8]) -> bool {
    let is_mark = |line: &[u8]| {
        !line
            .iter()
            .any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
    };
    let is_indented = |line: &[u8]| line.first().is_some_and(u8::is_ascii_whitespace);
    let first = rows(text).next().is_some_and(is_indented);
    lines(text).skip(1).any(|line| {
        line.blanks_before > 0 || is_mark(line.bytes) || is_indented(line.bytes) != first
    })
}

/// Whether the only lines of two texts have the same tokens.
fn same_words<'a>(
    mut expected: impl Iterator<Item = &'a [u8]>,
    mut actual: impl Iterator<Item = &'a [u8]>,
    rules: &Rules,
    order: Order,
) -> bool {
    let pair = expected.next().zip(actual.next());
    pair.is_some_and(|(wanted, found)| {
        let has_head = matches!(
            order,
            Order::Stated { leads: true, .. } | Order::Stated { head: true, .. }
        );
        if is_enumeration(wanted, order) && is_enumeration(found, order) && !has_head {
            let count = between_commas(wanted).count();
            return between_commas(found).take(count + 1).count() == count
                && same_items(between_commas(wanted), between_commas(found), rules);
        }
        let count = words(wanted).count();
        let head = usize::from(is_headed(wanted, count, order));
        let is_free = order == Order::Declared || are_items(words(wanted).skip(head));
        is_free
            && words(found).take(count + 1).count() == count
            && words(wanted).take(head).eq(words(found).take(head))
            && same_items(words(wanted).skip(head), words(found).skip(head), rules)
    })
}

/// Whether a line is items with a comma and a space between each two, or a comma alone where these are asked for, and nothing that
/// may hold a comma itself.
fn is_enumeration(line: &[u8], order: Order) -> bool {
    let by_commas = matches!(order, Order::Stated { commas: true, .. });
    let is_spaced = line
        .windows(2)
        .all(|pair| pair[0] != b',' || pair[1] == b' ');
    let may_hold_comma = line.iter().any(|byte| b"()[]{}<>\"'`:;".contains(byte));
    (is_spaced || by_commas) && !may_hold_comma && between_commas(line).count() > 1
}

fn between_commas(line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone + Send {
    line.split(|byte| *byte == b',').map(<[u8]>::trim_ascii)
}

/// Whether each word may be an item: they are all numbers or none is, and none is a part of a list.
fn are_items<'a>(mut words: impl Iterator<Item = &'a [u8]> + Clone) -> bool {
    let in_brackets = |word: &[u8]| word.iter().any(|byte| b"()[]{}".contains(byte));
    let is_number = |word: &[u8]| Number::parse(word).is_some();
    let numbers = words.clone().filter(|word| is_number(word)).count();
    (numbers == 0 || numbers == words.clone().count()) && !words.any(in_brackets)
}

/// Whether a line of `count` words starts with something else than what may move: the statement puts one thing first, or a
/// part of the answer, and there is how many follow.
fn is_headed(line: &[u8], count: usize, order: Order) -> bool {
    let counts_the_rest = |word: &[u8]| word == (count - 1).to_string().as_bytes();
    match order {
        Order::Stated { leads: true, .. } => true,
        Order::Stated { head: true, .. } => words(line).next().is_some_and(counts_the_rest),
        _ => false,
    }
}

/// What holds for a line behind that which the statement puts first.
fn behind_head(mut order: Order) -> Order {
    if let Order::Stated { leads, head, .. } = &mut order {
        *leads = false;
        *head = false;
    }
    order
}

/// Whether a line is one word or number.
fn is_one_item(line: &[u8]) -> bool {
    words(line).nth(1).is_none()
}

/// Whether lines have numbers alone or none, and none is a label, so that each may be an item of several words.
fn are_phrases<'a>(mut lines: impl Iterator<Item = &'a [u8]> + Clone) -> bool {
    let is_number = |word| Number::parse(word).is_some();
    let are_numbers = lines.clone().all(|line| words(line).all(is_number));
    !is_labelled(lines.clone()) && (are_numbers || lines.all(|line| !words(line).any(is_number)))
}

/// Whether a line is the label of those below it.
fn is_labelled<'a>(mut lines: impl Iterator<Item = &'a [u8]>) -> bool {
    lines.any(|line| line.ends_with(b":"))
}

/// Whether each line of one text has a line of the other with the same tokens, in any order.
fn same_groups<'a>(
    mut expected: impl Iterator<Item = &'a [u8]> + Clone,
    mut actual: impl Iterator<Item = &'a [u8]>,
) -> bool {
    let key = Key::draw();
    // Where each says how many it has, that comes first.
    let head = usize::from(expected.clone().all(is_counted));
    let group = |line: &[u8]| {
        let first = words(line).take(head).map(|word| key.bytes(word)).sum();
        let hashes = words(line).skip(head).map(|word| key.bytes(word));
        let (count, sum) = hashes.fold((0u64, 0u64), |(count, sum), hash| {
            (count + 1, sum.wrapping_add(hash))
        });
        key.numbers(&[first, count, sum])
    };
    let sum =
        |lines: &mut dyn Iterator<Item = &'a [u8]>| lines.map(group).fold(0, u64::wrapping_add);
    sum(&mut expected) == sum(&mut actual)
}

/// Whether two lists of token rows, of which both have as many, are the same multiset.
fn same_items<'a>(
    wanted: impl Iterator<Item = &'a [u8]> + Clone + Send,
    found: impl Iterator<Item = &'a [u8]> + Clone + Send,
    rules: &Rules,
) -> bool {
    let key = Key::draw();
    let (left, right) = (wanted.clone(), found.clone());
    // Hashing is most of the work on a large output, and the two sides do not depend on one another.
    let (left, right) = rayon::join(|| sum(left, &key), || sum(right, &key));
    if left == right {
        return true;
    }
    // Nothing can be near enough to make up for the difference, so the rows need not be kept and sorted.
    if wanted.clone().all(|row| is_exact(row, rules)) {
        return false;
    }
    // Rows that are the same in the same place need not be held.
    let moved = wanted.zip(found).filter(|(wanted, found)| wanted != found);
    if moved.clone().nth(MOST_MOVED).is_some() {
        return false;
    }
    let hashed = |row| (key.row(row), row);
    let (wanted, found) = moved
        .map(|(wanted, found)| (hashed(wanted), hashed(found)))
        .unzip();
    let (wanted, found) = left_over(wanted, found);
    let tokens = |rows: &[&[u8]]| rows.iter().map(|row| words(row).count()).sum::<usize>();
    // Counting first is cheap, and spares the sort where it cannot succeed.
    let count = tokens(&wanted);
    wanted.len() == found.len()
        && count == tokens(&found)
        && count <= MOST_SORTED
        && wanted.iter().map(|row| row.len()).sum::<usize>() <= MOST_BYTES_SORTED
        && pair_up(by_content(wanted), by_content(found), |left, right| {
            same_lines(left, right, rules).then_some(Strategy::Multiset)
        })
        .is_some()
}

/// The sum of the hashes of all rows.
fn sum<'a>(rows: impl Iterator<Item = &'a [u8]>, key: &Key) -> u64 {
    rows.map(|row| key.row(row)).fold(0, u64::wrapping_add)
}

/// Whether nothing but the same tokens can match a row: it has no reals, nor words whose case is free.
fn is_exact(row: &[u8], rules: &Rules) -> bool {
    let is_whole = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b' ' | b'\t' | b'\r');
    if row.iter().all(is_whole) {
        return !rules.tolerance_stated();
    }
    rules.case == Case::Strict && words(row).all(|word| Number::parse(word).is_none())
}

/// Where a row stands among others: by its words first, so that rows which differ in a real alone stand
/// side by side; then by its numbers.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct RowPlace<'a>(Vec<Folded<'a>>, Vec<OrderedFloat<f64>>);

impl<'a> RowPlace<'a> {
    fn of(row: &'a [u8]) -> RowPlace<'a> {
        let mut place = RowPlace(Vec::new(), Vec::new());
        for word in words(row) {
            match Number::parse(word) {
                Some(number) => place.1.push(OrderedFloat(number.value)),
                None => place.0.push(Folded(word)),
            }
        }
        place
    }
}

/// The rows by their places, each of which is found once.
fn by_content(rows: Vec<&[u8]>) -> Vec<&[u8]> {
    let mut placed: Vec<(RowPlace<'_>, &[u8])> = rows
        .into_iter()
        .map(|row| (RowPlace::of(row), row))
        .collect();
    placed.sort_unstable_by(|left, right| left.0.cmp(&right.0));
    placed.into_iter().map(|(_, row)| row).collect()
}
