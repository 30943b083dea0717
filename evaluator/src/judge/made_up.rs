//! Outputs that are made up, and which failure on one is a rejection of it.

use std::sync::LazyLock;

use super::checker_word;

/// Made-up outputs. A checker that works decides about one of them at least. The last are for one that reads as many lines
/// and words as it expects.
pub(super) static PLAIN_OUTPUTS: LazyLock<[Vec<u8>; 9]> = LazyLock::new(|| {
    let [nothing, zero, one, row, word, list] =
        ["", "0\n", "1\n", "1 2 3\n", "YES\n", "2\n1 2\n"].map(Vec::from);
    let [numbers, words] = ["1 ", "a "].map(|word| [&word.repeat(32), "\n"].concat().repeat(32));
    let (numbers, words) = (Vec::from(numbers), Vec::from(words));
    let lines = one.repeat(32);
    [nothing, zero, one, row, word, list, lines, numbers, words]
});

/// The length of a word that is long.
pub(super) const LONG: usize = 32 << 20;

/// An output that is no text: a checker in Python that reads it fails on it in a way of its own.
pub(super) const NO_TEXT: &[u8] = b"\xff\xfe\xfa\n";

/// Whether a program fails so on purpose: by an assertion, by saying so, or by a status that is not that of what nobody caught.
pub(super) fn is_refusal(failure: &str) -> bool {
    const UNCAUGHT: [&str; 4] = ["Error", "Exception", "panic", "goroutine"];
    const STATUSES: [&str; 3] = [
        "exited with status 1:",
        "exited with status 2:",
        "exited with status 101:",
    ];
    let is_of_crash = STATUSES.iter().any(|status| failure.starts_with(status))
        && UNCAUGHT.iter().any(|word| failure.contains(word));
    let is_own = failure.starts_with("exited with status") && !is_of_crash;
    let is_said = failure.starts_with(checker_word::SAYS_IT_FAILS);
    let is_asserted = failure.contains("ssertion") || failure.starts_with("was ended by signal 6");
    is_own || is_said || is_asserted
}

/// The expected answer with more behind it, as outputs that begin with a value have.
pub(super) fn made_of(answer: &[u8]) -> Vec<Vec<u8>> {
    let rest = PLAIN_OUTPUTS.iter().filter(|output| !output.is_empty());
    rest.map(|rest| [answer.trim_ascii_end(), b"\n", rest].concat())
        .collect()
}
