//! The words by which statements set the space between what is printed: widths, so many spaces, and space that is forbidden.

use std::sync::LazyLock;

use regex::Regex;

use super::concept::Concept;
use super::number_words::POINT_KEPT;
use super::phrases::Phrases;
use super::plain::pattern;
use super::space_words::LINE_IS_EMPTY;
use super::words::OUTPUT;

/// A format that pads what it prints with spaces, as C and Python write it; one that pads with zeros is none.
static FORMAT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"%[-+]*(?:[1-9]\d*|\*)(?:\.\d+)?l{0,2}[diufegxcs](?:\b|_)|:[<>^][1-9]\d*|:[1-9]\d*(?:\.\d+)?[dfegs]\b",
    )
});

/// That what is printed has a width.
static FIELD: Concept = Concept::new(&[
    (
        r"fields? (?:of|with) (?:an? )?(?:(?:minimum|total|fixed|constant|equal) )?(?:width|size|length)|field width|(?:an? )?fields? of (?:\d+|[a-z]|two|three|four|five|six|seven|eight|ten) (?:characters?|places|positions|columns)",
        "Print each number in a field of width 4.",
    ),
    (
        r"columns? (?:of|with) (?:an? )?(?:minimum |total |fixed |constant |equal )?width|(?:to|with|in|at|using|has|have) (?:an? |the )?(?:minimum |total |fixed |constant |equal )?width (?:of )?(?:\d+|two|three|four|five|six|seven|eight|ten)",
        "Print the numbers in columns of width 3.",
    ),
    (
        r"(?:right|left)[- ](?:aligned|justified|adjusted|align|justify)|(?:align|justif)\w* (?:[\w'’]+ ){0,3}(?:to the )?(?:right|left)|(?:align|justif)\w* (?:in|into|to|on) (?:\w+ )?columns",
        "Print each value right-aligned.",
    ),
    (
        r"(?:\d+|[a-z]|two|three|four|five|six|seven|eight|ten) (?:characters?|columns|places|positions) wide|(?:each|every) (?:\w+ )?(?:number|value|word|name|entry|element|item|field|column) (?:takes?|occup(?:y|ies)|uses?|spans?|fills?)(?: up)? (?:exactly |at least )?(?:\d+|two|three|four|five|six|seven|eight|ten) (?:characters?|columns|places|positions)",
        "Each number is 5 characters wide.",
    ),
    (
        r"pad\w* (?:[\w'’]+ ){0,4}(?:with|by|using) (?:leading |trailing |extra |additional )?(?:spaces|blanks)|pad\w* (?:[\w'’]+ ){0,4}to (?:a (?:length|width) of )?(?:\d+|[a-z]) (?:characters?|columns|places|positions)",
        "Pad each number with spaces to 4 characters.",
    ),
    (
        r"setw|[lr]just|pad(?:start|end|left|right)",
        "Use setw(5) for each number.",
    ),
]);

/// What is wide in a drawing or a story, and no field of a line.
static WIDE_THING: Concept = Concept::new(&[(
    r"width\b[^;,]{0,20} (?:and|or|by) (?:\w+ ){0,3}(?:height|length|breadth|depth)|(?:height|length|breadth|depth)\b[^;,]{0,20} (?:and|or|by) (?:\w+ ){0,3}width|(?:roads?|rivers?|bridges?|boards?|strips?|rectangles?|grids?|walls?|corridors?|streets?|rooms?|gardens?|tables?|tiles?|tubes?) (?:\w+ )?(?:of|with|has|have|using) (?:an? )?width",
    "Print the area of the field of width w and length n.",
)]);

/// Numbers that are filled up with zeros.
static ZEROS: Concept = Concept::new(&[(
    r"zero[- ]pad\w*\b[^;,]{0,40}|pad\w* (?:[\w'’]+ ){0,3}(?:with|by|using) (?:leading )?zero(?:e?s)?\b[^;,]{0,40}",
    "Print the hour zero-padded to width 2.",
)]);

