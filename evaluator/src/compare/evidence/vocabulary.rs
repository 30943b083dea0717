//! The words that a statement asks to print: those in quotes, in code, or in capitals.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::plain::pattern;

/// A word of letters between marks that set it off: quotes, backticks, `\texttt{...}`, `\t{...}`, `<code>`, `**`.
static SET_OFF: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?:["'“”‘’`]|\\(?:texttt|textbf|text|mathtt|t|bf)\{|<(?:code|tt|b|strong)>|\*\*)([[:alpha:]]{2,30})(?:["'“”‘’`}]|</|\*\*)"#,
    )
});

/// A word in capitals. Shorter ones are variables and abbreviations as a rule.
static CAPITALS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b[A-Z]{2,30}\b").expect("the pattern is valid"));

/// These words in lower case.
pub(super) fn of(statement: &str) -> BTreeSet<String> {
    let set_off = SET_OFF
        .captures_iter(statement)
        .filter_map(|found| Some(found.get(1)?.as_str()));
    let capitals = CAPITALS.find_iter(statement).map(|found| found.as_str());
    set_off.chain(capitals).map(str::to_lowercase).collect()
}
