//! The words by which statements speak of how numbers are written.

use super::concept::Concept;

/// How many places a real is printed with.
pub(super) static PLACES: Concept = Concept::new(&[
    (
        r"decimal (?:places?|digits?|points?)|decimals|fractional digits?",
        "Print the result rounded to 3 decimal places.",
    ),
    (
        r"(?:digits?|places?|numbers?) (?:after|to the right of|behind|following) (?:the )?(?:decimal|dot|point|comma)",
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
        r"first (?:\w+ )?(?:digits|decimals)|truncat\w*|cut off|not rounded|without rounding",
        "Print the first 12 digits.",
    ),
    (
        r"(?:in|as|form|format|notation)(?: of)? \W?[a-z]{3,}\.[a-z]{5,}|[a-z]{3,}\.[a-z]{5,}\W? (?:notation|form|format)",
        "Print the weight in pounds.ounces.",
    ),
    (
        r"(?:versions?|releases?|revisions?) of",
        "Print the version of the library.",
    ),
    (
        r"(?:print|output|report|display|write|return)\w* (?:the |its )(?:\w+ )?(?:versions?|releases?|revisions?|editions?|chapters?|sections?|paragraphs?|verses?|ip)|(?:versions?|releases?|revisions?|editions?|chapters?|sections?|paragraphs?|verses?)\b.{0,20}\b(?:its|their) (?:numbers?|names?|labels?)",
        "For each chapter print its number.",
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
        r"(?:base|radix)[- ](?:\d+|[a-z])[- ](?:digits?|expansions?|representations?|numbers?|numerals?|forms?|notations?|fractions?)|(?:ternary|quaternary|quinary|duodecimal|sexagesimal|balanced) (?:\w+ )?(?:digits?|expansions?|representations?|numbers?|forms?|notations?|fractions?)",
        "Print the base-3 digits of x.",
    ),
    (
        r"(?:in|to) (?:binary|octal|hexadecimal|ternary|(?:the )?(?:base|radix)[- ]?(?:\d+|[a-z]))(?:$|, \w+| (?:with|as|using|without|to|system|and|followed|together)\b)",
        "Print the number in base 2 with six digits after the point",
    ),
]);

