//! Reals within a margin.

use super::rejection::{Checked, ordinal, wrong};
use super::stream::Stream;

/// What is added to every margin, for what the sum itself loses.
const SLACK: f64 = 1e-15;

/// Beyond it, every number counts as infinite.
const INFINITE: f64 = 1e300;

/// How far a real may be off, and how a message shows one that is.
pub(super) struct Margin {
    error: f64,
    /// Whether an error relative to the expected number will do too.
    relative: bool,
    /// Decimal places in a message.
    places: usize,
    /// Whether the message for a sequence states the error.
    shows_error: bool,
}

pub(super) const ABSOLUTE_6: Margin = absolute(1.5e-6);
pub(super) const ABSOLUTE_5: Margin = absolute(1.5e-5);
pub(super) const EITHER_4: Margin = either(1e-4, 5);
pub(super) const EITHER_6: Margin = either(1e-6, 7);
pub(super) const EITHER_9: Margin = either(1e-9, 10);

const fn absolute(error: f64) -> Margin {
    Margin {
        error,
        relative: false,
        places: 10,
        shows_error: false,
    }
}

const fn either(error: f64, places: usize) -> Margin {
    Margin {
        error,
        relative: true,
        places,
        shows_error: true,
    }
}

/// One real.
pub(super) fn one(expected: &mut Stream<'_>, actual: &mut Stream<'_>, margin: &Margin) -> Checked {
    let ours = expected.real()?;
    let theirs = actual.real()?;
    match margin.admits(ours, theirs) {
        true => Ok(()),
        false => Err(wrong(format!("expected {ours:.10}, found {theirs:.10}"))),
    }
}

/// As many reals, in order.
pub(super) fn sequence(
    expected: &mut Stream<'_>,
    actual: &mut Stream<'_>,
    margin: &Margin,
) -> Checked {
    let mut place = 0;
    while !expected.at_end() {
        place += 1;
        let ours = expected.real()?;
        let theirs = actual.real()?;
        if !margin.admits(ours, theirs) {
            return Err(wrong(margin.complaint(place, ours, theirs)));
        }
    }
    Ok(())
}

impl Margin {
    fn admits(&self, expected: f64, actual: f64) -> bool {
        let error = self.error + SLACK;
        if !self.relative {
            // Not the same as `<=`: of two infinite numbers the difference is none, and that is no error.
            let exceeds = (expected - actual).abs() > error;
            return !exceeds;
        }
        if is_infinite(expected) || is_infinite(actual) {
            return is_infinite(expected)
                && is_infinite(actual)
                && (expected > 0.0) == (actual > 0.0);
        }
        let bounds = [expected * (1.0 - error), expected * (1.0 + error)];
        (actual - expected).abs() <= error
            || actual >= bounds[0].min(bounds[1]) && actual <= bounds[0].max(bounds[1])
    }

    fn complaint(&self, place: usize, expected: f64, actual: f64) -> String {
        let (place, places) = (ordinal(place), self.places);
        let numbers = format!(
            "{place} numbers differ - expected: '{expected:.places$}', found: '{actual:.places$}'"
        );
        if !self.shows_error {
            return numbers;
        }
        let error = error(expected, actual);
        let error = match error.is_nan() {
            true => "nan".to_owned(),
            false => format!("{error:.places$}"),
        };
        format!("{numbers}, error = '{error}'")
    }
}

fn is_infinite(number: f64) -> bool {
    number.abs() > INFINITE
}

/// The smaller of absolute and relative error.
fn error(expected: f64, actual: f64) -> f64 {
    const TINY: f64 = 1e-9;
    let absolute = (actual - expected).abs();
    let relative = (absolute / expected).abs();
    match expected.abs() > TINY {
        true if absolute < relative => absolute,
        true => relative,
        false => absolute,
    }
}
