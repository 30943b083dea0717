//! Functions in C++, Java and JavaScript that are called, judged through the binary: what comes back is compared as what a
//! function in Python gives back, and what cannot be called is refused by its name.

use std::process::Command;

use serde_json::{Value, json};

/// The verdict lines on solutions to one problem, each `(language, code)`.
fn verdicts(problem: &Value, solutions: &[(&str, &str)]) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let lines = solutions.iter().enumerate().map(|(number, (language, code))| {
        let line = json!({"id": number.to_string(), "problem_id": "p", "language": language, "code": code});
        format!("{line}\n")
    });
    fs_err::write(place("solutions.jsonl"), lines.collect::<String>()).expect("written");
    fs_err::write(place("problems.jsonl"), format!("{problem}\n")).expect("written");
    let done = Command::new(env!("CARGO_BIN_EXE_mc-eval"))
        .arg("judge")
        .arg(place("solutions.jsonl"))
        .arg("--problems")
        .arg(place("problems.jsonl"))
        .output()
        .expect("mc-eval runs");
    let text = String::from_utf8(done.stdout).expect("text");
    let lines = text.lines().map(serde_json::from_str);
    let verdicts: Vec<Value> = lines.collect::<Result<_, _>>().expect("verdicts");
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(verdicts.len(), solutions.len(), "{said}");
    verdicts
}

/// That each solution gets the verdict that stands before it.
#[track_caller]
fn expect(problem: &Value, solutions: &[(&str, &str, &str)]) -> Vec<Value> {
    let judged: Vec<(&str, &str)> = solutions
        .iter()
        .map(|(_, language, code)| (*language, *code))
        .collect();
    let verdicts = verdicts(problem, &judged);
    for ((wanted, language, code), verdict) in solutions.iter().zip(&verdicts) {
        assert_eq!(
            verdict["verdict"], *wanted,
            "{language}: {code}\n{verdict:#}"
        );
    }
    verdicts
}

fn call(function: &str, statement: &str, tests: &[(Value, Value)]) -> Value {
    let tests: Vec<Value> = tests
        .iter()
        .map(|(input, output)| json!({"input": input, "output": output}))
        .collect();
    json!({"id": "p", "kind": "call", "fn_name": function, "statement": statement, "tests": tests, "time_limit": 2})
}

#[test]
fn lists_and_numbers_go_in_and_out() {
    let tests = [
        (json!([[2, 7, 11, 15], 9]), json!([0, 1])),
        (json!([[3, 2, 4], 6]), json!([1, 2])),
    ];
    expect(
        &call("Solution.twoSum", "", &tests),
        &[
            (
                "accepted",
                "cpp",
                "class Solution { public: vector<int> twoSum(vector<int>& a, int t) { printf(\"seen\\n\"); \
              for (int i = 0;; i++) for (int j = i + 1; j < (int)a.size(); j++) if (a[i] + a[j] == t) return {i, j}; } };",
            ),
            (
                "accepted",
                "java",
                "class Solution { public int[] twoSum(int[] a, int t) { System.out.println(\"seen\"); \
              Map<Integer, Integer> m = new HashMap<>(); for (int i = 0;; i++) { if (m.containsKey(t - a[i])) \
              return new int[]{m.get(t - a[i]), i}; m.put(a[i], i); } } }",
            ),
            (
                "accepted",
                "javascript",
                "/**\n * @param {number[]} a\n * @param {number} t\n */\nvar twoSum = function(a, t) { \
              console.log('seen'); for (let i = 0;; i++) { const j = a.indexOf(t - a[i], i + 1); if (j > 0) return [i, j]; } };",
            ),
            (
                "accepted",
                "javascript",
                "function twoSum(a, t) { for (let i = 0;; i++) { const j = a.indexOf(t - a[i], i + 1); \
              if (j > 0) return [i, j]; } }",
            ),
            (
                "wrong_answer",
                "cpp",
                "class Solution { public: vector<int> twoSum(vector<int> a, int t) { return {0, 1}; } };",
            ),
            (
                "wrong_answer",
                "java",
                "class Solution { int[] twoSum(int[] a, int t) { return new int[]{0, 1}; } }",
            ),
            ("wrong_answer", "javascript", "const twoSum = () => [0, 1];"),
            (
                "runtime_error",
                "cpp",
                "class Solution { public: int twoSum(vector<int> a, int t) { throw 1; } };",
            ),
            (
                "runtime_error",
                "java",
                "class Solution { int twoSum(int[] a, int t) { throw new RuntimeException(); } }",
            ),
            (
                "runtime_error",
                "javascript",
                "const twoSum = () => { throw 1; };",
            ),
            (
                "time_limit",
                "java",
                "class Solution { int twoSum(int[] a, int t) { while (true); } }",
            ),
            (
                "compile_error",
                "cpp",
                "class Solution { public: int other(int a) { return a; } };",
            ),
            (
                "compile_error",
                "java",
                "class Solution { int twoSum(int[] a, int t) { return; } }",
            ),
            ("compile_error", "javascript", "const twoSum = (;"),
        ],
    );
}

