//! Our own engine: strategies are admitted on evidence, and the strictest that accepts is named.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::admission::{self, Admission, Admitted};
use super::comparison::{Comparison, Finding};
use super::difference::Difference;
use super::effort::is_affordable;
use super::evidence::Evidence;
use super::number::Number;
use super::numeric::ends_with_a_zero;
use super::places::Places;
use super::rounding::{may_print_short, prints_short};
use super::rules::{Layout, OfSome, Order, Rounding, Rules, Tolerated, Writing};
use super::spacing::{is_plainly_spaced, same_spacing};
use super::strategy::Strategy;
use super::tokenize::tokens;
use super::whitespace::lines;
use super::word_case::Case;
use super::{exact, text, typed, unordered, value};
use crate::Value;
use crate::problem::Declared;

/// How much of a text is looked at for what its numbers are.
const HEAD: usize = 64 << 10;

/// Whether no column of a table holds whole numbers and reals, by the lines of equally many words.
fn are_columns_of_one_kind(head: &[u8]) -> bool {
    let mut columns = HashMap::new();
    head.split(|byte| *byte == b'\n').all(|line| {
        let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).collect();
        words.iter().enumerate().all(|(column, word)| {
            let Some(number) = Number::parse(word) else {
                return true;
            };
            *columns.entry((words.len(), column)).or_insert(number.real) == number.real
        })
    })
}

/// Whether some lines are reals, and others several whole numbers each, such as the vertices of a path behind its length.
fn has_lines_of_wholes(head: &[u8]) -> bool {
    let lines = || head.split(|byte| *byte == b'\n');
    let kinds = |line: &[u8]| -> Vec<bool> {
        let words = line.split(u8::is_ascii_whitespace);
        words
            .filter_map(Number::parse)
            .map(|number| number.real)
            .collect()
    };
    let are_wholes = |kinds: &[bool]| kinds.len() > 1 && !kinds.contains(&true);
    are_columns_of_one_kind(head)
        && lines().any(|line| are_wholes(&kinds(line)))
        && lines().any(|line| kinds(line).contains(&true))
}

/// Whether the first line is how many others follow, each of which is a real: a count, as one beside them is.
fn is_below_its_number(head: &[u8]) -> bool {
    let mut lines = head
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let is_real = |line: &[u8]| Number::parse(line).is_some_and(|number| number.real);
    first == lines.clone().count().to_string().as_bytes() && lines.all(is_real)
}

/// The strategies that the evidence of one problem admits.
///
/// The statement is read when it is first asked for: where each answer is the expected one to the byte, never.
#[derive(Debug, Clone)]
pub struct Standard {
    declared: Declared,
    statement: Option<Arc<str>>,
    admitted: OnceLock<Box<Admitted>>,
}

/// What came of two texts, and which line of the expected one needed which strategy.
struct Walked {
    steps: Vec<(Strategy, usize)>,
    comparison: Comparison,
}

impl Standard {
    /// What is admitted on `evidence`.
    pub(super) fn new(evidence: Evidence<'_>) -> Standard {
        Standard {
            declared: evidence.declared,
            statement: evidence.statement.map(Arc::from),
            admitted: OnceLock::new(),
        }
    }

    /// Read the statement now, if it has not been.
    pub(super) fn admitted(&self) -> &Admitted {
        self.admitted.get_or_init(|| {
            Box::new(admission::standard(Evidence {
                declared: self.declared,
                statement: self.statement.as_deref(),
            }))
        })
    }

    pub(super) fn admissions(&self) -> &[Admission] {
        &self.admitted().table
    }

    pub(super) fn compare_text(&self, expected: &[u8], actual: &[u8]) -> Comparison {
        match exact::same(expected, actual) {
            true => Comparison::Accepted(Strategy::Exact),
            false => self.admitted().walk(expected, actual).comparison,
        }
    }

