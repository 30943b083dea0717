"""Test code and candidate, joined by a real channel in one process."""

import asyncio
import inspect
import io
import socket
import statistics
import threading
import unittest
from array import array
from collections import Counter, UserDict, UserList, namedtuple
from contextlib import contextmanager, redirect_stdout, suppress
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from functools import partial
from operator import attrgetter, itemgetter, methodcaller
from unittest import mock

from mc_harness.proxy.analysis.in_place import sees
from mc_harness.proxy.candidate.server import serve
from mc_harness.proxy.link import client
from mc_harness.proxy.link.client import Link
from mc_harness.proxy.stand_ins.identity import is_same
from mc_harness.proxy.stand_ins.named import Function
from mc_harness.proxy.stand_ins.operated import COMPARED
from mc_harness.proxy.wire.arguments import update
from mc_harness.proxy.wire.channel import CALLBACKS, HANDED, Channel
from mc_harness.proxy.wire.plain import NOT_PLAIN


class Left(BaseException):
    """Stands for the end of the test code's process."""


def leave(kind, reason, waited, **more):
    raise Left(kind, reason, more)


def serve_until_left(namespace, channel):
    with suppress(ConnectionError):
        serve(namespace, {}, channel)


class Joined(unittest.TestCase):
    """A candidate that serves in a thread."""

    def candidate(self, source):
        ours, theirs = socket.socketpair()
        namespace = {"__name__": "solution"}
        exec(source, namespace)
        server = threading.Thread(target=serve_until_left, args=(namespace, Channel(theirs.fileno())))
        server.start()
        # Another candidate's things may be where this one's were.
        for known in (CALLBACKS, HANDED):
            self.addCleanup(known.clear)
        self.addCleanup(theirs.close)
        self.addCleanup(server.join)
        self.addCleanup(ours.close)
        self.addCleanup(ours.shutdown, socket.SHUT_RDWR)
        patch = mock.patch.object(client, "leave", leave)
        patch.start()
        self.addCleanup(patch.stop)
        self.link = Link(set(), Channel(ours.fileno()))
        return lambda name: Function(self.link, None, name, name)

    @contextmanager
    def leaves(self, kind, reason, **more):
        with self.assertRaises(Left) as caught:
            yield
        self.assertEqual(caught.exception.args, (kind, reason, more))


class Calls(Joined):
    def test_arguments_and_results(self):
        f = self.candidate("def f(*args, **kwargs): return args, kwargs")("f")
        self.assertEqual(f(1, [2], a={3}), ((1, [2]), {"a": {3}}))

    def test_what_is_done_to_an_argument_is_seen(self):
        f = self.candidate("def f(a):\n    a.sort()\n    return a")("f")
        given = [2, 1]
        self.assertIs(f(given), given)
        self.assertEqual(given, [1, 2])

    def test_exceptions(self):
        f = self.candidate("def f(x): raise KeyError(x)")("f")
        with self.assertRaises(KeyError) as caught:
            f("k")
        self.assertEqual(caught.exception.args, ("k",))
        self.assertEqual(caught.exception.candidate, "KeyError: 'k'")

    LOW = (
        "class Low(Exception):\n    level = 3\n    def __init__(self, need, have):\n"
        "        super().__init__('need %s' % need)\n        self.need, self.have = need, object() if have else None\n"
        "    def lacking(self): return self.need - 1\n    @property\n    def text(self): return 'Low'\n"
        "def f(x): raise Low(x, 1)"
    )

    def test_what_an_exception_has_that_stays(self):
        f = self.candidate(self.LOW)("f")
        with self.assertRaises(Exception) as caught:
            f(5)
        low = caught.exception
        self.assertEqual((str(low), low.need, low.lacking(), low.text, low.level), ("need 5", 5, 4, "Low", 3))
        self.assertFalse(hasattr(low, "none"))
        with self.leaves("live", "it gave back a live object of type object", chain="Low().have"):
            self.assertEqual(low.have, 1)

    def test_exceptions_that_test_code_makes(self):
        self.candidate(self.LOW)
        namespace = {}
        self.link.begin_naming(namespace, ["Low"])
        self.link.take(["Low"])
        low = namespace["Low"](7, 0)
        self.assertEqual((str(low), low.args, low.need, low.lacking()), ("need 7", ("need 7",), 7, 6))
        self.assertFalse(hasattr(low, "candidate"))
        with self.assertRaises(TypeError):
            namespace["Low"]()

        class Lower(namespace["Low"]):
            pass

        self.assertEqual(str(Lower(1, 0)), "need 1")

    def test_collections(self):
        P = namedtuple("P", "x y")
        f = self.candidate("def f(p, c): return p._replace(x=c['a'])")("f")
        self.assertEqual(f(P(1, 2), Counter("aa"))._asdict(), {"x": 2, "y": 2})


