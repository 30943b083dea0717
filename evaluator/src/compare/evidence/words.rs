//! The words that statements use, as they were met in real ones.

use super::concept::Concept;

/// What the program gives out, or who judges that.
pub(super) static OUTPUT: Concept = Concept::new(&[
    (r"return\w*", "Return the indices."),
    (r"print\w*", "You should print n lines."),
    (r"outputs?|outputt\w+", "Output one integer."),
    (r"answers?", "The answer may be large."),
    (r"report\w*", "Report the number of pairs."),
    (r"display\w*", "Display the sum."),
    (r"write", "Write one line for each query."),
    (r"results?", "The results come one a line."),
    (r"checker|judge", "The checker ignores case."),
]);

/// That letter case is free.
pub(super) static ANY_CASE: Concept = Concept::new(&[
    (
        r"case[- ]insensitive\w*",
        "Print YES or NO (case-insensitive).",
    ),
    (
        r"not case[- ]sensitive",
        "The output is not case-sensitive.",
    ),
    (
        r"(?:ignor\w*|regardless of|irrespective of) (?:the )?(?:letter )?case|(?:letter )?case (?:of (?:the |your )?(?:\w+ )?(?:output|answer|letters?)s? )?(?:is|will be) ignored",
        "The checker ignores case.",
    ),
    (
        r"(?:upper|lower)[- ]?(?:case)? or (?:in )?(?:upper|lower)[- ]?case",
        "Print it in upper or lower case.",
    ),
    (
        r"upper or lower|lower or upper",
        "You can print each letter in any case (upper or lower).",
    ),
    (
        r"(?:letters?|characters?)\b[^,]{0,40} in (?:any|either|arbitrary) (?:case|register)",
        "You may output each letter in any register.",
    ),
    (
        r"(?:it|them|words?|answers?|verdicts?|results?)\W{1,4}in (?:any|arbitrary) (?:case|register)",
        "You can output the answer in any case.",
    ),
    (
        r"(?:print|output|write|answer|reply)\w* in (?:any|arbitrary) (?:case|register)",
        "You can print in any register.",
    ),
    (
        r"(?:true|false|possible|impossible|valid|invalid)\W{1,4}in (?:any|arbitrary) (?:letter )?(?:case|register)",
        "Print true or false in any case.",
    ),
    (
        r"(?:you|they) (?:may|can|could) use (?:any|either) (?:letter )?case|(?:any|either) (?:letter )?case\)\W*$",
        "Print TRUE or FALSE (either case).",
    ),
    (
        r"any (?:kind of )?capitali[sz]ation",
        "The judge will accept any capitalization.",
    ),
    (
        r"(?:upper|lower)[- ]?(?:case)? (?:letters )?(?:and|or|from) (?:upper|lower)[- ]?case (?:letters )?(?:is|are) (?:(?:not|n't|n’t) (?:distinguished|different)|equivalent|the same|alike|both (?:fine|accepted|allowed))",
        "Upper and lower case are not distinguished.",
    ),
    (
        r"(?:outputs?|answers?|verdicts?),? (?:the )?(?:upper|lower)[- ]?case (?:and|or) (?:upper|lower)[- ]?case letters are (?:treated|considered|regarded) (?:as )?(?:the same|equal|identical|equivalent)|(?:outputs?|answers?|verdicts?),? (?:the )?(?:upper|lower) (?:and|or) (?:upper|lower)[- ]?case letters are (?:treated|considered|regarded) (?:as )?(?:the same|equal|identical|equivalent)",
        "In your output, upper and lower case letters are treated as the same.",
    ),
    (
        r"in (?:any|either|arbitrary) letter[- ]?case",
        "Print the word in any letter case.",
    ),
    (
        r"(?:any|either) (?:letter )?case (?:is|will be) (?:fine|ok|okay|accepted|acceptable|allowed)|both (?:upper|lower)[- ]?(?:case)? (?:letters )?and (?:upper|lower)[- ]?case (?:letters )?(?:is|are|will be) (?:fine|ok|okay|accepted|acceptable|allowed)",
        "Any letter case is acceptable.",
    ),
    (
        r"which (?:letter )?case (?:you|they) (?:use|choose|print|are)|(?:not|n['’]t) distinguish (?:between )?(?:upper|lower)[- ]?(?:case)? (?:letters )?(?:and|from) (?:upper|lower)[- ]?case",
        "It does not matter which case you use.",
    ),
    (
        r"(?:words?|answers?|verdicts?|letters?|it|they) (?:may|can|could|might) be in (?:any|either|arbitrary) (?:letter )?(?:case|register)|case (?:may|can) be arbitrary|capitali[sz]ation (?:(?:does|is|will) ?(?:not|n['’]t) (?:be )?(?:matter|important|checked)|is (?:irrelevant|ignored|unimportant))",
        "Capitalization does not matter.",
    ),
    (
        r"case\b[^,]{0,40}\b(?:(?:not|\w*n['’]t) (?:matter|important)|irrelevant|unimportant|insignificant)",
        "The case of the output does not matter.",
    ),
]);