    pub(super) fn compare_value(&self, expected: &Value, actual: &Value) -> Comparison {
        if value::same_exactly(expected, actual) {
            return Comparison::Accepted(Strategy::Exact);
        }
        match self.admitted().same_value(expected, actual) {
            Ok(strategy) => Comparison::Accepted(strategy),
            Err(difference) => Comparison::Rejected(difference),
        }
    }

    pub(super) fn explain_text(&self, expected: &[u8], actual: &[u8]) -> Vec<(Admission, Finding)> {
        let walked = self.admitted().walk(expected, actual);
        let explain = |admission: &Admission| (admission.clone(), walked.finding(admission));
        self.admissions().iter().map(explain).collect()
    }
}

impl Admitted {
    fn walk(&self, expected: &[u8], actual: &[u8]) -> Walked {
        if exact::same(expected, actual) {
            let comparison = Comparison::Accepted(Strategy::Exact);
            let steps = Vec::new();
            return Walked { steps, comparison };
        }
        let rules = self.rules_for(expected);
        let (mut progress, mismatch) = text::walk(expected, actual, &rules);
        let Some(mismatch) = mismatch else {
            let comparison = Comparison::Accepted(progress.needed);
            let steps = progress.steps;
            return Walked { steps, comparison };
        };
        progress
            .steps
            .extend(mismatch.line().map(|line| (Strategy::Multiset, line)));
        let comparison = match loosely(expected, actual, &rules) {
            Some(strategy) => Comparison::Accepted(strategy),
            None => Comparison::Rejected(mismatch.describe(actual)),
        };
        let steps = progress.steps;
        Walked { steps, comparison }
    }

    /// The rules that hold where this text is expected.
    fn rules_for(&self, expected: &[u8]) -> Cow<'_, Rules> {
        let head = &expected[..expected.len().min(HEAD)];
        let Some(others) = &self.others else {
            return self.adapted(&self.rules, head);
        };
        let places = self
            .share
            .as_ref()
            .and_then(|share| Places::find(share, head));
        let Some(places) = places else {
            return match self.is_of_another(head) {
                true => self.adapted(others, head),
                false => self.adapted(&self.rules, head),
            };
        };
        let rules = Rules {
            // What is to be written in one way are the others.
            writing: Writing::Free,
            ..self.adapted(&self.rules, head).into_owned()
        };
        let mut all = self.adapted(others, head).into_owned();
        all.some = Some(Arc::new(OfSome { places, rules }));
        Cow::Owned(all)
    }

    /// Rules as what a text holds changes them.
    fn adapted<'a>(&self, given: &'a Rules, head: &[u8]) -> Cow<'a, Rules> {
        let mut rules = Cow::Borrowed(given);
        if given.is_case_free() && tells_spellings_apart(head) {
            rules.to_mut().case = Case::Strict;
        }
        if given.tolerance_stated() {
            let tolerated = self.tolerated_in(head);
            if tolerated != given.tolerated {
                rules.to_mut().tolerated = tolerated;
            }
        } else if has_many_parts(head) || is_text(given, head) {
            rules.to_mut().writing = Writing::Same;
            rules.to_mut().rounding = Rounding::None;
        } else if is_padded(given, head) {
            rules.to_mut().writing = Writing::Zeros;
        }
        rules
    }

    /// Which numbers of a text are reals: whole ones beside reals with a fixed number of places are none.
    fn tolerated_in(&self, head: &[u8]) -> Tolerated {
        let words = head.split(u8::is_ascii_whitespace);
        let reals = || {
            words
                .clone()
                .filter_map(|word| Number::parse(word).filter(|number| number.real))
        };
        let has_fixed_places = || {
            let places = reals().next().map_or(0, |first| first.decimals);
            let is_padded = words.clone().any(|word| {
                Number::parse(word).is_some_and(|number| number.decimals > 1)
                    && word.ends_with(b"0")
            });
            let are_as_many = places > 2 && reals().nth(1).is_some();
            (is_padded || are_as_many) && reals().all(|real| real.decimals == places)
        };
        match self.rules.tolerated {
            Tolerated::All if has_fixed_places() || has_lines_of_wholes(head) => {
                Tolerated::RealsWithWholes
            }
            Tolerated::Reals if reals().next().is_none() => Tolerated::RealsWithWholes,
            Tolerated::Reals if !are_columns_of_one_kind(head) && !is_below_its_number(head) => {
                Tolerated::RealsWithWholes
            }
            same => same,
        }
    }

    /// Whether the tolerance need not be that of every real in a text.
    fn is_of_another(&self, head: &[u8]) -> bool {
        let reals = |text: &[u8]| {
            let words = text.split(u8::is_ascii_whitespace);
            let numbers = words.filter_map(Number::parse);
            numbers.filter(|number| number.real).take(2).count()
        };
        let mut lines = head.split(|byte| *byte == b'\n');
        match self.rules.tolerated {
            Tolerated::All | Tolerated::Reals | Tolerated::RealsWithWholes => false,
            // A line that is no more than a number need not hold what the others do.
            Tolerated::OneOfALine => {
                let is_column = || reals(head) > 1 && are_single_words(head);
                lines.any(|line| reals(line) > 1) || is_column()
            }
            Tolerated::One => reals(head) > 1,
        }
    }

    /// The strictest strategy under which two values are the same.
    fn same_value(&self, expected: &Value, actual: &Value) -> Result<Strategy, Difference> {
        let all = || Rules {
            tolerated: Tolerated::All,
            ..self.rules.clone()
        };
        let Some(others) = &self.others else {
            // What stands alone is what has the tolerance.
            let is_beside_none = self.rules.tolerance_stated() && value::is_single(expected);
            return match is_beside_none {
                true => value::compare(expected, actual, &all()),
                false => value::compare(expected, actual, &self.rules),
            };
        };
        if let Some(share) = &self.share
            && value::has_things(expected, share.of)
        {
            let rules = all();
            let near =
                |wanted: &Value, found: &Value| value::compare(wanted, found, &rules).is_ok();
            let patched = value::with_things(expected, actual, share, &near);
            let level = value::compare(expected, &patched, others)?;
            return Ok(match patched == *actual {
                true => level,
                false => level.max(Strategy::Numeric),
            });
        }
        let is_of_one = matches!(self.rules.tolerated, Tolerated::One | Tolerated::OneOfALine);
        match is_of_one && value::reals_in(expected) > 1 {
            true => value::compare(expected, actual, others),
            false => value::compare(expected, actual, &self.rules),
        }
    }
}

