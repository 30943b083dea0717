//! The words by which statements speak of errors that an answer may have.

use super::concept::Concept;

/// That something may be off.
pub(super) static SLACK: Concept = Concept::new(&[
    (r"errors?", "The error of the answer must be small."),
    (
        r"within|toleran\w+|precision|precise",
        "Answers within 1e-5 are accepted.",
    ),
    (
        r"differ\w*|deviat\w+|accura\w+|off by|eps(?:ilon)?",
        "The answer may differ by 1e-4.",
    ),
    (
        r"(?:answer|output|result|value|solution) ?- ?(?:\w+ ){0,3}(?:answer|output|result|value|solution)",
        "Your answer is correct if |your answer - correct answer| is at most 1e-6.",
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
        r"(?:absolute|relative) [^,]{0,40}(?:allowed|acceptable|permitted|tolerated|ignored)|(?:allow|permit|tolerate|accept)s? [^,;]{0,40}(?:absolute|relative|errors?)",
        "An absolute error of up to 1e-6 is allowed.",
    ),
    (
        r"\w+ \((?:with )?(?:an? )?(?:(?:absolute|relative|error) )*tolerance(?: of|:| =|=)? ?\d\w*",
        "Print the mean (tolerance 1e-4).",
    ),
]);

/// That an error does, where it is that of what has just been asked for.
pub(super) static ERROR_PASSES: Concept = Concept::new(&[
    (
        r"(?:errors?|deviations?|differences?|inaccurac\w+)\b[^,;]{0,40}\b(?:is|are|will be|would be) (?:allowed|acceptable|accepted|permitted|tolerated|ignored|ok|okay|fine)",
        "A deviation of 0.01 will be tolerated.",
    ),
    (
        r"(?:errors?|deviation|tolerance|difference) (?:that is |which is )?(?:allowed|permitted|tolerated)|(?:allowed|permitted|tolerated|permissible|admissible) (?:(?:absolute|relative|or|and) )*(?:error|deviation|tolerance|difference)",
        "The maximal error allowed is 0.001.",
    ),
    (
        r"^\W*(?:judged|checked|compared|accepted|graded|evaluated) (?:with|within|up to|to) (?:an? )?(?:(?:absolute|relative|or) )*(?:errors?|tolerance)|^\W*(?:(?:error|absolute|relative|numerical|the) )*tolerance ?(?:is|:|=) ?\d\w*",
        "Tolerance: 1e-4.",
    ),
]);

/// That it has a bound, on the same terms.
pub(super) static BOUNDED: Concept = Concept::new(&[
    (
        r"(?:should|must|may|can|shall)(?: ?not|n['’]t) (?:contain|have|include) (?:an? )?(?:(?:absolute|relative|or) )*errors?|errors? (?:should|must|may|can|shall)(?: ?not|n['’]t) (?:be (?:more|greater|larger|bigger) than|exceed)",
        "They should not contain an absolute error greater than 1e-5.",
    ),
    (
        r"(?:should|must|has to|have to|may|can) be (?:given|printed|accurate|correct|exact|precise|stated|output) (?:with|to|within|up to) (?:an? )?(?:absolute|relative)",
        "This number should be given with an absolute error of at most 1e-6.",
    ),
    (
        r"(?:accuracy|precision) of\b[^,;]{0,20} is (?:required|enough|sufficient|expected)",
        "Accuracy of 1e-6 is required.",
    ),
    (
        r"(?:absolute|relative) error\b[^,;]{0,20}\b(?:must|should|has to|may|can|cannot)",
        "The absolute error must be smaller than 1e-3.",
    ),
    (
        r"(?:may|can|must|should|has to|have to) have an? (?:(?:absolute|relative|or) )+error",
        "Each number may have an absolute error of at most 0.01.",
    ),
    (
        r"(?:may|can) be off by|(?:must|should|has to|have to|needs? to) be (?:accurate|correct|precise) (?:to|within|up to)",
        "It must be accurate to 1e-6.",
    ),
    (
        r"within\b[^,;]{0,40} of (?:the|its|their|our) (?:true|exact|correct|actual|real|right|expected|jury|judges?|(?:official|reference|model) (?:answer|output|solution|result|value))",
        "Each must be within 1e-4 of the true value.",
    ),
    (
        r"(?:must|should|has to|have to|needs? to) be within an? (?:(?:absolute|relative|or|maximum) )*(?:error|tolerance|accuracy|precision)",
        "It must be within an error of 0.01.",
    ),
]);

