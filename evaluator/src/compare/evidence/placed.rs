//! Sentences that give items of the answer their places.
//!
//! Where one does, what another lets come in any order is not all that is printed, or its items depend on what is beside
//! them. No order is free then.

use super::concept::Concept;

/// That items have a place, or one that depends on those beside them.
static PLACED: Concept = Concept::new(&[
    (
        r"(?:first|second|third|last|final|next|previous|preceding|leading|top|bottom|adjacent|consecutive|neighbou?ring|successive) (?:\w+ ){0,2}(?:must|should|shall|may|cannot|can|has|have|is|are|holds?|gives?|needs?)",
        "The last number must be their sum.",
    ),
    (
        r"(?:must|should|shall|has to|have to|needs? to|is|are|be|always|never) (?:\w+ ){0,3}(?:first|last|before|after|precedes?|followed|follow|ahead of|behind|next to|consecutive|adjacent|at the (?:very )?(?:end|beginning|front|top|bottom|start|back|head)|in (?:its|their|the) (?:\w+ )?order|in front of|on top|at (?:index|position|place) \w+|(?:on|in) the (?:first|last) (?:line|row|place|position))",
        "The captain's name must come first.",
    ),
    (
        r"(?:comes?|goes|go|appears?|stands?|stays?|remains?|placed|listed|printed|named) (?:\w+ ){0,2}(?:at (?:the )?(?:index|position|place) [a-z]|first|last|before|after|ahead of|behind|next to|at the (?:end|beginning|front|top|bottom|start|back|head)|to the (?:end|beginning|front|top|bottom|start|back|head)|in front of|(?:on|in) the (?:first|last) (?:line|row|place|position))",
        "The total goes to the end of the list.",
    ),
    (
        r"^\W*(?:then |please )?(?:put|place|list|name|mention) [^,]{1,40} (?:first|last)|(?:print|output|write|put|place|list|give) [^,]{1,60} (?:(?:before|after|behind) (?:(?:the|all) )?(?:them|it|these|those|letters|numbers|names|words|items|elements|others?|rest|list)|in front|(?:at|to) the (?:very )?(?:end|beginning|front|start))|(?:append|prepend|add) [^,]{1,80} to (?:the|it|this|them)",
        "Put the captain first.",
    ),
    (
        r"(?:must|should|shall|has to|have to|needs? to) (?:\w+ ){0,3}(?:to|on) (?:its|their|the) (?:left|right)",
        "Smaller elements must be on the left of p.",
    ),
    (
        r"precedes?|(?:is|are|be) followed by (?:one|those|the|its|all)",
        "Even numbers precede odd ones.",
    ),
    (
        r"(?:list|line|output|answer|sequence|array|result|order|it|they|you|then|finally|program)(?: \w+){0,2} (?:start|begin|end|finish|conclude)s? (?:with|by|on|in)",
        "The list should begin with the youngest.",
    ),
    (
        r"^\W*(?:then |finally,? |please )?(?:start|begin|end|finish|conclude|terminate|close|open) (?:(?:the|each|every|your|this) (?:\w+ )?(?:lines?|list|output|answer|sequence|block) )?(?:with|by)",
        "End the line with their sum.",
    ),
    (
        r"(?:last|final|first|top|bottom) (?:line|row|number|word|name|entry|one|element|item) (?:contains|consists|states|shows|tells|gives|lists|names)",
        "The last line contains their sum.",
    ),
    (
        r"marks? the (?:end|beginning|start)",
        "A line with a single 0 marks the end of the list.",
    ),
    (
        r"(?:above|before|ahead of|in front of|over|below|under|beneath) (?:it|that|this|them|these|those),? (?:you )?(?:also )?(?:must |should |have to )?(?:print|output|write|put|place|give|goes|comes|stands)",
        "Above them print the greatest.",
    ),
    (
        r"(?:belongs?|belonging|fits?) (?:in|on|at|to|into|behind|before|after)|(?:heads?|leads?|opens?|closes?|tops?|ends?|starts?|begins?) (?:the|this|your|each|every) (?:\w+ )?(?:list|line|output|answer|sequence|table)",
        "His own name always heads the list.",
    ),
    (
        r"(?:follows?|precedes?|comes?|stands?) (?:directly|immediately|right|straight|always) (?:after|behind|before|upon)|(?:follows?|succeeds?) (?:their|his|her|its)",
        "Wives follow directly after their husbands.",
    ),
    (
        r"\w+s before (?:(?:all|the|any|their) )*\w+s|(?:print|output|list|name|write)\w* [^,]{1,60} before (?:their|his|her|its)",
        "Print grandparents before parents.",
    ),
    (
        r"(?:the|its|their|any) (?:previous|preceding|next|following) (?:one|element|number|name|word|item|value|vertex|node|integer)s?|the (?:one|element|number|name|word|item|value) (?:right |just |directly )?(?:before|after)|predecessors?|successors?|neighbours? in the (?:list|output|answer)",
        "Every number must be at least twice the previous one.",
    ),
    (
        r"(?:in|with) (?:the same|the corresponding) order$|respectively$",
        "Print also their heights, in the same order",
    ),
    (
        r"no two (?:adjacent|consecutive|neighbou?ring|successive)|(?:they|list|output|answer|sequence|elements|numbers) (?:must |should )?(?:form|be) an? (?:\w+ )?(?:heap|palindrome|permutation)",
        "No two adjacent names may begin with the same letter.",
    ),
    (
        r"lexicographically (?:smallest|largest|least|greatest|minim\w+|maxim\w+|first|last|earliest)",
        "The answer must be lexicographically smallest.",
    ),
    (
        r"(?:position|place|index|row|line) (?:\d+|[ijk]) (?:must|should|shall|has|holds?|is|contains?|gives?|shows?)",
        "Position i must hold the index of the i-th number.",
    ),
    (
        r"(?:must|should|shall|has to|have to|needs? to) (?:\w+ ){0,2}(?:sorted|ordered|arranged|ranked|in (?:strictly |non-?)?(?:(?:a|de)scending|(?:in|de)creasing|alphabetical))|(?:listed|ordered|arranged|ranked|shown|grouped) (?:by|from|according)",
        "Ties are listed by index.",
    ),
    (
        r"from (?:left to right|top to bottom|right to left|bottom to top|start to (?:end|finish)|first to last)|in turn|one after (?:the other|another)",
        "The cars stand from left to right.",
    ),
]);

