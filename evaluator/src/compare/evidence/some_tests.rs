//! What is allowed for some of the tests, or earns some of the points.
//!
//! No output says for which test it was printed, so that what a subtask, a sample or half of the points allows is allowed to none.

use super::concept::Concept;
use super::section::Section;
use super::sentence::Sentence;

/// That a sentence is about some of the tests, or of the points.
static SOME: Concept = Concept::new(&[
    (
        r"subtasks? (?:#? ?\d+|[a-z]\b)|(?:first|second|third|last|easy|easier|easiest|small|some|one|other|this|that|following|final) subtasks?|(?:in|for|on) (?:the |an? |these |those )?(?:\w+ )?subtasks?|test ?groups? \d+|groups? of tests",
        "In subtask 1, you may print the ids in any order.",
    ),
    (
        r"(?:half|part|some|most|third|quarter|fraction|percent|per cent|\d+ ?%) (?:of )?(?:all )?(?:the |your |its |full )?(?:points|credit|score|marks)|(?:partial|half|reduced|less|fewer) (?:credit|scores?|points|marks|scoring)",
        "For half of the points, print YES or NO in any case.",
    ),
    (
        r"(?:gets?|earns?|receives?|worth|awarded|scores?|lose|loses|costs?) (?:you )?(?:only |at most |up to |about )?(?:an? |the )?(?:\d+|one|two|few|fewer|less|some|half) ?(?:%|percent)?(?: of)?(?: the)? ?(?:points?|marks?|credit|score)?|(?:for|with) \d+ (?:points?|marks?)",
        "Answers with an error of at most 0.01 get 5 points.",
    ),
    (
        r"^\W*(?:but |and |only )?(?:in|for|on) (?:the |these |those |all |both |our |some )?(?:(?:first|second|given|public|provided|sample|example) )?(?:samples|examples|sample|(?:samples?|examples?|public|visible|provided) (?:tests?|inputs?|cases?|test ?cases?|data)|pretests)",
        "For sample tests the answer is accepted in any case.",
    ),
    (
        r"(?:samples?|examples?|sample tests?|pretests) only|only (?:in|for|on) (?:the )?(?:samples?|examples?|pretests|sample tests?|\w+ (?:solutions|programs|submissions|users|contestants|teams))",
        "Any order is accepted for samples only.",
    ),
    (
        r"(?:in|for|on) (?:the |some |a few |half (?:of )?(?:the )?)?(?:small|smaller|easy|easier|first|last|some|large|larger|big|bigger|simple|weak|half of the) (?:\w+ )?(?:tests|test ?cases|inputs|data ?sets?|versions?|test ?sets?|groups?)|(?:in|for|on) (?:the )?(?:tests|test cases) (?:with|where|in which|whose|that|\d+)",
        "For small tests you may print them in any order.",
    ),
    (
        r"(?:easy|simple|practice|bonus|novice|junior) (?:versions?|modes?|divisions?|levels?|tracks?)",
        "In the easy version any order is accepted.",
    ),
]);

/// That it is about all of them.
static ALL: Concept = Concept::new(&[(
    r"(?:all|each|every|any|both)(?: of)?(?: the)? (?:\w+ )?(?:subtasks?|groups? of tests|versions?|test ?sets?)|(?:all|full) (?:of )?(?:the )?(?:points|credit|score|marks)",
    "In all subtasks you may print them in any order.",
)]);

/// Where what is said of one subtask begins.
static HEAD: Concept = Concept::new(&[(
    r"^\W*(?:sub ?tasks?|test ?groups?|groups?|levels?) ?#?\d+",
    "Subtask 1 (10 points)",
)]);

/// What is said to all readers.
static NOTE: Concept = Concept::new(&[(r"^\W*notes?", "Note: any order is fine.")]);

/// Whether what comes next is below the head of a subtask.
#[derive(Debug, Default)]
pub(super) struct SomeTests {
    below_head: bool,
}

impl SomeTests {
    /// Whether the sentence that comes next is about some tests alone.
    pub(super) fn take(&mut self, read: &Sentence<'_>) -> bool {
        let is_head = HEAD.is_in(&read.text);
        let goes_on = read.section == Section::Aside && !NOTE.is_in(&read.text);
        self.below_head = is_head || self.below_head && goes_on;
        self.below_head || SOME.is_in(&ALL.taken_from(&read.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [&SOME, &ALL, &HEAD, &NOTE] {
            concept.assert_examples();
        }
    }

    #[test]
    fn all_of_them() {
        for sentence in [
            "In all subtasks you may print them in any order",
            "For each test case you may print them in any order",
            "Print the points in any order",
            "For example, any order is fine",
        ] {
            assert!(!SOME.is_in(&ALL.taken_from(sentence)), "{sentence}");
        }
    }
}
