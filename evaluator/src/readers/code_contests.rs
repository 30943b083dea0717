//! Rows of DeepMind's code_contests and of CodeContests+, whose tests come with a checker that uses testlib; both with right
//! and wrong solutions in several languages.

use super::cases::{self, Hints};
use super::content::Content;
use super::node::{Fault, Node};
use super::quantities;
use crate::Value;
use crate::checker::CheckerStyle;
use crate::languages::Languages;
use crate::problem::{Problem, Submission, TestCase, Tests};
use crate::verdict::Decision;
use crate::{Checker, OwnChecker, SourceFile};

/// The fields of code_contests that hold tests.
const TESTS: [&str; 3] = ["public_tests", "private_tests", "generated_tests"];

/// What the numbers of languages stand for.
const LANGUAGES: [&str; 5] = ["unknown", "python2", "cpp", "python", "java"];

/// What the numbers of sources stand for, from 1.
const SOURCES: [&str; 6] = [
    "codechef",
    "codeforces",
    "hackerearth",
    "codejam",
    "atcoder",
    "aizu",
];

/// What the numbers of difficulties stand for, from 1; those beyond are Codeforces' letters.
const DIFFICULTIES: [&str; 6] = ["easy", "medium", "hard", "harder", "hardest", "external"];

/// No time limit is so many seconds: a number from here on is milliseconds.
const MILLISECONDS: f64 = 100.0;

/// Whether a row is of code_contests.
pub(super) fn is_row(row: &Node<'_>) -> bool {
    TESTS.iter().any(|field| row.has(field))
}

/// Read a row of code_contests.
pub(super) fn read(row: &Node<'_>) -> Result<Content, Fault> {
    let id = row.need("name")?.label()?;
    for field in ["input_file", "output_file"] {
        if let Some(name) = row.find(field)
            && !name.text()?.is_empty()
        {
            return Err(name.fault(
                "names a file, but only programs that use standard input and output are judged",
            ));
        }
    }
    Ok(Content {
        submissions: all(row, &id, ["solutions", "incorrect_solutions"])?,
        problem: Some(Problem {
            statement: row.find_text("description")?,
            time_limit: row.read("time_limit", seconds)?.flatten(),
            memory_limit: row.read("memory_limit_bytes", mebibytes)?.flatten(),
            platform: row.read("source", |node| named(node, &SOURCES))?.flatten(),
            difficulty: difficulty(row)?,
            ..Problem::new(id, Tests::Stdin(tests(row)?))
        }),
        ..Content::default()
    })
}

/// Read a row of CodeContests+.
pub(super) fn plus(row: &Node<'_>) -> Result<Content, Fault> {
    let id = row.need("id")?.label()?;
    let listed = row.need("test_cases")?;
    let tests = cases::listed(&cases::some_items(&listed)?, &Hints::default())?;
    Ok(Content {
        submissions: all(row, &id, ["correct_submissions", "incorrect_submissions"])?,
        problem: Some(Problem {
            statement: row.find_text("description")?,
            time_limit: row.read("time_limit", seconds)?.flatten(),
            memory_limit: row.read("memory_limit", quantities::mebibytes)?.flatten(),
            platform: row.find_text("source")?,
            checker: row.read("checker", checker)?.flatten(),
            ..Problem::new(id, tests)
        }),
        ..Content::default()
    })
}

/// Called with input, output and answer, as testlib has it.
fn checker(node: &Node<'_>) -> Result<Option<Checker>, Fault> {
    let source = node.text()?;
    if source.trim().is_empty() {
        return Ok(None);
    }
    let file = SourceFile::new("checker", source.as_bytes());
    let own = OwnChecker::new(CheckerStyle::Testlib, Some("cpp".to_owned()), vec![file]);
    Ok(Some(Checker::Own(own.into())))
}

fn tests(row: &Node<'_>) -> Result<Vec<TestCase<String, String>>, Fault> {
    let mut all = Vec::new();
    for field in TESTS {
        if let Some(tests) = row.find(field) {
            all.extend(pairs(&tests)?);
        }
    }
    match all.is_empty() {
        true => Err(row.fault("has no tests in any of its fields for them")),
        false => Ok(all),
    }
}

/// `{input: [..], output: [..]}`, or a list of `{input, output}`.
fn pairs(tests: &Node<'_>) -> Result<Vec<TestCase<String, String>>, Fault> {
    let both = match tests.value() {
        Value::Dict(_) => columns(tests, ["input", "output"])?,
        _ => tests
            .items()?
            .iter()
            .map(pair)
            .collect::<Result<Vec<_>, _>>()?,
    };
    both.into_iter().map(case).collect()
}

fn pair<'a>(test: &Node<'a>) -> Result<(Node<'a>, Node<'a>), Fault> {
    Ok((test.need("input")?, test.need("output")?))
}

