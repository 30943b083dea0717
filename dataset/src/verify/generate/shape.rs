//! What the inputs of a problem have in common: kinds, ranges, lengths, order, and which lengths agree with which numbers.
//!
//! A new input that keeps to all of it is likely to be one that the problem admits: what is learned is at least as narrow as
//! what the known inputs show, as Daikon does it for the variables of a program (Ernst et al. 2001).

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};

use evaluator::Value;

/// What values at one place of an input have in common.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Whole numbers within these bounds.
    Int { low: i64, high: i64 },
    /// Reals within these bounds, with so many decimals.
    Float {
        low: f64,
        high: f64,
        decimals: usize,
    },
    /// Either truth.
    Bool,
    /// Texts of these characters and lengths.
    Text {
        alphabet: Vec<char>,
        shortest: usize,
        longest: usize,
    },
    /// Lists of such items.
    List {
        item: Box<Shape>,
        shortest: usize,
        longest: usize,
        order: Order,
        is_tuple: bool,
    },
    /// So many values, each of a shape of its own.
    Fields(Fields),
    /// One of those that were seen.
    Seen(Vec<Value>),
}

/// What the items of all lists at one place keep to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    /// None is less than the one before.
    pub ascending: bool,
    /// No two are equal.
    pub distinct: bool,
}

/// Values side by side: the arguments of a call, or a tuple.
#[derive(Debug, Clone, PartialEq)]
pub struct Fields {
    /// The shape of each.
    pub shapes: Vec<Shape>,
    /// Pairs of places: a whole number, and what has that length.
    pub lengths: Vec<(usize, usize)>,
    /// A whole number, what has at least that length, and whether the number is always less.
    pub within: Vec<(usize, usize, bool)>,
    /// Pairs of places whose values have one length.
    pub equal: Vec<(usize, usize)>,
    /// Whether it is a list, not a tuple.
    pub is_list: bool,
}

impl Fields {
    /// Of rows of values, all of one width; `None` if there is none.
    pub fn of(rows: &[&[Value]]) -> Option<Fields> {
        let width = rows.first()?.len();
        if rows.iter().any(|row| row.len() != width) {
            return None;
        }
        let column = |at: usize| rows.iter().map(move |row| &row[at]);
        let shapes = (0..width).map(|at| Shape::of(&column(at).collect::<Vec<_>>()));
        let mut fields = Fields {
            shapes: shapes.collect(),
            lengths: Vec::new(),
            within: Vec::new(),
            equal: Vec::new(),
            is_list: false,
        };
        for one in 0..width {
            for other in (0..width).filter(|other| *other != one) {
                fields.relate(rows, one, other);
            }
        }
        Some(fields)
    }

    /// Take down what a number always is to a length, and a length to another.
    fn relate(&mut self, rows: &[&[Value]], one: usize, other: usize) {
        let rooms: Option<Vec<i64>> = rows
            .iter()
            .map(|row| room(&row[one], &row[other]))
            .collect();
        let rooms = rooms.unwrap_or_default();
        match (rooms.iter().min(), rooms.iter().max()) {
            (Some(0), Some(0)) => self.lengths.push((one, other)),
            (Some(least @ 0..), _) => self.within.push((one, other, *least > 0)),
            _ => {}
        }
        let lengths = |row: &&[Value]| length(&row[one]).zip(length(&row[other]));
        let is_one = |row| lengths(row).is_some_and(|(one, other)| one == other);
        if one < other && rows.iter().all(is_one) {
            self.equal.push((one, other));
        }
    }
}

/// By how much the length of `held` is more than a number.
fn room(number: &Value, held: &Value) -> Option<i64> {
    match number {
        Value::Int(number) => i64::try_from(length(held)?).ok()?.checked_sub(*number),
        _ => None,
    }
}

/// The number of items of a list or a tuple, or of characters of a text.
pub fn length(value: &Value) -> Option<usize> {
    match value {
        Value::List(items) | Value::Tuple(items) => Some(items.len()),
        Value::Str(text) => Some(text.chars().count()),
        _ => None,
    }
}

impl Shape {
    /// Of all values that were seen at a place.
    pub fn of(values: &[&Value]) -> Shape {
        let shape = ints(values)
            .or_else(|| floats(values))
            .or_else(|| truths(values))
            .or_else(|| texts(values))
            .or_else(|| rows(values))
            .or_else(|| lists(values));
        shape.unwrap_or_else(|| {
            let mut seen: Vec<Value> = Vec::new();
            for value in values {
                if !seen.contains(value) {
                    seen.push((*value).clone());
                }
            }
            Shape::Seen(seen)
        })
    }
}

