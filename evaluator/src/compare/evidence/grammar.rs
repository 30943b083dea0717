//! The parts of a sentence about an order, as statements were found to write them.

use std::sync::LazyLock;

use regex::Regex;

use super::plain::pattern;

/// What gives the answer out, as an order to do so.
const VERB: &str = "(?:print|output|return|report|display|write|list|give|show)s?";

/// How the lines are that hold it, and what else says nothing of its items.
const LAYOUT: [&str; 32] = [
    r"(?:with )?(?:the )?(?:smaller|larger|lower|greater|smallest|lesser) (?:\w+ )?first",
    r"each (?:on its own|on a separate|in its own) line: (?:an?|the|its) \w+ and (?:an?|the|its) \w+",
    r"in the (?:form|format) (?:\w+ ?){1,6}",
    r"(?:with )?one line (?:per|for each) [a-z]+",
    r"each (?:(?:on its own|on a separate|in its own) line,? )?preceded by (?:its|the) (?:\w+ ?){1,2}",
    r"(?:one|each)(?: \w+){0,2}? (?:per|a|on an?|on its|on their|on each|on every|in each|in an?|in its|in their|to a)(?: \w+){0,2} ?line(?: of (?:its|their) own)?",
    r"(?:all )?(?:on|in) (?:one|a|the|its|their|separate|different|several|single|new)(?: \w+){0,2} lines?",
    r"on the (?:first|second|next|following|last)",
    r"(?:separated|delimited) (?:by|with) (?:(?:an?|one|the|any|single|exactly|at least|more|white|new|line|or|and|comma|amount|number|of) ?)*(?:spaces?|blanks?|commas?|white ?spaces?|semicolons?|new ?lines?|line breaks?|lines?|tabs?|hyphens?|dash(?:es)?|(?:comma|space)-space)",
    r"(?:space|comma)[- ]separated",
    r"in (?:the|your) (?:output|answer|result)",
    r"or (?:print |output )?(?:no|-1|none|impossible)(?: if (?:\w+ ?){1,5})?",
    r"but (?:\w+ ){1,8}(?:exactly|only) once",
    r"as an? (?:\w+ )?(?:list|array|set|tuple)(?: of \w+)?",
    r"each as its \w+ and (?:its )?\w+",
    r"each as (?:its|their|the) (?:\w+ ){1,5}and (?:its |the )?(?:\w+ ?){1,5}",
    r"each (?:\w+ )?(?:exactly |only )?once",
    r"(?:on|in) a line of (?:its|their) own",
    r"(?:each )?as (?:two|three|four) (?:integers|numbers|indices)(?: [a-z](?:,? (?:and )?[a-z])*)?",
    r"as [a-z] [a-z](?: [a-z])?",
    r"each as (?:often|many times) as it (?:\w+ ?){1,3}",
    r"(?:after|behind|below|under) (?:it|that|them)",
    r"with no duplicates",
    r"(?:each )?with an? (?:(?:absolute|relative|maximum|maximal|or) )*error (?:of |not |at most |less than |up to |exceeding |no more than |more than )+\S+",
    r"but (?:\w+ ){1,14}as (?:often|many times)(?: as (?:\w+ ?){1,6})?",
    r"each as [a-z] and [a-z](?: (?:with|where) [a-z] ?< ?[a-z])?",
    r"(?:each )?as (?:an? )?pairs?(?: [a-z],?(?: and)? [a-z])?,? (?:with|where|such that) [a-z] ?(?:<|<=|≤) ?[a-z]",
    r"the (?:letter )?case (?:of (?:\w+ ){1,3})?(?:is|does) ?(?:not|n't|n’t) (?:important|matter)",
    r"so (?:can|may) the (?:\w+ ){1,3}(?:of|in|within|inside) (?:each|every|an?|the) \w+",
    r"the (?:\w+ ){1,3}(?:of|in|within) (?:each|every|an?|the) \w+ (?:may|can) be (?:swapped|interchanged|exchanged)",
    r"with the (?:smaller|larger|lower|lesser|greater|bigger) (?:\w+ )?first",
    r"each with (?:its|their|his|her|the) (?:\w+ ?){1,3}",
];

