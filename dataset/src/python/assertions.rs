//! What test code asserts of its candidate: calls with the values they should give.

use std::ops::Range;

use evaluator::writers::plain_json;
use ruff_python_ast::{
    CmpOp, Expr, ExprCall, ModModule, Stmt, StmtAssert, StmtFunctionDef, UnaryOp,
};
use ruff_text_size::Ranged;

use super::parsed;

/// A call of the candidate, and what it should give; both as JSON where they are plain data, else as they stand without white
/// space.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Assertion {
    /// The list of the arguments' values, without the names of keywords.
    pub input: String,
    /// The value.
    pub output: String,
}

/// The assertions of test code whose candidate is called `candidate` or `function`. What is no plain equality, such as a
/// comparison of reals within a tolerance, is left out.
pub fn assertions(code: &str, function: Option<&str>) -> Vec<Assertion> {
    let found = find(code, function).into_iter();
    found.map(|(assertion, _)| assertion).collect()
}

/// Where the expected values of these assertions stand in `code`; of those that name none, there is none.
pub fn expected_places(code: &str, function: Option<&str>) -> Vec<Range<usize>> {
    let found = find(code, function).into_iter();
    found.filter_map(|(_, place)| place).collect()
}

/// What an assertion asks of what a call gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// That it is equal to what stands on the right: `assert candidate(1, 2) == 3`.
    Equal,
    /// That it is the one value on the right: `assert candidate(1) is True`.
    Same,
    /// Only its truth: `assert candidate(1)`, `assert not candidate(1)`.
    Truth,
}

/// Where an assertion of a call has its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssertedCall {
    /// The place of all that is asserted.
    pub whole: Range<usize>,
    /// The place of the call in it.
    pub call: Range<usize>,
    /// The places of the arguments, without the names of keywords.
    pub arguments: Vec<Range<usize>>,
    /// What is asked of what the call gives.
    pub asks: Asks,
}

/// The assertions of test code that a call gives a value, which stands on the right, or a truth. Others are left out.
pub fn asserted_calls(code: &str, function: Option<&str>) -> Vec<AssertedCall> {
    let names = names(function);
    parsed(code, |module| {
        let mut found = Vec::new();
        each_assert(&module.body, &mut |assert| {
            found.extend(asserted_call(&names, &assert.test));
        });
        found
    })
    .unwrap_or_default()
}

fn asserted_call(names: &[&str], test: &Expr) -> Option<AssertedCall> {
    let (call, asks) = match test {
        Expr::Compare(compare) => match *compare.ops {
            [CmpOp::Eq] => (&*compare.left, Asks::Equal),
            [CmpOp::Is] => (&*compare.left, Asks::Same),
            _ => return None,
        },
        Expr::UnaryOp(not) if not.op == UnaryOp::Not => (&*not.operand, Asks::Truth),
        other => (other, Asks::Truth),
    };
    let place = |expression: &Expr| usize::from(expression.start())..usize::from(expression.end());
    match call {
        Expr::Call(of) => Some(AssertedCall {
            whole: place(test),
            call: place(call),
            arguments: given(names, of)?.map(place).collect(),
            asks,
        }),
        _ => None,
    }
}

/// What test code may call its candidate.
fn names(function: Option<&str>) -> [&str; 2] {
    let name = function.map(|name| name.rsplit('.').next().unwrap_or(name));
    ["candidate", name.unwrap_or("candidate")]
}

fn find(code: &str, function: Option<&str>) -> Vec<(Assertion, Option<Range<usize>>)> {
    let names = names(function);
    parsed(code, |module| {
        let mut found = Vec::new();
        each_assert(&module.body, &mut |assert| {
            found.extend(read(code, &names, &assert.test));
        });
        found
    })
    .unwrap_or_default()
}

/// Every `assert` at the top of the module or of its functions.
fn each_assert<'a>(body: &'a [Stmt], found: &mut impl FnMut(&'a StmtAssert)) {
    for statement in body {
        match statement {
            Stmt::Assert(assert) => found(assert),
            Stmt::FunctionDef(function) => each_assert(&function.body, found),
            _ => {}
        }
    }
}

