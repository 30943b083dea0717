//! Test cases in the shapes that several data sets share.

use crate::Value;

use super::node::{Fault, Node};
use crate::problem::{Declared, TestCase, Tests};
use crate::value::json;

/// What a row says about its functions beside the tests.
#[derive(Default)]
pub(super) struct Hints {
    /// The function is a method of `class Solution`.
    pub is_method: bool,
    /// The function's name, where the tests do not give it.
    pub fn_name: Option<String>,
}

impl Hints {
    /// From the row's starter code, or where there is none its first gold solution.
    pub fn of(row: &Node<'_>, solutions: &[String]) -> Result<Hints, Fault> {
        let starter_code = row.find_text("starter_code")?;
        let code = starter_code.filter(|code| !code.trim().is_empty());
        Ok(Hints {
            is_method: code
                .as_ref()
                .or(solutions.first())
                .is_some_and(|code| code.contains("class Solution")),
            fn_name: None,
        })
    }

    fn qualified(&self, name: String) -> String {
        if self.is_method && !name.contains('.') {
            format!("Solution.{name}")
        } else {
            name
        }
    }
}

/// The items of a list, at least one.
pub(super) fn some_items<'a>(node: &Node<'a>) -> Result<Vec<Node<'a>>, Fault> {
    let items = node.items()?;
    if items.is_empty() {
        Err(node.fault("has no tests"))
    } else {
        Ok(items)
    }
}

/// A function (`solve`) or a method (`Solution.solve`).
pub(super) fn fn_name(node: &Node<'_>) -> Result<String, Fault> {
    let name = node.text()?;
    let parts: Vec<&str> = name.split('.').collect();
    if parts.len() <= 2 && parts.iter().all(|part| is_identifier(part)) {
        Ok(name.to_owned())
    } else {
        Err(node.fault(format!(
            "is \"{name}\", which is not the name of a function or method"
        )))
    }
}

pub(super) fn is_identifier(text: &str) -> bool {
    let is_word = |c: char| c == '_' || c.is_alphanumeric();
    text.chars().all(is_word) && text.chars().next().is_some_and(|c| !c.is_numeric())
}

/// Positional arguments: a list.
pub(super) fn arguments(node: &Node<'_>) -> Result<Vec<Value>, Fault> {
    match node.value() {
        Value::List(items) | Value::Tuple(items) => Ok(items.clone()),
        _ => Err(node.wrong("the list of positional arguments")),
    }
}

/// The value in a field's text, JSON or a Python literal; or the field's own value if it is no text.
pub(super) fn embedded(node: &Node<'_>) -> Result<Value, Fault> {
    match node.value() {
        Value::Str(text) => json::parse_lenient(text).map_err(|message| node.fault(message)),
        value => Ok(value.clone()),
    }
}

/// APPS and TACO: `{inputs, outputs, fn_name?}`.
pub(super) fn paired(node: &Node<'_>, hints: &Hints) -> Result<Tests, Fault> {
    let inputs = some_items(&node.need("inputs")?)?;
    let outputs_node = node.need("outputs")?;
    let outputs = outputs_node.items()?;
    if inputs.len() != outputs.len() {
        let (outputs, inputs) = (outputs.len(), inputs.len());
        return Err(outputs_node.fault(format!(
            "has length {outputs}, but inputs has length {inputs}"
        )));
    }
    let pairs: Vec<_> = inputs.into_iter().zip(outputs).collect();
    match node
        .find("fn_name")
        .filter(|name| name.value() != &Value::Str(String::new()))
    {
        None => stdin(&pairs),
        Some(name) => calls(&pairs, hints.qualified(fn_name(&name)?)),
    }
}

