//! The words by which statements speak of lines, space and how lists are written.

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::plain::pattern;

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
        r"vertical(?:ly)?|horizontal(?:ly)?|side by side|(?:below|beneath|under|above) (?:each other|one another|another|the other)|underneath (?:each|one|the)|in a column|line ends|in a row",
        "Print the digits vertically, one below the other.",
    ),
    (
        r"(?:print|write|output|display|put)\w* [^,;]{1,60} (?:under|underneath|below|beneath|above|beside|next to|to the (?:left|right) of|on top of) (?:the|it|its|them|that)",
        "Write the sum under the product.",
    ),
    (
        r"spaces?(?:-separated)?|blanks?|tabs?|separat\w*|delimit\w*|format\w*",
        "Print the numbers separated by spaces.",
    ),
]);

/// The same of a gap that a sentence speaks of without a word for the output.
pub(super) static GAP_SAID: Concept = Concept::new(&[(
    r"spaces?|blanks?|line (?:breaks?|feeds?)|newlines?|(?:same|one|own|single|separate|different|next) lines?",
    "Between them there must be one space and nothing else.",
)]);

/// That lines are no part of what is printed: any white space does.
pub(super) static ANY_SPACE: Concept = Concept::new(&[
    (
        r"(?:any|arbitrary) (?:amount of )?white ?space",
        "The numbers may be separated by any whitespace.",
    ),
    (
        r"separat\w* (?:them |the \w+ )?(?:by|with) (?:any )?(?:white ?spaces?(?: \((?:(?:spaces?|new ?lines?|line breaks?|line feeds?|and/or|or|and),? ?)+\))?|(?:single )?spaces? (?:or|and/or) (?:new ?lines?|line breaks?|line feeds?))",
        "Print n integers separated by spaces or newlines.",
    ),
    (
        r"(?:one|same|single)(?: line)? or (?:on )?(?:several|separate|different|multiple) lines",
        "You may print them on one or several lines.",
    ),
]);

/// That several lists are spoken of.
pub(super) static LISTS: Concept = Concept::new(&[(
    r"lists|sequences|arrays|groups|teams|sets|subsets|paths|cycles|components|each (?:\w+ )?(?:list|sequence|array|group|team|set|path|cycle)",
    "Output the sequences in sorted form.",
)]);

/// That an empty line is an answer, rather than what stands between answers.
pub(super) static EMPTY_LINE: Concept = Concept::new(&[
    (
        r"(?:an? )?(?:empty|blank) line (?:if|when|instead|in that case)|(?:if|when|otherwise)\b.{0,80}\b(?:print|output|leave|display) an? (?:empty|blank) line$",
        "If there is none, print an empty line",
    ),
    (
        r"(?:no|not|without|never|any|every|all) (?:\w+ ){0,3}(?:empty|blank) (?:lines|rows?)(?:,? (?:and|in|at all|anywhere|may|are|will|within)\b|$)|(?:empty|blank) (?:lines|rows)\b[^;]{0,60}\b(?:errors?|cost|wrong|rejected|forbidden)|not print (?:any )?(?:empty|blank) lines",
        "The output may not contain empty lines",
    ),
    (
        r"(?:line|which) (?:is|may be|can be) (?:empty|blank)",
        "Print for each test the list on one line, which may be empty.",
    ),
]);

/// That each answer has a line of its own, or how many lines there are.
pub(super) static LINE_OF_ANSWER: Concept = Concept::new(&[
    (
        r"(?:for|per) (?:each|every)\b[^;]{0,80}\b(?:print|output|write|display)\w* [^,;]{0,60}?\b(?:(?:an?|one|exactly one|single) (?:single )?(?:line|string)|(?:on|in) (?:an?|its|one|separate) (?:\w+ )?lines?)",
        "For each test case print one line.",
    ),
    (
        r"(?:an?|one|exactly one|single) (?:single )?line (?:for|per) (?:each|every)|(?:for|of|to) (?:each|every|all|the) [\w ]{1,40}(?:on|in) (?:(?:an?|its) )?(?:separate|new|own|single) lines?",
        "Print the answer for each test on a separate line.",
    ),
    (
        r"(?:print|output|write|display)\w* (?:exactly )?(?:[a-z]|\d+|two|three|four|five) (?:\w+ )?lines",
        "Print t lines.",
    ),
]);

