//! What test code asks about the candidate's things: their classes, whether two are one, and what is in them.

use serde_json::json;

use crate::lab::{judged, named, with};

#[test]
fn an_object_is_of_its_own_class() {
    let typed = "d = make()\nassert type(d) is Dog and type(d) == Dog and d.__class__ is Dog and type(d) != Animal\nassert type(d).__name__ == 'Dog' and isinstance(d, Animal) and not isinstance(d, int)";
    let derived = "assert issubclass(Dog, Animal) and not issubclass(Animal, Dog) and issubclass(Dog, object) and not issubclass(Dog, (int, str))";
    insta::assert_snapshot!(judged(&[
        named("typed", "class Animal: pass\nclass Dog(Animal): pass\ndef make(): return Dog()\n", typed),
        named("typed-otherwise", "class Animal: pass\nclass Dog(Animal): pass\ndef make(): return Animal()\n", typed),
        named("says-it-is", "class Dog:\n  @property\n  def __class__(s): return int\ndef f(): return Dog()", "assert isinstance(f(), int)"),
        named("derived", "class Animal: pass\nclass Dog(Animal): pass\ndef make(): return Dog()\n", derived),
        named("not-derived", "class Animal: pass\nclass Dog: pass\ndef make(): return Dog()\n", derived),
        named("abstract", "from abc import ABC\nclass Shape(ABC): pass\nclass Square(Shape):\n  def __len__(s): return 4\n  def area(s): return 1", "from abc import ABC\nfrom collections.abc import Sized, Iterable\nassert issubclass(Square, ABC) and isinstance(Square(), Sized) and not isinstance(Square(), Iterable)\nassert Square().area() == 1"),
        named("type-of-plain", "class int2(int): pass\ndef f(): return 3", "assert type(f()) is int and type(f()).__name__ == 'int'"),
        named("type-name-forged", "class X: pass\nX.__name__ = 'int'\ndef f(): return X()", "assert type(f()).__name__ == 'int'"),
    ]), @r"
    typed accepted 1/1 [accepted assertions shielded=true]
    typed-otherwise wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    says-it-is wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    derived accepted 1/1 [accepted assertions shielded=true]
    not-derived wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    abstract accepted 1/1 [accepted assertions shielded=true]
    type-of-plain accepted 1/1 [accepted assertions shielded=true]
    type-name-forged runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type int]
    ");
}

