//! Whether a task is on text: a number in a line that is turned round, or in the longer of two lines, is a text as well.

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::number_words::{READ, REAL};
use super::plain::pattern;
use super::whole::Whole;
use super::words::{ANY_CASE, OUTPUT};

/// That text is transformed.
static TRANSFORMED: Concept = Concept::new(&[
    (
        r"(?:convert|swap|chang|turn|transform|switch|invert)\w* (?:[\w'’]+ ){0,6}(?:cases?|(?:upper|lower|title|camel|snake)[- ]?cases?|capitals?)|capitali[sz](?:e|ing) (?:it|them|(?:\w+ ){0,4}(?:letters?|words?|names?|titles?|sentences?|texts?|strings?))|(?:upper|lower)case (?:it|them|the|each|every|all)",
        "Convert it to upper case.",
    ),
    (
        r"(?:revers|mirror|sort|swap|exchang|replac|remov|delet|drop|censor|mask|hid|repeat|echo|cop|translat|encod|decod|encrypt|decrypt|wrap|justif|abbreviat|shorten|quot|insert|join|concatenat|rotat|strip|eras|omit)\w* (?:[\w'’-]+ ){0,3}(?:texts?|sentences?|words?|letters?|vowels?|consonants?|characters?|tokens?|titles?|strings?|paragraphs?|comments?|punctuation|syllables?)",
        "Remove the comments.",
    ),
    (
        r"(?:revers|mirror|swap|exchang|repeat|echo|cop|wrap|justif|abbreviat|shorten|concatenat|truncat)\w* (?:the |an? |each |every |all |both |these |two |first |last |other |of ){0,3}lines?",
        "Reverse every line of the input.",
    ),
    (
        r"(?:lines?|sentences?|texts?|strings?|messages?) (?:\w+ )?(?:reversed|backwards|in reverse|mirrored)",
        "Output the line reversed.",
    ),
    (
        r"^\W*(?:echo|copy|repeat) (?:back )?(?:the|your|all|its) (?:\w+ )?(?:input|file)|(?:repeat|echo|say|writ|print|output|typ)\w* (?:back )?(?:what|whatever|everything|all that) (?:\w+ ){1,4}(?:says?|said|types?|typed|writes?|wrote|enters?|entered|reads?)|(?:letters?|digits?|characters?|vowels?|words?) (?:[\w'’]+ ){0,2}(?:is |are )?(?:replaced|changed|swapped|removed|deleted|capitali[sz]ed|doubled|censored|masked)",
        "Repeat what the user says.",
    ),
]);

/// That a part of what is given is asked for.
static SELECTED: Concept = Concept::new(&[
    (
        r"(?:print|output|display|write|report|return|find|show)\w* (?:out )?(?:only )?(?:(?:the|all|all the|those|every|each|its|their|both|any) )(?:[\w'’-]+ ){0,3}(?:titles?|tokens?|sentences?|paragraphs?|verses|quotations?|phrases?)",
        "Print the k-th token of the input.",
    ),
    (
        r"(?:print|output|display|write|report|return|find|show)\w* (?:out )?(?:only )?(?:the|all|all the|those|every|each) (?:[\w'’-]+ ){0,2}(?:long|short|larg|small|wid)(?:er|est) lines?",
        "Print the longest line of the file.",
    ),
    (
        r"(?:print|output|display|write|report|return|find|show)\w* (?:out )?(?:only )?(?:the|all|all the|those|every|each) (?:[\w'’-]+ ){0,3}lines? (?:of|in|from) (?:the|an?|this|that|its) (?:\w+ )?(?:input|file|text|poem|letter|log|program|document|book|list|song|page)",
        "Print the middle line of the text.",
    ),
    (
        r"(?:print|output|display|write|report|return|find|show)\w* (?:out )?(?:only )?(?:all|all the|those|every|the) lines? (?:that|which|with|without|containing|starting|ending|beginning|whose)",
        "Print all lines that contain a dash.",
    ),
    (
        r"(?:print|output|display|write|return)\w* (?:the|that|this|each|every) (?:\w+ )?line\W*$",
        "Print the last line.",
    ),
]);

