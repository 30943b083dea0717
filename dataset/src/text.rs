//! Texts as what they say: normalised, as words, as runs of words.

use std::hash::{Hash, Hasher};

/// The words of a text, in lower case: runs of letters and digits. What parts them does not matter.
pub fn words(text: &str) -> Vec<String> {
    let split = text.split(|c: char| !c.is_alphanumeric());
    split
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// A text with one space between what stands apart.
pub fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The hashes of all runs of `length` words, in order. A text of fewer words is one run.
pub fn runs(words: &[String], length: usize) -> Vec<u64> {
    if words.is_empty() {
        return Vec::new();
    }
    let length = length.min(words.len());
    words.windows(length).map(hash_words).collect()
}

/// The hash of words in their order, the same on every machine.
fn hash_words(words: &[String]) -> u64 {
    let mut hasher = Fnv::default();
    words.hash(&mut hasher);
    hasher.finish()
}

/// FNV-1a (Fowler, Noll, Vo), 64 bits: short keys, the same result in every process, which the standard library's hasher does
/// not promise.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
