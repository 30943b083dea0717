//! How far off a real may be, as a sentence says.

use std::sync::LazyLock;

use regex::{Match, Regex};

use super::bearer::names_what_is_asked;
use super::concept::Concept;
use super::error_words::{
    ANSWER, BEYOND, BOUNDED, BOUNDED_BY_NAME, ERROR_PASSES, HAS_ERROR, HAS_TO, JUDGE, OTHER_SLACK,
    PASSES, REFUSED, SLACK, TRUTH,
};
use super::free_order::Asked;
use super::plain::pattern;
use crate::compare::number::Tolerance;
use crate::problem::FloatTolerance;

/// `10^-6`, and `10-6` where a superscript was lost.
static POWER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:\b(\d(?:\.\d+)?) ?\* ?)?\b10 ?(?:\^ ?)?[({]? ?- ?(\d{1,2})\b"));
/// `1e-6`, `2.5e-6`.
static SCIENTIFIC: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(\d(?:\.\d+)?)e-(\d{1,2})\b"));
/// `0.001`, `0.5`.
static DECIMAL: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b0\.\d*[1-9]\b"));
/// `1%`, of an error.
static PERCENT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(\d+(?:\.\d+)?) ?(?:%|percent\b|per cent\b)"));
/// What a number is that stands before it.
static IN_PERCENT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[)}]? ?(?:%|percent\b|per cent\b)"));

/// The largest bound of an error without a name: what is larger may be another number.
const LARGEST: f64 = 0.01;
/// The largest of one that is called absolute or relative.
const LARGEST_NAMED: f64 = 0.5;

/// What a bound follows: words of an error, and how far it may go.
static BEFORE_BOUND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:\b(?:errors?|toleran\w+|precision|precise|accura\w+|deviat\w+|differ\w*|margin|eps\w*|off|correct|within)\b|[a-z] ?- ?[a-z])[^;]{0,60}$",
    )
});
/// Or what follows: `at most 1e-6 absolute or relative error`.
static BEHIND_BOUND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^[)}$]* (?:absolute|relative)(?: (?:or|and) (?:absolute|relative))? error\b")
});
/// A unit, of what is no answer, or what makes another number of a bound.
static UNIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^ ?(?:s|ms|seconds?|minutes?|hours?|days?|dollars?|euros?|cents?|kg|grams?|times|levels?|mm|millimet(?:er|re)s?|ppm|ppb|per ?mille?|millionths?|thousandths?|hundredths?|ulps?|squared|cubed|percent of the (?:time|cases))\b|^[)}]? ?squared|^ ?(?:‰|[/·×] ?\w)",
    )
});
/// What points at the answer, or speaks of nothing but the error.
static POINTS_AT_IT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:it|its|this|they|these|you|any|an?|the|absolute|relative|each|every|all|both)?\b ?(?:(?:absolute|relative|maximum|small|first|second|third|last|other) )*(?:error|deviation|difference|tolerance|precision|accuracy|is|are|will|may|must|should|value|number)s?\b|\b(?:it|they|these|you|this)\b",
    )
});
/// Errors of an answer by their names.
static NAMED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:absolute|relative)\b"));

/// The same of what comes right before a bound.
static NAMED_ERROR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b(?:absolute|relative)(?: (?:or|and) (?:absolute|relative))? errors?\b[^;\d]{0,40}$")
});

/// `The absolute error should be at most`, `errors of up to 1e-6 are fine`: a bound for whoever answers.
static BOUNDED_ERROR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:the |its |your |any |an? )?(?:maximum |maximal |allowed )?(?:absolute|relative)(?: (?:or|and) (?:absolute|relative))? errors? (?:of (?:the|your) (?:answer|output|result|number)s? )?(?:should|must|may|can|has to|shall)\b|^\W*(?:an? |any )?(?:absolute |relative |or )*errors? (?:of )?(?:up to|at most|below|under|less than|smaller than|not exceeding)\b[^;]{1,30} (?:is|are|will be) (?:ok|okay|fine|allowed|accepted|acceptable|tolerated|permitted|ignored|all right)\b",
    )
});

