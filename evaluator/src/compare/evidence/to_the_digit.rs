//! Whether what is asked for is a text, or a number to its last digit.
//!
//! A number may be written in more than one way, and its last places may be noise. Of a text every character counts, be it
//! made of digits and a point, and so it does where a statement speaks of how many there are.

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::number_words::READ;
use super::plain::pattern;
use super::words::{ANY_CASE, CONDITION, OUTPUT};

/// What is asked for, up to where it is said of what it is.
static ASKED_FOR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:print|output|display|write|report|return|find|determine|construct|build|reverse|rotate|shift|echo)\w*((?: (?:the|an?|all|its|your|this|that|each|every|out|back|first|last|second|third|final|next|remaining|resulting|longest|shortest|lexicographically|smallest|largest|least|most|common|new|decoded|encoded|\w+ing|\w+ed|[a-z]|\d+|two|three|four|five|six|seven|eight|nine|ten))*) (?:strings?|sub-?strings?|texts?|words?|letters?|characters?|symbols?|messages?|prefix(?:es)?|suffix(?:es)?|sentences?|tokens?|keys?)\b(.{0,2})",
    )
});

/// That what is printed is text, in whatever sentence.
static TEXT: Concept = Concept::new(&[
    (
        r"strings? (?:of|made of|consisting of) (?:\w+ )?digits|as (?:an? |its )?(?:\w+ )?(?:string|text|word)|(?:keys?|codes?|numbers?|labels?|names?|values?) (?:is|are) (?:an? )?(?:\w+ )?strings?",
        "Keys are strings of digits and points.",
    ),
    (
        r"consists? (?:only )?of (?:\w+ )?digits,? (?:and|or) (?:an? |the |decimal )*(?:points?|full stops?|dots?|periods?|commas?)",
        "It consists of digits and full stops.",
    ),
    (
        r"unchanged|unaltered|unmodified|verbatim|cop(?:y|ied) (?:\w+ ){1,8}(?:from|to)|(?:character|digit|letter) (?:by|for) (?:character|digit|letter)",
        "Copy the number from the input to the output unchanged.",
    ),
    (
        r"(?:as|like|way|form in which) (?:it|they) (?:is|are|was|were|stands?|stood|appears?|occurs?)(?: \w+)? in the (?:input|list|file|table|text)",
        "Print the coordinates as they are in the input.",
    ),
    (
        r"digits (?:\w+ )?(?:reversed|sorted|swapped|exchanged|rearranged|rotated|shuffled|backwards|in reverse)|(?:revers|sort|swap|exchang|rearrang|rotat)\w* (?:\w+ ){0,3}(?:digits|characters|letters|symbols)",
        "Print the number with its digits reversed.",
    ),
    (
        r"(?:decod|encod|encrypt|decrypt|decipher|compress|unpack|translat)\w* (?:\w+ ){0,3}(?:strings?|texts?|messages?|words?|characters|letters)|replac\w* (?:\w+ ){0,3}(?:commas?|points?|dots?|letters?|characters?|symbols?|words?|[a-z]) (?:by|with)",
        "Replace commas by points.",
    ),
]);

/// How many characters there are.
static CHARACTERS: Concept = Concept::new(&[(
    r"(?:\d+|[a-z]|two|three|four|five|six|seven|eight|nine|ten|twelve|many|few|fewest) (?:characters?|chars?|symbols)",
    "Print the quotient, cut after 8 characters.",
)]);

/// That there are as many digits as the input says, or more than a double has.
static MANY_DIGITS: Concept = Concept::new(&[
    (
        r"(?:to|with) [kmn] (?:decimal )?(?:digits|places|decimals)|up to the \d+th (?:decimal )?(?:digit|place)",
        "Print pi to n digits after the decimal point.",
    ),
    (
        r"up to (?:1[6-9]|[2-9]\d|\d{3,}) (?:decimal )?(?:digits|places|decimals)",
        "The numbers may have up to 100 digits after the point.",
    ),
]);

/// That a number has no zeros at its end, or no digit that it could do without.
static FEW_DIGITS: Concept = Concept::new(&[
    (
        r"(?:trailing|redundant|superfluous|unnecessary|needless|unneeded|insignificant|extra|useless|meaningless|final|closing|padding) (?:\w+ ){0,2}(?:zero(?:e?s)?|0['’]?s)",
        "Trailing zeros are not allowed.",
    ),
    (
        r"(?:strip|omit|remov|drop|delet|cut|trim|suppress|avoid|discard|eras|leav|eliminat)\w* (?:\w+ ){0,4}(?:zero(?:e?s)|0['’]?s)|(?:no|without|not|never|don['’]t) (?:\w+ ){0,3}(?:zero(?:e?s)|0['’]?s)",
        "Strip all zeros at the end.",
    ),
    (
        r"(?:zero(?:e?s)?|0['’]?s) (?:at|in|behind|after|on|to) (?:\w+ ){0,2}(?:end|right|tail|point)|(?:end|ends|ending) (?:in|with|on) (?:an? )?(?:zero|0)",
        "No zero at the end.",
    ),
    (
        r"as short as (?:it|they|possible)|(?:as few|fewest|least|minimal|minimum|smallest) (?:\w+ ){0,2}(?:digits|decimals|decimal places|places)",
        "Print the average with as few digits as possible.",
    ),
]);