/// How a number is to be written, beyond its places: then it is compared as it is written.
pub(super) static FORM: Concept = Concept::new(&[
    (
        r"scientific (?:notation|form|format)|exponential (?:notation|form)",
        "Print the result in scientific notation.",
    ),
    (
        r"(?:trailing|leading|insignificant|extra) (?:zero(?:s|es)?|\W?0\W?s?)|(?:end|ends|ending) (?:with|in) (?:a )?(?:0|zero)|shortest (?:\w+ )?(?:form|notation)",
        "Print the number without trailing zeros.",
    ),
    (
        r"(?:with|without) (?:its|an?|the) (?:leading |explicit )?sign|preceded by (?:its|an?|the) sign|(?:carry|carries|have|has|show|bear)s? an? sign|sign must|explicit sign|plus sign|\+ for|show a decimal point|-0(?:\.0+)?",
        "Print the change with its sign.",
    ),
    (
        r"zero(?:e?s)? (?:at|in) the end|unnecessary zeros|without (?:the|a|its) (?:leading )?zero|keeping (?:the )?(?:\w+ )?zeros|zeros that are significant|(?:they|it|these) (?:are|is) zeros?|(?:instead of|and not) \d|keep (?:all )?the zeros",
        "There must be no zeros at the end.",
    ),
    (
        r"always (?:with |has |have )?(?:exactly )?(?:one|two|three|four|\d) (?:decimals?|digits|decimal places)|(?:one|two|three|four|\d) digits for the|(?:more or fewer|fewer or more) (?:decimals|digits|places)|including the (?:\w+ )?decimals",
        "Print the amount, always with two decimals.",
    ),
    (
        r"printf|format specifiers?|(?:format|form) \d+\.\d+|as many (?:decimals|digits|decimal places|places) as|(?:euros|dollars) and cents|exact(?:ly)? match\w*|match\w* exactly|d\.d+\w*",
        "Print it using the format specifier %.2f.",
    ),
    (
        r"in full|exact (?:finite )?decimal|all (?:of )?(?:its|the|their) digits|(?:complete|full|whole|entire|finite) (?:decimal )?expansion|exactly,? as a decimal|superfluous zeros|negative zeros?|minus zero|most digits|exactly as|in the same form|as (?:it|they) (?:is|are) written|(?:exact(?:ly)? )?(?:in )?the (?:exact )?same format|as (?:it|they) appears?|in the same way|exact (?:value|answer|result)|the exact (?:\w+ )?(?:areas?|totals?|medians?|means?|averages?|sums?|weights?|lengths?|balances?|costs?|prices?|amounts?|volumes?|quotients?|products?|distances?)|(?:in|to) (?:every|each|the last) digit|without (?:any )?rounding|do not round|exactly$|, exactly|decimal representation|in string format|as many digits after the (?:decimal )?point as|significant figures|all (?:the )?digits|palindrom\w*|different types|distinguished by an? (?:decimal )?point|shortest (?:\w+ )?representation",
        "Print the decimal expansion in full.",
    ),
    (
        r"at least one digit (?:before|behind|after)|\d+,? (?:and )?not \d+|padd(?:ed|ing) with (?:a )?zero\w*|whole ones with|(?:written|separated|shown) with an? (?:dot|point|period)|numeric strings?|strings? of digits|dewey|each digit|replac\w* (?:each|every|all) digits?|all (?:the )?cards|formats? money|always with a (?:decimal )?point|(?:exactly|precisely) \w+ significant (?:digits|figures)|with an? (?:decimal )?point and [^.]{0,60}without|(?:never|not|instead of|rather than|than) -0(?:\.0+)?",
        "Print it with at least one digit before the decimal point.",
    ),
    (
        r"(?:digits|places|decimals)\b.{0,40},? no more and no (?:fewer|less)",
        "Print it with 2 digits after the point, no more and no fewer.",
    ),
    (
        r"(?:print|output|return|display|write)\w* (?:the |its |their )?(?:\w+ ){0,2}(?:names?|codes?|identifiers?|labels?|call number|verses?|address|dates?|stages?|exercises?|builds?|logos?|tags?|gates?|sections?|chapters?|models?)",
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
        r"(?:written|numbered|given|printed|shown|noted) (?:(?:as|like|in the form) )?[a-z]+\.[a-z]+|of the form \W?[a-z]+\.[a-z]+|called [a-z]\.[a-z]",
        "A gate is written as terminal.gate.",
    ),
    (
        r"\d+\.\d+,? (?:which|that) (?:comes?|follows?|precedes?)|\d+\.\d+,? the \w+ (?:section|chapter|stage|exercise|release|verse|part) of|\d+\.\d+ (?:or|and) \d+\.\d+,? which are (?:different|distinct|not)",
        "Releases are known, such as 1.10 which comes after 1.9.",
    ),
    (
        r"first (?:\d+|[a-z]|\w+) (?:digits|decimals|decimal places)\b.{0,60}\b(?:after|behind) the (?:decimal )?point",
        "Find the first 12 digits of the ratio after the decimal point.",
    ),
    (
        r"numbered (?:like |as )?\d+\.\d+|such as \d+\.\d+ for|(?:for instance|for example|e\.g\.?),? \W?\d+\.\d+\W? for|\d+\.\d+\W? is another|(?:numbers?|ids?|identifiers?|labels?|codes?) (?:like|such as) \d+\.\d+|by \w+ and \w+, (?:such as|like|for instance|for example) \d+\.\d+|(?:exercises?|sections?|stages?|rooms?|tasks?|chapters?|releases?|builds?) \d+\.\d+|\d+\.9\b.{1,40}\d+\.10",
        "Exercises are numbered 1.1, 1.2 and so on.",
    ),
    (
        r"an? (?:point|dot|period)(?:,? and| in the middle| between)|(?:separated|divided|parted) by an? (?:point|dot|period)",
        "It consists of the floor, a point and the door.",
    ),
    (
        r"(?:times?|hours|amounts?|prices?) (?:is|are) (?:written|shown|noted) with an? (?:dot|point|period)|(?:digit|decimal) strings?|add(?:ing|ed)? zeroe?s|superfluous zeros|never ends? (?:with|in) (?:a )?zero|ha(?:s|ve) to have a decimal point|rounding errors? (?:are|is|will|may|must) ?(?:n't|n’t|not|never)|not a single \w+ of the last|(?:no|without) (?:any )?loss of precision|hours and minutes,? (?:such as|like|as in|with) (?:\d|an? (?:point|dot))|parts of (?:its|the|an) (?:\w+ )?address",
        "Print the time in hours and minutes, such as 7.05.",
    ),
    (
        r"(?:plus|minus) signs?|writes? the sign|with (?:the )?sign|with \+|(?:ordinary|engineering|scientific|decimal|exponential|standard) notation|mantissa|d\.d\w*",
        "Convert it to engineering notation.",
    ),
    (
        r"(?:without|dropp?(?:ing|ed)?|remov\w+) (?:the |these |those |all )?(?:needless |unneeded |unnecessary )?zeros|(?:needless|unneeded) zeros|fill(?:ed)? up|same number of decimals|shortest way to write|as few characters|no digit may be lost|trailing zeros after the point|trailing \.0|trailing zeros (?:of|in|after|behind) (?:\w+ ){1,4}(?:are|is|must|should)|(?:part|zeros?|it) (?:\w+ ){0,3}(?:is|are) (?:omitted|left out|dropped)|0(?:\.0+)?\W? (?:is|are) (?:not|no)|decimal fraction with (?:no|as|all|its|the)\b|without (?:any )?trailing zeros|\d\.0 format",
        "Print the number without the zeros at its end.",
    ),
]);