/// That an answer may be empty.
pub(super) static MAY_BE_EMPTY: Concept = Concept::new(&[(
    r"(?:may|can|could|might) (?:also )?be (?:empty|an empty)|possibly (?:an )?empty|(?:print|output) (?:an|the) empty (?:string|line)",
    "It may be empty.",
)]);

/// That a line which is asked for is empty in some case.
pub(super) static LINE_IS_EMPTY: Concept = Concept::new(&[
    (
        r"(?:first|second|next|last|this|that|the|its) lines? (?:is|are|will be|must be|should be|stays?|remains?|may be|can be) (?:left )?(?:empty|blank)|(?:leav\w*|keep\w*) (?:it|them|(?:this|that|the) (?:\w+ )?lines?) (?:empty|blank)",
        "If n = 1, the first line is empty.",
    ),
    (
        r"(?:it|which|that) (?:is|will be|must be|should be|stays?|remains?|may be|can be|could be) (?:left )?(?:empty|blank) (?:if|when|in that case|in this case)|(?:it|them) blank (?:if|when)",
        "First line: the removed people; it is blank if there are none.",
    ),
    (
        r"possibly (?:none|no \w+|zero|nothing|blank)|(?:may|can|could|might) (?:also )?be (?:blank|none|nothing)|perhaps none",
        "The first line contains the removed people (possibly none).",
    ),
]);

/// That an empty line stands between the answers to two tests, and is none itself.
pub(super) static LINE_BETWEEN_TESTS: Concept = Concept::new(&[(
    r"(?:an? )?(?:empty|blank) lines? (?:between|after|before|at the end of|should follow|must follow|separates?) (?:each |every |the |two |any )?(?:\w+ )?(?:test|case|data|dataset|output|answer|result|query|queries|scenario|block)\w*|(?:outputs?|answers?|results?|cases?|datasets?) (?:\w+ ){0,8}(?:separated|followed) by an? (?:\w+ )?(?:empty|blank) line",
    "Print a blank line between test cases.",
)]);

/// That the gaps between words are part of what is printed.
pub(super) static GAPS: Concept = Concept::new(&[
    (
        r"(?:several|multiple|more than one|one or more|consecutive|extra|superfluous|repeated|double|duplicate|unnecessary|redundant|needless|neighbou?ring|adjacent) (?:\w+ )?(?:spaces|blanks?|space)|(?:runs?|sequences?|series) of (?:spaces|blanks|white ?space)|(?:are|is) left blank|(?:separated|delimited) by tabs?|tab[- ]separated",
        "Replace several spaces in a row by a single one.",
    ),
    (
        r"(?:spaces?|blanks?)\b[^;]{0,40} (?:in a row|too often|only one|one only|just one)|(?:words|sentence|text|characters)\b[^;]{0,60}\b(?:exactly|only|just|precisely) one (?:space|blank)|(?:exactly|only|just|precisely) one (?:space|blank)\b[^;]{0,40}\b(?:words|sentence)|\w+ (?:a )?character \(also a space\)|spaces? too|insert (?:an? )?spaces?",
        "Between two words keep only one space.",
    ),
    (
        r"(?:spaces?|blanks?|white ?space)\b[^;]{0,30} (?:should|must|shall|is to|are to|has to|have to|will) (?:also )?(?:be )?(?:echoed|kept|preserved|retained|copied|printed|stay|remain|left|appear)|includ\w* (?:the |all )?(?:spaces|blanks|white ?space)|(?:spaces|blanks) (?:also )?(?:are|count as|belong to) (?:\w+ ){0,2}(?:part|characters|message|text)",
        "Spaces in the input should be echoed in the output.",
    ),
    (
        r"(?:separated|followed|parted|divided) by (?:exactly )?(?:a single|one single|one) (?:space|blank)(?: character)?",
        "Print the name and the city separated by one blank.",
    ),
    (
        r"(?:remov|delet|squeez|collaps|trim|strip|reduc|normali[sz]|eliminat)\w*\b[^;]{0,30}\b(?:spaces|blanks|white ?space)",
        "Remove the spaces around commas.",
    ),
]);

