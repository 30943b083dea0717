//! Which strategies a profile admits for one problem, and on what evidence.

use std::sync::Arc;

use super::evidence::{self, Evidence, LineEvidence, Phrases, Share};
use super::number::Tolerance;
use super::rules::{
    Blanks, Forbidden, GapsKept, Layout, Literals, Order, Rounding, Rules, SetIn, Tolerated,
    Writing,
};
use super::strategy::{Profile, Strategy};
use super::word_case::Case;
use crate::problem::Declared;

/// Whether a strategy is admitted, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admission {
    /// The strategy.
    pub strategy: Strategy,
    /// Whether the profile admits it for the problem.
    pub admitted: bool,
    /// Why, or why not: a lowercase fragment.
    pub reason: String,
}

/// What the evidence comes to.
#[derive(Debug, Clone)]
pub(super) struct Admitted {
    pub(super) rules: Rules,
    /// The rules of what has no tolerance, where the statement gives one to some of what is printed.
    pub(super) others: Option<Box<Rules>>,
    /// Which things have it, if it is known.
    pub(super) share: Option<Box<Share>>,
    pub(super) table: Vec<Admission>,
}

/// What `standard` admits on the evidence.
pub(super) fn standard(evidence: Evidence<'_>) -> Admitted {
    let mut phrases = evidence.statement.map(evidence::heard).unwrap_or_default();
    let rules = rules(evidence, &phrases);
    let table = table(&rules, evidence, &phrases);
    let is_declared = evidence.declared.float.is_some();
    let share = phrases.share.take().filter(|_| !is_declared);
    let share = share.map(|share| Share {
        repeats: share.repeats || phrases.many_tests,
        ..share
    });
    let share = share.map(Box::new);
    let has_others = !is_declared && (share.is_some() || phrases.tolerance_of_one);
    let others = has_others.then(|| {
        phrases.tolerance = None;
        Box::new(self::rules(evidence, &phrases))
    });
    Admitted {
        rules,
        others,
        share,
        table,
    }
}

fn rules(evidence: Evidence<'_>, phrases: &Phrases) -> Rules {
    Rules {
        tolerance: tolerance(evidence, phrases),
        tolerated: tolerated(evidence, phrases),
        some: None,
        writing: writing(evidence, phrases),
        rounding: rounding(evidence, phrases),
        case: case(evidence, phrases),
        order: order(evidence, phrases),
        nodes: phrases.nodes,
        names_infinity: phrases.names_infinity,
        forbidden: Forbidden {
            exponent: phrases.no_exponent,
            negative_zero: phrases.no_negative_zero,
            whole: phrases.point_kept,
        },
        layout: layout(phrases),
        blanks: blanks(evidence, phrases),
        gaps: match (phrases.widths, phrases.gaps) {
            (true, _) => GapsKept::All,
            (false, true) => GapsKept::Words,
            (false, false) => GapsKept::None,
        },
        tabs: phrases.tabs,
        literals: match () {
            () if phrases.literal => Literals::Same,
            () if phrases.json => Literals::Json,
            () if phrases.list_shown => Literals::Spaced,
            () if phrases.headed => Literals::Compact,
            () => Literals::Free,
        },
        lists: evidence.statement.is_none() || phrases.lists && !phrases.empty_shown,
        several: phrases.several,
        whole: phrases.whole,
        indents: match (phrases.indents, phrases.set_in, phrases.no_space_before) {
            (true, ..) | (_, true, true) => SetIn::Count,
            (false, true, false) => SetIn::WhereExpected,
            (false, false, true) => SetIn::WhereNotExpected,
            (false, false, false) => SetIn::Overlooked,
        },
        list_of_one: evidence.declared.in_list_of_one,
    }
}

fn tolerance(evidence: Evidence<'_>, phrases: &Phrases) -> Tolerance {
    let stated = || phrases.tolerance.as_ref().map(|(tolerance, _)| *tolerance);
    let declared = evidence.declared.float.map(Tolerance::Sum);
    declared.or_else(stated).unwrap_or(Tolerance::Unstated)
}

/// Without a statement nothing tells an answer from what stands between two.
fn blanks(evidence: Evidence<'_>, phrases: &Phrases) -> Blanks {
    match phrases.blanks {
        true => Blanks::Count,
        false if evidence.statement.is_none() || phrases.blank_between_tests => Blanks::Overlooked,
        false if phrases.line_of_each => Blanks::ToTheLast,
        false => phrases.named_lines.map_or(Blanks::Between, Blanks::OfNamed),
    }
}

