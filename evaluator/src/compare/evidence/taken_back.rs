//! What takes a permission back that stands before it.
//!
//! `A different order is wrong` has no word for the output, and none for a place. Behind `in any order` it is about what is
//! printed all the same.

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::placed::is_of_a_part;
use super::plain::pattern;

/// That what was just said does not hold.
static RETRACTS: Concept = Concept::new(&[
    (
        r"^\W*(?:notes?:? |but |and )?(?:correction|corrected|erratum|errata|update[ds]?|edit(?:ed)?|amendment|clarification|announcement|wrong|false|sorry|oops|scratch that|just kidding|not (?:so|true|really|any ?more))(?:\W*$| ?\([^()]*\) ?:| ?[:,!-]\W*\w+)",
        "Correction: 1e-6.",
    ),
    (
        r"(?:this|that|it|these|they|the (?:above|rule|rules|permission|(?:previous|last) (?:sentence|rule))) (?:(?:does not|doesn['’]t|do not|don['’]t|did not|no longer|never) (?:\w+ )?(?:hold|appl|count)\w*|(?:is|was|are|were) (?:\w+ )?(?:not true|false|untrue|no longer|obsolete|outdated|void|cancelled|revoked|withdrawn|a mistake|a joke|a lie|wrong now))",
        "This does not hold any more.",
    ),
    (
        r"(?:this|that|it) (?:was|were) (?:\w+ )?(?:true|so|valid|allowed|accepted|the case|the rule)\b",
        "This was true in 2020.",
    ),
    (
        r"^\W*(?:forget|ignore|disregard) (?:this|that|the (?:above|last sentence|previous sentence))",
        "Ignore the previous sentence.",
    ),
]);

/// What a correction may be of that is none of these.
static OF_OTHER: Concept = Concept::new(&[(
    r"time|memory|inputs?|examples?|samples?|given|guarante\w*|tests?",
    "Correction: the time limit is 2 seconds.",
)]);

/// What speaks of no order, or of one that is free.
static NO_ORDER: Concept = Concept::new(&[
    (
        r"in order to|in order for|order of magnitude|ordered pairs?|(?:in )?(?:any|arbitrary|whatever|whichever|random|no particular)(?: other)? order|order (?:\w+ ){0,4}(?:not|\w*n['’]t) (?:\w+ )?(?:matter|important|significant|relevant|fixed|checked)",
        "The order of the numbers does not matter.",
    ),
    (
        r"(?:order|sequence) of (?:the )?(?:operations?|moves?|events?|growth|n)\b",
        "The order of the operations matters.",
    ),
]);

/// That an order counts.
static ORDER_COUNTS: Concept = Concept::new(&[
    (
        r"(?:orders?|sequence|ordering) (?:\w+ ){0,4}(?:matters?|counts?|important|significant|relevant|checked|fixed|wrong|rejected|refused|invalid|incorrect|required|mandatory|essential|strict|kept|preserved|forbidden|compared|decisive|crucial)",
        "The order is significant.",
    ),
    (
        r"(?:respect|use|keep|follow|preserve|maintain|retain|obey|mind|observe|honou?r|stick to|adhere to|restore|match|check|compare)\w* (?:\w+ ){0,4}(?:order|ordering|sequence)",
        "Respect the input order.",
    ),
    (
        r"^\W*(?:notes?:? )?order: \w+|stable order|only (?:this|that|one|the \w+) order|no other order|(?:order|sequence),? please|one order only",
        "Only one order is accepted.",
    ),
    (
        r"(?:dependenc\w+|prerequisites?|precedences?|priorit\w+) (?:\w+ ){0,3}(?:respected|observed|kept|obeyed|honou?red|satisfied|followed)|(?:respect|obey|keep|observe|satisfy|follow)\w* (?:\w+ ){0,2}(?:dependenc\w+|prerequisites?|precedences?)",
        "Dependencies are respected.",
    ),
    (
        r"^\W*(?:(?:notes?|constraints?|hints?):? )?(?:finish|end|start|begin|stop|conclude|terminate) (?:at|in|on|from)",
        "Finish at the depot.",
    ),
    (
        r"(?:output|outputs|answers?|results?|they|these) (?:(?:is|are|was|were|will be) )(?:\w+ ){0,2}(?:sorted|ascending|descending|increasing|decreasing|monoton\w+|ordered|ranked)",
        "Since then they are sorted.",
    ),
]);

/// Another order.
static ANOTHER_ORDER: Concept = Concept::new(&[(
    r"(?:different|other|another|wrong|else|changed|differing|alternative|permuted) (?:\w+ )?(?:orders?|sequences?|orderings?)|(?:reordered|permuted|shuffled|swapped|unsorted)",
    "A different order is wrong.",
)]);

/// That something is not accepted.
static REFUSED: Concept = Concept::new(&[(
    r"wrong|reject\w*|not|never|fails?|invalid|incorrect|refus\w*|forbidden|no|nothing|zero|los(?:es?|t)|mistake|errors?|unaccept\w*|disqualif\w*|penali[sz]ed|\w+n['’]t",
    "A different order is wrong.",
)]);

