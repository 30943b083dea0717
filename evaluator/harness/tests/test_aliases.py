"""The candidate's side of what is one thing on both sides."""

import unittest
from json import loads
from unittest.mock import patch

from mc_harness.proxy.wire import aliases
from mc_harness.proxy.wire.aliases import Aliases
from mc_harness.proxy.wire.containers import copied


def told(looked_after):
    """What the next message says of what is held, and of what is so no more."""
    said = loads("{%s}" % looked_after.told()[1:])
    return said.get("held", []), said.get("gone", [])


class LookedAfter(unittest.TestCase):
    def setUp(self):
        self.aliases = Aliases()

    def settled(self, *values):
        """The numbers of what a call was given, and of that what is held once it is over."""
        numbers = [number for _, given in self.aliases.numbers(None, values, {})["arguments"] for number in given]
        del values
        self.aliases.settle()
        return numbers, told(self.aliases)[0]

    def test_what_nothing_else_holds_is_forgotten(self):
        _, held = self.settled([1])
        self.assertEqual(held, [])

    def test_what_is_inside_of_what_is_held_is_held(self):
        kept = [[1], {"a": [2]}]
        numbers, held = self.settled(kept)
        self.assertEqual(len(numbers), 4)
        self.assertEqual(held, numbers)

    def test_it_is_told_once(self):
        kept = [1]
        self.settled(kept)
        self.assertEqual(told(self.aliases), ([], []))

    def test_what_arrived_is_held_while_the_call_goes_on(self):
        number = self.aliases.each_of([([1], [1])])
        self.assertEqual(told(self.aliases), (number, []))
        self.aliases.let_go()
        self.assertEqual(told(self.aliases), ([], number))

    def test_what_was_changed_before_it_was_looked_after_is_told(self):
        kept = [1]
        arrived = [(kept, copied(kept))]
        kept.append(2)
        number, = self.aliases.each_of(arrived)
        self.assertEqual(self.aliases.told_of_changes(str), ',"changed":[[%d,[1, 2]]]' % number)

    def test_what_is_held_no_more_makes_room(self):
        with patch.object(aliases, "MOST", 2):
            kept = [[1], [2]]
            first, _ = self.settled(*kept)
            kept[:] = [[3]]
            second, held = self.settled(*kept)
        self.assertEqual(held, second)
        self.assertEqual(self.aliases.held.keys(), set(second))
        self.assertTrue(set(first).isdisjoint(second))


if __name__ == "__main__":
    unittest.main()
