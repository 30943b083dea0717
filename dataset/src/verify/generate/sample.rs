//! New values of a shape: at its bounds, anywhere within them, and next to a value that is known. Where the references mention a
//! value, it and its neighbours are taken more often than others: there programs change their course.

use std::cmp::Ordering;
use std::collections::HashSet;

use evaluator::Value;
use rand::RngExt;
use rand::distr::uniform::SampleUniform;
use rand::seq::IndexedRandom;

use super::draw::{Draw, edited};
use super::shape::{Fields, Order, Shape, compared, length};
use super::texts;

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
    pub fn sample(&self, place: Place, draw: &mut Draw) -> Vec<Value> {
        let values = self.shapes.iter().map(|shape| shape.sample(place, draw));
        let mut values: Vec<Value> = values.collect();
        self.agree(&mut values);
        values
    }

    /// A row that differs from a known one in one value.
    pub fn near(&self, known: &[Value], draw: &mut Draw) -> Vec<Value> {
        let mut values = known.to_vec();
        // A count alone cannot change: what it counts does.
        let free: Vec<usize> = (0..values.len())
            .filter(|at| self.lengths.iter().all(|(number, _)| number != at))
            .collect();
        if let Some(at) = free.choose(&mut draw.rng) {
            values[*at] = self.shapes[*at].near(&known[*at], draw);
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
    fn sample(&self, place: Place, draw: &mut Draw) -> Value {
        match self {
            Shape::Int { low, high } => {
                let mentioned = match place {
                    Place::Anywhere => draw.number(*low, *high),
                    Place::Lowest | Place::Highest => None,
                };
                Value::Int(mentioned.unwrap_or_else(|| at(place, *low, *high, draw)))
            }
            Shape::Float {
                low,
                high,
                decimals,
            } => {
                let share = match place {
                    Place::Lowest => 0.0,
                    Place::Highest => 1.0,
                    Place::Anywhere => draw.rng.random::<f64>(),
                };
                Value::Float(rounded(low + share * (high - low), *decimals))
            }
            Shape::Bool => Value::Bool(draw.rng.random()),
            Shape::Text {
                alphabet,
                shortest,
                longest,
            } => {
                let length = at(place, *shortest, *longest, draw);
                let letters = (0..length).filter_map(|_| alphabet.choose(&mut draw.rng));
                Value::Str(letters.collect())
            }
            Shape::List {
                item,
                shortest,
                longest,
                order,
                is_tuple,
            } => {
                let length = at(place, *shortest, *longest, draw);
                // The items of a long list lie anywhere, or else they would all be the same.
                let within = if length > 1 { Place::Anywhere } else { place };
                let items = (0..length).map(|_| item.sample(within, draw)).collect();
                list(items, *order, *is_tuple)
            }
            Shape::Fields(fields) => row(fields.sample(place, draw), fields.is_list),
            Shape::Seen(seen) => seen.choose(&mut draw.rng).cloned().unwrap_or(Value::None),
        }
    }

    /// A value that differs a little from a known one.
    fn near(&self, known: &Value, draw: &mut Draw) -> Value {
        match (self, known) {
            (Shape::Int { low, high }, Value::Int(whole)) => {
                let step = *[-2, -1, 1, 2].choose(&mut draw.rng).unwrap_or(&1);
                let mentioned = draw.number(*low, *high);
                let near = || whole.saturating_add(step).clamp(*low, *high);
                Value::Int(mentioned.unwrap_or_else(near))
            }
            (
                Shape::Text {
                    alphabet,
                    shortest,
                    longest,
                },
                Value::Str(text),
            ) => {
                let longest = (*longest).max(text.chars().count());
                Value::Str(texts::near(text, alphabet, *shortest..=longest, draw))
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
                if !items.is_empty() && draw.rng.random_bool(0.4) {
                    let at = draw.rng.random_range(0..items.len());
                    items[at] = item.near(&items[at], draw);
                } else {
                    let fresh = |draw: &mut Draw| Some(item.sample(Place::Anywhere, draw));
                    items = edited(items, *shortest..=*longest, fresh, draw);
                }
                list(items, *order, *is_tuple)
            }
            (Shape::Fields(fields), Value::List(items) | Value::Tuple(items)) => {
                row(fields.near(items, draw), fields.is_list)
            }
            _ => self.sample(Place::Anywhere, draw),
        }
    }
}

/// A number between these bounds.
fn at<T: SampleUniform + PartialOrd + Copy>(place: Place, low: T, high: T, draw: &mut Draw) -> T {
    match place {
        Place::Lowest => low,
        Place::Highest => high,
        Place::Anywhere => draw.rng.random_range(low..=high),
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
