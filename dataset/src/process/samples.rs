//! The samples that a statement shows: Python's interactive sessions, LeetCode's `Input:` and `Output:`, and the blocks of programs
//! that read and write text.

use std::sync::LazyLock;

use evaluator::writers::plain_json;
use regex::Regex;

use crate::python::{Assertion, call_in};
use crate::record::{Kind, Record};
use crate::text::squeezed;

/// What a session prints before what it is given.
const PROMPT: &str = ">>> ";

static BLOCKS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ims)^[\W_]*(?:(?:sample|example)\s+)?input[ \t]*\d*[^\w\n]*\n(?<input>.+?)^[\W_]*(?:(?:sample|example)\s+)?output[ \t]*\d*[^\w\n]*\n\s*(?<output>.+?)(?:\n\s*\n|\z|^[\W_]*(?:note|explanation|(?:sample |example )?input|example)\b)",
    )
    .expect("a fixed pattern")
});
static EXAMPLES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?im)^[\W_]*(?:examples?|samples?)\b").expect("a fixed pattern"));
static LEETCODE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^\W*Input:\W*?(?<input>\w+ = .+)\n\W*Output:\s*(?<output>.+)$")
        .expect("a fixed pattern")
});

/// The samples of a statement, in the form of [`crate::pairs`].
pub fn samples(record: &Record) -> Vec<Assertion> {
    let statement = record.statement.as_deref().unwrap_or_default();
    match (record.kind, &record.fn_name) {
        (Kind::Stdin, _) => blocks(statement),
        (_, Some(function)) => {
            let name = function.rsplit('.').next().unwrap_or(function);
            let mut samples = sessions(statement, name);
            samples.extend(leetcode(statement));
            samples
        }
        (_, None) => Vec::new(),
    }
}

/// Whether two outputs may mean the same: equal but for letter case, or numbers close to one another.
pub fn mean_the_same(one: &str, other: &str) -> bool {
    let (one, other): (Vec<&str>, Vec<&str>) = (
        one.split_whitespace().collect(),
        other.split_whitespace().collect(),
    );
    let close = |(one, other): (&&str, &&str)| {
        let near = |a: f64, b: f64| {
            (a - b).abs() <= 1e-4 * b.abs().max(1.0) && (one.contains('.') || other.contains('.'))
        };
        let numbers = one.parse().ok().zip(other.parse().ok());
        one.eq_ignore_ascii_case(other) || numbers.is_some_and(|(a, b)| near(a, b))
    };
    one.len() == other.len() && one.iter().zip(&other).all(close)
}

fn blocks(statement: &str) -> Vec<Assertion> {
    let Some(start) = EXAMPLES.find(statement) else {
        return Vec::new();
    };
    let found = BLOCKS.captures_iter(&statement[start.start()..]);
    let squeezed = |text: &str| squeezed(&text.replace("```", ""));
    found
        .map(|sample| Assertion {
            input: squeezed(&sample["input"]),
            output: squeezed(&sample["output"]),
        })
        .collect()
}

/// `>>> f(1)` with the line below.
fn sessions(statement: &str, name: &str) -> Vec<Assertion> {
    let lines: Vec<&str> = statement.lines().map(str::trim).collect();
    let pairs = lines.windows(2).filter_map(|two| {
        let call = two[0].strip_prefix(PROMPT)?;
        let input = call_in(call, name)?;
        let shown = two[1]
            .trim_end_matches("\"\"\"")
            .trim_end_matches("'''")
            .trim();
        Some(Assertion {
            input,
            output: literal(shown)?,
        })
    });
    pairs.collect()
}

/// `Input: nums = [1,2], target = 3` with `Output: 4` below.
fn leetcode(statement: &str) -> Vec<Assertion> {
    let found = LEETCODE.captures_iter(statement);
    let pairs = found.filter_map(|sample| {
        let call = format!("f({})", sample["input"].trim_end_matches(['*', ' ']));
        Some(Assertion {
            input: call_in(&call, "f")?,
            output: literal(sample["output"].trim())?,
        })
    });
    pairs.collect()
}

fn literal(text: &str) -> Option<String> {
    let value = evaluator::literal::parse(text).ok()?;
    plain_json(&value).ok()
}
