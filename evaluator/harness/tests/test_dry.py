"""Dry runs of test code."""

import ast
import os
import sys
import unittest

from mc_harness.proxy.analysis.guards import ENTERED
from mc_harness.proxy.analysis.lending import fill
from mc_harness.proxy.test_code.dry import DryLink, tolerant


def dry(source, name="f", agrees=True):
    """What a dry run of this test code shows."""
    code, namespace = compile(source, "main.py", "exec"), {"__name__": "__main__"}
    tree = ast.parse(source)
    link = DryLink(set(), tree, agrees=agrees)
    fill(namespace, code, link, name, source)
    namespace.update({"_noted": link.note, ENTERED: link.enter})
    exec(tolerant(tree, namespace, link.guards), namespace)
    return link


class Unshieldable(unittest.TestCase):
    # What cannot cross.
    ITEMS = "import threading\nclass L(threading.local):\n    def __init__(self, *_): pass\n"

    def lines(self, source):
        return dry(self.ITEMS + source, "f").unshieldable

    def test_what_is_handed_over_in_any_case(self):
        handed = (
            "f(L())", "f([L()], 1)", "x = L()\nf(x)", "f(*[L()])", "for x in [1]:\n    f(L())", "f(x=dict(a=L()))",
            "def made(n): return L(n)\nf(made('ab'))", "def check(x): f(x)\ncheck(L())", "xs = [L()]\nf(xs[0])",
            "class T:\n    def up(self): self.x = L()\n    def test(self): f(self.x)\nt = T()\nt.up()\nt.test()",
            "f(L(g(1)))", "f([L(x) for x in 'ab'])",
            "def go(t, with_): t(**with_)\ndef test(): f(L())\ngo(test, {}.get(1, {}))",
        )
        for source in handed:
            with self.subTest(source=source):
                self.assertTrue(self.lines(source))

    def test_what_some_answers_bring(self):
        brought = (
            "f({}.get(f(1), L()))", "x = {}.get(f(1), L())\nf(x)", "f([{}.get(f(1), L())])", "f({1: L()}[f(1)])",
            "def made(r):\n    if r:\n        return L()\n    return L()\nf(made(f(1)))", "f(L() if f(1) else L())",
            "xs = [L()]\ndef on(x): xs[0] = x\nf(xs[0])", "f([L() for _ in [1] if f(1)] or L())",
            "def check(x): f(x)\ncheck({}.get(f(1), L()))", "def check(input): f(input)\ncheck({}.get(f(1), L()))",
            "class H:\n    v = L()\n    def on(self, x): self.v = x\nh = H()\nf(h.v)",
        )
        for source in brought:
            with self.subTest(source=source):
                self.assertFalse(self.lines(source))


class Objects(unittest.TestCase):
    def found(self, source, name="f"):
        return dry(source, name).objects

    def test_what_is_called_or_has_attributes_of_its_own(self):
        self.assertIn("f()", self.found("assert f(1)(2) == 3"))
        self.assertIn("Stack()", self.found("s = Stack()\ns.push(1)\nassert s.pop() == 1", ""))
        self.assertIn("f()", self.found("for x in [1]:\n    with f(x): pass"))

    def test_plain_data_is_none(self):
        for source in ("assert f(1) == [1]", "assert f(1).startswith('a')", "f(1).append(2)", "x = f(1).year"):
            with self.subTest(source=source):
                self.assertEqual(self.found(source), set())

    def test_each_statement_has_its_turn(self):
        late = "def check(c):\n    assert c(1) is None\n    1 / 0\n    assert c(2)(3) == 4\ncheck(f)"
        self.assertIn("f()", self.found(late))

    def test_no_plain_data_takes_that(self):
        for use in ("s.union(0, 1)", "s.find(0)\ns.union([1])\ns.join([])", "s.insert('a')", "s.count('a')\ns.add(1)"):
            with self.subTest(use=use):
                self.assertEqual(self.found("s = DSU(4)\n" + use, ""), {"DSU()"})
        for use in ("s.union([1])", "s.find('a')", "s.insert(0, 'a')", "s.get(1)", "s.pop(f(1))"):
            with self.subTest(use=use):
                self.assertEqual(self.found("s = DSU(4)\n" + use, "f"), set())

    def test_what_recurses_without_an_end_is_left_once(self):
        walk = "def walk(n):\n    walk(n.left)\n    walk(n.right)\nwalk(f(1))\nassert f(2)(3) == 4"
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(200)
        try:
            self.assertIn("f()", self.found(walk))
        finally:
            sys.setrecursionlimit(limit)

    def test_loops_end(self):
        self.assertEqual(self.found("while f(1) > 0: pass\nf(2).append(1)"), set())


