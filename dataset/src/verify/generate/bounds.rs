//! The bounds of an input: those that the statement gives, and else a little more than what the known inputs show.

use std::collections::HashMap;
use std::sync::LazyLock;

use evaluator::Value;
use regex::Regex;

use super::shape::{Fields, Shape, length};

/// `1 <= n, m <= 10^5`, and with any other of the signs.
static BOUNDS: LazyLock<Regex> = LazyLock::new(|| {
    let number = r"-?\d[\d,]*(?:\s*(?:\^|\*\*|\*|\+|-|·|×)\s*\d+)*";
    let sign = "(?:<=|<|≤|⩽|\\\\leq?)";
    let names = r"[\w.\[\]|()]+(?:\s*,\s*[\w.\[\]|()]+)*";
    let bounds = format!(
        r"(?<low>{number})\s*(?<from>{sign})\s*(?<names>{names})\s*(?<to>{sign})\s*(?<high>{number})"
    );
    Regex::new(&bounds).expect("a fixed pattern")
});
/// A length: `nums.length`, `len(nums)`, `|s|`.
static LENGTH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:(\w+)\.(?:length|size)|len\((\w+)\)|\|(\w+)\|)$").expect("a fixed pattern")
});
/// A value, or an item: `n`, `nums[i]`, `grid[i][j]`.
static NAMED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(\w+?)(?:(?:\[\w+\])+|_[ij])?$").expect("a fixed pattern"));

/// By how much a list or a text may be longer than any that was seen, beside half of that.
const ROOM: usize = 2;
/// Letters of a case from which on it may be any of them.
const MANY_LETTERS: usize = 4;

/// The bounds that a statement gives of what it names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stated {
    /// Of whole numbers, and of the items of lists.
    values: HashMap<String, (i64, i64)>,
    lengths: HashMap<String, (i64, i64)>,
}

impl Stated {
    /// Those in `statement`.
    pub fn of(statement: &str) -> Stated {
        let mut stated = Stated::default();
        for found in BOUNDS.captures_iter(statement) {
            let (Some(low), Some(high)) = (number(&found["low"]), number(&found["high"])) else {
                continue;
            };
            let bounds = (
                low + i64::from(&found["from"] == "<"),
                high - i64::from(&found["to"] == "<"),
            );
            for name in found["names"].split(',').map(str::trim) {
                stated.add(name, bounds);
            }
        }
        stated
    }

    fn add(&mut self, name: &str, bounds: (i64, i64)) {
        if bounds.0 > bounds.1 {
            return;
        }
        if let Some(length) = LENGTH.captures(name) {
            let of = length.iter().skip(1).flatten().next();
            self.lengths
                .extend(of.map(|of| (of.as_str().to_owned(), bounds)));
        } else if let Some(named) = NAMED.captures(name) {
            self.values.insert(named[1].to_owned(), bounds);
        }
    }

    /// The shape of the value that is called `name`, within what is stated of it, and else a little wider than it was seen.
    fn applied(&self, name: &str, shape: Shape) -> Shape {
        let [values, lengths] = [&self.values, &self.lengths].map(|stated| stated.get(name));
        within(shape, values.copied(), lengths.copied())
    }

    /// Whether arguments of these names are within what is stated of them.
    pub fn admit(&self, names: &[String], values: &[Value]) -> bool {
        let mut named = names.iter().zip(values);
        named.all(|(name, value)| {
            let lengths = self.lengths.get(name);
            let long = lengths
                .zip(length(value))
                .is_none_or(|((least, most), length)| {
                    (*least..=*most).contains(&i64::try_from(length).unwrap_or(i64::MAX))
                });
            long && self
                .values
                .get(name)
                .is_none_or(|bounds| holds(*bounds, value))
        })
    }
}

/// The same arguments within what is stated of their names, and else a little wider than they were seen.
pub fn widened(fields: Fields, names: &[String], stated: &Stated) -> Fields {
    let no_name = String::new();
    let shapes = fields.shapes.into_iter().enumerate();
    let shapes = shapes.map(|(at, shape)| stated.applied(names.get(at).unwrap_or(&no_name), shape));
    Fields {
        shapes: shapes.collect(),
        ..fields
    }
}

