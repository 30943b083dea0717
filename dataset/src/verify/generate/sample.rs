//! New values of a shape: at its bounds, anywhere within them, and next to a value that is known.

use std::cmp::Ordering;
use std::collections::HashSet;

use evaluator::Value;
use rand::RngExt;
use rand::distr::uniform::SampleUniform;
use rand::seq::{IndexedRandom, SliceRandom};

use super::shape::{Fields, Order, Shape, compared, length};

/// Where in its bounds a value lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// At the lower ones.
    Lowest,
    /// At the upper ones.
    Highest,
    /// Anywhere.
    Anywhere,
}

impl Fields {
    /// A new row.
    pub fn sample(&self, place: Place, rng: &mut impl RngExt) -> Vec<Value> {
        let values = self.shapes.iter().map(|shape| shape.sample(place, rng));
        let mut values: Vec<Value> = values.collect();
        self.agree(&mut values);
        values
    }

    /// A row that differs from a known one in one value.
    pub fn near(&self, known: &[Value], rng: &mut impl RngExt) -> Vec<Value> {
        let mut values = known.to_vec();
        // A count alone cannot change: what it counts does.
        let free: Vec<usize> = (0..values.len())
            .filter(|at| self.lengths.iter().all(|(number, _)| number != at))
            .collect();
        if let Some(at) = free.choose(rng) {
            values[*at] = self.shapes[*at].near(&known[*at], rng);
        }
        self.agree(&mut values);
        values
    }

    /// Make lengths agree that always do.
    fn agree(&self, values: &mut [Value]) {
        for (one, other) in &self.equal {
            let shorter = length(&values[*one]).min(length(&values[*other]));
            for at in [*one, *other] {
                truncate(&mut values[at], shorter.unwrap_or_default());
            }
        }
        for (number, held) in &self.lengths {
            let length = length(&values[*held]).unwrap_or_default();
            values[*number] = Value::Int(i64::try_from(length).unwrap_or(i64::MAX));
        }
        for (number, held, less) in &self.within {
            let length = length(&values[*held]).and_then(|length| i64::try_from(length).ok());
            if let (Value::Int(number), Some(length)) = (&mut values[*number], length) {
                *number = (*number).min(length - i64::from(*less));
            }
        }
    }
}

fn truncate(value: &mut Value, length: usize) {
    match value {
        Value::List(items) | Value::Tuple(items) => items.truncate(length),
        Value::Str(text) => *text = text.chars().take(length).collect(),
        _ => {}
    }
}

impl Shape {
    fn sample(&self, place: Place, rng: &mut impl RngExt) -> Value {
        match self {
            Shape::Int { low, high } => Value::Int(at(place, *low, *high, rng)),
            Shape::Float {
                low,
                high,
                decimals,
            } => {
                let share = match place {
                    Place::Lowest => 0.0,
                    Place::Highest => 1.0,
                    Place::Anywhere => rng.random::<f64>(),
                };
                Value::Float(rounded(low + share * (high - low), *decimals))
            }
            Shape::Bool => Value::Bool(rng.random()),
            Shape::Text {
                alphabet,
                shortest,
                longest,
            } => {
                let length = at(place, *shortest, *longest, rng);
                let letters = (0..length).filter_map(|_| alphabet.choose(rng));
                Value::Str(letters.collect())
            }
            Shape::List {
                item,
                shortest,
                longest,
                order,
                is_tuple,
            } => {
                let length = at(place, *shortest, *longest, rng);
                // The items of a long list lie anywhere, or else they would all be the same.
                let within = if length > 1 { Place::Anywhere } else { place };
                let items = (0..length).map(|_| item.sample(within, rng)).collect();
                list(items, *order, *is_tuple)
            }
            Shape::Fields(fields) => row(fields.sample(place, rng), fields.is_list),
            Shape::Seen(seen) => seen.choose(rng).cloned().unwrap_or(Value::None),
        }
    }

    /// A value that differs a little from a known one.
    fn near(&self, known: &Value, rng: &mut impl RngExt) -> Value {
        match (self, known) {
            (Shape::Int { low, high }, Value::Int(whole)) => {
                let step = *[-2, -1, 1, 2].choose(rng).unwrap_or(&1);
                Value::Int(whole.saturating_add(step).clamp(*low, *high))
            }
            (
                Shape::Text {
                    alphabet,
                    shortest,
                    longest,
                },
                Value::Str(text),
            ) => {
                let fresh = |rng: &mut _| alphabet.choose(rng).copied();
                let letters = edited(text.chars().collect(), *shortest, *longest, fresh, rng);
                Value::Str(letters.into_iter().collect())
            }
            (
                Shape::List {
                    item,
                    shortest,
                    longest,
                    order,
                    is_tuple,
                },
                Value::List(items) | Value::Tuple(items),
            ) => {
                let mut items = items.clone();
                if !items.is_empty() && rng.random_bool(0.4) {
                    let at = rng.random_range(0..items.len());
                    items[at] = item.near(&items[at], rng);
                } else {
                    let fresh = |rng: &mut _| Some(item.sample(Place::Anywhere, rng));
                    items = edited(items, *shortest, *longest, fresh, rng);
                }
                list(items, *order, *is_tuple)
            }
            (Shape::Fields(fields), Value::List(items) | Value::Tuple(items)) => {
                row(fields.near(items, rng), fields.is_list)
            }
            _ => self.sample(Place::Anywhere, rng),
        }
    }
}

/// One item taken out, put in, said twice or exchanged for another; or two that change places, or all.
fn edited<T: Clone, R: RngExt>(
    mut items: Vec<T>,
    shortest: usize,
    longest: usize,
    fresh: impl Fn(&mut R) -> Option<T>,
    rng: &mut R,
) -> Vec<T> {
    let length = items.len();
    let anywhere = |rng: &mut R| rng.random_range(0..length.max(1));
    let grows = length < longest;
    match rng.random_range(0..6) {
        0 if length > shortest => drop(items.remove(anywhere(rng))),
        1 if grows => items.extend(fresh(rng)),
        2 if grows && length > 0 => items.insert(anywhere(rng), items[anywhere(rng)].clone()),
        3 if length > 1 => items.swap(anywhere(rng), anywhere(rng)),
        4 if length > 1 => items.shuffle(rng),
        _ => {
            let at = anywhere(rng);
            if let (Some(item), Some(other)) = (items.get_mut(at), fresh(rng)) {
                *item = other;
            }
        }
    }
    items
}

/// A number between these bounds.
fn at<T: SampleUniform + PartialOrd + Copy>(
    place: Place,
    low: T,
    high: T,
    rng: &mut impl RngExt,
) -> T {
    match place {
        Place::Lowest => low,
        Place::Highest => high,
        Place::Anywhere => rng.random_range(low..=high),
    }
}

fn rounded(real: f64, decimals: usize) -> f64 {
    format!("{real:.decimals$}").parse().unwrap_or(real)
}

fn list(mut items: Vec<Value>, order: Order, is_tuple: bool) -> Value {
    if order.ascending {
        items.sort_by(|one, other| compared(one, other).unwrap_or(Ordering::Equal));
    }
    if order.distinct {
        let mut seen = HashSet::new();
        items.retain(|item| seen.insert(format!("{item:?}")));
    }
    row(items, !is_tuple)
}

fn row(items: Vec<Value>, is_list: bool) -> Value {
    if is_list {
        Value::List(items)
    } else {
        Value::Tuple(items)
    }
}
