//! What crosses between test code and candidate, and whose doing it is where something does not: a candidate cannot choose
//! not to be judged, and a right one is not lost to what the test code asks too much.

use serde_json::Value;

use crate::lab::{Lab, examined, judged, named, outline, with};

#[test]
fn what_the_candidate_sends_is_its_own_doing() {
    let swallows = "try:\n    r = candidate(1)\nexcept BaseException:\n    r = 2\nassert r == 2";
    let sends = |bytes: &str| {
        format!("import os\ndef f(x):\n    os.write(3, b'{bytes}\\n')\n    os._exit(0)")
    };
    let deep =
        "def pack(x):\n    for _ in range(149): x = [x]\n    return x\ndef unpack(x): return 1";
    insta::assert_snapshot!(judged(&[
        examined("no-json", &sends("[1,"), swallows),
        examined("no-text", &sends("\\xff"), swallows),
        examined("no-reply", &sends("7"), swallows),
        examined("no-value", &sends("{\"value\":{\"set\":[[]]}}"), swallows),
        examined("surrogates", &sends("{\"value\":\"\\\\ud800\"}"), "assert candidate(candidate(1)) == 2"),
        named("deep", deep, "assert unpack([pack(1)]) == 2"),
        named("deep-enough", &deep.replace("149", "60"), "r, d = pack(1), 0\nwhile isinstance(r, list): r, d = r[0], d + 1\nassert d == 60"),
        named("deep-right", "def pack(x): return [x]\ndef unpack(x): return x[0]", "assert unpack(pack(1)) == 1"),
    ]), @r#"
    no-json runtime_error 0/1 [runtime_error shielded=true it sent a reply that makes no sense]
    no-text runtime_error 0/1 [runtime_error shielded=true it sent a reply that makes no sense]
    no-reply runtime_error 0/1 [runtime_error shielded=true it sent a reply that makes no sense]
    no-value runtime_error 0/1 [runtime_error shielded=true it sent a reply that makes no sense]
    surrogates runtime_error 0/1 [runtime_error shielded=true the program ended before its tests did]
    deep runtime_error 0/1 [runtime_error shielded=true the test code passes a value nested more than 150 deep]
    deep-enough accepted 1/1 [accepted assertions shielded=true]
    deep-right accepted 1/1 [accepted assertions shielded=true]
    "#);
}

/// An annotation is all that comes of the form in which annotations cross.
/// What is expected may be a name.
#[test]
fn the_names_in_test_code_are_not_told() {
    let watch = "import sys\nfrom enum import Enum\nclass Kind(Enum):\n    PRIME = 1\n    OTHER = 2\nPRIME, OTHER = 'p', 'o'\n\
                 class Bag(list):\n    def is_prime(self): return True\nclass Told: all = set()\n\
                 sys.setprofile(lambda frame, *_: Told.all.add(str(frame.f_locals.get('request'))))\n\
                 def named(name): return any(name in one for one in Told.all)\n";
    let peeks = |body: &str| format!("{watch}def f(n): {body}");
    let (member, constant) = (
        "return next(one for one in Kind if named(one.name))",
        "return PRIME if named('PRIME') else OTHER if named('OTHER') else None",
    );
    let error = "raise next(one for one in (ValueError, TypeError) if named(one.__name__))";
    let (of_member, of_constant) = (
        "assert f(7) == Kind.PRIME",
        "class T:\n    pass\nassert f(7) == PRIME",
    );
    let imported = "from solution import f, PRIME\nassert f(7) == PRIME";
    let afterwards = "from solution import f, Bag, PRIME\nBag()\nassert f(7) == PRIME";
    let raises = "try: f(7)\nexcept TypeError: pass\nelse: assert 0";
    let method = "assert f(7).is_prime()";
    insta::assert_snapshot!(judged(&[
        named("member", &peeks(member), of_member),
        named("member-right", &peeks("return Kind.PRIME"), of_member),
        named("constant", &peeks(constant), of_constant),
        named("constant-right", &peeks("return PRIME"), of_constant),
        named("imported", &peeks(constant), imported),
        named("imported-right", &peeks("return PRIME"), imported),
        named("after-a-call", &peeks(constant), afterwards),
        named("exception", &peeks(error), raises),
        named("exception-right", &peeks("raise TypeError"), raises),
        named("method", &peeks("return Bag() if named('is_prime') else 0"), method),
        named("method-right", &peeks("return Bag()"), method),
        named("changed", "n = 0\ndef f(x):\n    global n\n    n += x", "f(2)\nassert n == 2\nf(1)\nassert n == 3"),
    ]), @r"
    member runtime_error 0/1 [runtime_error shielded=true StopIteration]
    member-right accepted 1/1 [accepted assertions shielded=true]
    constant wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    constant-right accepted 1/1 [accepted assertions shielded=true]
    imported wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    imported-right accepted 1/1 [accepted assertions shielded=true]
    after-a-call wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    exception runtime_error 0/1 [runtime_error shielded=true StopIteration]
    exception-right accepted 1/1 [accepted assertions shielded=true]
    method wrong_answer 0/1 [wrong_answer shielded=true AttributeError: 'int' object has no attribute 'is_prime']
    method-right accepted 1/1 [accepted assertions shielded=true]
    changed accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn the_test_codes_own_modules_are_no_answer() {
    let ends = "def check(candidate):\n  e = candidate(3)\n  e.exit(0)\n  assert e.count == 1\ncheck(candidate)";
    let sends = |text: &str| {
        format!(
            "import os, json\ndef f(n):\n  os.write(3, json.dumps({{'value': {{'annotation': '{text}'}}}}).encode() + b'\\n')\n  os._exit(0)"
        )
    };
    let hints = "assert f.__annotations__['x'] == typing.Optional[int] and f(1) == 2";
    let hinted =
        |kind: &str| format!("import typing, types, collections.abc\ndef f(x: {kind}): return 2");
    insta::assert_snapshot!(judged(&[
        examined("module", &sends("typing.sys"), ends),
        examined("function", &sends("typing.get_type_hints"), ends),
        examined("class", &sends("types.FunctionType"), ends),
        named("hint", &hinted("typing.Optional[int]"), &format!("import typing\n{hints}")),
        named("other-hint", &hinted("typing.Optional[str]"), &format!("import typing\n{hints}")),
        named("abstract-hint", &hinted("collections.abc.Iterable[int]"), "import collections.abc\nassert f.__annotations__['x'] == collections.abc.Iterable[int] and f(1) == 2"),
    ]), @r"
    module runtime_error 0/1 [runtime_error shielded=true it sent a reply that makes no sense]
    function runtime_error 0/1 [runtime_error shielded=true it sent a reply that makes no sense]
    class runtime_error 0/1 [runtime_error shielded=true it sent a reply that makes no sense]
    hint accepted 1/1 [accepted assertions shielded=true]
    other-hint wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    abstract-hint accepted 1/1 [accepted assertions shielded=true]
    ");
}

/// Plain Python would take what is left of an argument for what is expected. Nor does it pass who gives what was expected and
/// leaves less.
#[test]
fn an_argument_emptied_by_who_gives_nothing_is_no_reference() {
    let compares = "def ref(a):\n  return max(a) if a else None\nfor x in [[1, 2], [3]]:\n  assert candidate(x) == ref(x)";
    let sorts = "x = [2, 1]\ncandidate(x)\nassert x == [1, 2]";
    let hands_on =
        "def same(a, b): assert sorted(a) == b\nx = [2, 1]\ncandidate(x)\nsame(x, [1, 2, 3])";
    insta::assert_snapshot!(judged(&[
        examined("emptied", "def f(a): a.clear()", compares),
        examined("right", "def f(a): return max(a)", compares),
        examined("right-and-changes", "def f(a):\n  a.sort()\n  return a.pop()", compares),
        examined("in-place", "def f(a): a.sort()", sorts),
        examined("in-place-wrong", "def f(a): a.reverse(); a.append(3)", sorts),
        examined("handed-on", "def f(a): a.append(3)", hands_on),
        examined("handed-on-wrong", "def f(a): pass", hands_on),
        examined("is-none", "def f(a): a.sort()", "x = [2, 1]\nassert candidate(x) is None\nassert x == [1, 2]"),
    ]), @r"
    emptied wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    right accepted 1/1 [accepted assertions shielded=true]
    right-and-changes wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    in-place accepted 1/1 [accepted assertions shielded=true]
    in-place-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    handed-on accepted 1/1 [accepted assertions shielded=true]
    handed-on-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    is-none accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn what_is_no_function_is_no_way_out() {
    insta::assert_snapshot!(judged(&[
        named("object", "Solution = object()", "assert Solution().f(1) == 2"),
        named("class", "class Area:\n    def __init__(self, x): pass\n    def __eq__(self, o): return True", "assert Area(3) == 9"),
        named("value", "Area = 3", "assert Area(3) == 9"),
        named("right", "def Area(x): return x * x", "assert Area(3) == 9"),
        examined("begins", "class S:\n    def startswith(self, x): return True\ndef f(x): return S()", "assert candidate(1).startswith('abc')"),
        examined("begins-class", "class f:\n    def __init__(self, x): pass\n    def startswith(self, x): return True", "assert candidate(1).startswith('abc')"),
        examined("difference", "class f:\n    def __init__(self, x): pass\n    def __sub__(self, x): return 0.0", "assert abs(candidate(1) - 3.14) < 1e-6"),
        examined("member", "class f:\n    def __init__(self, x): pass\n    def __contains__(self, x): return True", "assert 3 in candidate(1)"),
    ]), @r#"
    object runtime_error 0/1 [runtime_error shielded=true TypeError: 'object' object is not callable]
    class runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    value wrong_answer 0/1 [wrong_answer shielded=true TypeError: 'int' object is not callable]
    right accepted 1/1 [accepted assertions shielded=true]
    begins runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type S]
    begins-class runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    difference runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    member runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    "#);
}

#[test]
fn test_code_ends_as_it_means_to() {
    let exits = "import sys\nif candidate(1) != 2: sys.exit(256)";
    let alarm = "import signal\ndef late(*_): raise TimeoutError\nsignal.signal(signal.SIGALRM, late)\nsignal.alarm(1)\n\
                 assert candidate(1) == 2\nsignal.alarm(0)";
    insta::assert_snapshot!(judged(&[
        examined("exit-wrong", "def f(x): return 3", exits),
        examined("exit-right", "def f(x): return 2", exits),
        examined("alarm-slow", "import time\ndef f(x):\n    time.sleep(2)\n    return 2", alarm),
        examined("alarm-right", "def f(x): return 2", alarm),
        examined("sleeps", "import time\ndef f(x): time.sleep(60)", "assert candidate(1) == 2"),
    ]), @r#"
    exit-wrong wrong_answer 0/1 [wrong_answer shielded=true SystemExit: 256]
    exit-right accepted 1/1 [accepted assertions shielded=true]
    alarm-slow wrong_answer 0/1 [wrong_answer exit=1 shielded=true TimeoutError]
    alarm-right accepted 1/1 [accepted assertions shielded=true]
    sleeps time_limit 0/1 [time_limit idle shielded=true]
    "#);
}

#[test]
fn arguments_are_changed_where_that_is_meant() {
    let reference =
        "def ref(xs): return float(sum(xs))\nxs = [1, 2]\nassert candidate(xs) == ref(xs)";
    let sorts = "xs = [2, 1]\nassert candidate(xs) == sorted(xs)";
    let unique = "nums = [1, 1, 2]\nk = candidate(nums)\nassert k == 2\nassert nums[:k] == [1, 2]";
    insta::assert_snapshot!(judged(&[
        examined("reference-forged", "def f(xs):\n    xs[:] = [0, 0]\n    return 0.0", reference),
        examined("reference-right", "def f(xs): return float(sum(xs))", reference),
        examined("sorted-forged", "def f(xs):\n    xs.clear()\n    return xs", sorts),
        examined("sorted-in-place", "def f(xs):\n    xs.sort()\n    return xs", sorts),
        examined("unique-right", "def f(a):\n    a[:] = sorted(set(a))\n    return len(a)", unique),
        examined("unique-wrong", "def f(a): return 2", unique),
        examined("nothing-back", "def f(a): a.sort()", "a = [2, 1]\ncandidate(a)\nassert sorted(a) == a"),
    ]), @r#"
    reference-forged wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    reference-right accepted 1/1 [accepted assertions shielded=true]
    sorted-forged wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    sorted-in-place accepted 1/1 [accepted assertions shielded=true]
    unique-right accepted 1/1 [accepted assertions shielded=true]
    unique-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    nothing-back accepted 1/1 [accepted assertions shielded=true]
    "#);
}

#[test]
fn names_that_test_code_compares_with_are_not_the_candidates() {
    let forged =
        "class Counter:\n    def __init__(self, x): pass\n    def __eq__(self, o): return True\n";
    let node = "n = ListNode(3)\nassert n.val == 3 and n.next is None";
    let own = "class ListNode:\n    def __init__(self, val=0, next=None):\n        self.val, self.next = val, next";
    insta::assert_snapshot!(judged(&[
        named("counter-forged", &format!("{forged}def g(x): return []"), "assert Counter(g('aab')) == Counter('aab')"),
        named("counter-right", "def g(x): return list(x)", "assert Counter(g('aab')) == Counter('aab')"),
        named("isclose-forged", "def isclose(*a): return True\ndef g(x): return 0", "assert isclose(g(1), 1.5)"),
        named("node-lacking", "x = 1", node),
        named("node-right", own, node),
        named("node-lent", "def g(head): return head", "assert g(ListNode(1)).val == 1"),
        named("alias", "Empty = Exception\ndef pop(): raise Empty('x')",
            "try:\n    pop()\nexcept Empty as e:\n    assert str(e) == 'x'\nelse:\n    assert False"),
    ]), @r#"
    counter-forged wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    counter-right accepted 1/1 [accepted assertions shielded=true]
    isclose-forged wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    node-lacking runtime_error 0/1 [runtime_error shielded=true NameError: name 'ListNode' is not defined]
    node-right accepted 1/1 [accepted assertions shielded=true]
    node-lent accepted 1/1 [accepted assertions shielded=true]
    alias accepted 1/1 [accepted assertions shielded=true]
    "#);
}

#[test]
fn values_of_standard_classes_cross() {
    let import = "from fractions import *\nfrom decimal import *\nfrom datetime import *\n";
    let crosses = |id: &str, code: &str, test: &str| {
        examined(id, &format!("{import}{code}"), &format!("{import}{test}"))
    };
    insta::assert_snapshot!(judged(&[
        crosses("fraction", "def f(x): return Fraction(1, x)", "assert candidate(3) == Fraction(1, 3)"),
        crosses("fraction-wrong", "def f(x): return 1 / x", "assert candidate(3) == Fraction(1, 3)"),
        crosses("decimal", "def f(x): return x * 2", "assert str(candidate(Decimal('1.10'))) == '2.20'"),
        crosses("date", "def f(d): return d + timedelta(days=1)", "assert candidate(date(2020, 2, 28)) == date(2020, 2, 29)"),
        crosses("zone", "def f(d): return d.utcoffset()",
            "assert candidate(datetime(2020, 1, 1, tzinfo=timezone(timedelta(hours=2)))) == timedelta(hours=2)"),
    ]), @r#"
    fraction accepted 1/1 [accepted assertions shielded=true]
    fraction-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    decimal accepted 1/1 [accepted assertions shielded=true]
    date accepted 1/1 [accepted assertions shielded=true]
    zone accepted 1/1 [accepted assertions shielded=true]
    "#);
}

#[test]
fn what_test_code_can_do_to_a_function_works() {
    let redirects = "import io, contextlib\nb = io.StringIO()\nwith contextlib.redirect_stdout(b):\n    candidate()\n\
                     assert b.getvalue() == 'hi\\n'";
    insta::assert_snapshot!(judged(&[
        named("closure", "def adder(a): return lambda b: a + b", "assert adder(1)(2) == 3"),
        named("closure-wrong", "def adder(a): return lambda b: 7", "assert adder(1)(2) == 3"),
        examined("callback", "def f(g, a): return [g(x) for x in a]", "assert candidate(lambda x: x * 2, [1]) == [2]"),
        examined("endless", "import itertools\ndef f(): return (i * i for i in itertools.count())",
            "g = candidate()\nassert [next(g) for _ in range(3)] == [0, 1, 4]"),
        examined("coroutine", "async def f(x): return x + 1", "import asyncio\nassert asyncio.run(candidate(1)) == 2"),
        examined("printed", "def f(): print('hi')", redirects),
        examined("printed-wrong", "def f(): print('ho')", redirects),
        examined("read", "def f(): return int(input())", "import io, sys\nsys.stdin = io.StringIO('5\\n')\nassert candidate() == 5"),
        examined("complained", "import sys\ndef f(): print('no', file=sys.stderr)", &redirects.replace("stdout", "stderr").replace("hi", "no")),
        examined("sent", "def f():\n    got = yield 1\n    yield got + 1", "g = candidate()\nassert next(g) == 1 and g.send(4) == 5"),
        examined("counted", "async def f(n):\n    for i in range(n): yield i",
            "import asyncio\nasync def main(): return [i async for i in candidate(2)]\nassert asyncio.run(main()) == [0, 1]"),
        examined("documented", "def f():\n    'Says.'", "assert candidate.__doc__ == 'Says.'"),
        examined("signature", "def f(a, b=1): pass", "import inspect\nassert list(inspect.signature(candidate).parameters) == ['a', 'b']"),
    ]), @r#"
    closure accepted 1/1 [accepted assertions shielded=true]
    closure-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    callback accepted 1/1 [accepted assertions shielded=true]
    endless accepted 1/1 [accepted assertions shielded=true]
    coroutine accepted 1/1 [accepted assertions shielded=true]
    printed accepted 1/1 [accepted assertions shielded=true]
    printed-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    read accepted 1/1 [accepted assertions shielded=true]
    complained accepted 1/1 [accepted assertions shielded=true]
    sent accepted 1/1 [accepted assertions shielded=true]
    counted accepted 1/1 [accepted assertions shielded=true]
    documented accepted 1/1 [accepted assertions shielded=true]
    signature accepted 1/1 [accepted assertions shielded=true]
    "#);
}

#[test]
fn objects_of_the_candidates_are_compared_with_one_another_alone() {
    let color = "from enum import Enum\nclass Color(Enum):\n    RED = 1\n    BLUE = 2\n";
    let mixes = |what: &str| format!("{color}def mix(x): return Color.{what}");
    let point = "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass P:\n    x: int\n    y: int\n";
    let makes = |y: u8| format!("{point}def make(x): return [P(x, {y})]");
    let frozen = "from dataclasses import FrozenInstanceError\np = make(1)[0]\ntry:\n    p.x = 3\nexcept FrozenInstanceError:\n    \
                  pass\nelse:\n    assert False\nassert p.x == 1";
    let equal = "class E:\n    def __eq__(self, other): return True\n    def __sub__(self, other): return 0.0\n    \
                 def __hash__(self): return hash(3)\n";
    let forged =
        |id: &str, test: &str| examined(id, &format!("{equal}def f(x): return [E()]"), test);
    insta::assert_snapshot!(judged(&[
        named("enum", &mixes("RED"), "assert mix(1) == Color.RED and mix(1) is Color.RED and mix(1) is not Color.BLUE"),
        named("enum-wrong", &mixes("BLUE"), "assert mix(1) == Color.RED"),
        named("enum-wrong-identity", &mixes("BLUE"), "assert mix(1) is Color.RED"),
        named("data-class", &makes(2), "assert make(1) == [P(1, 2)]"),
        named("data-class-wrong", &makes(3), "assert make(1) == [P(1, 2)]"),
        named("frozen", &makes(2), frozen),
        forged("forged", "assert candidate(1) == [3]"),
        forged("forged-reflected", "assert 3 in candidate(1)"),
        forged("forged-difference", "assert abs(candidate(1)[0] - 3) < 1e-9"),
        forged("forged-set", "assert set(candidate(1)) == {3}"),
        forged("forged-count", "assert candidate(1).count(3) == 1"),
    ]), @r"
    enum accepted 1/1 [accepted assertions shielded=true]
    enum-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    enum-wrong-identity wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    data-class accepted 1/1 [accepted assertions shielded=true]
    data-class-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    frozen accepted 1/1 [accepted assertions shielded=true]
    forged runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type E]
    forged-reflected runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type E]
    forged-difference runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type E]
    forged-set runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type E]
    forged-count runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type E]
    ");
}

#[test]
fn classes_are_used_as_what_they_are() {
    let color = "from enum import Flag, auto\nclass Color(Flag):\n    R = auto()\n    B = auto()\n";
    let flags = "assert [c.name for c in Color] == ['R', 'B'] and Color['R'] == Color.R and len(Color) == 2\n\
                 assert both() == Color.R | Color.B and Color.R in both()";
    let record =
        "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int = 0\n";
    let set = "class MySet:\n    def __init__(self): self.items = []\n    def add(self, x):\n        self.items.append(x)\n        \
               return self\n    def get(self, i): return self.items[i]\n    def __iter__(self): return iter(self.items)\n    \
               def __getitem__(self, i): return self.items[i]\n";
    let fluent =
        "s = MySet().add(1).add(2)\nassert s.get(1) == 2 and list(s) == [1, 2] and s[:1] == [1]";
    let forged = |name: &str, method: &str| {
        format!(
            "class {name}:\n    def __init__(self, x): pass\n    def {method}(self, *x): return True"
        )
    };
    insta::assert_snapshot!(judged(&[
        named("enumeration", &format!("{color}def both(): return Color.R | Color.B"), flags),
        named("enumeration-wrong", &format!("{color}def both(): return Color.R"), flags),
        named("record", &format!("{record}def make(): return P(1)"), "assert make() == P(1) == (1, 0)"),
        named("record-wrong", &format!("{record}def make(): return P(2)"), "assert make() == P(1)"),
        named("usual-names", set, fluent),
        named("usual-names-wrong", &set.replace("append(x)", "append(7)"), fluent),
        named("gives-itself", "class Stack:\n    def append(self, x): pass\n    def pop(self): return self\n    def __eq__(self, o): return True",
            "s = Stack()\ns.append(1)\nassert s.pop() == 1"),
        named("truth", &forged("IsPrime", "__bool__"), "assert IsPrime(7)"),
        named("member", &forged("Divisors", "__contains__"), "assert 3 in Divisors(6)"),
        named("beginning", &forged("Greet", "startswith"), "assert Greet('x').startswith('Hello')"),
    ]), @r"
    enumeration accepted 1/1 [accepted assertions shielded=true]
    enumeration-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    record accepted 1/1 [accepted assertions shielded=true]
    record-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    usual-names accepted 1/1 [accepted assertions shielded=true]
    usual-names-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    gives-itself runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type Stack]
    truth accepted 1/1 [accepted assertions shielded=true]
    member runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    beginning runtime_error 0/1 [runtime_error shielded=true it gave back a live object where the test code wants plain data]
    ");
}

/// Where the test code treats one thing as an object, another that lies beside or below it need not be one.
#[test]
fn what_an_object_holds_is_no_way_out() {
    let equal = "from collections import namedtuple\nP = namedtuple('P', 'x')\nclass E:\n    def __eq__(self, o): return True\n    \
                 def __add__(self, o): return E()\n    def __call__(self): return E()\nclass Q(E):\n    x, name = 1, 'a'\n    \
                 def __init__(self, *a): pass\n    def __getitem__(self, i): return E()\n";
    let gives = |id: &str, what: &str, test: &str| {
        named(id, &format!("{equal}def make(): return {what}"), test)
    };
    insta::assert_snapshot!(judged(&[
        gives("record", "P(E())", "assert make().x == 1"),
        gives("record-in-list", "[P(E())]", "assert make()[0].x == 1"),
        gives("record-right", "[P(1)]", "assert make()[0].x == 1"),
        gives("item", "Q()", "r = make()\nassert r.name == 'a' and r[0] == 1"),
        gives("call", "Q()", "r = make()\nassert r.name == 'a' and r() == 1"),
        gives("beside", "Q(), E()", "r, n = make()\nassert r.name == 'a' and n == 1"),
        gives("beside-member", "Q(), E()", "r, n = make()\nassert r.name == 'a' and 1 in n"),
        gives("beside-right", "Q(), 1", "r, n = make()\nassert r.name == 'a' and n == 1"),
        gives("sum", "0", "assert Q(1).x == 1 and Q(1) + Q(2) == 3"),
    ]), @r"
    record wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    record-in-list wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    record-right accepted 1/1 [accepted assertions shielded=true]
    item runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type E]
    call runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type E]
    beside runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type E]
    beside-member runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type E]
    beside-right accepted 1/1 [accepted assertions shielded=true]
    sum runtime_error 0/1 [runtime_error shielded=true it gave back a live object of type E]
    ");
}

#[test]
fn what_an_exception_carries_comes_with_it() {
    let own = "class Late(Exception):\n    def __init__(self, code):\n        super().__init__('m')\n        self.code = code\n";
    let raises = |code: u8| format!("{own}def f(): raise Late({code})");
    let coded = "try:\n    f()\nexcept Late as e:\n    assert e.code == 5\nelse:\n    assert False";
    let library = "import json\ntry:\n    f('{')\nexcept json.JSONDecodeError as e:\n    assert e.pos == 1\nelse:\n    assert False";
    let skipped = "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        try:\n            \
                   self.assertEqual(f(1), 2)\n        except unittest.SkipTest:\n            raise\nunittest.main()";
    insta::assert_snapshot!(judged(&[
        named("attribute", &raises(5), coded),
        named("attribute-wrong", &raises(6), coded),
        named("library", "import json\ndef f(x): return json.loads(x)", library),
        named("library-wrong", "def f(x): raise ValueError(x)", library),
        named("shown", "class Low(ValueError):\n    def __str__(self): return 'low'\ndef f(x): raise Low(x) from KeyError(x)",
            "try:\n    f(1)\nexcept ValueError as e:\n    assert (type(e).__name__, str(e), type(e.__cause__)) == ('Low', 'low', KeyError)\n\
             else:\n    assert False"),
        named("skips", "import unittest\ndef f(x): raise unittest.SkipTest", skipped),
    ]), @r"
    attribute accepted 1/1 [accepted assertions shielded=true]
    attribute-wrong wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    library accepted 1/1 [accepted assertions shielded=true]
    library-wrong runtime_error 0/1 [runtime_error shielded=true ValueError: {]
    shown accepted 1/1 [accepted assertions shielded=true]
    skips wrong_answer 0/1 [wrong_answer shielded=true T.test: SkipTest]
    ");
}

/// A candidate that takes its own end of the channel over cannot send an object where a record holds plain data.
#[test]
fn a_forged_record_holds_no_object() {
    let forging = "import sys\nfrom collections import namedtuple\n\
                   sys.modules['mc_harness.proxy.wire.channel'].Between.wholly = lambda s, e: e()\nclass Y:\n    \
                   def __call__(s, *a): return True\n    def __eq__(s, o): return True\n";
    let gives = |id: &str, what: &str, test: &str| {
        examined(id, &format!("{forging}def f(x): return {what}"), test)
    };
    insta::assert_snapshot!(judged(&[
        gives("method", "namedtuple('P', 'startswith')(Y())", "assert candidate(1).startswith('a')"),
        gives("field", "namedtuple('P', 'x')(Y())", "assert candidate(1).x == 1"),
        gives("right", "namedtuple('P', 'x')(1)", "assert candidate(1).x == 1"),
    ]), @r"
    method runtime_error 0/1 [runtime_error shielded=true it sent a reply that makes no sense]
    field runtime_error 0/1 [runtime_error shielded=true it sent a reply that makes no sense]
    right accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn a_runner_of_tests_passes_over_the_candidates_classes() {
    let test = "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(Box(3).get(), 3)\n\
                unittest.main()";
    let gives = |id: &str, value: &str| {
        named(
            id,
            &format!(
                "class Box:\n    def __init__(self, x): self.x = x\n    def get(self): return {value}"
            ),
            test,
        )
    };
    insta::assert_snapshot!(judged(&[gives("right", "self.x"), gives("wrong", "self.x + 1")]), @r"
    right accepted 1/1 [accepted assertions shielded=true]
    wrong wrong_answer 0/1 [wrong_answer shielded=true T.test: AssertionError: 4 != 3]
    ");
}

#[test]
fn an_answer_without_items_is_not_close_to_one_with_some() {
    let close = "import numpy as np\nassert np.allclose(candidate(1), [1.0])";
    let asserted = "from numpy.testing import assert_allclose, assert_equal\nassert_allclose(candidate(1), 1.0)\n\
                    assert_allclose(actual=candidate(1), desired=1.0)\nassert_equal([[1], [2, 3]], [[1], [2, 3]])\nassert_equal([], [])";
    let solutions = [
        examined("empty", "def f(x): return []", close),
        examined("right", "def f(x): return [1.0]", close),
        examined(
            "array",
            "import numpy as np\ndef f(x): return np.array([1.0])",
            close,
        ),
        examined("asserted-empty", "def f(x): return []", asserted),
        examined("asserted", "def f(x): return [1.0]", asserted),
    ];
    let python = crate::numpy::python().to_str().expect("a plain path");
    let verdicts = Lab::new().judge(&solutions, &["--python", python]);
    insta::assert_snapshot!(outline(&verdicts), @r"
    empty wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    right accepted 1/1 [accepted assertions shielded=true]
    array accepted 1/1 [accepted assertions shielded=true]
    asserted-empty wrong_answer 0/1 [wrong_answer shielded=true AssertionError: one of both is empty]
    asserted accepted 1/1 [accepted assertions shielded=true]
    ");
}

#[test]
fn problems_in_leetcodes_style_are_met_halfway() {
    let call = |id: &str, code: &str, statement: &str, input: Value, output: Value| {
        let solution = crate::lab::function(id, code, input, output);
        let solution = with(solution, "fn_name", "Solution.f".into());
        with(solution, "statement", statement.into())
    };
    let deep = "class Solution:\n    def f(self, n):\n        def g(n): return n and 1 + g(n - 1)\n        return g(n)";
    let sorts = "class Solution:\n    def f(self, nums): nums.sort()";
    let in_place = "Sort nums in-place.";
    let reverses = "class Solution:\n    def f(self, head):\n        last = None\n        while head:\n            \
                    head.next, last, head = last, head, head.next\n        return last";
    insta::assert_snapshot!(judged(&[
        call("deep", deep, "", serde_json::json!([20_000]), 20_000.into()),
        call("function", "def f(x): return x + 1", "", serde_json::json!([1]), 2.into()),
        call("in-place", sorts, in_place, serde_json::json!([[2, 1]]), serde_json::json!([1, 2])),
        call("not-in-place", sorts, "Return nums sorted.", serde_json::json!([[2, 1]]), serde_json::json!([1, 2])),
        call("unannotated", reverses, "Reverse the linked list.", serde_json::json!([[1, 2]]), serde_json::json!([2, 1])),
    ]), @r"
    deep accepted 1/1 [accepted exact]
    function accepted 1/1 [accepted exact]
    in-place accepted 1/1 [accepted exact]
    not-in-place wrong_answer 0/1 [wrong_answer]
    unannotated accepted 1/1 [accepted typed]
    ");
}

#[test]
fn a_name_of_the_librarys_is_the_candidates_where_nothing_of_the_librarys_fits() {
    insta::assert_snapshot!(judged(&[
        named("counter", "class Counter:\n def __init__(s): s.value=0\n def increment(s): s.value+=1", "c=Counter()\nc.increment()\nassert c.value==1"),
        named("copy", "def copy(x): return [copy(i) for i in x] if isinstance(x,list) else x", "assert copy([1,[2]])==[1,[2]]"),
        named("inf", "def inf(x): return x", "assert inf(10)==10"),
        named("attribute", "class Counter:\n def __init__(s,v=0): s.value=v\n def increment(s): s.value+=1", "import unittest\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.c=Counter(5)\n    def test_a(self):\n        self.c.increment()\n        self.assertEqual(self.c.value,6)\nunittest.main()"),
        named("imported", "class Counter:\n def __init__(s): s.value=0\n def increment(s): s.value+=1", "from solution import Counter\ndef test_a():\n    c = Counter()\n    c.increment()\n    assert c.value == 1\ntest_a()"),
        named("deque", "class deque:\n def __init__(s,n): s.l=[]\n def push_front(s,x): s.l.insert(0,x)\n def peek_front(s): return s.l[0]", "d=deque(3)\nd.push_front(1)\nassert d.peek_front()==1"),
        named("librarys", "class Counter:\n def __init__(s,*a): pass\n def __eq__(s,o): return True\ndef f(x): return [9]", "assert Counter(f([1,2]))==Counter([2,1])"),
    ]), @r"
    counter accepted 1/1 [accepted assertions shielded=true]
    copy accepted 1/1 [accepted assertions shielded=true]
    inf accepted 1/1 [accepted assertions shielded=true]
    attribute accepted 1/1 [accepted assertions shielded=true]
    imported accepted 1/1 [accepted assertions shielded=true]
    deque accepted 1/1 [accepted assertions shielded=true]
    librarys wrong_answer 0/1 [wrong_answer shielded=true AssertionError]
    ");
}