/// What has a trend, and which it is.
static TREND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:(?:notes?|constraints?|hints?|subtask \d+):? )?(?:(?:the|all|these|those|its|your|each|every|both|printed) )*(\w+) (?:(?:\w+ ){0,2}(?:ascend|descend|increase|decrease|climb|rise|fall|grow|shrink)s?\b|(?:\w+ )?go(?:es)? (?:up|down)\b|(?:is|are|must be|will be) (?:\w+ )?(?:sorted|ascending|descending|increasing|decreasing|non-?(?:in|de)creasing|monoton\w+|ordered|ranked)\b)",
    )
});

/// What stands for all that is printed.
static PRINTED: Concept = Concept::new(&[(
    r"they|it|these|those|values|entries|elements|items|lines|list|sequence|outputs?|answers?|results?",
    "They increase.",
)]);

/// That letters are to be of one case, behind a sentence that lets them be of any.
static CASE_COUNTS: Concept = Concept::new(&[
    (
        r"(?:upper|lower|small|capital|mixed|big)[- ]?(?:case)?(?: letters?| words?| answers?| output)?s? (?:\w+ ){0,3}(?:reject\w*|wrong|not|never|refused|invalid|incorrect|forbidden|errors?|fails?|disallowed|required|mandatory|expected)",
        "Lower case letters are rejected.",
    ),
    (
        r"(?:must|should|shall|have to|has to|only|need to|needs to|always|please|use) (?:\w+ ){0,4}(?:capitals?|capitali[sz]ed|upper[- ]?case|lower[- ]?case|small letters|exact\w*|as (?:shown|written|given|above)|verbatim|to the letter)",
        "It must be capitals.",
    ),
    (
        r"(?:case|capitali[sz]ation|capitals) (?:\w+ ){0,2}(?:matters?|counts?|checked|important|significant|compared|sensitive)|case-sensitive",
        "The case matters.",
    ),
    (
        r"(?:capitals?|upper[- ]?case|lower[- ]?case) (?:letters )?only|all (?:capitals|upper[- ]?case|lower[- ]?case)|no (?:upper|lower|small|mixed)[- ]?(?:case)?(?: letters)?",
        "Capitals only.",
    ),
]);

/// That it does not.
static CASE_IS_FREE: Concept = Concept::new(&[(
    r"(?:not|\w*n['’]t|no need|need not) (?:\w+ ){0,3}(?:matter|important|significant|sensitive|checked|required|be|have)",
    "They need not be capitals.",
)]);

/// Letters of what is given.
static OF_INPUT: Concept = Concept::new(&[(
    r"inputs?|strings?|given|consists?|contains?|guarante\w*|s|t|names? (?:is|are)|examples?|samples?",
    "The string has lower case letters only.",
)]);

/// Whether a sentence takes back whatever the one before it allows.
pub(super) fn takes_all_back(sentence: &str) -> bool {
    RETRACTS.is_in(sentence) && !OF_OTHER.is_in(sentence)
}

/// Whether a sentence behind one that frees an order, `freeing`, has one.
pub(super) fn takes_order_back(sentence: &str, freeing: &str) -> bool {
    // What stands in a group may have an order that these have not.
    if is_of_a_part(sentence) {
        return false;
    }
    let sentence = NO_ORDER.taken_from(sentence);
    let is_refused = ANOTHER_ORDER.is_in(&sentence) && REFUSED.is_in(&sentence);
    let has_trend = TREND.captures(&sentence).is_some_and(|found| {
        PRINTED.is_in(&found[1]) || freeing.to_lowercase().contains(&found[1].to_lowercase())
    });
    is_refused || has_trend || ORDER_COUNTS.is_in(&sentence)
}

/// Whether one behind a sentence that frees letter case has it kept.
pub(super) fn takes_case_back(sentence: &str) -> bool {
    CASE_COUNTS.is_in(&CASE_IS_FREE.taken_from(sentence)) && !OF_INPUT.is_in(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [
            &RETRACTS,
            &OF_OTHER,
            &NO_ORDER,
            &ORDER_COUNTS,
            &ANOTHER_ORDER,
            &REFUSED,
            &PRINTED,
            &CASE_COUNTS,
            &CASE_IS_FREE,
            &OF_INPUT,
        ] {
            concept.assert_examples();
        }
    }

    #[test]
    fn orders() {
        let freeing = "Print the ids in any order";
        for sentence in [
            "Ids ascend",
            "A different order is wrong",
            "Order is checked",
        ] {
            assert!(takes_order_back(sentence, freeing), "{sentence}");
        }
        for sentence in [
            "The array is sorted",
            "The order does not matter",
            "Any other order is fine",
        ] {
            assert!(!takes_order_back(sentence, freeing), "{sentence}");
        }
    }
}