/// So many spaces, or another gap that is not one space, between what is printed.
static SO_WIDE: Concept = Concept::new(&[
    (
        r"(?:by|with|put|insert|leave|place|add|print|output|write|use|using|exactly) (?:exactly )?(?:two|three|four|five|six|seven|eight|nine|ten|\d+|[b-z]) (?:consecutive |single |blank |white )?(?:spaces|blanks|tabs|(?:space|blank|tab) characters)|(?:two|three|four|five|six|seven|eight|nine|ten|\d+|[b-z]) (?:consecutive )?(?:spaces|blanks|tabs|(?:space|blank|tab) characters) (?:in )?(?:between|after|before|apart)|(?:as many|that many|so many) (?:spaces|blanks)",
        "Print the numbers with two spaces between them.",
    ),
    (
        r"(?:double|triple)[- ](?:spaces?|blanks?|spaced|space[- ]separated)",
        "Put a double space between the numbers.",
    ),
    (
        r"tabs?[- ](?:separated|delimited)|tabs? (?:between|after|before|behind|as)|(?:us\w+|by|with|insert\w*|put\w*|place\w*|print\w*) (?:an? |one |the |single )*tabs?(?: characters?)?|horizontal tabs?|tab-stops?",
        "Print the numbers, tab-separated.",
    ),
]);

/// A tab, by its name or as it is escaped.
static TAB: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\btabs?\b|\btabulators?\b|\btsv\b|\\x0?9\b|\\u0009"));
static ESCAPED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\\t(\w*)"));
/// What a command of LaTeX goes on with that begins as an escaped tab does.
const COMMANDS: [&str; 14] = [
    "ext", "imes", "o", "heta", "au", "ilde", "ag", "op", "riangle", "frac", "an", "iny", "binom",
    "herefore",
];

/// Places that something moves by, and rooms for something.
static MOVES: Concept = Concept::new(&[(
    r"(?:mov|jump|advanc|step|hop|forward|go|goes|walk)\w* (?:\w+ ){0,3}(?:two|three|four|five|six|\d+|[b-z]) (?:spaces|blanks)|(?:parking|free|empty|open) spaces|\w spaces (?:are |is )?(?:free|left|available|taken|occupied)|spaces (?:forward|ahead|away)|\w+ spaces (?:for|per|of) (?:each |every )?(?:indent\w*|level)",
    "Move the token k spaces forward.",
)]);

/// A space that stands for something.
static STANDS_FOR: Concept = Concept::new(&[
    (
        r"(?:empty|free|missing|unused|vacant|other|remaining|unknown|deleted|removed|skipped|black|white|blank|dead) (?:\w+ )?(?:cells?|squares?|fields?|positions?|places?|slots?|entr(?:y|ies)|numbers?|values?|digits?|elements?|ones)\b[^;,]{0,40} (?:is|are|as|by|be) (?:an? |one |single )*(?:spaces?|blanks?)",
        "Print the row of the grid, where each empty cell is a space.",
    ),
    (
        r"(?:an?|one) (?:single )?(?:space|blank)(?: characters?)? (?:for (?:each|every)|instead of|in place of|in the place of|wherever)",
        "Print a space for each empty cell.",
    ),
    (
        r"(?:replac|substitut|chang|turn|convert)\w* (?:[\w'’-]+ ){0,6}(?:by|with|to|into) (?:an? |one |single )*(?:spaces?|blanks?)",
        "Replace each 0 in the row by a space.",
    ),
]);

/// Space that only sets things apart.
static PARTING: Concept = Concept::new(&[(
    r"(?:separat|delimit|divid|part|split|join)\w*(?: \w+){0,2} (?:by|with|using) (?:an? |the |any |single |one |white )*(?:spaces?|blanks?|white ?space)|(?:spaces?|blanks?|white ?space)[- ](?:separated|delimited)",
    "Print the numbers separated by spaces.",
)]);