/// The shape with its whole numbers and its own length within these bounds, where there are any.
fn within(shape: Shape, bounds: Option<(i64, i64)>, stated: Option<(i64, i64)>) -> Shape {
    match shape {
        Shape::Int { low, high } => {
            let (least, most) = bounds.unwrap_or_else(|| numbers(low, high));
            Shape::Int {
                low: least.min(low),
                high: most.max(high),
            }
        }
        Shape::List {
            item,
            shortest,
            longest,
            order,
            is_tuple,
        } => {
            let (shortest, longest) = lengths(shortest, longest, stated);
            Shape::List {
                item: Box::new(within(*item, bounds, None)),
                shortest,
                longest,
                order,
                is_tuple,
            }
        }
        Shape::Text {
            alphabet,
            shortest,
            longest,
        } => {
            let most_seen = longest;
            let (shortest, longest) = lengths(shortest, longest, stated);
            Shape::Text {
                alphabet: letters(alphabet, most_seen),
                shortest,
                longest,
            }
        }
        Shape::Fields(fields) => {
            let shapes = fields.shapes.into_iter();
            Shape::Fields(Fields {
                shapes: shapes.map(|shape| within(shape, bounds, None)).collect(),
                ..fields
            })
        }
        other => other,
    }
}

/// Whether all whole numbers in a value are within these bounds.
fn holds(bounds: (i64, i64), value: &Value) -> bool {
    match value {
        Value::Int(whole) => (bounds.0..=bounds.1).contains(whole),
        Value::List(items) | Value::Tuple(items) => items.iter().all(|item| holds(bounds, item)),
        _ => true,
    }
}

/// Around whole numbers that were seen: signs stay what they are, and so do digits and truths.
fn numbers(low: i64, high: i64) -> (i64, i64) {
    let room = high.abs_diff(low) / 2 + 1;
    let room = i64::try_from(room).unwrap_or(i64::MAX);
    match (low, high) {
        (0, 1 | 9) | (1, 9) => (low, high),
        (0.., _) => (low.min(1), high.saturating_add(room)),
        (_, ..=0) => (low.saturating_sub(room), high),
        _ => (low.saturating_sub(room), high.saturating_add(room)),
    }
}

/// Letters and digits beside those that were seen in texts of at most `longest` characters: all of their case, where enough were seen
/// that no rule seems to choose them, or too little text to show one.
fn letters(mut alphabet: Vec<char>, longest: usize) -> Vec<char> {
    for case in ['a'..='z', 'A'..='Z', '0'..='9'] {
        let seen = alphabet
            .iter()
            .filter(|letter| case.contains(letter))
            .count();
        if seen >= MANY_LETTERS || (seen > 0 && 2 * seen >= longest) {
            alphabet.extend(case);
        }
    }
    alphabet.sort_unstable();
    alphabet.dedup();
    alphabet
}

/// Around lengths that were seen, within what is stated of them. What always has one length keeps it.
fn lengths(shortest: usize, longest: usize, stated: Option<(i64, i64)>) -> (usize, usize) {
    let (low, high) = if shortest == longest {
        (shortest, longest)
    } else {
        (shortest.min(1), longest + longest / 2 + ROOM)
    };
    let Some((least, most)) = stated else {
        return (low, high);
    };
    let [least, most] = [least, most].map(|bound| usize::try_from(bound).unwrap_or_default());
    // What is seen is right, whatever was read of the statement.
    (least.min(shortest), high.min(most).max(longest))
}

/// `2 * 10^5`, `10**9`, `2^31 - 1`, `1,000`.
fn number(text: &str) -> Option<i64> {
    let text = text.replace("**", "^").replace(['·', '×'], "*");
    let text: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && *c != ',')
        .collect();
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.to_owned()),
        None => (false, text),
    };
    let (product, added) = match text.find(['+', '-']) {
        Some(at) => (&text[..at], text[at..].parse::<i64>().ok()?),
        None => (&*text, 0),
    };
    let power = |factor: &str| match factor.split_once('^') {
        Some((base, exponent)) => base
            .parse::<i64>()
            .ok()?
            .checked_pow(exponent.parse().ok()?),
        None => factor.parse().ok(),
    };
    let product = product
        .split('*')
        .try_fold(1_i64, |product, factor| product.checked_mul(power(factor)?))?;
    let product = if negative { -product } else { product };
    product.checked_add(added)
}
