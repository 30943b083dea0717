"""Finding the function that is called, and giving it nodes."""

import functools
import unittest
from math import gcd
from typing import List, Optional

from mc_harness.call import as_nodes, find, outcome
from mc_harness.nodes import ListNode, TreeNode


class Solution:
    def solve(self, x):
        return x + 1

    @staticmethod
    def shared(x):
        return x + 2

    class Inner:
        pass


def own_function(x):
    return x


class Finding(unittest.TestCase):
    def test_functions_and_methods(self):
        names = {"solve": abs, "Solution": Solution}
        self.assertIs(find(names, "solve"), abs)
        self.assertEqual(find(names, "Solution.solve")(1), 2)
        self.assertEqual(find(names, "Solution.shared")(1), 3)
        self.assertIs(find(names, "Solution.Inner"), Solution.Inner)

    def test_a_method_where_a_function_is_asked(self):
        self.assertEqual(find({"Solution": Solution}, "solve")(1), 2)

    def test_what_is_not_there(self):
        with self.assertRaisesRegex(NameError, "the program does not define 'solve'"):
            find({}, "solve")


    def test_a_function_where_a_method_is_asked(self):
        names = {"__name__": __name__, "solve": own_function, "gcd": gcd, "Solution": Solution}
        self.assertEqual(find({**names, "plain": own_function}, "Solution.plain"), own_function)
        self.assertEqual(find(names, "Solution.solve")(1), 2)
        with self.assertRaises(AttributeError):
            find(names, "Solution.gcd")


class Nodes(unittest.TestCase):
    def test_names_where_the_problem_speaks_of_nodes(self):
        def merge(head, root, n):
            """Without annotations."""

        head, root, n = as_nodes(merge, [[1], [2], [3]], ["ListNode", "TreeNode"])
        self.assertEqual((head.val, root.val, n), (1, 2, [3]))
        self.assertEqual(as_nodes(merge, [[1], [2], [3]]), [[1], [2], [3]])

    def test_annotations_ask_for_nodes(self):
        def merge(self, lists: List[Optional[ListNode]], root: "TreeNode", n: int):
            """Of LeetCode's kind."""

        lists, root, n = as_nodes(merge, [[[1, 2], []], [3], [4]])
        self.assertEqual((lists[0].next.val, lists[1], root.val, n), (2, None, 3, [4]))

    def test_decorated_functions(self):
        def wrapped(function):
            @functools.wraps(function)
            def around(*arguments):
                return function(*arguments)
            return around

        class Solution:
            @functools.lru_cache(None)  # noqa: B019
            def rob(self, root: Optional[TreeNode], n: int):
                """Of LeetCode's kind."""

            @wrapped
            def cut(self, root: Optional[TreeNode], n: int):
                """Of LeetCode's kind."""

        solution = Solution()
        for function in (solution.rob, solution.cut, functools.partial(solution.rob)):
            root, n = as_nodes(function, [[3], [4]])
            self.assertEqual((root.val, n), (3, [4]))

    def test_other_arguments_stay(self):
        self.assertEqual(as_nodes(len, [[1]]), [[1]])
        self.assertEqual(as_nodes(lambda a: a, [[1], [2]]), [[1], [2]])


class Outcome(unittest.TestCase):
    def test_value_or_refusal(self):
        self.assertEqual(outcome([1, 2]), '{"value":[1,2]}')
        self.assertEqual(outcome(object()), '{"refused": "a live object of type object"}')
