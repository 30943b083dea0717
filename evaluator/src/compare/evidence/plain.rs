//! A statement as sentences of plain text.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::word_class;

/// Marks and what they stand for, in the order in which they are replaced.
const MARKS: [(&str, &str); 19] = [
    ("\nGiven ", "\n\nGiven "),
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

/// A mark that ends a sentence, or the end of a paragraph or of an item of a list.
static SENTENCE_END: LazyLock<Regex> = LazyLock::new(|| pattern(r"[.!?;]+[\s)]+|\n\n"));

/// A line that is the heading of a section, between marks maybe: `Output`, `-----Output-----`, `## Output`.
static HEADING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?m)^[-=#* \t]*(?:input|output|(?:input|output) (?:format|specification|data)|(?:sample|example)s?(?: (?:input|output)s?)?(?: \d+)?|notes?|constraints|explanations?)[-=:* \t]*\r?$",
    )
});

/// Where a program reads and writes, as Codeforces puts it above a statement: no headings.
static STREAMS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?m)^(?:input|output) *\r?\n(standard (?:input|output)|[\w.]+\.\w+) *\r?$")
});

/// Space, with the line ends in it, and what begins the next item of a list behind it.
static SPACES: LazyLock<Regex> = LazyLock::new(|| pattern(r"\s+([-•] )?"));

/// A pattern whatever the letter case, in which `.` is any character, and `\w`, `\W` and `\d` are those of `word_class`.
pub(super) fn pattern(text: &str) -> Regex {
    let text = word_class::with_blocks(text);
    Regex::new(&format!("(?is){text}")).expect("the patterns of these modules are valid")
}

/// The sentences of a plain text.
pub(super) fn sentences(plain: &str) -> impl Iterator<Item = &str> {
    let sentences = SENTENCE_END.split(plain).map(out_of_brackets);
    sentences.filter(|sentence| !sentence.trim().is_empty())
}

/// A sentence that stands in brackets as a whole, without them: `(answers within 1e-2 are accepted)`.
fn out_of_brackets(sentence: &str) -> &str {
    let trimmed = sentence.trim().trim_end_matches(['.', '!', ';']);
    let inner = trimmed.strip_prefix('(');
    let inner = inner.and_then(|rest| rest.strip_suffix(')'));
    inner
        .filter(|inner| !inner.contains(['(', ')']))
        .unwrap_or(sentence)
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
    let text = STREAMS.replace_all(&text, "$1");
    let text = HEADING
        .replace_all(&text, |found: &Captures<'_>| {
            let words = found[0].trim_matches(|c: char| !c.is_alphanumeric());
            format!("\n\n{words}\n\n")
        })
        .into_owned();
    let text = MARKS
        .iter()
        .fold(text, |text, (mark, plain)| text.replace(mark, plain));
    let spaces = |found: &Captures<'_>| match found[0].matches('\n').count() {
        0 => " ".to_owned() + found.get(1).map_or("", |mark| mark.as_str()),
        1 if found.get(1).is_none() => " ".to_owned(),
        _ => "\n\n".to_owned(),
    };
    SPACES.replace_all(&text, spaces).into_owned()
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
