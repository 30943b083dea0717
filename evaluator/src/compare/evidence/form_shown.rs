//! How a statement shows the form of what is printed: by an example, by its sample, by letters in brackets.
//!
//! Whoever shows it means it to the character, be it in a sentence that goes on to speak of a value: `rounded to 2 decimal
//! places (i.e., 1.23 format)`.

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::number_words::{ALWAYS, GIVEN, MANY_PLACES, OF_VALUE, READ, SHOWN, SHOWS_PLACES};
use super::plain::pattern;
use super::words::{OUTPUT, RETURN};

/// A number with few enough decimals to be looked at, behind words for a form or before them.
static EXAMPLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"\b\d+\.\d{1,4}\W{0,2} (?:format|form|style|notation)\b",
        r"|\b(?:form|format|style|manner)\b[^;]{0,60}?\b\d+\.\d{1,4}\b",
        r"|\b(?:like|as|such as|e\.g\.?|i\.e\.?|for example|for instance|as follows|(?:as )?(?:shown|given|described)?(?: here)? below),?\W{1,4}(?:[\w ]{1,20}[:=] ?)?\d+\.\d{1,4}\b",
    ))
});

/// That an example of what is asked for comes next.
static BEFORE_EXAMPLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:e\.g|i\.e)\W*$|\b(?:form|format|style|manner|way|layout|as follows|below|like this|so)\b[^:;]{0,40}:\W*$",
    )
});

/// One that is no more than that.
static NUMBER_SHOWN: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b\d+\.\d{1,4}\b"));

/// That the form is the sample's.
static AS_SAMPLE: Concept = Concept::new(&[
    (
        r"(?:match|follow|adhere|conform|correspond|stick)\w*(?: to| with)? (?:exactly )?(?:the |an? )?(?:(?:output|exact|same) )?(?:format |form |layout )?(?:\w+ ){0,3}(?:samples?|examples?)",
        "Please follow the format presented in a sample output.",
    ),
    (
        r"(?:samples?|examples?)(?: outputs?)?\b[^;]{0,30}\b(?:for (?:the|its) (?:\w+ )?(?:format|form|layout)|exactly)|exactly (?:as|like) (?:\w+ ){0,3}(?:samples?|examples?)",
        "See the sample output for the exact format.",
    ),
]);

/// The same, in words that say it of lists alone: of a number they may speak of the line that it is on.
static LIST_AS_SAMPLE: Concept = Concept::new(&[(
    r"(?:as|like) (?:shown |given )?in the (?:\w+ ){0,2}(?:samples?|examples?)|(?:format|form|style) (?:\w+ ){0,2}in the (?:\w+ )?(?:samples?|examples?)",
    "Print the point as in the sample.",
)]);

/// With how many places a value is shown, in words that speak of its precision.
static PRECISION_SHOWN: Concept = Concept::new(&[
    (
        r"(?:[1-4]|one|two|three|four)[- ](?:decimal )?digits?(?: of)? precision|(?:with|to) (?:an? )?precision (?:of )?[1-4]|precision of (?:exactly )?(?:[1-4]|one|two|three|four) (?:decimals?|(?:decimal |fractional )?(?:digits?|places?))|scale of (?:[1-4]|one|two|three|four)",
        "Print the average with a scale of two.",
    ),
    (
        r"correct to (?:exactly )?(?:[1-4]|one|two|three|four) (?:decimals?|decimal (?:places?|digits?)|(?:digits?|places?) (?:after|behind) the)",
        "Print the area correct to 2 decimal places.",
    ),
]);

/// A format by its name, and how wide it is: what is said of a value beside it leaves that as it is.
static FORMAT: Concept = Concept::new(&[
    (
        r"\d+l?f|setprecision|tofixed|string\.format|decimalformat|fixed[- ]point (?:number|value|form|notation)|fixed notation|x+\.x+|n\.n+|x\.y+|d\.d+|0\.00\W{0,2} (?:format|form)",
        "Print it rounded to two decimals, with %.2f.",
    ),
    (
        r"(?:field|column) (?:of|with) (?:an? )?(?:minimum |total )?(?:width|size) (?:of )?\d+|width \d+|width of \d+ (?:characters?|columns?|places)|\d+ (?:characters?|columns?|places) wide|(?:right|left)[- ](?:aligned|justified)",
        "Print it rounded to 2 decimals in a field of width 8.",
    ),
    (
        r"(?:always|both|all|including|keep\w*|pad\w*|fill\w*) (?:(?:the|its|these|with|up|show\w*|print\w*|display\w*|trailing|exactly|one|two|three|four|both|all|\d) )*(?:decimals?|decimal places|decimal digits|digits|zeroe?s)|even if (?:\w+ ){1,3}zeroe?s?",
        "Print it rounded to 2 decimals, always showing both decimals.",
    ),
]);

/// One by marks for its digits: `#.##`, `#,##0.00`.
static MARKS: LazyLock<Regex> = LazyLock::new(|| pattern(r"#[#0,]*\.[#0]+|0\.#+"));

/// Digits of which a zero at the end is one, as they are not said to be those of a rounded value.
static SIGNIFICANT: Concept = Concept::new(&[(
    r"(?:with|using|show\w*|display\w*|format\w*(?: \w+){0,3}? to|exactly|precisely) (?:exactly |precisely )?(?:[1-6]|one|two|three|four|five|six) significant (?:digits|figures)",
    "Print it with 4 significant digits.",
)]);