def filled(source, expression):
    return source.replace("{}", expression)


# Where something is done after some answers only, be they right or wrong.
CONDITIONS = [
    "if f(1) > 2:\n    {}",
    "if f(1) != 3:\n    {}",
    "if not f(1):\n    {}",
    "for _ in f(1):\n    {}",
    "while f(1):\n    {}\n    break",
    "f(1) == 3 and {}",
    "x = 0 if str(f(1)) == '3' else {}",
    "y = f(1)\nif str(y) != '3':\n    {}",
    "y = f(1)\nif type(y) is not int:\n    {}",
    "y = f(1)\nz = [y]\nif len(str(z[0])) != 1:\n    pass\nelse:\n    {}",
    "z = []\nz.append(f(1))\nif repr(z) != '[3]':\n    {}",
    "x = [1]\nf(x)\nif x != [2]:\n    {}",
    "def show(y):\n    if int(y) != 3:\n        {}\nshow(f(1))",
    "def show():\n    {}\nif hash(f(1)) != 3:\n    show()",
    "def check(c):\n    if str(c(1)) == '3':\n        return\n    {}\ncheck(f)",
    "def check(c):\n    for _ in [1]:\n        if str(c(1)) == '3':\n            return\n    {}\ncheck(f)",
    "for _ in [1]:\n    if float(f(1)) == 3:\n        continue\n    {}",
    "try:\n    assert f(1) == 3\n    1 / 0\nexcept ZeroDivisionError:\n    {}",
    "with open('/dev/null') as file:\n    if str(f(1)) != '3':\n        {}",
    "z = [{} for _ in range(f(1))]",
    "assert str(f(1)) == '3', {}",
    "def ref(x):\n    if x > 0:\n        {}\nassert f(1) == 3\nref(1)",
    "try:\n    assert str(f(1)) != '3'\n    {}\nexcept AssertionError:\n    pass",
    "def check(y):\n    assert str(y) != '3'\n    {}\ntry:\n    check(f(1))\nexcept AssertionError:\n    pass",
    "def leave(): raise SystemExit\nif str(f(1)) == '3': leave()\n{}",
    "import contextlib\nwith contextlib.suppress(AssertionError):\n    assert str(f(1)) != '3'\n    {}",
    "bad = False\nif str(f(1)) != '3': bad = True\nif bad:\n    {}",
    "def right(): pass\ndef wrong():\n    {}\n{True: right, False: wrong}[str(f(1)) == '3']()",
    "for _ in [1]:\n    if str(f(1)) == '3': break\nelse:\n    {}",
    "xs = [1]\nf(xs)\nfor _ in xs:\n    {}",
    "any({} for _ in [1])",
    "xs = [1]\nys = xs\nf(ys)\nif xs != [1, 2]:\n    {}",
    "done = []\ndone.append(f(1))\nfor _ in done:\n    {}",
]
CERTAIN = [
    "{}",
    "assert f(1) == 3\n{}",
    "def check(c):\n    assert c(1) == 3\n    {}\ncheck(f)",
    "for x in [1]:\n    y = f(x)\n    {}",
    "if __name__ == '__main__':\n    f(1)\n    {}",
    "import sys\nif sys.version_info > (3,):\n    f(1)\n    {}",
    "if f(1) != 3:\n    raise AssertionError\n{}",
    "for _ in [1]:\n    for _ in [1]:\n        if str(f(1)) == '3':\n            break\n    {}",
    "assert {} == f(1), 'not that'",
    "x = {} if 1 else f(1)",
    "inputs = [1, 2]\nwanted = [3, 4]\nfor x, y in zip(inputs, wanted):\n    f(x)\n    {}\n    break",
    "with open('/dev/null') as file:\n    f(1)\n    {}",
    "try:\n    pass\nfinally:\n    {}",
]


# What cannot be passed.
LIVE = "f(compile('1', '', 'eval'))"