/// That the letter case of two words is; of one `in either case` says something else.
pub(super) static YES_NO_CASE: Concept = Concept::new(&[(
    r"(?:yes|no)\W{1,4}in (?:any|arbitrary) (?:case|register)|(?:yes|no)\W{1,4}(?:and|or)\W{1,4}(?:yes|no)\W{1,4}in either (?:case|register)",
    "You can output YES and NO in any case.",
)]);

/// That the letter case of something in the output tells it from others.
pub(super) static CASE_MATTERS: Concept = Concept::new(&[(
    r"(?:is|are|be) case[- ]sensitive|differ\w* (?:only )?(?:in|by) (?:letter |their )?case|case of (?:\w+ ){1,4}matters|exactly as|same case as|spelled|as (?:registered|it is|they are|written)|in its own case",
    "Names are case-sensitive.",
)]);

/// What gives the letter case of something other than the answer.
pub(super) static OTHER_CASE: Concept = Concept::new(&[
    (
        r"in any case (?:when |where |in which )?(?:it|this|there|the \w+|no \w+|\w+) (?:can|can ?not|can['’]t|could|is|are|was|does|has|fails|holds)",
        "Print impossible in any case it cannot be done.",
    ),
    (r"inputs?", "The input is case-insensitive."),
    (
        r"given|reads?|receives?|enter\w*|typed",
        "Given a numeral in uppercase or lowercase letters, output the next.",
    ),
    (
        r"consist\w*|contain\w*",
        "The string consists of uppercase or lowercase letters.",
    ),
    (
        r"compar\w*|palindrom\w*|sort(?:s|ed|ing)?|alphabetical\w*|lexicographic\w*|group(?:s|ed|ing)?|minim\w*|maxim\w*|occur\w*|case[- ]insensitive(?:ly)? (?:\w+ )?order",
        "Words are compared case-insensitively; print the count.",
    ),
    (
        r"find (?:[\w'’-]+ ){1,4}(?:ignoring|regardless of|irrespective of)",
        "Find the words ignoring case and print them in order.",
    ),
    (
        r"(?:count|convert|search)\w*|treat(?:ed)? (?:it|them|as|upper|lower|letters|words) (?:\w+ )?(?:case|letters?|words?|differently|one)",
        "Count the letters, regardless of case.",
    ),
    (r"(?:is|are) case[- ]sensitive", "Output is case-sensitive."),
    (
        r"original|printers?|other than|previous",
        "In the original problem you could print YES in any case.",
    ),
    (
        r"whichever|depending|fewer|replac\w*",
        "Print the word in upper or lower case, whichever needs fewer letters to be changed.",
    ),
]);