/// How a sentence may open before it asks. One that ends with `VERB` ends with what asks.
const OPENINGS: [&str; 13] = [
    r"output(?: format| specification)?:? VERB ",
    r"(?:and|but|so|also|then|finally|next|otherwise|note that|notice that|note|notice|please|first|in (?:that|this) case)\b[,:]? ?",
    r"if (?:yes|so|possible|not|it is(?: possible)?|it exists)\b[,:]? ?",
    r"if,? [^:;]{1,120}?, (?:then )?(?:you (?:may|can|should|must) (?:also )?)?VERB ",
    r"if (?:there|it) (?:is|are|exists?|has) [^,]{1,60}, (?:then )?",
    r"in case of [^,]{1,40}, ",
    r"(?:in|for) (?:each|every|all|any) (?:of the )?[^,:]{1,40}?(?:, ?| (?:from|between) [^,]{1,20}, | (?:you |we )?VERB )",
    r"given [^:;]*, ",
    r"(?:the|each|every) (?:[\w-]+ ){0,2}lines?(?: [a-z])?(?: of (?:the|your) output)? must ",
    r"(?:within|inside) (?:an?|one|each|every|the same) \w+,? ",
    r"(?:on|in) (?:the|a|one|each|separate) (?:\w+ ){0,2}lines?,? ",
    r"(?:your|the) task is to |(?:you|we|it|the program|your program|the function|your function) (?:(?:should|must|will)(?: also| then)?|(?:are asked|is|are|have|has|needs?) to) ",
    r"(?:write|create|implement) an? (?:\w+ ){1,3}(?:that|which|to) |(?:find|compute|determine|calculate|identify|collect|assume|construct|build) [^:;]{1,160}?,? and ",
];

/// Where one part of what is asked for ends and the next begins.
const BETWEEN_PARTS: [&str; 4] = [
    r",? (?:and )?(?:then|followed by)(?: on the (?:\w+ )?lines?,?)?(?: VERB)?(?: out)? ",
    r",? (?:and )?(?:on|in) the (?:second|next|following|last)(?: line)?,? ",
    r"(?: (?:on|in) the first line)?,? and (?:on|in) the (?:second|next|following|last)(?: line)?,? (?:VERB )?",
    r" (?:on|in) the first line,? and ",
];

/// A pattern, in which `VERB` and the names of lists stand for what these hold.
fn grammar(form: &str) -> Regex {
    let form = form
        .replace("LAYOUT", &one_of(&LAYOUT))
        .replace("OPENING", &one_of(&OPENINGS))
        .replace("BETWEEN", &one_of(&BETWEEN_PARTS));
    pattern(&form.replace("VERB", VERB))
}

fn one_of(forms: &[&str]) -> String {
    format!("(?:{})", forms.join("|"))
}

