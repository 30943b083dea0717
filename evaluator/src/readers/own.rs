//! This project's own schema: a problem, a solution, or a solution with its own tests in one line.
//!
//! Fields that the schema does not know are metadata and left alone, but one that looks like a slip of a field that is
//! not there is an error: a test or a limit must not get lost by its spelling.

use std::path::Path;

use crate::Value;

use super::cases;
use super::checker::checker;
use super::content::Content;
use super::misplaced;
use super::node::{Fault, Node};
use super::response::FoundProgram;
use crate::languages::{Language, Languages};
use crate::problem::{
    Declared, FloatTolerance, OneProcess, Prelude, Problem, Submission, TestCase, Tests,
};
use crate::verdict::Decision;

/// The longest time limit, a day, in seconds.
const MAX_SECONDS: f64 = 86_400.0;

/// The largest memory limit, 1 TiB, in MiB.
const MAX_MEBIBYTES: u64 = 1 << 20;

/// Field names of other schemas, with what they are here.
const ALIASES: [(&str, &str); 7] = [
    ("generation", "response"),
    ("output", "response"),
    ("lang", "language"),
    ("test_cases", "tests"),
    ("solution", "code"),
    ("completion", "code"),
    ("timeout", "time_limit"),
];

/// Names that other schemas have for what `problem_id` is here.
const PROBLEM_IDS: [&str; 2] = ["task_id", "question_id"];

/// Read a row of the own schema.
pub(super) fn read(row: &Node<'_>, folder: Option<&Path>) -> Result<Content, Fault> {
    let is_problem = row.has("tests") || row.has("kind");
    let is_solution = row.has("code") || row.has("response") || !is_problem;
    if is_solution {
        spelling(row, &["id", "problem_id", "code", "response", "language"])?;
    }
    if is_problem {
        spelling(row, &PROBLEM_FIELDS)?;
    }
    // A line that holds both may leave out `problem_id`: its `id` then names the problem too.
    let id_field = if is_solution && (!is_problem || row.has("problem_id")) {
        "problem_id"
    } else {
        "id"
    };
    if is_solution && !row.has(id_field) {
        other_problem_id(row)?;
    }
    let problem_id = row.need(id_field)?.label()?;
    Ok(Content {
        problem: is_problem
            .then(|| problem(row, &problem_id, folder))
            .transpose()?,
        submissions: if is_solution {
            vec![submission(row, problem_id)?]
        } else {
            Vec::new()
        },
        ..Content::default()
    })
}

const PROBLEM_FIELDS: [&str; 14] = [
    "id",
    "statement",
    "kind",
    "fn_name",
    "tests",
    "prelude",
    "in_place",
    "one_process",
    "time_limit",
    "memory_limit",
    "platform",
    "difficulty",
    "compare",
    "checker",
];

fn submission(row: &Node<'_>, problem_id: String) -> Result<Submission, Fault> {
    let stated = row.read("language", language)?;
    let plainly = |code| FoundProgram {
        code,
        language: None,
    };
    let answer = match (row.find("code"), row.find("response")) {
        (Some(_), Some(response)) => {
            return Err(response.fault("cannot be combined with \"code\": give one of the two"));
        }
        (None, Some(response)) => FoundProgram::find(response.text()?, stated),
        _ => Some(plainly(row.need("code")?.text()?.to_owned())),
    };
    let id = row.find_label("id")?.unwrap_or_default();
    let mut submission = Submission::new(id, problem_id, None);
    if let Some(stated) = stated {
        submission.language.clone_from(&stated.name);
    }
    submission.answer(answer);
    if let Some(expected) = row.find("expected")
        && let Ok(listed) = expected.items()
    {
        submission.expected = listed.iter().map(decision).collect::<Result<_, _>>()?;
    }
    Ok(submission)
}

/// One of the decisions that the author of a solution permits.
fn decision(node: &Node<'_>) -> Result<Decision, Fault> {
    let name = node.text()?;
    let named = Decision::ALL.iter().find(|one| one.name() == name);
    named
        .copied()
        .ok_or_else(|| node.fault(format!("is \"{name}\", which is no decision")))
}

