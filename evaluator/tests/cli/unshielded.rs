//! Test code and candidate in one process, where that is allowed.

use crate::lab::{Lab, examined, named, outline};

#[test]
fn what_cannot_be_kept_apart_is_judged_together_where_that_is_allowed() {
    let number = "class N:\n    def __init__(self, x): self.x = x\n    def __eq__(self, other): return 2 * self.x == other";
    let compares = "n = N(1)\nassert n.x == 1\nassert n == 2";
    let printed = "from unittest.mock import patch\nwith patch('builtins.print') as p:\n    candidate()\np.assert_called_with(5)";
    let sleeps = "import time\ntime.sleep = lambda n: None\nassert candidate() == 1";
    let source = "import inspect\nassert 'return' in inspect.getsource(candidate)";
    let typed = "from unittest.mock import patch\nwith patch('builtins.input', return_value='5'):\n    assert candidate() == 5";
    let solutions = [
        named("compares", number, compares),
        examined("source", "def f(): return 1", source),
        examined("input", "def f(): return int(input())", typed),
        examined("input-wrong", "def f(): return input()", typed),
        examined("print", "def f(): print(5)", printed),
        examined("print-wrong", "def f(): print(6)", printed),
        examined(
            "module",
            "import time\ndef f():\n    time.sleep(60)\n    return 1",
            sleeps,
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
    source judge_failed 0/1 [judge_failed the test code cannot be kept apart from the candidate: the test code looks into the candidate's code by getsource; --allow-unshielded runs them together]
    input judge_failed 0/1 [judge_failed the test code cannot be kept apart from the candidate: the test code replaces builtins.input; --allow-unshielded runs them together]
    input-wrong judge_failed 0/1 [judge_failed the test code cannot be kept apart from the candidate: the test code replaces builtins.input; --allow-unshielded runs them together]
    print judge_failed 0/1 [judge_failed the test code cannot be kept apart from the candidate: the test code replaces builtins.print; --allow-unshielded runs them together]
    print-wrong judge_failed 0/1 [judge_failed the test code cannot be kept apart from the candidate: the test code replaces builtins.print; --allow-unshielded runs them together]
    module judge_failed 0/1 [judge_failed the test code cannot be kept apart from the candidate: the test code replaces time.sleep; --allow-unshielded runs them together]
    by-itself judge_failed 0/1 [judge_failed the test code cannot run: PermissionError: [Errno 1] Operation not permitted]
    ");
    insta::assert_snapshot!(verdicts(&["--allow-unshielded"]), @r"
    compares accepted 1/1 [accepted assertions shielded=false]
    source accepted 1/1 [accepted assertions shielded=false]
    input accepted 1/1 [accepted assertions shielded=false]
    input-wrong wrong_answer 0/1 [wrong_answer exit=1 shielded=false AssertionError]
    print accepted 1/1 [accepted assertions shielded=false]
    print-wrong wrong_answer 0/1 [wrong_answer exit=1 shielded=false AssertionError: expected call not found.]
    module accepted 1/1 [accepted assertions shielded=false]
    by-itself judge_failed 0/1 [judge_failed the test code cannot run: PermissionError: [Errno 1] Operation not permitted]
    ");
}

#[test]
fn unittest_runs_its_tests_in_one_process_too() {
    let test = "class T(unittest.TestCase):\n    def test(self):\n        n = []\n        f(lambda: n.append(1))\n        \
                self.assertEqual(n, [1])\n";
    let (calls, forgets) = ("def f(c): c()", "def f(c): pass");
    let mut solutions = Vec::new();
    for (id, end) in [
        ("guarded", "if __name__ == '__main__': unittest.main()"),
        ("bare", "unittest.main()"),
        ("goes-on", "unittest.main(argv=['t'], exit=False)"),
    ] {
        let code = format!("import unittest\n{test}{end}");
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
