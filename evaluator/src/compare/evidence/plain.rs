//! A statement as sentences of plain text.

use std::sync::LazyLock;

use regex::Regex;

/// Marks and what they stand for, in the order in which they are replaced.
const MARKS: [(&str, &str); 18] = [
    ("\nYou ", "\n\nYou "),
    ("\nReturn ", "\n\nReturn "),
    ("\nPrint ", "\n\nPrint "),
    ("\nOutput ", "\n\nOutput "),
    ("10**-", "10^-"),
    ("<sup>", "^"),
    ("</sup>", ""),
    ("&nbsp;", " "),
    ("\\cdot", "*"),
    ("\\times", "*"),
    ("\\,", " "),
    ("\\;", " "),
    ("\\left", ""),
    ("\\right", ""),
    ("\\max", "max"),
    ("\\(", " "),
    ("\\)", " "),
    ("**", ""),
];

/// A mark that ends a sentence, a blank line, or the next item of a list.
static SENTENCE_END: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[.!?;]+[\s)]+|\n\s*\n|\n\s*[-•]\s"));

/// Space, and single line ends within a paragraph.
static SPACES: LazyLock<Regex> = LazyLock::new(|| pattern(r"[ \t]*\n[ \t]*(?P<keep>\n)?|[ \t]+"));

pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(&format!("(?is){text}")).expect("the patterns of these modules are valid")
}

/// The sentences of a plain text.
pub(super) fn sentences(plain: &str) -> impl Iterator<Item = &str> {
    SENTENCE_END.split(plain)
}

/// The statement without the marks of LaTeX, HTML and Markdown that split the phrases looked for.
pub(super) fn plain(statement: &str) -> String {
    let mut text = String::with_capacity(statement.len());
    let mut raised = false;
    for c in statement.chars() {
        if let Some(low) = lowered(c) {
            if !raised {
                text.push('^');
            }
            raised = true;
            text.push(low);
            continue;
        }
        raised = false;
        match c {
            '−' | '–' | '‑' | '—' => text.push('-'),
            '×' | '·' | '⋅' => text.push('*'),
            '\u{a0}' | '~' => text.push(' '),
            '$' | '{' | '}' | '`' | '_' => {}
            _ => text.push(c),
        }
    }
    let text = MARKS
        .iter()
        .fold(text, |text, (mark, plain)| text.replace(mark, plain));
    SPACES.replace_all(&text, " ").into_owned()
}

/// The plain form of a superscript.
fn lowered(c: char) -> Option<char> {
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
    RAISED
        .chars()
        .zip("0123456789-".chars())
        .find(|(raised, _)| *raised == c)
        .map(|(_, low)| low)
}

/// A sentence as it is shown.
pub(super) fn quote(sentence: &str) -> String {
    crate::compare::difference::cap(sentence.trim())
}
