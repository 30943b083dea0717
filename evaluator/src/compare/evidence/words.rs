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
        r"(?:ignor\w*|regardless of|irrespective of) (?:the )?(?:letter )?case",
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
        r"(?:it|them|words?|answers?|verdicts?)\W{1,4}in (?:any|either|arbitrary) (?:case|register)",
        "You can output the answer in any case.",
    ),
    (
        r"in (?:any|either|arbitrary) letter[- ]?case",
        "Print the word in any letter case.",
    ),
    (
        r"case\b[^,]{0,40}\b(?:not|n't|n’t) (?:matter|important)",
        "The case of the output does not matter.",
    ),
]);

/// That the letter case of two words is.
pub(super) static YES_NO_CASE: Concept = Concept::new(&[(
    r"(?:yes|no)\W{1,4}in (?:any|either|arbitrary) (?:case|register)",
    "You can output YES and NO in any case.",
)]);

/// What gives the letter case of something other than the answer.
pub(super) static OTHER_CASE: Concept = Concept::new(&[
    (r"inputs?", "The input is case-insensitive."),
    (
        r"consist\w*|contain\w*",
        "The string consists of uppercase or lowercase letters.",
    ),
    (
        r"compar\w*|palindrom\w*|sorted",
        "Words are compared case-insensitively; print the count.",
    ),
    (
        r"(?:treat|count|convert|search)\w*",
        "Count the letters, regardless of case.",
    ),
    (r"(?:is|are) case[- ]sensitive", "Output is case-sensitive."),
    (
        r"whichever|depending|fewer|replac\w*",
        "Print the word in upper or lower case, whichever needs fewer letters to be changed.",
    ),
]);

/// That a sentence begins with a condition.
pub(super) static CONDITION: Concept = Concept::new(&[(
    r"^\W*(?:if|when|whenever|in case)",
    "If it is a vowel in upper or lower case print it.",
)]);

/// How many places a real is printed with.
pub(super) static PLACES: Concept = Concept::new(&[
    (
        r"decimal (?:places?|digits?|points?)|decimals|fractional digits?",
        "Print the result rounded to 3 decimal places.",
    ),
    (
        r"(?:digits?|places?|numbers?) (?:after|to the right of|behind|following) the (?:decimal|dot|point|comma)",
        "Print it with exactly six digits after the decimal point.",
    ),
    (
        r"round\w* to|nearest (?:tenth|hundredth|thousandth)",
        "Print it rounded to the nearest tenth.",
    ),
]);

/// What is a real as a rule.
pub(super) static REAL: Concept = Concept::new(&[
    (
        r"decimals?|reals?|float\w*|doubles?|digits?|places?|round\w*|precis\w*|accura\w*|errors?|toleran\w*|fraction\w*|percent\w*|%",
        "Print a real.",
    ),
    (
        r"averages?|means?|medians?|probabilit\w*|expect\w*|varianc\w*|deviation|densit\w*|ratios?|rates?|logarithm\w*|log|roots?|square|sum|product|quotient|divi\w*|multipl\w*|integral|slope|norm|formula|equation|function|convert\w*|calculat\w*|comput\w*",
        "Print the average.",
    ),
    (
        r"areas?|distances?|lengths?|perimeters?|circumference|volumes?|heights?|widths?|radius|diameters?|angles?|degrees|coordinates?|points?|speeds?|velocit\w*|time|seconds?|minutes?|hours?|weights?|mass|kg|grams?|meters?|metres?|km|miles?|lit(?:er|re)s?|temperatures?|celsius|fahrenheit|energy|force|power",
        "Print the area.",
    ),
    (
        r"prices?|costs?|amounts?|money|dollars?|euros?|cents?|salar\w*|tax\w*|discounts?|interest|balance|profit|payment|pay|total|scores?|grades?|gpa|bmi|statistics",
        "Print the price.",
    ),
]);