/// Zeros at the head of a number.
static LEADING_ZEROS: Concept = Concept::new(&[(
    r"(?:no |without |any |superfluous |extra )*leading zero(?:e?s)?",
    "There must be no leading zeros.",
)]);

/// Zeros that may be there.
static OTHER_ZEROS: Concept = Concept::new(&[(
    r"(?:trailing |extra |superfluous )*zero(?:e?s)? (?:\w+ ){0,5}(?:are|is|may|can|will|do|does) (?:be )?(?:\w+ )?(?:allowed|optional|ignored|accepted|acceptable|fine|ok|okay|permitted|irrelevant|omitted if you like|(?:not|n['’]t) (?:matter|important|required|needed|necessary))",
    "Trailing zeros do not matter.",
)]);

/// That some are forbidden all the same.
static FORBIDDEN: Concept = Concept::new(&[(
    r"no (?:\w+ ){0,3}zero(?:e?s)?|(?:not|n['’]t|never) (?:be )?(?:allowed|accepted|acceptable|fine|ok|okay|permitted)",
    "Trailing zeros are not allowed.",
)]);

/// That each digit of a number counts.
static EXACT: Concept = Concept::new(&[
    (r"(?:in)?exact(?:ly|ness)?", "The answer must be exact."),
    (
        r"(?:every|each|all|any|last|single) (?:\w+ ){0,3}(?:digits?|decimals?|places?|characters?)",
        "Every digit is checked.",
    ),
    (
        r"round(?:ed|ing)? (?:down|up|off to|toward\w*|half)|(?:multiple|multiples) of 0\.0*1|truncat\w*|chopped",
        "Print it rounded down to a multiple of 0.001.",
    ),
]);

/// That no error is, wherever it is said.
static NO_ERROR: Concept = Concept::new(&[
    (
        r"(?:no|any|without|zero) (?:\w+ ){0,2}(?:errors?|inaccurac\w+|tolerance|deviations?)|(?:errors|deviations|inaccuracies) (?:are|will be) (?:not|n['’]t|never)|(?:rounding|round[- ]?off|precision|floating[- ]point) errors?",
        "No error is allowed.",
    ),
    (
        r"arbitrary[- ]precision|big ?decimal\w*|multi-?precision",
        "Use arbitrary-precision arithmetic.",
    ),
    (
        r"approximat\w* (?:\w+ ){0,4}(?:not|n['’]t|wrong|reject\w*|insufficient)|(?:no|not|never|n['’]t) (?:\w+ ){0,3}approximat\w*",
        "Approximate answers are not accepted.",
    ),
]);

/// What is so many, or just so: no value that is exact.
static EXACTLY_SO_MANY: Concept = Concept::new(&[(
    r"exactly (?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|half|\d+|[a-z]|the same|those|these|that|as many|in|on|at|when|where|if|equal|divisible|between)",
    "There is exactly one answer.",
)]);

/// Whether a sentence asks for a text, or says that what is printed is one.
pub(super) fn is_text(sentence: &str) -> bool {
    TEXT.is_in(sentence)
        || MANY_DIGITS.is_in(sentence)
        || OUTPUT.is_in(sentence) && CHARACTERS.is_in(sentence)
        || !CONDITION.is_in(sentence)
            && !ANY_CASE.is_in(sentence)
            && ASKED_FOR
                .captures_iter(sentence)
                .any(|found| !is_given(&found[2]))
}

/// Whether what follows is the text itself: `the word "none"`, `the message NO`.
fn is_given(behind: &str) -> bool {
    behind.contains(['"', '“', '\'', '‘', ':', '<']) || behind.ends_with(char::is_uppercase)
}

/// Whether it forbids zeros at the end of a number.
pub(super) fn has_few_digits(sentence: &str) -> bool {
    let without_leading = LEADING_ZEROS.taken_from(sentence);
    let zeros = match FORBIDDEN.is_in(sentence) {
        true => without_leading,
        false => OTHER_ZEROS.taken_from(&without_leading).into_owned().into(),
    };
    FEW_DIGITS.is_in(&zeros) && (OUTPUT.is_in(sentence) || !READ.is_in(sentence))
}

/// Whether it has each digit count.
pub(super) fn is_exact(sentence: &str, is_asked: bool) -> bool {
    let is_of_output = is_asked || OUTPUT.is_in(sentence);
    NO_ERROR.is_in(sentence) || is_of_output && EXACT.is_in(&EXACTLY_SO_MANY.taken_from(sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [
            &TEXT,
            &CHARACTERS,
            &MANY_DIGITS,
            &FEW_DIGITS,
            &LEADING_ZEROS,
            &OTHER_ZEROS,
            &FORBIDDEN,
            &EXACT,
            &NO_ERROR,
            &EXACTLY_SO_MANY,
        ] {
            concept.assert_examples();
        }
    }

    #[test]
    fn texts() {
        for sentence in [
            "Print the first 8 characters of x.",
            "Print the longest common prefix of the strings.",
        ] {
            assert!(is_text(sentence), "{sentence}");
        }
        for sentence in [
            "Print the string \"none\".",
            "Print the area of the word.",
            "Print the number of characters",
        ] {
            assert!(!is_text(sentence), "{sentence}");
        }
    }

    #[test]
    fn zeros() {
        assert!(has_few_digits("No trailing zeros are allowed."));
        for sentence in [
            "Trailing zeros are allowed.",
            "Print it without leading zeros.",
        ] {
            assert!(!has_few_digits(sentence), "{sentence}");
        }
    }
}
