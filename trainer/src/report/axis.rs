//! An axis: from values to places, and where its ticks stand.

use serde::Serialize;

/// Values from `low` to `high`, drawn from the place `from` to the place `to`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

/// A value worth a line, its place and its label.
#[derive(Debug, Serialize)]
pub(super) struct Tick {
    at: f64,
    label: String,
}

/// How many ticks an axis has at most.
const TICKS: f64 = 7.0;

impl Axis {
    /// Over all of some values. Those that are no numbers have no place.
    pub(super) fn over(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Axis {
        let finite: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let low = finite.iter().copied().fold(f64::INFINITY, f64::min);
        let high = finite.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = match low < high {
            true => (low, high),
            false if low == high => (low, low + 1.0),
            false => (0.0, 1.0),
        };
        Axis {
            low,
            high,
            from,
            to,
        }
    }

    /// To a tenth of a pixel.
    pub(super) fn place(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        ((self.from + share * (self.to - self.from)) * 10.0).round() / 10.0
    }

    /// Ticks at multiples of 1, 2 or 5 times a power of ten.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        let rough = (self.high - self.low) / TICKS;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * power);
        let step = step.into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(10.0 * power);
        let digits = (-(step.log10() + 1e-9).floor()).max(0.0) as usize;
        let first = (self.low / step - 1e-9).ceil();
        let count = (self.high / step + 1e-9).floor() - first;
        let tick = |index: usize| {
            let value = (first + index as f64) * step;
            Tick {
                at: self.place(value),
                label: format!("{value:.digits$}"),
            }
        };
        (0..=count.max(0.0) as usize).map(tick).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> Vec<String> {
        let axis = Axis::over([low, high].into_iter(), 0.0, 100.0);
        axis.ticks().into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_numbers_within_the_axis() {
        assert_eq!(labels(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(
            labels(1.0, 4.0),
            ["1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "4.0"]
        );
        assert_eq!(
            labels(0.0, 0.0004),
            ["0.0000", "0.0001", "0.0002", "0.0003", "0.0004"]
        );
        assert_eq!(labels(-3.0, 290.0), ["0", "50", "100", "150", "200", "250"]);
    }

    #[test]
    fn values_lie_between_the_ends() {
        let axis = Axis::over([2.0, f64::NAN, 4.0].into_iter(), 300.0, 0.0);
        assert_eq!(
            [2.0, 3.0, 4.0].map(|value| axis.place(value)),
            [300.0, 150.0, 0.0]
        );
    }
}