class Instances(Joined):
    def test_methods(self):
        stack = self.candidate("class Stack(list):\n    def push(self, x): self.append(x)")("Stack")()
        stack.push(3)
        self.assertEqual((len(stack), stack[0], 3 in stack, list(stack)), (1, 3, True, [3]))

    def test_they_are_equal_to_nothing(self):
        f = self.candidate("class f:\n    def __init__(self, x): pass\n    def __eq__(self, other): return True")("f")
        with self.leaves("live", NOT_PLAIN, chain="f()"):
            self.assertEqual(f(1), 1)

    def test_where_they_are_objects_the_test_code_asks_too_much(self):
        vector = self.candidate("class V:\n    def norm(self): return 1\n    def __eq__(self, _): return True")("V")()
        vector.norm()
        with self.leaves("unshieldable", COMPARED, meets=True, at=0):
            self.assertEqual(vector, 1)

    def test_methods_of_plain_data_prove_nothing(self):
        forged = self.candidate("class f:\n    def startswith(self, text): return True")("f")()
        with self.leaves("live", NOT_PLAIN, chain="f()"):
            forged.startswith("a")

    def test_attributes_can_be_set(self):
        node = self.candidate("class N: pass")("N")()
        node.label = 3
        self.assertEqual(node.label, 3)

    def test_they_are_compared_with_one_another(self):
        names = self.candidate(
            "class V:\n    def __init__(self, x): self.x = x\n    def __eq__(self, o): return self.x == o.x\n"
            "    def __add__(self, o): return V(self.x + o.x)\n    def __neg__(self): return V(-self.x)\n"
            "def twice(v): return [v, v]"
        )
        v = names("V")
        self.assertTrue(v(1) + v(2) == v(3) and -v(1) == v(-1) and not v(1) == v(2))
        self.assertEqual(names("twice")(v(1)), [v(1), v(1)])

    def test_identity(self):
        names = self.candidate("class C: pass\nclass E:\n    A, B = C(), C()\ndef f(): return E.A")
        e, f = names("E"), names("f")
        self.assertTrue(is_same(f(), e.A) and is_same(3, 3) and not is_same(f(), e.B))

    def test_an_attribute_is_what_it_was_when_it_was_read(self):
        names = self.candidate("class N:\n    def __init__(self, v): self.v = v\nclass L:\n    head = N(1)\n"
                               "    def push(self, v): self.head = N(v)")
        linked = names("L")()
        first = linked.head
        linked.push(2)
        self.assertEqual((first.v, linked.head.v), (1, 2))

    def test_their_own_iterators(self):
        names = self.candidate(
            "class I:\n    n = 0\n    def __iter__(self): return self\n    def __next__(self):\n        self.n += 1\n"
            "        if self.n > 3: raise StopIteration\n        return self.n\n"
            "class Node:\n    label = 5\ndef nodes():\n    yield Node()\ndef make(): return I()\n"
            "async def count():\n    for n in range(2): yield n"
        )
        self.assertEqual((list(names("make")()), sum(names("I")()), next(names("make")())), ([1, 2, 3], 6, 1))
        self.assertEqual([node.label for node in names("nodes")()], [5])

        async def counted():
            return [n async for n in names("count")()]

        self.assertEqual(asyncio.run(counted()), [0, 1])

    def test_they_can_be_passed_back(self):
        names = self.candidate("class N:\n    label = 7\ndef read(n): return n.label")
        self.assertEqual(names("read")(names("N")()), 7)

    def test_instance_checks(self):
        names = self.candidate("class A: pass\nclass B(A): pass\nclass C: pass")
        instance = names("B")()
        self.assertTrue(isinstance(instance, names("A")))
        self.assertFalse(isinstance(instance, names("C")))
        self.assertFalse(isinstance(3, names("A")))