/// That all space counts, or all that is printed.
static ALL_COUNTS: Concept = Concept::new(&[
    (
        r"(?:white ?space|spac(?:es|ing)) (?:matters?|counts?|is significant|are significant)|strict about (?:the )?(?:white ?space|spac(?:es|ing)|format\w*)|(?:pay|careful) (?:\w+ ){0,2}(?:attention )?(?:to|with|about) (?:the )?(?:exact )?(?:white ?space|spac(?:es|ing))",
        "Whitespace matters.",
    ),
    (
        r"(?:compar|check|match|verif)\w* (?:\w+ ){0,4}(?:byte[- ](?:by|for)[- ]byte|byte ?wise|char(?:acter)?[- ](?:by|for)[- ]char(?:acter)?)",
        "The output is compared byte by byte.",
    ),
    (
        r"identical to the (?:expected|sample|correct|model|jury['’]?s?) (?:output|answer)|(?:match|equal)\w* the (?:expected|sample|correct|model|jury['’]?s?) (?:output|answer)s? (?:exactly|character|byte)|exactly match\w* the (?:expected|sample|correct|model|jury['’]?s?) (?:output|answer)",
        "Your output must be identical to the expected output.",
    ),
]);

/// Whether a sentence sets how wide what is printed is, or what stands between.
fn sets_gaps(sentence: &str, is_asked: bool) -> bool {
    let other_words = ZEROS
        .taken_from(&WIDE_THING.taken_from(sentence))
        .into_owned();
    FORMAT.is_match(sentence) && !sentence.contains("scanf")
        || ALL_COUNTS.is_in(sentence) && !OVERLOOKED.is_in(&ALL_COUNTS.taken_from(sentence))
        || is_asked
            && (FIELD.is_in(&other_words)
                || SO_WIDE.is_in(&MOVES.taken_from(sentence))
                || STANDS_FOR.is_in(&PARTING.taken_from(sentence)))
}

/// Whether a statement speaks of tabs, whatever of.
pub(super) fn names_tab(statement: &str) -> bool {
    let is_command = |rest: &str| COMMANDS.iter().any(|command| rest.starts_with(command));
    let mut escaped = ESCAPED.captures_iter(statement);
    TAB.is_match(statement)
        || statement.contains('\t')
        || escaped.any(|found| !is_command(&found[1]))
}

/// That one space stands between words, and no more.
static SINGLE: Concept = Concept::new(&[
    (
        r"(?:join|separat|delimit|divid|part|follow|split|concatenat|combin|connect|glu)\w*(?: [\w'’]+){0,2} (?:by|with|using|through) (?:exactly |just |only )?(?:an? |the )?(?:one|single|1)(?: single)? (?:white ?)?(?:spaces?|blanks?)(?: characters?)?",
        "Print the words joined by a single space.",
    ),
    (
        r"(?:one|single|1) (?:white ?)?(?:spaces?|blanks?)(?: characters?)?,? (?:in )?(?:between|after|before|apart|from)",
        "Print the words with a single space between them.",
    ),
    (
        r"(?:between|after) (?:[\w'’]+ ){1,6}(?:an? )?(?:one|single|1) (?:white ?)?(?:spaces?|blanks?)",
        "Between two words there is a single space.",
    ),
    (
        r"(?:one|single|1) (?:spaces?|blanks?)(?: characters?)? (?:as|being) (?:an? |the )?(?:\w+ )?(?:separator|delimiter)|single[- ]space[- ](?:separated|delimited)|single[- ]spaced|(?:only|just|exactly) single (?:spaces|blanks)",
        "Print the words with a single space as separator.",
    ),
]);

/// Whether a sentence has one space between what is printed, which counts between words.
fn sets_one_space(sentence: &str) -> bool {
    SINGLE.is_in(sentence)
}

