//! Test code for pytest, as tests of this project: each test function is a test of its own. What it imports of the module
//! `solution` is the candidate's, and stays a free name; what it uses of pytest is a stand-in, so that no library is needed
//! and what crosses to the candidate's box is plain data.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::cases;
use super::node::{Fault, Node};
use crate::problem::Tests;

/// What all tests use: what ends one, and says what that comes to.
const STAND_IN: &str = include_str!("pytest_stand_in.py");
/// What runs tests that use whatever pytest has.
const RUNNING: &str = concat!(
    include_str!("pytest_marks.py"),
    "\n\n",
    include_str!("pytest_fixtures.py"),
    "\n\n",
    include_str!("pytest_running.py")
);
/// What runs those that are functions without parameters, and that is most: each test has to be read with what runs it.
const PLAIN: &str = include_str!("pytest_plain.py");
/// What either calls.
const COLLECTING: &str = include_str!("pytest_collecting.py");
/// What tests await: exceptions, warnings and numbers near one.
const AWAITED: &str = include_str!("pytest_awaited.py");

/// What stands in code that needs more than to be called.
const BEYOND_CALLS: [&str; 13] = [
    "class ",
    "async ",
    "await ",
    "fixture",
    "mark",
    "monkeypatch",
    "param",
    "setup",
    "teardown",
    "unittest",
    "skip",
    "xfail",
    "__test__",
];

/// Fixtures for the tests that name them, by a part of that name: what these use of files and of the process is otherwise
/// looked at in vain.
const FIXTURES: [(&str, &str); 6] = [
    ("caplog", include_str!("pytest_caplog.py")),
    ("mocker", include_str!("pytest_mocker.py")),
    ("tmp_path", include_str!("pytest_tmp_path.py")),
    (
        "tmpdir",
        concat!(
            include_str!("pytest_tmp_path.py"),
            "\n\n",
            include_str!("pytest_tmpdir.py")
        ),
    ),
    ("recwarn", include_str!("pytest_recwarn.py")),
    ("monkeypatch", include_str!("pytest_monkeypatch.py")),
];

/// Builtin exceptions that tests may name.
const ERRORS: [&str; 54] = [
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "Exception",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "IOError",
    "ImportError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemExit",
    "TimeoutError",
    "TypeError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UserWarning",
    "ValueError",
    "Warning",
    "ZeroDivisionError",
];

/// Where what stands for pytest ends.
const BEGIN: &str = "\"The tests begin here.\"";

/// The module that stands for the candidate.
const CANDIDATE: &str = "from solution import ";

/// The tests of test code: one for each test function, which pytest runs in one process, their module once. Those that only
/// running it would find, such as inherited ones, belong to the last.
pub(super) fn tests(node: &Node<'_>) -> Result<Tests, Fault> {
    let code = node.filled()?;
    if !code.contains("def test") {
        return Err(node.fault("defines no function whose name begins with test"));
    }
    let names: Vec<String> = listed(code)
        .iter()
        .map(|name| format!("\"{name}\""))
        .collect();
    let others = format!("_run_the_rest({})\n", names.join(", "));
    let mut calls: Vec<String> = names
        .iter()
        .map(|name| format!("_run_listed({name})\n"))
        .collect();
    match calls.last_mut() {
        Some(last) => last.push_str(&others),
        None => calls.push(others),
    }
    let (future, body) = without_imports(code);
    let stand_in = out_of_the_way(&stand_in_for(code), code);
    let errors = own_errors(code);
    let module = format!("{future}{errors}{stand_in}\n{BEGIN}\n{body}\n\n");
    Ok(Tests::in_one_process(None, module, calls))
}