/// That what is printed with a point in it is no real: its parts are numbers, or its digits are not decimal.
pub(super) static POINTED: Concept = Concept::new(&[
    (
        r"(?:version|section|chapter|revision|release|build|paragraph) (?:numbers?|strings?|ids?|labels?)|the (?:version|release|revision)$",
        "Print the version number.",
    ),
    (
        r"[dmyhs]{1,4}\.[dmyhs]{1,4}(?:\.[dmyhs]{1,4})?",
        "Print the date in the form DD.MM.",
    ),
    (
        r"(?:room|verse|task|clause|article|item) (?:numbers?|names?|labels?)|dotted (?:names?|notation|form)|overs bowled",
        "Print the room number.",
    ),
    (
        r"first (?:\w+ )?(?:digits|decimals)|truncat\w*",
        "Print the first 12 digits.",
    ),
    (
        r"(?:versions?|releases?|revisions?) of",
        "Print the version of the library.",
    ),
    (
        r"(?:latest|newest|oldest|earliest|highest|lowest|next|current|newer|older|larger|greater|smaller|later|earlier) versions?",
        "Print the latest version.",
    ),
    (
        r"(?:binary|octal|hexadecimal) (?:strings?|representations?|forms?|numbers?|notations?|expansions?|fractions?|digits?)",
        "Print the binary representation of the fraction.",
    ),
    (
        r"(?:in|to) (?:binary|octal|hexadecimal|(?:base|radix) ?\d+)$",
        "Print the number in base 2",
    ),
]);

/// How a number is to be written, beyond its places: then it is compared as it is written.
pub(super) static FORM: Concept = Concept::new(&[
    (
        r"scientific (?:notation|form|format)|exponential (?:notation|form)",
        "Print the result in scientific notation.",
    ),
    (
        r"(?:trailing|leading) zero(?:s|es)?|shortest (?:\w+ )?(?:form|notation)",
        "Print the number without trailing zeros.",
    ),
    (
        r"(?:with|without) (?:its|a|the) (?:leading )?sign|-0(?:\.0+)?",
        "Print the change with its sign.",
    ),
    (
        r"zeros? at the end|unnecessary zeros|(?:they|it|these) (?:are|is) zeros?|(?:instead of|and not) \d|keep (?:all )?the zeros",
        "There must be no zeros at the end.",
    ),
    (
        r"always (?:with |has |have )?(?:exactly )?(?:one|two|three|four|\d) (?:decimals?|digits|decimal places)|(?:one|two|three|four|\d) digits for the|(?:more or fewer|fewer or more) (?:decimals|digits|places)|including the (?:\w+ )?decimals",
        "Print the amount, always with two decimals.",
    ),
    (
        r"%\.?\d*[feg]|format specifiers?|exact(?:ly)? match\w*|match\w* exactly|d\.d+\w*",
        "Print it using the format specifier %.2f.",
    ),
    (
        r"in full|most digits|different types|distinguished by an? (?:decimal )?point|shortest (?:\w+ )?representation",
        "Print the decimal expansion in full.",
    ),
    (
        r"at least one digit (?:before|behind|after)|always with a (?:decimal )?point",
        "Print it with at least one digit before the decimal point.",
    ),
    (
        r"(?:digits|places|decimals)\b.{0,40},? no more and no (?:fewer|less)",
        "Print it with 2 digits after the point, no more and no fewer.",
    ),
    (
        r"(?:print|output|return|display|write)\w* (?:the |its |their )?(?:name|code|identifier|label|call number|verse|address|date)",
        "Print the name of the room.",
    ),
]);