/// What stands between two words that are printed.
pub(super) static WIDTHS: Concept = Concept::new(&[
    (
        r"(?:by|with) (?:an? |one |exactly one |a single )?tab(?:s|ulators?| characters?)?|is the tab character|exactly (?:two|three|four|five|\d) (?:spaces|blanks|tabs)|by (?:two|three|four|five|\d) (?:spaces|blanks)|tab characters?|additional (?:spaces|blanks)",
        "The columns are separated by a tab character.",
    ),
    (
        r"\w+, (?:then |and )?(?:an? |one )?tab, (?:then |and )?\w+",
        "The lines look like this: name, tab, grade.",
    ),
    (
        r"exactly (?:one|a single|1) (?:space|blank)s?(?: character)?|\w+, (?:then |and )?(?:exactly )?(?:one|a single) (?:space|blank), (?:then |and )?\w+",
        "Print the word and its frequency, separated by exactly one space.",
    ),
    (
        r"(?:put|insert|leave|place|print|use|must be|should be) (?:exactly )?(?:a single|one single|one|1) (?:space|blank)(?: characters?)? between",
        "Put a single space between adjacent elements.",
    ),
    (
        r"(?:one|a single|1) (?:space|blank)s?,? (?:and|but|with) (?:nothing|no (?:more|other))",
        "Between them stands one space and nothing else.",
    ),
]);

/// Values that brackets hold.
pub(super) static LIST: Concept = Concept::new(&[(
    r"lists?|arrays?|tuples?|dict\w*|maps?|mappings?|sets?|json|vectors?|matri(?:x|ces)|objects?|python|literals?",
    "Print the list.",
)]);

/// Texts of brackets.
pub(super) static BRACKETS: Concept = Concept::new(&[(
    r"(?:brackets?|parenthes[ei]s|braces?) (?:\w+ )?(?:sequences?|strings?|expressions?|words?|characters?)|(?:sequences?|strings?|expressions?|words?) (?:\w+ ){0,2}(?:of|with|from) (?:\w+ )?(?:brackets?|parenthes[ei]s|braces?)|(?:balanced|regular|correct|matching|invalid) (?:brackets?|parenthes[ei]s|braces?)",
    "Print the shortest correct bracket sequence.",
)]);

/// That the writing of a list is part of what is printed.
pub(super) static LITERAL: Concept = Concept::new(&[(
    r"in quotes|quoted|(?:no|not|without|n['’]t) (?:\w+ )?(?:any |an? )?(?:extra |other |additional |superfluous |further |single )*(?:white ?spaces?|spaces?|blanks?|characters?)|(?:separated|delimited|divided) (?:only by (?:a )?(?:single )?commas?|by (?:a )?(?:single )?commas? (?:only|alone))|(?:as|like|in) python",
    "Print the list without spaces.",
)]);

/// The same in any sentence.
pub(super) static COMPACT: Concept = Concept::new(&[(
    r"quotation marks|true and false\b[^;]{0,40}\b(?:lower|upper|capital)|minif\w*|compact\w*|escape\w*|(?:single|double) quotes|spaces? after (?:each|every|the|a) (?:comma|colon)|comma and (?:exactly )?(?:one|a) (?:single )?space",
    "Minify the document.",
)]);

/// The format of that name.
pub(super) static JSON: Concept = Concept::new(&[(r"json", "Print the list as JSON.")]);

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

