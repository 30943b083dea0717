//! What notes, hints and limits say of the order of the output.
//!
//! Most of what they say is about an example, or about what is given. But one that has something come first may undo what the
//! section on the output allows.

use super::concept::Concept;
use super::placed::is_of_a_part;
use super::words::OUTPUT;

/// A place among others.
static PLACE: Concept = Concept::new(&[
    (
        r"first|last|before|after|above|below|under|underneath|beneath|behind|ahead|next|middle|between|top|bottom|front|beginning",
        "The leader goes first.",
    ),
    (
        r"(?:preced|follow|open|clos|start|begin|lead|head)\w*|ends?|ending|on (?:its|their|the) (?:left|right)|adjacent|consecutive|successive|neighbou?r\w*|previous|side by side|beside|positions?|one another|each other|alternat\w*",
        "The name of the leader opens the list.",
    ),
]);

/// A place of a digit.
static NO_PLACE: Concept = Concept::new(&[(
    r"(?:leading|trailing) zero(?:e?s)?|(?:after|before|behind) the (?:decimal )?point",
    "There are no leading zeros.",
)]);

/// A line, which may be a further one of an item.
static LINE: Concept = Concept::new(&[(r"lines?", "Every name comes with a line for its age.")]);

/// A place beside another item.
static RELATIVE: Concept = Concept::new(&[(
    r"before|after|above|below|under|previous|next|preced\w*|follow\w*|one another|each other",
    "Each line must begin with the letter that the line before it ends with.",
)]);

/// An order.
static ORDER: Concept = Concept::new(&[(
    r"sort\w*|order\w*|ascending|descending|increasing|decreasing|alphabetical\w*|lexicographical\w*|from \w+(?: ones?)? to \w+",
    "Sort the numbers.",
)]);

/// That something has to be so.
static HAS_TO_BE: Concept = Concept::new(&[(
    r"must|should|shall|ha(?:s|ve) to|needs? to|ought|cannot|may not|never|always|expects?|wants|requires?|required|remember|however|please|otherwise|mistake|matters?|counts",
    "The leader has to be first.",
)]);

/// That it is asked of the reader: the sentence begins with what to do.
static TO_DO: Concept = Concept::new(&[(
    r"^\W*(?:note that |please |also |so |then )?(?:sort|order|put|place|list|print|output|write|start|begin|end|keep|arrange|group)",
    "Sort the numbers.",
)]);

/// That it goes through an example.
static OF_EXAMPLE: Concept = Concept::new(&[(
    r"^\W*(?:(?:notes?|explanation|examples?):? )?(?:in|for|on) (?:the |this |our |all )?(?:\w+ )?(?:examples?|samples?|tests?|(?:test|sample) ?cases?|cases?)",
    "In the first example the leader is Max.",
)]);

/// An example itself, with what explains it.
static EXAMPLE: Concept = Concept::new(&[(
    r"^\W*(?:inputs?|outputs?):? .*\b(?:outputs?|explanation)|^\W*explanation: ",
    "Input: x Output: y Explanation: The first is y.",
)]);

/// Whether a sentence goes through an example, or is one.
pub(super) fn is_of_example(sentence: &str) -> bool {
    OF_EXAMPLE.is_in(sentence) || EXAMPLE.is_in(sentence)
}

/// That the order, or a place in it, is free.
static FREE: Concept = Concept::new(&[(
    r"in (?:any|arbitrary) order|order (?:\w+ ){0,4}(?:not|n['’]t) (?:matter|important)|irrelevant",
    "The order does not matter.",
)]);

/// What is given, and how much of it there may be.
static GIVEN: Concept = Concept::new(&[(
    r"guarante\w*|given|inputs?|subtasks?|points|limits?|\d+ ?(?:<|≤|<=|&lt;)|(?:<|≤|<=|&lt;|≤) ?\d+",
    "It is guaranteed that the first number is odd.",
)]);

/// Whether a sentence has a word for a place or a line, or has something be as it says.
pub(super) fn speaks_of_places(sentence: &str) -> bool {
    PLACE.is_in(&NO_PLACE.taken_from(sentence))
        || HAS_TO_BE.is_in(sentence)
        || LINE.is_in(sentence)
        || ORDER.is_in(sentence) && TO_DO.is_in(sentence)
}

/// Whether a sentence that is beside the point may give items of the output their places.
pub(super) fn gives_places(sentence: &str) -> bool {
    let is_of_items = is_of_a_part(sentence) && !RELATIVE.is_in(sentence);
    let is_example = EXAMPLE.is_in(sentence) && !HAS_TO_BE.is_in(sentence);
    if OF_EXAMPLE.is_in(sentence) || is_example || FREE.is_in(sentence) || is_of_items {
        return false;
    }
    let is_place = PLACE.is_in(&NO_PLACE.taken_from(sentence));
    let is_order = ORDER.is_in(sentence);
    let is_of_output = OUTPUT.is_in(sentence);
    let is_asked = HAS_TO_BE.is_in(sentence) || TO_DO.is_in(sentence);
    match GIVEN.is_in(sentence) {
        true => is_asked && is_of_output && (is_place || is_order),
        false => is_place || is_of_output && (is_asked || is_order) || is_order && is_asked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [
            &PLACE,
            &NO_PLACE,
            &LINE,
            &RELATIVE,
            &ORDER,
            &HAS_TO_BE,
            &TO_DO,
            &OF_EXAMPLE,
            &EXAMPLE,
            &FREE,
            &GIVEN,
        ] {
            concept.assert_examples();
        }
    }

    #[test]
    fn places() {
        for sentence in [
            "The leader must be first.",
            "Sort the numbers.",
            "Order matters.",
        ] {
            assert!(gives_places(sentence), "{sentence}");
        }
        for sentence in [
            "In the first example Max is the leader.",
            "n is at most 100.",
            "All names are distinct.",
        ] {
            assert!(!gives_places(sentence), "{sentence}");
        }
    }
}