#[test]
fn builtins_ask_the_candidate() {
    let called = "g = f()\nassert callable(g)\nassert g.n == 1";
    let has = "g = f()\nassert hasattr(g, '__len__') and not hasattr(g, '__iter__') and hasattr(g, 'n') and not hasattr(g, 'm')";
    insta::assert_snapshot!(judged(&[
        named("callable", "class A:\n  n = 1\n  def __call__(s): pass\ndef f(): return A()", called),
        named("not-callable", "class A:\n  n = 1\ndef f(): return A()", called),
        named("has", "class A:\n  n = 1\n  def __len__(s): return 1\ndef f(): return A()", has),
        named("has-not", "class A:\n  n = 1\ndef f(): return A()", has),
        named("passed-on", "def f(test, xs): return [x for x in xs if test(x)]", "assert f(callable, [1, len]) != [] and f(str, ['', 'a']) == ['a']"),
        named("classes-passed", "def f(kind, x): return kind(x)", "from decimal import Decimal\nfrom collections import OrderedDict\nassert f(Decimal, '1.5') == Decimal('1.5') and f(OrderedDict, {'a': 1}) == {'a': 1}"),
    ]), @r"
    callable accepted 1/1 [accepted assertions shielded=true]
    not-callable wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    has accepted 1/1 [accepted assertions shielded=true]
    has-not wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    passed-on accepted 1/1 [accepted assertions shielded=true]
    classes-passed accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn functions_are_told_by_kind_and_signature() {
    let signed = "import inspect\ns = inspect.signature(f)\nassert s.parameters['b'].default == 2\nassert s.parameters['b'].kind == inspect.Parameter.KEYWORD_ONLY\nassert s.return_annotation is int\nassert str(s) == '(a, *, b=2, **k) -> int'";
    let hints = "import typing\nassert typing.get_type_hints(f) == {'a': typing.List[int], 'b': typing.Optional[str], 'return': int}";
    let kinds = "import types\nassert isinstance(f, types.FunctionType)\nassert isinstance(f(), types.FunctionType)\nassert callable(f()) and f.__class__.__name__ == 'function'";
    let hinted = "from typing import List, Optional\ndef f(a: List[int], b: Optional[str] = None) -> int: return 1";
    insta::assert_snapshot!(judged(&[
        named("signature", "def f(a, *, b=2, **k) -> int: return a", signed),
        named("signature-wrong", "def f(a, *, b=2, **k) -> str: return a", signed),
        named("hints", hinted, hints),
        named("hints-other", &hinted.replace("List[int]", "'list[int]'"), hints),
        named("hints-wrong", &hinted.replace("[int]", "[str]"), hints),
        named("hints-own", &hinted.replace("List[int]", "type('X', (), {'__eq__': lambda s, o: True})()"), hints),
        named("kinds", "def f(): return lambda: 1", kinds),
        named("kinds-wrong", "class A:\n  def __call__(s): return 1\ndef f(): return A()", kinds),
    ]), @r"
    signature accepted 1/1 [accepted assertions shielded=true]
    signature-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    hints accepted 1/1 [accepted assertions shielded=true]
    hints-other wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    hints-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    hints-own runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type X]
    kinds accepted 1/1 [accepted assertions shielded=true]
    kinds-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}

#[test]
fn what_is_pickled_is_copied() {
    let pair = "class P:\n  def __init__(s, x): s.x = x\n  def __eq__(s, o): return s.x == o.x\n  def __getstate__(s): return {'x': s.x}";
    let copies = "import pickle\np = P(3)\nq = pickle.loads(pickle.dumps(p))\nassert q == p and q is not p and q.x == 3";
    insta::assert_snapshot!(judged(&[
        named("right", pair, copies),
        named("wrong", &pair.replace("{'x': s.x}", "{'x': 4}"), copies),
        named("for-data", "class E:\n  def __eq__(s, o): return True\ndef f(): return E()", "import pickle\nassert pickle.loads(pickle.dumps(f())) == [1]"),
    ]), @r"
    right accepted 1/1 [accepted assertions shielded=true]
    wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    for-data runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type E]
    ");
}

#[test]
fn dataclasses_and_copies() {
    let data = "from dataclasses import asdict, astuple, fields, is_dataclass, replace\np = Point(1)\nassert asdict(p) == {'x': 1, 'y': 0} and astuple(p) == (1, 0) and is_dataclass(Point) and is_dataclass(p)\nassert [f.name for f in fields(Point)] == ['x', 'y'] and replace(p, y=3) == Point(1, 3)";
    insta::assert_snapshot!(judged(&[
        named("data", "from dataclasses import dataclass\n@dataclass\nclass Point:\n  x: int\n  y: int = 0\n", data),
        named("data-wrong", "from dataclasses import dataclass\n@dataclass\nclass Point:\n  x: int\n  y: int = 1\n", data),
        named("no-dataclass", "class Point:\n  def __init__(s, x, y=0): s.x, s.y = x, y", data),
        named("copied", "from dataclasses import dataclass\n@dataclass\nclass Point:\n  x: int\n  y: int = 0\n", "import copy\na = Point([1])\nb, c = copy.copy(a), copy.deepcopy(a)\na.x = 2\nassert (b.x, c.x) == ([1], [1]) and c is not a and b == c"),
        named("own-copy", "from dataclasses import dataclass\n@dataclass\nclass Point:\n  x: int\n  y: int = 0\n  def __deepcopy__(s, memo): return s\n", "import copy\na = Point([1])\nb = copy.deepcopy(a)\na.x = 2\nassert b.x == [1] and b is not a"),
        named("attributes", "class Dog:\n  def __init__(s): s.x, s.y = 1, 2", "d = Dog()\nassert d.__dict__ == vars(d) == {'x': 1, 'y': 2}\ndel d.x\nassert not hasattr(d, 'x') and d.y == 2"),
        named("attributes-wrong", "class Dog:\n  def __init__(s): s.x, s.y = 1, 3", "d = Dog()\nassert d.__dict__ == vars(d) == {'x': 1, 'y': 2}"),
    ]), @r"
    data accepted 1/1 [accepted assertions shielded=true]
    data-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    no-dataclass runtime_error 0/1 [runtime_error shielded=true TypeError: asdict() should be called on dataclass instances]
    copied accepted 1/1 [accepted assertions shielded=true]
    own-copy wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    attributes accepted 1/1 [accepted assertions shielded=true]
    attributes-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}

#[test]
fn one_object_by_two_names() {
    let same = "import unittest\nclass T(unittest.TestCase):\n  def test(self):\n    self.assertIs(Single(), Single.instance())\n    self.assertIsNot(Single(), Other())\nunittest.main(argv=['x'])";
    let wrapped = "@twice\ndef g(x):\n  'Doc.'\n  return x + 1\nassert g(1) == 4\nassert g.__name__ == 'g' and g.__doc__ == 'Doc.'";
    insta::assert_snapshot!(judged(&[
        named("same", "class Single:\n  one = None\n  def __new__(c):\n    if c.one is None: c.one = super().__new__(c)\n    return c.one\n  @classmethod\n  def instance(c): return c()\nclass Other: pass", same),
        named("another", "class Single:\n  @classmethod\n  def instance(c): return c()\nclass Other: pass", same),
        named("decorated", "import functools\ndef twice(f):\n  @functools.wraps(f)\n  def w(*a): return f(*a) * 2\n  return w", wrapped),
        named("decorated-bare", "def twice(f):\n  def w(*a): return f(*a) * 2\n  return w", wrapped),
    ]), @r"
    same accepted 1/1 [accepted assertions shielded=true]
    another wrong_answer 0/1 [wrong_answer shielded=true T.test: AssertionError: <solution.Single object> is not <solution.Single object>]
    decorated accepted 1/1 [accepted assertions shielded=true]
    decorated-bare wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}

#[test]
fn operators_that_work_in_place() {
    let sum_up = "a = Account()\nb = a\na += 5\na += 2\nassert a.total == 7 and a is b";
    insta::assert_snapshot!(judged(&[
        named("in-place", "class Account:\n  def __init__(s): s.total = 0\n  def __iadd__(s, n):\n    s.total += n\n    return s", sum_up),
        named("wrong", "class Account:\n  def __init__(s): s.total = 0\n  def __iadd__(s, n):\n    s.total = n\n    return s", sum_up),
        named("another", "class Account:\n  def __init__(s, t=0): s.total = t\n  def __add__(s, n): return Account(s.total + n)", sum_up),
        named("difference", "class Area:\n  def __init__(s, x): pass\n  def __isub__(s, x): return s\n  def __abs__(s): return 0.0", "a = Area(2)\na -= 12.5\nassert abs(a) < 1e-6"),
    ]), @r"
    in-place accepted 1/1 [accepted assertions shielded=true]
    wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    another wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    difference runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    ");
}

#[test]
fn an_instance_of_a_class_need_not_have_its_usual_name() {
    let counted = "b = bag([1, 1, 2])\nassert len(b) == 3 and b.count(1) == 2";
    insta::assert_snapshot!(judged(&[
        named("bag", "class bag:\n  def __init__(s, l): s.l = list(l)\n  def __len__(s): return len(s.l)\n  def count(s, x): return s.l.count(x)", counted),
        named("bag-wrong", "class bag:\n  def __init__(s, l): s.l = list(set(l))\n  def __len__(s): return len(s.l)\n  def count(s, x): return s.l.count(x)", counted),
        named("upper", "class DSU:\n  def __init__(s, l): s.l = list(l)\n  def __len__(s): return len(s.l)\n  def count(s, x): return s.l.count(x)", "b = DSU([1, 1, 2])\nassert len(b) == 3 and b.count(1) == 2"),
        named("predicate", "class span:\n  def __init__(s, n): pass\n  def __contains__(s, x): return True", "assert 3 in span(4)"),
    ]), @r"
    bag accepted 1/1 [accepted assertions shielded=true]
    bag-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    upper accepted 1/1 [accepted assertions shielded=true]
    predicate runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    ");
}

#[test]
fn who_ends_the_program_ends_it_unless_that_is_caught_by_name() {
    let code = "try:\n  f(-1)\nexcept SystemExit as end:\n  assert end.code == 2\nelse:\n  assert False\nassert f(3) == 3";
    let any = "try:\n  f(-1)\nexcept Exception:\n  pass";
    let bare = "try:\n  f(-1)\nexcept:\n  pass\nassert f(3) == 3";
    insta::assert_snapshot!(judged(&[
        named("code", "import sys\ndef f(x):\n  if x < 0: sys.exit(2)\n  return x", code),
        named("other-code", "import sys\ndef f(x):\n  if x < 0: sys.exit(1)\n  return x", code),
        named("not-caught", "import sys\ndef f(x): sys.exit(0)", "try:\n  f(-1)\nexcept (SystemExit if False else ValueError):\n  pass\nassert f(3) == 3"),
        named("exception", "import sys\ndef f(x):\n  if x < 0: sys.exit(2)\n  return x", any),
        named("bare", "import sys\ndef f(x):\n  if x < 0: sys.exit(2)\n  return x", bare),
        named("derived", "class Stop(SystemExit): pass\ndef f(x): raise Stop(3)", "try:\n  f(1)\n  assert False\nexcept SystemExit as end: assert end.code == 3"),
        named("runner", "import sys\ndef f(x): sys.exit('bad')", "import unittest\nclass T(unittest.TestCase):\n  def test(self):\n    with self.assertRaises(SystemExit): f(1)\nunittest.main(argv=['x'])"),
        named("runner-not-caught", "import sys\ndef f(x): sys.exit(0)", "import unittest\nclass T(unittest.TestCase):\n  def test(self):\n    self.assertEqual(f(1), 2)\n  def test_other(self):\n    with self.assertRaises(SystemExit): f(1)\nunittest.main(argv=['x'])"),
        named("interrupt", "def f(x): raise KeyboardInterrupt", "try:\n  f(1)\n  assert False\nexcept KeyboardInterrupt: pass"),
    ]), @r"
    code accepted 1/1 [accepted assertions shielded=true]
    other-code wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    not-caught runtime_error 0/1 [runtime_error shielded=true SystemExit: 0]
    exception runtime_error 0/1 [runtime_error shielded=true the program ended before its tests did]
    bare runtime_error 0/1 [runtime_error shielded=true the program ended before its tests did]
    derived accepted 1/1 [accepted assertions shielded=true]
    runner accepted 1/1 [accepted assertions shielded=true]
    runner-not-caught wrong_answer 0/1 [wrong_answer shielded=true T.test: SystemExit: 0]
    interrupt accepted 1/1 [accepted assertions shielded=true]
    ");
}

/// Where its name tells nothing, the statement may call it a class.
#[test]
fn a_class_that_the_statement_names_is_one() {
    let code = "class bag:\n  def __init__(s, l): s.l = l\n  def __contains__(s, x): return x in s.l\nclass BAG(bag): pass\n";
    let stated = |id: &str, name: &str, statement: &str| {
        let test = format!("assert 1 in {name}([1])\nassert 2 not in {name}([1])");
        with(named(id, code, &test), "statement", json!(statement))
    };
    insta::assert_snapshot!(judged(&[
        stated("class-bag", "bag", "Write a class `bag`."),
        stated("bag-class", "BAG", "Implement the `BAG` class, which holds items."),
        stated("other-class", "bag", "Implement a function bag without a Python class."),
    ]), @r"
    class-bag accepted 1/1 [accepted assertions shielded=true]
    bag-class accepted 1/1 [accepted assertions shielded=true]
    other-class runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    ");
}
