//! Test code and candidate in one process, where that is allowed.

use crate::lab::{Lab, examined, named, outline};

#[test]
fn what_cannot_be_kept_apart_is_judged_together_where_that_is_allowed() {
    let number = "class N:\n    def __init__(self, x): self.x = x\n    def __eq__(self, other): return 2 * self.x == other";
    let compares = "n = N(1)\nassert n.x == 1\nassert n == 2";
    let cell =
        "import types\ncell = types.CellType(0)\ncandidate(cell)\nassert cell.cell_contents == 1";
    let derives = "seen = []\nclass Dog(Animal): seen = seen\nassert Dog().legs() == 4";
    let solutions = [
        named("compares", number, compares),
        examined("cell", "def f(cell): cell.cell_contents = 1", cell),
        examined("cell-wrong", "def f(cell): cell.cell_contents", cell),
        named(
            "derived",
            "class Animal:\n    def legs(self): return 4",
            derives,
        ),
        named(
            "derived-wrong",
            "class Animal:\n    def legs(self): return 2",
            derives,
        ),
        examined(
            "by-itself",
            "def f(): return 1",
            "import subprocess\nsubprocess.run(['ls'])\nassert candidate() == 1",
        ),
    ];
    let verdicts = |arguments: &[&str]| outline(&Lab::new().judge(&solutions, arguments));
    insta::assert_snapshot!(verdicts(&[]), @r"
    compares runtime_error 0/1 [runtime_error shielded=true the test code compares a live object with plain data, or computes with both; --allow-unshielded runs them together]
    cell judge_failed 0/1 [judge_failed the test code cannot be kept apart from the candidate: the test code passes a live object of type cell; --allow-unshielded runs them together]
    cell-wrong judge_failed 0/1 [judge_failed the test code cannot be kept apart from the candidate: the test code passes a live object of type cell; --allow-unshielded runs them together]
    derived judge_failed 0/1 [judge_failed the test code cannot be kept apart from the candidate: the test code derives a class from the candidate's with something that it has elsewhere too; --allow-unshielded runs them together]
    derived-wrong judge_failed 0/1 [judge_failed the test code cannot be kept apart from the candidate: the test code derives a class from the candidate's with something that it has elsewhere too; --allow-unshielded runs them together]
    by-itself judge_failed 0/1 [judge_failed the test code cannot run: PermissionError: [Errno 1] Operation not permitted]
    ");
    insta::assert_snapshot!(verdicts(&["--allow-unshielded"]), @r"
    compares accepted 1/1 [accepted assertions shielded=false]
    cell accepted 1/1 [accepted assertions shielded=false]
    cell-wrong wrong_answer 0/1 [wrong_answer exit=1 shielded=false AssertionError]
    derived accepted 1/1 [accepted assertions shielded=false]
    derived-wrong wrong_answer 0/1 [wrong_answer exit=1 shielded=false AssertionError]
    by-itself judge_failed 0/1 [judge_failed the test code cannot run: PermissionError: [Errno 1] Operation not permitted]
    ");
}

#[test]
fn unittest_runs_its_tests_in_one_process_too() {
    let test = "class T(unittest.TestCase):\n    def test(self):\n        cell = types.CellType(0)\n        \
                f(cell)\n        self.assertEqual(cell.cell_contents, 1)\n";
    let (calls, forgets) = ("def f(cell): cell.cell_contents = 1", "def f(cell): pass");
    let mut solutions = Vec::new();
    for (id, end) in [
        ("guarded", "if __name__ == '__main__': unittest.main()"),
        ("bare", "unittest.main()"),
        ("goes-on", "unittest.main(argv=['t'], exit=False)"),
    ] {
        let code = format!("import types, unittest\n{test}{end}");
        solutions.push(named(id, calls, &code));
        solutions.push(named(&format!("{id}-wrong"), forgets, &code));
    }
    insta::assert_snapshot!(outline(&Lab::new().judge(&solutions, &["--allow-unshielded"])), @r"
    guarded accepted 1/1 [accepted assertions shielded=false]
    guarded-wrong wrong_answer 0/1 [wrong_answer exit=1 shielded=false AssertionError: a test of unittest failed]
    bare accepted 1/1 [accepted assertions shielded=false]
    bare-wrong wrong_answer 0/1 [wrong_answer exit=1 shielded=false AssertionError: a test of unittest failed]
    goes-on accepted 1/1 [accepted assertions shielded=false]
    goes-on-wrong wrong_answer 0/1 [wrong_answer exit=1 shielded=false AssertionError: a test of unittest failed]
    ");
}