/// How a program computes, which says nothing of what it prints.
static TYPE: Concept = Concept::new(&[(
    r"(?:double|single|floating[- ]point|high|higher|extended|arbitrary)[- ]precision",
    "Use double precision.",
)]);

/// Letters in brackets that stand for what is printed.
static LETTERS_IN_BRACKETS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"\b(?:form|format|as|like|notation|intervals?|segments?|ranges?|pairs?|points?|lists?)(?: of)?:? ?["'“‘]?[\[(][a-z][^\[\]();]{0,8}(?:, ?[^\[\](),;]{1,12})+[\])]"#,
    )
});

/// A list in brackets that shows a form, by its numbers.
static LIST_SHOWN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\b(?:form|format)\b[^;]{0,30}[:"'“‘ ][\[(]\d+(?:, ?\d+)+[\])]"#));

/// Whether a sentence says, of what is printed, that it has decimals, few enough to be looked at.
///
/// `asked` is the sentence before, if that asks for output; `in_section`: this one is in the section on the output.
pub(super) fn shows_places(sentence: &str, asked: Option<&str>, in_section: bool) -> bool {
    let is_asked = asked.is_some() || in_section;
    let is_of_output = OUTPUT.is_in(sentence) || is_asked && !READ.is_in(sentence);
    let is_shown = OUTPUT.is_in(sentence)
        || ALWAYS.is_in(sentence) && !GIVEN.is_in(sentence)
        || !READ.is_in(sentence) && (is_asked || SHOWN.is_in(sentence));
    let is_next = asked.is_some_and(|asked| BEFORE_EXAMPLE.is_match(asked));
    let by_example = EXAMPLE.is_match(sentence) || is_next && NUMBER_SHOWN.is_match(sentence);
    let shows = SHOWS_PLACES.is_in(sentence) && !MANY_PLACES.is_in(sentence);
    let is_of_value = OF_VALUE.is_in(&TYPE.taken_from(sentence));
    let has_format =
        (FORMAT.is_in(sentence) || MARKS.is_match(sentence)) && !MANY_PLACES.is_in(sentence);
    is_of_output && (by_example || PRECISION_SHOWN.is_in(sentence) || AS_SAMPLE.is_in(sentence))
        || is_shown && (has_format || shows && !is_of_value)
        || is_shown && SIGNIFICANT.is_in(sentence) && !is_of_value
}

/// Whether a sentence shows how a list is written that is printed, rather than returned.
pub(super) fn shows_list(sentence: &str, is_asked: bool) -> bool {
    let is_of_output = OUTPUT.is_in(sentence) || is_asked;
    let is_written = LETTERS_IN_BRACKETS.is_match(sentence) || LIST_SHOWN.is_match(sentence);
    is_of_output
        && !RETURN.is_in(sentence)
        && (is_written || AS_SAMPLE.is_in(sentence) || LIST_AS_SAMPLE.is_in(sentence))
}

/// Brackets that hold nothing, behind a word for how something is printed.
static EMPTY_SHOWN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"\b(?:print|output|write|display|shown?|written|printed|represented|denoted|given|as|by|like|form|format)(?: [\w-]+){0,6}:? ?["'`“‘$]{0,2}(?:\[\]|\\?\{\\?\})"#,
    )
});

/// Whether a statement, with its marks, shows how what is empty is written.
pub(super) fn shows_empty(statement: &str) -> bool {
    EMPTY_SHOWN.is_match(statement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [
            &AS_SAMPLE,
            &LIST_AS_SAMPLE,
            &PRECISION_SHOWN,
            &FORMAT,
            &SIGNIFICANT,
            &TYPE,
        ] {
            concept.assert_examples();
        }
    }

    #[test]
    fn places() {
        for sentence in [
            "Print the average in the form \"Name: 2.50 points\".",
            "Print it rounded to a scale of 3 decimal places (i.e., 1.234 format).",
            "Print the temperature like \"2.50\".",
            "Output each mean as follows: Mean = 2.50",
            "The output must match the sample exactly.",
        ] {
            assert!(shows_places(sentence, None, false), "{sentence}");
        }
        for sentence in [
            "Print the average rounded to two decimal places.",
            "Print the price of a ticket, which costs 2.50.",
            "Print it in the form a.b.",
            "Each line of the input has the form x 2.50.",
        ] {
            assert!(!shows_places(sentence, None, false), "{sentence}");
        }
        let asked = "Print the results in the following format:";
        assert!(shows_places("Ann: 4.50 points", Some(asked), true));
        assert!(!shows_places("Ann: 4.50 points", Some("Print them."), true));
    }

    #[test]
    fn lists() {
        for sentence in [
            "Print the list in the form [x1,x2,...,xn].",
            "Print the pair as (x,y).",
            "Print the list in the same format as in the input: [1,2,3].",
        ] {
            assert!(shows_list(sentence, false), "{sentence}");
        }
        for sentence in [
            "Return the array in the form [x1,y1,x2,y2,...,xn,yn].",
            "Print a list such as [1,2,3].",
            "Print the value of f(x, y).",
        ] {
            assert!(!shows_list(sentence, false), "{sentence}");
        }
    }
}