/// The tolerance that a sentence states.
///
/// Of the answer: a bid may be accepted too, and a sensor may err. So a sentence says that the answer passes, or names the
/// kind of error, or has the answer before the bound. Behind one that asks for output, less is enough, and the answer may go
/// by the name under which any sentence before has asked for it.
pub(super) fn tolerance(sentence: &str, asked: &Asked<'_>) -> Option<Tolerance> {
    let is_refused = REFUSED.is_in(sentence) && !BEYOND.is_in(sentence);
    if !SLACK.is_in(sentence)
        || is_refused
        || OTHER_SLACK.is_in(sentence)
        || is_near_another(sentence)
        || is_accepted_by_another(sentence)
        || says_what_is_called_so(sentence)
        || is_of_one_of_several(sentence, asked)
        || is_a_fact(sentence)
    {
        return None;
    }
    let bounds: Vec<Bound> = bounds(sentence)
        .filter(|bound| bound.is_of_error(sentence))
        .collect();
    let is_of_answer = ANSWER.is_in(sentence);
    if let Some(bound) = digits_at_least(sentence) {
        let (abs, rel) = (bound, 0.0);
        return Some(Tolerance::Either(FloatTolerance { abs, rel }));
    }
    let first = bounds.iter().map(|bound| bound.start).min()?;
    let points_at_it = POINTS_AT_IT.is_match(sentence);
    let passes = BOUNDED_ERROR.is_match(sentence)
        || PASSES.is_in(sentence) && (is_of_answer || points_at_it)
        || NAMED.is_match(sentence) && is_of_answer
        || is_bounded(sentence)
            && !is_from_another(sentence)
            && names_what_is_asked(sentence, asked)
        || asked.right_before().is_some()
            && (ERROR_PASSES.is_in(sentence) && !is_from_another(sentence)
                || points_at_it && BOUNDED.is_in(sentence));
    if !passes && !ANSWER.is_in(&sentence[..first]) {
        return None;
    }
    let bound = bounds.iter().map(|bound| bound.value).reduce(f64::min)?;
    let lower = sentence.to_lowercase();
    let is_named = |kind: &str| {
        lower.contains(kind)
            && !lower.contains(&format!("no {kind}"))
            && !lower.contains(&format!("not {kind}"))
    };
    let (relative, absolute) = (is_named("relative"), is_named("absolute"));
    let scaled = relative && absolute || lower.replace(' ', "").contains("max(1");
    let both = relative && absolute && !lower.contains(" or ") && lower.contains(" and ");
    let (abs, rel) = match (scaled, relative) {
        // Both errors bounded at once: the absolute bound is the only one that a single number can stand for.
        _ if both => {
            return Some(Tolerance::Either(FloatTolerance {
                abs: 0.0,
                rel: bound.min(1e-9),
            }));
        }
        (true, _) => (bound, bound),
        (false, true) => (0.0, bound),
        (false, false) => (bound, 0.0),
    };
    Some(Tolerance::Either(FloatTolerance { abs, rel }))
}

/// Whether a sentence has an error pass, or end somewhere.
fn is_bounded(sentence: &str) -> bool {
    let has_bound = [&PASSES, &ERROR_PASSES, &BOUNDED, &BOUNDED_BY_NAME];
    has_bound.iter().any(|words| words.is_in(sentence)) || NAMED.is_match(sentence)
}

/// `Accurate to at least 6 digits after the decimal point`, as an error.
fn digits_at_least(sentence: &str) -> Option<f64> {
    static DIGITS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\baccura(?:te|cy)\b[^,;]{0,20}\bat least (\d{1,2}) (?:decimal (?:places|digits)|decimals|(?:digits|places) after the (?:decimal )?point)",
        )
    });
    format!("1e-{}", &DIGITS.captures(sentence)?[1])
        .parse()
        .ok()
}

/// Where the first bound of an error stands in a sentence.
pub(super) fn bound_in(sentence: &str) -> Option<usize> {
    let bounds = bounds(sentence).filter(|bound| bound.is_of_error(sentence));
    bounds.map(|bound| bound.start).min()
}

/// Whether a sentence only says that something has an error: `the scale's output has an error of at most 0.01`.
fn is_a_fact(sentence: &str) -> bool {
    let is_judged = PASSES.is_in(sentence) || REFUSED.is_in(sentence);
    let before = HAS_ERROR.place_in(sentence).map(|at| &sentence[..at]);
    !is_judged && before.is_some_and(|before| !HAS_TO.is_in(before))
}

/// Whether a sentence speaks of what is within so much of something that is no answer.
fn is_near_another(sentence: &str) -> bool {
    static WITHIN_OF: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"\bwithin\b(.{0,60}) of (?:the|an?|its)\b(.{0,30})"));
    let found = WITHIN_OF.captures(sentence);
    found.is_some_and(|found| !TRUTH.is_in(&found[1]) && !TRUTH.is_in(&found[2]))
}

/// Whether it is somebody of the story who accepts or compares.
fn is_accepted_by_another(sentence: &str) -> bool {
    static BY: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:accepted|rejected|tolerated|permitted|allowed|ignored|compared|checked|tested|verified|inspected|correct|right) by (?:(?:the|our|an?|his|her|its|their|each|every|any) )*(?:(?:automatic|online|special|custom|output) )*(\w+)|\bfor (?:the|an?|each|every) (?:\w+ )?(\w+) to be (?:accepted|valid|allowed)\b",
        )
    });
    let found = BY.captures(sentence);
    let who = found.and_then(|found| found.get(1).or(found.get(2)));
    who.is_some_and(|who| !JUDGE.is_in(who.as_str()))
}