fn language(node: &Node<'_>) -> Result<&'static Language, Fault> {
    let languages = Languages::get();
    let text = node.text()?;
    languages.named(text).ok_or_else(|| {
        let listed = languages.listed();
        node.fault(format!("is \"{text}\", which is none of these: {listed}"))
    })
}

fn problem(row: &Node<'_>, id: &str, folder: Option<&Path>) -> Result<Problem, Fault> {
    misplaced::in_problem(row)?;
    let tests = tests(row)?;
    let is_of_test_code = matches!(tests, Tests::Assert { .. });
    if let Some(node) = row.find("one_process").filter(|_| !is_of_test_code) {
        return Err(node.fault("belongs in a problem of kind \"assert\": it is of test code"));
    }
    Ok(Problem {
        statement: row.find_text("statement")?,
        prelude: row.read("prelude", prelude)?.unwrap_or_default(),
        in_place: row
            .read("in_place", |node| in_place(node, &tests))?
            .unwrap_or_default(),
        time_limit: row.read("time_limit", seconds)?,
        memory_limit: row.read("memory_limit", mebibytes)?,
        platform: row.find_text("platform")?,
        difficulty: row.find_label("difficulty")?,
        compare: row.read("compare", declared)?.unwrap_or_default(),
        checker: row.read("checker", |node| checker(node, &tests, folder))?,
        ..Problem::new(id, tests)
    })
}

fn tests(row: &Node<'_>) -> Result<Tests, Fault> {
    let kind = row.need("kind")?;
    let name = row.find("fn_name");
    let function = name.as_ref().map(cases::fn_name).transpose()?;
    let listed = || cases::some_items(&row.need("tests")?);
    match (kind.text()?, name) {
        ("stdin", None) => each(&listed()?, stdin).map(Tests::Stdin),
        ("stdin", Some(name)) => {
            Err(name
                .fault("does not belong in a problem of kind \"stdin\", which calls no function"))
        }
        ("call", _) => Ok(Tests::Call {
            function: function.ok_or_else(|| row.missing("fn_name"))?,
            cases: each(&listed()?, call)?,
        }),
        ("assert", _) => {
            let cases = each(&listed()?, |test| {
                test_code(&test.need("code")?).map(str::to_owned)
            })?;
            let setup = row.read("one_process", setup)?.flatten();
            let length = cases.len();
            Ok(Tests::Assert {
                function,
                cases,
                one_process: setup.map(|setup| OneProcess { setup, length }),
            })
        }
        (other, _) => Err(kind.fault(format!(
            "is \"{other}\", but must be \"stdin\", \"call\" or \"assert\""
        ))),
    }
}

fn each<T>(
    tests: &[Node<'_>],
    read: impl Fn(&Node<'_>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let read = |test: &Node<'_>| {
        test.object()?;
        misplaced::in_test(test)?;
        read(test)
    };
    tests.iter().map(read).collect()
}

fn stdin(test: &Node<'_>) -> Result<TestCase<String, String>, Fault> {
    Ok(TestCase {
        input: test.need("input")?.text()?.to_owned(),
        expected: test.need("output")?.text()?.to_owned(),
    })
}

fn call(test: &Node<'_>) -> Result<TestCase<Vec<Value>, Value>, Fault> {
    Ok(TestCase {
        input: cases::arguments(&test.need("input")?)?,
        expected: test.need_value("output")?.clone(),
    })
}

/// HumanEval's test code defines `check` and leaves the call to its harness: without one it would pass everything.
fn test_code<'a>(node: &Node<'a>) -> Result<&'a str, Fault> {
    let code = node.filled()?;
    let defines = |line: &str| line.starts_with("def check(");
    let calls = |line: &str| !defines(line) && line.contains("check(");
    match code.lines().any(defines) && !code.lines().any(calls) {
        true => Err(node.fault("defines check but never calls it; add check(candidate)")),
        false => Ok(code),
    }
}

fn prelude(node: &Node<'_>) -> Result<Prelude, Fault> {
    let text = node.text()?;
    let named = Prelude::named().find(|prelude| prelude.name() == text);
    named.ok_or_else(|| {
        let names = Prelude::named().map(|prelude| format!("\"{}\"", prelude.name()));
        let names: Vec<String> = names.collect();
        node.fault(format!("must be one of {}", names.join(", ")))
    })
}

/// What test code begins with that runs in one process; `None` where it does not.
fn setup(node: &Node<'_>) -> Result<Option<String>, Fault> {
    match node.value() {
        Value::Bool(true) => Ok(Some(String::new())),
        Value::Bool(false) => Ok(None),
        Value::Dict(_) => node.need("setup")?.text().map(|text| Some(text.to_owned())),
        _ => Err(node.fault("must be true, false or {\"setup\": ...}")),
    }
}

/// Whether arguments are to be changed, where there are any.
fn in_place(node: &Node<'_>, tests: &Tests) -> Result<bool, Fault> {
    match (node.value(), tests) {
        (Value::Bool(true), Tests::Stdin(_)) => {
            Err(node
                .fault("does not belong in a problem of kind \"stdin\", which calls no function"))
        }
        (Value::Bool(is_meant), _) => Ok(*is_meant),
        _ => Err(node.fault("must be true or false")),
    }
}

fn without_unit(node: &Node<'_>, unit: &str) -> Result<f64, Fault> {
    if node.text().is_ok() {
        return Err(node.wrong(&format!("a number of {unit} without a unit")));
    }
    node.number()
}

fn seconds(node: &Node<'_>) -> Result<f64, Fault> {
    match without_unit(node, "seconds")? {
        seconds if seconds > 0.0 && seconds <= MAX_SECONDS => Ok(seconds),
        seconds => Err(node.fault(format!(
            "is {seconds}, but must be over 0 and at most {MAX_SECONDS} seconds"
        ))),
    }
}

fn mebibytes(node: &Node<'_>) -> Result<u64, Fault> {
    match without_unit(node, "MiB")? {
        size if size.fract() == 0.0 && size >= 1.0 && size <= MAX_MEBIBYTES as f64 => {
            Ok(size as u64)
        }
        size => Err(node.fault(format!(
            "is {size}, but must be a whole number of MiB from 1 to {MAX_MEBIBYTES}"
        ))),
    }
}

/// What the field `compare` declares.
pub(super) fn declared(compare: &Node<'_>) -> Result<Declared, Fault> {
    compare.object()?;
    let mut declared = Declared::default();
    for name in compare.names().filter(|name| compare.has(name)) {
        let node = compare.need(name)?;
        match name {
            "float" => declared.float = Some(tolerance(&node)?),
            "order" if node.text()? == "any" => declared.any_order = true,
            "case" if node.text()? == "ignore" => declared.ignore_case = true,
            "list_of_one" if node.text()? == "same" => declared.in_list_of_one = true,
            "order" => return Err(node.fault("must be \"any\"")),
            "case" => return Err(node.fault("must be \"ignore\"")),
            "list_of_one" => return Err(node.fault("must be \"same\"")),
            _ => {
                return Err(node.fault(
                    "is not recognised; expected \"float\", \"order\", \"case\" or \"list_of_one\"",
                ));
            }
        }
    }
    Ok(declared)
}

fn tolerance(float: &Node<'_>) -> Result<FloatTolerance, Fault> {
    float.object()?;
    if let Some(name) = float.names().find(|name| !["abs", "rel"].contains(name)) {
        return Err(float.fault(format!(
            "contains \"{name}\", but only \"abs\" and \"rel\" are allowed"
        )));
    }
    if !float.has("abs") && !float.has("rel") {
        return Err(float.fault("must contain \"abs\" or \"rel\""));
    }
    let part = |node: &Node<'_>| match node.number()? {
        part if part >= 0.0 => Ok(part),
        part => Err(node.fault(format!("is {part}, but must not be negative"))),
    };
    Ok(FloatTolerance {
        abs: float.read("abs", part)?.unwrap_or(0.0),
        rel: float.read("rel", part)?.unwrap_or(0.0),
    })
}

