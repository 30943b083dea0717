//! Each format: what its fixture is read as, and what is said of its broken lines.

use std::sync::Arc;

use evaluator::readers::{self, Item, Problems};
use evaluator::{Declared, FloatTolerance, Prelude, Problem, TestCase, Tests, Value};

use crate::{fixture, results, stdin};

fn items(name: &str) -> Vec<Item> {
    results(&fixture(name))
        .into_iter()
        .map(Result::unwrap)
        .collect()
}

/// Id, problem and program of each submission.
fn programs(name: &str) -> Vec<(String, String, Option<String>)> {
    let submission = |item: Item| item.submission;
    let triple = |s: evaluator::Submission| (s.id, s.problem_id, s.code);
    items(name)
        .into_iter()
        .map(submission)
        .map(triple)
        .collect()
}

fn problems(name: &str) -> Problems {
    let (problems, errors) = readers::problems(&[fixture(name)]);
    assert_eq!(errors, []);
    problems
}

fn problem(name: &str, id: &str) -> Arc<Problem> {
    problems(name)
        .get(id)
        .unwrap_or_else(|| panic!("no problem {id}"))
        .clone()
}

fn calls<const N: usize>(function: &str, cases: [(Vec<Value>, Value); N]) -> Tests {
    let case = |(input, expected)| TestCase { input, expected };
    Tests::Call {
        function: function.to_owned(),
        cases: cases.into_iter().map(case).collect(),
    }
}

fn text(text: &str) -> Value {
    Value::Str(text.into())
}

fn ints(numbers: &[i64]) -> Value {
    Value::List(numbers.iter().copied().map(Value::Int).collect())
}

fn assertions(problem: &Problem) -> &[String] {
    match &problem.tests {
        Tests::Assert { cases, .. } => cases,
        tests => panic!("no assertions: {tests:?}"),
    }
}

fn assertion(problem: &Problem) -> &str {
    match assertions(problem) {
        [code] => code,
        codes => panic!("not one assertion: {codes:?}"),
    }
}

/// Rows of formats whose own harness runs all assertions, inputs or test functions in one process; and those of one test.
#[test]
fn what_runs_in_one_process() {
    for (name, is_so) in [
        ("acecoder.jsonl", true),
        ("evalplus.jsonl", true),
        ("kodcode.jsonl", true),
        ("mbpp.jsonl", true),
        ("bigcodebench.jsonl", false),
        ("humaneval.jsonl", false),
        ("leetcode_table.jsonl", false),
    ] {
        for problem in problems(name).iter() {
            if let Tests::Assert {
                cases, one_process, ..
            } = &problem.tests
            {
                assert_eq!(one_process.is_some(), is_so, "{name}");
                if let Some(joined) = one_process {
                    assert_eq!(joined.length, cases.len(), "{name}");
                    assert!(cases.iter().all(|case| case.starts_with(&joined.setup)));
                }
            }
        }
    }
}

/// The complaints are the same where problems are asked for; lines that are whole submissions are complained about as such.
#[test]
fn broken_problems_are_all_returned() {
    let path = fixture("broken/own_problems.jsonl");
    let lines = std::fs::read_to_string(&path).unwrap().lines().count();
    let (problems, errors) = readers::problems(std::slice::from_ref(&path));
    assert!(problems.is_empty());
    let of_submissions = results(&path).into_iter().map(Result::unwrap_err);
    assert_eq!(errors.len(), lines);
    assert_eq!(errors, of_submissions.collect::<Vec<_>>());
    let (_, errors) = readers::problems(&[fixture("own_solutions.jsonl")]);
    assert_eq!(errors[0].message, "is a submission, not a problem");
}

#[test]
fn own_problems() {
    let double = problem("own_problems.jsonl", "double");
    let expected = Problem {
        statement: Some("Print twice the number.".into()),
        prelude: Prelude::Apps,
        time_limit: Some(1.5),
        memory_limit: Some(64),
        platform: Some("made".into()),
        difficulty: Some("easy".into()),
        compare: Declared {
            float: Some(FloatTolerance {
                abs: 1e-6,
                rel: 0.0,
            }),
            any_order: true,
            ignore_case: true,
            in_list_of_one: false,
        },
        ..Problem::new("double", stdin(&[("2\n", "4\n"), ("-1\n", "-2\n")]))
    };
    assert_eq!(*double, expected);
    let power = problem("own_problems.jsonl", "power");
    assert_eq!(power.difficulty.as_deref(), Some("800"));
    let list = Value::List(vec![Value::Float(1.0), Value::None, Value::Bool(true)]);
    let dict = Value::Dict(vec![(text("a"), list)]);
    let large = Value::BigInt("1180591620717411303424".parse().unwrap());
    assert_eq!(
        power.tests,
        calls(
            "Solution.power",
            [
                (vec![Value::Int(2), Value::Int(70)], large),
                (vec![dict, Value::Float(-5.0)], Value::None),
            ]
        )
    );
    let add = problem("own_problems.jsonl", "3");
    assert_eq!(assertions(&add).len(), 2);
    let ids = problems("own_problems.jsonl");
    assert_eq!(
        ids.iter().map(|p| p.id.as_str()).collect::<Vec<_>>(),
        ["double", "power", "3", "reverse"]
    );
    assert!(problem("own_problems.jsonl", "reverse").in_place);
}