fn read(code: &str, names: &[&str], test: &Expr) -> Option<(Assertion, Option<Range<usize>>)> {
    let called = |expression: &Expr| match expression {
        Expr::Call(call) => arguments(code, names, call),
        _ => None,
    };
    let truth = |input: String, truth: &str| {
        let output = truth.to_owned();
        (Assertion { input, output }, None)
    };
    match test {
        Expr::Compare(compare) => {
            let ([CmpOp::Eq | CmpOp::Is], [right]) = (&*compare.ops, &*compare.comparators) else {
                return None;
            };
            let (input, expected) = match called(&compare.left) {
                Some(input) => (input, right),
                None => (called(right)?, &*compare.left),
            };
            let output = value(code, expected);
            let place = usize::from(expected.start())..usize::from(expected.end());
            Some((Assertion { input, output }, Some(place)))
        }
        Expr::UnaryOp(not) if not.op == UnaryOp::Not => Some(truth(called(&not.operand)?, "false")),
        _ => Some(truth(called(test)?, "true")),
    }
}

/// The values that a call of the candidate is given.
fn arguments(code: &str, names: &[&str], call: &ExprCall) -> Option<String> {
    let values: Vec<String> = given(names, call)?
        .map(|argument| value(code, argument))
        .collect();
    Some(format!("[{}]", values.join(",")))
}

/// What a call of the candidate is given; `None` of any other call.
fn given<'a>(names: &[&str], call: &'a ExprCall) -> Option<impl Iterator<Item = &'a Expr>> {
    let name = match &*call.func {
        Expr::Name(name) => name.id.as_str(),
        Expr::Attribute(attribute) => attribute.attr.as_str(),
        _ => return None,
    };
    let positional = call.arguments.args.iter();
    let named = call.arguments.keywords.iter().map(|keyword| &keyword.value);
    names.contains(&name).then(|| positional.chain(named))
}

/// The arguments of `code`, if it is one call of `name`, as in [`Assertion::input`].
pub fn call_in(code: &str, name: &str) -> Option<String> {
    parsed(code, |module| match module.body.as_slice() {
        [Stmt::Expr(statement)] => match &*statement.value {
            Expr::Call(call) => arguments(code, &[name], call),
            _ => None,
        },
        _ => None,
    })?
}

fn value(code: &str, expression: &Expr) -> String {
    let text = &code[expression.range()];
    let plain = evaluator::literal::parse(text).ok();
    let plain = plain.and_then(|value| plain_json(&value).ok());
    plain.unwrap_or_else(|| text.split_whitespace().collect())
}

/// Test code of several assertions as test code of one each, so that each is a test of its own; each keeps the assignments before it.
/// Assertions that do not mention the candidate are left out, as they test nothing. `None` where fewer than two are left, or where the
/// function `check` does more than assign plain values and assert: what one assertion leaves behind may matter to the next.
pub fn split_check(code: &str) -> Option<Vec<String>> {
    let (parts, candidate) = parsed(code, |module| {
        let check = check(module)?;
        let candidate = check.parameters.iter().next()?.name().as_str();
        let parts = check.body.iter().map(|statement| {
            let range = Range::<usize>::from(statement.range());
            match statement {
                Stmt::Assert(_) => Some((range, true)),
                Stmt::Assign(_) if !code[range.clone()].contains(candidate) => Some((range, false)),
                _ => None,
            }
        });
        Some((parts.collect::<Option<Vec<_>>>()?, candidate.to_owned()))
    })??;
    let (first, last) = (parts.first()?.0.start, parts.last()?.0.end);
    let (head, tail) = (&code[..first], &code[last..]);
    let indent = &head[head.rfind('\n').map_or(0, |at| at + 1)..];
    if !indent.trim().is_empty() {
        return None;
    }
    let mut assigned = String::new();
    let mut alone = Vec::new();
    for (range, asserts) in &parts {
        let statement = &code[range.clone()];
        match asserts {
            false => assigned.push_str(&format!("{statement}\n{indent}")),
            true if statement.contains(&candidate) => {
                alone.push(format!("{head}{assigned}{statement}{tail}"));
            }
            true => {}
        }
    }
    (alone.len() > 1).then_some(alone)
}

/// The last function `check` of a module.
fn check(module: &ModModule) -> Option<&StmtFunctionDef> {
    module
        .body
        .iter()
        .rev()
        .find_map(|statement| match statement {
            Stmt::FunctionDef(function) if function.name.as_str() == "check" => Some(function),
            _ => None,
        })
}