/// What stands for pytest, as far as these tests may use it.
fn stand_in_for(code: &str) -> String {
    let lowercase = code.to_lowercase();
    let mut parts = vec![STAND_IN];
    let is_plain = is_plain(&lowercase);
    parts.push(if is_plain { PLAIN } else { RUNNING });
    parts.push(COLLECTING);
    if !is_plain || code.contains("pytest") {
        parts.push(AWAITED);
    }
    if !is_plain {
        let named = FIXTURES.iter().filter(|(name, _)| lowercase.contains(name));
        parts.extend(named.map(|(_, fixture)| *fixture));
    }
    parts.join("\n\n")
}

/// Whether all tests are functions without parameters and decorators, as far as their text tells.
fn is_plain(code: &str) -> bool {
    static TEST: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\bdef +test\w*(?: *\( *\))?").expect("a pattern that was tested")
    });
    let names_more = BEYOND_CALLS.iter().any(|word| code.contains(word));
    let is_decorated = code.lines().any(|line| line.trim_start().starts_with('@'));
    !names_more
        && !is_decorated
        && TEST
            .find_iter(code)
            .all(|test| test.as_str().ends_with(')'))
}

/// What has the exceptions that tests name be builtins, where a module of the candidate's own has others of that name.
fn own_errors(code: &str) -> String {
    let imports = code
        .lines()
        .filter_map(|line| line.trim().strip_prefix(CANDIDATE));
    let imported: HashSet<&str> = imports.flat_map(words).collect();
    let mut named: Vec<&str> = words(code)
        .filter(|word| ERRORS.contains(word) && !imported.contains(word))
        .collect();
    named.sort_unstable();
    named.dedup();
    match named.is_empty() || imported.contains("*") {
        true => String::new(),
        false => format!("from builtins import {}\n", named.join(", ")),
    }
}

/// The stand-in with other names for its own where test code uses these.
fn out_of_the_way(stand_in: &str, code: &str) -> String {
    let defined = stand_in.lines().filter_map(|line| {
        let line = line.strip_prefix("def ").unwrap_or(line);
        name_in(line.strip_prefix("class ").unwrap_or(line)).filter(|name| name.starts_with('_'))
    });
    let used: HashSet<&str> = words(code).collect();
    let taken: HashSet<&str> = defined.filter(|name| used.contains(name)).collect();
    let renamed = words(stand_in).map(|word| match taken.contains(word) {
        true => format!("{word}_of_pytest"),
        false => word.to_owned(),
    });
    renamed.collect()
}

/// The identifiers of a text and, one by one, the characters between them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_part = |c: char| c == '_' || c.is_alphanumeric();
        let end = match is_part(first) {
            true => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

/// The test functions of the module and, as `Class.method`, those of its test classes and of such in these, but for those
/// that are skipped.
fn listed(code: &str) -> Vec<String> {
    let mut scopes: Vec<Scope<'_>> = Vec::new();
    let mut is_skipped = false;
    let mut names = Vec::new();
    for line in outside_of_texts(code) {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if indent == 0 && !text.is_empty() && !text.starts_with(['#', ')', ']', '}', '@']) {
            scopes.clear();
        }
        if text.starts_with('@') {
            // Of those that are to fail, few may not do so as well.
            let may_fail = text.contains(".xfail") && !text.contains("strict=True");
            is_skipped |= may_fail || text.contains(".skip(") || text.ends_with(".skip");
            continue;
        }
        let class = text.strip_prefix("class ").and_then(name_in);
        let function = text.strip_prefix("async ").unwrap_or(text);
        let function = function.strip_prefix("def ").and_then(name_in);
        let Some(name) = class.or(function) else {
            continue;
        };
        scopes.retain(|scope| scope.indent < indent);
        let is_skipped = std::mem::take(&mut is_skipped);
        let is_within = match scopes.last() {
            Some(scope) => scope.holds_tests,
            None => indent == 0,
        };
        if is_within && function.is_some() && !is_skipped && name.starts_with("test") {
            let path: Vec<&str> = scopes
                .iter()
                .map(|scope| scope.name)
                .chain([name])
                .collect();
            names.push(path.join("."));
        }
        let is_case = text.contains("TestCase");
        let is_in_case = scopes.iter().any(|scope| scope.is_case);
        scopes.push(Scope {
            name,
            indent,
            is_case,
            holds_tests: is_within
                && class.is_some()
                && !is_skipped
                && !is_in_case
                && (is_case || name.starts_with("Test")),
        });
    }
    names
}

/// A class or function whose lines come next.
struct Scope<'a> {
    name: &'a str,
    indent: usize,
    /// Whether it derives from unittest's class, in which pytest looks for no others.
    is_case: bool,
    holds_tests: bool,
}

