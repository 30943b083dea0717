"""Names that programs use, and those that they are lent."""

import heapq
import unittest

from mc_harness.lookups import Lookups
from mc_harness.names import names_used
from mc_harness.prelude import lookup, provide


def compiled(source):
    return compile(source, "main.py", "exec")


class Reading(unittest.TestCase):
    def test_names_of_nested_code(self):
        source = "class A:\n    def f(self):\n        return [g(x) for x in h]"
        self.assertTrue({"g", "h"} <= names_used(compiled(source)))

    def test_where_names_are_looked_up(self):
        found = Lookups(compiled("a = b\ndef f():\n    return math.pi + c\nc = 1\na"))
        self.assertTrue({"a", "b", "c", "math"} <= found.all)
        self.assertEqual(found.stored, {"a", "c", "f"})
        self.assertEqual(found.outer, {"a", "b"})
        self.assertEqual(found.early, {"b"})

    def test_a_module_of_which_attributes_are_taken(self):
        found = Lookups(compiled("assert math.isclose(f(1), e)\nprint(math)\nassert re.match('a', 'a')"))
        self.assertNotIn("re", found.bare)
        self.assertIn("math", found.bare)

    def test_globals_that_functions_bind(self):
        self.assertIn("n", Lookups(compiled("def f():\n    global n\n    n = 1")).stored)


class Lending(unittest.TestCase):
    def lent(self, source, own="f"):
        namespace = {}
        provide(compiled(source), namespace, own, lookup)
        return namespace

    def test_expected_names_are_lent(self):
        lent = self.lent("def f(a: List[int]): return heappop(a)")
        self.assertEqual(set(lent), {"List", "heappop"})
        self.assertIs(lent["heappop"], heapq.heappop)

    def test_a_module_and_its_member_of_the_same_name(self):
        lent = self.lent("x = bisect([1], 1) + bisect.bisect_left([1], 1)\nd = datetime(2020, 1, 1)")
        self.assertEqual(lent["bisect"]([1], 1) + lent["bisect"].bisect_left([1], 1), 1)
        self.assertEqual(lent["datetime"](2020, 1, 1).year, 2020)

    def test_neither_builtins_nor_what_is_to_be_called_is_lent(self):
        self.assertEqual(self.lent("pow(2, 3)\nf = gcd", own="gcd"), {})

    def test_nothing_is_lent_without_a_prelude(self):
        namespace = {}
        self.assertEqual(provide(compiled("gcd(4, 6)"), namespace, "f", None), {})
        self.assertEqual(namespace, {})