/// LiveCodeBench and DeepCoder: a list of `{input, output, testtype, metadata.func_name}`.
pub(super) fn listed(items: &[Node<'_>], hints: &Hints) -> Result<Tests, Fault> {
    let mut pairs = Vec::with_capacity(items.len());
    let mut first: Option<Option<String>> = None;
    for item in items {
        let input = item.need("input")?;
        let name = called(item, hints)?;
        if *first.get_or_insert_with(|| name.clone()) != name {
            return Err(item.fault("differs from the first test in test type or function"));
        }
        pairs.push((input, item.need("output")?));
    }
    match first.flatten() {
        None => stdin(&pairs),
        Some(name) => calls(&pairs, name),
    }
}

/// The function that a listed test calls; none for standard input and output.
fn called(item: &Node<'_>, hints: &Hints) -> Result<Option<String>, Fault> {
    let named = method(item)?.or_else(|| hints.fn_name.clone());
    let plain = item.read("fn_name", fn_name)?;
    let name = plain.map(|name| hints.qualified(name)).or(named);
    let Some(kind) = item.find("testtype").or_else(|| item.find("type")) else {
        return Ok(name);
    };
    match kind.text()? {
        "stdin" | "stdin_stdout" => Ok(None),
        "functional" | "function_call" if name.is_some() => Ok(name),
        "functional" | "function_call" => Err(item.missing("metadata.func_name")),
        other => Err(kind.fault(format!("is \"{other}\", which is not a known test type"))),
    }
}

/// The method of `class Solution` that LiveCodeBench's `metadata` names.
pub(super) fn method(row: &Node<'_>) -> Result<Option<String>, Fault> {
    Ok(row.read("metadata", func_name)?.flatten())
}

fn func_name(metadata: &Node<'_>) -> Result<Option<String>, Fault> {
    let value = embedded(metadata)?;
    let node = Node::at(metadata.path(), &value);
    let name = node.read("func_name", fn_name)?;
    Ok(name.map(|name| {
        if name.contains('.') {
            name
        } else {
            format!("Solution.{name}")
        }
    }))
}

fn stdin(pairs: &[(Node<'_>, Node<'_>)]) -> Result<Tests, Fault> {
    let case = |(input, output): &(Node<'_>, Node<'_>)| {
        Ok(TestCase {
            input: lines(input)?,
            expected: lines(output)?,
        })
    };
    let cases = pairs.iter().map(case);
    cases.collect::<Result<_, _>>().map(Tests::Stdin)
}

/// Codewars rows wrap every output in a list; LeetCode rows, which call a method, never do.
fn are_in_lists_of_one<'a>(
    function: &str,
    mut outputs: impl Iterator<Item = &'a Node<'a>>,
) -> bool {
    let is_one = |value: &Value| matches!(value, Value::List(items) if items.len() == 1);
    !function.contains('.') && outputs.all(|output| is_one(output.value()))
}

/// What such a row says about comparing: a list of one may be the value itself, as it is for APPS's own evaluator.
pub(super) fn declared(node: &Node<'_>, tests: &Tests) -> Result<Declared, Fault> {
    let outputs = match node.find("outputs") {
        Some(outputs) => outputs.items()?,
        None => {
            let tests = node.items()?;
            tests
                .iter()
                .filter_map(|test| test.find("output"))
                .collect()
        }
    };
    let are_ones = |function| are_in_lists_of_one(function, outputs.iter());
    Ok(Declared {
        in_list_of_one: tests.function().is_some_and(are_ones),
        ..Declared::default()
    })
}

/// A text, or a list of its lines.
fn lines(node: &Node<'_>) -> Result<String, Fault> {
    if let Value::Str(text) = node.value() {
        return Ok(text.clone());
    }
    let Ok(items) = node.items() else {
        return Err(node.wrong("a string or a list of lines"));
    };
    let lines: Result<Vec<&str>, _> = items.iter().map(Node::text).collect();
    Ok(lines?.join("\n"))
}

fn calls(pairs: &[(Node<'_>, Node<'_>)], function: String) -> Result<Tests, Fault> {
    let outputs = pairs.iter().map(|(_, output)| output);
    let is_wrapped = are_in_lists_of_one(&function, outputs);
    let cases = pairs
        .iter()
        .map(|(input, output)| call(input, output, is_wrapped));
    let cases = cases.collect::<Result<_, _>>()?;
    Ok(Tests::Call { function, cases })
}

fn call(
    input: &Node<'_>,
    output: &Node<'_>,
    is_wrapped: bool,
) -> Result<TestCase<Vec<Value>, Value>, Fault> {
    // Text is LiveCodeBench's way: each line an argument, the output a value; all else is APPS's.
    if let Value::Str(text) = input.value() {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let arguments = lines.map(json::parse_lenient).collect::<Result<_, _>>();
        return Ok(TestCase {
            input: arguments.map_err(|message| input.fault(message))?,
            expected: embedded(output)?,
        });
    }
    let mut arguments = arguments(input)?;
    if let Some(first) = arguments.first_mut() {
        integer_keys(first);
    }
    let mut expected = match output.value() {
        Value::List(items) if is_wrapped => items[0].clone(),
        value => value.clone(),
    };
    integer_keys(&mut expected);
    Ok(TestCase {
        input: arguments,
        expected,
    })
}

/// JSON made text of a dict's integer keys; APPS's own evaluator undoes that, for the first argument and the result.
fn integer_keys(value: &mut Value) {
    let Value::Dict(members) = value else {
        return;
    };
    let integer = |key: &Value| match key {
        Value::Str(key) => key.parse().ok().map(Value::Int),
        _ => None,
    };
    let keys: Option<Vec<Value>> = members.iter().map(|(key, _)| integer(key)).collect();
    for ((key, _), integer) in members.iter_mut().zip(keys.unwrap_or_default()) {
        *key = integer;
    }
}
