//! How far off a real may be, as a sentence says.

use std::sync::LazyLock;

use regex::Regex;

use super::plain::pattern;
use super::words::{ANSWER, OTHER_SLACK, PASSES, SLACK, TRUTH};
use crate::compare::number::Tolerance;
use crate::problem::FloatTolerance;

/// `10^-6`, and `10-6` where a superscript was lost.
static POWER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:\b(\d(?:\.\d+)?) ?\* ?)?\b10 ?(?:\^ ?)?\(? ?- ?(\d{1,2})\b"));
/// `1e-6`, `2.5e-6`.
static SCIENTIFIC: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(\d(?:\.\d+)?)e-(\d{1,2})\b"));
/// `0.001`.
static DECIMAL: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b0\.0\d*[1-9]\b"));

/// The tolerance that a sentence states.
pub(super) fn tolerance(sentence: &str) -> Option<Tolerance> {
    // Of the answer: a bid may be accepted too, and a sensor may err.
    let is_said = SLACK.is_in(sentence) && (PASSES.is_in(sentence) || ANSWER.is_in(sentence));
    if !is_said || OTHER_SLACK.is_in(sentence) || is_near_another(sentence) {
        return None;
    }
    let bound = bounds(sentence).reduce(f64::min)?;
    let lower = sentence.to_lowercase();
    let (relative, absolute) = (lower.contains("relative"), lower.contains("absolute"));
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

/// Whether a sentence speaks of what is within so much of something that is no answer.
fn is_near_another(sentence: &str) -> bool {
    static WITHIN_OF: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"\bwithin\b(.{0,60}) of (?:the|an?|its)\b(.{0,30})"));
    let found = WITHIN_OF.captures(sentence);
    found.is_some_and(|found| !TRUTH.is_in(&found[1]) && !TRUTH.is_in(&found[2]))
}

/// Small numbers that a sentence names, at most a hundredth.
fn bounds(sentence: &str) -> impl Iterator<Item = f64> + '_ {
    let power = POWER.captures_iter(sentence).filter_map(|found| {
        let factor = found.get(1).map_or("1", |factor| factor.as_str());
        format!("{factor}e-{}", &found[2]).parse().ok()
    });
    let scientific = SCIENTIFIC
        .find_iter(sentence)
        .filter_map(|found| found.as_str().parse().ok());
    let decimal = DECIMAL.find_iter(sentence).filter_map(|found| {
        let bound: f64 = found.as_str().parse().ok()?;
        let is_percent = sentence[found.end()..].trim_start().starts_with('%');
        Some(if is_percent { bound / 100.0 } else { bound })
    });
    power
        .chain(scientific)
        .chain(decimal)
        .filter(|bound| (1e-18..=0.01).contains(bound))
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
