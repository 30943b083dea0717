//! What a source says outside of comments and quotes, in a language that has C's; and outside of braces too.

use std::sync::LazyLock;

use regex::{Captures, Regex};

static TEXTS: LazyLock<Regex> = LazyLock::new(|| {
    let comments = r"//[^\n]*|(?s:/\*.*?\*/)";
    let quotes = r#"(?s:"""(?:\\.|[^\\])*?""")|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"#;
    Regex::new(&format!("{comments}|{quotes}")).expect("a pattern that was tested")
});

/// `source` with a space in place of each comment and each quoted text.
pub(super) fn without_texts(source: &str) -> String {
    TEXTS
        .replace_all(source, |_: &Captures<'_>| " ")
        .into_owned()
}

/// The same with nothing of what its braces hold.
pub(super) fn outline(source: &str) -> String {
    let mut outline = String::new();
    let mut depth = 0_usize;
    for c in without_texts(source).chars() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                outline.push(' ');
            }
            c if depth == 0 => outline.push(c),
            _ => {}
        }
    }
    outline
}
