//! How much the responses to one prompt differ. The paper does not define its diversity; these are ours, and
//! plots name the one they show.

use std::collections::HashSet;

use super::statistics::mean;

/// The length of the token n-grams that [`pairwise`] compares in a run.
pub const GRAM: usize = 4;

/// Mean over all pairs of responses of 1 - Jaccard similarity of their sets of `n`-grams of tokens; in [0, 1].
///
/// A response of fewer than `n` tokens is one n-gram. A group of fewer than two has no pairs, and no diversity.
///
/// ```
/// use trainer::algorithm::diversity::pairwise;
/// assert_eq!(pairwise(&[&[1, 2, 3], &[1, 2, 4]], 2), Some(1.0 - 1.0 / 3.0));
/// ```
pub fn pairwise(group: &[&[i64]], n: usize) -> Option<f64> {
    let sets: Vec<HashSet<&[i64]>> = group.iter().map(|r| grams(r, n).collect()).collect();
    let mut distances = Vec::new();
    for (i, a) in sets.iter().enumerate() {
        distances.extend(sets[i + 1..].iter().map(|b| distance(a, b)));
    }
    mean(&distances)
}

/// The share of a group's `n`-grams that are distinct (distinct-n; Li et al. 2016, arXiv 1510.03055), in (0, 1].
pub fn distinct(group: &[&[i64]], n: usize) -> Option<f64> {
    let all: Vec<&[i64]> = group.iter().flat_map(|r| grams(r, n)).collect();
    let distinct: HashSet<&[i64]> = all.iter().copied().collect();
    (!all.is_empty()).then(|| distinct.len() as f64 / all.len() as f64)
}

fn grams(response: &[i64], n: usize) -> impl Iterator<Item = &[i64]> {
    response.windows(n.min(response.len()).max(1))
}

fn distance(a: &HashSet<&[i64]>, b: &HashSet<&[i64]>) -> f64 {
    let shared = a.intersection(b).count();
    let all = a.len() + b.len() - shared;
    if all == 0 {
        0.0
    } else {
        1.0 - shared as f64 / all as f64
    }
}