/// That what is asked for is another way of writing.
pub(super) static CONVERSION: Concept = Concept::new(&[
    (r"convert\w*|express\w*", "Convert it to binary."),
    (
        r"must|should|always|multiply|normali[sz]e|rounds?",
        "There must be no zeros at the end.",
    ),
]);

/// That no exponent is to be printed.
pub(super) static NO_EXPONENT: Concept = Concept::new(&[
    (
        r"(?:not|never|n't|n’t|without|no|avoid|instead of) [^,;]{0,40}(?:scientific|exponents?|exponential|e[- ]notation|engineering|letter e)",
        "Do not use scientific notation.",
    ),
    (
        r"(?:in )?fixed[- ]point (?:notation|form|format)|not \d(?:\.\d+)?e-?\d+",
        "The answer must be given in fixed-point notation.",
    ),
    (
        r"(?:scientific|exponential|e)[- ](?:notation|form|format) (?:\w+ )?(?:is|are|will|must|may|cannot) (?:\w+ ){0,2}(?:not|judged|wrong|forbidden|rejected|incorrect|considered)",
        "Exponential notation is not allowed.",
    ),
]);

/// That a zero has no sign.
pub(super) static NO_NEGATIVE_ZERO: Concept = Concept::new(&[
    (r"(?:negative|minus) zeros?", "Do not print negative zeros."),
    (
        r"(?:not|never|beware|instead of|rather than|avoid|careful)\b[^;]{0,60}\W-0(?:\.0+)?",
        "It must not be printed as -0.00.",
    ),
]);

/// That a real has a point, be it whole.
pub(super) static POINT_KEPT: Concept = Concept::new(&[
    (
        r"decimal (?:point|dot)\b[^;]{0,40}\b(?:even|also) (?:if|when|for|in)|(?:even|also) (?:if|when) (?:it|they|the \w+|this|that) (?:is|are) (?:an? )?(?:whole|integers?|integral)\b[^;]{0,40}\bdecimal (?:point|dot)",
        "Print the sum, with a decimal point even if it is whole.",
    ),
    (
        r"(?:always|must|should|has to|have to|shall) (?:(?:be|have|has|contain|show|print|written|printed|include|with|use|a|the|its) )*decimal (?:point|dot)|decimal (?:point|dot) (?:must|should|shall|has to) (?:\w+ )?be (?:printed|shown|present|written|included)",
        "The number must always have a decimal point.",
    ),
    (
        r"(?:as|like|how|the way) (?:in )?(?:Python|Java|JavaScript|Ruby|Haskell)(?:'s|’s)? (?:\w+ )?(?:prints?|writes?|shows?|displays?|does|would)?(?: \w+)? ?(?:floats?|doubles?|floating[- ]point numbers?|reals?)|as (?:an? )?(?:Python|Java) (?:float|double)s?",
        "Print it as Python prints a float.",
    ),
]);

/// That the number of decimal places is fixed, without saying which: that of the expected output.
pub(super) static AS_MANY_PLACES: Concept = Concept::new(&[
    (
        r"[b-zB-Z] (?:decimal (?:places?|digits?)|decimals|(?:digits|places|decimals) (?:after|behind|following) the (?:decimal )?(?:point|dot|comma))",
        "Print a/b with k digits after the decimal point.",
    ),
    (
        r"(?:that|as|so) many (?:digits|decimals|decimal places|decimal digits|places)|same number of (?:digits|decimals|decimal places|places)|all (?:\w+ )?of the (?:decimal )?(?:places|decimals)",
        "Print pi with that many digits after the decimal point.",
    ),
]);