/// That it has a bound, where what has it goes by its name.
pub(super) static BOUNDED_BY_NAME: Concept = Concept::new(&[
    (
        r"(?:compared|checked|judged|tested|verified|evaluated) (?:\w+ ){0,4}(?:tolerance|errors?|precision|accuracy)",
        "It is compared with a tolerance of 0.01.",
    ),
    (
        r"(?:may|can|must|should|has to|have to|needs? to) have an? (?:\w+ )?(?:error|deviation|accuracy|precision)",
        "The depth must have an error of at most 0.01.",
    ),
    (
        r"(?:may|can|could|must|should)(?: not)? differ\b[^,;]{0,40} by (?:at most|up to|no more than|less than|more than)",
        "The mean may differ from ours by at most 0.01.",
    ),
    (
        r"(?:errors?|deviations?|inaccurac\w+)\b[^,;]{0,40} (?:should|must|may|can|shall)(?: ?not|n['’]t) (?:be (?:more|greater|larger|bigger) than|exceed)",
        "The error of the mean must not exceed 0.01.",
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
        r"your (?:program|submission) (?:is|will be) (?:\w+ )?(?:accepted|correct)",
        "Your program will be judged correct if the absolute error is at most 1e-5.",
    ),
    (
        r"(?:absolute|relative)(?: or |/)(?:relative|absolute)",
        "Absolute or relative error up to 1e-6.",
    ),
    (
        r"(?:print|output|display|report|return|calculate|compute|find)\w* .{0,100}\b(?:may have|can have|allowing|with) (?:an? )?(?:absolute|relative)",
        "Print the total, which may have a relative error of 1e-6.",
    ),
    (
        r"(?:print|output|display|report|return|calculate|compute|find)\w* .{0,100}\((?:(?:the|an?|max\w*) )*(?:absolute|relative)(?: (?:or|and) (?:absolute|relative))? errors? ?(?:<|<=|≤|of|at most|up to|below|less than|must be|should be|may be)\W{1,3}\d\w*",
        "Print the probability (absolute error at most 0.001).",
    ),
    (
        r"(?:print|output|display|report|return|calculate|compute|find)\w* .{0,100}\((?:with )?(?:an? )?(?:(?:absolute|relative|error) )*tolerance(?: of|:| =|=)? ?\d\w*",
        "Print the probability (tolerance 1e-4).",
    ),
    (
        r"(?:print|output|display|report|return|calculate|compute|find) .{0,100}\b(?:accurate|correct|precise) (?:up )?to (?:within )?",
        "Print one real number, accurate to within 1e-6.",
    ),
    (
        r"(?:print|output|display|report|return|calculate|compute|find) [^,]{0,80},? (?:to )?with(?:in)? (?:an? )?(?:(?:absolute|relative|or|and|maximum) )*(?:error|accuracy|precision)",
        "Print the probability with an error of at most 1e-4.",
    ),
    (
        r"^\W*(?:please )?(?:give|determine|state) [^,]{0,80},? (?:to )?with(?:in)? (?:an? )?(?:(?:absolute|relative|or|and|maximum) )*(?:error|accuracy|precision)",
        "Give the probability with an error of at most 1e-4.",
    ),
]);

/// What an answer is near: the right one.
pub(super) static TRUTH: Concept = Concept::new(&[(
    r"actual|correct|right|true|exact|expected|precise|real|optimal|reference|official|jury\w*|judge\w*|ours?|model|answers?|solutions?|values?|results?",
    "Answers within 1e-5 of the actual answer are accepted.",
)]);

/// That something does not pass.
pub(super) static REFUSED: Concept = Concept::new(&[(
    r"(?:treated|judged|considered|counted|regarded|marked) as (?:wrong|incorrect|a wrong)|(?:is|are|be) (?:rejected|forbidden)|(?:is|are) not (?:allowed|permitted|tolerated|acceptable|accepted)|can ?not be (?:accepted|tolerated)|(?:(?:is|are)|(?:will|would) be) (?:considered |deemed )?(?:wrong|incorrect|invalid|unacceptable)|(?:will|would|do|does|can) ?(?:not|n't|n’t) pass|won['’]t (?:pass|be accepted)|(?:is|are) ?n['’]t accepted|(?:may|can|must|should|shall) not have",
    "Outputs with an error of 1e-9 will be treated as wrong.",
)]);