/// That letter case is not free here, or not everywhere.
pub(super) static NOT_HERE: Concept = Concept::new(&[
    (
        r"(?:(?:may|must|can|could|should|shall|need)(?: ?not|n't|n’t)|can['’]t) (?:be )?(?:print|output|writ|us|giv|mix)\w*|not true|no longer|any ?more|unlike|although|asks? whether|except|apart from|save for",
        "Unlike elsewhere, you may not print YES in any case.",
    ),
    (
        r"(?:must|have to|has to|need to|should|shall) (?:\w+ ){0,4}in (?:any|either) case|in (?:any|either) case[,:;]? (?:of|for|with|in|the|a|no|not|at|that|which|but|else|where|when|only|just|one|exactly|print|output|write|also|even|whether|i\.e|if|unless|because|since|and (?:then )?(?:terminate|stop|exit|halt|end|flush))|nobody|no one|(?:it is|it['’]s) (?:false|untrue|wrong|a myth) that|^\W*(?:wrong|false|incorrect)[:,]",
        "You must print an answer in any case.",
    ),
    (
        r"(?:make|be) sure|ensures?|guarantee\w*|can be (?:shown|proved|proven)",
        "Make sure that your program prints an answer in any case.",
    ),
    (
        r"(?:other|most|many|some|earlier) (?:problems?|tasks?|contests?|judges|sites)|(?:in|during|for) (?:the )?(?:practice|trial|problem [a-z]|task [a-z])",
        "In other problems you can print each letter in any case.",
    ),
]);

/// What letter case is said to be free of, where the answer is not named.
pub(super) static OF_THE_ANSWER: Concept = Concept::new(&[(
    r"letters?|characters?|case|words?|answers?|verdicts?|register|capitali[sz]ation|yes|no|it|they|them|you|upper ?case|lower ?case|both",
    "Each letter may be in any case.",
)]);

/// The letters of something else.
pub(super) static OF_ANOTHER: Concept = Concept::new(&[(
    r"(?:letters?|characters?|case) (?:of|in) (?:an?|the|its|his|her|their|each|every) (?:input|name|password|login|passport|plate|numeral|key|keyword|code|query|pattern|file|command|address|title|license|licence|user|nick|handle|serial|identifier|id)\w*|(?:passwords?|logins?|names?|users?|nicknames?|handles?|identifiers?|commands?|keywords?|keys?|codes?|addresses|numerals?|plates?) (?:is|are|may|can|could|might)",
    "The letters of a plate may be in any case.",
)]);

/// What a statement asks for output by.
pub(super) static ASKS: Concept = Concept::new(&[(
    r"print\w*|outputs?|outputt?\w*|return\w*|display\w*|write|report|show|find|calculate|compute|determine|tell|what|how",
    "Find the area.",
)]);

/// That a sentence speaks to the reader, or of who judges.
pub(super) static ADDRESSED: Concept = Concept::new(&[
    (
        r"you|your|yours|we|our|judges?|checker|jury|print|output (?:the|a|an|one|each)",
        "Your answer must be within 1e-6 of ours.",
    ),
    (
        r"(?:solutions|submissions|programs) (?:with|whose|that)\b[^;]{1,80}\b(?:will|would) (?:not )?be (?:rejected|accepted)",
        "Solutions with an error greater than 0.01 will be rejected.",
    ),
]);

/// That a sentence begins with a condition.
pub(super) static CONDITION: Concept = Concept::new(&[(
    r"^\W*(?:if|when|whenever|in case)",
    "If it is a vowel in upper or lower case print it.",
)]);

/// That more than one thing is spoken of.
pub(super) static AND: Concept = Concept::new(&[(r"and|then", "Print the length and the name.")]);

/// Two of which one thing is, which is no two things: `the distance between A and B`.
pub(super) static OF_TWO: Concept = Concept::new(&[(
    r"between (?:the )?[^,;]{1,60}? and|(?:sum|difference|product|quotient|ratio|union|intersection|distance) (?:of|from) (?:the )?[^,;]{1,40}? and",
    "Print the sum of a and b.",
)]);

/// That what was spoken of is printed, which is nothing more.
pub(super) static PRINTS_IT: Concept = Concept::new(&[(
    r"(?:and|then) (?:then )?(?:print|output|return|report|display|write)s? (?:it|this|that|its value|the (?:answer|result|value)|(?:your|this|that) (?:answer|result|value))",
    "Find the expected value and print it.",
)]);

