//! Whether a problem has several right answers, as its statement says: such a problem needs a checker of its own.
//!
//! Said of few rather than of many: where the words could mean another thing, nothing is said.

use super::plain::{quote, sentences};
use super::words::{ANY_ANSWER, ANY_OF_SEVERAL, SEVERAL};

/// The sentence by which a statement accepts more than one answer, beyond one answer in another order or letter case.
///
/// ```
/// use evaluator::compare::several_answers;
///
/// let said = several_answers("Print n numbers. If there are several answers, print any of them.");
/// assert_eq!(said.as_deref(), Some("If there are several answers, print any of them."));
/// assert_eq!(several_answers("If there are several answers, print the smallest."), None);
/// ```
pub fn several_answers(statement: &str) -> Option<String> {
    // A word about a problem decides nothing, and is not looked for in more than anybody reads.
    if statement.len() > super::LONGEST {
        return None;
    }
    let plain = super::plain::plain(statement);
    sentences(&plain)
        .find(|sentence| {
            let sentence = sentence.trim().trim_end_matches('.');
            ANY_ANSWER.is_in(sentence) || SEVERAL.is_in(sentence) && ANY_OF_SEVERAL.is_in(sentence)
        })
        .map(quote)
}