#[test]
fn own_solutions() {
    let expected = [
        ("a", "double", Some("print(2 * int(input()))")),
        ("double#0", "double", Some("print(int(input()) * 2)\n")),
        ("double#1", "double", None),
        ("3#0", "3", Some("def add(a, b):\n    return a + b\n")),
    ];
    let expected =
        expected.map(|(id, problem, code)| (id.into(), problem.into(), code.map(Into::into)));
    assert_eq!(programs("own_solutions.jsonl"), expected);
    let items = items("own_solutions.jsonl");
    assert!(
        items
            .iter()
            .all(|item| item.problem.is_none() && item.submission.language == "python")
    );
}

#[test]
fn a_line_may_carry_its_own_tests() {
    let items = items("own_combined.jsonl");
    let ids = |item: &Item| {
        (
            item.submission.id.clone(),
            item.problem.as_ref().unwrap().id.clone(),
        )
    };
    assert_eq!(ids(&items[0]), ("first".into(), "echo".into()));
    assert_eq!(ids(&items[1]), ("shout".into(), "shout".into()));
    assert_eq!(items[1].submission.problem_id, "shout");
    assert_eq!(items[1].problem.as_ref().unwrap().time_limit, Some(2.0));
    assert_eq!(problems("own_combined.jsonl").len(), 2);
}

/// The fixture's `expected` is what a careful reader takes for the program.
#[test]
fn the_program_in_a_response() {
    let rows = std::fs::read_to_string(fixture("responses.jsonl")).unwrap();
    let programs = programs("responses.jsonl");
    assert_eq!(programs.len(), rows.lines().count());
    for (row, (_, name, code)) in rows.lines().zip(programs) {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        assert_eq!(code.as_deref(), row["expected"].as_str(), "{name}");
    }
}

#[test]
fn livecodebench_rows() {
    let stdin_row = problem("livecodebench.jsonl", "q_b");
    let private = [("5 6\n", "11\n"), ("é 0\n", "0\n")];
    let public = ("1 2\n", "3\n");
    assert_eq!(stdin_row.tests, stdin(&[public, private[0], private[1]]));
    assert_eq!(stdin_row.platform.as_deref(), Some("atcoder"));
    assert_eq!(stdin_row.difficulty.as_deref(), Some("easy"));
    assert_eq!(stdin_row.statement.as_deref(), Some("Add the numbers."));
    assert_eq!(problem("livecodebench.jsonl", "q_c").tests, stdin(&private));
    assert_eq!(
        problem("livecodebench.jsonl", "q_d").tests,
        stdin(&[(&"7".repeat(70_000), "7")])
    );
    let swap = problem("livecodebench.jsonl", "q_a");
    let Tests::Call { function, cases } = &swap.tests else {
        panic!("not calls");
    };
    assert_eq!(function, "Solution.swap");
    assert_eq!(cases[0].input, [ints(&[1, 2]), text("a")]);
    assert_eq!(cases[0].expected, ints(&[2, 1]));
    assert_eq!(cases[1].input, [ints(&[]), text("\n")]);
    let Value::Dict(members) = &cases[1].expected else {
        panic!("not a dict: {:?}", cases[1].expected);
    };
    assert!(matches!(members[0].1, Value::Float(number) if number.is_nan()));
}

#[test]
fn livecodebench_custom_outputs() {
    let ids = |name| {
        programs(name)
            .into_iter()
            .map(|(id, problem, _)| (id, problem))
            .collect::<Vec<_>>()
    };
    let pair = |id: &str, problem: &str| (id.to_owned(), problem.to_owned());
    assert_eq!(
        ids("livecodebench_codes.json"),
        [
            pair("q_b#0", "q_b"),
            pair("q_b#1", "q_b"),
            pair("q_a#0", "q_a"),
            pair("q_c#0", "q_c"),
            pair("q_c#1", "q_c"),
        ]
    );
    let lists = ids("livecodebench_lists.json");
    assert_eq!(
        lists[..3],
        [
            pair("#1/4#0", "#1/4"),
            pair("#2/4#0", "#2/4"),
            pair("#2/4#1", "#2/4")
        ]
    );
    let rows = problems("livecodebench.jsonl");
    let placed = |id| rows.get(id).map(|problem| problem.id.as_str());
    assert_eq!(
        ["#1/4", "#2/4", "#4/4"].map(placed),
        [Some("q_a"), Some("q_b"), Some("q_d")]
    );
    assert_eq!(["#0/4", "#5/4", "#1/5", "#1", "q_e"].map(placed), [None; 5]);
}

