//! How much plain data one text may hold: every form of it is read within a budget.
//!
//! What a boxed process may send is stated once, in `limits.py` of the harness, which refuses to write more. It is
//! checked again on arrival, since the process could have written its message itself.

use std::cell::{Cell, OnceCell};
use std::fmt;

use super::{VALUE_DIGITS, Value};

const LIMITS: &str = include_str!("../../harness/mc_harness/limits.py");

/// Brackets within brackets in a value that crosses the border of a box.
pub(crate) const MAX_DEPTH: usize = limit("MAX_DEPTH") as usize;

/// Values within one value.
pub(crate) const MAX_ITEMS: usize = limit("MAX_ITEMS") as usize;

/// Below it every whole number has an exact double.
pub(crate) const SAFE_INT: i64 = limit("SAFE_INT");

/// Brackets within brackets in a file: a row of a data set wraps its values a few levels deep.
pub(crate) const FILE_DEPTH: usize = 100;

/// Digits of a whole number that is written in decimal, of which the time to read it is the square. Python prints no
/// more than 4300 unless it is told to.
const MAX_DIGITS: usize = 20_000;

/// Values that the paper's chain makes of an expected text: there each word is one, and takes many times its length.
const CONVERTED_ITEMS: usize = 250_000;

/// Items that any result may hold, however small the expected one is.
const FEW_ITEMS: usize = 10_000;

/// What may still be read of one text, and what was wrong if that was not enough.
#[derive(Debug)]
pub struct DataBudget {
    depth: usize,
    items: usize,
    left: Cell<usize>,
    exceeded: OnceCell<Exceeded>,
}

/// Which limit a text exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exceeded {
    /// It is nested deeper than this.
    Depth(usize),
    /// It holds more values than this.
    Items(usize),
    /// A whole number has more digits than this.
    Digits(usize),
}

impl fmt::Display for Exceeded {
    /// Completes "a value ..." and "the text is ...".
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exceeded::Depth(most) => write!(formatter, "nested deeper than {most} levels"),
            Exceeded::Items(most) => write!(formatter, "of more than {most} items"),
            Exceeded::Digits(most) => write!(formatter, "an integer of more than {most} digits"),
        }
    }
}

impl DataBudget {
    /// For a file, which its owner vouches for.
    pub(crate) fn of_file() -> DataBudget {
        DataBudget::new(FILE_DEPTH, MAX_ITEMS)
    }

    /// For an expected text whose words are taken for values.
    pub(crate) fn of_conversion() -> DataBudget {
        DataBudget::new(FILE_DEPTH, CONVERTED_ITEMS)
    }

    /// For a text that is compared with `expected` when both have been converted.
    pub(crate) fn of_converted(expected: &Value) -> DataBudget {
        let budget = DataBudget::of_result(expected);
        DataBudget::new(MAX_DEPTH, budget.items.min(2 * CONVERTED_ITEMS))
    }

    /// For what is compared with `expected`. What holds over twice as much is another answer: no strategy adds values,
    /// but for the paper's set, which overlooks how often each of them comes.
    pub fn of_result(expected: &Value) -> DataBudget {
        let items = expected.extent().saturating_mul(2).max(FEW_ITEMS);
        DataBudget::new(MAX_DEPTH, items.min(MAX_ITEMS))
    }

    /// For what is written in a file beside `expected`.
    pub(crate) fn of_written(expected: &Value) -> DataBudget {
        DataBudget::new(FILE_DEPTH, DataBudget::of_result(expected).items)
    }

    fn new(depth: usize, items: usize) -> DataBudget {
        DataBudget {
            depth,
            items,
            left: Cell::new(items),
            exceeded: OnceCell::new(),
        }
    }

    /// Go into the `depth`th bracket.
    pub(crate) fn enter(&self, depth: usize) -> Result<(), Exceeded> {
        self.check(depth <= self.depth, Exceeded::Depth(self.depth))
    }

    /// Make so many values more.
    pub(crate) fn spend(&self, items: usize) -> Result<(), Exceeded> {
        let left = self.left.get().checked_sub(items);
        self.left.set(left.unwrap_or(0));
        self.check(left.is_some(), Exceeded::Items(self.items))
    }

    /// Read a decimal whole number of so many digits: a long one counts as several values.
    pub(crate) fn read_digits(&self, digits: usize) -> Result<(), Exceeded> {
        self.check(digits <= MAX_DIGITS, Exceeded::Digits(MAX_DIGITS))?;
        self.spend(digits / VALUE_DIGITS)
    }

    /// The limit that was exceeded first.
    pub(crate) fn exceeded(&self) -> Option<Exceeded> {
        self.exceeded.get().copied()
    }

    fn check(&self, within: bool, limit: Exceeded) -> Result<(), Exceeded> {
        if within {
            return Ok(());
        }
        Err(*self.exceeded.get_or_init(|| limit))
    }
}

/// The number of that name in `limits.py`, found at compile time; the build fails where there is none.
const fn limit(name: &str) -> i64 {
    let (text, name) = (LIMITS.as_bytes(), name.as_bytes());
    let mut start = 0;
    while start < text.len() {
        if let Some(number) = assigned(text, start, name) {
            return number;
        }
        while start < text.len() && text[start] != b'\n' {
            start += 1;
        }
        start += 1;
    }
    panic!("limits.py does not say this limit")
}

/// The number behind `name = ` on the line that starts at `start`.
const fn assigned(text: &[u8], start: usize, name: &[u8]) -> Option<i64> {
    let mut at = 0;
    while at < name.len() {
        if start + at >= text.len() || text[start + at] != name[at] {
            return None;
        }
        at += 1;
    }
    let equals = start + at;
    if equals + 3 >= text.len() || text[equals] != b' ' || text[equals + 1] != b'=' {
        return None;
    }
    let mut number = 0;
    let mut at = equals + 3;
    while at < text.len() && text[at] != b'\n' {
        match text[at] {
            digit @ b'0'..=b'9' => number = number * 10 + (digit - b'0') as i64,
            b'_' => {}
            _ => panic!("a limit in limits.py is no whole number"),
        }
        at += 1;
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::{DataBudget, Exceeded, MAX_DEPTH, MAX_ITEMS, SAFE_INT, Value};

    #[test]
    fn limits_are_those_of_the_harness() {
        assert_eq!((MAX_DEPTH, MAX_ITEMS, SAFE_INT), (40, 20_000_000, 1 << 53));
    }

    #[test]
    fn a_budget_remembers_the_first_limit_that_was_exceeded() {
        let budget = DataBudget::of_result(&Value::None);
        assert_eq!(budget.spend(10_000), Ok(()));
        assert_eq!(budget.spend(1), Err(Exceeded::Items(10_000)));
        assert_eq!(budget.enter(41), Err(Exceeded::Items(10_000)));
        assert_eq!(budget.exceeded(), Some(Exceeded::Items(10_000)));
    }
}