fn case((input, expected): (Node<'_>, Node<'_>)) -> Result<TestCase<String, String>, Fault> {
    Ok(TestCase {
        input: input.text()?.to_owned(),
        expected: expected.text()?.to_owned(),
    })
}

/// Two lists side by side, item by item.
fn columns<'a>(
    both: &Node<'a>,
    [one, other]: [&str; 2],
) -> Result<Vec<(Node<'a>, Node<'a>)>, Fault> {
    let ones = both.need(one)?.items()?;
    let node = both.need(other)?;
    let others = node.items()?;
    if ones.len() != others.len() {
        let (ones, others) = (ones.len(), others.len());
        return Err(node.fault(format!("has length {others}, but {one} has length {ones}")));
    }
    Ok(ones.into_iter().zip(others).collect())
}

/// The right and the wrong solutions of a row.
fn all(row: &Node<'_>, id: &str, [right, wrong]: [&str; 2]) -> Result<Vec<Submission>, Fault> {
    let fails =
        |decision: &Decision| !matches!(decision, Decision::Accepted | Decision::JudgeFailed);
    let failures = Decision::ALL.iter().copied().filter(fails).collect();
    let mut all = submissions(row, id, right, vec![Decision::Accepted])?;
    all.extend(submissions(row, id, wrong, failures)?);
    Ok(all)
}

fn submissions(
    row: &Node<'_>,
    id: &str,
    field: &str,
    expected: Vec<Decision>,
) -> Result<Vec<Submission>, Fault> {
    let Some(list) = row.find(field) else {
        return Ok(Vec::new());
    };
    let programs = match list.value() {
        Value::Dict(_) => columns(&list, ["language", "solution"])?,
        _ => {
            let items = list.items()?;
            let both = items.iter().map(program);
            both.collect::<Result<Vec<_>, Fault>>()?
        }
    };
    let submission = |(language, code): (Node<'_>, Node<'_>)| {
        Ok(Submission {
            language: self::language(&language)?,
            expected: expected.clone(),
            ..Submission::new("", id, Some(code.text()?.to_owned()))
        })
    };
    programs.into_iter().map(submission).collect()
}

/// Language and program of an item of a list.
fn program<'a>(item: &Node<'a>) -> Result<(Node<'a>, Node<'a>), Fault> {
    let code = match item.find("code") {
        Some(code) => code,
        None => item.need("solution")?,
    };
    Ok((item.need("language")?, code))
}

/// A language by its number or its name; one that is not known here keeps its name.
pub(super) fn language(node: &Node<'_>) -> Result<String, Fault> {
    let name = match node.value() {
        Value::Int(number) => {
            let known = usize::try_from(*number)
                .ok()
                .and_then(|at| LANGUAGES.get(at));
            (*known.ok_or_else(|| node.fault(format!("is {number}, which is no language")))?)
                .to_owned()
        }
        _ => node.filled()?.to_lowercase(),
    };
    let known = Languages::get().named(&name);
    Ok(known.map_or(name, |language| language.name.clone()))
}

/// A name, or the one that a number from 1 stands for; none for other numbers, which mean that it is not known.
fn named(node: &Node<'_>, names: &[&str]) -> Result<Option<String>, Fault> {
    match node.value() {
        Value::Int(number) => {
            let at = usize::try_from(*number)
                .ok()
                .and_then(|at| at.checked_sub(1));
            let name = at.and_then(|at| names.get(at));
            Ok(name.map(|name| (*name).to_owned()))
        }
        _ => node.text().map(|text| Some(text.to_owned())),
    }
}

/// The rating on Codeforces where there is one, or else the source's own word.
fn difficulty(row: &Node<'_>) -> Result<Option<String>, Fault> {
    let rating = row.read("cf_rating", Node::number)?;
    match rating.filter(|rating| *rating > 0.0) {
        Some(rating) => Ok(Some(rating.to_string())),
        None => Ok(row
            .read("difficulty", |node| named(node, &DIFFICULTIES))?
            .flatten()),
    }
}

/// `{seconds, nanos}`, a number of seconds or of milliseconds, or a text with a unit.
fn seconds(node: &Node<'_>) -> Result<Option<f64>, Fault> {
    let seconds = match node.value() {
        Value::Dict(_) => {
            let part = |name| node.read(name, Node::number).map(Option::unwrap_or_default);
            Some(part("seconds")? + part("nanos")? / 1e9)
        }
        Value::Int(0) => None,
        _ => quantities::seconds(node)?,
    };
    Ok(seconds.filter(|seconds| *seconds > 0.0).map(|time| {
        if time >= MILLISECONDS {
            time / 1000.0
        } else {
            time
        }
    }))
}

/// Bytes as whole MiB; 0 means that it is not known.
fn mebibytes(node: &Node<'_>) -> Result<Option<u64>, Fault> {
    let bytes = node.number()?;
    Ok((bytes > 0.0).then(|| (bytes / f64::from(1 << 20)).ceil() as u64))
}