macro_rules! patterns {
    ($($(#[$doc:meta])* $name:ident: $form:expr;)*) => {
        $($(#[$doc])* pub(super) static $name: LazyLock<Regex> = LazyLock::new(|| grammar($form));)*
    };
}

patterns! {
    /// That an order is free.
    PHRASE: r"[,;]?\s*\b(?:(?:in|with) (?:any|an? arbitrary|any arbitrary|arbitrary|whatever|whichever) (?:order|sequence)(?: (?:that )?(?:you|they) (?:like|want|wish|prefer))?|in no particular order|(?:regardless|irrespective) of (?:the |their )?order|any order (?:is (?:fine|ok|okay|allowed|accepted|acceptable|valid|good|correct)|will (?:do|be (?:accepted|fine|ok))))\b";
    /// A form that is an order: `in the format smallest to largest`.
    FORM_WITH_ORDER: r"\bin the (?:form|format) (?:of )?(?:\w+ ){0,5}(?:to|then|given|by|from|before|after|first|last|\w+est|\w+ing|min|max|same|input|follow\w*|preced\w*)\b";
    /// Any other word of an order.
    ORDERED: r"\b(?:order\w*|sort\w*|sequence of|rearrang\w*|(?:a|de)scending|(?:in|de)creasing)\b";
    /// What may stand behind the phrase, up to the end.
    BEHIND: r"^(?:,? ?(?:and |with )?LAYOUT)*(?:: (?:an?|the|its|their) (?:\w+ ){1,3}and (?:an?|the|its|their) \w*[^\WsS])?(?: such that [a-z]{1,2}(?: ?[+*] ?[a-z]{1,2})+ ?= ?\w+)?(?: ?[—–-] ?(?:the )?(?:\w+ )?\w+s(?: [a-z](?:, [a-z])*,? and [a-z])?(?: (?:of|in) (?:the )?(?:\w+ ?){1,3})?)?$";
    /// What may stand right before it.
    LAYOUT_BEFORE: r"(?:,? (?:and )?LAYOUT| and|,| all)+$";
    /// Brackets with something in them.
    BRACKETS: r" ?(?:\([^()]*\)|\[[^\[\]]*\])";
    /// How a sentence may open before it asks.
    OPENS: r"^\W*OPENING";
    /// What asks, at the end of an opening.
    ASKS_AT_END: r"\b(?:you |we )?VERB $";
    /// A condition under which something else stands in the same place.
    TIE: r"^\W*(?:if|in case)\b.*\b(?:same|equal\w*|tie[ds]?|identical|of one)\b";
    /// That something is allowed, not asked.
    PERMISSION: r"^(?:(?:you|we|the program|your program|the function|your function|it) )?(?:may|can|could|might|(?:is|are) (?:free|allowed|permitted) to)(?: also| then)? ";
    /// The same within a sentence, behind another clause.
    NEXT_CLAUSE: r"(?:,|,? and|,? but|;) ((?:you|your program|the program) (?:may|can|should|must|are (?:free|allowed) to) (?:also )?VERB .*)$";
    /// What is asked for.
    ASKED: r"^VERB:? (?:out )?(.+)$";
    /// `The edges can be printed`.
    MAY_BE_PRINTED: r"^(?:.*(?:[,;:]| that) (?:and |but )?)?([^,;:]+?) (?:may|can|could|should|must|might|will)(?: also)? be (?:printed|output|outputted|outputed|returned|reported|displayed|written|listed|accepted)$";
    /// What a line of the output has in it, which is said of no input.
    MUST_CONTAIN: r"\b(?:should|must|shall|has to|needs to) (?:then |also )?contain\b";
    /// `One line per item`, which are lines of what is asked for.
    LINE_PER_ITEM: r"\b(VERB) (?:exactly )?(?:one|a single|a) line (?:per|for each) (?:(?:such|chosen|selected) )?([a-z]+)\b";
    /// `Print, on a line of its own, the indices`.
    LAYOUT_BETWEEN: r"\b(VERB), (?:on|in) (?:an?|one) (?:\w+ )?line(?: of (?:its|their) own)?, ";
    /// What each of several lines holds.
    LINES_PRINT: r"^(?:the|each of the) (?:[\w-]+ ){0,3}lines (?:\w+ )?must print (?:an? |the )?(\w+)\b";
    /// What each of several lines describes.
    LINES_DESCRIBE: r"\blines\b.*\bdescrib\w+ (?:an?|one|the) (\w+)$";
    /// `The number of the wanted dishes`.
    NUMBER_OF: r"\b(?:number|count) of (?:[\w-]+ ){0,3}?\w+s\b";
    /// Of which test it is said.
    OF_TEST: r" (?:of|in|within) (?:one|each|every|a|the same) (?:test case|test|case|data ?set)\b";
    /// `Both the teams and the numbers in each of them`, where an order is free in both.
    BOTH_IN_ANY_ORDER: r"\b(VERB) (?:both )?((?:the )?(?:\w+ )?\w+s),? (?:and|as well as) the ((?:\w+ ){1,3}(?:of|in|within) (?:each|every|an?|the) \w+),? in any order$";
    /// The same of what may be printed.
    BOTH_MAY_BE: r"^((?:the )?(?:\w+ )?\w+s),? (?:and|as well as) the ((?:\w+ ){1,3}(?:of|in|within) (?:each|every|an?) \w+),? ((?:can|may) be \w+) in any order$";
    /// `Nor does the order of the two ends of an edge`.
    NOR_WITHIN: r",? (?:nor does|and neither does) the order of (?:the )?(?:two |three )?\w+ (?:of|in|within) (?:each|every|an?) \w+$";
    /// What stands in each comes in any order as well.
    AND_WITHIN: r"\b(in any order),? (?:and|as well as) (?:the )?((?:\w+ ){1,3}(?:of|in|within|inside) (?:each|every|an?|the) \w+) in any order$";
    /// `You can write`, which may be said of anything.
    MAY_WRITE: r"\b(?:may|can|could) (?:also )?write\b";
    /// `The answer can be`, which may be said of what is given as well.
    MAY_APPEAR: r"^(.+?) (?:may|can|could|should|must|might|will)(?: also)? (?:appear|come|be)$";
    /// Where the next part begins.
    NEXT_PART: "BETWEEN";
    /// A first part that is one thing.
    ONE_THING: r"^[^,]+(?:, (?:the|its|their) (?:number|count) of [^,]+)?$";
    /// An answer that the items follow.
    WORD: r"^(?:the (?:word|string) )?(?:yes|no|true|possible|ok)$";
    /// `The order does not matter`, with what is said to have none.
    IRRELEVANT: r"^(?:note:? |notice:? )?(?:that )?(?:(?:the |their |its )?order(?: of (?:the |these |those |its |their )?([\w ]+?)| in which (?:you |they (?:are )?|the (\w+) are )?(?:VERB|printed|listed|returned|reported|output|shown|displayed|written)(?: them| these)?)? (?:(?:does|do|is|are) ?(?:not|n't|n’t|nt) (?:matter|important|relevant|specified|fixed)|(?:is|are) (?:irrelevant|unimportant|arbitrary|immaterial|insignificant|up to you|free)|makes no difference)|any order (?:is (?:fine|ok|okay|allowed|accepted|acceptable|valid|good|correct)|will (?:do|be (?:accepted|fine|ok)))|it (?:does|is) ?(?:not|n't|n’t) (?:matter|important)(?: in)? (?:which|what) order you VERB .*)$";
    /// What is said of the output outright.
    OF_OUTPUT: r"\b(?:outputs?|returned|printing|answers?|results?|you VERB|(?:they|the \w+) are (?:printed|listed|returned|reported|output|shown|displayed|written))\b";
}