/// The form of what is no real, by words for its parts.
pub(super) static FORM_OF_PARTS: Concept = Concept::new(&[
    (
        r"(?:[a-df-hj-z]|days?|months?|minutes?|hours?|seconds?|overs?|floors?|chapters?|feet|dollars|euros|hh|mm|dd)\.(?:[a-z]|cc|ss|months?|years?|minutes?|seconds?|hundredths|balls?|rooms?|verses?|inch(?:es)?|cents?|mm|yy(?:yy)?)",
        "Overs are written as overs.balls.",
    ),
    (
        r"(?:written|numbered|given|printed|shown|noted) (?:as|like) [a-z]+\.[a-z]+",
        "A gate is written as terminal.gate.",
    ),
    (
        r"numbered (?:like |as )?\d+\.\d+|such as \d+\.\d+ for",
        "Exercises are numbered 1.1, 1.2 and so on.",
    ),
    (
        r"an? (?:point|dot|period)(?:,? and| in the middle| between)|separated by an? (?:point|dot|period)",
        "It consists of the floor, a point and the door.",
    ),
    (
        r"hours and minutes,? (?:such as|like|as in) \d|parts of (?:its|the|an) (?:\w+ )?address",
        "Print the time in hours and minutes, such as 7.05.",
    ),
]);

/// That what is asked for is another way of writing.
pub(super) static CONVERSION: Concept = Concept::new(&[
    (r"convert\w*|express\w*", "Convert it to binary."),
    (
        r"must|should|always|multiply|normali[sz]e|round",
        "There must be no zeros at the end.",
    ),
]);

/// What has a base, and is a real all the same.
pub(super) static LOGARITHM: Concept =
    Concept::new(&[(r"log(?:arithm)?s?", "Print its logarithm to base 2")]);

/// That the output has parts, one after the other.
pub(super) static PARTS: Concept = Concept::new(&[
    (
        r"(?:first|second|third|next|following|last)\b[^,]{0,20}\blines?",
        "In the first line print the number of edges.",
    ),
    (
        r"then|followed by|first,? (?:print|output)|(?:below|under|behind|after) (?:it|that|them)",
        "Print the count, then the edges.",
    ),
]);

/// That lines are part of what is printed.
pub(super) static LINES: Concept = Concept::new(&[
    (
        r"(?:new)?lines?|single[- ]line|rows?|columns?|grids?|matri(?:x|ces)|tables?|boards?",
        "Print the numbers on one line.",
    ),
    (
        r"upright|steps?|stair\\w*|pyramids?|triangles?|patterns?|figures?|diagrams?|drawings?|pictures?|trees?",
        "Print the staircase: one number on each step.",
    ),
    (
        r"vertical(?:ly)?|horizontal(?:ly)?|side by side|(?:below|beneath|under|above) (?:each other|one another|another|the other)",
        "Print the digits vertically, one below the other.",
    ),
    (
        r"spaces?(?:-separated)?|blanks?|tabs?|separat\w*|delimit\w*|format\w*",
        "Print the numbers separated by spaces.",
    ),
]);

/// That lines are no part of what is printed: any white space does.
pub(super) static ANY_SPACE: Concept = Concept::new(&[
    (
        r"(?:any|arbitrary) (?:amount of )?white ?space",
        "The numbers may be separated by any whitespace.",
    ),
    (
        r"separated (?:by|with) (?:white ?space|(?:single )?spaces? (?:or|and/or) (?:new ?lines?|line breaks?|line feeds?))",
        "Print n integers separated by spaces or newlines.",
    ),
    (
        r"(?:one|same|single)(?: line)? or (?:on )?(?:several|separate|different|multiple) lines",
        "You may print them on one or several lines.",
    ),
]);

/// That an empty line is an answer, rather than what stands between answers.
pub(super) static EMPTY_LINE: Concept = Concept::new(&[
    (
        r"(?:an? )?(?:empty|blank) line (?:if|when|instead|in that case)|(?:if|when|otherwise)\b.{0,80}\b(?:print|output|leave|display) an? (?:empty|blank) line$",
        "If there is none, print an empty line",
    ),
    (
        r"(?:line|which) (?:is|may be|can be) (?:empty|blank)",
        "Print for each test the list on one line, which may be empty.",
    ),
]);

