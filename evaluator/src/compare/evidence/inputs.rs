//! Whether the section on the input tells of several inputs, for each of which the one on the output asks.
//!
//! `Each of the following q lines contains an integer n`, and then `print the divisors of n`: the output holds the answers of
//! several tests, though no word says so.

use std::sync::LazyLock;

use regex::Regex;

use super::plain::pattern;
use super::section::Section;
use super::sentence::Sentence;

/// What each of several lines holds alone, by its letter.
static OF_EACH_LINE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:(?:each|every)(?: other)?(?: of (?:the|these|those))? (?:[\w-]+ ){0,3}lines?(?: of the input)?(?: \w+)? (?:contains?|has|holds?|gives?|is)|lines?[^.;]{0,20}, each (?:with|containing|holding)) (?:(?:an?|one|a single|exactly one|the) )?(?:(?:positive|natural|single|whole) )*(?:integer |number |value |word |string )?([b-z])\b[^,]*$|\b(?:sequence|list|series) of (?:\w+ )?(?:integers|numbers|words|strings) ([b-z]), (?:one|each) (?:per|on|in)\b",
    )
});

/// What is asked for goes by that letter.
static BY_LETTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:of|in|from|to|than|dividing|divides?|into|for|up to|below|under) (?:the )?(?:given )?(?:number |integer |value |word |string )?([b-z])\b",
    )
});

/// Several of a kind, as they are read.
static SEVERAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:several|multiple|many|(?:sequence|list|series|number) of|followed by|then) (?:the |some |several )?((?:\w+ )?\w+)s\b(?:,? (?:(?:each on|one per|each in|on separate|one on)\b|to be\b|(?:terminated|ended) (?:by|with)\b))",
    )
});

/// One of a kind, of which the output tells.
static OF_ONE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:of|from|for|in|to) the (?:given )?((?:\w+ )?\w+)\b"));

/// Reading that ends by a sign.
static UNTIL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:process|handle) (?:\w+ ){0,3}(?:lines?|words?|numbers?|input)\b.{0,30}\buntil\b|\b[b-z] ?= ?0\b.{0,40}\b(?:end|terminat|mark)\w*|\b(?:end|terminat|stop|mark)\w* (?:\w+ ){0,4}[b-z] ?= ?0\b",
    )
});

/// Whether a statement has several inputs in one.
pub(super) fn are_several(sentences: &[Sentence<'_>]) -> bool {
    let of = |section| {
        let texts = sentences.iter().filter(move |of| of.section == section);
        texts.map(|sentence| sentence.text.to_lowercase())
    };
    let output: Vec<String> = of(Section::Output).collect();
    let told = |pattern: &Regex, name: &str| {
        let mut found = output.iter().flat_map(|text| pattern.captures_iter(text));
        found.any(|found| found[1] == *name || found[1].split(' ').next() == Some(name))
    };
    of(Section::Input).any(|text| {
        UNTIL.is_match(&text)
            || OF_EACH_LINE
                .captures_iter(&text)
                .filter_map(|found| found.get(1).or(found.get(2)))
                .any(|letter| told(&BY_LETTER, letter.as_str()))
            || SEVERAL
                .captures_iter(&text)
                .any(|found| told(&OF_ONE, &found[1]))
    })
}

#[cfg(test)]
mod tests {
    use super::super::sentence::read;
    use super::*;

    fn has_several(input: &str, output: &str) -> bool {
        are_several(&read(&format!("Input\n\n{input}\n\nOutput\n\n{output}")))
    }

    #[test]
    fn inputs_in_one() {
        let divisors = "Print the divisors of n in any order.";
        for input in [
            "The first line contains q. Each of the following q lines contains one integer n.",
            "Every other line has an integer n.",
            "There may be many lines of input, each with one integer n.",
        ] {
            assert!(has_several(input, divisors), "{input}");
        }
        assert!(has_several(
            "A list of words, one per line.",
            "Print the anagrams of the word."
        ));
        assert!(has_several(
            "Process lines until you read #.",
            "Print the anagrams."
        ));
    }

    #[test]
    fn one_input() {
        let divisors = "Print the divisors of n in any order.";
        for input in [
            "The first line contains an integer n.",
            "The only line contains n. Each of the next n lines contains a word.",
            "Each of the next n lines contains two integers x and y.",
        ] {
            assert!(!has_several(input, divisors), "{input}");
        }
        assert!(!has_several(
            "A list of words, one per line.",
            "Print the words in any order."
        ));
    }
}
