//! One compared number.

use std::fmt;
use tch::{Kind, Tensor};

/// Half the distance between 1 and the next float32: what storing or rounding once may cost, relatively.
pub(super) const HALF_ULP: f64 = 5.960_464_477_539_063e-8;
/// A float32 computation in another order may err this many times as much as the reference's own did.
pub(super) const SLACK: f64 = 4.0;
/// What two float64 computations of one small formula may differ by, relatively.
pub(super) const ROUNDING: f64 = 1e-12;

/// A figure of the reference beside ours.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What is compared.
    pub name: String,
    /// The reference's value; of many values, the largest magnitude.
    pub reference: f64,
    /// The largest difference.
    pub difference: f64,
    /// The largest difference that is let pass.
    pub tolerance: f64,
}

impl Figure {
    /// Whether the difference is within the tolerance. A NaN is not.
    pub fn holds(&self) -> bool {
        self.difference <= self.tolerance
    }

    pub(super) fn number(name: String, ours: f64, reference: f64, tolerance: f64) -> Figure {
        Figure {
            name,
            reference,
            difference: (ours - reference).abs(),
            tolerance,
        }
    }

    /// Compares numbers one by one; another count is an infinite difference.
    pub(super) fn numbers(name: String, ours: &[f64], reference: &[f64], tolerance: f64) -> Figure {
        let differences = ours
            .iter()
            .zip(reference)
            .map(|(ours, reference)| (ours - reference).abs());
        let difference = if ours.len() == reference.len() {
            largest(differences)
        } else {
            f64::INFINITY
        };
        Figure {
            name,
            reference: largest(reference.iter().map(|value| value.abs())),
            difference,
            tolerance,
        }
    }

    /// The one of several that comes closest to its tolerance, or goes furthest beyond.
    pub(super) fn worst(all: Vec<Figure>) -> Option<Figure> {
        let share = |figure: &Figure| match figure.difference / figure.tolerance {
            share if share.is_nan() => f64::INFINITY,
            share => share,
        };
        all.into_iter()
            .max_by(|one, other| share(one).total_cmp(&share(other)))
    }

    pub(super) fn tensors(
        name: String,
        ours: &Tensor,
        reference: &Tensor,
        tolerance: f64,
    ) -> Figure {
        Figure::numbers(name, &to_numbers(ours), &to_numbers(reference), tolerance)
    }

    /// A number of disagreements, of which none is let pass.
    pub(super) fn disagreements(name: String, compared: usize, disagreeing: usize) -> Figure {
        Figure {
            name,
            reference: compared as f64,
            difference: disagreeing as f64,
            tolerance: 0.0,
        }
    }
}

/// All values of a tensor as float64.
pub(super) fn to_numbers(tensor: &Tensor) -> Vec<f64> {
    let flat = tensor.detach().to_kind(Kind::Double).flatten(0, -1);
    Vec::try_from(flat).expect("a flat tensor of numbers")
}

/// The largest value; NaN where one is.
fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |most, value| {
        if value > most || value.is_nan() {
            value
        } else {
            most
        }
    })
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.holds() { "ok  " } else { "MISS" };
        let Figure {
            name,
            reference,
            difference,
            tolerance,
        } = self;
        write!(
            f,
            "{mark} {name:<58} {reference:>13.6e}  off by {difference:.1e}  of {tolerance:.1e}"
        )
    }
}
