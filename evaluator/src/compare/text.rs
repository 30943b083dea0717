//! Walks two texts side by side and finds the strictest strategy that accepts every line.
//!
//! The strategies nest: what a stricter one takes for the same, a looser one does too. So one pass is enough: each line
//! is given to the admitted strategies in order, and the text needs the loosest one that any of its lines needs.

use super::difference::{self, Difference, TextMismatch};
use super::number::Number;
use super::rules::{Blanks, GapsKept, Layout, Rules, SetIn};
use super::strategy::Strategy;
use super::token_match::{same_token, same_tokens};
use super::tokenize::{Gaps, gaps_matter, have_same_gaps, is_drawn, tokens, tokens_behind};
use super::typed;
use super::whitespace::{Line, are_blanks_at_another_end, has_gaps, indent, is_figure, lines};

/// How far each strategy gets: the loosest needed so far, and the lines that made it so.
#[derive(Debug, Clone)]
pub(crate) struct WalkState {
    /// The strictest strategy that accepts all lines so far.
    pub(crate) needed: Strategy,
    /// Each strategy that a line needed more than all before, with that line of the expected text.
    pub(crate) steps: Vec<(Strategy, usize)>,
}

impl WalkState {
    fn note(&mut self, needed: Strategy, line: usize) {
        if needed > self.needed {
            self.steps.push((needed, line));
            self.needed = needed;
        }
    }
}

/// Leading space of all lines so far.
#[derive(Debug, Default)]
struct Indents<'a> {
    expected: Option<usize>,
    actual: Option<usize>,
    /// Some line is set in by another width than the first.
    uneven: bool,
    /// The first pair of lines set in by different widths.
    differs: Option<(Line<'a>, Line<'a>)>,
}

impl<'a> Indents<'a> {
    fn note(&mut self, expected: Line<'a>, actual: Line<'a>) {
        let (left, right) = (indent(expected.bytes), indent(actual.bytes));
        self.uneven |= *self.expected.get_or_insert(left) != left
            || *self.actual.get_or_insert(right) != right;
        if left != right && self.differs.is_none() {
            self.differs = Some((expected, actual));
        }
    }

    /// A block set in as a whole is the same block; a line that moved against the others is not.
    fn moved(&self, rules: &Rules) -> Option<(Line<'a>, Line<'a>)> {
        let counts = match rules.indents {
            SetIn::Overlooked => false,
            SetIn::WhereExpected => self.expected > Some(0),
            SetIn::WhereNotExpected => self.expected == Some(0),
            SetIn::Count => true,
        };
        self.differs.filter(|_| self.uneven || counts)
    }
}

/// The first lines of both texts before which there are not the same blank lines, where the statement lets that count.
#[derive(Default)]
struct BlankLines<'a> {
    /// As many.
    moved: Option<(Line<'a>, Line<'a>)>,
    /// Any.
    misplaced: Option<(Line<'a>, Line<'a>)>,
    /// A count of zero came last: whether an empty line stands for what it counts says nothing.
    is_nothing_behind: bool,
}

impl<'a> BlankLines<'a> {
    fn note(&mut self, left: Line<'a>, right: Line<'a>, expected: &[u8], rules: &Rules) {
        // Blank lines before the first line that holds something are no part of a figure.
        let is_first = is_first(&left);
        let is_said = match rules.blanks {
            Blanks::Count => true,
            Blanks::ToTheLast => !self.is_nothing_behind,
            Blanks::OfNamed(named) if is_first => {
                left.blanks_before > 0 && lines(expected).take(named).count() < named
            }
            Blanks::Overlooked | Blanks::Between | Blanks::OfNamed(_) => {
                !is_first && !self.is_nothing_behind
            }
        };
        if left.blanks_before != right.blanks_before && is_said {
            self.moved.get_or_insert((left, right));
        }
        if (left.blanks_before > 0) != (right.blanks_before > 0) && is_said {
            self.misplaced.get_or_insert((left, right));
        }
        self.is_nothing_behind = left.bytes.trim_ascii() == b"0";
    }

