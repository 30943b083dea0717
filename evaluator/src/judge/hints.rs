//! What the text of a problem says about how its tests use the candidate.

use std::sync::LazyLock;

use regex::Regex;

use crate::harness::{CallOptions, Options};
use crate::{Problem, TestCase, Value};

/// `class Bag`.
static CLASS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bclass\s+`?([A-Za-z_]\w*)"));
/// `a Bag class`.
static NAMED_CLASS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b([A-Z]\w*)`?\s+class\b"));
static IN_PLACE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\bin[- ]place\b(?: of\b)?|\bmodif(?:y|ies) the (?:input|given|original)\b|\bnot be returned by the function, but (?:instead )?(?:be )?stored (?:inside|in)\b",
    )
});
/// That arguments are to stay as they are.
static UNTOUCHED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:not|n't|n’t|never) (?:be )?(?:[a-z]+ed )?(?:modif[a-z]+|chang[a-z]+|alter[a-z]*|mutat[a-z]+|in[- ]place)|without (?:modif[a-z]+|chang[a-z]+|alter[a-z]+|mutat[a-z]+)|rather than in[- ]place",
    )
});

/// That a function gives nothing back.
static NO_RESULT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:not|n't|n’t|never|without|instead of|rather than) (?:be |to )?return|\breturns? (?:nothing|none|void)\b|-> none\b",
    )
});
/// That it gives nothing back, whatever else is said of results.
static VOID: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:not|n't|n’t|never|without) (?:to )?return(?:ing)? (?:anything|any ?thing|a value|any value|a result|any result)\b|\breturns? (?:nothing|none|void)\b|-> none\b|\bvoid function\b|\breturn type (?:is |of )?(?:void|none)\b",
    )
});
static RESULT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\breturn"));

/// Whether what a text wants changed is the answer: not where it asks for something to be returned.
fn wants_no_result(text: &str) -> bool {
    NO_RESULT.is_match(text) || !RESULT.is_match(text)
}

/// Whether a text wants arguments changed, or the first of them at least.
fn wants_change(text: &str) -> bool {
    let is_meant = |found: regex::Match<'_>| !found.as_str().to_lowercase().ends_with(" of");
    IN_PLACE.find_iter(text).any(is_meant) && !UNTOUCHED.is_match(text)
}

/// Whether the first argument can become what is expected: both are lists, or both dicts. Where a number is expected, such as how
/// many items are left, that is what the function gives back, though it changes a list.
fn may_be_changed_into_expected(case: &TestCase<Vec<Value>, Value>) -> bool {
    matches!(
        (case.input.first(), &case.expected),
        (Some(Value::List(_)), Value::List(_)) | (Some(Value::Dict(_)), Value::Dict(_))
    )
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a valid pattern")
}

static LINKED_LIST: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\bListNode\b|\blinked[ -]lists?\b"));
static TREE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\bTreeNode\b|\bbinary[ -](?:search[ -])?trees?\b"));

/// Bytes of a text that are looked through for every submission.
const MOST_READ: usize = 64 << 10;

/// Statement and prompt, as far as there are any and they are read.
fn texts(problem: &Problem) -> impl Iterator<Item = &str> {
    let texts = [&problem.statement, &problem.prompt].into_iter().flatten();
    texts.map(|text| &text[..text.floor_char_boundary(MOST_READ)])
}

/// The classes that a problem names, and whether it wants arguments changed.
pub(super) fn of_test_code(problem: &Problem) -> Options {
    let classes = |form: &'static Regex| {
        let found = texts(problem).flat_map(|text| form.captures_iter(text));
        found.map(|found| format!("{}()", &found[1]))
    };
    Options {
        objects: classes(&CLASS).chain(classes(&NAMED_CLASS)).collect(),
        in_place: problem.in_place || texts(problem).any(wants_change),
        key: format!("{:032x}", rand::random::<u128>()),
        ..Options::default()
    }
}

/// Whether a problem wants its first argument changed, as it expects something of a function that gives nothing back, and
/// what nodes it speaks of.
pub(super) fn of_calls(problem: &Problem, cases: &[TestCase<Vec<Value>, Value>]) -> CallOptions {
    let says = |pattern: &Regex| texts(problem).any(|text| pattern.is_match(text));
    let expects = cases.iter().all(|case| case.expected != Value::None);
    let is_wanted = texts(problem).any(wants_change);
    let told: String = texts(problem).map(|text| format!("{text}\n")).collect();
    let nodes = [("ListNode", &LINKED_LIST), ("TreeNode", &TREE)];
    let nodes = nodes.into_iter().filter(|(_, pattern)| says(pattern));
    let in_place = problem.in_place || expects && is_wanted && wants_no_result(&told);
    let says_so = problem.in_place || VOID.is_match(&told);
    CallOptions {
        in_place,
        is_void: in_place && says_so && cases.iter().all(may_be_changed_into_expected),
        nodes: nodes.map(|(kind, _)| kind).collect(),
    }
}
