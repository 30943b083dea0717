//! The words that a statement asks to print: those in quotes, in code or in capitals, and names.

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

/// A word with a capital, such as a name.
static CAPITALISED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b[A-Z][a-z]{2,29}\b").expect("the pattern is valid"));

/// Whether what follows goes on with a sentence, in which a capital is not that of its first word.
fn goes_on(before: &str) -> bool {
    let last = before.trim_end_matches(' ').chars().next_back();
    last.is_some_and(|c| c.is_alphanumeric() || matches!(c, ',' | ':' | '('))
}

/// These words in lower case.
pub(super) fn of(statement: &str) -> BTreeSet<String> {
    let set_off = SET_OFF
        .captures_iter(statement)
        .filter_map(|found| Some(found.get(1)?.as_str()));
    let capitals = CAPITALS.find_iter(statement).map(|found| found.as_str());
    let names = CAPITALISED
        .find_iter(statement)
        .filter(|found| goes_on(&statement[..found.start()]))
        .map(|found| found.as_str());
    let words = set_off.chain(capitals).chain(names);
    words.map(str::to_lowercase).collect()
}
