"""Values that both sides hold, where test code changes what it was given or has handed over.

In one process these would be the same: a program that gives out its own state, or keeps what it was given, would see
what the test code does to that. So what the test code changed is changed in the candidate's box, too, before that is
asked again. What the candidate changes later may be what is expected, so it comes here only once the candidate has passed
without that.
"""

import ast

from ..decoding import decode
from ..encoding import Refused, encode
from .aliases import KINDS, LONGEST, MOST, copied, differ
from .arguments import update
from .certainty import called

# Methods that change what they are called on.
CHANGING = frozenset(
    "add append appendleft clear discard extend extendleft insert pop popitem popleft remove reverse setdefault sort "
    "update difference_update intersection_update symmetric_difference_update".split())


def changes(source):
    """Whether test code changes anything in place."""
    return any(map(is_change, ast.walk(ast.parse(source))))


def is_change(node):
    if isinstance(node, ast.Subscript):
        return not isinstance(node.ctx, ast.Load)
    return isinstance(node, ast.AugAssign) or isinstance(node, ast.Call) and called(node) in CHANGING


class Mirrored:
    """What crossed, as far as it is plain data that both sides hold, by the numbers of `aliases`."""

    def __init__(self):
        # Whether the test code changes things in place, and whether it is shown what the candidate did later.
        self.is_on, self.is_shown = False, False
        # What crossed with the last reply; and of all before, what the candidate holds too: the number of each, the value, and
        # a copy of it as it crossed. Where the candidate's changes are not shown, there may be several of one number.
        self.crossed, self.values = [], []

    def asked(self):
        """What is asked of the candidate about what it gives."""
        return {"mirrored": True} if self.is_on else {}

    def same(self, number, value):
        """A value that crossed; or the one that the test code has of that number, if it sees what becomes of that."""
        own = next((own for known, own, _ in self.values if known == number), None) if self.is_shown else None
        return value if own is None or differ(own, value) else own

    def note(self, number, value):
        if self.is_on and not any(known == number and own is value for known, own, _ in self.values):
            self.crossed.append([number, value, copied(value)])

    def hold(self, numbers):
        """Of what crossed, look after what the candidate says that it holds."""
        known = {number for number, _, _ in self.values}.union(numbers)
        found = [held for held in self.crossed if held[0] in known]
        self.values.extend(found[: MOST - len(self.values)])
        self.crossed.clear()

    def altered(self):
        """What the test code changed since this was last asked: each number, with what it has now as that crosses."""
        altered = []
        for held in (*self.values, *self.crossed):
            number, value, before = held
            if differ(value, before):
                crossing, held[2] = plain(value), copied(value)
                if crossing is not None and len(crossing) <= LONGEST:
                    altered.append((number, crossing))
        return altered

    def change(self, changed):
        """Do what the candidate did later, if that is shown; whether it is not."""
        told = {int(number): value for number, value in changed}
        for held in self.values if self.is_shown else ():
            number, value, _ = held
            if number in told:
                update(value, decode(told[number]))
                held[2] = copied(value)
        return bool(told) and not self.is_shown


def plain(value):
    """A value as it crosses, if it is plain data."""
    try:
        return encode(value)
    except Refused:
        return None


def parts(value):
    """What a list or a dictionary holds, in its order."""
    return value if type(value) is list else list(value.values()) if type(value) is dict else ()


def shared(value):
    """The places in it that hold one and the same thing which can be changed."""
    places = {}
    for place, one in enumerate(parts(value)):
        if type(one) in KINDS:
            places.setdefault(id(one), []).append(place)
    return [found for found in places.values() if len(found) > 1]


def borrowed(value, arguments):
    """The places in it that hold an argument, by its place, or a part of one."""
    owners = {}
    for place, argument in arguments:
        owners[id(argument)] = [place]
        owners.update((id(part), [place, at]) for at, part in enumerate(parts(argument)) if type(part) in KINDS)
    return [[at, *owners[id(one)]] for at, one in enumerate(parts(value)) if id(one) in owners]


def share(value, places, argument):
    """Have such places hold one thing, as they do where it came from; `argument` gives that at a place."""
    keys = list(value) if type(value) is dict else range(len(value))
    for first, *others in places["shared"]:
        for place in others:
            value[keys[place]] = value[keys[first]]
    for place, owner, *part in places["borrowed"]:
        own = argument(owner)
        own = parts(own)[part[0]] if part else own
        if plain(own) == plain(value[keys[place]]):
            value[keys[place]] = own
