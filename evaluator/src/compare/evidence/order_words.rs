//! The words by which statements speak of order, as they were met in real ones.

use super::concept::Concept;

/// That what a sentence asks for comes behind what those before it do.
pub(super) static BEHIND: Concept = Concept::new(&[
    (
        r"^\W*(?:then|finally|lastly|afterwards|next|after (?:that|this|them|these)),? (?:you (?:should|must|have to) )?(?:also )?(?:print|output|write|display|report)",
        "Then print their sum.",
    ),
    (
        r"^\W*(?:you (?:should|must|have to) )?(?:also (?:print|output|write|give)|(?:print|output|write) also|next,? (?:print|output|write|display|report))",
        "Print also the numbers greater than it.",
    ),
    (
        r"(?:print|output|write|display) [^,]{0,60}(?:(?:on|in) the (?:last|final|next|second|third|following) line|at the (?:very )?end|(?:after|below|under|behind) (?:it|them|these|those))",
        "Print their sum on the last line.",
    ),
    (
        r"^\W*(?:(?:on|in) the (?:next|second|third|following|last|final) line|(?:after|below|under|behind) (?:it|that|this|them|these|those)),? (?:print|output|write|display|give)",
        "On the next line print their sum.",
    ),
]);

/// That the output is in an order; spoken of before any comma, since what follows may be one item's own order.
pub(super) static SORTED: Concept = Concept::new(&[
    (
        r"(?:alphabetical|chronological|lexicographical|numerical)ly by \w+|by \w+, (?:alphabetical|chronological|lexicographical)ly|in (?:strictly |non-?)?(?:(?:a|de)scending|(?:in|de)creasing) (?:age|size|height|weight|length|score|rank|price|value)s?|in the (?:sequence|order) in which",
        "Print the students alphabetically by city.",
    ),
    (
        r"sorted (?:cop(?:y|ies)|lists?|arrays?|order|sequence|version|elements|numbers|names|words)",
        "Return a sorted copy of the list.",
    ),
    (
        r"sort (?:the |these |all )?\w+ and (?:print|output|return)",
        "Sort the names and print them.",
    ),
    (
        r"(?:smallest|largest|minimum|maximum|numerator|source)\b.{0,30} and (?:the )?(?:smallest|largest|minimum|maximum|denominator|target)",
        "Print the smallest number and the largest.",
    ),
    (
        r"sort(?:ed)? (?:by|in|accord\w*|from|alphabet\w*|lexico\w*)",
        "Print the names sorted by age.",
    ),
    (
        r"in (?:strictly |non-?)?(?:(?:a|de)scending|(?:in|de)creasing|alphabetical|lexicographic\w*) order",
        "Print the numbers in increasing order.",
    ),
    (
        r"in (?:the|their|its|this|that|the same|the given|this very) (?:(?:original|given|same|right|correct|natural|usual|input|reverse|opposite) )?order(?: (?:of|in|that|they|as|given|you|he|she|it)\b|\W*$)",
        "Print the cards in the order in which they are drawn.",
    ),
]);

/// Which of two members comes first.
pub(super) static SMALLER_FIRST: Concept = Concept::new(&[(
    r"the (?:smaller|larger|lower|greater|smallest|lesser|bigger) (?:\w+ )?first",
    "Print the two numbers in any order, the smaller first.",
)]);

/// That each item has a line of its own.
pub(super) static LINE_EACH: Concept = Concept::new(&[(
    r"per line|one line (?:per|for each)|separate lines?|own line|lines? of (?:its|their) own|new line|(?:one|each) (?:on )?a line",
    "Print one pair per line.",
)]);

/// That a comma stands between each two items.
pub(super) static COMMAS: Concept = Concept::new(&[(
    r"(?:separat|delimit)\w* (?:by|with) (?:an? |the |single )*commas?|comma[- ](?:separated|delimited)",
    "Print the ids in any order, separated by commas.",
)]);