fn tolerated(evidence: Evidence<'_>, phrases: &Phrases) -> Tolerated {
    let is_declared = evidence.declared.float.is_some();
    match (phrases.tolerance_of_one && !is_declared, phrases.parts) {
        (true, true) => Tolerated::One,
        (true, false) if phrases.several => Tolerated::OneOfALine,
        _ if phrases.several && phrases.whole => Tolerated::Reals,
        _ if is_declared => Tolerated::All,
        // What is whole may be something else than what has the tolerance.
        _ if phrases.several || phrases.whole || phrases.parts || !phrases.alone => {
            Tolerated::RealsWithWholes
        }
        _ => Tolerated::All,
    }
}

/// A tolerance asks for reals, however they are written.
fn writing(evidence: Evidence<'_>, phrases: &Phrases) -> Writing {
    match (tolerance(evidence, phrases), phrases.exact_places) {
        (Tolerance::Unstated, _) if phrases.pointed.is_some() => Writing::Same,
        (Tolerance::Unstated, None) if phrases.as_many_places => Writing::AsMany,
        (Tolerance::Unstated, Some(places)) => Writing::Places(places),
        (Tolerance::Unstated, None) if phrases.of_text => Writing::BesideWords,
        (Tolerance::Unstated, None) if evidence.statement.is_some() && !phrases.reals => {
            Writing::Zeros
        }
        _ if phrases.pointed.is_some() && phrases.several => Writing::Zeros,
        _ => Writing::Free,
    }
}

fn rounding(evidence: Evidence<'_>, phrases: &Phrases) -> Rounding {
    let asked_otherwise = [
        &phrases.fixed_places,
        &phrases.pointed,
        &phrases.to_the_digit,
    ];
    let is_free = asked_otherwise.iter().all(|phrase| phrase.is_none());
    match tolerance(evidence, phrases) {
        Tolerance::Unstated if is_free && phrases.asks_for_a_computed_real() => Rounding::Short,
        Tolerance::Unstated if is_free => Rounding::Places,
        _ => Rounding::None,
    }
}

fn case(evidence: Evidence<'_>, phrases: &Phrases) -> Case {
    match (evidence.declared.ignore_case, &phrases.any_case) {
        (true, _) => Case::Ignored,
        (false, Some(_)) if !phrases.case_of_all => Case::YesNo,
        (false, Some(_)) => Case::Answers(Arc::new(phrases.vocabulary.clone())),
        (false, None) => Case::Strict,
    }
}

fn order(evidence: Evidence<'_>, phrases: &Phrases) -> Order {
    let of_several = phrases.many_tests || phrases.each || phrases.within;
    match (
        evidence.declared.any_order,
        &phrases.any_order,
        phrases.free_line,
    ) {
        (true, ..) => Order::Declared,
        (false, None, _) => Order::Kept,
        (false, Some(_), Some(_)) if of_several || phrases.rows || phrases.leads => Order::Kept,
        (false, Some(_), Some(line)) => Order::OnLine(line),
        (false, Some(_), None) => Order::Stated {
            head: phrases.parts,
            leads: phrases.leads,
            many_tests: phrases.many_tests,
            each: phrases.each,
            rows: phrases.rows || phrases.compound,
            own_lines: phrases.own_lines && !phrases.several,
            compound: phrases.compound,
            groups: phrases.groups,
            ordered_groups: phrases.ordered_groups,
            within: phrases.within,
            numbers: phrases.numbers,
            nested: phrases.nested,
            // They may stand within an item of several.
            commas: phrases.commas && !phrases.rows && !phrases.compound,
            count: phrases.count,
            counted: phrases.counts_items,
            alone: phrases.alone,
            bare: phrases.bare,
            line: phrases
                .last_line
                .filter(|_| !of_several && !phrases.rows && !phrases.leads),
        },
    }
}

/// Lines tell the answers of several tests apart, so those keep theirs.
fn layout(phrases: &Phrases) -> Layout {
    match phrases.lines {
        LineEvidence::Free(_) => Layout::Free,
        _ if phrases.many_tests || phrases.lines != LineEvidence::Unmentioned => Layout::Kept,
        _ if phrases.counted => Layout::Counted,
        _ if phrases.parts => Layout::Kept,
        _ if phrases.so_many && phrases.alone => Layout::SoMany,
        _ => Layout::Column,
    }
}