    /// Those lines, if the texts differ by that.
    fn differ(self, expected: &[u8], actual: &[u8], rules: &Rules) -> Option<(Line<'a>, Line<'a>)> {
        match rules.blanks {
            Blanks::Overlooked if is_figure(expected) => self.moved,
            // Where both have some, they tell the same parts from each other.
            Blanks::Overlooked => self
                .misplaced
                .filter(|_| has_gaps(expected) && has_gaps(actual)),
            Blanks::Between => self
                .moved
                .filter(|_| has_gaps(expected) || is_figure(expected)),
            Blanks::OfNamed(_) => self
                .moved
                .filter(|(left, _)| is_first(left) || has_gaps(expected) || is_figure(expected)),
            Blanks::ToTheLast | Blanks::Count => self.moved,
        }
    }
}

/// Whether nothing but blank lines comes before it.
fn is_first(line: &Line<'_>) -> bool {
    line.number == line.blanks_before + 1
}

/// The progress of the admitted strategies over both texts, to the end or up to the first mismatch.
pub(crate) fn walk<'a>(
    expected: &'a [u8],
    actual: &'a [u8],
    rules: &Rules,
) -> (WalkState, Option<TextMismatch<'a>>) {
    let mut progress = WalkState {
        needed: Strategy::Whitespace,
        steps: Vec::new(),
    };
    let (mut indents, mut blanks) = (Indents::default(), BlankLines::default());
    let (mut wanted, mut found) = (lines(expected), lines(actual));
    for at in 0.. {
        let (left, right) = match (wanted.next(), found.next()) {
            (None, None) => break,
            (Some(left), Some(right)) => (left, right),
            (left, right) => return (progress, Some(TextMismatch::Lines(left, right))),
        };
        blanks.note(left, right, expected, rules);
        indents.note(left, right);
        // Nearly every line of a right answer ends here, before any token is looked for.
        if left.bytes == right.bytes {
            continue;
        }
        let alone = is_first(&left) && wanted.clone().next().is_none();
        match line(left, right, alone, rules.of_line(at)) {
            Ok(needed) => progress.note(needed, left.number),
            Err(mismatch) => return (progress, Some(mismatch)),
        }
    }
    let counts_blanks = matches!(rules.blanks, Blanks::ToTheLast | Blanks::Count);
    if counts_blanks && let Some(mismatch) = of_empty_answers(expected, actual) {
        return (progress, Some(mismatch));
    }
    if are_blanks_at_another_end(expected, actual) {
        let first = lines(expected).next().zip(lines(actual).next());
        return (
            progress,
            first.map(|(left, right)| TextMismatch::Space(left, right)),
        );
    }
    // Only now is it known whether all lines were set in by one width: judged line by line, the first would decide.
    let moved = indents
        .moved(rules)
        .filter(|_| progress.needed > Strategy::Whitespace)
        .or_else(|| blanks.differ(expected, actual, rules));
    (
        progress,
        moved.map(|(left, right)| TextMismatch::Space(left, right)),
    )
}

/// How two texts differ that hold nothing but empty answers; one line end more or fewer is none.
fn of_empty_answers<'a>(expected: &'a [u8], actual: &'a [u8]) -> Option<TextMismatch<'a>> {
    let ends = |text: &[u8]| memchr::memchr_iter(b'\n', text).count();
    let (wanted, found) = (ends(expected), ends(actual));
    let are_empty = lines(expected).next().is_none() && lines(actual).next().is_none();
    let end = |number, bytes| Line {
        number,
        blanks_before: number,
        bytes,
    };
    (are_empty && wanted.abs_diff(found) > 1)
        .then(|| TextMismatch::Space(end(wanted, &expected[..0]), end(found, &actual[..0])))
}

/// The strictest admitted strategy under which two lines are the same.
fn line<'a>(
    expected: Line<'a>,
    actual: Line<'a>,
    alone: bool,
    rules: &Rules,
) -> Result<Strategy, TextMismatch<'a>> {
    let by_tokens = by_tokens(expected, actual, alone, rules);
    // Reading a line as a literal is dearer, and could only name a looser strategy.
    if matches!(by_tokens, Ok(level) if level < Strategy::Typed) {
        return by_tokens;
    }
    let (wanted, found) = (expected.bytes, actual.bytes);
    typed::same(wanted, found, rules)
        .or_else(|| typed::same_in_line(wanted, found, rules))
        .map_or(by_tokens, Ok)
}