class Names(Joined):
    def test_what_the_candidate_has_under_them(self):
        self.candidate("MAX = 3\nclass Low(ValueError): pass\ndef f(): raise Low('x')\nlive = object()")
        namespace = {}
        self.link.begin_naming(namespace, ["MAX", "Low", "f", "live", "none"])
        lacking = self.link.take(["MAX", "Low", "f", "live", "none"])
        self.assertEqual((lacking, namespace["MAX"]), ({"none"}, 3))
        with self.assertRaises(namespace["Low"]):
            namespace["f"]()

    def test_a_call_may_change_them(self):
        self.candidate("n = 0\ndef f():\n    global n\n    n += 1")
        namespace = {}
        self.link.begin_naming(namespace, ["f", "n"])
        self.link.take(["f", "n"])
        namespace["f"]()
        self.assertEqual(namespace["n"], 1)


class Refusals(Joined):
    def test_a_live_result_where_plain_data_is_wanted(self):
        f = self.candidate("def f(): return object()")("f")
        result = f()
        for ask in (lambda: result == 1, lambda: 1 + result, lambda: bool(result), lambda: [result] == [1]):
            with self.leaves("live", "it gave back a live object of type object", chain="f()"):
                ask()

    def test_a_live_argument(self):
        f = self.candidate("def f(g): return g(1)")("f")
        with self.leaves("unshieldable", "the test code passes a live object of type code", at=0):
            f(compile('1', '', 'eval'))

    def test_nonsense_on_the_channel(self):
        forged = "[", "7", '{"value": {"set": [[]]}}', '{"value": {"no": 1}}', '{"raised": [1]}', '{"handle": 0.5}'
        for reply in forged:
            with self.subTest(reply=reply):
                self.candidate("")
                self.link.channel.receive = lambda reply=reply: reply
                with self.assertRaises(Left) as caught:
                    Function(self.link, None, "f", "f")()
                self.assertEqual(caught.exception.args[0], "candidate")

    def test_an_object_that_cannot_be_called(self):
        with self.assertRaisesRegex(TypeError, "not callable"):
            self.candidate("Solution = object()")("Solution")()