/// That the answer to one of several tests has.
pub(super) static LINE_OF_TEST: Concept = Concept::new(&[(
    r"(?:on|in) (?:(?:a|its) (?:separate|new|own) line|a line of its own)|(?:one|each) (?:test case|test|case|query|data ?set) (?:per|a|on a) line",
    "For each query print the answer on a separate line.",
)]);

/// That another part of the output comes next.
pub(super) static NEXT_PART: Concept = Concept::new(&[(
    r"then|followed by|(?:below|under|after|behind) (?:it|that|them)",
    "Print the names, and below them their ages.",
)]);

/// Which line it is that a sentence asks for.
pub(super) static NAMED_LINE: Concept = Concept::new(&[(
    r"(?:first|second|third|next|following|last) line",
    "Print the indices on the second line in any order.",
)]);

/// That it asks for what each of them has, behind one that asked for these.
pub(super) static MEMBERS_OF_EACH: Concept = Concept::new(&[(
    r"^\W*for (?:each|every) [^,]{1,30},? (?:print|output|list) (?:its|their) \w+s in",
    "For each island output its villages in increasing order.",
)]);

/// What comes first in each item, and so before no other.
pub(super) static HEAD_OF_EACH: Concept = Concept::new(&[(
    r"first (?:element|item|value|entry|number|word) (?:of|in) (?:each|every)",
    "The first element of each account is the name, and the rest are addresses.",
)]);

/// That a sentence asks for a thing and for others.
pub(super) static THING_AND_OTHERS: Concept = Concept::new(&[(
    r"(?:print|output|return|display|write)\w* (?:the|its|their|an?) \w+ (?:and|plus|as well as|along with) (?:the|its|their|all|those) \w+",
    "Print the degree and the roots of the polynomial.",
)]);

/// That all of it stands on one line.
pub(super) static ONE_LINE: Concept = Concept::new(&[(
    r"(?:on|in) (?:one|a single|the same) line",
    "Print the rooms on one line.",
)]);

/// That a sentence asks for something of each item.
pub(super) static OF_EACH_ITEM: Concept = Concept::new(&[(
    r"(?:of|for) (?:each|every|all|both)",
    "Print the row and the column of each cell.",
)]);

/// That it does so at its head, or of things that come one by one.
pub(super) static FOR_EACH: Concept = Concept::new(&[(
    r"for (?:each|every)|(?:in|within|inside) (?:each|every) (?:pair|triple|edge|road|tuple|interval|segment|match)",
    "For each city print its name and its size.",
)]);

/// That what is asked for comes with something of each: two to an item.
pub(super) static WITH_THEIRS: Concept = Concept::new(&[(
    r"\w+s(?: of \w+)? (?:and|with|together with|followed by|along with) (?:their|its) (?:\w+ ){0,3}(?:exponents?|powers?|counts?|multiplicit\w+|frequenc\w+|votes?|numbers?|sizes?|degrees?|weights?|prices?|lengths?|scores?|ages?|\w+s)",
    "Print the prime factors with their exponents in any order.",
)]);

/// That each item is several numbers or words.
pub(super) static COMPOUND: Concept = Concept::new(&[
    (
        r"coordinates?|x[- ]* and (?:the )?y|start(?:s|ing)? and (?:the )?end(?:s|ing)?|beginnings? and (?:the )?ends?",
        "Print the coordinates of the vertices.",
    ),
    (
        r"each (?:\w+ ){0,5}preceded by (?:its|the)|followed by (?:its|their|his|her) (?:\w+ )?(?:exponent|multiplicity|count|number|frequency|name|age|score|weight|price|degree|power)s?|after each (?:\w+ ){1,2}print|each (?:as x,? (?:and )?y|with (?:its|their) (?:multiplicit\w+|exponents?|counts?|frequency|power|degree))|(?:vertices|vertex|corners?|points?|centers?|centres?) of (?:the|an?|each|every) (?:\w+ )?(?:triangle|square|rectangle|polygon|quadrilateral|parallelogram|hull|box|diamond|rhombus)|(?:each|every) (?:\w+ ){1,3}(?:is|as) (?:\w+ )?(?:given|printed|written|described) (?:by|as)",
        "Print each prime followed by its exponent.",
    ),
    (
        r"\w+ and (?:the |its )?\w+(?: \w+)? (?:of|for) (?:each|every)|\w+s and (?:their )?\w+s,? (?:each on a separate line|one per line)",
        "Print the value and count of each element.",
    ),
]);

