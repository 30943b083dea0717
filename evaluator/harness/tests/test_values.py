"""Plain data out of a box and into one."""

import unittest
from collections import deque
from decimal import Decimal
from fractions import Fraction
from json import loads

from mc_harness.decoding import decode
from mc_harness.encoding import ListsAlone, Refused, encode
from mc_harness.limits import MAX_DEPTH, SAFE_INT


def nested(depth):
    value = 0
    for _ in range(depth):
        value = [value]
    return value


class ExactNumbers(unittest.TestCase):
    def test_the_nearest_number_is_returned(self):
        for number, told in (("1.5", "1.5"), ("0.1", "0.1"), ("3.0", "3")):
            self.assertEqual(encode(Decimal(number)), told)
        self.assertEqual(encode(Fraction(1, 2)), "0.5")
        self.assertEqual(encode(Decimal("nan")), '{"float":"nan"}')
        with self.assertRaises(Refused):
            encode(Fraction(10**400, 3))


class RoundTrip(unittest.TestCase):
    def check(self, value):
        back = decode(loads(encode(value)))
        self.assertEqual(back, value)
        self.assertIs(type(back), type(value))

    def test_scalars(self):
        for value in (None, True, 0, -1, SAFE_INT, -(10**400), 0.1, float("inf"), "é", b"\x00\xff", 1 - 2j):
            with self.subTest(value=value):
                self.check(value)

    def test_not_a_number(self):
        self.assertEqual(str(decode(loads(encode(float("nan"))))), "nan")

    def test_containers(self):
        for value in ([1, [2]], (1, ()), {1: "a", (1, 2): {}}, {1, 2}, frozenset("ab"), deque([1]), range(0, 2**70, 3)):
            with self.subTest(value=value):
                self.check(value)

    def test_iterators_cross_by_what_they_give(self):
        for value in (iter([1, 2]), (i for i in (1, 2)), map(int, "12"), {1: 0, 2: 0}.keys()):
            with self.subTest(value=value):
                self.assertEqual(list(decode(loads(encode(value)))), [1, 2])


class ResultsOfCalls(unittest.TestCase):
    def test_what_is_no_list_is_refused(self):
        values = iter([1]), (i for i in (1,)), map(int, "1"), {1: 0}.keys(), deque([1]), range(2), reversed([1])
        for value in values:
            for held in (value, [value], (0, value), {"a": value}):
                with self.subTest(held=held), self.assertRaises(Refused) as caught:
                    encode(held, ListsAlone())
                why = "an object of type %s, which is equal to no list"
                self.assertEqual(str(caught.exception), why % type(value).__name__)

    def test_all_else_is_as_it_was(self):
        for value in ([1, [2]], (1, ()), {1: "a"}, {1, 2}, "a", 2**70, type("Own", (list,), {})([1])):
            with self.subTest(value=value):
                self.assertEqual(encode(value, ListsAlone()), encode(value))


class Subclasses(unittest.TestCase):
    def test_cross_by_their_plain_value(self):
        for base, value in ((int, 3), (float, 0.5), (str, "a"), (list, [1]), (tuple, (1,)), (dict, {1: 2}), (set, {1})):
            with self.subTest(base=base):
                self.assertEqual(decode(loads(encode(type("Own", (base,), {})(value)))), value)

    def test_what_they_override_has_no_say(self):
        class Lying(list):
            def __iter__(self):
                return iter([9])

        self.assertEqual(encode(Lying([1])), "[1]")


class RefusedValues(unittest.TestCase):
    def check(self, value, why):
        with self.assertRaises(Refused) as caught:
            encode(value)
        self.assertEqual(str(caught.exception), why)

    def test_live_objects(self):
        self.check([object()], "a live object of type object")
        self.check(len, "a live object of type builtin_function_or_method")

    def test_lone_surrogates(self):
        self.check("\ud800", "a str with lone surrogates")

    def test_depth(self):
        self.assertEqual(decode(loads(encode(nested(MAX_DEPTH)))), nested(MAX_DEPTH))
        self.check(nested(MAX_DEPTH + 1), "a value nested more than %d deep" % MAX_DEPTH)

    def test_a_list_within_itself(self):
        value = []
        value.append(value)
        self.check(value, "a value nested more than %d deep" % MAX_DEPTH)