/// What all of them are, if they are.
fn all<'v, T>(values: &[&'v Value], one: impl Fn(&'v Value) -> Option<T>) -> Option<Vec<T>> {
    let found: Option<Vec<T>> = values.iter().map(|value| one(value)).collect();
    found.filter(|found| !found.is_empty())
}

fn ints(values: &[&Value]) -> Option<Shape> {
    let whole = all(values, |value| match value {
        Value::Int(whole) => Some(*whole),
        _ => None,
    })?;
    let (low, high) = (*whole.iter().min()?, *whole.iter().max()?);
    Some(Shape::Int { low, high })
}

fn floats(values: &[&Value]) -> Option<Shape> {
    let reals = all(values, |value| match value {
        Value::Int(whole) => Some(*whole as f64),
        Value::Float(real) if real.is_finite() => Some(*real),
        _ => None,
    })?;
    let decimals = |real: &f64| format!("{real:?}").split('.').nth(1).map_or(0, str::len);
    Some(Shape::Float {
        low: reals.iter().copied().fold(f64::INFINITY, f64::min),
        high: reals.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        decimals: reals.iter().map(decimals).max()?.min(6),
    })
}

fn truths(values: &[&Value]) -> Option<Shape> {
    all(values, |value| {
        matches!(value, Value::Bool(_)).then_some(())
    })?;
    Some(Shape::Bool)
}

fn texts(values: &[&Value]) -> Option<Shape> {
    let texts = all(values, |value| match value {
        Value::Str(text) => Some(text),
        _ => None,
    })?;
    let lengths = texts.iter().map(|text| text.chars().count());
    let alphabet: BTreeSet<char> = texts.iter().flat_map(|text| text.chars()).collect();
    Some(Shape::Text {
        alphabet: alphabet.into_iter().collect(),
        shortest: lengths.clone().min()?,
        longest: lengths.max()?,
    })
}

/// Tuples, and lists of the same few values of different kinds.
fn rows(values: &[&Value]) -> Option<Shape> {
    let is_list = values.iter().all(|value| matches!(value, Value::List(_)));
    let rows = all(values, |value| match value {
        Value::Tuple(items) | Value::List(items) if !items.is_empty() => Some(items.as_slice()),
        _ => None,
    })?;
    let kind = |value: &Value| std::mem::discriminant(value);
    let mixed = |row: &&[Value]| row.iter().any(|item| kind(item) != kind(&row[0]));
    if is_list && !rows.iter().any(mixed) {
        return None;
    }
    let fields = Fields::of(&rows)?;
    Some(Shape::Fields(Fields { is_list, ..fields }))
}

fn lists(values: &[&Value]) -> Option<Shape> {
    let is_tuple = values.iter().all(|value| matches!(value, Value::Tuple(_)));
    let lists = all(values, |value| match value {
        Value::List(items) => Some(items),
        Value::Tuple(items) if is_tuple => Some(items),
        _ => None,
    })?;
    let items: Vec<&Value> = lists.iter().copied().flatten().collect();
    let pairs = || lists.iter().flat_map(|list| list.windows(2));
    let many = pairs().count() > 2;
    let order = Order {
        ascending: many && pairs().all(is_ascending),
        distinct: many && lists.iter().all(|list| are_distinct(list)),
    };
    Some(Shape::List {
        item: Box::new(Shape::of(&items)),
        shortest: lists.iter().map(|list| list.len()).min()?,
        longest: lists.iter().map(|list| list.len()).max()?,
        order,
        is_tuple,
    })
}

/// The order of two values of the same kind, where such have one.
pub fn compared(one: &Value, other: &Value) -> Option<Ordering> {
    match (one, other) {
        (Value::Int(one), Value::Int(other)) => Some(one.cmp(other)),
        (Value::Float(one), Value::Float(other)) => one.partial_cmp(other),
        (Value::Str(one), Value::Str(other)) => Some(one.cmp(other)),
        _ => None,
    }
}

fn is_ascending(pair: &[Value]) -> bool {
    compared(&pair[0], &pair[1]).is_some_and(Ordering::is_le)
}

fn are_distinct(items: &[Value]) -> bool {
    let mut seen = HashSet::new();
    items.iter().all(|item| seen.insert(format!("{item:?}")))
}