/// That each item takes several lines.
pub(super) static SPREAD: Concept = Concept::new(&[
    (
        r"(?:for|after) (?:each|every|all)\b.{0,80}\b(?:two|three|four|five|six|several|\d+) lines",
        "For each plot print two lines: a corner, and the other.",
    ),
    (
        r"(?:each|every|an?) \w+ (?:is|are|consists?|takes?|occupies|has) (?:\w+ ){0,4}(?:two|three|four|five|six|several|\d+) (?:\w+ )?lines",
        "Each edge is described by two lines.",
    ),
    (
        r"(?:an?|each|every) \w+ is (?:an? )?(?:list|sequence|series) of \w+, one (?:\w+ )?per line",
        "A route is a list of stops, one stop per line.",
    ),
    (
        r"for (?:each|every) \w+ (?:its|his|her|their|the) \w+,? (?:and )?then .{1,60}\bone (?:\w+ )?per line",
        "For each shop its name, then what to buy there, one item per line.",
    ),
    (
        r"each (?:\w+ )?(?:as|by|on) an? (?:\w+ ){0,2}block|(?:each|every) \w+ on (?:two|three|four|several) lines|(?:each|every) \w+ (?:,? )?followed (?:on the next line by|by .{1,40} on the next line)",
        "Print the squares found, each as a 2x2 block.",
    ),
    (
        r"one per line: first \w+,? (?:and )?then \w+,? for (?:each|every)|(?:for|of) (?:each|every) [^.;]{1,60}\b(?:and|followed by) (?:its |his |her |the )?(?:\w+ ?){1,4},? (?:on|in) separate lines",
        "For every lake output its row followed by its column, on separate lines.",
    ),
    (
        r"as (?:two|three|four|five|several) lines|(?:for|after) (?:each|every)\b.{0,60}\bfirst line\b.{0,100}\bsecond (?:line|one)",
        "A move is printed as two lines.",
    ),
    (
        r"(?:each|every)\b.{1,100}\b(?:on|in) (?:one|a|the first) line,? (?:and|followed by) .{1,60}\b(?:on|in) (?:the next|another|the following|the second|a second)(?: line)?",
        "For every delivery print the pickup in one line and the drop in another line.",
    ),
    (
        r"(?:each|every|an?|the) \w+ is (?:\w+ ){0,2}as\b.{0,60}\b(?:below|under|beneath|followed by)",
        "A recipe is printed as its name, and below it the ingredients.",
    ),
    (
        r"(?:for|after) (?:each|every|all)\b.{0,120}\b(?:followed by (?:a|another|one) line|(?:on|in) (?:the|a|another) (?:next|second|following|new|separate|further) line|(?:below|under|beneath) (?:it|that|him|her|this))",
        "For each recipe print its name, and below it the ingredients.",
    ),
    (
        r"(?:its|his|her|their) (?:\w+ )*(?:,|and) .{0,80}(?:each|every \w+|all|both) (?:on|in) (?:a|an|its own|their own|separate|different|the) (?:\w+ )?lines?|(?:its|his|her|their) (?:two|three|four) \w+, (?:each|every \w+|all|both) (?:on|in) (?:a|an|its own|separate|different)\b.{0,20}\blines?",
        "For each student print his number and his points, each on a separate line.",
    ),
]);

/// That a sentence points at what another has asked for.
pub(super) static POINTS_BACK: Concept = Concept::new(&[(
    r"them|they|these|those|it|their",
    "You may print them in any order.",
)]);