/// A place that no item has: of lines at the head, which stay there anyway, of characters and of numbering.
static NO_PLACE: Concept = Concept::new(&[
    (
        r"(?:the )?(?:first|second|third|next|following) (?:\w+ )?lines?(?: of (?:the )?output)?",
        "The first line contains their number.",
    ),
    (
        r"(?:leading|trailing) zero(?:s|es)?|(?:line|end)[- ]?(?:feeds?|breaks?|ends?)|new ?lines?|end[- ]of[- ]line",
        "The hour must not contain a leading zero.",
    ),
]);

/// What is about how items are written or numbered, about examples, the input or the program: not about their places.
static OTHER_PLACE: Concept = Concept::new(&[
    (
        r"spaces?|blanks?|white ?spaces?|commas?|colons?|hyphens?|decimal\w*|(?:digits|places) (?:after|behind|before)",
        "There must be no blank before or after a name.",
    ),
    (
        r"numbered|numbering|[01][- ](?:indexed|based)|(?:indices|indexes|numbers|numbering|ids|index) (?:\w+ )?(?:start|begin)s?",
        "Vertices are numbered from the first to the last.",
    ),
    (
        r"examples?|samples?|test ?cases?|explanation",
        "In the first example bob comes first.",
    ),
    (
        r"(?:of|in) (?:the )?input(?: file)?|input (?:contains|consists|starts|begins|ends|gives|is|file)|guarante\w*|(?:is|are|was|were) given",
        "It is guaranteed that the first number is odd.",
    ),
    (
        r"(?:consecutive|adjacent|neighbou?ring) (?:\w+ )?(?:digits|characters|letters|bits|cells?|squares?|positions)",
        "The difference between consecutive digits is k.",
    ),
    (
        r"seconds?|milliseconds?|terminates?|flush\w*",
        "Your program must end after at most one second.",
    ),
]);

/// One of several parts of the answer, within which something has a place.
static OF_A_PART: Concept = Concept::new(&[
    (
        r"(?:of|in|within|inside|on|for) (?:an?|one|the same) (?:\w+ )?(?:group|team|pair|edge|triple|triplet|tuple|interval|segment|component|set|subset|club|cluster|path|rectangle|range)",
        "Within a group the leader comes first.",
    ),
    (
        r"(?:each|every) (?:\w+ )?(?:group|team|pair|edge|line|row|triple|triplet|tuple|interval|segment|component|set|subset|list|club|cluster|path|rectangle|range)",
        "In each group the leader comes first.",
    ),
]);

/// That a mark stands behind the items: a number that is none of them.
static MARKED: Concept = Concept::new(&[
    (
        r"(?:list|line|output|answer|sequence)s? (?:always )?(?:ends?|terminates?|finish(?:es)?|(?:is|are) (?:ended|terminated|closed|finished|followed)) (?:with|by|in) (?:an? |the )?(?:\w+ )?(?:0|-1|zero|minus one)",
        "Each list is terminated by a zero.",
    ),
    (
        r"(?:end|terminate|finish|close|conclude) (?:the|each|every|your|this) (?:\w+ )?(?:lines?|lists?|output|answer|sequence|block) (?:with|by) (?:an? |the )?(?:\w+ )?(?:0|-1|zero|minus one)",
        "Terminate the list by a 0.",
    ),
    (
        r"^\W*(?:then|append|use|add) (?:an? |the )?(?:0|-1|zero)|(?:0|-1|zero) (?:terminates|ends|closes|finishes) (?:the|each|every|your)",
        "Then a 0.",
    ),
]);

/// What hangs on which items stand beside one another.
static NEIGHBOURS: Concept = Concept::new(&[(
    r"(?:(?:adjacent|consecutive|successive|neighbou?ring) pairs?|pairs? of (?:adjacent|consecutive|successive|neighbou?r\w*)|(?:prefix|partial|running) (?:sums?|totals?|products?)) (?:\w+ ){0,3}(?:must|should|shall|has to|have to|needs? to|may not|cannot)",
    "The sum of each adjacent pair must be prime.",
)]);

/// Whether a sentence about the output gives items of it their places.
pub(super) fn is_placed(sentence: &str) -> bool {
    let is_of_items = !OTHER_PLACE.is_in(sentence) && !is_of_a_part(sentence);
    is_of_items && PLACED.is_in(&NO_PLACE.taken_from(sentence))
        || MARKED.is_in(sentence)
        || NEIGHBOURS.is_in(sentence)
}

/// Whether its words of place are about space, numbering, examples or the input.
pub(super) fn is_of_another_place(sentence: &str) -> bool {
    OTHER_PLACE.is_in(&NO_PLACE.taken_from(sentence))
}

/// Whether a sentence speaks of what stands within an item of the answer.
pub(super) fn is_of_a_part(sentence: &str) -> bool {
    OF_A_PART.is_in(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [
            &PLACED,
            &NO_PLACE,
            &OTHER_PLACE,
            &OF_A_PART,
            &MARKED,
            &NEIGHBOURS,
        ] {
            concept.assert_examples();
        }
    }
}
