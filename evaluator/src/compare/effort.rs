//! How large an expected text may be for strategies that look at each of its items several times, or hold them.
//!
//! Beyond that they are not tried: no output that a program may write costs a second, whatever is expected.

use super::tokenize::tokens;
use super::whitespace::lines;

/// What may be spent on a text, counted in its bytes.
const MOST: usize = 64 << 20;

/// What a token costs beside its bytes.
const TOKEN: usize = 16;

/// Rows that may stand in another place, each of which is held with its hash.
pub(crate) const MOST_MOVED: usize = 500_000;

/// Tokens that may be left to sort by what they say, and the bytes of them.
pub(crate) const MOST_SORTED: usize = 250_000;
pub(crate) const MOST_BYTES_SORTED: usize = 8 << 20;

/// Whether a text is small enough for them.
pub(crate) fn is_affordable(text: &[u8]) -> bool {
    // No two tokens stand side by side.
    let most_tokens = text.len().div_ceil(2);
    let tokens = || lines(text).map(|line| tokens(line.bytes).count()).sum();
    let fits = |tokens: usize| text.len() + TOKEN * tokens <= MOST;
    fits(most_tokens) || text.len() <= MOST && fits(tokens())
}