/// That it permits, and asks for nothing more.
pub(super) static PERMITS: Concept = Concept::new(&[(
    r"may|can|could|might|allowed|permitted|does(?: not|n['’]t) matter|is(?: not|n['’]t) important|irrelevant|it is guaranteed",
    "You may print the indices in any order.",
)]);

/// That it asks for the same of something else.
pub(super) static LIKEWISE: Concept = Concept::new(&[(
    r"(?:and|then) (?:print )?those",
    "Print the elements of a on the first line and those of b on the second.",
)]);

/// That it goes on to show how several things are laid out.
pub(super) static LAID_OUT: Concept = Concept::new(&[(
    r"(?:following|this|below) format|format (?:below|is)|as follows",
    "Print the answer in the following format: C K, and then the indices.",
)]);

/// That it speaks of the answer as a whole.
pub(super) static THE_ANSWER: Concept = Concept::new(&[(
    r"answers?|(?:the|your) outputs?|results?|solutions?|order (?:does|is)|order of (?:the )?(?:output|printing)",
    "The answer may be in any order.",
)]);

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
        r"edges|segments|intervals|points|coordinates|swaps|moves|cells|squares|rectangles|ranges|vectors|paths|routes|cycles|sequences|permutations|arrangements|partitions|tuples|quadruples|quadruplets|dates|pixels|substrings|subarrays|dominoes|locations|corners",
        "Output the edges in any order.",
    ),
    (r"pairs|triples|triplets", "Return all pairs in any order."),
    (
        r"(?:full|first|last) names",
        "Print the full names in any order.",
    ),
    (
        r"\w+s with their \w+s|fractions|meetings|\w+ \(\w+, ?\w+(?:, ?\w+)*\),? (?:in|on)",
        "Output all solutions (x, y, z) in any order.",
    ),
    (
        r"\w+ and (?:\w+ ){1,2}of each",
        "Print the start and end time of each meeting in any order.",
    ),
]);

/// That answers are what may come in any order: each is a whole.
pub(super) static OF_SEVERAL_ANSWERS: Concept = Concept::new(&[(
    r"(?:multiple|several|many|more than one) (?:\w+ )?(?:answers?|solutions?|ways)",
    "If there are multiple answers, print them in any order.",
)]);

/// That what may move are lists, by whatever they are of.
pub(super) static LISTS_OF: Concept = Concept::new(&[(
    r"(?:arrays?|lists?|groups?|sets?|subsets?|sublists?|subarrays?|teams?|clusters?|components?|pairs) (?:consisting )?of|combinations|subsets",
    "Return a list of lists of integers in any order.",
)]);

/// That an item has been asked for as several things.
pub(super) static ITEM_OF_SEVERAL: Concept = Concept::new(&[(
    r"(?:number|name|id|index|position) and (?:his|her|its|their|the) \w+",
    "For each player print his name and his score.",
)]);

/// That it is one figure of each of several things: a single token, where nothing stands beside it.
pub(super) static MEASURES: Concept = Concept::new(&[(
    r"sizes|lengths|distances|heights|weights|degrees",
    "Print the sizes in any order.",
)]);

/// That what may move are single tokens.
pub(super) static SINGLE: Concept = Concept::new(&[
    (
        r"numbers|integers|elements|values|reals|digits|bits",
        "Print the integers in any order.",
    ),
    (
        r"terms|summands|sums|squares of|divisors|factors|primes|multiples|roots|powers|modes?",
        "Print the divisors in any order.",
    ),
    (
        r"ranks|ages|scores|marks|grades|prices|cards|years",
        "Print their ages in any order.",
    ),
    (
        r"indices|indexes|ids?|identifiers|labels|vertices|nodes|neighbou?rs|leaves|servers",
        "Output the vertices in any order.",
    ),
    (
        r"words|letters|characters|members|players|friends|ends|endpoints|index|(?:chosen|selected|these) positions|positions (?:the|that|in|at|where)|(?:two|three) \w+",
        "Print the words in any order.",
    ),
    (
        r"permutation|subset|subsequence|set",
        "Print the subset in any order.",
    ),
    (
        r"[a-z](?:, [a-z])*,? and [a-z]",
        "Print x, y and z in any order.",
    ),
]);