/// That no space may stand before all else on a line.
static NONE_BEFORE: Concept = Concept::new(&[
    (
        r"(?:no|not|\w*n['’]t|without|never|any|avoid\w*|free of|nor|neither|remov\w*|strip\w*|trim\w*|delet\w*|eliminat\w*|drop\w*)\b[^;]{0,60}\b(?:leading|preceding|initial)(?:,? ?(?:or|and|nor|/|and/or) ?(?:\w+ )?(?:trailing|ending|final|following)| \w+)? ?(?:white ?)?(?:spaces?|blanks?|white ?spaces?)",
        "Print it without leading or trailing spaces.",
    ),
    (
        r"(?:no|not|\w*n['’]t|without|never|any|avoid\w*|free of|nor|neither|remov\w*|strip\w*|trim\w*|delet\w*|eliminat\w*|drop\w*)\b[^;]{0,60}\btrailing (?:or|and|nor|and/or) leading (?:white ?)?(?:spaces?|blanks?|white ?spaces?)|(?:leading|preceding)(?: (?:or|and|nor|and/or) trailing)? (?:white ?)?(?:spaces?|blanks?) (?:\w+ ){0,3}(?:removed|stripped|trimmed|deleted|forbidden|not (?:allowed|permitted|tolerated|accepted))",
        "Print it without trailing or leading spaces.",
    ),
    (
        r"(?:no|not|\w*n['’]t|without|never|any|nor|neither|remov\w*|strip\w*|trim\w*|delet\w*|eliminat\w*|drop\w*|extra|superfluous)\b[^;]{0,60}\b(?:spaces?|blanks?|white ?space)\b[^;]{0,40}\b(?:around|beginning|start|front|begin|both (?:ends|sides)|either (?:end|side))",
        "Remove all extra spaces: at the beginning, at the end and between words.",
    ),
    (
        r"(?:no|not|\w*n['’]t|never|nor|neither)\b[^;]{0,40}\b(?:begin|start)\w*(?: (?:or|and|nor) end\w*)? (?:with|in) (?:an? |any )?(?:white ?)?(?:spaces?|blanks?|white ?space)",
        "The line must not start or end with a space.",
    ),
]);

/// That space may not stand where it is not said to.
static NONE_MORE: Concept = Concept::new(&[
    (
        r"(?:no|not|\w*n['’]t|without|never|nor|neither|avoid\w*)(?: (?:print\w*|output\w*|put\w*|insert\w*|add\w*|writ\w*|includ\w*|contain\w*|leav\w*|ha(?:s|ve)|be|display\w*|any|an?|the|extra|additional|superfluous|unnecessary|redundant|excess|excessive|needless|other|further|white|single|surplus))* (?:spaces?|blanks?|white ?spaces?)",
        "Print the digits without any spaces between them.",
    ),
    (
        r"(?:remov|delet|strip|trim|eliminat|drop|squeez|collaps|normali[sz])\w* (?:all |the |any |every )*(?:extra|additional|superfluous|unnecessary|redundant|excess|excessive|needless|surplus) (?:white ?)?(?:spaces?|blanks?)",
        "Remove all superfluous spaces.",
    ),
]);

/// Space that is none of a line, or none before what it holds; the memory that a program takes.
static ELSEWHERE: Concept = Concept::new(&[
    (
        r"trailing (?:white ?)?(?:spaces?|blanks?)|(?:spaces?|blanks?|white ?spaces?)(?: characters?)? (?:are |is |be )?(?:allowed )?(?:at|on|in) the (?:very )?(?:ends?|right)|(?:spaces?|blanks?|white ?spaces?)(?: characters?)? (?:after|behind|following|before (?:the |a |each |every )?(?:end|new ?line|line (?:end|break)|comma|colon|point|full stop|punctuation))",
        "Print no space after the last number.",
    ),
    (
        r"(?:blank|empty) lines?|blank (?:cells?|squares?|fields?)|(?:extra|additional|auxiliary|constant|linear|more) (?:memory )?space|space complexity",
        "Print no blank lines.",
    ),
]);

/// That such space is overlooked.
static OVERLOOKED: Concept = Concept::new(&[(
    r"ignor\w*|overlook\w*|tolerat\w*|disregard\w*|matters?|(?:is|are|be) (?:also )?(?:allowed|accepted|fine|ok|okay|permitted|acceptable)|(?:not|\w*n['’]t) (?:affect|worry|care|be penali[sz]ed)",
    "Leading spaces will be ignored by the checker.",
)]);

/// What lacks space, or has some taken out, and is not what is printed; and the code of a program.
static OF_OTHERS: Concept = Concept::new(&[(
    r"guarante\w*|inputs?|there is no|(?:find|finds|found) no|(?:number|count) of|how many|code|indent\w*",
    "It is guaranteed that the words contain no spaces.",
)]);