#[test]
fn apps_and_taco_rows() {
    let sum = problem("apps.jsonl", "7");
    assert_eq!(sum.tests, stdin(&[("1 2\n", "3\n"), ("3\n4", "7")]));
    assert_eq!(sum.difficulty.as_deref(), Some("interview"));
    // A method's list of one stays a list; a Codewars function's is only the wrapping.
    let keep = problem("apps.jsonl", "8");
    let Tests::Call { function, cases } = &keep.tests else {
        panic!("not calls");
    };
    assert_eq!(function, "Solution.keep");
    assert_eq!(cases[1].input, [ints(&[5])]);
    assert_eq!(cases[1].expected, ints(&[5]));
    let total = problem("apps.jsonl", "9");
    assert_eq!(
        total.tests,
        calls(
            "total",
            [
                (vec![ints(&[1, 2])], Value::Int(3)),
                (vec![ints(&[])], Value::Int(0)),
            ]
        )
    );
    let count = problem("apps.jsonl", "10");
    let dict = |key, value: &Value| Value::Dict(vec![(key, value.clone())]);
    assert_eq!(
        count.tests,
        calls(
            count.tests.function().unwrap(),
            [(
                vec![dict(Value::Int(1), &text("a")), dict(text("1"), &text("b"))],
                dict(Value::Int(2), &Value::Int(1)),
            )]
        )
    );
    let first = problem("taco.jsonl", "taco.jsonl:1");
    assert_eq!(
        (first.time_limit, first.memory_limit),
        (Some(2.0), Some(256))
    );
    assert_eq!(first.platform.as_deref(), Some("codeforces"));
    let second = problem("taco.jsonl", "taco.jsonl:2");
    assert_eq!(
        (second.time_limit, second.memory_limit),
        (Some(0.5), Some(2))
    );
    let third = problem("taco.jsonl", "taco.jsonl:3");
    assert_eq!((third.time_limit, third.memory_limit), (None, None));
}

/// Rows with gold solutions are submissions too; one without says so instead of being left out.
#[test]
fn gold_solutions_are_judged() {
    let found = results(&fixture("apps.jsonl"));
    let ids: Vec<_> = found
        .iter()
        .flatten()
        .map(|item| item.submission.id.as_str())
        .collect();
    assert_eq!(ids, ["7#0", "7#1", "9#0"]);
    let errors: Vec<_> = found
        .iter()
        .filter_map(|item| item.as_ref().err())
        .collect();
    let lines: Vec<_> = errors
        .iter()
        .map(|error| (error.line, error.message.as_str()))
        .collect();
    let message = "is a problem with no solution to judge";
    assert_eq!(lines, [(Some(2), message), (Some(4), message)]);
    assert!(found.iter().flatten().all(|item| item.problem.is_some()));
}

#[test]
fn deepcoder_rows() {
    let tests = |id| problem("deepcoder.jsonl", id).tests.clone();
    assert_eq!(tests("paired"), stdin(&[("1\n", "2\n")]));
    assert_eq!(tests("listed"), stdin(&[("1\n", "2\n"), ("3\n", "6\n")]));
    assert_eq!(
        tests("functional"),
        calls("Solution.double", [(vec![Value::Int(21)], Value::Int(42))])
    );
    assert_eq!(tests("row metadata"), tests("functional"));
    assert_eq!(tests("literal paired"), stdin(&[("1", "2")]));
    let tuple = Value::Tuple(vec![Value::Int(1), Value::Int(2)]);
    assert_eq!(
        tests("literal"),
        calls("double", [(vec![tuple], Value::None)])
    );
    let found = results(&fixture("deepcoder.jsonl"));
    let codes: Vec<_> = found
        .iter()
        .flatten()
        .map(|item| item.submission.code.as_deref().unwrap())
        .collect();
    assert_eq!(codes[0], "print(2 * int(input()))\n");
    assert_eq!(codes[1], "print(int(input()) + int(input()))");
}

