//! Whether what is asked for is a real that is computed, so that a program may have printed six digits of it.
//!
//! C++ prints so many unless it is told otherwise. A real that is looked up or chosen among those given has the digits that
//! it has there, and an amount of money has its cents. Where it may be either, it is not taken for computed.

use super::concept::Concept;
use super::number_words::READ;
use super::section::Section;
use super::within::stem;

/// What a program computes, by the noun for it.
const COMPUTED: [&str; 11] = [
    "average",
    "mean",
    "area",
    "perimeter",
    "circumference",
    "distance",
    "probability",
    "ratio",
    "volume",
    "expectation",
    "hypotenuse",
];

/// What asks for it.
static VERB: Concept = Concept::new(&[(
    r"print|output|find|compute|calculate|determine|return|display|write|report",
    "Print the average.",
)]);

/// A real that has no name.
static ANY_REAL: Concept = Concept::new(&[
    (
        r"(?:an?|one|single) (?:single )?(?:real|floating[- ]point|decimal) (?:number|value)",
        "Print a real number.",
    ),
    (
        r"the expected (?:value|number|time|length|score|sum|profit|gain)",
        "Print the expected number of throws.",
    ),
]);

/// How it is to be written, in whatever sentence, or that it is no measure.
static FORM: Concept = Concept::new(&[
    (
        r"(?:in)?exact\w*|precis\w*|digits?|decimals|decimal (?:places?|digits?|points?|part)|places|truncat\w*|round\w*|chopped|cut (?:off|after)|significant|characters?|fraction\w*|expected (?:output|format|result|answer)",
        "The answer must be exact.",
    ),
    (
        r"\w*printf|formatted|setprecision|\d+l?f|x+\.x+|(?:as|like)(?: shown| given)?(?: in)? the (?:\w+ )?(?:examples?|samples?)",
        "Print it with printf.",
    ),
    (
        r"cents?|dollars?|euros?|pounds|prices?|costs?|money|salar\w+|wages?|fees?|tax\w*|bills?|amounts?|pa(?:y|id)\w*|budget|balance|rates?|ratings?",
        "Print the average price.",
    ),
    (
        r"versions?|verbatim|unchanged|cop(?:y|ied)|binary|octal|hexadecimal|(?:in|to) base|base[- ]\d+|radix",
        "The version counts.",
    ),
]);

/// That it is chosen among others, or looked up.
static CHOSEN: Concept = Concept::new(&[
    (
        r"\w+est|most|least|[ijkn]-?th|\d+(?:st|nd|rd|th)|first|second|third|last|max\w*|min\w*|medians?|sort\w*|swap\w*|order\w*|choos\w*|chosen|select\w*|pick\w*|whose|which|stored|listed|record\w*|measured|read|entered|typed",
        "Print the largest distance.",
    ),
    (
        r"(?:given|stands?|appears?|occurs?|found) in|(?:in|from) the (?:input|list|table|file)|of \w+ [b-z]|of [b-hj-z]$",
        "Print the distance of city k.",
    ),
    (
        r"names?|words?|strings?|dates?|ids?|codes?|identifiers?|labels?|numbers? of",
        "Print the name and the average.",
    ),
]);

/// What is no choice: the tests, and what is between two things.
static NO_CHOICE: Concept = Concept::new(&[
    (
        r"(?:for|of|in) (?:each|every) (?:test|case|test ?case|data ?set)|expected number of",
        "For each test case print the area.",
    ),
    (
        r"between (?:\w+ ){1,4}and (?:the |its )?\w+|of [a-z](?:, [a-z])*,? and [a-z]|and (?:print|output|write|display|report)s? (?:it|this|that|the (?:result|answer))",
        "Print the distance between the point and the line.",
    ),
]);

/// That more than one thing is asked for.
static MORE: Concept = Concept::new(&[(
    r"and|then|followed by|as well as|(?:together|along) with",
    "Print the area and the side of the square.",
)]);

/// That something has a measure, be it read or not.
static KNOWN: Concept = Concept::new(&[(
    r"has|have|had|with|known|tables?|lists?|lines?",
    "Each pupil has a distance to school.",
)]);

/// What a statement says of the reals that it asks for.
#[derive(Debug, Clone, Default)]
pub(super) struct Computed {
    /// Those that are asked for by name, each by the bit of its noun.
    asked: u16,
    /// Those that are given.
    given: u16,
    /// That one without a name is asked for.
    any: bool,
    /// That how it is written counts, or that it may be one that is given.
    barred: bool,
}

impl Computed {
    pub(super) fn note(&mut self, sentence: &str, section: Section) {
        self.barred |= FORM.is_in(sentence);
        let is_input = section == Section::Input;
        let Some(verb) = VERB.place_in(sentence).filter(|_| !is_input) else {
            if is_input || READ.is_in(sentence) || KNOWN.is_in(sentence) {
                self.given |= nouns_in(sentence);
            }
            return;
        };
        let asked = NO_CHOICE.taken_from(&sentence[verb..]);
        self.any |= ANY_REAL.is_in(&sentence[verb..]);
        self.asked |= nouns_in(&asked);
        self.barred |= CHOSEN.is_in(&asked) || MORE.is_in(&asked);
    }

    /// Whether nothing but such a real is asked for, however it is written.
    pub(super) fn is_all(&self) -> bool {
        let is_computed = self.any && self.asked == 0 || self.asked & !self.given != 0;
        is_computed && self.asked & self.given == 0 && !self.barred
    }
}

fn nouns_in(text: &str) -> u16 {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
    let is_named = |noun: &str| words.iter().any(|word| stem(word) == stem(noun));
    let nouns = COMPUTED.iter().enumerate();
    nouns
        .filter(|(_, noun)| is_named(noun))
        .fold(0, |all, (at, _)| all | 1 << at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [&VERB, &ANY_REAL, &FORM, &CHOSEN, &NO_CHOICE, &MORE, &KNOWN] {
            concept.assert_examples();
        }
    }

    fn is_computed(statement: &[&str]) -> bool {
        let mut computed = Computed::default();
        for sentence in statement {
            computed.note(sentence, Section::Story);
        }
        computed.is_all()
    }

    #[test]
    fn computed() {
        assert!(is_computed(&["Print the average of the numbers."]));
        assert!(is_computed(&[
            "n points are given.",
            "Find the area of their hull."
        ]));
        assert!(is_computed(&["For each test case print a real number."]));
    }

    #[test]
    fn looked_up_or_written_so() {
        assert!(!is_computed(&[
            "The areas of n rooms are given.",
            "Print the area of the hall."
        ]));
        for sentence in [
            "Print the largest distance.",
            "Print the average price.",
            "Print the area and the side of the square.",
            "Print the average to four decimals.",
        ] {
            assert!(!is_computed(&[sentence]), "{sentence}");
        }
    }
}