fn by_tokens<'a>(
    expected: Line<'a>,
    actual: Line<'a>,
    alone: bool,
    rules: &Rules,
) -> Result<Strategy, TextMismatch<'a>> {
    let mut needed = Strategy::Tokens;
    let mut gaps = Gaps::default();
    let head = &expected.bytes[..difference::common(expected.bytes, actual.bytes)];
    let from = |line| tokens_behind(head, line);
    let (mut wanted, mut found) = (from(expected.bytes), from(actual.bytes));
    loop {
        let (left, right) = (wanted.next(), found.next());
        let (Some(left), Some(right)) = (left, right) else {
            if left.or(right).is_some() {
                return Err(TextMismatch::Tokens(expected, actual, left, right));
            }
            break;
        };
        let rules = rules.of_value(expected.bytes, left.start);
        match same_token(left.bytes, right.bytes, rules) {
            Some(level) => needed = needed.max(level),
            None => {
                return Err(TextMismatch::Tokens(
                    expected,
                    actual,
                    Some(left),
                    Some(right),
                ));
            }
        }
        gaps.note(left, right);
    }
    let set_in = indent(expected.bytes) != indent(actual.bytes) && is_drawn(expected.bytes);
    let has_tab = rules.tabs && expected.bytes.contains(&b'\t');
    let gap = match rules.gaps {
        GapsKept::All => !have_same_gaps(expected.bytes, actual.bytes),
        _ if has_tab => !have_same_gaps(expected.bytes, actual.bytes),
        kept => gaps.differ && gaps_matter(expected.bytes, alone, kept == GapsKept::Words),
    };
    if set_in || gap {
        return Err(TextMismatch::Space(expected, actual));
    }
    Ok(needed)
}

/// The strictest strategy under which both texts have the same tokens in the same order, where the rules let them stand
/// on other lines.
pub(crate) fn relaid(expected: &[u8], actual: &[u8], rules: &Rules) -> Option<Strategy> {
    if rules.layout == Layout::Kept {
        return None;
    }
    let all = |text| lines(text).flat_map(|line| tokens(line.bytes).map(|token| token.bytes));
    // First, as it ends at the first token that differs, while a large output takes long to read to its end.
    let level = same_tokens(all(expected), all(actual), rules)?;
    let fits = match rules.layout {
        Layout::Kept => false,
        Layout::Column => {
            is_row(expected) && is_column(actual) || is_column(expected) && is_row(actual)
        }
        Layout::SoMany => is_plain(expected) && (is_row(expected) || is_column(expected)),
        Layout::Counted => is_plain(expected) && is_counted(expected),
        Layout::Free => true,
    };
    let numbers = || all(expected).all(|token| Number::parse(token).is_some());
    (fits && numbers()).then_some(level)
}

/// Whether all of a text is one line.
fn is_row(text: &[u8]) -> bool {
    lines(text).take(2).count() == 1
}

/// Whether each line holds one token, and there are several.
fn is_column(text: &[u8]) -> bool {
    lines(text).nth(1).is_some() && lines(text).all(|line| tokens(line.bytes).nth(1).is_none())
}

/// Whether no space in a text is more than what parts two tokens or lines.
fn is_plain(text: &[u8]) -> bool {
    lines(text).all(|line| {
        let set_in = line.bytes.first().is_some_and(u8::is_ascii_whitespace);
        let is_wide = |pair: &[u8]| pair == b"  " || pair.contains(&b'\t');
        !set_in && line.blanks_before == 0 && !line.bytes.trim_ascii().windows(2).any(is_wide)
    })
}

/// Whether a text is a number and so many others, which may have a line of their own.
fn is_counted(text: &[u8]) -> bool {
    let words = || lines(text).flat_map(|line| tokens(line.bytes));
    let rest = words().count().saturating_sub(1).to_string();
    let says = words()
        .next()
        .is_some_and(|word| word.bytes == rest.as_bytes());
    let is_apart = lines(text).count() == 2
        && lines(text)
            .next()
            .is_some_and(|line| tokens(line.bytes).count() == 1);
    says && (is_row(text) || is_column(text) || is_apart)
}

/// The first difference that is more than space, or else the first byte.
pub(crate) fn difference(expected: &[u8], actual: &[u8]) -> Difference {
    match walk(expected, actual, &Rules::STRICT).1 {
        Some(mismatch) => mismatch.describe(actual),
        None => difference::of_bytes(expected, actual),
    }
}
