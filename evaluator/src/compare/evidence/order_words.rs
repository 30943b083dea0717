//! The words by which statements speak of order, as they were met in real ones.

use super::concept::Concept;

/// That an order is free.
pub(super) static ANY_ORDER: Concept = Concept::new(&[
    (
        r"(?:any|arbitrary|whatever|whichever) (?:order|sequence)",
        "You may return the answer in any order.",
    ),
    (
        r"no particular order",
        "The results may be listed in no particular order.",
    ),
    (
        r"(?:regardless|irrespective) of (?:the |their )?order",
        "Print the pairs, regardless of the order.",
    ),
    (
        r"order\b[^,]{0,60}\b(?:not|n't|n’t) (?:matter|important|relevant)",
        "The order of the output does not matter.",
    ),
    (
        r"(?:not|n't|n’t) matter (?:in )?(?:which|what) order",
        "It does not matter in which order you print them.",
    ),
]);

/// What was done to the items of the answer, which says nothing of an order in which it was done.
pub(super) static DONE_BEFORE: Concept = Concept::new(&[
    (
        r"(?:the|of|all|these|those|your) (?:chosen|selected|removed|deleted|inserted|visited)",
        "Print the indices of the removed edges in any order.",
    ),
    (
        r"(?:that|which) you (?:chose|choose|removed?|selected|select|deleted?|picked|pick)",
        "Print the vertices that you chose, in any order.",
    ),
    (
        r"(?:print|output|list|return|number of|lines? (?:with|of|describing)) (?:\w+ ){0,3}(?:swaps|operations|moves)",
        "Print k lines with the swaps in any order.",
    ),
]);

/// What gives an order, or the lack of one, to something other than the answer.
pub(super) static OTHER_ORDER: Concept = Concept::new(&[
    // What is done, rather than what is printed.
    (
        r"operations?|perform\w*",
        "Perform the operations in any order and print the result.",
    ),
    (
        r"rearrang\w*|reorder\w*|concatenat\w*|swap\w*",
        "You can rearrange the digits in any order.",
    ),
    (
        r"(?:arranging|placing|taking) [^,]{0,60}(?:any|arbitrary) order",
        "Print the largest number that one gets by placing the digits in any order.",
    ),
    (
        r"any (?:one )?of (?:them|these|those),? in (?:any|arbitrary) order",
        "If there are several paths, return any of them in any order.",
    ),
    (
        r"visit\w*|complet\w*|finish\w*|process(?:ed|ing)?",
        "Tasks can be completed in any order.",
    ),
    (
        r"sell|buy|chosen?|choose",
        "You can sell the items in any order.",
    ),
    (
        r"cook\w*|prepar\w*|plant\w*",
        "Return the maximum value if dishes can be prepared in any order.",
    ),
    (
        r"replac\w*|appl(?:y|ied|ying)|insert\w*|remov\w*|delet\w*|merg\w*",
        "Replacing neighbours in any order leads to the same result.",
    ),
    (
        r"correspond\w*|any order of|lead to",
        "Return \"\" if the words cannot correspond to any order of letters.",
    ),
    // What is given.
    (
        r"inputs?|given (?:to you )?in|submitted",
        "The input is in no particular order.",
    ),
    (
        r"(?:given|takes?|receives?|let) [^,]{0,60}(?:any|arbitrary) order",
        "Given a list of points in any order, return the closest one.",
    ),
    (
        r"(?:is|are) listed|comes?|arriv\w*|appear\w*",
        "Elements may appear in any order.",
    ),
    (
        r"(?:is|are|was|were) (?:reported|printed|written|displayed|returned|output)",
        "The results of the matches are reported in no particular order.",
    ),
    (
        r"(?:judge|jury|checker|system|computer|teacher) (?:gives?|prints?|reports?|shows?|hands?)",
        "The judge gives you the cards in any order.",
    ),
    // An order after all, or no freedom.
    (
        r"(?:not|n't|n’t|never) [^,]{0,40}(?:any|arbitrary) order",
        "Do not print them in arbitrary order.",
    ),
    (
        r"(?:any|arbitrary) (?:other )?order [^,]{0,40}(?:not|n't|n’t|never|wrong|rejected)",
        "Output in any order will not be accepted.",
    ),
    // Something behind what is free.
    (
        r"(?:any|arbitrary) order,? (?:and )?(?:followed by|then|finally)",
        "Print the numbers in any order, followed by their count.",
    ),
    (
        r"(?:any|arbitrary) order,? and (?:the|their|its) (?:\w+ )?(?:sum|count|number|total|size|length|cost|average|mean|product|amount)",
        "Print the numbers in any order and their sum.",
    ),
    (
        r"not in any|same order",
        "Print them in the same order, not in any order.",
    ),
    (
        r"sorted|alphabetical\w*|lexicographic\w*|(?:a|de)scending|(?:in|de)creasing",
        "Print the sorted names; ties come in any order.",
    ),
    // An order of ties alone.
    (
        r"same (?:frequency|length|size|count|number|score|value|weight|priority|distance|sum|rank)",
        "Words of the same length may be printed in any order.",
    ),
    (
        r"with equal|equal (?:frequency|length|size|count|score|value)|tied",
        "Players with equal scores may be printed in any order.",
    ),
]);