#[test]
fn nodes_texts_and_reals_do_too() {
    let reverse = [(json!([[1, 2, 3]]), json!([3, 2, 1]))];
    let statement = "Reverse the linked list of ListNode.";
    let cpp = "/**\n * struct ListNode {\n * };\n */\nclass Solution { public: ListNode* reverse(ListNode* h) { ListNode* p = nullptr; \
               while (h) { auto n = h->next; h->next = p; p = h; h = n; } return p; } };";
    let java = "class Solution { public ListNode reverse(ListNode h) { ListNode p = null; while (h != null) { ListNode n = h.next; \
                h.next = p; p = h; h = n; } return p; } }";
    let script = "/**\n * @param {ListNode} h\n */\nvar reverse = function(h) { let p = null; while (h) [h.next, p, h] = [p, h, h.next]; return p; };";
    let same = "class Solution { public: ListNode* reverse(ListNode* h) { return h; } };";
    expect(
        &call("Solution.reverse", statement, &reverse),
        &[
            ("accepted", "cpp", cpp),
            ("accepted", "java", java),
            ("accepted", "javascript", script),
            ("wrong_answer", "cpp", same),
        ],
    );
    let mean = [(
        json!([["a", "béb"], [1, 2]]),
        json!([1.5, "béb", true, null]),
    )];
    expect(
        &call("mean", "", &mean),
        &[(
            "accepted",
            "javascript",
            "const mean = (words, n) => [(n[0] + n[1]) / n.length, words[1], words.length === 2, null];",
        )],
    );
    let half = [(json!([3, "x\"\n"]), json!("1.5 x\"\n"))];
    expect(
        &call("half", "", &half),
        &[
            (
                "accepted",
                "cpp",
                "string half(int n, const string &s) { return to_string(n / 2.0).substr(0, 3) + \" \" + s; }",
            ),
            (
                "accepted",
                "java",
                "class Solution { static String half(long n, String s) { return n / 2.0 + \" \" + s; } }",
            ),
        ],
    );
}

#[test]
fn what_is_changed_in_place_is_the_answer_where_that_is_asked_for() {
    let sorted = [(json!([[2, 0, 1]]), json!([0, 1, 2]))];
    expect(
        &call("Solution.sort", "Sort the numbers in-place.", &sorted),
        &[
            (
                "accepted",
                "cpp",
                "class Solution { public: void sort(vector<int>& a) { std::sort(a.begin(), a.end()); } };",
            ),
            (
                "accepted",
                "java",
                "class Solution { void sort(int[] a) { Arrays.sort(a); } }",
            ),
            (
                "accepted",
                "javascript",
                "var sort = function(a) { a.sort(); };",
            ),
            (
                "wrong_answer",
                "cpp",
                "class Solution { public: void sort(vector<int> a) { std::sort(a.begin(), a.end()); } };",
            ),
            ("wrong_answer", "javascript", "var sort = function(a) {};"),
        ],
    );
}

#[test]
fn leaving_early_or_writing_of_its_own_makes_no_answer_right() {
    let tests = [(json!([1]), json!(2))];
    expect(
        &call("next", "", &tests),
        &[
            ("runtime_error", "cpp", "int next(int n) { exit(0); }"),
            (
                "runtime_error",
                "cpp",
                "#include <unistd.h>\nint next(int n) { write(3, \"2\", 1); _exit(0); }",
            ),
            (
                "runtime_error",
                "java",
                "class Solution { int next(int n) { System.exit(0); return 2; } }",
            ),
            (
                "runtime_error",
                "java",
                "class Solution { int next(int n) throws Exception { \
              new java.io.FileOutputStream(java.io.FileDescriptor.out).write('2'); return 2; } }",
            ),
            (
                "runtime_error",
                "javascript",
                "const next = () => process.exit(0);",
            ),
            (
                "runtime_error",
                "javascript",
                "const next = () => { require('fs').writeSync(1, '{\"value\":'); return 2; };",
            ),
        ],
    );
}

#[test]
fn what_cannot_be_called_is_refused_by_its_name() {
    let dict = json!({"id": "p", "kind": "call", "fn_name": "keys", "tests": [{"input": [{"a": 1}], "output": 1}]});
    let code = "int keys(map<string, int> m) { return m.size(); }";
    let verdict = &verdicts(&dict, &[("cpp", code)])[0];
    assert_eq!(verdict["verdict"], "judge_failed");
    let why = verdict["message"].to_string();
    assert!(
        why.contains("hold a dict, which has no like in cpp"),
        "{why}"
    );
    let script = "const keys = (map) => Object.keys(map).length;";
    expect(&dict, &[("accepted", "javascript", script)]);
    let one = call("one", "", &[(json!([]), json!(1))]);
    let verdict = &verdicts(&one, &[("rust", "fn one() -> i32 { 1 }")])[0];
    assert_eq!(
        (&verdict["verdict"], &verdict["reward"]),
        (&json!("judge_failed"), &Value::Null)
    );
    let why = verdict["message"].to_string();
    assert!(why.contains("no function in rust can be called"), "{why}");
}
