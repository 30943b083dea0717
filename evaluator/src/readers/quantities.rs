//! Limits with or without a unit, as data sets write them.

use super::node::{Fault, Node};

/// `2.0 seconds`, `500 ms`.
pub(super) fn seconds(node: &Node<'_>) -> Result<Option<f64>, Fault> {
    quantity(node, |unit| match unit {
        "s" | "sec" | "secs" | "second" | "seconds" | "" => Some(1.0),
        "ms" | "millisecond" | "milliseconds" => Some(0.001),
        "minute" | "minutes" => Some(60.0),
        _ => None,
    })
}

/// `256 megabytes`, `262144 kb`; rounded up to whole MiB.
pub(super) fn mebibytes(node: &Node<'_>) -> Result<Option<u64>, Fault> {
    let size = quantity(node, |unit| match unit {
        "mb" | "mib" | "megabyte" | "megabytes" | "" => Some(1.0),
        "kb" | "kib" | "kilobyte" | "kilobytes" => Some(1.0 / 1024.0),
        "gb" | "gib" | "gigabyte" | "gigabytes" => Some(1024.0),
        "b" | "byte" | "bytes" => Some(1.0 / (1024.0 * 1024.0)),
        _ => None,
    });
    Ok(size?.map(|size| size.ceil() as u64))
}

/// A number with a unit; none for an empty text.
fn quantity(node: &Node<'_>, unit: impl Fn(&str) -> Option<f64>) -> Result<Option<f64>, Fault> {
    let text = match node.text() {
        Ok(text) => text.trim().to_lowercase(),
        Err(_) => node.number()?.to_string(),
    };
    if text.is_empty() {
        return Ok(None);
    }
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, name) = text.split_at(digits);
    let number: Option<f64> = number.parse().ok();
    match number.zip(unit(name.trim())) {
        // A day and a TiB are far beyond any real limit; what is above would overflow further on.
        Some((number, unit)) if number > 0.0 && number * unit <= 1_048_576.0 => {
            Ok(Some(number * unit))
        }
        _ => Err(node.fault(format!(
            "is \"{text}\", which is no limit with a known unit"
        ))),
    }
}