/// That space is forbidden which is more than what is asked for, whatever it is said of.
static NONE_EXTRA: Concept = Concept::new(&[
    (
        r"(?:no|avoid\w*|without|never (?:\w+ )?|(?:not|\w*n['’]t) (?:\w+ )?)(?: ?any)? ?(?:extra|additional|superfluous|unnecessary|redundant|excess|excessive|needless|surplus) (?:white ?)?(?:spaces?|blanks?|white ?spaces?)",
        "There should be no extra spaces.",
    ),
    (
        r"(?:extra|additional|superfluous|unnecessary|redundant|excess|excessive|needless|surplus) (?:white ?)?(?:spaces?|blanks?|white ?spaces?)(?: characters?)?\b[^;]{0,20} (?:(?:are|is|will be) (?:not (?:allowed|accepted|permitted|tolerated)|forbidden|prohibited|disallowed|(?:judged|considered|treated|counted|regarded) (?:as )?(?:an? )?(?:wrong|incorrect|errors?))|(?:lead|cause|result|give)\w* (?:to |in )?(?:an? )?(?:wrong|presentation|errors?))",
        "Superfluous spaces are forbidden.",
    ),
]);

/// That something is not so.
static NOT_ALLOWED: Concept = Concept::new(&[(
    r"(?:no|neither)\b[^;]{0,60}\b(?:is|are|will be) (?:allowed|accepted|permitted|tolerated|acceptable)|(?:not|\w*n['’]t|never) (?:be )?(?:allowed|accepted|permitted|tolerated|acceptable)",
    "No extra spaces are allowed.",
)]);

/// Whether a sentence on the output forbids space before all else on a line.
fn forbids_space_before(sentence: &str) -> bool {
    let is_of_output =
        OUTPUT.is_in(sentence) || sentence.contains("output") || NOT_ALLOWED.is_in(sentence);
    let forbids = NONE_BEFORE.is_in(sentence)
        || is_of_output && NONE_MORE.is_in(&ELSEWHERE.taken_from(sentence))
        || NONE_EXTRA.is_in(&ELSEWHERE.taken_from(sentence));
    let is_overlooked = OVERLOOKED.is_in(&NOT_ALLOWED.taken_from(sentence));
    forbids && !is_overlooked && !OF_OTHERS.is_in(sentence)
}

/// What has a point be no more than no comma, or lets it be left out.
static POINT_AT_CHOICE: Concept = Concept::new(&[(
    r"commas?|left out|omit\w*|optional\w*|not (?:an? )?(?:integers?|whole|integral)|as a (?:dot|point)",
    "Use a decimal point, not a comma.",
)]);

/// Whether a sentence wants a decimal point wherever it may be.
fn keeps_point(sentence: &str) -> bool {
    POINT_KEPT.is_in(sentence) && !POINT_AT_CHOICE.is_in(sentence)
}

/// Whether a sentence says of a line that it is empty.
fn has_empty_line(sentence: &str) -> bool {
    static LINE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:lines?|blank)\b"));
    LINE.is_match(sentence) && LINE_IS_EMPTY.is_in(sentence)
}

impl Phrases {
    /// What a sentence says of the space between what is printed, and before it, and of a point that is part of it.
    pub(super) fn note_space(&mut self, sentence: &str, is_asked: bool) {
        let is_asked = is_asked || OUTPUT.is_in(sentence);
        self.widths |= sets_gaps(sentence, is_asked);
        self.gaps |= is_asked && sets_one_space(sentence);
        self.no_space_before |= is_asked && forbids_space_before(sentence);
        self.line_of_each |= is_asked && has_empty_line(sentence);
        self.point_kept |= is_asked && keeps_point(sentence);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [
            &FIELD,
            &WIDE_THING,
            &SO_WIDE,
            &MOVES,
            &STANDS_FOR,
            &PARTING,
            &SINGLE,
            &NONE_BEFORE,
            &NONE_MORE,
            &ELSEWHERE,
            &OVERLOOKED,
            &ZEROS,
            &OF_OTHERS,
            &NONE_EXTRA,
            &POINT_AT_CHOICE,
            &NOT_ALLOWED,
            &ALL_COUNTS,
        ] {
            concept.assert_examples();
        }
    }

