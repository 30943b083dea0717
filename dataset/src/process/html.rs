//! HTML as plain text that keeps tables, lists, blocks of code, and powers and indices.

use std::sync::LazyLock;

use regex::Regex;

/// So wide that no paragraph is broken into lines.
const WIDTH: usize = 100_000;

/// Tags that make the structure of a page. Problems about HTML show others, such as `<b>`.
static STRUCTURE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)</(?:p|div|pre|ul|ol|li|table|tr|td|h[1-6]|section)>|<br ?/?>")
        .expect("a fixed pattern")
});
static OPENING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\A\s*<(?:p|div|section|h[1-6]|span)\b[^>]*>").expect("a fixed pattern")
});
static POWER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?is)<sup[^>]*>(.*?)</sup>").expect("a fixed pattern"));
static INDEX: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?is)<sub[^>]*>(.*?)</sub>").expect("a fixed pattern"));
static IMAGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)<img\b[^>]*>|!\[[^\]]*\]\([^)]*\)|https?://\S+\.(?:png|jpe?g|gif|svg)\b"#)
        .expect("a fixed pattern")
});
static BLANK_LINES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\n{3,}").expect("a fixed pattern"));

/// Whether a text is written in HTML.
pub fn is_html(text: &str) -> bool {
    OPENING.is_match(text) || STRUCTURE.find_iter(text).nth(1).is_some()
}

/// An image that a text shows: what it says may be nowhere else.
pub fn image(text: &str) -> Option<String> {
    IMAGE.find(text).map(|found| found.as_str().to_owned())
}

/// HTML as text: `10<sup>5</sup>` as `10^5`, `a<sub>i</sub>` as `a_i`, images as Markdown's.
pub fn html_to_text(html: &str) -> String {
    let html = POWER.replace_all(html, |found: &regex::Captures<'_>| mark('^', &found[1]));
    let html = INDEX.replace_all(&html, |found: &regex::Captures<'_>| mark('_', &found[1]));
    let images = IMAGE.replace_all(&html, |found: &regex::Captures<'_>| kept_image(&found[0]));
    let written = html2text::config::plain_no_decorate()
        .no_table_borders()
        .string_from_read(images.as_bytes(), WIDTH);
    let text = written.unwrap_or_else(|_| images.into_owned());
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    BLANK_LINES
        .replace_all(lines.join("\n").trim(), "\n\n")
        .into_owned()
}

/// A power or an index, in brackets unless it is one word.
fn mark(mark: char, inner: &str) -> String {
    match inner.chars().all(char::is_alphanumeric) {
        true => format!("{mark}{inner}"),
        false => format!("{mark}({inner})"),
    }
}

/// An image's tag would vanish; its Markdown stays.
fn kept_image(image: &str) -> String {
    static SOURCE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"(?i)src\s*=\s*["']?([^"'\s>]+)"#).expect("a fixed pattern"));
    match SOURCE.captures(image) {
        Some(source) => format!("![image]({})", &source[1]),
        None => image.to_owned(),
    }
}
