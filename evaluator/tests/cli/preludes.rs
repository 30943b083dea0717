//! Names that a solution uses without importing them: lent where the format's own harness imports them, and nowhere else.

use serde_json::{Value, json};

use crate::lab::{Lab, examined, function, script, with};

/// Those of NAMES that a problem with this prelude lends to a solution.
fn lent(prelude: Option<&str>, kind: impl Fn(&str, &str) -> Value) -> String {
    let solutions: Vec<Value> = NAMES
        .iter()
        .map(|name| match prelude {
            Some(prelude) => with(kind(name, name), "prelude", json!(prelude)),
            None => kind(name, name),
        })
        .collect();
    let verdicts = Lab::new().judge(&solutions, &[]);
    let names = NAMES.iter().zip(&verdicts);
    let lent = names.filter(|(_, verdict)| {
        let decision = verdict["verdict"].as_str().unwrap();
        assert!(
            ["accepted", "runtime_error"].contains(&decision),
            "{verdict}"
        );
        let tail = verdict["cases"][0].to_string();
        assert!(
            decision == "accepted" || tail.contains("NameError: name"),
            "{verdict}"
        );
        decision == "accepted"
    });
    lent.map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
}

/// What harnesses import, and what none does.
const NAMES: [&str; 16] = [
    "math",
    "gcd",
    "reduce",
    "Counter",
    "List",
    "Optional",
    "heappush",
    "mean",
    "isleap",
    "ListNode",
    "re_search",
    "stdout",
    "fractions",
    "inf",
    "date",
    "bisect.insort",
];

fn as_script(id: &str, name: &str) -> Value {
    script(id, &format!("{name}\nprint(1)"), &[("", "1\n")])
}

fn as_function(id: &str, name: &str) -> Value {
    let code = format!("def f(x):\n    {name}\n    return x");
    function(id, &code, json!([1]), json!(1))
}

fn as_candidate(id: &str, name: &str) -> Value {
    let code = format!("def f(x):\n    {name}\n    return x");
    examined(id, &code, "assert candidate(1) == 1")
}

#[test]
fn a_problem_lends_nothing_by_itself() {
    assert_eq!(lent(None, as_script), "");
    assert_eq!(lent(None, as_function), "");
    assert_eq!(lent(None, as_candidate), "");
}

#[test]
fn a_prelude_lends_its_own_names() {
    insta::assert_snapshot!(lent(Some("leetcode"), as_candidate), @"math gcd reduce Counter List Optional heappush ListNode fractions inf date bisect.insort");
    insta::assert_snapshot!(lent(Some("livecodebench"), as_function), @"math gcd reduce Counter List Optional heappush mean stdout inf date bisect.insort");
    insta::assert_snapshot!(lent(Some("livecodebench"), as_script), @"math gcd reduce Counter List Optional heappush mean stdout inf date bisect.insort");
    insta::assert_snapshot!(lent(Some("apps"), as_script), @"math gcd Counter List heappush stdout fractions");
    insta::assert_snapshot!(lent(Some("deepcoder"), as_function), @"math gcd reduce Counter List Optional heappush re_search stdout fractions inf bisect.insort");
}

/// A name that goes for a module and for what is in it means what it means where it comes from.
#[test]
fn one_name_of_two_things() {
    let judged = |prelude: &str, code: &str| {
        let code = format!("def f(x): return {code}");
        let solution = function("x", &code, json!([[1, 3]]), json!(1));
        let verdicts = Lab::new().judge(&[with(solution, "prelude", json!(prelude))], &[]);
        verdicts[0]["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(judged("leetcode", "bisect(x, 2)"), "accepted");
    assert_eq!(judged("leetcode", "bisect.bisect(x, 2)"), "accepted");
    assert_eq!(judged("livecodebench", "bisect(x, 2)"), "runtime_error");
    assert_eq!(judged("livecodebench", "bisect.bisect(x, 2)"), "accepted");
    // `pow` stays Python's own, with three arguments.
    assert_eq!(judged("livecodebench", "pow(x[1], 2, 8)"), "accepted");
    assert_eq!(judged("livecodebench", "pow(x[1], 2, 7)"), "wrong_answer");
}

#[test]
fn what_is_called_is_never_lent() {
    let solutions = ["", "def gcd(a, b): return 2", "def gcd(a, b): return 3"].map(|code| {
        let solution = function(&format!("<{code}>"), code, json!([4, 6]), json!(2));
        let solution = with(solution, "fn_name", json!("gcd"));
        with(solution, "prelude", json!("livecodebench"))
    });
    let verdicts = Lab::new().judge(&solutions, &[]);
    let decisions: Vec<_> = verdicts.iter().map(|v| v["verdict"].clone()).collect();
    assert_eq!(decisions, ["runtime_error", "accepted", "wrong_answer"]);
}

/// Rows as their data sets have them: what their own harness says of a solution without imports, and of one with them.
#[test]
fn formats_lend_what_their_own_harness_imports() {
    let plain = "def f(x):\n    return reduce(lambda a, b: a + b, x)\n";
    let method = "class Solution:\n    def f(self, x: List[int]):\n        return reduce(lambda a, b: a + b, x)\n";
    let import = "from functools import reduce\nfrom typing import List\n";
    let check = "def check(candidate):\n    assert candidate([1, 2]) == 3\n";
    let humaneval = json!({"task_id": "H/0", "prompt": "def f(x):\n    'Sum.'\n", "entry_point": "f", "test": check});
    let mbpp = json!({"task_id": 1, "text": "", "test_list": ["assert f([1, 2]) == 3"]});
    let table =
        json!({"problem": "", "tests": {"functional": format!("{check}\n\ncheck(Solution().f)")}});
    let data_set = json!({"task_id": "f", "entry_point": "Solution().f", "test": check});
    let paired = json!({"fn_name": "f", "inputs": [[[1, 2]]], "outputs": [3]}).to_string();
    let apps = json!({"id": 1, "question": "", "input_output": paired});
    let deepcoder = json!({"id": 1, "problem": "", "tests": paired});
    let rows = [
        (humaneval, "solution", plain),
        (mbpp, "code", plain),
        (table, "solutions", method),
        (data_set, "completion", method),
        (apps, "solutions", plain),
        (deepcoder, "solutions", plain),
    ];
    let lines = rows.iter().map(|(row, field, code)| {
        let solutions = [
            with(row.clone(), field, json!(code)),
            with(row.clone(), field, json!(format!("{import}{code}"))),
        ];
        let judge = |solution: &Value| {
            let verdicts = Lab::new().judge(std::slice::from_ref(solution), &[]);
            verdicts[0]["verdict"].as_str().unwrap().to_owned()
        };
        solutions.each_ref().map(judge).join(" ")
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
    runtime_error accepted
    runtime_error accepted
    accepted accepted
    accepted accepted
    runtime_error accepted
    accepted accepted
    "#);
}