    #[test]
    fn tabs_that_are_named() {
        for sentence in [
            "For each of the employees print name, a tab and the salary.",
            "Print the fields of each record separated by '\\t'.",
            "Format each line as word[TAB]count.",
            "Print each word and its count in the format word\\tcount.",
            "Insert a tab between the name and the salary.",
            "Output the rows in TSV format.",
            "Emit tab-separated key-value pairs.",
            "Print the names and, after a tab, the salary.",
            "Print name (tab) salary.",
            "Tabs separate the columns that you print.",
        ] {
            assert!(names_tab(sentence), "{sentence}");
        }
        for sentence in [
            "Print the sum $a \\theta$ and $b \\text{ as well}$.",
            "Print the table.",
        ] {
            assert!(!names_tab(sentence), "{sentence}");
        }
    }

    #[test]
    fn gaps_that_are_set() {
        for sentence in [
            "Print the row, each number formatted as %4d.",
            "Print a and b as in f'a:>5b:>5'.",
            "Print the name left-aligned in 7 characters and then the score.",
            "Print the numbers with k spaces between them.",
            "Print the numbers using tab as delimiter.",
            "Print the row, where each empty cell is a space.",
            "Whitespace matters.",
            "The checker is strict about whitespace.",
            "Pay attention to the spaces.",
            "Outputs are compared byte by byte.",
            "The output has to match the expected output exactly.",
        ] {
            assert!(sets_gaps(sentence, true), "{sentence}");
        }
        for sentence in [
            "Print the numbers separated by spaces.",
            "Print the number of times that she opens a tab and closes it.",
            "Print the number of tabs.",
            "Print the sum $a \\theta$ and $b \\text{ as well}$.",
            "Print the time as %02d:%02d.",
            "Print the average with %.2f.",
            "Print the position after moving k spaces forward.",
            "Print the area of the field of width w and length n.",
            "Print the minimum number of tiles for a board of width 5.",
            "Print the answer modulo 10^9 + 7.",
            "Print the ratio as a:5 in percent.",
            "Print a space after each number.",
            "Print -1 for each missing value, separated by spaces.",
            "Print the number of parking spaces for each level.",
            "Print the missing numbers with spaces between them.",
            "Print the number of empty cells and of blank cells.",
            "Print the largest sum of a window of width k.",
            "Print the hour zero-padded to width 2.",
            "Print the dimension of the two spaces.",
            "Use 4 spaces for indentation.",
            "Read it with scanf(%2d) and print it.",
            "It does not matter how you print it: outputs are not compared by white space.",
            "Compare the strings character after character.",
        ] {
            assert!(!sets_gaps(sentence, true), "{sentence}");
        }
    }

    #[test]
    fn one_space() {
        for sentence in [
            "Print the words in sorted order, separated by single spaces.",
            "Print them with a single space between consecutive words.",
            "Words in the output are separated by single spaces.",
            "Print the words with one space between them.",
        ] {
            assert!(sets_one_space(sentence), "{sentence}");
        }
        for sentence in [
            "Print the words separated by spaces.",
            "Print the words separated by a space.",
            "Print each word on a single line, and one number after it.",
        ] {
            assert!(!sets_one_space(sentence), "{sentence}");
        }
    }

    #[test]
    fn space_before_all_else() {
        for sentence in [
            "Print the words with exactly one space between them and no leading or trailing spaces.",
            "Do not print a leading space.",
            "The reversed string should not contain leading or trailing spaces.",
            "Print the words in reverse order without extra spaces.",
            "Print the word without spaces around it.",
            "Print no spaces at the end or at the beginning of a line.",
            "No leading or trailing spaces are allowed.",
            "Leading and trailing spaces are not allowed in the output.",
        ] {
            assert!(forbids_space_before(sentence), "{sentence}");
        }
        for sentence in [
            "Do not print trailing spaces.",
            "Print no space after the last number.",
            "Do not print extra spaces at the end of a line.",
            "Leading and trailing spaces are not significant and will be ignored.",
            "Print the numbers separated by spaces.",
            "Do not use extra space.",
            "Print no blank lines between the answers.",
            "Print -1 if there is not enough space.",
            "No extra spaces are allowed at the end of lines of the output.",
            "It is guaranteed that the words contain no spaces.",
            "Print the cars that find no space, or -1 if there is no space.",
            "Remove all extra spaces and print the number of words.",
            "Output the code without extra spaces.",
        ] {
            assert!(!forbids_space_before(sentence), "{sentence}");
        }
    }
}
