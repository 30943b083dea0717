//! What words are made of, in the patterns that statements are read by.
//!
//! Unicode's own class of it has some 800 ranges, and a pattern without regard to letter case folds each. These modules have it a
//! thousand times: compiling them took seconds. Blocks of letters do as well, in both cases at once.

/// ASCII's as usual; beyond it Latin without the signs of arithmetic, the alphabets of Europe and Asia, and the scripts of East
/// Asia.
const WORD: &str = r"0-9A-Za-z_\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{1FFF}\x{2C00}-\x{2DFF}\x{3040}-\x{D7FF}\x{F900}-\x{FDFF}";

/// A pattern with these blocks for `\w` and what they leave for `\W`, and ASCII's digits for `\d`. A class in brackets that has
/// either has regard to letter case.
pub(super) fn with_blocks(pattern: &str) -> String {
    let (mut made, mut rest) = (String::new(), pattern);
    while let Some(at) = rest.find(['\\', '[']) {
        made.push_str(&rest[..at]);
        let (class, behind) = rest[at..].split_at(length(&rest[at..]));
        made.push_str(&translated(class));
        rest = behind;
    }
    made + rest
}

/// The length of the escape or of the class in brackets that a text begins with.
fn length(text: &str) -> usize {
    let is_class = text.starts_with('[');
    let mut marks = text.chars();
    while let Some(mark) = marks.next() {
        if mark == '\\' {
            marks.next();
        }
        if !is_class || mark == ']' {
            break;
        }
    }
    text.len() - marks.as_str().len()
}

fn translated(part: &str) -> String {
    let (word, other) = (format!("[{WORD}]"), format!("[^{WORD}]"));
    match part {
        r"\w" => format!("(?-i:{word})"),
        r"\W" => format!("(?-i:{other})"),
        r"\d" => "[0-9]".to_owned(),
        class if class.starts_with('[') && (class.contains(r"\w") || class.contains(r"\W")) => {
            let class = class.replace(r"\d", "0-9").replace(r"\w", WORD);
            format!("(?-i:{})", class.replace(r"\W", &other))
        }
        as_it_is => as_it_is.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::plain::pattern;

    #[test]
    fn words_are_those_of_any_alphabet() {
        for (text, word, rest) in [
            ("Bézout's", "Bézout", "'s"),
            ("ЧИСЛА: 1", "ЧИСЛА", ": 1"),
            ("数字 2", "数字", " 2"),
            ("a_1×2", "a_1", "×2"),
        ] {
            let [whole, one, marks] =
                [r"^\w+", r"^[\w]+", r"^[^\W]+"].map(|of| pattern(of).find(text).unwrap().as_str());
            assert_eq!([whole, one, marks], [word; 3]);
            assert!(
                pattern(r"^\W").is_match(rest) && pattern(r"^[\W]").is_match(rest),
                "{rest}"
            );
        }
    }

    #[test]
    fn what_stands_beside_them_stays() {
        for (text, of) in [
            ("P-1] x", r"^p[\w\]-]+ x$"),
            ("7:", r"^\d[^\d]$"),
            ("x^", r"^x[\^]$"),
            (r"\w", r"^\\w$"),
            (r"\w", r"^[\\]w$"),
            ("as S.", r"^A[sx] s\.$"),
        ] {
            assert!(pattern(of).is_match(text), "{of} in {text}");
        }
        assert!(!pattern(r"^\d$").is_match("٣"), "digits are those of ASCII");
    }
}