fn table(rules: &Rules, evidence: Evidence<'_>, phrases: &Phrases) -> Vec<Admission> {
    let Declared {
        any_order,
        ignore_case,
        ..
    } = evidence.declared;
    let row = |strategy, admitted, reason: String| Admission {
        strategy,
        admitted,
        reason,
    };
    let always = |strategy, reason: &str| row(strategy, true, reason.to_owned());
    vec![
        always(Strategy::Exact, "always"),
        always(Strategy::Whitespace, "always"),
        row(Strategy::Tokens, true, tokens_reason(rules, phrases)),
        row(Strategy::Numeric, true, numeric_reason(rules, phrases)),
        always(Strategy::Typed, "for literals of the same kind and order"),
        row(
            Strategy::Rounding,
            rules.rounding != Rounding::None,
            rounding_reason(rules, phrases),
        ),
        row(
            Strategy::WordCase,
            rules.case != Case::Strict,
            reason(ignore_case, phrases.any_case.as_ref(), "letter case"),
        ),
        row(
            Strategy::Multiset,
            rules.order != Order::Kept,
            reason(any_order, phrases.any_order.as_ref(), "the order"),
        ),
        row(
            Strategy::Set,
            false,
            "repeated items count; only the paper profile ignores them".to_owned(),
        ),
    ]
}

/// What speaks for overlooking `what`, if anything does.
fn reason(declared: bool, phrase: Option<&String>, what: &str) -> String {
    match (declared, phrase) {
        (true, _) => "the problem declares it".to_owned(),
        (false, Some(phrase)) => said(phrase),
        (false, None) => format!("nothing says that {what} does not matter"),
    }
}

fn said(phrase: &str) -> String {
    format!("the statement says {phrase:?}")
}

fn tokens_reason(rules: &Rules, phrases: &Phrases) -> String {
    match (rules.layout, &phrases.lines) {
        (Layout::Free, LineEvidence::Free(phrase)) => said(phrase),
        (Layout::Column | Layout::SoMany | Layout::Counted, _) => {
            "where spacing carries no meaning; numbers may be on other lines, as the statement mentions none"
                .to_owned()
        }
        _ => "where the spacing between tokens carries no meaning".to_owned(),
    }
}

fn rounding_reason(rules: &Rules, phrases: &Phrases) -> String {
    let tolerance = phrases.tolerance.as_ref().map(|(_, phrase)| phrase);
    let fixed = phrases.fixed_places.as_ref().or(phrases.pointed.as_ref());
    let digits = fixed.or(phrases.to_the_digit.as_ref());
    match (rules.rounding, digits.or(tolerance)) {
        (Rounding::Short, _) => {
            "where a real is expected with six or more decimal places, or in six significant digits"
                .to_owned()
        }
        (Rounding::Places | Rounding::Digits, _) => {
            "where a real is expected with six or more decimal places".to_owned()
        }
        (Rounding::None, Some(phrase)) => said(phrase),
        (Rounding::None, None) => "the problem declares a tolerance".to_owned(),
    }
}

fn numeric_reason(rules: &Rules, phrases: &Phrases) -> String {
    let asks_otherwise = phrases.pointed.as_ref().or(phrases.fixed_places.as_ref());
    match (rules.tolerance, &phrases.tolerance) {
        (Tolerance::Unstated, _) => {
            let written = match rules.writing {
                Writing::Free => String::new(),
                Writing::Zeros | Writing::BesideWords => {
                    "; as the statement speaks of nothing real, a zero at the end of one stays"
                        .to_owned()
                }
                _ => format!(
                    ", but written as {}",
                    asks_otherwise.map_or_else(|| "expected".to_owned(), |phrase| said(phrase))
                ),
            };
            format!("for real-valued tokens, within 1e-9{written}")
        }
        (Tolerance::Either(_), Some((_, phrase))) => said(phrase),
        (Tolerance::Sum(float) | Tolerance::Either(float), _) => {
            format!(
                "the problem declares abs {:e}, rel {:e}",
                float.abs, float.rel
            )
        }
    }
}

/// The table of a profile that needs no evidence.
pub(super) fn always(strategies: &[Strategy], profile: Profile) -> Vec<Admission> {
    let name = profile.name();
    let row = |strategy: &Strategy| Admission {
        strategy: *strategy,
        admitted: true,
        reason: format!("always in {name}"),
    };
    strategies.iter().map(row).collect()
}