/// Who judges, and what.
pub(super) static JUDGE: Concept = Concept::new(&[(
    r"judges?|jury|juries|checkers?|graders?|systems?|servers?|programs?|validators?|comparators?|evaluators?|testers?|scripts?|problem|answers?|outputs?|results?|solutions?|submissions?|us|up|at|more|less|no|default",
    "It is compared by the checker.",
)]);

/// That it is what goes beyond a bound.
pub(super) static BEYOND: Concept = Concept::new(&[(
    r"more than|larger|greater|bigger|higher|exceed\w*|above|over|beyond|outside|not within|worse|or more|at least",
    "An error of more than 1e-9 will be treated as wrong.",
)]);

/// That something has an error as it is, which says nothing of what an answer may have.
pub(super) static HAS_ERROR: Concept = Concept::new(&[(
    r"(?:has|have|had|having) (?:always )?(?:(?:an?|some|the|its) )?(?:(?:absolute|relative|or|and|maximal|maximum|known|typical|measuring|measurement|small|systematic) )*(?:errors?|deviations?|inaccurac\w+)",
    "The result of the scale has an error of at most 0.01.",
)]);

/// That it is what an answer has to have.
pub(super) static HAS_TO: Concept = Concept::new(&[
    (
        r"must|should|shall|may|can|could|has to|have to|needs? to|as long as|provided|allowed",
        "The answer must have an error of at most 0.01.",
    ),
    (
        r"your|you|make sure|ensure|so that|such that|(?:print|output|display|report|return|calculate|compute|find) [^,;]{0,80},? with",
        "Make sure that the answer has an error of at most 0.01.",
    ),
]);