class Findings(unittest.TestCase):
    def test_what_cannot_be_passed(self):
        code = "assert f(1) == 3\n%s\nf(1)\nf(f)\n%s" % (LIVE, LIVE)
        self.assertEqual(dry(code).unshieldable, {2, 5})

    def test_what_is_done_after_some_answers_alone(self):
        for condition in CONDITIONS:
            with self.subTest(condition=condition):
                for agrees in (True, False):
                    self.assertEqual(dry(filled(condition, LIVE), agrees=agrees).unshieldable, set())
                    self.assertEqual(dry(filled(condition, "__import__('nowhere')"), agrees=agrees).raised, [])

    def test_what_data_leads_to(self):
        self.addCleanup(os.chdir, os.getcwd())
        led = (
            "open({2: '/dev/null'}.get(f(1), '/nowhere/a'))", "__import__('json' if f(1) in {2} else 'nowhere')",
            "path = {'2': '/dev/null'}.get(str(f(1)), '/nowhere/a')\nopen(path)",
            "name = 'json' if f(1) is not None else 'nowhere'\n__import__(name)",
            "def good(): pass\ndef bad(): late\nrun = {2: good}.get(f(1), bad)\nrun()\nlate = 1",
            "def bad():\n    x = y\n    y = x\n{2: int}.get(f(1), bad)()",
            "import os\nos.chdir({2: '/'}.get(f(1), '/tmp'))\nopen('usr/a')",
            "run = {2: int}.get(len(f(1)), lambda: late)\nrun()\nlate = 1",
            "import os\nname = {2: '/'}.get(f(1), '/nowhere')\nos.listdir(name)",
        )
        for source in led:
            for agrees in (True, False):
                with self.subTest(source=source, agrees=agrees):
                    self.assertEqual(dry(source, agrees=agrees).raised, [])

    def test_what_is_written_and_comes_after_an_answer(self):
        made = (
            "class T:\n    def __init__(self):\n        self.go()\n    def go(self):\n        late\n"
            "f(1)\nT()\nlate = 1")
        written = (
            made, "assert f(1) in {2}\ndef go():\n    late\ngo()\nlate = 1", "f(1)\nimport nowhere",
            "f(1)\nwith open('/nowhere/a') as file:\n    pass",
            "def check(c):\n    assert c(1) in {3}\n    [late for _ in [1]]\ncheck(f)\nlate = 1",
            "f(1)\nimport os\nos.listdir('/nowhere')",
        )
        for source in written:
            with self.subTest(source=source):
                self.assertEqual(len(dry(source).raised), 1)

    def test_what_is_done_in_any_case(self):
        for around in CERTAIN:
            for agrees in (True, False):
                with self.subTest(around=around, agrees=agrees):
                    line = 1 + around[:around.index("{}")].count("\n")
                    self.assertEqual(dry(filled(around, LIVE), agrees=agrees).unshieldable, {line})
                    (raised,) = dry(filled(around, "__import__('nowhere')"), agrees=agrees).raised
                    self.assertEqual(raised, "%d: ModuleNotFoundError: No module named 'nowhere'" % line)

    def test_whether_it_asks_anything(self):
        self.assertTrue(dry("assert f(1) == 2").asked)
        self.assertFalse(dry("def test():\n    assert f(1) == 2").asked)

    def test_which_of_its_things_meet_plain_data(self):
        compares = "a = f(1)\na.push(2)\nassert f(2) == 5\nassert 3 in a\nassert a + 1\nassert a == f(3)"
        self.assertEqual(dry(compares).found()["compared"], [4, 5])

    def test_what_it_names_and_never_binds(self):
        late = "def check(c):\n    assert c(1) == ref(1)\ncheck(f)\ndef ref(x): return 2"
        added = "n = 0\ndef check(c):\n    n += c(1)\ncheck(f)"
        unimported = "try:\n    import nowhere as n\nexcept ImportError:\n    pass\nn.g(f(1))"
        for source in (late, added, unimported):
            with self.subTest(source=source):
                self.assertTrue(dry(source).raised)

    def test_what_it_binds_where_the_candidate_lets_it(self):
        excepted = "import json\ntry:\n    d = json.loads(f(1))\nexcept ValueError:\n    pass\nd"
        skipped = "if f(1) != 3:\n    d = 1\nd"
        looped = "def check(c):\n    for x in c(1):\n        a, b = x\n    return b\ncheck(f)"
        raised = "for i in range(1200):\n    if f(i) != 2: raise OSError('bad')"
        for source in (excepted, skipped, looped, raised):
            with self.subTest(source=source):
                self.assertEqual(dry(source).raised, [])

    def test_what_it_fails_by_itself(self):
        link = dry("import nowhere\nassert f(1) == undefined_name\n[][f(1)]", "f")
        self.assertEqual(link.raised[0], "1: ModuleNotFoundError: No module named 'nowhere'")