/// `A guess is accepted if it is within 0.01`, where no guess is asked for; `each coordinate is`, where these are, is of the answer.
fn is_of_one_of_several(sentence: &str, asked: &Asked<'_>) -> bool {
    static ONE_IS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^\W*(an?|each|every) (?:\w+ ){0,2}?(\w+) (?:(?:is|are|will be|would be|counts as|passes) (?:\w+ )?(?:accepted|correct|right|valid|if|when)\b|within\b)",
        )
    });
    static OF_OTHERS: Concept = Concept::new(&[(
        r"contestants?|participants?|submissions?|accepted",
        "Print how many contestants have an answer that was accepted.",
    )]);
    let Some(found) = ONE_IS.captures(sentence) else {
        return !sentence.to_lowercase().contains("your") && OF_OTHERS.is_in(asked.last);
    };
    // `Each must be within`: whatever is asked for.
    let points_back = found[2].eq_ignore_ascii_case("be");
    let is_answer = points_back || ANSWER.is_in(&found[2]);
    let is_any = found[1].to_lowercase().starts_with('a');
    let is_printed = ["value", "number", "real", "line"].contains(&&*found[2].to_lowercase());
    match is_answer {
        true => OF_OTHERS.is_in(asked.last),
        false => is_any || !is_printed && !names_what_is_asked(sentence, asked),
    }
}

/// `A speed is legal if it is within 0.01 of the limit`.
fn says_what_is_called_so(sentence: &str) -> bool {
    static IS_SO_IF: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^\W*((?:an?|each|every|the|such an?) (?:\w+ ){1,3}?)is (?:(?:called|said to be|considered|deemed|counted as) )?(?:an? )?(\w+) (?:if|when|whenever|as long as|provided)\b",
        )
    });
    static PASSED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"^(?:correct|right|accepted|acceptable|ok|okay|fine|accurate|precise|exact)$")
    });
    let found = IS_SO_IF.captures(sentence);
    found.is_some_and(|found| !ANSWER.is_in(&found[1]) && !PASSED.is_match(&found[2]))
}

/// Whether a sentence speaks of what is so far from something that is no answer.
fn is_from_another(sentence: &str) -> bool {
    static FROM: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"\bfrom (?:the|an?|its|their)\b(.{0,30})"));
    let found = FROM.captures(sentence);
    found.is_some_and(|found| !TRUTH.is_in(&found[1]))
}

/// A small number that a sentence names, and where.
struct Bound {
    value: f64,
    start: usize,
    end: usize,
}

impl Bound {
    fn is_of_error(&self, sentence: &str) -> bool {
        (BEFORE_BOUND.is_match(&sentence[..self.start])
            || BEHIND_BOUND.is_match(&sentence[self.end..]))
            && !UNIT.is_match(&sentence[self.end..])
    }
}

/// Small numbers that a sentence names: at most a hundredth, unless they follow an error by its name.
fn bounds(sentence: &str) -> impl Iterator<Item = Bound> + '_ {
    let found = move |place: Match<'_>, value: f64| Bound {
        value: value * share_of(&sentence[place.end()..]),
        start: place.start(),
        end: place.end(),
    };
    let power = POWER.captures_iter(sentence).filter_map(move |parts| {
        let factor = parts.get(1).map_or("1", |factor| factor.as_str());
        let value = format!("{factor}e-{}", &parts[2]).parse().ok()?;
        Some(found(parts.get_match(), value))
    });
    let numbers = SCIENTIFIC
        .find_iter(sentence)
        .chain(DECIMAL.find_iter(sentence));
    let numbers = numbers.filter_map(move |place| Some(found(place, place.as_str().parse().ok()?)));
    let percent = PERCENT.captures_iter(sentence).filter_map(move |parts| {
        let number = parts.get(1)?;
        Some(found(number, number.as_str().parse().ok()?))
    });
    power.chain(numbers).chain(percent).filter(|bound| {
        let is_named = NAMED_ERROR.is_match(&sentence[..bound.start]);
        let largest = if is_named { LARGEST_NAMED } else { LARGEST };
        (1e-18..=largest).contains(&bound.value)
    })
}

/// What a number stands for, by what follows it.
fn share_of(behind: &str) -> f64 {
    match IN_PERCENT.is_match(behind) {
        true => 0.01,
        false => 1.0,
    }
}

/// Of two sentences about the tolerance the smaller bounds hold; a bound that only one of them gives is kept.
pub(super) fn tightest(left: Tolerance, right: Tolerance) -> Tolerance {
    let (Tolerance::Either(left), Tolerance::Either(right)) = (left, right) else {
        return left;
    };
    let smaller = |left: f64, right: f64| match (left > 0.0, right > 0.0) {
        (true, true) => left.min(right),
        _ => left.max(right),
    };
    Tolerance::Either(FloatTolerance {
        abs: smaller(left.abs, right.abs),
        rel: smaller(left.rel, right.rel),
    })
}