/// What is asked of all orders there are.
pub(super) static OVER_ORDERS: Concept = Concept::new(&[(
    r"minimum|maximum|number of|whether|possible to|if you",
    "Print the number of ways to do it in any order.",
)]);

/// That what a sentence asks for comes behind what those before it do.
pub(super) static BEHIND: Concept = Concept::new(&[
    (
        r"^\W*(?:then|finally|lastly|afterwards|next|after (?:that|this|them|these)),? (?:you (?:should|must|have to) )?(?:also )?(?:print|output|write|display|report)",
        "Then print their sum.",
    ),
    (
        r"(?:print|output|write|display) [^,]{0,60}(?:(?:on|in) the (?:last|final) line|at the (?:very )?end)",
        "Print their sum on the last line.",
    ),
]);

/// Where one part of the answer ends and the next begins.
pub(super) static NEXT_PART: Concept =
    Concept::new(&[(r"then|followed by", "Print their number, then the pairs.")]);

/// A sentence of its own that gives the answer before it any order.
pub(super) static ORDER_ALONE: Concept = Concept::new(&[(
    r"^(?:the |their )?order (?:of (?:the |these |those )?\w+ (?:(?:in|within|inside) (?:each|every|a|the) \w+ )?)?(?:does|is) ?(?:not|n't|n’t) (?:matter|important|relevant)$",
    "Order does not matter",
)]);

/// That the output is in an order; spoken of before any comma, since what follows may be one item's own order.
pub(super) static SORTED: Concept = Concept::new(&[
    (
        r"sort(?:ed)? (?:by|in|accord\w*|from|alphabet\w*|lexico\w*)",
        "Print the names sorted by age.",
    ),
    (
        r"in (?:strictly |non-?)?(?:(?:a|de)scending|(?:in|de)creasing|alphabetical|lexicographic\w*) order",
        "Print the numbers in increasing order.",
    ),
]);

/// That each item has a line of its own.
pub(super) static LINE_EACH: Concept = Concept::new(&[(
    r"per line|separate lines?|own line|new line|(?:one|each) (?:on )?a line",
    "Print one pair per line.",
)]);

/// That the answer to one of several tests has.
pub(super) static LINE_OF_TEST: Concept = Concept::new(&[(
    r"(?:on|in) (?:a|its) (?:separate|new|own) line",
    "For each query print the answer on a separate line.",
)]);

/// What a sentence points at that another has asked for.
pub(super) static ASKED_BEFORE: Concept = Concept::new(&[
    (
        r"them|they|these|those|it|their",
        "You may print them in any order.",
    ),
    (
        r"answers?|outputs?|results?|solutions?|order (?:does|is)|order of output",
        "The answer may be in any order.",
    ),
]);

/// What was done or given, or is only pointed at, and is no item of the answer.
pub(super) static NO_ITEMS: Concept = Concept::new(&[
    (
        r"(?:after|perform\w*|mak(?:e|ing)|do|doing|given|using|applying) (?:\w+ ){0,3}(?:edges|segments|intervals|points|swaps|moves|pairs)",
        "Output the positions after performing all swaps.",
    ),
    (
        r"(?:indices|indexes|numbers|ids|labels) of (?:\w+ ){0,3}(?:edges|segments|intervals|points|swaps|moves)",
        "Print the indices of the removed edges.",
    ),
]);

/// A condition, whose consequence is no next part.
pub(super) static IF_THEN: Concept =
    Concept::new(&[(r"if [^,]{1,80},? then", "If there are none then print -1.")]);

/// That what may move are items of several tokens.
pub(super) static ROWS: Concept = Concept::new(&[
    (
        r"edges|segments|intervals|points|coordinates|swaps|moves|cells|squares|rectangles|ranges|vectors|paths|routes|cycles|sequences|permutations|arrangements|partitions|tuples|quadruples|quadruplets",
        "Output the edges in any order.",
    ),
    (r"pairs|triples|triplets", "Return all pairs in any order."),
    (
        r"fractions|meetings|\w+ \(\w+, ?\w+(?:, ?\w+)*\),? (?:in|on)",
        "Output all solutions (x, y, z) in any order.",
    ),
    (
        r"\w+ and (?:\w+ ){1,2}of each",
        "Print the start and end time of each meeting in any order.",
    ),
]);

