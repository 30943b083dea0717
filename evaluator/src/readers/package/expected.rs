//! What a package expects of a submission: by its folder, by a line in its source, or by `submissions.yaml`.

use super::globs::matches;
use super::yaml::{number, words};
use crate::SourceFile;
use crate::readers::node::{Fault, Node};
use crate::verdict::Decision;

/// Tags before what a source says of itself, as DOMjudge reads them.
const RESULTS: &str = "@EXPECTED_RESULTS@:";
const SCORE: &str = "@EXPECTED_SCORE@:";

/// The file of a folder that says the same.
const RESULT_FILE: &str = "expected_result.txt";

/// What crashed, or may be told as a crash: not every judge tells these apart.
const CRASHED: [Decision; 3] = [
    Decision::RuntimeError,
    Decision::MemoryLimit,
    Decision::OutputLimit,
];

const FAILED: [Decision; 5] = [
    Decision::WrongAnswer,
    Decision::TimeLimit,
    Decision::RuntimeError,
    Decision::MemoryLimit,
    Decision::OutputLimit,
];

/// What is expected of a submission.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expected {
    /// The decisions that are permitted; none where nothing is known.
    pub decisions: Vec<Decision>,
    /// The least and the most that it may score.
    pub score: Option<(f64, f64)>,
}

/// By the folder of the submission, in any format's name for it; nothing for other folders.
pub(super) fn of_folder(folder: &str, max_score: Option<f64>) -> Expected {
    let decisions: &[Decision] = match folder {
        "accepted" | "partially_accepted" => &[Decision::Accepted],
        "slow_accepted" => &[Decision::Accepted, Decision::TimeLimit],
        "wrong_answer" | "no_output" => &[Decision::WrongAnswer],
        // A program that prints without end may be stopped for either.
        "time_limit_exceeded" | "timelimit" | "timeout" => {
            &[Decision::TimeLimit, Decision::OutputLimit]
        }
        "run_time_error" | "runtime_error" | "run_error" | "run-error" => &CRASHED,
        "memory_limit" | "memory_limit_exceeded" => {
            &[Decision::MemoryLimit, Decision::RuntimeError]
        }
        "output_limit" | "output_limit_exceeded" => {
            &[Decision::OutputLimit, Decision::RuntimeError]
        }
        "compile_error" | "compiler_error" => &[Decision::CompileError],
        "rejected" => &FAILED,
        "brute_force" => &[
            Decision::TimeLimit,
            Decision::RuntimeError,
            Decision::MemoryLimit,
            Decision::OutputLimit,
        ],
        _ => &[],
    };
    let is_partial = folder == "partially_accepted";
    Expected {
        decisions: decisions.to_vec(),
        score: max_score
            .filter(|_| is_partial)
            .map(|most| (f64::NEG_INFINITY, most.next_down())),
    }
}

/// With what the sources say of themselves, which beats the folder.
pub(super) fn of_sources(mut expected: Expected, files: &[SourceFile]) -> Expected {
    for file in files {
        let text = String::from_utf8_lossy(&file.content);
        let tagged = |tag: &str| {
            text.lines()
                .find_map(|line| Some(line.split_once(tag)?.1.trim().to_owned()))
        };
        let results =
            tagged(RESULTS).or_else(|| (file.name == RESULT_FILE).then(|| text.trim().to_owned()));
        let decisions: Vec<Decision> = results
            .iter()
            .flat_map(|it| it.split(','))
            .flat_map(named)
            .collect();
        if !decisions.is_empty() {
            expected.decisions = decisions;
        }
        if let Some(score) = tagged(SCORE).and_then(|score| score.parse().ok()) {
            expected.score = Some((score, score));
        }
    }
    expected
}

/// The decisions that a word stands for.
fn named(word: &str) -> Vec<Decision> {
    let end = |c: char| !(c.is_ascii_alphabetic() || matches!(c, '-' | '_'));
    let word = word.trim().split(end).next().unwrap_or_default();
    match word.to_ascii_uppercase().replace('_', "-").as_str() {
        "ACCEPTED" | "CORRECT" | "AC" => vec![Decision::Accepted],
        "WRONG-ANSWER" | "NO-OUTPUT" | "WA" => vec![Decision::WrongAnswer],
        "TIME-LIMIT-EXCEEDED" | "TIMELIMIT" | "TLE" => vec![Decision::TimeLimit],
        "RUN-TIME-ERROR" | "RUN-ERROR" | "RTE" => CRASHED.to_vec(),
        "MEMORY-LIMIT" | "MEMORY-LIMIT-EXCEEDED" | "MLE" => {
            vec![Decision::MemoryLimit, Decision::RuntimeError]
        }
        "OUTPUT-LIMIT" | "OUTPUT-LIMIT-EXCEEDED" | "OLE" => vec![Decision::OutputLimit],
        "COMPILER-ERROR" | "COMPILE-ERROR" | "CE" => vec![Decision::CompileError],
        _ => Vec::new(),
    }
}

/// With what `submissions.yaml` says. A rule for the submission's folder takes the place of the folder's own.
pub(super) fn of_rules(
    expected: Expected,
    path: &str,
    rules: &Node<'_>,
) -> Result<Expected, Fault> {
    let folder = path.split('/').next().unwrap_or_default();
    let mut expected = expected;
    let mut permitted: Option<Vec<Decision>> = None;
    let mut may_pass = true;
    for pattern in rules.names().filter(|pattern| matches(pattern, path)) {
        let Some(rule) = rules.find(pattern) else {
            continue;
        };
        let required = rule.read("required", decisions)?;
        let allowed = rule.read("permitted", decisions)?;
        if pattern == folder && (required.is_some() || allowed.is_some()) {
            expected.decisions = Vec::new();
        }
        if required.is_some_and(|it| !it.contains(&Decision::Accepted)) {
            may_pass = false;
            permitted.get_or_insert_with(|| [&[Decision::Accepted][..], &FAILED].concat());
        }
        if let Some(allowed) = allowed {
            permitted = Some(match permitted {
                Some(before) => before
                    .into_iter()
                    .filter(|it| allowed.contains(it))
                    .collect(),
                None => allowed,
            });
        }
        expected.score = rule.read("score", score)?.or(expected.score);
    }
    if let Some(permitted) = permitted {
        let folder_permits =
            |it: &Decision| expected.decisions.is_empty() || expected.decisions.contains(it);
        let permitted = permitted
            .into_iter()
            .filter(|it| may_pass || *it != Decision::Accepted);
        expected.decisions = permitted.filter(folder_permits).collect();
    }
    Ok(expected)
}

fn decisions(node: &Node<'_>) -> Result<Vec<Decision>, Fault> {
    let mut all = Vec::new();
    for word in words(node)? {
        let known = named(&word);
        if known.is_empty() {
            return Err(node.fault(format!(
                "contains \"{word}\", which is not AC, WA, TLE or RTE"
            )));
        }
        all.extend(known);
    }
    Ok(all)
}

fn score(node: &Node<'_>) -> Result<(f64, f64), Fault> {
    let Ok(bounds) = node.items() else {
        return number(node).map(|score| (score, score));
    };
    match bounds.as_slice() {
        [least, most] => Ok((number(least)?, number(most)?)),
        _ => Err(node.fault("must be a number, or a list of two")),
    }
}
