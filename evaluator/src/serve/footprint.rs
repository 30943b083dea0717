//! About how many bytes a problem holds in memory.

use crate::problem::{Problem, Tests};
use crate::value::Value;

/// Of a problem with its tests.
pub(super) fn of_problem(problem: &Problem) -> usize {
    let texts = [&problem.statement, &problem.prompt];
    let texts: usize = texts.into_iter().flatten().map(String::len).sum();
    size_of::<Problem>() + texts + of_tests(&problem.tests)
}

fn of_tests(tests: &Tests) -> usize {
    let text = |text: &String| size_of::<String>() + text.len();
    match tests {
        Tests::Stdin(cases) => {
            let cases = cases.iter();
            cases
                .map(|case| text(&case.input) + text(&case.expected))
                .sum()
        }
        Tests::Call { cases, .. } => {
            let cases = cases.iter();
            cases
                .map(|case| of_values(&case.input) + of_value(&case.expected))
                .sum()
        }
        Tests::Assert { cases, .. } => cases.iter().map(text).sum(),
    }
}

fn of_values(values: &[Value]) -> usize {
    values.iter().map(of_value).sum()
}

fn of_value(value: &Value) -> usize {
    let held = match value {
        Value::Str(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::BigInt(whole) => usize::try_from(whole.bits() / 8).unwrap_or(usize::MAX),
        Value::Dict(members) => {
            let members = members.iter();
            members
                .map(|(key, value)| of_value(key) + of_value(value))
                .sum()
        }
        Value::List(items)
        | Value::Tuple(items)
        | Value::Set(items)
        | Value::Array(items)
        | Value::ListNode(items)
        | Value::TreeNode(items) => of_values(items),
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Complex(..) => 0,
    };
    size_of::<Value>() + held
}