/// That the items are groups, in which the order says no more than among them.
pub(super) static GROUPS: Concept = Concept::new(&[
    (
        r"group (?:the|all) (?:\w+ ){0,3}together",
        "Group the anagrams together.",
    ),
    (
        r"(?:return|print|output|list)\w* (?:\w+ ){0,3}(?:groups|clusters|connected components)",
        "Print all groups of friends.",
    ),
    (
        r"(?:groups|clusters|components) (?:\w+ ){0,4}in any order",
        "The groups may come in any order.",
    ),
    (
        r"(?:return|print|output|find|list|generate)\w* [^,]{0,60}\b(?:all|possible) (?:\w+ )?(?:subsets|combinations)",
        "Return all possible subsets.",
    ),
    (
        r"order of the triplets",
        "Notice that the order of the output and the order of the triplets does not matter.",
    ),
]);

/// That the output is in an order of rank or time, wherever a sentence says so: what is free are ties.
pub(super) static RANKED: Concept = Concept::new(&[
    (
        r"by (?:strictly |non-?)?(?:(?:a|de)scending|(?:in|de)creasing) \w+",
        "Print the words by decreasing count.",
    ),
    (
        r"by (?:grade|score|age|rank|size|length|weight|value|date|time|frequency|count|priority|height|distance|popularity)",
        "Output the students by grade.",
    ),
    (
        r"from (?:the )?(?:best|most|least|highest|lowest|largest|smallest|oldest|youngest|first|longest|shortest)\b.{0,40} to",
        "Print the players from best to worst.",
    ),
    (
        r"(?:best|most|least|highest|lowest|largest|smallest|oldest|youngest|earliest|longest|shortest)\b[^,]{0,20} first",
        "Print the words, most frequent first.",
    ),
    (
        r"topological\w*|as they (?:leave|arrive|finish|enter|come|go|appear|are)",
        "Print the customers as they leave.",
    ),
]);

/// That some items come before the others, in whatever sentence: what is free are ties.
pub(super) static FIRST: Concept = Concept::new(&[(
    r"(?:\w+est|most|least|more|higher|lower|greater|smaller|larger|longer|shorter|older|younger|earlier)\b[^,]{0,60} (?:comes?|goes?|(?:is|are|be) (?:listed|shown|placed|printed)) (?:first|at the (?:front|top|beginning))",
    "The words with the highest frequency come first.",
)]);

/// That one thing comes before those whose order is free, on a line with them maybe.
pub(super) static LEADING: Concept = Concept::new(&[
    (
        r"followed by",
        "Print the sum followed by the numbers in any order.",
    ),
    (
        r"(?:[kmn]|the (?:\w+ )?(?:number|count|sum|cost|size|length|total|minimum|maximum|amount|answer|name|value|weight))(?: of)?(?: \w+){0,4},? and (?:the|its|their|all|those|these)",
        "Print the total cost and the edges used in any order.",
    ),
    (
        r"(?:print|output|return|display|write)\w* [^,]{1,60},? (?:and )?then",
        "Print the name, then the friends in any order.",
    ),
    (
        r"\w+['’]s (?:name|id|number|size),? and (?:the|its|their|all)",
        "Print each team's name and its members in any order.",
    ),
    (
        r"in any order (?:after|behind|below|under) (?:it|that|them)",
        "Print the indices in any order after it.",
    ),
]);

/// That what comes before has a line of its own.
pub(super) static OWN_LINE: Concept = Concept::new(&[(
    r"(?:first|next|second|new|separate|following|own) (?:\w+ )?lines?",
    "Print k on the first line and the indices on the second in any order.",
)]);

/// That several things come before those whose order is free.
pub(super) static LEADING_SEVERAL: Concept = Concept::new(&[(
    r"the \w+, (?:the )?\w+,? and (?:the|all)",
    "Print the source, the target and the vertices between them in any order.",
)]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        let concepts = [
            &ANY_ORDER,
            &DONE_BEFORE,
            &OTHER_ORDER,
            &OVER_ORDERS,
            &NEXT_PART,
            &BEHIND,
            &ORDER_ALONE,
            &SORTED,
            &LINE_EACH,
            &LINE_OF_TEST,
            &ASKED_BEFORE,
            &NO_ITEMS,
            &IF_THEN,
            &ROWS,
            &GROUPS,
            &RANKED,
            &FIRST,
            &LEADING,
            &OWN_LINE,
            &LEADING_SEVERAL,
        ];
        for concept in concepts {
            concept.assert_examples();
        }
    }
}