/// Fails for a field that names the problem in another schema.
fn other_problem_id(row: &Node<'_>) -> Result<(), Fault> {
    match PROBLEM_IDS.iter().find_map(|name| row.find(name)) {
        Some(node) => Err(node.fault("is not recognised here; did you mean \"problem_id\"?")),
        None => Ok(()),
    }
}

/// The fields of a pair of outputs.
const PAIR_FIELDS: [&str; 6] = ["id", "expected", "actual", "statement", "compare", "kind"];

/// Fails for a field of a pair of outputs that is misspelt, stands beside the object it belongs in, or decides nothing there.
pub(super) fn pair(row: &Node<'_>) -> Result<(), Fault> {
    misplaced::in_problem(row)?;
    match row.find("checker") {
        Some(node) => Err(node.fault("decides nothing here: pairs are compared without a checker")),
        None => spelling(row, &PAIR_FIELDS),
    }
}

/// Fails for a field that looks like a slip of one of `known` that is not there.
fn spelling(row: &Node<'_>, known: &[&str]) -> Result<(), Fault> {
    let is_missing = |name: &str| match name {
        "code" | "response" => !row.has("code") && !row.has("response"),
        _ => !row.has(name),
    };
    let strangers = row
        .names()
        .filter(|name| row.has(name) && !known.contains(name) && !PROBLEM_FIELDS.contains(name));
    for name in strangers {
        let near = known
            .iter()
            .find(|field| is_missing(field) && is_near(name, field));
        if let Some(field) = near {
            let node = row.need(name)?;
            return Err(node.fault(format!("is not recognised; did you mean \"{field}\"?")));
        }
    }
    Ok(())
}

/// Whether `name` may be meant for `field`. Short names are not compared by letters: too many real words are near them.
fn is_near(name: &str, field: &str) -> bool {
    let (plain_name, plain_field) = (misplaced::plainly(name), misplaced::plainly(field));
    let slips = match plain_field.len() {
        0..=3 => 0,
        4..=6 => 1,
        _ => 2,
    };
    ALIASES.contains(&(name, field)) || strsim::osa_distance(&plain_name, &plain_field) <= slips
}
