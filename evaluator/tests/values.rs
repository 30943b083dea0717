//! Plain data on its way into a box and back, through the judge.

use std::sync::Arc;

use evaluator::{
    CaseResult, Decision, Evaluator, Interpreter, Level, Prelude, Problem, Settings, Task,
    TestCase, Tests, Value,
};

/// Judge a function that is called once.
fn call(code: &str, function: &str, argument: &Value, expected: Value) -> CaseResult {
    let case = TestCase {
        input: vec![argument.clone()],
        expected,
    };
    let tests = Tests::Call {
        function: function.into(),
        cases: vec![case],
    };
    let problem = Arc::new(Problem {
        prelude: Prelude::LeetCode,
        ..Problem::new("call", tests)
    });
    let interpreter = Interpreter::find(None).expect("a CPython");
    let evaluator =
        Evaluator::new(interpreter, Level::Full, 1, Settings::default()).expect("full isolation");
    let mut verdicts = evaluator.judge_all([Task::new("sample", code, problem)]);
    let mut verdict = verdicts.next().expect("a verdict");
    verdict.cases.remove(0)
}

#[test]
fn every_kind_of_plain_data_survives_the_way() {
    let ints = Value::List(vec![
        Value::Int(1),
        Value::BigInt("123456789012345678901234567890".parse().unwrap()),
    ]);
    let all = Value::List(vec![
        Value::None,
        Value::Bool(true),
        ints,
        Value::Float(f64::INFINITY),
        Value::Float(-0.5),
        Value::Str("é\n".into()),
        Value::Bytes(vec![0, 255]),
        Value::Tuple(vec![Value::Int(i64::MIN), Value::Tuple(vec![])]),
        Value::Set(vec![Value::Int(3)]),
        Value::Dict(vec![
            (Value::Int(1), Value::Str("x".into())),
            (Value::Tuple(vec![Value::Int(2)]), Value::None),
        ]),
        Value::Complex(1.0, -2.0),
    ]);
    let case = call("def f(x): return x", "f", &all, all.clone());
    assert_eq!(case.verdict, Decision::Accepted, "{case:?}");
}

#[test]
fn linked_lists_are_made_for_annotations() {
    let code = "class Solution:\n    def f(self, l: Optional[ListNode]) -> Optional[ListNode]:\n        return ListNode(0, l)";
    let list = Value::List(vec![Value::Int(1), Value::Int(2)]);
    let expected = Value::List(vec![Value::Int(0), Value::Int(1), Value::Int(2)]);
    let case = call(code, "Solution.f", &list, expected);
    assert_eq!(case.verdict, Decision::Accepted, "{case:?}");
}

#[test]
fn a_live_object_is_refused_by_name() {
    let case = call("def f(x): return lambda: 1", "f", &Value::None, Value::None);
    assert_eq!(case.verdict, Decision::WrongAnswer);
    let message = case.message.expect("a message");
    assert!(
        message.ends_with("a live object of type function"),
        "{message}"
    );
}
