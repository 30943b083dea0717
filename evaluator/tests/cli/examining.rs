//! Test code of many styles: it decides by what the candidate does, or it decides nothing.

use serde_json::json;

use crate::lab::{Lab, examined, function, judged, named, script, with};

const WRONG: &str = "def f(x): return 99";

#[test]
fn test_code_runs_as_a_script() {
    let main = "if __name__ == '__main__':\n    assert candidate(1) == 2";
    let runner = "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        \
                  self.assertEqual(candidate(1), 2)\nunittest.main()";
    insta::assert_snapshot!(judged(&[
        examined("main-right", "def f(x): return 2", main),
        examined("main-wrong", WRONG, main),
        examined("runner-right", "def f(x): return 2", runner),
        examined("runner-wrong", WRONG, runner),
    ]), @r#"
    main-right accepted 1/1 [accepted assertions shielded=true]
    main-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    runner-right accepted 1/1 [accepted assertions shielded=true]
    runner-wrong wrong_answer 0/1 [wrong_answer shielded=true T.test: AssertionError: 99 != 2]
    "#);
}

#[test]
fn test_code_that_asks_nothing_decides_nothing() {
    let never = "def test_f():\n    assert candidate(1) == 2";
    let coroutine = "async def check():\n    assert candidate(1) == 2\ncheck()";
    let leaves = "import os\nif candidate(1):\n    os._exit(0)\nassert candidate(1) == 2";
    insta::assert_snapshot!(judged(&[
        examined("never-called", WRONG, never),
        examined("never-awaited", WRONG, coroutine),
        examined("leaves", WRONG, leaves),
        named("only-looked-for", WRONG, "assert f is not None"),
    ]), @r"
    never-called judge_failed 0/1 [judge_failed the test code never uses the candidate (tests that are only defined are not run)]
    never-awaited judge_failed 0/1 [judge_failed the test code never uses the candidate (tests that are only defined are not run)]
    leaves runtime_error 0/1 [runtime_error shielded=true the test code exited before its end]
    only-looked-for judge_failed 0/1 [judge_failed the test code never uses the candidate (tests that are only defined are not run)]
    ");
}

#[test]
fn what_the_candidate_has_under_a_name_is_what_test_code_sees() {
    let color = "class Color:\n    RED, BLUE = object(), 1\n";
    let counts = "n = 0\ndef tick():\n    global n\n    n += 1\n";
    insta::assert_snapshot!(judged(&[
        named("true", "READY = True", "assert READY"),
        named("false", "READY = False", "assert READY"),
        named("lacking", "", "assert READY"),
        named("equal", "MAX = 3", "assert MAX == 3"),
        named("unequal", "MAX = 3", "assert MAX != 3"),
        named("of-a-class", "class Stack:\n    SIZE = 3", "assert Stack.SIZE == 3"),
        named("differs", color, "assert Color.RED != Color.BLUE"),
        named("changed-by-a-call", counts, "tick()\ntick()\nassert n == 2"),
        named("method-of-a-global", "class S:\n    def top(self): return 1\ns = S()", "assert s.top() == 1"),
    ]), @r"
    true accepted 1/1 [accepted assertions shielded=true]
    false wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    lacking runtime_error 0/1 [runtime_error shielded=true NameError: name 'READY' is not defined]
    equal accepted 1/1 [accepted assertions shielded=true]
    unequal wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    of-a-class accepted 1/1 [accepted assertions shielded=true]
    differs accepted 1/1 [accepted assertions shielded=true]
    changed-by-a-call accepted 1/1 [accepted assertions shielded=true]
    method-of-a-global accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn test_code_that_excepts_everything_saves_no_candidate() {
    let raises =
        "try:\n    candidate(-1)\nexcept:\n    pass\nelse:\n    raise AssertionError('no error')";
    let counts = "failed = 0\ntry:\n    failed += candidate(1) != 2\nexcept BaseException:\n    pass\nassert failed == 0";
    let live =
        "try:\n    r = candidate(compile('1', '', 'eval'))\nexcept:\n    r = 2\nassert r == 2";
    insta::assert_snapshot!(judged(&[
        examined("raises", "def f(x): raise ValueError(x)", raises),
        examined("gives-an-object", "class A: pass\ndef f(x): return A()", raises),
        examined("leaves-in-a-call", "import os\ndef f(x): os._exit(0)", raises),
        examined("leaves-at-once", "import os\nos._exit(0)", counts),
        examined("passes-an-object", "def f(g): return 1", live),
    ]), @r"
    raises accepted 1/1 [accepted assertions shielded=true]
    gives-an-object wrong_answer 0/1 [wrong_answer shielded=true AssertionError: no error]
    leaves-in-a-call runtime_error 0/1 [runtime_error shielded=true the program ended before its tests did]
    leaves-at-once runtime_error 0/1 [runtime_error shielded=true the program ended before its tests did]
    passes-an-object judge_failed 0/1 [judge_failed the test code cannot be kept apart from the candidate: the test code passes a live object of type code; --allow-unshielded runs them together]
    ");
}

#[test]
fn functions_with_known_names_are_the_candidates() {
    let largest = "assert max([1, 2, 3]) == 3";
    insta::assert_snapshot!(judged(&[
        named("builtin-right", "def max(a): return sorted(a)[-1]", largest),
        named("builtin-wrong", "def max(a): return -1", largest),
        named("builtin-lacking", "", largest),
        named("expected-name", "def count(a, x): return sum(y == x for y in a)", "assert count([1, 1, 2], 1) == 2"),
        named("expected-import", "from math import gcd", "assert gcd(4, 6) == 2"),
        with(named("expected-lent", "x = gcd", "assert gcd(4, 6) == 2"), "prelude", json!("leetcode")),
    ]), @r#"
    builtin-right accepted 1/1 [accepted assertions shielded=true]
    builtin-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    builtin-lacking runtime_error 0/1 [runtime_error shielded=true NameError: the program does not define 'max']
    expected-name accepted 1/1 [accepted assertions shielded=true]
    expected-import accepted 1/1 [accepted assertions shielded=true]
    expected-lent runtime_error 0/1 [runtime_error shielded=true NameError: name 'gcd' is not defined]
    "#);
}

#[test]
fn instances_are_asked_by_their_methods_and_never_compared() {
    let class =
        "class Find:\n    def __init__(self, x): pass\n    def __eq__(self, other): return True";
    let stack = "class Stack(list):\n    def push(self, x): self.append(x)";
    let linked = "class N:\n    value = 1\nclass L:\n    def __init__(self): self.head = N()";
    let circle = "class Circle:\n    def __init__(self, r): self.r = r\n    \
                  @staticmethod\n    def of(x): return x * 2\n    @classmethod\n    def name(cls): return cls.__name__";
    insta::assert_snapshot!(judged(&[
        named("compared", class, "assert Find(1) == 1"),
        named("length", stack, "s = Stack()\ns.push(1)\nassert len(s) == 1 and 1 in s and s[0] == 1 and list(s) == [1]"),
        named("path", linked, "l = L()\nassert l.head.value == 1"),
        named("static", circle, "assert Circle.of(2) == 4 and Circle.name() == 'Circle'"),
        named("own-names", "class S:\n    _name = 'n'\n    def used(self): return 1", "s = S()\nassert s.used() == 1 and s._name == 'n'"),
        named("derived", stack, "class Mine(Stack): pass\nassert Mine().push(1) is None"),
    ]), @r#"
    compared runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    length accepted 1/1 [accepted assertions shielded=true]
    path accepted 1/1 [accepted assertions shielded=true]
    static accepted 1/1 [accepted assertions shielded=true]
    own-names accepted 1/1 [accepted assertions shielded=true]
    derived accepted 1/1 [accepted assertions shielded=true]
    "#);
}

#[test]
fn arguments_stay_the_test_codes_own() {
    let clone = "a = [1, 2]\nb = candidate(a)\nassert a == b and b is not a";
    let nested =
        "g = [[1], [2]]\nfirst = g[0]\ncandidate(g)\nassert first == [9] and g == [[9], [2]]";
    insta::assert_snapshot!(judged(&[
        examined("copies", "def f(x): return list(x)", clone),
        examined("gives-back", "def f(x): return x", clone),
        examined("nested", "def f(g): g[0][0] = 9", nested),
        examined("bytes", "def f(b): b.append(1)", "b = bytearray()\ncandidate(b)\nassert b == b'\\x01'"),
    ]), @r#"
    copies accepted 1/1 [accepted assertions shielded=true]
    gives-back wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    nested accepted 1/1 [accepted assertions shielded=true]
    bytes accepted 1/1 [accepted assertions shielded=true]
    "#);
}

#[test]
fn names_that_test_code_binds_too_are_lent_where_it_reads_them_first() {
    let pi = "pi = 3\ndef f(r): return pi * r * r";
    insta::assert_snapshot!(judged(&[
        named("before", "def total(a): return sum(a)", "total = total([1, 2])\nassert total == 3"),
        named("in-a-class", "def add(a, b): return a + b", "class T:\n    add = staticmethod(add)\nassert T.add(1, 2) == 3"),
        named("star", pi, "from math import *\nassert abs(f(1) - pi) < 1e-9"),
    ]), @r#"
    before accepted 1/1 [accepted assertions shielded=true]
    in-a-class accepted 1/1 [accepted assertions shielded=true]
    star wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    "#);
}

#[test]
fn the_candidate_may_be_imported() {
    let kodcode = |id: &str, solution: &str, test: &str| json!({"question_id": id, "question": "Do.", "solution": solution, "test": test});
    let adds = "LIMIT = 5\nclass Full(Exception): pass\ndef add(a, b):\n    if a > LIMIT: raise Full('x')\n    return a + b";
    let module = "import solution\ndef test_a():\n    assert solution.add(1, 2) == 3\n    assert solution.LIMIT == 5";
    let renamed = "import pytest\nimport solution as s\ndef test_a():\n    assert s.add(1, 2) == 3\n    with pytest.raises(s.Full):\n        s.add(6, 1)";
    let all = "from solution import *\ndef test_a():\n    assert add(1, 2) == 3";
    let lacking = "import solution\ndef test_a():\n    try:\n        solution.minus(1, 2)\n    except Exception:\n        pass\n    assert solution.add(1, 2) == 3";
    insta::assert_snapshot!(judged(&[
        kodcode("module", adds, module),
        kodcode("module-wrong", &adds.replace("a + b", "a"), module),
        kodcode("module-other-limit", &adds.replace("= 5", "= 6"), module),
        kodcode("module-lacking", "def sub(a, b): return 3", module),
        kodcode("renamed", adds, renamed),
        kodcode("renamed-wrong", &adds.replace("raise Full('x')", "return 7"), renamed),
        kodcode("all", adds, all),
        kodcode("all-wrong", &adds.replace("a + b", "a"), all),
        kodcode("lacking", adds, lacking),
        examined("own", "def f(x): return 2", "import solution\nassert solution.f(1) == 2"),
        examined("unasked", "def f(x): return 2", "import solution\nassert solution.f is not None"),
        examined("sets", "def f(x): return 2", "import solution\nsolution.LIMIT = 3\nassert solution.f(1) == 2"),
    ]), @r"
    module#0 accepted 1/1 [accepted assertions shielded=true]
    module-wrong#0 wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    module-other-limit#0 wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    module-lacking#0 runtime_error 0/1 [runtime_error shielded=true the program does not define 'add']
    renamed#0 accepted 1/1 [accepted assertions shielded=true]
    renamed-wrong#0 wrong_answer 0/1 [wrong_answer shielded=true AssertionError: Failed: DID NOT RAISE]
    all#0 accepted 1/1 [accepted assertions shielded=true]
    all-wrong#0 wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    lacking#0 accepted 1/1 [accepted assertions shielded=true]
    own accepted 1/1 [accepted assertions shielded=true]
    unasked judge_failed 0/1 [judge_failed the test code never uses the candidate (tests that are only defined are not run)]
    sets accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn test_code_that_cannot_run_decides_nothing() {
    let runner = "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(f(1), 2)\n";
    let quiet = format!("{runner}unittest.main(argv=[''], exit=False)");
    insta::assert_snapshot!(judged(&[
        examined("import", WRONG, "from nowhere import f\nassert f(1) == 2"),
        named("constant", "f = [2, 2]", runner),
        named("quiet-right", "def f(x): return 2", &quiet),
        named("quiet-wrong", WRONG, &quiet),
        examined("alarm", "import time\ndef f(x):\n    time.sleep(1.3)\n    return x",
            "import signal\nclass Late(Exception): pass\ndef late(*_): raise Late\nsignal.signal(signal.SIGALRM, late)\n\
             signal.alarm(1)\ntry:\n    candidate(1)\nexcept Late:\n    pass\nassert candidate(2) == 2"),
    ]), @r"
    import judge_failed 0/1 [judge_failed the test code cannot run: ModuleNotFoundError: No module named 'nowhere']
    constant judge_failed 0/1 [judge_failed the test code never uses the candidate (tests that are only defined are not run)]
    quiet-right accepted 1/1 [accepted assertions shielded=true]
    quiet-wrong wrong_answer 0/1 [wrong_answer shielded=true T.test: AssertionError: 99 != 2]
    alarm accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn modules_in_assertions_are_not_the_candidates() {
    let close = "assert math.isclose(f(1), 3.0)";
    let forged = "class math:\n    isclose = staticmethod(lambda a, b: True)\n";
    insta::assert_snapshot!(judged(&[
        named("right", "import math\ndef f(x): return 3.0", close),
        named("forged", &format!("{forged}def f(x): return 0.0"), close),
    ]), @r#"
    right accepted 1/1 [accepted assertions shielded=true]
    forged wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    "#);
}

#[test]
fn what_a_program_says_of_itself_is_cut() {
    let long = "class A: pass\nA.__name__ = 'x' * 30_000_000\n";
    let solutions = [
        function(
            "call",
            &format!("{long}def f(x): return A()"),
            json!([1]),
            json!(1),
        ),
        examined(
            "assert",
            &format!(
                "{long}class B(A, Exception): pass\nB.__name__ = A.__name__\ndef f(x): raise B('y' * 9_000_000)"
            ),
            "assert candidate(1) == 2",
        ),
    ];
    for verdict in Lab::new().judge(&solutions, &[]) {
        let line = verdict.to_string();
        assert!(line.len() < 8000, "{} bytes: {}", line.len(), &line[..500]);
        assert_ne!(verdict["verdict"], "accepted");
    }
}

/// The kernel ends a process that compiles a list of millions; that is no reason to call the next program's end a lack of
/// memory.
#[test]
fn memory_that_a_compilation_took_is_not_charged_to_the_next_program() {
    let bomb = format!("a = [{}]", "x,".repeat(6_000_000));
    let dies = "import os\nos.kill(os.getpid(), 9)";
    let solutions = [("bomb", &bomb[..]), ("dies", dies)]
        .map(|(id, code)| with(script(id, code, &[("", "1\n")]), "memory_limit", json!(16)));
    let verdicts = Lab::new().judge(&solutions, &["--workers", "1"]);
    assert_ne!(verdicts[0]["verdict"], "accepted");
    assert_eq!(verdicts[1]["verdict"], "runtime_error", "{}", verdicts[1]);
}

/// The candidate is compiled by then; it need not live any longer.
#[test]
fn a_candidate_that_takes_all_memory_while_the_test_code_compiles_has_failed() {
    let bomb = format!("a = [{}]\ndef f(x): return 2", "x,".repeat(6_000_000));
    let table = format!("def f(x): return [{}][x]", "2,".repeat(2_000_000));
    let compiles = format!("b = [{}]\nassert candidate(1) == 2", "0,".repeat(100_000));
    for code in [&bomb, &table] {
        for memory in [16, 64, 200] {
            let row = with(
                examined("row", code, &compiles),
                "memory_limit",
                json!(memory),
            );
            let verdicts = Lab::new().judge(&[row], &["--workers", "1"]);
            assert_ne!(verdicts[0]["verdict"], "judge_failed", "{}", verdicts[0]);
        }
    }
}

#[test]
fn collections_and_exceptions_cross_as_what_they_are() {
    let import = "from collections import *\n";
    let named_tuple = format!("{import}P = namedtuple('P', 'x y')\n");
    let kinds = "class Base(ValueError): pass\nclass Low(Base): pass\n";
    let raised = format!("{kinds}def f(x): raise Low(x, 'low')");
    let caught = |what: &str| {
        format!(
            "try:\n    f(1)\nexcept {what} as e:\n    assert e.args == (1, 'low')\nelse:\n    assert False"
        )
    };
    insta::assert_snapshot!(judged(&[
        examined("counter", "def f(c): return c.most_common(1)", &format!("{import}assert candidate(Counter('aab')) == [('a', 2)]")),
        examined("ordered", "def f(d): return d.popitem(last=False)", &format!("{import}assert candidate(OrderedDict(a=1, b=2)) == ('a', 1)")),
        examined("default", "def f(d): return d[7] + d[8]", &format!("{import}d = defaultdict(list)\nassert candidate(d) == []\nassert set(d) == {{7, 8}}")),
        examined("named-in", "def f(p): return p.x + p.y", &format!("{named_tuple}assert candidate(P(1, 2)) == 3")),
        examined("named-out", &format!("{named_tuple}def f(x): return P(x, 2)"), "r = candidate(1)\nassert r == (1, 2) and r.y == 2"),
        examined("in-place", "def f(d): d.rotate(1)", &format!("{import}d = deque([1, 2])\ncandidate(d)\nassert d == deque([2, 1])")),
        examined("other-subclass", "def f(e): return e.name", "import enum\nclass E(enum.IntEnum):\n    A = 1\nassert candidate(E.A) == 'A'"),
        examined("key-error", "def f(d): return d['k']", "try:\n    candidate({})\nexcept KeyError as e:\n    assert e.args[0] == 'k'"),
        named("own", &raised, &caught("Low")),
        named("own-base", &raised, &caught("Base")),
        named("builtin-base", &raised, &caught("ValueError")),
        named("another", &format!("{raised}\nclass Other(Exception): pass"), &caught("Other")),
    ]), @r#"
    counter accepted 1/1 [accepted assertions shielded=true]
    ordered accepted 1/1 [accepted assertions shielded=true]
    default accepted 1/1 [accepted assertions shielded=true]
    named-in accepted 1/1 [accepted assertions shielded=true]
    named-out accepted 1/1 [accepted assertions shielded=true]
    in-place accepted 1/1 [accepted assertions shielded=true]
    other-subclass accepted 1/1 [accepted assertions shielded=true]
    key-error accepted 1/1 [accepted assertions shielded=true]
    own accepted 1/1 [accepted assertions shielded=true]
    own-base accepted 1/1 [accepted assertions shielded=true]
    builtin-base accepted 1/1 [accepted assertions shielded=true]
    another runtime_error 0/1 [runtime_error shielded=true Low: (1, 'low')]
    "#);
}

/// A candidate that leaves a file behind is compiled again for the next test, as part of that.
#[test]
fn compiling_again_is_held_to_the_time_of_a_test() {
    let long = format!("def g(y):\n{}", "    y = [y + 1, y * 2]\n".repeat(60_000));
    let leaves = "def f(x):\n    open('/tmp/left', 'w').close()\n    return 1\n";
    let tests = json!([{"code": "assert candidate(1) == 1"}, {"code": "assert candidate(2) == 1"}]);
    let limited = |id: &str, code: &str| {
        let solution = with(examined(id, code, ""), "tests", tests.clone());
        with(solution, "time_limit", json!(0.2))
    };
    let short = limited("short", leaves);
    let long = limited("long", &format!("{leaves}{long}"));
    insta::assert_snapshot!(judged(&[short, long]), @r"
    short accepted 2/2 [accepted assertions shielded=true, accepted assertions shielded=true]
    long compile_error 0/2 []
    ");
}
