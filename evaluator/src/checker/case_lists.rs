//! Outputs in cases: `Case 1: ...`, `Case 2: ...`.

use super::rejection::{Checked, Rejection, excerpt, wrong};
use super::stream::Stream;

const CASE: &[u8] = b"Case";

/// Longer lists of integers are shown by their ends.
const MOST_SHOWN: usize = 5;

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
    let ours = one_each(expected)?;
    let theirs = one_each(actual)?;
    for (case, (ours, theirs)) in (1..).zip(ours.iter().zip(&theirs)) {
        if ours != theirs {
            return Err(wrong(format!(
                "Expected {ours} found {theirs} [test case {case}]"
            )));
        }
    }
    match (ours.len(), theirs.len()) {
        (ours, theirs) if ours == theirs => Ok(()),
        (ours, theirs) => {
            Err(actual.refuse(&format!("Expected {ours} test case(s) but found {theirs}")))
        }
    }
}

fn case_by_case<'a, T: PartialEq>(
    expected: &mut Stream<'a>,
    actual: &mut Stream<'a>,
    item: impl Fn(&Stream<'a>, &'a [u8]) -> Result<T, Rejection>,
    shown: impl Fn(&[T]) -> String,
) -> Checked {
    let (mut ours, mut theirs) = (CaseReader::new(expected), CaseReader::new(actual));
    let sized = |items: &[T]| format!("\"{}\" [size={}]", shown(items), items.len());
    let mut case = 0;
    while !ours.stream.at_end() {
        case += 1;
        let wanted = ours.next(case, &item)?;
        let found = theirs.next(case, &item)?;
        if wanted != found {
            let (wanted, found) = (sized(&wanted), sized(&found));
            return Err(wrong(format!(
                "Sequences differ: jury has {wanted}, but participant has {found} [test case {case}]"
            )));
        }
    }
    Ok(())
}

/// Reads lists of items, case by case.
struct CaseReader<'s, 'a> {
    stream: &'s mut Stream<'a>,
    /// The word that opens a case was read as the end of the one before. From then on it is never asked for again.
    has_opened: bool,
}

impl<'s, 'a> CaseReader<'s, 'a> {
    fn new(stream: &'s mut Stream<'a>) -> CaseReader<'s, 'a> {
        CaseReader {
            stream,
            has_opened: false,
        }
    }

    fn next<T>(
        &mut self,
        case: usize,
        item: impl Fn(&Stream<'a>, &'a [u8]) -> Result<T, Rejection>,
    ) -> Result<Vec<T>, Rejection> {
        if !self.has_opened {
            expect(self.stream, CASE, case)?;
        }
        expect(self.stream, format!("{case}:").as_bytes(), case)?;
        let mut items = Vec::new();
        while !self.stream.at_end() {
            let token = self.stream.token()?;
            if token == CASE {
                self.has_opened = true;
                break;
            }
            items.push(item(self.stream, token)?);
        }
        Ok(items)
    }
}

fn one_each(stream: &mut Stream<'_>) -> Result<Vec<i64>, Rejection> {
    let mut numbers = Vec::new();
    while !stream.at_end() {
        let case = numbers.len() + 1;
        expect(stream, CASE, case)?;
        expect(stream, format!("{case}:").as_bytes(), case)?;
        numbers.push(stream.int64()?);
    }
    Ok(numbers)
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