/// The lines of code that begin in no text of several lines.
fn outside_of_texts(code: &str) -> impl Iterator<Item = &str> {
    let mut open: Option<&str> = None;
    code.lines().filter(move |line| {
        let begins_inside = open.is_some();
        let mut rest = *line;
        loop {
            let next = match open {
                Some(quotes) => rest.find(quotes).map(|at| (at, quotes)),
                None => ["\"\"\"", "'''"]
                    .into_iter()
                    .filter_map(|quotes| Some((rest.find(quotes)?, quotes)))
                    .min(),
            };
            let Some((at, quotes)) = next else { break };
            open = open.is_none().then_some(quotes);
            rest = &rest[at + quotes.len()..];
        }
        !begins_inside
    })
}

/// The name that a text opens with.
fn name_in(text: &str) -> Option<&str> {
    let end = text
        .find(|c: char| c != '_' && !c.is_alphanumeric())
        .unwrap_or(text.len());
    let name = &text[..end];
    cases::is_identifier(name).then_some(name)
}

/// The code without its imports of pytest, each of the candidate's on a line, and before it the imports that must stand first.
fn without_imports(code: &str) -> (String, String) {
    let mut future = String::new();
    let mut kept = String::with_capacity(code.len());
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let text = line.trim_start();
        let indent = &line[..line.len() - text.len()];
        if let Some(names) = text.strip_prefix(CANDIDATE) {
            let mut names = names.to_owned();
            while names.contains('(') && !names.contains(')') {
                let Some(more) = lines.next() else { break };
                names.push_str(more);
            }
            kept.push_str(&format!("{indent}{CANDIDATE}{names}\n"));
        } else if line.starts_with("from __future__ import ") {
            future.push_str(line);
            future.push('\n');
        } else if let Some(import) = pytest_import(text) {
            kept.push_str(&format!("{indent}{import}\n"));
        } else {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    (future, kept)
}

/// What stands for a line that imports pytest or pytest-mock, or something of it.
fn pytest_import(text: &str) -> Option<String> {
    let text = text.split('#').next().unwrap_or_default().trim();
    if let Some(names) = ["from pytest import ", "from pytest_mock import "]
        .iter()
        .find_map(|import| text.strip_prefix(import))
        .filter(|names| !names.ends_with(['(', ',']))
    {
        let named = names.trim_matches(['(', ')', ' ']).split(',');
        let bound = named
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .map(|name| {
                let (name, alias) = name.split_once(" as ").unwrap_or((name, name));
                format!("{} = pytest.{}", alias.trim(), name.trim())
            });
        return Some(bound.collect::<Vec<_>>().join("; "));
    }
    let modules: Vec<&str> = text
        .strip_prefix("import ")?
        .split(',')
        .map(str::trim)
        .collect();
    let (own, others): (Vec<&str>, Vec<&str>) = modules
        .into_iter()
        .partition(|module| module.split(' ').next() == Some("pytest"));
    let alias = own
        .first()?
        .split_once(" as ")
        .map(|(_, alias)| alias.trim());
    let bound = alias.map_or("pass".to_owned(), |alias| format!("{alias} = pytest"));
    Some(match others.is_empty() {
        true => bound,
        false => format!("{bound}; import {}", others.join(", ")),
    })
}
