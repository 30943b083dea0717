"""Dry runs of test code."""

import unittest
from unittest import mock

from mc_harness.proxy import client
from mc_harness.proxy.dry import DryLink, tolerant
from mc_harness.proxy.lending import fill


class Left(BaseException):
    """Stands for the end of the test code's process."""


def leave(kind, reason, **more):
    raise Left(kind, reason)


def dry(source, name="f"):
    """What a dry run of this test code shows, and how it left."""
    code, namespace = compile(source, "main.py", "exec"), {}
    with mock.patch.object(client, "leave", leave):
        link = DryLink(set())
        fill(namespace, code, link, name)
        namespace["_noted"] = link.note
        try:
            exec(tolerant(source), namespace)
        except Left as left:
            return link, left.args
    return link, None


class Objects(unittest.TestCase):
    def found(self, source, name="f"):
        return dry(source, name)[0].objects

    def test_what_is_called_or_has_attributes_of_its_own(self):
        self.assertIn("f()", self.found("assert f(1)(2) == 3"))
        self.assertIn("Stack()", self.found("s = Stack()\ns.push(1)\nassert s.pop() == 1", ""))
        self.assertIn("f()", self.found("for x in [1]:\n    with f(x): pass"))

    def test_plain_data_is_none(self):
        for source in ("assert f(1) == [1]", "assert f(1)[0].startswith('a')", "f(1).append(2)", "x = f(1).year"):
            with self.subTest(source=source):
                self.assertEqual(self.found(source), set())

    def test_each_statement_has_its_turn(self):
        late = "def check(c):\n    assert c(1) is None\n    1 / 0\n    assert c(2)(3) == 4\ncheck(f)"
        self.assertIn("f()", self.found(late))

    def test_loops_end(self):
        self.assertEqual(self.found("while f(1) > 0: pass\nf(2).append(1)"), set())


class Findings(unittest.TestCase):
    def test_what_cannot_be_passed(self):
        why = "the test code passes a live object of type object"
        self.assertEqual(dry("assert f(1) == 3\nf(object())")[1], ("unshieldable", why))

    def test_whether_it_asks_anything(self):
        self.assertTrue(dry("assert f(1) == 2")[0].asked)
        self.assertFalse(dry("def test():\n    assert f(1) == 2")[0].asked)

    def test_what_it_fails_by_itself(self):
        link = dry("import nowhere\nassert f(1) == undefined_name\n[][f(1)]", "f")[0]
        self.assertEqual(link.raised[0], "ModuleNotFoundError: No module named 'nowhere'")
