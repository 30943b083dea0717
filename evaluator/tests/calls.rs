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
    json!({"id": "p", "kind": "call", "fn_name": function, "statement": statement, "tests": tests, "time_limit": 10})
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
fn a_call_has_the_time_of_its_problem() {
    let mut problem = call(
        "Solution.twoSum",
        "",
        &[(json!([[3, 3], 6]), json!([0, 1]))],
    );
    problem["time_limit"] = json!(2);
    expect(
        &problem,
        &[
            (
                "time_limit",
                "java",
                "class Solution { int twoSum(int[] a, int t) { while (true); } }",
            ),
            (
                "time_limit",
                "javascript",
                "const twoSum = () => { for (;;); };",
            ),
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
fn nodes_need_no_comment_where_the_problem_speaks_of_them() {
    let sum = [(json!([[2, 4], [5, 5]]), json!([7, 9]))];
    let body = |a: &str, b: &str| {
        format!(
            "{{ const next = {a}.next && add({a}.next, {b}.next); return new ListNode({a}.val + {b}.val, next); }}"
        )
    };
    let forms = [
        format!("function add(head, node) {}", body("head", "node")),
        format!("var add = function(l1, l2) {}", body("l1", "l2")),
        format!("const add = (list1, list2) => {}", body("list1", "list2")),
    ];
    let other = format!("const add = (p, q) => {}", body("p", "q"));
    let mut solutions: Vec<(&str, &str, &str)> = forms
        .iter()
        .map(|code| ("accepted", "javascript", &**code))
        .collect();
    solutions.push(("wrong_answer", "javascript", &other));
    expect(
        &call("add", "Each linked list is a number.", &sum),
        &solutions,
    );
    let lists: Vec<_> = forms
        .iter()
        .map(|code| ("wrong_answer", "javascript", &**code))
        .collect();
    expect(&call("add", "Add the numbers.", &sum), &lists);
    let depth = [(json!([[1, 2, 3, null, 4]]), json!(3))];
    let method = "class Solution { depth(root) { return root ? 1 + Math.max(this.depth(root.left), this.depth(root.right)) : 0; } }";
    let documented = method.replace(
        "depth(root) {",
        "/** @param {TreeNode} top */ depth(top) { const root = top;",
    );
    expect(
        &call("Solution.depth", "The depth of a binary tree.", &depth),
        &[
            ("accepted", "javascript", method),
            ("accepted", "javascript", &documented),
        ],
    );
}

#[test]
fn a_method_may_be_asked_for_by_its_plain_name_and_the_other_way_around() {
    let tests = [(json!([2, 3]), json!(5))];
    let methods = [
        (
            "accepted",
            "cpp",
            "struct Helper { int add(int a) { return a; } };\nclass Solution { public: int add(int a, int b) { return a + b; } };",
        ),
        (
            "accepted",
            "java",
            "class Solution { int add(int a, int b) { return a + b; } }",
        ),
        (
            "accepted",
            "javascript",
            "class Solution { add(a, b) { return a + b; } }",
        ),
    ];
    let functions = [
        (
            "accepted",
            "cpp",
            "// class Solution {\nint add(int a, int b) { return a + b; }",
        ),
        ("accepted", "javascript", "const add = (a, b) => a + b;"),
    ];
    let both = [(
        "accepted",
        "cpp",
        "int add(int a) { return a; }\nclass Solution { public: int add(int a, int b) { return a + b; } };",
    )];
    for name in ["add", "Solution.add"] {
        expect(
            &call(name, "", &tests),
            &[&methods[..], &functions[..]].concat(),
        );
    }
    expect(&call("Solution.add", "", &tests), &both);
}

#[test]
fn macros_overloads_and_defaults_of_a_program_do_not_get_in_the_way() {
    let macros = "#define int long long\n#define value 5\n#define read 3\n#define data 1\nclass Solution { public: \
                  int sum(vector<int>& a) { int t = value - 5; for (auto x : a) t += x; return t; } };";
    let sum = [(json!([[1, 2, 3_000_000_000_i64]]), json!(3_000_000_003_i64))];
    expect(
        &call("Solution.sum", "", &sum),
        &[("accepted", "cpp", macros)],
    );
    let count = [(json!([5, "ab"]), json!(7)), (json!([1, ""]), json!(1))];
    let helper = "class Solution { int count(int n, const string& s, int at) { return at == n ? s.size() + n : count(n, s, at + 1); } \
                  public: int count(int n, string s) { return count(n, s, 0); } };";
    let functions = "int count(int n) { return n; }\nint count(int n, const string& s) { return count(n) + s.size(); }";
    let defaults = "struct Solution { int count(int n, string_view s, int more = 0) const { return n + s.size() + more; } };";
    expect(
        &call("Solution.count", "", &count),
        &[
            ("accepted", "cpp", helper),
            ("accepted", "cpp", functions),
            ("accepted", "cpp", defaults),
            (
                "compile_error",
                "cpp",
                &helper.replace("int n, string s)", "int n)"),
            ),
        ],
    );
    let sort = [(json!([[2, 0, 1]]), json!([0, 1, 2]))];
    let in_place = "class Solution { void sorted(vector<int>& a, int n) { sort(a.begin(), a.begin() + n); } \
                    public: void sorted(vector<int>& a) { sorted(a, a.size()); } };";
    expect(
        &call("Solution.sorted", "Sort the array in place.", &sort),
        &[("accepted", "cpp", in_place)],
    );
    let promised = "export default async function twice(n) { return 2 * n; }\n";
    let listed = "const twice = n => 2 * n;\nexport { twice };\n";
    let rejected = "async function twice(n) { throw new Error(n); }";
    let twice = [(json!([4]), json!(8))];
    expect(
        &call("twice", "", &twice),
        &[
            ("accepted", "javascript", promised),
            ("accepted", "javascript", listed),
            ("runtime_error", "javascript", rejected),
            (
                "accepted",
                "java",
                "package a.b;\nclass Solution { int twice(int n) { return 2 * n; } }",
            ),
        ],
    );
}

#[test]
fn nodes_may_be_the_programs_own() {
    let reverse = [(json!([[1, 2, 3]]), json!([3, 2, 1]))];
    let java = |node: &str| {
        format!(
            "{node}\nclass Solution {{ ListNode reverse(ListNode h) {{ ListNode p = null; while (h != null) {{ \
             ListNode n = h.next; h.next = p; p = h; h = n; }} return p; }} }}"
        )
    };
    let by_value = java("class ListNode { int val; ListNode next; ListNode(int x) { val = x; } }");
    let by_all = java(
        "class ListNode { int val; ListNode next; ListNode(int v, ListNode n) { val = v; next = n; } }",
    );
    let within = java("").replacen(
        "Solution {",
        "Solution { static class ListNode { int val; ListNode next; ListNode(int x) { val = x; } }",
        1,
    );
    let cpp = "struct ListNode { int val; ListNode* next; };\nListNode* reverse(ListNode* h) { ListNode* p = nullptr; \
               while (h) { auto n = h->next; h->next = p; p = h; h = n; } return p; }";
    expect(
        &call("reverse", "A linked list.", &reverse),
        &[
            ("accepted", "java", &by_value),
            ("accepted", "java", &by_all),
            ("accepted", "java", &within),
            ("accepted", "cpp", cpp),
        ],
    );
}

#[test]
fn containers_come_back() {
    let wanted = [(json!([["b", "a", "b"]]), json!({"a": 1, "b": 2}))];
    let count = "map<string, int> count(const deque<string>& words) { map<string, int> n; for (auto& w : words) n[w]++; return n; }";
    let hashed = count
        .replace("map<", "unordered_map<")
        .replace("deque<", "list<");
    expect(
        &call("count", "", &wanted),
        &[("accepted", "cpp", count), ("accepted", "cpp", &hashed)],
    );
    let small = [(json!([[3, 1, 3]]), json!([[1], [3, 1]]))];
    let parts = "vector<vector<int>> parts(unordered_set<int> all) { return {{*min_element(all.begin(), all.end())}, {3, 1}}; }";
    expect(&call("parts", "", &small), &[("accepted", "cpp", parts)]);
    let both = [(json!([[2, 1]]), json!([1, 2]))];
    let array =
        "array<int, 2> both(array<int, 2> all) { sort(all.begin(), all.end()); return all; }";
    let tuple =
        "tuple<int, long long> both(tuple<int, int> all) { return {get<1>(all), get<0>(all)}; }";
    expect(
        &call("both", "", &both),
        &[
            ("accepted", "cpp", array),
            ("accepted", "cpp", tuple),
            (
                "wrong_answer",
                "cpp",
                &array.replace("sort", "(void)make_pair"),
            ),
            ("runtime_error", "cpp", &array.replace(", 2>", ", 3>")),
            (
                "runtime_error",
                "cpp",
                &tuple.replace("tuple<int, int> all", "tuple<int, int, int> all"),
            ),
        ],
    );
    let nothing = [(json!([]), json!([]))];
    let empty = "tuple<> none() { return {}; }";
    let none = "array<string, 0> none() { return {}; }";
    expect(
        &call("none", "", &nothing),
        &[("accepted", "cpp", empty), ("accepted", "cpp", none)],
    );
}

/// What is just beyond the largest signed number of 64 bits has a type in C++, and it is the candidate's to take it.
#[test]
fn the_largest_numbers_of_64_bits_are_some() {
    let next = [
        (json!([u64::MAX - 1]), json!(u64::MAX)),
        (json!([1_u64 << 62]), json!((1_u64 << 62) + 1)),
    ];
    let unsigned = "unsigned long long next(unsigned long long n) { return n + 1; }";
    let signed = "long long next(long long n) { return n + 1; }";
    expect(
        &call("next", "", &next),
        &[
            ("accepted", "cpp", unsigned),
            ("runtime_error", "cpp", signed),
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

#[test]
fn what_is_to_give_nothing_back_is_judged_by_its_argument() {
    let statement = "Reverse the array. Do not return anything, modify it in-place instead.";
    let problem = call("turn", statement, &[(json!([[1, 2, 3]]), json!([3, 2, 1]))]);
    expect(
        &problem,
        &[
            (
                "accepted",
                "cpp",
                "int turn(vector<int>& a) { reverse(a.begin(), a.end()); return 7; }",
            ),
            (
                "wrong_answer",
                "cpp",
                "vector<int> turn(vector<int>& a) { return vector<int>(a.rbegin(), a.rend()); }",
            ),
            (
                "accepted",
                "java",
                "class Solution { int turn(int[] a) { int x = a[0]; a[0] = a[2]; a[2] = x; return 7; } }",
            ),
            (
                "wrong_answer",
                "java",
                "class Solution { int[] turn(int[] a) { return new int[] {3, 2, 1}; } }",
            ),
            (
                "accepted",
                "javascript",
                "function turn(a) { a.reverse(); return 7; }",
            ),
            (
                "wrong_answer",
                "javascript",
                "function turn(a) { return [...a].reverse(); }",
            ),
        ],
    );
}
