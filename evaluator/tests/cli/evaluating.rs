//! Test code that evaluates what the candidate gave: that may compute, and reach for nothing in the test code's process.

use crate::lab::{examined, judged};

#[test]
fn an_evaluated_text_computes_and_no_more() {
    let game = "assert eval(candidate(1)) == 24";
    let made = "ns = {}\nexec(candidate(1), ns)\nassert ns['g'](2) == 4";
    let gives = |text: &str| format!("def f(x): return {text:?}");
    insta::assert_snapshot!(judged(&[
        examined("right", &gives("(1 + 5) * 4"), game),
        examined("wrong", &gives("(1 + 5) * 3"), game),
        examined("exits", &gives("exit()"), game),
        examined("exits-by-import", &gives("__import__('sys').exit(0)"), game),
        examined("tells", &gives("__import__('mc_harness.proxy.link.ending', fromlist=['x']).conclude(passed=True) or __import__('os')._exit(0)"), game),
        examined("equals-all", &gives("type('X', (), {'__eq__': lambda s, o: True})()"), game),
        examined("frames", &gives("(g := (g.gi_frame.f_back.f_back for g in [1]), 24)[1]"), game),
        examined("by-format", &gives("'{0.__class__}'.format(1) and 24"), game),
        examined("parts", "def f(x): return ['ex', 'it()']", "assert eval(''.join(candidate(1))) == 24"),
        examined("longer-parts", "def f(x): return ['__imp', 'ort__(\"o', 's\")._ex', 'it(0)']", "assert eval(''.join(candidate(1))) == 24"),
        examined("parts-right", "def f(x): return ['2', '4']", "assert eval(''.join(candidate(1))) == 24"),
        examined("function", &gives("import math\nclass A:\n    def __init__(self, x): self.x = x\ndef g(x): return math.floor(A(x).x * 2.0)"), made),
        examined("function-wrong", &gives("def g(x): return x"), made),
        examined("raises", &gives("raise SystemExit"), made),
        examined("function-exits", &gives("import sys\ndef g(x): sys.exit()"), made),
        examined("class-equals-all", &gives("class A:\n    def __eq__(self, o): return True\ndef g(x): return A()"), made),
        examined("patches", &gives("import builtins\nbuiltins.sum = None\ndef g(x): return 4"), made),
        examined("compiled", &gives("exit()"), "assert eval(compile(candidate(1), 'x', 'eval')) == 24"),
        examined("tree", &gives("exit()"), "import ast\nassert eval(compile(ast.parse(candidate(1), mode='eval'), 'x', 'eval')) == 24"),
        examined("read-only", &gives("import os"), "import ast\nassert isinstance(ast.parse(candidate(1)).body[0], ast.Import)"),
        examined("own-library", "def f(x): return 'import os, sys, inspect; abcdefghijklmnopqrstuvwxyz_'", "assert len(candidate(1)) == 52\nfrom dataclasses import dataclass\n@dataclass\nclass P: x: int\nimport doctest\nassert eval('P(1)') == P(1)"),
        examined("own-text", "def f(x): return x", "exec('import os, sys')\nassert eval('candidate(os.sep)') == '/'\nfrom collections import namedtuple\nassert namedtuple('P', candidate('x y'))(1, 2).y == 2"),
    ]), @r"
    right accepted 1/1 [accepted assertions shielded=true]
    wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    exits wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses exit]
    exits-by-import wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses __import__]
    tells wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses __import__]
    equals-all wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses type]
    frames wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses gi_frame]
    by-format wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses {0.__class__}]
    parts wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses exit]
    longer-parts wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses __import__]
    parts-right accepted 1/1 [accepted assertions shielded=true]
    function accepted 1/1 [accepted assertions shielded=true]
    function-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    raises wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses SystemExit]
    function-exits wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses sys]
    class-equals-all wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses __eq__]
    patches wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses builtins]
    compiled wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses exit]
    tree wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses exit]
    read-only accepted 1/1 [accepted assertions shielded=true]
    own-library accepted 1/1 [accepted assertions shielded=true]
    own-text accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn an_evaluated_text_changes_nothing_of_the_libraries() {
    let made = |check: &str| format!("ns = {{}}\nexec(candidate(1), ns)\nassert {check}");
    let gives = |text: &str| format!("def f(x): return {text:?}");
    let (close, twice) = (
        made("math.isclose(ns['g'](2), 4)"),
        "ns = {}\nexec(candidate(1), ns)\nassert ns['P'](2).twice() == 4",
    );
    let close = format!("import math, json, copy\n{close}");
    insta::assert_snapshot!(judged(&[
        examined("right", &gives("import math\ndef g(x): return math.fsum([x, x])"), &close),
        examined("wrong", &gives("import math\ndef g(x): return math.fsum([x])"), &close),
        examined("module", &gives("import math\nmath.isclose = lambda *a: True\ndef g(x): return 9"), &close),
        examined("alias", &gives("import math\nm = [math][0]\nm.isclose = lambda *a: True\ndef g(x): return 9"), &close),
        examined("as-self", &gives("import math\nclass A:\n    def p(self): self.isclose = lambda *a: True\nA.p(math)\ndef g(x): return 9"), &close),
        examined("later", &gives("import math\ndef g(x):\n    math.isclose = lambda *a: True\n    return 9"), &close),
        examined("deleted", &gives("import math\ndel math.isclose\ndef g(x): return 9"), &close),
        examined("loop", &gives("import math\nfor math.isclose in [max]: pass\ndef g(x): return 9"), &close),
        examined("held", &gives("import copy\ncopy._deepcopy_dispatch[int] = max\ndef g(x): return 9"), &close),
        examined("class", &gives("from fractions import Fraction\nFraction.limit_denominator = lambda *a: 4\ndef g(x): return Fraction(9)"), &made("ns['g'](2).limit_denominator(5) == 4")),
        examined("own-class", &gives("class P:\n    def __init__(self, x): self.x, self.value = x, x\n    def twice(self):\n        self.x *= 2\n        return self.x"), twice),
        examined("own-class-wrong", &gives("class P:\n    def __init__(self, x): self.x = x\n    def twice(self): return self.x"), twice),
    ]), @r"
    right accepted 1/1 [accepted assertions shielded=true]
    wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    module wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses isclose]
    alias wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses isclose]
    as-self wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses isclose]
    later wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses isclose]
    deleted wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses isclose]
    loop wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses isclose]
    held wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses _deepcopy_dispatch]
    class wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses limit_denominator]
    own-class accepted 1/1 [accepted assertions shielded=true]
    own-class-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}