/// That an empty line stands between the answers to two tests, and is none itself.
pub(super) static LINE_BETWEEN_TESTS: Concept = Concept::new(&[(
    r"(?:an? )?(?:empty|blank) lines? (?:between|after|before|at the end of|should follow|must follow|separates?) (?:each |every |the |two |any )?(?:\w+ )?(?:test|case|data|dataset|output|answer|result|query|queries|scenario|block)\w*|(?:outputs?|answers?|results?|cases?|datasets?) (?:\w+ ){0,8}(?:separated|followed) by an? (?:\w+ )?(?:empty|blank) line",
    "Print a blank line between test cases.",
)]);

/// That the gaps between words are part of what is printed.
pub(super) static GAPS: Concept = Concept::new(&[(
    r"(?:several|multiple|more than one|one or more|consecutive|extra|superfluous|repeated|double) (?:\w+ )?(?:spaces|blanks?|space)|runs? of (?:spaces|blanks)|(?:are|is) left blank|(?:separated|delimited) by tabs?|tab[- ]separated",
    "Replace several spaces in a row by a single one.",
)]);

/// That the writing of a list is part of what is printed.
pub(super) static LITERAL: Concept = Concept::new(&[(
    r"(?:single|double) quotes|in quotes|quoted|(?:no|without) (?:any )?(?:white ?)?spaces?|(?:as|like|in) python",
    "Print the list without spaces.",
)]);

/// The same in any sentence.
pub(super) static COMPACT: Concept =
    Concept::new(&[(r"minif\w*|compact\w*|escape\w*", "Minify the document.")]);

/// The format of that name.
pub(super) static JSON: Concept = Concept::new(&[(r"json", "Print the list as JSON.")]);

/// That more than one thing is spoken of.
pub(super) static AND: Concept = Concept::new(&[(r"and|then", "Print the length and the name.")]);

/// That a number is asked for as it is, whatever error another may have.
pub(super) static EXACT: Concept = Concept::new(&[(
    r"exact (?:\w+ )?(?:amount|value|sum|price|number|id|time)|exact to the|exactly as (?:it|they)|as (?:it|they) (?:stands?|was given|were given)",
    "Print the exact amount that is left.",
)]);

/// That the output is a text of which space is a part.
pub(super) static SPACED: Concept = Concept::new(&[
    (
        r"(?:by|with) (?:an? )?(?:spaces?|blanks?)|fields? of width|width of|(?:right|left)[- ](?:justified|aligned)|align\w*|indent\w*",
        "Replace every a in the string by a space and print it.",
    ),
    (
        r"substring|(?:the|that|its|this) (?:\w+ )?(?:string|line|text|characters)",
        "Shift the string cyclically by one place, and print it.",
    ),
]);

