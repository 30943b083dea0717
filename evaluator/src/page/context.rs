//! The lines about the first difference of two outputs.

use serde::Serialize;

/// Lines before and after it.
const AROUND: usize = 3;
/// Characters of a line that are shown.
const WIDTH: usize = 400;

/// Lines of both outputs, as far as they are known.
#[derive(Debug, Serialize)]
pub(super) struct Context {
    /// The number of the first, from 1.
    from: usize,
    expected: Vec<String>,
    actual: Vec<String>,
}

impl Context {
    /// About a line, counted from 1.
    pub(super) fn about(line: usize, expected: Option<&str>, actual: Option<&str>) -> Context {
        let from = line.saturating_sub(AROUND).max(1);
        let lines = |text: Option<&str>| {
            let lines = text.unwrap_or_default().lines();
            let about = lines.skip(from - 1).take(line + AROUND + 1 - from);
            about.map(|line| head(line, WIDTH)).collect()
        };
        Context {
            from,
            expected: lines(expected),
            actual: lines(actual),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.expected.is_empty() && self.actual.is_empty()
    }
}

/// The start of a text; an ellipsis stands for the rest.
pub(super) fn head(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