class Closures(Joined):
    def test_results_that_are_called(self):
        f = self.candidate("def f(x): return lambda y: x + y")("f")
        self.link.objects.add("f()")
        self.assertEqual(f(1)(2), 3)

    def test_functions_that_need_nothing_can_be_passed(self):
        f = self.candidate("def f(g, a): return [g(x) for x in a]")("f")
        self.assertEqual(f(lambda x, k=3: x * k, [1, 2]), [3, 6])
        self.assertEqual(f(len, ["ab"]), [2])
        self.assertEqual(f(str, [1]), ["1"])

    def test_functions_of_the_library_can_be_passed(self):
        f = self.candidate("def f(g, a): return [g(x) for x in a]")("f")
        for function, given, expected in (
            (str.upper, "a", "A"), (itemgetter(1), (2, 3), 3), (attrgetter("real"), 1, 1), ("-".join, ["a"], "a"),
            (methodcaller("split", sep=","), "a,b", ["a", "b"]),
            (partial(pow, 2), 3, 8), (partial(int, base=2), "1", 1),
            ({1: 2}.get, 1, 2), ((1).__add__, 2, 3), (date.isoformat, date(2020, 1, 2), "2020-01-02"),
            (statistics.mean, [1, 3], 2), (dict.fromkeys, [1], {1: None}), (Fraction.from_float, 0.5, Fraction(1, 2)),
        ):
            with self.subTest(function=function):
                self.assertEqual(f(function, [given]), [expected])

    def test_what_changes_its_own_is_called_where_it_is(self):
        f = self.candidate("def f(g): return g(1)")("f")
        held = [], {}, {2}
        self.assertEqual([f(change) for change in (held[0].append, held[1].setdefault, held[2].add)], [None] * 3)
        self.assertEqual(held, ([1], {1: None}, {1, 2}))
        with self.assertRaisesRegex(AssertionError, "1"):
            f(self.fail)

    def test_a_coroutine_goes_on_here(self):
        f = self.candidate("async def f(g): return await g() + 1")("f")
        counted = []

        async def coroutine():
            counted.append(1)
            await asyncio.sleep(0)
            return len(counted)

        self.assertEqual(asyncio.run(f(coroutine)), 2)
        self.assertEqual(counted, [1])

    def test_what_a_function_gives_that_cannot_cross(self):
        f = self.candidate("def f(g): return g()")("f")
        counted = []
        with self.leaves("unshieldable", "a function of the test code gives a live object of type code", at=0):
            f(lambda: counted.append(1) or compile('1', '', 'eval'))

    def test_of_a_function_nothing_else_can_be_asked(self):
        f = self.candidate(
            "def f(method, *asked):\n"
            "    called = method.__func__.__closure__[0].cell_contents\n"
            "    return called.__closure__[1].cell_contents.call(0, (1,), {}, *asked)\n"
        )("f")
        self.assertIsNone(f([].append, "call", None))
        for name in ("__self__", "__globals__", "__closure__", "__reduce__"):
            for how in ("get", "set", "del", "special"):
                with self.subTest(name=name, how=how), self.assertRaisesRegex(AttributeError, name):
                    f([].append, how, name)

    def test_iterators_are_asked_as_they_are_used(self):
        f = self.candidate("import itertools\ndef f(n):\n    yield from range(n)\n    raise KeyError('end')")("f")
        given = f(5)
        self.assertEqual([next(given) for _ in range(5)], [0, 1, 2, 3, 4])
        with self.assertRaises(KeyError):
            next(given)

    def test_coroutines(self):
        f = self.candidate("async def f(x): return x + 1")("f")
        self.assertEqual(asyncio.run(f(1)), 2)

    def test_what_is_known_of_a_function(self):
        f = self.candidate("def f(a, b=2, *c):\n    'Adds.'")("f")
        self.assertEqual((f.__doc__, f.__name__, str(inspect.signature(f))), ("Adds.", "f", "(a, b=2, *c)"))

    def test_printed_text_is_captured(self):
        f = self.candidate("def f(): print('hello')")("f")
        with redirect_stdout(io.StringIO()) as written:
            f()
        self.assertEqual(written.getvalue(), "hello\n")

    def test_standard_input_is_given(self):
        f = self.candidate("def f(): return int(input()) + 1")("f")
        with mock.patch("sys.stdin", io.StringIO("1\n2\n")):
            self.assertEqual((f(), f()), (2, 3))


class Values(Joined):
    def test_of_standard_classes(self):
        f = self.candidate("def f(x): return x")("f")
        zone = timezone(timedelta(hours=2))
        for value in (
            Fraction(1, 3), Decimal("1.10"), date(2020, 2, 29), datetime(2020, 1, 2, 3, 4, 5, 6, zone), time(1, 2),
            timedelta(-1, 5), b"a", 1j, int, [Fraction(1, 2)],
        ):
            with self.subTest(value=value):
                self.assertEqual((f(value), type(f(value))), (value, type(value)))