/// That what is asked for are places with a meaning each, rather than a group.
pub(super) static GROUP_OF_PLACES: Concept = Concept::new(&[
    (r"letter combinations?", "Return all letter combinations."),
    (
        r"combinations\b.{0,40}(?:[\[(]\w+, ?\w+|dials|left|right|counts|digits|[a-z], [a-z],? and [a-z])",
        "Return all combinations [a, b].",
    ),
]);

/// Between which numbers something is, in brackets that are no item.
pub(super) static RANGE: Concept = Concept::new(&[(
    r"(?:range|interval|between|from) [\[(]-?\w+, ?-?\w+",
    "Return all combinations of k numbers of the range [1, n] in any order.",
)]);

/// That what stands in each item has an order.
pub(super) static ORDER_OF_MEMBERS: Concept = Concept::new(&[
    (
        r"(?:keeps?|kept|preserv\w*|retain\w*|maintain\w*)\b.{0,60}\border|(?:relative|original|given|same) order|from (?:the )?\w+ to (?:the )?\w+",
        "Within a subset, keep the elements in their original order.",
    ),
    (
        r"(?:starts?|begins?|headed|led|ends?) (?:with|by)|(?:print|output|list|write|put|name)\w* (?:the |its |their |his |her )*\w+ (?:first|last)|(?:leaders?|roots?|captains?|heads?|\w+est|members?) first|each as (?:its|their|the|his|her) \w+ and (?:its|their|the|his|her) \w+",
        "Each group starts with its leader.",
    ),
    (
        r"(?:listed|ordered|arranged|ranked|sort(?:ed)?) by",
        "The members are listed by age.",
    ),
    (
        r"(?:members?|elements?|numbers?|names?|items?|groups?|subsets?|combinations?|leaders?|each|every|within|inside)\b.{0,60}\b(?:(?:a|de)scending|(?:in|de)creasing|sorted|alphabetical\w*|lexicographical\w*|(?:stands?|comes?|goes|is|are|be) (?:\w+ )?(?:before|first|behind|after|last))",
        "The members of a group must be in ascending order.",
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
        r"(?:return|print|output|find|list|generate)\w* [^,]{0,60}\b(?:all|possible) (?:\w+ )?subsets",
        "Return all possible subsets.",
    ),
    (
        r"combinations (?:of|in) (?:the )?(?:\w+ )?(?:candidates|elements|items|distinct|k|\d+|[a-z] (?:numbers|integers))",
        "Return all combinations of k numbers.",
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
        r"from (?:the )?(?:\w+est|best|most|least|first|front|back|top|bottom|left|right)\b.{0,40} to",
        "Print the players from best to worst.",
    ),
    (
        r"(?:best|most|least|highest|lowest|largest|smallest|oldest|youngest|earliest|longest|shortest)\b[^,]{0,20} first",
        "Print the words, most frequent first.",
    ),
    (
        r"(?:breadth|depth)[- ]first|[bd]fs[- ]order|chronological\w*",
        "Print the vertices of a breadth-first search.",
    ),
    (
        r"topological\w*|along the \w+|(?:pre|in|post)order|level by level|as they (?:leave|arrive|finish|enter|come|go|appear|are)",
        "Print the customers as they leave.",
    ),
]);

/// That how many things there are is printed, or one before others.
pub(super) static HOW_MANY: Concept = Concept::new(&[(
    r"numbers? of|counts?|how many|amount|quantity|sizes?|total|length|preced\w*|first|head\w*|begin\w*|start\w*|[kmn]",
    "Print how many there are.",
)]);

/// What things are of, by a letter for it that is given: no number of theirs.
pub(super) static OF_GIVEN: Concept = Concept::new(&[(
    r"(?:of|in|from|to|than|dividing|divides?|divisible by|into|between \d+ and) (?:the )?(?:given )?(?:number |integer )?[kmn]",
    "Print the prime divisors of n in any order.",
)]);

