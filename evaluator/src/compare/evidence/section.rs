//! The sections that a statement is divided into.

use std::sync::LazyLock;

use regex::Regex;

use super::plain::pattern;

/// Which section of a statement a sentence is in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Section {
    /// The problem itself, or what no heading tells.
    #[default]
    Story,
    /// What is read.
    Input,
    /// What is printed.
    Output,
    /// Examples, with headings of their own for what is read and what is printed.
    Examples,
    /// One of these, explanations, limits.
    Aside,
}

/// `Examples`, `Sample 1`.
static EXAMPLES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\W*(?:examples?|samples?)(?: (?:tests?|cases?))?(?: \d+)?\W*$"));

/// A heading that no example has.
static FORMAT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\W*(?:in|out)put (?:format|specification)\b"));

/// `Input`, `## Input format`, `Input: the first line contains n`.
static INPUT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\W*(?:standard )?input(?: (?:format|specification|data))?(?:\W*$|:)")
});

static OUTPUT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\W*(?:standard )?output(?: (?:format|specification|data))?(?:\W*$|:)")
});

/// `Example 1: n = 3`, `Sample Input`, `Note In the first test the answer is 2`; but not `Note that`.
static ASIDE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:(?:examples?|samples?|sample (?:input|output|test)s?|explanation|constraints?|hints?|notes?|scoring|subtasks?|follow[- ]?up|limits)(?: \d+)?(?::|\W*$)|(?:examples?|notes?|explanation) (?:in|for|of|input|the|if|\d))",
    )
});

impl Section {
    /// The section of a sentence that comes next.
    pub(super) fn followed_by(self, sentence: &str) -> Section {
        match () {
            () if EXAMPLES.is_match(sentence) => Section::Examples,
            () if ASIDE.is_match(sentence) => Section::Aside,
            () if self == Section::Examples && !FORMAT.is_match(sentence) => self,
            () if INPUT.is_match(sentence) => Section::Input,
            () if OUTPUT.is_match(sentence) => Section::Output,
            () => self,
        }
    }

    /// Whether what it says may be about the output.
    pub(super) fn may_be_of_output(self) -> bool {
        matches!(self, Section::Story | Section::Output)
    }
}