/// That one output holds the answers of several tests.
pub(super) static MANY_TESTS: Concept = Concept::new(&[
    (
        r"test[- ]?cases|number of tests|(?:problem|test) instances|sets of data",
        "The first line contains the number of test cases.",
    ),
    (
        r"(?:each|every|per|all) (?:test ?case|test|query|case|data ?set)",
        "For each query print one number.",
    ),
    (r"queries", "Answer all queries."),
    (
        r"(?:several|multiple|many|number of) (?:\w+ )?(?:graphs|networks|grids|maps|boards|puzzles|mazes|trees|games)(?: (?:are )?given in the input|\W{1,3}each (?:graph|network|grid|map|board|puzzle|maze|tree|game)| [a-z]; [a-z] \w+ follow)",
        "The first line contains the number of graphs.  Each graph starts with n and m.",
    ),
    (
        r"input\b[^.]{0,30} (?:several|multiple|many|one or more) (?:\w+ )?(?:graphs|networks|grids|maps|boards|puzzles|mazes|trees|games)|up to \d+ (?:graphs|networks|grids|maps|boards|puzzles|mazes|trees|games)\b[^.]{0,20} input",
        "The input contains several graphs.",
    ),
    (
        r"data ?sets?|scenarios|(?:multiple|several|many) (?:test |\w+ )?(?:tests|cases|inputs|instances|problems|rounds|blocks|scenarios?)|number of (?:cases|scenarios|instances|rounds|blocks)|(?:each|every) (?:scenario|instance|block|round)",
        "The input consists of several datasets.",
    ),
    (
        r"(?:next|following) t lines|t (?:tests|cases|blocks|scenarios|instances|rounds)|(?:single |first )?line (?:of (?:the )?input )?(?:contains|holds|gives|has) (?:an? |one |a single )?(?:integer |number )?t\b(?:$|[^,\w]{1,3}(?:$|\d|\())",
        "Each of the next t lines holds a number.",
    ),
    (
        r"(?:each|every) (?:\w+ )?line of (?:the )?input|(?:until|terminated by) (?:eof|(?:the )?end of (?:the )?(?:file|input)|(?:the )?(?:input|file) (?:is|ends|has|runs))",
        "Each line of the input holds a number.",
    ),
]);

/// The tests by which programs are judged, rather than those of one input.
pub(super) static TESTS_OF_THE_JUDGE: Concept = Concept::new(&[
    (
        r"limits? (?:per|for each|for every|of each) test(?: ?cases?)?",
        "time limit per test: 2 seconds",
    ),
    (
        r"points?,? (?:for|per|on|in) (?:each|every|all)?(?: of)?(?: the)? ?test(?: ?case)?s?|scor\w+ (?:for|per|on) (?:each|every) test(?: ?case)?",
        "You get 5 points for each test.",
    ),
    (
        r"(?:run|runs|executed|tested|judged|graded|checked|evaluated) (?:on|with|against|for) (?:each|every|all)(?: of)?(?: the)? test(?: ?case)?s?",
        "Your program is run on each test case separately.",
    ),
    (
        r"(?:checker|judge|grader)\b[^.]{0,60} (?:each|every) test(?: ?case)?",
        "The checker prints a message for each test.",
    ),
    (
        r"test ?cases? \d+(?: ?(?:-|to|through|and) ?\d+)?|(?:hidden|secret) test ?cases?|\d+ test ?cases,? (?:each worth|worth)",
        "Test cases 2-4 satisfy n < 100.",
    ),
]);

/// That linked lists or trees go in and out, for which nothing at all is the empty one.
pub(super) static NODES: Concept = Concept::new(&[
    (r"ListNode|TreeNode", "Return the head as a ListNode."),
    (
        r"linked[ -]lists?|binary[ -](?:search[ -])?trees?",
        "Reverse a linked list.",
    ),
]);

/// The same, told by the first of them.
pub(super) static NODES_GIVEN: Concept = Concept::new(&[
    (
        r"(?:given|receives?|takes?) (?:the )?(?:heads?|roots?)(?: nodes?)? of (?:an? |the |two |both |this |some )?(?:[\w-]+ ){0,2}(?:lists?|trees?|BSTs?)",
        "Given the head of a list, remove all its nodes that are smaller than x.",
    ),
    (
        r"return (?:the )?(?:new )?(?:head|root)(?: node)? of (?:an? |the |this )?(?:[\w-]+ ){0,2}(?:list|tree|BST)",
        "Return the head of the reversed list.",
    ),
    (
        r"(?:roots?|nodes?) of (?:an? |the |two )?(?:\w+ )?BSTs?|BST (?:rooted|with root)",
        "Given are the roots of two BSTs.",
    ),
]);

