//! The space that a statement sets, in texts whose tokens stand in another order or on other lines.

use super::hash::Key;
use super::rules::{GapsKept, Rules, SetIn};
use super::tokenize::{is_numeric, tokens};
use super::whitespace::{indent, lines};

/// Whether each line of one text has a line of the other that is spaced alike, as far as the statement sets space: one of
/// the same words, where that is more than what parts them.
pub(crate) fn same_spacing(expected: &[u8], actual: &[u8], rules: &Rules) -> bool {
    if rules.gaps == GapsKept::None && rules.indents == SetIn::Overlooked && !rules.tabs {
        return true;
    }
    let key = Key::draw();
    let spacing = |text| {
        let hashes = lines(text).map(|line| {
            let mut spaces = spaces(line.bytes, rules);
            if !is_plain(&spaces) {
                spaces.push(words(line.bytes, &key));
            }
            // Hashed as one: apart, the space of one line could stand at the words of another.
            key.numbers(&spaces)
        });
        hashes.fold(0, u64::wrapping_add)
    };
    spacing(expected) == spacing(actual)
}

/// A hash of the tokens of a line in whichever order and letter case, but for reals, which may be written in another way.
fn words(line: &[u8], key: &Key) -> u64 {
    let is_real =
        |token: &[u8]| is_numeric(token) && token.iter().any(|byte| b".eE".contains(byte));
    let words = tokens(line).filter(|token| !is_real(token.bytes));
    let hashes = words.map(|token| key.bytes(&token.bytes.to_ascii_lowercase()));
    hashes.fold(0, u64::wrapping_add)
}

/// Whether no line of a text has more space than what parts its tokens, where the statement sets any.
pub(crate) fn is_plainly_spaced(text: &[u8], rules: &Rules) -> bool {
    lines(text).all(|line| is_plain(&spaces(line.bytes, rules)))
}

/// Whether space is no more than what parts tokens.
fn is_plain(spaces: &[u64]) -> bool {
    spaces[0] == 0 && spaces[1..].iter().all(|width| *width <= 1)
}

/// The widths of the space of a line that counts: what it begins with, and each gap, of which tabs are told from spaces.
fn spaces(line: &[u8], rules: &Rules) -> Vec<u64> {
    let head = match rules.indents {
        SetIn::Overlooked => 0,
        SetIn::WhereExpected | SetIn::WhereNotExpected | SetIn::Count => indent(line) as u64,
    };
    let counts = match rules.gaps {
        GapsKept::None => false,
        GapsKept::Words => !is_numeric(line),
        GapsKept::All => true,
    } || rules.tabs && line.contains(&b'\t');
    let mut spaces = vec![head];
    if counts {
        let ends = tokens(line).map(|token| token.start + token.bytes.len());
        let starts = tokens(line).skip(1).map(|token| token.start);
        spaces.extend(
            ends.zip(starts)
                .map(|(end, start)| width(&line[end..start])),
        );
    }
    spaces
}

/// How wide a gap is; a tab is wider than any space.
fn width(gap: &[u8]) -> u64 {
    const TAB: u64 = 1 << 32;
    let widths = gap.iter().map(|byte| if *byte == b'\t' { TAB } else { 1 });
    widths.sum()
}
