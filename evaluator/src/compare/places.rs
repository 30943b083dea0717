//! Where in an output the things stand that a statement asks for one after the other.

use super::evidence::Share;
use super::tokenize::tokens;
use super::whitespace::lines;

/// Where those of them stand that something is said of.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    share: Share,
    /// Each thing has a line of its own; otherwise each line has them all.
    in_lines: bool,
}

impl Places {
    /// Their places in an expected output, of which this is the head; `None` if it does not show them.
    pub(crate) fn find(share: &Share, head: &[u8]) -> Option<Places> {
        let mut counts = lines(head).map(|line| values(share, line.bytes).count());
        let first = counts.next()?;
        let count = 1 + counts.clone().count();
        let in_lines = first == 1 && share.of > 1;
        let are_all = match in_lines {
            true => count == share.of || share.repeats && count % share.of == 0,
            false => first == share.of,
        };
        let places = Places {
            share: share.clone(),
            in_lines,
        };
        (are_all && counts.all(|count| count == first)).then_some(places)
    }

    /// Whether what is said is said of the line at this place.
    pub(crate) fn has_line(&self, at: usize) -> bool {
        self.in_lines && self.has(at % self.share.of)
    }

    /// Whether it is said of what begins at this place of a line.
    pub(crate) fn has_value(&self, line: &[u8], start: usize) -> bool {
        let before = || {
            values(&self.share, line)
                .take_while(|at| *at < start)
                .count()
        };
        !self.in_lines && self.has(before())
    }

    fn has(&self, at: usize) -> bool {
        at < self.share.of && self.share.has(at)
    }
}

/// Where the values of a line begin: its words, but for those that say what they are.
fn values<'a>(share: &'a Share, line: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let is_label = |word: &[u8]| {
        std::str::from_utf8(word).is_ok_and(|word| share.is_label(word))
            || matches!(word, b"=" | b"-" | b":" | b",")
    };
    tokens(line)
        .filter(move |token| !is_label(token.bytes))
        .map(|token| token.start)
}