class InPlace(Joined):
    SHIFT = "def f(a):\n    a[0] = 9\n    return %s"

    def changed(self, result, in_place):
        f, given = self.candidate(self.SHIFT % result)("f"), [1, 2]
        self.link.in_place = lambda path, gives_nothing: in_place or gives_nothing
        return f(given), given

    def test_who_gives_nothing_back_changes_arguments(self):
        self.assertEqual(self.changed("None", False), (None, [9, 2]))

    def test_who_gives_something_back_does_so_only_where_it_is_meant(self):
        self.assertEqual(self.changed("7", False), (7, [1, 2]))
        self.assertEqual(self.changed("a", False), ([9, 2], [1, 2]))
        self.assertEqual(self.changed("7", True), (7, [9, 2]))

    def test_what_test_code_says_of_it(self):
        for source, meant in {
            "xs = [1]\nassert f(xs) == ref(xs)": True,
            "from m import ref\nxs = [1]\nassert f(xs) == ref(xs)": False,
            "xs = [1]\nassert f(xs) == Counter(xs)": False,
            "xs = [1]\nassert f(xs) == sorted(xs)": False,
            "r = f(xs)\nassert r == sorted(xs)": False,
            "assert abs(poly(xs, f(xs))) < 1e-4": False,
            "r = f(xs)\nassert abs(poly(xs, r)) < 1e-4": False,
            "k = f(xs)\nassert xs[:k] == [1, 2]": True,
            "expected = [1]\nf(xs)\nassert sorted(xs) == expected": True,
            "self.g.f(xs)\nself.assertEqual(xs, [1])": True,
            "def ref(*inp): return sorted(inp)\nout = candidate(*inp)\nassertion(out, ref(*inp), 0)": False,
            "for inp, want in cases: assert f(inp) == want": True,
            "for inp, want in cases: assert f(inp) == want + inp": False,
            "alias = xs\nwant = max(alias)\nassert f(xs) == want": False,
            "xs = alias\nassert f(xs) == max(alias)": False,
            "for case in cases: assert f(case['in']) == case['out']": False,
            "def check(got, xs): assert got == sorted(xs)\ncheck(f(xs), xs)": False,
            "def check(got, want): assert got == want\ncheck(f(xs), [1])": True,
            "def want(): return sum(XS)\nXS = [1]\nassert f(XS) == want()": False,
            "cases = [[1]]\ngot = []\nfor xs in cases: got.append(f(xs))\nassert got == [sum(xs) for xs in cases]":
                False,
            "assert list(map(f, cases)) == [sum(xs) for xs in cases]": False,
            "assert f(list(grid)) == sum(grid, [])": False,
            "assert all(x in xs for x in f(xs))": False,
            "assert f(xs) - sum(xs) == 0": False,
            "d = f(xs)\nd -= sum(xs)\nassert d == 0": False,
            "def test(self): self.want = sum(self.xs); self.assertEqual(f(self.xs), self.want)": False,
            "def test(self): self.assertEqual(f(self.xs), [1])\ndef other(self): self.assertTrue(self.xs)": True,
            "while q: got.append(f(q))\nassert got == [1]": True,
            "assert f('a', seen) is True\nassert f('a', seen) is False": True,
            "for a, b in zip(f(xs), [1]): assert a == b\nfor a, b in zip(xs, [1]): assert a == b": True,
            "k = f(case['in'])\ngot = case['in'][:k]\nassert got == case['out']": True,
            "for i in range(3): assert f(i, xs) == i": True,
            "f(xs)\nassert is_sorted(xs)": True,
        }.items():
            with self.subTest(source=source):
                self.assertEqual(sees(source, "f"), meant)


class Updates(unittest.TestCase):
    def test_what_the_test_code_holds_stays_the_same_object(self):
        grid = [[1], [2]]
        first = grid[0]
        update(grid, [[9], [2], [3]])
        self.assertEqual((first, grid), ([9], [[9], [2], [3]]))

    def test_what_a_tuple_holds_is_updated_in_place(self):
        inner = [1]
        given = [(inner, 2), (inner, 3)]
        first = given[0]
        update(given, [([1, 9], 2), ([1, 9], 4)])
        self.assertEqual((inner, given[1]), ([1, 9], ([1, 9], 4)))
        self.assertIs(given[0], first)

    def test_arrays_and_holders(self):
        for given, changed in (
            (array("i", [1, 2]), array("i", [9, 2])), (UserList([1]), UserList([1, 9])),
            (UserDict(a=[1]), UserDict(a=[2])), (array("i", [1]), array("i", [1, 2])),
        ):
            with self.subTest(given=given):
                self.assertIs(update(given, changed), given)
                self.assertEqual(given, changed)
        other = array("d", [1.0])
        self.assertIs(update(array("i", [1]), other), other)

    def test_dictionaries_keep_the_new_order(self):
        held = {"a": [1], "b": 2}
        inner = held["a"]
        update(held, {"b": 3, "a": [5]})
        self.assertEqual(list(held.items()), [("b", 3), ("a", [5])])
        self.assertIs(held["a"], inner)