/// That text is given.
static TEXT_GIVEN: Concept = Concept::new(&[
    (
        r"(?:given|gives?|get|gets|reads?|receives?|enters?|types?|says?|input (?:is|consists of|contains|holds)|there is) (?:you )?(?:in )?(?:(?:an?|the|two|three|several|some|many|n|k|one|single|long|short|few|pair of|list of|lines of|piece of|\d+) ){1,4}(?:texts?|sentences?|words?|strings?|titles?|messages?|poems?|paragraphs?|phrases?|slogans?|quotations?|song|headlines?|strings?)",
        "You get a sentence.",
    ),
    (
        r"(?:given|get|reads?|receives?) (?:an?|two|three|several|some|the|one) lines?",
        "Read two lines and print the longer one.",
    ),
]);

/// A part of it, or it all, that is asked for by a word that points back.
static PART_OF_IT: Concept = Concept::new(&[
    (
        r"(?:print|output|display|write|report|return|show)\w* (?:its|the|their|both|each|every) (?:[\w'’-]+ ){0,2}(?:ones?|half|halves|parts?|rest|remainder|beginnings?|ends?|starts?|middle|thirds?|quarters?|copy)",
        "Print its second half.",
    ),
    (
        r"(?:print|output|display|write|return|show)\w* (?:it|them) (?:out|back|again|backwards?|twice|reversed|as)",
        "Print it backwards.",
    ),
]);

/// What `part` and `end` are of a number, or of a shape.
static PART_OF_ANOTHER: Concept = Concept::new(&[(
    r"(?:integer|integral|whole|fractional|real|imaginary|decimal) parts?|ends? of (?:the|an?|each|every) (?:segments?|intervals?|edges?|roads?|path)",
    "Print the fractional part.",
)]);

/// That the writing of what is printed is that of the input.
static WRITTEN_AS_READ: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"\b(?:as|way|manner|(?:form|notation|format|spelling|style|shape) (?:in which|that|as|in)) ",
        r"(?:it|they|(?:the|this|that|each|every) (?:numbers?|values?|tokens?|one))",
        r" (?:(?:was|were|is|are|has been|had been|have been|stands?|stood|comes?|came|appears?|appeared) )?(?:\w+ly |first )?",
        r"(?:read|given|written|typed|entered|received|found|noted|supplied|spelled|spelt|recorded|in the input)\b",
        r"|\b(?:in|with|keep\w*|preserv\w*|retain\w*|leav\w*|us\w+|maintain\w*) (?:the|its|their)(?: (?:same|original|given|own|very|exact))*",
        r" (?:notation|writing|spelling|form|format|formatting) (?:of|as in|as|used in|from|found in|it has in|they have in) (?:the |its )?(?:input|file|list)",
        r"|\b(?:in|keep\w*|preserv\w*|retain\w*|leav\w*) (?:its|their|the) original (?:notation|writing|spelling|form|format|formatting)\b",
        r"|\bin the same (?:notation|writing|spelling) as (?:(?:it|they) (?:is|are|was|were) )?(?:given|read|written|entered|in the)\b",
        r"|(?:\bwithout|\bnot|\bnever|n['’]t) (?:\w+ )?(?:chang|alter|modif|touch|rewrit|reformat|normali[sz]|adapt)\w*",
        r" (?:how|(?:in )?(?:any|the) way|(?:its|their|the)(?: \w+)? (?:notation|writing|spelling|form|format|formatting|digits|characters|appearance)|(?:a|any|a single) (?:digit|character))\b",
    ))
});

/// An order that is that of the input, which says nothing of how a number is written.
static ORDER_AS_READ: Concept = Concept::new(&[(
    r"(?:order|sequence) (?:as |that |in which )?(?:it|they) (?:\w+ ){0,2}\w+",
    "Print the answers in the same order as they were given.",
)]);

/// That a digit stands before the point, whatever the number is.
static DIGIT_BEFORE_POINT: Concept = Concept::new(&[
    (
        r"(?:at least|no (?:fewer|less) than) (?:one|a|1|two|2)(?: digits?)? (?:before|in front of|ahead of|(?:to the )?left of) (?:it|the (?:decimal )?(?:point|dot|comma))",
        "Print it with two digits after the point and at least one before it.",
    ),
    (
        r"(?:zero|0|digit)\W? (?:\w+ ){0,2}(?:before|in front of|ahead of|(?:to the )?left of) the (?:decimal )?(?:point|dot|comma)|(?:not|never|n['’]t) (?:\w+ ){0,2}(?:begin|start) with (?:an?|the) (?:decimal )?(?:point|dot|comma)",
        "Keep the zero before the point.",
    ),
]);