/// That space is a part of the text that a problem is about, in whatever sentence.
pub(super) static TEXT_WITH_SPACE: Concept = Concept::new(&[(
    r"(?:letters|words|characters|digits) and spaces|spaces? (?:at the (?:beginning|start|front)|before (?:it|the))|leading (?:spaces|blanks|white ?space)|(?:begin|start)s? with (?:an? |one |two |three |four |\d+ )?(?:spaces?|blanks?)|(?:spaces?|blanks?) in front of|in by \w+ (?:blanks|spaces)|cent(?:er|re)ed|strips?|field of \d|remain empty|(?:are|is) blanks?|right end|(?:right|left)[- ](?:justified|aligned)",
    "A message consists of letters and spaces.",
)]);

/// Space that parts what is printed, or is one too many.
static BETWEEN: Concept = Concept::new(&[(
    r"(?:separat|delimit|divid|part|follow)\w*(?: \w+){0,2} (?:by|with|using) (?:(?:an?|one|single|exactly|at least|the|any|white|or|more|of|amount|number|comma|and) )*(?:spaces?|blanks?|white ?space|tabs?)(?: characters?)?|(?:spaces?|blanks?|white ?space|tabs?)[- ](?:separated|delimited)|(?:spaces?|blanks?) (?:in )?(?:between|after|behind)|(?:no|without|extra|trailing|unnecessary|additional|superfluous|any|ignore\w*) (?:\w+ )?(?:spaces?|blanks?|white ?space)|(?:single|one|a) spaces? (?:between|after|apart)|(?:blank|empty) lines?|(?:between|after) (?:[\w']+ ){1,4}(?:an? )?(?:single )?spaces?|(?:search|sample|state|free|disk|vector|memory|outer|time and|3d|\d-dimensional|dimensional|parking|tab|Euclidean) spaces?",
    "Print the numbers separated by spaces.",
)]);

/// Space, what has a width, and texts that are moved or kept.
static SPACE: Concept = Concept::new(&[
    (
        r"spaces?|blanks|tabs?|tabulators?|pad(?:s|ded|ding)?|align\w*|justif\w*|indent\w*|trim\w*|strip\w*",
        "Print n spaces followed by x.",
    ),
    (
        r"(?:line|field|column|columns|total|minimum|fixed|text|page|screen)[- ]width|(?:of|to|in|a) width|width (?:of )?\d+|(?:characters|columns) wide|\w*printf|setw|format specifier\w*|cent(?:er|re)(?:ed|s)? (?:the|it|them|each|every|in|on|within)",
        "Center the text in a line of width 10.",
    ),
    (
        r"(?:shift|rotat|mov|push|encrypt|decrypt|encod|decod)\w* (?:[\w'’]+ ){0,3}(?:lines?|strings?|texts?|words?|messages?|characters?|letters?|sentences?)",
        "Rotate the line by k.",
    ),
    (
        r"exactly as (?:it|they|given|in|read|shown|the)|verbatim|unchanged|as (?:it|they) (?:is|are|was|were)|character by character",
        "Print the message exactly as given.",
    ),
]);

/// A format with a width, as C and Python write it.
static FORMAT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"%[-+ #]*\d+(?:\.\d+)?l{0,2}[a-z]|:[<>^]\d+"));

/// Whether a sentence speaks of space that may stand before all else on a line.
pub(super) fn speaks_of_space(sentence: &str) -> bool {
    FORMAT.is_match(sentence) || SPACE.is_in(&BETWEEN.taken_from(sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [
            &PARTS,
            &LINES,
            &GAP_SAID,
            &ANY_SPACE,
            &LISTS,
            &LIST,
            &BRACKETS,
            &EMPTY_LINE,
            &LINE_BETWEEN_TESTS,
            &LINE_IS_EMPTY,
            &GAPS,
            &WIDTHS,
            &LITERAL,
            &COMPACT,
            &JSON,
            &LINE_OF_ANSWER,
            &MAY_BE_EMPTY,
            &BETWEEN,
            &SPACE,
            &SPACED,
            &TEXT_WITH_SPACE,
        ] {
            concept.assert_examples();
        }
    }
}