/// Whether the reals of a text are parts of it, as they stand beside words where the task is on text.
fn is_text(rules: &Rules, head: &[u8]) -> bool {
    rules.writing == Writing::BesideWords && has_reals_beside_words(head)
}

/// Whether a number may be a name by its last zero.
fn is_padded(rules: &Rules, head: &[u8]) -> bool {
    rules.several && rules.writing == Writing::Free && has_padded(head)
}

/// Whether no line of a text holds more than a word.
fn are_single_words(head: &[u8]) -> bool {
    lines(head).all(|line| tokens(line.bytes).nth(1).is_none())
}

impl Walked {
    /// What a strategy said of it.
    fn finding(&self, admission: &Admission) -> Finding {
        let strategy = admission.strategy;
        let fell_short = || self.steps.iter().find(|(needed, _)| *needed > strategy);
        match self.comparison {
            _ if !admission.admitted => Finding::NotAsked,
            Comparison::Accepted(accepted) if accepted == strategy => Finding::Same,
            Comparison::Accepted(accepted) if accepted < strategy => Finding::NotAsked,
            _ => fell_short().map_or(Finding::Differs, |(_, line)| Finding::DiffersAt(*line)),
        }
    }
}

/// The strategy that accepts the texts as wholes, where they differ line by line.
fn loosely(expected: &[u8], actual: &[u8], rules: &Rules) -> Option<Strategy> {
    let relaid = || match rules.layout {
        Layout::Kept => None,
        _ if !is_affordable(expected) => None,
        Layout::Column | Layout::SoMany | Layout::Counted | Layout::Free => {
            text::relaid(expected, actual, rules).filter(|_| is_plainly_spaced(actual, rules))
        }
    };
    let unordered = || {
        rules.order != Order::Kept
            && is_affordable(expected)
            && unordered::same_text(expected, actual, rules)
            && same_spacing(expected, actual, rules)
    };
    let short = || {
        let admitted = match rules.rounding {
            Rounding::Short => may_print_short(expected),
            Rounding::Places => prints_short(expected),
            Rounding::None | Rounding::Digits => false,
        };
        let rules = Rules {
            rounding: Rounding::Digits,
            ..rules.clone()
        };
        let same = admitted && text::walk(expected, actual, &rules).1.is_none();
        same.then_some(Strategy::Rounding)
    };
    typed::same(expected, actual, rules)
        .or_else(short)
        .or_else(relaid)
        .or_else(|| unordered().then_some(Strategy::Multiset))
}