/// Whether a sentence has text transformed or selected, or a number stay as it was read.
pub(super) fn is_on_text(sentence: &str, statement: &Whole<'_>) -> bool {
    let is_of_input = READ.is_in(sentence) && !OUTPUT.is_in(sentence);
    TRANSFORMED.is_in(&ANY_CASE.taken_from(sentence))
        || SELECTED.is_in(sentence)
        || PART_OF_IT.is_in(&PART_OF_ANOTHER.taken_from(sentence))
            && statement.speaks_of(&TEXT_GIVEN)
        || !is_of_input && DIGIT_BEFORE_POINT.is_in(sentence)
        || WRITTEN_AS_READ.is_match(&ORDER_AS_READ.taken_from(sentence))
}

/// What does not belong to what is changed in a text: that stays as it is.
static OTHERS_KEPT: Concept = Concept::new(&[
    (
        r"(?:unchanged|unaltered|unmodified|untouched|verbatim|exactly as (?:it|they) (?:was|were|is|are))",
        "Shift the letters by k and leave the rest unchanged.",
    ),
    (
        r"(?:not|never|n['’]t) (?:\w+ ){0,2}(?:chang|convert|modif|alter|touch|replac|shift|encod|encrypt|transform)\w* (?:\w+ ){0,3}(?:characters|symbols)|other (?:characters|symbols)\b[^;]{0,40}\b(?:not|never|n['’]t|as (?:they|it)|unchanged|the same)",
        "Do not convert any characters other than letters.",
    ),
    (
        r"(?:leav|keep|kept|let)\w* (?:everything|anything|all|the rest|the other|other|non-?\w+)\b[^;]{0,40}\b(?:as (?:it|they) (?:is|are)|as is|alone)|(?:other|non-?\w+)(?: (?:characters|symbols))?\b[^;,]{0,20}\b(?:(?:stay|remain)\w* (?:the same|as)|(?:is|are) (?:kept|preserved|left))|(?:not|never|n['’]t) (?:chang|modif|alter|touch)\w* (?:anything|everything) else",
        "Capitalize the keywords and leave everything else as it is.",
    ),
    (
        r"(?:print|output|display|write)\w* (?:[\w'’-]+ ){1,4}exactly as (?:given|read|entered)",
        "Print the query exactly as given, but with keywords in upper case.",
    ),
]);

/// Whether a sentence has text transformed or copied, in which a space is a character as any other.
pub(super) fn keeps_gaps(sentence: &str) -> bool {
    OTHERS_KEPT.is_in(sentence)
        || TRANSFORMED.is_in(&ANY_CASE.taken_from(sentence))
        || WRITTEN_AS_READ.is_match(&ORDER_AS_READ.taken_from(sentence))
}

/// Whether a statement is about a text, and no sentence that asks for something asks for a number.
pub(super) fn is_about_text<'a>(
    statement: &Whole<'_>,
    mut sentences: impl Iterator<Item = &'a str>,
) -> bool {
    statement.speaks_of(&TEXT_GIVEN)
        && !sentences.any(|sentence| OUTPUT.is_in(sentence) && REAL.is_in(sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [
            &TRANSFORMED,
            &SELECTED,
            &TEXT_GIVEN,
            &PART_OF_IT,
            &PART_OF_ANOTHER,
            &ORDER_AS_READ,
            &DIGIT_BEFORE_POINT,
            &OTHERS_KEPT,
        ] {
            concept.assert_examples();
        }
    }

    #[test]
    fn tasks_on_text() {
        for sentence in [
            "Print the sum, without changing the way it is written.",
            "Print the largest number in the notation in which it was given.",
            "Print the value just as it was read.",
            "Print the lines of the file in reverse: reverse every line.",
        ] {
            assert!(is_on_text(sentence, &Whole::default()), "{sentence}");
        }
        for sentence in [
            "Print the answers in the same order as they were given.",
            "Print the area of the triangle.",
            "Print the fractional part.",
            "Print the longest path without changing the graph.",
        ] {
            let statement = Whole::new("Given a string.");
            assert!(!is_on_text(sentence, &statement), "{sentence}");
        }
    }
}