/// What gives a small number to something other than the answer's error.
pub(super) static OTHER_SLACK: Concept = Concept::new(&[
    (
        r"(?:numbers|prices|floats|readings|points|distances|lengths|weights|elements|items)\b[^;,]{0,60}\b(?:(?:are|be) (?:considered |treated as |deemed |counted as )?(?:equal|the same|identical)|to be equal)|^\W*(?:\w+ )?use an? tolerance of [\d.e-]+ (?:when|while) comparing|compare the (?:\w+ )?(?:numbers|floats|values|reals)|(?:numbers|readings|values) within [^;,]{1,20} of (?:each other|the (?:mean|average|median))",
        "Numbers within 0.01 of each other are considered equal.",
    ),
    (
        r"(?:inputs?|input values|prices?|data|readings?|measurements?|all values|each (?:price|distance|value|reading)) (?:is|are) (?:given|accurate|correct|rounded|precise)|coordinates are (?:given|accurate|rounded)|bisection",
        "Prices are accurate to 0.01.",
    ),
    (
        r"(?:friend|teacher|brother|sister|colleague|classmate|student|boss|opponent|neighbou?r|professor|mother|father|uncle|aunt|rival|assistant|competitor)s?['’]?s? (?:\w+ )?(?:answers?|results?|outputs?|solutions?|guess\w*|estimates?)",
        "Your friend's answer is correct if its error is at most 0.01.",
    ),
    (
        r"(?:his|her) (?:answers?|guess\w*|outputs?|estimates?|results?)|^\W*(?:in|during) (?:the|an?|this) (?:quiz|exam|game show|show|game)",
        "In the quiz, answers within 0.01 of the correct one are accepted.",
    ),
    (
        r"unaffected|(?:not|n['’]t) (?:affect|change|influence)|no two|guarante\w*|(?:not|never|n't|n’t) (?:be |lie |fall )?within|boundar\w*",
        "It is guaranteed that the answer is not within 0.01 of a boundary.",
    ),
    (
        r"measure(?:d|ments?)|sensors?|(?:student|pupil|teacher|contestant|participant|player|child)(?:s|['’]s|s['’])? answers?|answers? of (?:an?|the|each|every|all) (?:students?|pupils?|teachers?|contestants?|participants?|players?)|writ(?:e|ing) (?:an? |the )?(?:checker|grader|judge)|grad(?:es|ing)|percentage of",
        "Given measurements with an error of at most 0.01, output their average.",
    ),
    (
        r"(?:far|well|much) (?:below|under|less than|smaller than|lower than)|(?:millionth|thousandth|hundredth|tenth) of [\d.]+\w*|by a factor of \d+|(?:nearly|hardly|barely|scarcely|almost) (?:accepted|acceptable|allowed)|with a penalty|in division \w|(?:java|python|pascal|c\W{0,2}) only|must not be (?:below|under|less|smaller)|whether an? (?:absolute|relative|error)|depends? on the (?:judge|checker)",
        "The absolute error of the answer must be far below 1e-2.",
    ),
    (
        r"(?:two|both) (?:\w+ ){0,2}(?:results|answers|outputs|solutions|numbers|values|points|reals|doubles|floats) are (?:\w+ ){0,2}(?:equal|equivalent|identical|the same)",
        "Two answers are considered equal if they differ by less than 0.01.",
    ),
    (
        r"(?:no|without) (?:\w+ )?(?:errors?|tolerance|deviation)|(?:not|never|n't|n’t) (?:be )?(?:sufficient|enough|good enough)|useless|insufficient|too (?:large|big|great|much|inaccurate|imprecise)|(?:will|would|may|might|can|could) (?:\w+ )?(?:\w+ )?(?:fail|be wrong)|wrong answer",
        "An absolute error of 1e-3 is too large for the answer.",
    ),
    (
        r"(?:were|was|been|have|has) (?:computed|calculated|estimated|rounded|given|recorded|had)|(?:jury\w*|judges?|author\w*|our|\w+['’]s) (?:own )?(?:solution|program|code|method|algorithm)(?:['’]s)? (?:\w+ )?(?:has|have|had|gives?|prints?|yields?|computes?|makes?)|yields?|intermediate|before taking",
        "The prices were computed with an error of at most 0.01; print their total.",
    ),
    (
        r"(?:the|an?|every|each|his|her|its|\w+['’]s) (?:\w+ ){0,4}(?:reports|prints|outputs|displays|shows|answers|gives|returns|tells|computes|estimates)",
        "The radar prints each position with an error of at most 0.01 miles.",
    ),
    (
        r"every (?:\w+ )?(?:second|minute|hour|day|week|month|year|time|step)s?|to (?:count|qualify) as (?:legal|valid|an? \w+)",
        "The temperature is checked every hour with an accuracy of 0.01.",
    ),
    (
        r"previous|stop\w*|until|converg\w*|chang\w*|multiples of",
        "Stop when the result is accurate to 0.01.",
    ),
    (
        r"(?:was|were) (?:\w+ )?(?:considered|accepted|judged|counted|graded|marked|deemed)|(?:in|during) (?:the |an? )?(?:qualif\w+|practice|trial|previous|other) \w+",
        "In the qualification round answers with an error of at most 0.01 were accepted.",
    ),
    (
        r"assume|even if|will (?:still )?be the same|(?:the )?same (?:outputs?|numbers?|results?|answers?)|avoid\w*|chosen so",
        "You may assume that the rounded result is the same even if the length has a relative error of 0.001.",
    ),
    (
        r"(?:not|never) (?:be )?(?:accepted|correct)|and (?:is|are) wrong|failed|points? (?:for|of the|out of)|(?:receive|gets?|get|score|earns?|for|worth) (?:\w+ ){0,3}points?|(?:an?|every|any|each|other|some) (?:\w+ )?solutions? (?:has|have|with|that|whose)|solutions whose",
        "A greedy solution has a relative error of at most 0.01 and gets half of the points.",
    ),
    (
        r"(?:print|output|find|report|return|write|display)\w* (?:\w+ ){0,2}the (?:\w+ )?(?:answers?|results?|outputs?|readings?) (?:that|among|closest|nearest)",
        "Print the first answer that would be accepted with an absolute error of 0.01.",
    ),
    (
        r"(?:small|tiny|similar|equal|same|alike|near|close)\b[^,;()]{0,40} \((?:\w+ )?(?:absolute|relative) error",
        "Print how many pairs have a small difference (absolute error at most 0.001).",
    ),
    (
        r"(?:that|which|they) (?:\w+ )?(?:differ|deviate)",
        "Output the mean of the lengths, in which lengths that differ by at most 0.001 count once.",
    ),
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [
            &SLACK,
            &PASSES,
            &ERROR_PASSES,
            &BOUNDED,
            &BOUNDED_BY_NAME,
            &ANSWER,
            &TRUTH,
            &OTHER_SLACK,
            &HAS_ERROR,
            &HAS_TO,
            &JUDGE,
            &REFUSED,
            &BEYOND,
        ] {
            concept.assert_examples();
        }
    }
}