/// Several of them in a list, rather than their values.
pub(super) static SEVERAL_NODES: Concept = Concept::new(&[(
    r"(?:arrays?|lists?) of (?:the |all |these |such |possible |k )*(?:\w+ )?(?:parts|linked lists|heads|trees|roots|list ?nodes?|tree ?nodes?)",
    "Return an array of the k parts.",
)]);

/// What asks for the result of a call.
pub(super) static RETURN: Concept = Concept::new(&[(r"return\w*", "Return its head.")]);

/// What holds the values of nodes, and is a list where it is empty.
pub(super) static VALUES_OF_NODES: Concept = Concept::new(&[(
    r"level[- ]order|traversal|arrays?|lists? of|values|paths?|levels|averages?|sums?|views?",
    "Return the level order traversal of its nodes' values.",
)]);

/// That more than one answer would be right.
pub(super) static SEVERAL: Concept = Concept::new(&[
    (
        r"(?:multiple|several|many|various|different|more than one|two or more)\b[^,]{0,60}",
        "If there are several ways to do it, print any.",
    ),
    (
        r"(?:answer|solution) is(?:n't|n’t| not) unique|not unique",
        "If the answer is not unique, print any.",
    ),
]);

/// That any of the right answers will do, where it has been said that there are several.
pub(super) static ANY_OF_SEVERAL: Concept = Concept::new(&[
    (
        r"(?:print|output|return|report|display|write|give|choose|find|provide|show|produce|construct)\w* (?:\w+ ){0,3}any(?: (?:one|of (?:them|these|those|the(?: \w+){1,2})|answer|solution|such \w+))?(?: (?:will do|is fine))?(?:$|[,:)])",
        "If there are several answers, print any of them",
    ),
    (
        r"any (?:one )?(?:of (?:them|these|those)|answer|solution)\b[^,]{0,30}(?:accepted|acceptable|allowed|correct|fine|valid|do|good|printed|returned|outputt?ed)",
        "If there are several answers, any of them will be accepted.",
    ),
]);

/// That any right answer will do, said outright.
pub(super) static ANY_ANSWER: Concept = Concept::new(&[
    (
        r"(?:print|output|return|report|construct|find)\w* (?:out )?any (?:one )?(?:of (?:them|these|those|the (?:valid|correct|possible|suitable|optimal))|(?:valid|correct|possible|suitable|appropriate|acceptable|feasible) \w+|such \w+)",
        "You may return any valid permutation.",
    ),
    (
        r"^(?:print|output|return|construct|find) any (?:\w+ ){1,6}(?:that|which|such|of|with|satisfying)",
        "Return any string of minimum length.",
    ),
    (
        r"any (?:of them|(?:valid|correct|possible|suitable|optimal) (?:\w+ )?(?:answer|solution|output|one|\w+)) (?:will be|is|are|would be) (?:accepted|acceptable|considered correct|ok|fine)",
        "Any valid answer will be accepted.",
    ),
    (
        r"all (?:correct|valid|possible) (?:answers|solutions|outputs) (?:will be|are) accepted",
        "All correct answers will be accepted.",
    ),
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [
            &OUTPUT,
            &ANY_CASE,
            &YES_NO_CASE,
            &OTHER_CASE,
            &NOT_HERE,
            &PRINTS_IT,
            &ADDRESSED,
            &ASKS,
            &OF_THE_ANSWER,
            &OF_ANOTHER,
            &CASE_MATTERS,
            &CONDITION,
            &AND,
            &OF_TWO,
            &MANY_TESTS,
            &TESTS_OF_THE_JUDGE,
            &NODES,
            &NODES_GIVEN,
            &SEVERAL_NODES,
            &RETURN,
            &VALUES_OF_NODES,
            &SEVERAL,
            &ANY_OF_SEVERAL,
            &ANY_ANSWER,
        ] {
            concept.assert_examples();
        }
    }
}