#[test]
fn humaneval_rows_and_samples() {
    let half = problem("humaneval.jsonl", "Made/0");
    let prompt = "def half(n: int) -> float:\n    \"\"\"Half of n.\"\"\"\n";
    assert_eq!(half.tests.function(), Some("half"));
    assert_eq!(half.prompt.as_deref(), Some(prompt));
    // The head runs first, then the candidate takes its name back, then come the tests.
    let code = assertion(&half);
    let order = [
        prompt,
        "\nhalf = candidate\n",
        "\ndef check(candidate):",
        "\ncheck(candidate)\n",
    ];
    let places = order.map(|part| {
        code.find(part)
            .unwrap_or_else(|| panic!("{part:?} is not in {code}"))
    });
    assert!(places.is_sorted());
    let twice = problem("humaneval.jsonl", "Made/1");
    assert_eq!(
        assertion(&twice).matches("\ncheck(").count(),
        1,
        "the test calls check by itself"
    );

    let gold = results(&fixture("humaneval.jsonl"))
        .remove(0)
        .unwrap()
        .submission;
    assert_eq!(
        gold.code.as_deref(),
        Some(&*format!("{prompt}    return n / 2\n"))
    );
    assert_eq!(gold.program(&half), gold.code.as_deref().map(Into::into));
    let samples = items("humaneval_samples.jsonl");
    let program = |item: &Item| item.submission.program(&half).unwrap().into_owned();
    assert_eq!(
        program(&samples[0]),
        format!("{prompt}    return n * 0.5\n")
    );
    assert_eq!(program(&samples[1]), "def half(n):\n    return n / 2\n");
    let ids: Vec<_> = samples
        .iter()
        .map(|item| item.submission.id.as_str())
        .collect();
    assert_eq!(ids, ["Made/0#0", "Made/0#1", "Made/1#0"]);
}

/// One test for each input of both lists; the reference stays what it is, so that it is not the candidate it calls.
#[test]
fn evalplus_rows() {
    let pair = problem("evalplus.jsonl", "HumanEval/900");
    assert_eq!(pair.tests.len(), 4);
    let inputs = assertions(&pair).iter().map(|code| {
        assert!(!code.contains("pair = candidate"));
        let mut lines = code.lines();
        lines
            .find_map(|line| line.strip_prefix("_input = "))
            .unwrap()
    });
    assert_eq!(
        inputs.collect::<Vec<_>>(),
        [
            "[3,1e0,]",
            "[\"a\\\"\u{2028}\\n\\u0001é\",2,]",
            "[12345678901234567890123,[],]",
            "[{\"k\":None,\"t\":True,\"f\":False,},-2.5e-9,]",
        ]
    );
}

#[test]
fn mbpp_rows() {
    let triple = problem("mbpp.jsonl", "601");
    let codes = ["assert triple(1) == 3\n", "assert triple(tau) == 3 * tau\n"];
    let setup = "from math import tau\n";
    let whole = codes.map(|code| format!("{setup}{code}"));
    assert_eq!(assertions(&triple), whole);
    let codes = codes.map(str::to_owned).to_vec();
    assert_eq!(
        triple.tests,
        Tests::in_one_process(None, setup.to_owned(), codes)
    );
    let neg = problem("mbpp.jsonl", "602");
    assert_eq!(
        assertion(&neg),
        "import math\nassert neg(math.inf) == -math.inf\n"
    );
    assert_eq!(
        neg.statement.as_deref(),
        Some("Write a function to negate.")
    );
    assert!(assertion(&problem("mbpp.jsonl", "603")).starts_with("for n in range(9):\n"));
    assert_eq!(
        programs("mbpp.jsonl")[1].2.as_deref(),
        Some("def neg(n):\n    return -n\n")
    );
}

#[test]
fn leetcode_rows() {
    let table = &items("leetcode_table.jsonl")[0];
    let row = table.problem.as_ref().unwrap();
    assert_eq!(
        (row.id.as_str(), row.tests.function()),
        ("leet-1", Some("Solution.back"))
    );
    assert!(assertion(row).ends_with("\n\ncheck(Solution().back)"));
    assert_eq!(
        row.statement.as_deref(),
        Some("Return the numbers in any order.")
    );
    let set = &items("leetcode_dataset.jsonl")[0];
    let row = set.problem.as_ref().unwrap();
    assert_eq!(
        (row.id.as_str(), row.tests.function()),
        ("back", Some("Solution.back"))
    );
    assert!(assertion(row).ends_with("\n\ncheck(candidate)\n"));
    for item in [table, set] {
        assert!(
            item.submission
                .code
                .as_ref()
                .unwrap()
                .starts_with("class Solution:\n")
        );
    }
}