#[test]
fn an_evaluated_text_does_not_see_what_is_expected() {
    let gives = |text: &str| format!("def f(x): return {text:?}");
    let pairs =
        "for case, expected in ((1, 24), (2, 10)):\n    assert eval(candidate(case)) == expected";
    let (local, walrus) = (
        "def check(n):\n    assert eval(candidate(n)) == n\ncheck(24)",
        "target = 24\nassert eval(candidate(target)) == target",
    );
    let (bound, reference) = (
        "target = 24\nexec(candidate(target))\nassert r == target",
        "def ref(n): return n * 2\nassert eval(candidate(2)) == ref(2)",
    );
    let (mutable, builtin) = (
        "xs = [1, 2]\nassert eval(candidate(1)) == sum(xs)",
        "exec(candidate(2))\nassert abs(g(2) - 4) < 1",
    );
    let told = "x = 3\nassert eval(candidate('2*x')) == 6";
    let apart = "result = {}\nexec(candidate(2), result)\nassert result['total'] == 4";
    let given =
        "moves = []\ndef move(n): moves.append(n)\nexec(candidate(2))\nassert moves == [1, 2]";
    let imports = "from typing import List\nimport math\nexec(candidate(2))\nassert g([4.0]) == math.sqrt(16.0)";
    insta::assert_snapshot!(judged(&[
        examined("read", &gives("expected"), pairs),
        examined("read-right", "def f(x): return '12 * 2' if x == 1 else '5 + 5'", pairs),
        examined("read-local", &gives("n"), local),
        examined("read-in-a-comprehension", &gives("[n for _ in [1]][0]"), local),
        examined("local-right", &gives("4 * 6"), local),
        examined("walrus", &gives("(target := 5)"), walrus),
        examined("bound", &gives("target = 5\nr = 5"), bound),
        examined("bound-globally", &gives("def g():\n    global target\n    target = 5\ng()\nr = 5"), bound),
        examined("bound-right", &gives("r = 24"), bound),
        examined("reference", &gives("ref(2)"), reference),
        examined("changed", &gives("[xs.clear(), 0][1]"), mutable),
        examined("mutable-right", &gives("1 + 2"), mutable),
        examined("builtin", &gives("def abs(x): return 0\ndef g(x): return 9"), builtin),
        examined("builtin-right", &gives("def g(x):\n    max = x * 2\n    return max"), builtin),
        examined("import-as", &gives("import statistics as math\ndef g(x): return 9"), imports),
        examined("import-right", &gives("from typing import List\nimport math\ndef g(x: List): return x[0]"), imports),
        examined("told", "def f(x): return x", told),
        examined("told-wrong", "def f(x): return x + '+1'", told),
        examined("apart", &gives("result = 4\ntotal = result"), apart),
        examined("apart-wrong", &gives("result = 5\ntotal = result"), apart),
        examined("given-function", &gives("move(1)\nmove(2)"), given),
        examined("given-function-wrong", &gives("move(1)\nmove(3)"), given),
    ]), @r"
    read wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses expected]
    read-right accepted 1/1 [accepted assertions shielded=true]
    read-local wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses n]
    read-in-a-comprehension wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses n]
    local-right accepted 1/1 [accepted assertions shielded=true]
    walrus wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses target]
    bound wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses target]
    bound-globally wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses target]
    bound-right accepted 1/1 [accepted assertions shielded=true]
    reference wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses ref]
    changed wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses xs]
    mutable-right accepted 1/1 [accepted assertions shielded=true]
    builtin wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses abs]
    builtin-right accepted 1/1 [accepted assertions shielded=true]
    import-as wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses math]
    import-right accepted 1/1 [accepted assertions shielded=true]
    told accepted 1/1 [accepted assertions shielded=true]
    told-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    apart accepted 1/1 [accepted assertions shielded=true]
    apart-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    given-function accepted 1/1 [accepted assertions shielded=true]
    given-function-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}