/// That one output holds the answers of several tests.
pub(super) static MANY_TESTS: Concept = Concept::new(&[
    (
        r"test cases|number of tests",
        "The first line contains the number of test cases.",
    ),
    (
        r"(?:each|every|per|all) (?:test ?case|test|query|case|data ?set)",
        "For each query print one number.",
    ),
    (r"queries", "Answer all queries."),
    (
        r"(?:each|every) (?:\w+ )?line of (?:the )?input|until (?:eof|the end of (?:the )?(?:file|input))",
        "Each line of the input holds a number.",
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

/// What asks for the result of a call.
pub(super) static RETURN: Concept = Concept::new(&[(r"return\w*", "Return its head.")]);

/// What holds the values of nodes, and is a list where it is empty.
pub(super) static VALUES_OF_NODES: Concept = Concept::new(&[(
    r"level[- ]order|traversal|arrays?|lists? of|values|paths?|levels|averages?|sums?|views?",
    "Return the level order traversal of its nodes' values.",
)]);

/// That something may be off.
pub(super) static SLACK: Concept = Concept::new(&[
    (r"errors?", "The error of the answer must be small."),
    (
        r"within|toleran\w+|precision",
        "Answers within 1e-5 are accepted.",
    ),
    (
        r"differ\w*|deviat\w+|accura\w+",
        "The answer may differ by 1e-4.",
    ),
    (
        r"[a-z] ?- ?[a-z]",
        "Your answer is correct if |a - b| does not exceed 1e-6.",
    ),
]);

/// That something passes.
pub(super) static PASSES: Concept = Concept::new(&[
    (r"accepted", "Such answers are accepted."),
    (
        r"(?:is|are|be|as|considered|judged|deemed|counted) correct|correct (?:if|when|up to|to within|within)",
        "It is considered correct if it is near enough.",
    ),
    (
        r"(?:absolute|relative) [^,]{0,40}(?:allowed|acceptable|permitted|tolerated)",
        "An absolute error of up to 1e-6 is allowed.",
    ),
]);

/// What may pass with an error.
pub(super) static ANSWER: Concept = Concept::new(&[
    (
        r"answers?|outputs?|results?|solutions?|printed",
        "The result may be off by 1e-4.",
    ),
    (
        r"jury\w*|checker|judges?",
        "It must be within 1e-5 of the jury's.",
    ),
    (
        r"absolute or relative",
        "Absolute or relative error up to 1e-6.",
    ),
    (
        r"(?:print|output|display|report|return|calculate|compute|find)\w* [^,]{0,80}\bwith (?:an? )?(?:(?:absolute|relative|or|and|maximum) )*(?:error|accuracy|precision)",
        "Print the probability with an error of at most 1e-4.",
    ),
]);

/// What an answer is near: the right one.
pub(super) static TRUTH: Concept = Concept::new(&[(
    r"actual|correct|true|exact|expected|precise|real|optimal|reference|official|jury\w*|judge\w*|ours?|model|answers?|solutions?|values?|results?",
    "Answers within 1e-5 of the actual answer are accepted.",
)]);

/// What gives a small number to something other than the answer's error.
pub(super) static OTHER_SLACK: Concept = Concept::new(&[
    (
        r"guarante\w*|(?:not|never|n't|n’t) (?:be |lie |fall )?within|boundar\w*",
        "It is guaranteed that the answer is not within 0.01 of a boundary.",
    ),
    (
        r"measure(?:d|ments?)|sensors?",
        "Given measurements with an error of at most 0.01, output their average.",
    ),
    (
        r"(?:two|both) (?:\w+ ){0,2}(?:results|answers|outputs|solutions|numbers|values|points) are (?:\w+ ){0,2}(?:equal|equivalent|identical|the same)",
        "Two answers are considered equal if they differ by less than 0.01.",
    ),
    (
        r"previous|stop\w*|until|converg\w*|chang\w*|multiples of",
        "Stop when the result is accurate to 0.01.",
    ),
    (
        r"(?:that|which|they) (?:\w+ )?(?:differ|deviate)",
        "Output the mean of the lengths, in which lengths that differ by at most 0.001 count once.",
    ),
]);

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
        let concepts = [
            &OUTPUT,
            &ANY_CASE,
            &YES_NO_CASE,
            &OTHER_CASE,
            &CONDITION,
            &PLACES,
            &REAL,
            &POINTED,
            &FORM,
            &FORM_OF_PARTS,
            &CONVERSION,
            &LOGARITHM,
            &PARTS,
            &LINES,
            &EMPTY_LINE,
            &LINE_BETWEEN_TESTS,
            &GAPS,
            &LITERAL,
            &COMPACT,
            &JSON,
            &AND,
            &EXACT,
            &SPACED,
            &ANY_SPACE,
            &MANY_TESTS,
            &NODES,
            &RETURN,
            &VALUES_OF_NODES,
            &SLACK,
            &PASSES,
            &ANSWER,
            &OTHER_SLACK,
            &TRUTH,
            &SEVERAL,
            &ANY_OF_SEVERAL,
            &ANY_ANSWER,
        ];
        for concept in concepts {
            concept.assert_examples();
        }
    }
}
