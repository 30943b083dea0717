//! What test code hands to the candidate: functions, and what is changed in place.

use crate::lab::{Lab, examined, judged, named, outline};

const MAPS: &str = "def f(g, xs): return [g(x) for x in xs]";
const FORGETS: &str = "def f(g, xs): return [g(x) for x in xs[1:]]";

#[test]
fn functions_that_keep_nothing_are_handed_over() {
    let right = |id: &str, test: &str| examined(id, MAPS, test);
    let wrong = |id: &str, test: &str| examined(id, FORGETS, test);
    let math = "import math\nassert candidate(lambda x: math.sqrt(x), [9]) == [3.0]";
    let constant = "K = 3\nassert candidate(lambda x: x * K, [2]) == [6]";
    let closure = "def check(candidate, k):\n    step = 1\n    def up(x): return x * k + step\n    \
                   assert candidate(up, [2]) == [7]\ncheck(candidate, 3)";
    let helpers = "def even(n): return n == 0 or odd(n - 1)\ndef odd(n): return n > 0 and even(n - 1)\n\
                   assert candidate(even, [4, 5]) == [True, False]";
    let asks = "known = (3,)\nassert candidate(lambda x: isinstance(x, int) and type(x) is int and x not in known, [1, 3]) == [True, False]";
    let decorator = "@candidate\ndef add(a, b=2, *, c=3):\n    'Adds.'\n    return a + b + c\n\
                     assert add(1) == 6 and add(1, 1, c=1) == 3 and add.__doc__ == 'Adds.'";
    insta::assert_snapshot!(judged(&[
        right("method", "assert candidate(str.upper, ['a']) == ['A']"),
        wrong("method-wrong", "assert candidate(str.upper, ['a']) == ['A']"),
        right("bound", "assert candidate(' '.join, [['a', 'b']]) == ['a b']"),
        right("getter", "from operator import itemgetter\nassert candidate(itemgetter(1), [(1, 2)]) == [2]"),
        right("partial", "from functools import partial\nassert candidate(partial(pow, 2), [3]) == [8]"),
        right("math", math),
        wrong("math-wrong", math),
        right("constant", constant),
        wrong("constant-wrong", constant),
        right("closure", closure),
        wrong("closure-wrong", closure),
        right("helpers", helpers),
        wrong("helpers-wrong", helpers),
        right("asks", asks),
        wrong("asks-wrong", asks),
        examined("decorator", "def f(g): return lambda *a, **k: g(*a, **k)", "@candidate\ndef add(a, b): return a + b\nassert add(1, 2) == 3"),
        examined("decorator-wrong", "def f(g): return lambda *a, **k: g(*a, **k) + 1", "@candidate\ndef add(a, b): return a + b\nassert add(1, 2) == 3"),
        examined("itself", "def f(g): return g", decorator),
        named("same", "class Bus:\n    def __init__(self): self.all = []\n    def on(self, g): self.all.append(g)\n    def off(self, g): self.all.remove(g)\n    def count(self): return len(self.all)",
            "def g(x): return x\nbus = Bus()\nbus.on(g)\nassert bus.count() == 1\nbus.off(g)\nassert bus.count() == 0"),
    ]), @r"
    method accepted 1/1 [accepted assertions shielded=true]
    method-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    bound accepted 1/1 [accepted assertions shielded=true]
    getter accepted 1/1 [accepted assertions shielded=true]
    partial accepted 1/1 [accepted assertions shielded=true]
    math accepted 1/1 [accepted assertions shielded=true]
    math-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    constant accepted 1/1 [accepted assertions shielded=true]
    constant-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    closure accepted 1/1 [accepted assertions shielded=true]
    closure-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    helpers accepted 1/1 [accepted assertions shielded=true]
    helpers-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    asks accepted 1/1 [accepted assertions shielded=true]
    asks-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    decorator accepted 1/1 [accepted assertions shielded=true]
    decorator-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    itself accepted 1/1 [accepted assertions shielded=true]
    same accepted 1/1 [accepted assertions shielded=true]
    ");
}

/// What a function keeps in the test code, a copy of it would not change there.
#[test]
fn functions_that_keep_something_are_called_where_they_are() {
    let right = |id: &str, test: &str| examined(id, MAPS, test);
    insta::assert_snapshot!(judged(&[
        right("list", "calls = []\nassert candidate(lambda x: calls.append(x), [1]) == [None]\nassert calls == [1]"),
        right("bound", "calls = []\ncandidate(calls.append, [1])\nassert calls == [1]"),
        right("counter", "n = 0\ndef g(x):\n    global n\n    n += 1\n    return n\nassert candidate(g, [1, 1]) == [1, 2] and n == 2"),
        right("closure", "def check(candidate):\n    n = 0\n    def g(x):\n        nonlocal n\n        n += x\n        return n\n    assert candidate(g, [1, 1]) == [1, 2] and n == 2\ncheck(candidate)"),
        right("bound-twice", "k = 2\ndef g(x): return x * k\nk = 3\nassert candidate(g, [1]) == [3]"),
        right("loop", "for k in (1, 2):\n    assert candidate(lambda x: x * k, [1]) == [k]"),
        examined("secret", "def f(g): return g.__globals__['SECRET']", "SECRET = 37\ndef g(x): return (x > SECRET) - (x < SECRET)\nassert candidate(g) == SECRET"),
        right("class", "class Point:\n    def __init__(self, x): self.x = x\nassert len(candidate(Point, [1])) == 1"),
        right("attribute", "def g(x): return x\ng.calls = 1\nassert candidate(g, [1]) == [1]"),
        right("generator", "seen = []\ndef g(x): yield seen.append(x)\nassert len(candidate(g, [1])) == 1"),
    ]), @r"
    list accepted 1/1 [accepted assertions shielded=true]
    bound accepted 1/1 [accepted assertions shielded=true]
    counter accepted 1/1 [accepted assertions shielded=true]
    closure accepted 1/1 [accepted assertions shielded=true]
    bound-twice accepted 1/1 [accepted assertions shielded=true]
    loop accepted 1/1 [accepted assertions shielded=true]
    secret runtime_error 0/1 [runtime_error shielded=true KeyError: 'SECRET']
    class accepted 1/1 [accepted assertions shielded=true]
    attribute accepted 1/1 [accepted assertions shielded=true]
    generator accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn what_holds_others_is_changed_in_place() {
    let array =
        "import numpy as np\nx = np.array([1, 2])\ncandidate(x)\nassert x.tolist() == [2, 4]";
    let reference = "import numpy as np\nx = np.array([1.0, 2.0])\nassert candidate(x) == x.sum()";
    let (typed, tuple) = (
        "import array\nx = array.array('i', [1, 2])\ncandidate(x)\nassert x.tolist() == [9, 2]",
        "x = [1]\ncandidate((x, 2))\nassert x == [1, 9]",
    );
    let holder = "from collections import UserList\nx = UserList([1])\ncandidate(x)\nassert list(x) == [1, 9]";
    let python = crate::numpy::python().to_str().expect("a plain path");
    let rows = [
        examined("array", "def f(a): a *= 2", array),
        examined("array-wrong", "def f(a): a += 2", array),
        examined("array-copied", "def f(a): a = a * 2", array),
        examined(
            "array-emptied",
            "def f(a):\n    a[:] = 0\n    return 0.0",
            reference,
        ),
        examined("array-summed", "def f(a): return a.sum()", reference),
        examined(
            "array-of-its-own",
            "import numpy as np\ndef f(n): return np.arange(n)",
            "a = candidate(3)\nassert a.shape == (3,) and a.tolist() == [0, 1, 2]",
        ),
        examined(
            "array-of-its-own-wrong",
            "import numpy as np\ndef f(n): return np.arange(n)",
            "a = candidate(3)\nassert a.tolist() == [1, 2, 3]",
        ),
        examined(
            "array-as-a-list",
            "import numpy as np\ndef f(n): return np.arange(n)",
            "assert candidate(3) == [0, 1, 2]",
        ),
        examined("typed", "def f(a): a[0] = 9", typed),
        examined("typed-wrong", "def f(a): a[1] = 9", typed),
        examined("tuple", "def f(t): t[0].append(9)", tuple),
        examined("tuple-wrong", "def f(t): t[0].append(8)", tuple),
        examined("holder", "def f(u): u.append(9)", holder),
        examined("holder-wrong", "def f(u): u.append(8)", holder),
    ];
    let verdicts = Lab::new().judge(&rows, &["--python", python]);
    insta::assert_snapshot!(outline(&verdicts), @r"
    array accepted 1/1 [accepted assertions shielded=true]
    array-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    array-copied wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    array-emptied wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    array-summed accepted 1/1 [accepted assertions shielded=true]
    array-of-its-own accepted 1/1 [accepted assertions shielded=true]
    array-of-its-own-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    array-as-a-list accepted 1/1 [accepted assertions shielded=true]
    typed accepted 1/1 [accepted assertions shielded=true]
    typed-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    tuple accepted 1/1 [accepted assertions shielded=true]
    tuple-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    holder accepted 1/1 [accepted assertions shielded=true]
    holder-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}

/// A lone builtin is what is tested only where nothing else could be.
#[test]
fn a_builtin_is_not_the_candidates_beside_its_module() {
    let imported = "import solution\ny = solution.f(1)\nif str(y) != '3':\n    raise AssertionError\nassert y == 3";
    insta::assert_snapshot!(judged(&[
        named("imported", "def f(x): return 3", imported),
        named("imported-wrong", "def f(x): return 4", imported),
        named("builtin", "def abs(x): return x if x > 0 else -x", "assert abs(-3) == 3"),
        named("builtin-wrong", "def abs(x): return x", "assert abs(-3) == 3"),
    ]), @r"
    imported accepted 1/1 [accepted assertions shielded=true]
    imported-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    builtin accepted 1/1 [accepted assertions shielded=true]
    builtin-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}