/// That an item is told by its place.
pub(super) static BY_PLACE: Concept = Concept::new(&[(
    r"the [ijk]-?th (?:\w+ ){0,2}(?:is|are|being|must|should|equals?|denotes?)",
    "Print n numbers: the i-th is the team of player i.",
)]);

/// That some items come before the others, in whatever sentence: what is free are ties.
pub(super) static FIRST: Concept = Concept::new(&[
    (
        r"(?:\w+est|most|least|more|higher|lower|greater|smaller|larger|longer|shorter|older|younger|earlier)\b[^,]{0,60} (?:comes?|goes?|(?:is|are|be) (?:listed|shown|placed|printed)) (?:first|at the (?:front|top|beginning))",
        "The words with the highest frequency come first.",
    ),
    (
        r"^\W*no[:,] (?:\w+ ){0,4}(?:in|by|sorted|ordered)",
        "No: in ascending order.",
    ),
]);

/// That one thing comes before those whose order is free, on a line with them maybe.
pub(super) static LEADING: Concept = Concept::new(&[
    (
        r"followed by|(?:starts?|begins?) with",
        "Print the sum followed by the numbers in any order.",
    ),
    (
        r"(?:[kmn]|(?:the|its) (?:\w+ )?(?:number|count|sum|cost|size|length|total|minimum|maximum|amount|answer|name|value|weight))(?: of)?(?: \w+){0,4},? (?:and|and then|then|together with) (?:the|its|their|all|those|these|[kmn])",
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
        r"(?:print|output|write|give) (?:it|this|that),? and (?:print|output|write|then|the|all)|(?:print|output|write|give) [^,]{1,60} first\W*$",
        "Output it, and output the indices.",
    ),
    (
        r"^(?:after|behind|beside) (?:it|that|this),? (?:print|output|write)",
        "After it, print the vertices.",
    ),
    (
        r"in any order (?:after|behind|below|under) (?:it|that|them)",
        "Print the indices in any order after it.",
    ),
]);

/// That what is free is all but one thing.
pub(super) static OTHERS: Concept = Concept::new(&[(
    r"the (?:other|others|rest|remaining)(?: \w+)?(?: (?:in|of) the output)? (?:may|can|could|do|does|in any order|are|is)",
    "The leader comes first, the others can be in any order.",
)]);

/// That what comes before has a line of its own.
pub(super) static OWN_LINE: Concept = Concept::new(&[(
    r"(?:first|next|second|new|separate|following|own) (?:\w+ )?lines?|then (?:print |output )?(?:two|three|[a-z]) lines",
    "Print k on the first line and the indices on the second in any order.",
)]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        let concepts = [
            &BEHIND,
            &SORTED,
            &SMALLER_FIRST,
            &LINE_EACH,
            &LINE_OF_TEST,
            &COMMAS,
            &NEXT_PART,
            &NAMED_LINE,
            &OF_EACH_ITEM,
            &FOR_EACH,
            &ONE_LINE,
            &THING_AND_OTHERS,
            &HEAD_OF_EACH,
            &MEMBERS_OF_EACH,
            &COMPOUND,
            &WITH_THEIRS,
            &SPREAD,
            &PERMITS,
            &LAID_OUT,
            &LIKEWISE,
            &POINTS_BACK,
            &THE_ANSWER,
            &NO_ITEMS,
            &IF_THEN,
            &ROWS,
            &ITEM_OF_SEVERAL,
            &OF_SEVERAL_ANSWERS,
            &LISTS_OF,
            &SINGLE,
            &MEASURES,
            &GROUP_OF_PLACES,
            &RANGE,
            &ORDER_OF_MEMBERS,
            &GROUPS,
            &RANKED,
            &HOW_MANY,
            &OF_GIVEN,
            &BY_PLACE,
            &FIRST,
            &LEADING,
            &OTHERS,
            &OWN_LINE,
        ];
        for concept in concepts {
            concept.assert_examples();
        }
    }
}
