//! What sentences are about, told by the words in them.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex::Regex;

use super::plain::pattern;

/// Words that stand for one thing; any of them is enough.
///
/// Each is a pattern of whole words, with a sentence that it is in.
#[derive(Debug)]
pub(super) struct Concept {
    words: &'static [(&'static str, &'static str)],
    pattern: OnceLock<Regex>,
}

impl Concept {
    /// The concept of these words.
    pub(super) const fn new(words: &'static [(&'static str, &'static str)]) -> Concept {
        Concept {
            words,
            pattern: OnceLock::new(),
        }
    }

    /// Whether a sentence speaks of it.
    pub(super) fn is_in(&self, sentence: &str) -> bool {
        self.pattern().is_match(sentence)
    }

    /// Where in a sentence it is first spoken of.
    pub(super) fn place_in(&self, sentence: &str) -> Option<usize> {
        self.pattern().find(sentence).map(|found| found.start())
    }

    /// Where the last words for it end.
    pub(super) fn last_end_in(&self, sentence: &str) -> Option<usize> {
        let last = self.pattern().find_iter(sentence).last();
        last.map(|found| found.end())
    }

    /// How often a sentence speaks of it.
    pub(super) fn count_in(&self, sentence: &str) -> usize {
        self.pattern().find_iter(sentence).count()
    }

    /// A sentence without the words for it.
    pub(super) fn taken_from<'a>(&self, sentence: &'a str) -> Cow<'a, str> {
        self.pattern().replace_all(sentence, "")
    }

    fn pattern(&self) -> &Regex {
        self.pattern.get_or_init(|| {
            let words: Vec<&str> = self.words.iter().map(|(words, _)| *words).collect();
            whole_words(&words.join("|"))
        })
    }
}

fn whole_words(alternatives: &str) -> Regex {
    pattern(&format!(r"\b(?:{alternatives})(?:\b|$)"))
}

#[cfg(test)]
impl Concept {
    /// Asserts that each word is found in its sentence.
    pub(super) fn assert_examples(&self) {
        for (words, sentence) in self.words {
            assert!(
                whole_words(words).is_match(sentence),
                "{words:?} is not in {sentence:?}"
            );
        }
    }
}