/// That what is printed has decimals: then it has as many as are expected.
pub(super) static SHOWS_PLACES: Concept = Concept::new(&[
    (
        r"decimals|(?:\d|one|two|three|four|single) decimals?|decimal (?:places?|digits?)|fractional (?:digits?|part)|(?:digits?|figures?|places?) (?:\w+ ){0,4}(?:after|past|behind|beyond|following|(?:to the )?right of) the|(?:after|behind) the (?:decimal )?(?:point|comma|dot)|(?:these|all) (?:\w+ )?places|exactly (?:\d|one|two|three|four) digits|\w digits of the decimal|(?:digits?|places?) (?:(?:must|should|shall|have to|are to) )?follow (?:the|a) (?:decimal )?(?:point|comma|dot)",
        "Report it with a single decimal.",
    ),
    (
        r"\dl?f|setprecision|tofixed|fixed[- ]point (?:number|value|form|notation)|fixed notation|x+\.x+|n\.n+|x\.y+",
        "Print it using %.2f.",
    ),
    (
        r"(?:to|with) (?:the )?(?:cents?|kopecks|pence)|(?:euros?|dollars?|pounds?|roubles|rubles) and (?:cents?|kopecks|pence)|(?:the |its |their )?cents are|shown the same way",
        "Prices are printed with cents.",
    ),
    (
        r"(?:as|like)(?: shown| given)?(?: in)? the (?:\w+ )?(?:examples?|samples?)(?: output)?|(?:layout|format|form|style) of the (?:\w+ )?(?:examples?|samples?)",
        "Print the message as in the example.",
    ),
]);

/// How many places are named, in words for them.
pub(super) static MANY_PLACES: Concept = Concept::new(&[(
    r"(?:[5-9]|\d\d|five|six|seven|eight|nine|ten|twelve|fifteen)(?:l?f| (?:\w+ )?(?:decimals?|digits?|places?|fractional))",
    "Print it with 9 digits after the decimal point.",
)]);

/// That something is shown, be it without a word for printing.
pub(super) static SHOWN: Concept = Concept::new(&[(
    r"shows?|shown|showing|present\w*|format\w*|keep\w*|use|written|screen|column|exactly",
    "Show it with two decimals.",
)]);

/// That it is so without exception.
pub(super) static ALWAYS: Concept = Concept::new(&[(
    r"precisely|exactly|always",
    "The potter enters it with precisely one decimal.",
)]);

/// What is given, and how many there are of it.
pub(super) static GIVEN: Concept = Concept::new(&[(
    r"given|inputs?|lines?|contains?|consists?",
    "Each is given with exactly two decimals.",
)]);

/// That something is read.
pub(super) static READ: Concept = Concept::new(&[(
    r"given|inputs?|reads?|receives?|contains?|consists?|enter\w*|have at most|has at most",
    "Each line of the input contains a real with 2 decimals.",
)]);

/// The same of a value, which says nothing of how it is shown; and of what is no more than needed.
pub(super) static OF_VALUE: Concept = Concept::new(&[(
    r"round\w*|accura\w*|correct|precis(?:e|ion)|at least|at most|up to|error|nearest",
    "Print it rounded to k decimal places.",
)]);

/// That a whole number is asked for.
pub(super) static WHOLE: Concept = Concept::new(&[(
    r"integers?|integer part|numbers? of|modulo|permutation|order of (?:the|visiting|removal)|route|ids of|turns|indices of|edges|counts?|how many|years?|case number|ind(?:ex|ices)|ids?|(?:roll|student|account|its|his|her|their) number|(?:line|contains?|print|output|write) [kn]|[kn] lines",
    "Print the number of roots and their sum.",
)]);

/// That the judge looks at how an answer is printed.
pub(super) static JUDGES_FORM: Concept = Concept::new(&[(
    r"presentation error",
    "Otherwise you will receive a Presentation Error.",
)]);

/// The words that are read as numbers, but no finite ones.
pub(super) static NOT_FINITE: Concept =
    Concept::new(&[(r"nan|inf|infinity", "For a vertical line print Infinity.")]);

/// What has a base, and is a real all the same.
pub(super) static LOGARITHM: Concept =
    Concept::new(&[(r"log(?:arithm)?s?", "Print its logarithm to base 2")]);

/// That a number is asked for as it is, whatever error another may have.
pub(super) static EXACT: Concept = Concept::new(&[(
    r"(?:print|output|write|display|report|give)\w* [^,;]{1,60} exactly(?:\W*$|(?:,|,? and|,? then) )|(?:must|should|has to|have to|needs? to) be exact(?:ly)?\W*$|exact (?:\w+ )?(?:amount|value|sum|price|number|id|time)|exact to the|exactly as (?:it|they)|as (?:it|they) (?:stands?|was given|were given)",
    "Print the exact amount that is left.",
)]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [
            &PLACES,
            &REAL,
            &POINTED,
            &FORM,
            &FORM_OF_PARTS,
            &CONVERSION,
            &NOT_FINITE,
            &JUDGES_FORM,
            &LOGARITHM,
            &EXACT,
            &WHOLE,
            &NO_EXPONENT,
            &NO_NEGATIVE_ZERO,
            &POINT_KEPT,
            &AS_MANY_PLACES,
            &SHOWS_PLACES,
            &MANY_PLACES,
            &SHOWN,
            &READ,
            &ALWAYS,
            &GIVEN,
            &OF_VALUE,
        ] {
            concept.assert_examples();
        }
    }
}
