//! How far apart the paper's chain lets numbers be.

use crate::compare::number::Tolerance;
use crate::problem::FloatTolerance;

/// The defaults of `numpy.allclose`.
pub(super) const ALLCLOSE: Tolerance = Tolerance::Sum(FloatTolerance {
    abs: 1e-8,
    rel: 1e-5,
});

/// Decimals that the rounding fallback keeps.
pub(super) const PLACES: i32 = 3;

/// Whole numbers from here on have more digits than a double is sure to keep.
pub(super) const LONG: u64 = 1_000_000_000_000_000;
