//! What new values are drawn from: chance, and what the references mention.

use std::ops::RangeInclusive;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::python::Constants;

/// How often a value that the references mention is taken, where any value would do.
const MENTIONED: f64 = 0.3;
/// The largest number that is taken beyond what was seen only because it is mentioned.
const LARGEST: i64 = 1_000_000;

/// What new values are drawn from: chance, and what the references mention.
pub struct Draw {
    /// Chance.
    pub rng: ChaCha8Rng,
    /// What they mention.
    pub mentioned: Constants,
}

impl Draw {
    /// The same values for the same `seed`.
    pub fn new(seed: u64, mentioned: Constants) -> Draw {
        Draw {
            rng: ChaCha8Rng::seed_from_u64(seed),
            mentioned,
        }
    }

    /// Now and then a number that is mentioned or next to one, of a sign that numbers between `low` and `high` have.
    pub fn number(&mut self, low: i64, high: i64) -> Option<i64> {
        if !self.rng.random_bool(MENTIONED) {
            return None;
        }
        let number = *self.mentioned.numbers.choose(&mut self.rng)?;
        let near = number.saturating_add(self.rng.random_range(-1..=1));
        let is_signed = low < 0;
        let fits = (is_signed || near >= low.min(1)) && near.abs() <= LARGEST.max(high);
        fits.then_some(near)
    }
}

/// One item taken out, put in, said twice or exchanged for another; some that change places; a part alone, twice or backwards.
pub fn edited<T: Clone>(
    mut items: Vec<T>,
    lengths: RangeInclusive<usize>,
    fresh: impl Fn(&mut Draw) -> Option<T>,
    draw: &mut Draw,
) -> Vec<T> {
    let length = items.len();
    let anywhere = |draw: &mut Draw| draw.rng.random_range(0..length.max(1));
    let grows = length < *lengths.end();
    match draw.rng.random_range(0..10) {
        0 if length > *lengths.start() => drop(items.remove(anywhere(draw))),
        1 if grows => items.extend(fresh(draw)),
        2 if grows && length > 0 => items.insert(anywhere(draw), items[anywhere(draw)].clone()),
        3 if length > 1 => items.swap(anywhere(draw), anywhere(draw)),
        4 if length > 1 => items.shuffle(&mut draw.rng),
        5 if length > 1 => items.reverse(),
        // What reads the same from both ends is a case of its own in many problems.
        6 if length > 1 => {
            let half: Vec<T> = items[..length / 2].iter().rev().cloned().collect();
            items.truncate(length - half.len());
            items.extend(half);
        }
        7 if length > 1 => {
            let (one, other) = (anywhere(draw), anywhere(draw));
            items[one] = items[other].clone();
        }
        8 if length > *lengths.start() => {
            let least = (*lengths.start()).max(1).min(length);
            items.truncate(draw.rng.random_range(least..=length));
        }
        _ => {
            let at = anywhere(draw);
            if let (Some(item), Some(other)) = (items.get_mut(at), fresh(draw)) {
                *item = other;
            }
        }
    }
    items
}