/// Whether a text answers yes or no in two ways: `Yes` and `NO` are hardly printed by one program, unless that is what it is asked.
fn tells_spellings_apart(text: &[u8]) -> bool {
    let spelling = |word: &[u8]| match word {
        b"yes" | b"no" => Some(0),
        b"Yes" | b"No" => Some(1),
        b"YES" | b"NO" => Some(2),
        _ if word.eq_ignore_ascii_case(b"yes") || word.eq_ignore_ascii_case(b"no") => Some(3),
        _ => None,
    };
    let mut spellings = text.split(u8::is_ascii_whitespace).filter_map(spelling);
    let first = spellings.next();
    spellings.any(|next| Some(next) != first)
}

/// Whether a number ends with a zero beside others that have fewer decimals: then it was not printed as they were, and may be a
/// name, such as the version `2.10`.
fn has_padded(text: &[u8]) -> bool {
    let head = &text[..text.len().min(HEAD)];
    let words = head
        .split(u8::is_ascii_whitespace)
        .filter(|word| word.contains(&b'.'));
    let numbers = words.filter_map(|word| Some((word, Number::parse(word)?.decimals)));
    let (mut fewest, mut padded) = (usize::MAX, 0);
    for (word, decimals) in numbers {
        fewest = fewest.min(decimals);
        if ends_with_a_zero(word) {
            padded = padded.max(decimals);
        }
    }
    padded > fewest
}

/// Whether a line holds both a real and a word of letters.
fn has_reals_beside_words(head: &[u8]) -> bool {
    head.split(|byte| *byte == b'\n').any(|line| {
        let words = || line.split(u8::is_ascii_whitespace);
        let is_real = |word: &[u8]| Number::parse(word).is_some_and(|number| number.real);
        let is_word = |word: &[u8]| word.iter().any(u8::is_ascii_alphabetic) && !is_real(word);
        words().any(is_real) && words().any(is_word)
    })
}

/// Whether a word is of digits and points as no number is: a row of a board, in which a point is an empty cell.
fn is_row_of_cells(word: &[u8]) -> bool {
    let points = word.iter().filter(|byte| **byte == b'.').count();
    let are_cells = word
        .iter()
        .all(|byte| byte.is_ascii_digit() || *byte == b'.');
    points > 0 && are_cells && (points > 1 || points == word.len() || word.starts_with(b"00"))
}

/// Whether a text begins with numbers of several parts, such as versions or dates: then one of two parts is no real.
fn has_many_parts(text: &[u8]) -> bool {
    let head = &text[..text.len().min(HEAD)];
    if head.split(u8::is_ascii_whitespace).any(is_row_of_cells) {
        return true;
    }
    let is_pointed = |at: usize| {
        let digits = |bytes: &[u8]| {
            bytes
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count()
        };
        let rest = &head[at + 1..];
        let length = digits(rest);
        let next = rest.get(length + 1..).unwrap_or_default();
        at > 0
            && head[at - 1].is_ascii_digit()
            && length > 0
            && rest.get(length) == Some(&b'.')
            && digits(next) > 0
    };
    memchr::memchr_iter(b'.', head).any(is_pointed)
}