#[test]
fn what_was_pickled_is_data() {
    let test = "import pickle\nassert pickle.loads(candidate(1)) == {'a': 1}";
    insta::assert_snapshot!(judged(&[
        examined("right", "import pickle\ndef f(x): return pickle.dumps({'a': 1})", test),
        examined("wrong", "import pickle\ndef f(x): return pickle.dumps({'a': 2})", test),
        examined("exits", "def f(x): return b'csys\\nexit\\n(I0\\ntR.'", test),
        examined("equals-all", "def f(x): return b'cunittest.mock\\nANY\\n.'", test),
        examined("own", "def f(x): return x", "import pickle\nfrom fractions import Fraction\nimport zoneinfo\nassert pickle.loads(candidate(pickle.dumps(Fraction(1, 2)))) == Fraction(1, 2)"),
    ]), @r"
    right accepted 1/1 [accepted assertions shielded=true]
    wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    exits wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses sys.exit]
    equals-all wrong_answer 0/1 [wrong_answer shielded=true the test code evaluates what it gave back, and that uses unittest.mock.ANY]
    own accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn test_code_leaves_by_itself() {
    insta::assert_snapshot!(judged(&[
        examined("exit", "def f(x): return 2", "import sys\nassert candidate(1) == 2\nsys.exit(0)"),
        examined("quit", "def f(x): return 2", "def main():\n    assert candidate(1) == 2\n    quit()\nmain()"),
        examined("raise", "def f(x): return 2", "import asyncio\nasync def main():\n    assert candidate(1) == 2\n    raise SystemExit\nasyncio.run(main())"),
        examined("reraise", "def f(x): return 2", "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(candidate(1), 2)\ntry: unittest.main()\nexcept SystemExit: raise"),
        examined("reraise-wrong", "def f(x): return 3", "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(candidate(1), 2)\ntry: unittest.main()\nexcept SystemExit: raise"),
        examined("by-a-library", "def f(x): return ['--help']", "import argparse\np = argparse.ArgumentParser()\nassert p.parse_args(candidate(1)).x == 3"),
    ]), @r"
    exit accepted 1/1 [accepted assertions shielded=true]
    quit accepted 1/1 [accepted assertions shielded=true]
    raise accepted 1/1 [accepted assertions shielded=true]
    reraise accepted 1/1 [accepted assertions shielded=true]
    reraise-wrong wrong_answer 0/1 [wrong_answer shielded=true T.test: AssertionError: 3 != 2]
    by-a-library wrong_answer 0/1 [wrong_answer shielded=true SystemExit: 0]
    ");
}
