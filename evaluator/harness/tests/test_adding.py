"""Sums in place, and classes that are joined."""

import sys
import unittest
from collections import deque

from mc_harness.proxy.analysis.adding import takes_in
from mc_harness.proxy.stand_ins.unions import alternatives, joined


class Added:
    def __init__(self):
        self.is_taken_in = None

    def __radd__(self, other):
        self.is_taken_in = takes_in(other, sys._getframe(1))
        return other


class Adding(unittest.TestCase):
    def test_lists_take_in_what_is_added_in_place(self):
        for held in ([], deque()):
            added = Added()
            held += added
            self.assertTrue(added.is_taken_in)

    def test_a_sum_that_is_another_thing_takes_nothing_in(self):
        added = Added()
        self.assertEqual([] + added, [])
        self.assertFalse(added.is_taken_in)

    def test_nothing_else_takes_anything_in(self):
        added, held = Added(), 1
        held += added
        self.assertFalse(added.is_taken_in)


class Joining(unittest.TestCase):
    def test_a_union_is_gone_through_as_a_tuple_is(self):
        self.assertEqual(alternatives(joined(int, None)), (int, type(None)))
        self.assertEqual(alternatives((int, str)), (int, str))
        self.assertIsNone(alternatives(int))
