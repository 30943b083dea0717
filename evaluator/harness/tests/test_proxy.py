"""Test code and candidate, joined by a real channel in one process."""

import socket
import threading
import unittest
from collections import Counter, namedtuple
from unittest import mock

from mc_harness.proxy import client, remote
from mc_harness.proxy.arguments import update
from mc_harness.proxy.channel import Channel
from mc_harness.proxy.client import Link
from mc_harness.proxy.remote import Function
from mc_harness.proxy.server import serve


class Left(BaseException):
    """Stands for the end of the test code's process."""


def leave(kind, reason):
    raise Left(kind, reason)


class Joined(unittest.TestCase):
    """A candidate that serves in a thread."""

    def candidate(self, source):
        ours, theirs = socket.socketpair()
        namespace = {}
        exec(source, namespace)
        server = threading.Thread(target=serve, args=(namespace, {}, Channel(theirs.fileno())))
        server.start()
        self.addCleanup(theirs.close)
        self.addCleanup(server.join)
        self.addCleanup(ours.close)
        self.addCleanup(ours.shutdown, socket.SHUT_RDWR)
        for module in (client, remote):
            patch = mock.patch.object(module, "leave", leave)
            patch.start()
            self.addCleanup(patch.stop)
        self.link = Link(set(), Channel(ours.fileno()))
        return lambda name: Function(self.link, None, name)


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
        with self.assertRaises(Left) as caught:
            self.assertEqual(f(1), 1)
        self.assertEqual(caught.exception.args[0], "candidate")


class Names(Joined):
    def test_what_the_candidate_has_under_them(self):
        self.candidate("MAX = 3\nclass Low(ValueError): pass\ndef f(): raise Low('x')\nlive = object()")
        namespace = {}
        lacking = self.link.take(namespace, ["MAX", "Low", "f", "live", "none"])
        self.assertEqual((lacking, namespace["MAX"]), ({"none"}, 3))
        with self.assertRaises(namespace["Low"]):
            namespace["f"]()

    def test_a_call_may_change_them(self):
        self.candidate("n = 0\ndef f():\n    global n\n    n += 1")
        namespace = {}
        self.link.take(namespace, ["f", "n"])
        namespace["f"]()
        self.assertEqual(namespace["n"], 1)


class Refusals(Joined):
    def test_a_live_result_is_the_candidates_fault(self):
        f = self.candidate("def f(): return object()")("f")
        with self.assertRaises(Left) as caught:
            f()
        self.assertEqual(caught.exception.args, ("candidate", "it gave back a live object of type object"))

    def test_a_live_argument_is_not(self):
        f = self.candidate("def f(g): return g(1)")("f")
        with self.assertRaises(Left) as caught:
            f(lambda x: x)
        self.assertEqual(caught.exception.args, ("unshieldable", "the test code passes a live object of type function"))


class Updates(unittest.TestCase):
    def test_what_the_test_code_holds_stays_the_same_object(self):
        grid = [[1], [2]]
        first = grid[0]
        update(grid, [[9], [2], [3]])
        self.assertEqual((first, grid), ([9], [[9], [2], [3]]))

    def test_dictionaries_keep_the_new_order(self):
        held = {"a": [1], "b": 2}
        inner = held["a"]
        update(held, {"b": 3, "a": [5]})
        self.assertEqual(list(held.items()), [("b", 3), ("a", [5])])
        self.assertIs(held["a"], inner)
