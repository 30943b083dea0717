//! Amounts of memory, as people write them.

use std::fmt;
use std::str::FromStr;

/// A number of bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(pub u64);

const UNITS: [(&str, f64); 6] = [
    ("TiB", 1_099_511_627_776.0),
    ("GiB", 1_073_741_824.0),
    ("MiB", 1_048_576.0),
    ("TB", 1e12),
    ("GB", 1e9),
    ("MB", 1e6),
];

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0 as f64;
        match bytes < UNITS[1].1 {
            true => f.pad(&format!("{:.0} MiB", (bytes / UNITS[2].1).ceil())),
            false => f.pad(&format!("{:.1} GiB", bytes / UNITS[1].1)),
        }
    }
}

impl FromStr for Size {
    type Err = String;

    /// A number and a unit: `139GiB`, `80 GB`.
    fn from_str(text: &str) -> Result<Size, String> {
        let wrong = || format!("`{text}` is not an amount of memory such as 80GiB");
        let unit = UNITS.iter().find(|(unit, _)| text.ends_with(unit));
        let (unit, bytes) = unit.ok_or_else(wrong)?;
        let number: f64 = text[..text.len() - unit.len()]
            .trim()
            .parse()
            .map_err(|_| wrong())?;
        match number.is_finite() && number > 0.0 {
            true => Ok(Size((number * bytes) as u64)),
            false => Err(wrong()),
        }
    }
}
