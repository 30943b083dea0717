//! Outputs in cases: `Case 1: ...`, `Case 2: ...`.

use std::collections::VecDeque;

use super::rejection::{Checked, Rejection, excerpt, wrong};
use super::stream::Stream;

const CASE: &[u8] = b"Case";

/// Longer lists of integers are shown by their ends.
const MOST_SHOWN: usize = 5;

/// So many items of either end make more than any message shows.
const MOST_KEPT: usize = 64;

/// The same tokens in every case.
pub(super) fn tokens<'a>(expected: &mut Stream<'a>, actual: &mut Stream<'a>) -> Checked {
    let shown = |words: &[&[u8]]| excerpt(&words.join(&b' '));
    case_by_case(expected, actual, |_, token| Ok(token), shown)
}

/// The same integers in every case.
pub(super) fn integers<'a>(expected: &mut Stream<'a>, actual: &mut Stream<'a>) -> Checked {
    // Here, unlike elsewhere, what stands behind a zero byte is lost on testlib.
    let integer = |stream: &Stream<'_>, token: &[u8]| {
        let end = token.iter().position(|byte| *byte == 0);
        stream.integer(&token[..end.unwrap_or(token.len())])
    };
    case_by_case(expected, actual, integer, shown)
}

/// One integer in every case, and as many cases.
pub(super) fn one_integer_each(expected: &mut Stream<'_>, actual: &mut Stream<'_>) -> Checked {
    let mut ours = Vec::new();
    let wanted = one_each(expected, |number| ours.push(number))?;
    let mut differing = None;
    let mut left = (1..).zip(ours);
    let found = one_each(actual, |theirs| {
        if let Some((case, ours)) = left.next()
            && ours != theirs
        {
            differing.get_or_insert((case, ours, theirs));
        }
    })?;
    if let Some((case, ours, theirs)) = differing {
        let why = format!("Expected {ours} found {theirs} [test case {case}]");
        return Err(wrong(why));
    }
    match wanted == found {
        true => Ok(()),
        false => Err(actual.refuse(&format!("Expected {wanted} test case(s) but found {found}"))),
    }
}

fn case_by_case<'a, T: PartialEq>(
    expected: &mut Stream<'a>,
    actual: &mut Stream<'a>,
    item: impl Fn(&Stream<'a>, &'a [u8]) -> Result<T, Rejection>,
    shown: impl Fn(&[T]) -> String,
) -> Checked {
    let (mut ours, mut theirs) = (CaseReader::new(expected), CaseReader::new(actual));
    let mut case = 0;
    while !ours.stream.at_end() {
        case += 1;
        ours.open(case)?;
        let mut again = ours.clone();
        let wanted = ours.ends(&item, |_| Ok(()))?;
        theirs.open(case)?;
        let mut is_same = true;
        let found = theirs.ends(&item, |theirs| {
            // What is expected was read well once; it need not be kept.
            is_same = is_same && again.next(&item)?.is_some_and(|ours| ours == *theirs);
            Ok(())
        })?;
        if !is_same || wanted.size != found.size {
            let (wanted, found) = (wanted.sized(&shown), found.sized(&shown));
            return Err(wrong(format!(
                "Sequences differ: jury has {wanted}, but participant has {found} [test case {case}]"
            )));
        }
    }
    *actual = theirs.stream;
    Ok(())
}

/// Reads lists of items, case by case.
#[derive(Clone)]
struct CaseReader<'a> {
    stream: Stream<'a>,
    /// The word that opens a case was read as the end of the one before. From then on it is never asked for again.
    has_opened: bool,
}

impl<'a> CaseReader<'a> {
    fn new(stream: &Stream<'a>) -> CaseReader<'a> {
        CaseReader {
            stream: stream.clone(),
            has_opened: false,
        }
    }

    fn open(&mut self, case: usize) -> Checked {
        if !self.has_opened {
            expect(&mut self.stream, CASE, case)?;
        }
        expect(&mut self.stream, format!("{case}:").as_bytes(), case)
    }

    /// The next item of the case.
    fn next<T>(
        &mut self,
        item: impl Fn(&Stream<'a>, &'a [u8]) -> Result<T, Rejection>,
    ) -> Result<Option<T>, Rejection> {
        if self.stream.at_end() {
            return Ok(None);
        }
        let token = self.stream.token()?;
        if token == CASE {
            self.has_opened = true;
            return Ok(None);
        }
        item(&self.stream, token).map(Some)
    }

    /// Read all of the case's items, and tell `each`; only the ends of the list are kept.
    fn ends<T>(
        &mut self,
        item: impl Fn(&Stream<'a>, &'a [u8]) -> Result<T, Rejection>,
        mut each: impl FnMut(&T) -> Checked,
    ) -> Result<Ends<T>, Rejection> {
        let mut ends = Ends {
            size: 0,
            first: Vec::new(),
            last: VecDeque::new(),
        };
        while let Some(item) = self.next(&item)? {
            each(&item)?;
            ends.push(item);
        }
        Ok(ends)
    }
}

/// A list, of which no more is held than a message shows.
struct Ends<T> {
    size: usize,
    first: Vec<T>,
    last: VecDeque<T>,
}

impl<T> Ends<T> {
    fn push(&mut self, item: T) {
        self.size += 1;
        if self.first.len() < MOST_KEPT {
            self.first.push(item);
            return;
        }
        if self.last.len() == MOST_KEPT {
            self.last.pop_front();
        }
        self.last.push_back(item);
    }

    fn sized(mut self, shown: impl Fn(&[T]) -> String) -> String {
        self.first.extend(self.last);
        format!("\"{}\" [size={}]", shown(&self.first), self.size)
    }
}

/// Read one integer for each case, and tell `each`; how many there are.
fn one_each(stream: &mut Stream<'_>, mut each: impl FnMut(i64)) -> Result<usize, Rejection> {
    let mut cases = 0;
    while !stream.at_end() {
        cases += 1;
        expect(stream, CASE, cases)?;
        expect(stream, format!("{cases}:").as_bytes(), cases)?;
        each(stream.int64()?);
    }
    Ok(cases)
}

/// Fails unless the next token is `wanted`.
fn expect(stream: &mut Stream<'_>, wanted: &[u8], case: usize) -> Checked {
    let found = stream.token()?;
    if found == wanted {
        return Ok(());
    }
    let (wanted, found) = (excerpt(wanted), excerpt(found));
    Err(stream.refuse(&format!(
        "Expected '{wanted}' but found '{found}' [test case {case}]"
    )))
}

fn shown(numbers: &[i64]) -> String {
    let text = |numbers: &[i64]| {
        let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
        texts.join(" ")
    };
    match numbers {
        [a, b, c, .., y, z] if numbers.len() > MOST_SHOWN => {
            format!("{} ... {}", text(&[*a, *b, *c]), text(&[*y, *z]))
        }
        few => text(few),
    }
}
