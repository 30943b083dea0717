"""The candidate's side of values that both sides hold: what it was given or gave, and still holds.

In one process these would be the same things, for better or worse: what one side does to them the other sees. So each
has a number, by which the test code's side tells what it did (`mirrored`), and is told what the program did since.
Most of what crosses is held by nobody here once the call is over, and is forgotten.
"""

import sys

from ..encoding import Refused
from .arguments import SCALARS, update

# What of what crosses is looked after.
KINDS = (list, dict, set)
SCALAR = frozenset(SCALARS)
# How many values are looked after, and how long each may be as it crosses.
MOST, LONGEST = 200, 10_000


class Aliases:
    def __init__(self):
        self.count = 0
        # What crossed with the last reply; and what the program holds, each with what was in it when that was last told.
        self.crossed, self.held = {}, {}
        # The numbers of what is held, by identity: one thing has one number, however often it crosses.
        self.known = {}

    def numbers(self, result, args, kwargs):
        """The numbers of what a call was given, by place, and of what it gave, as far as that can be changed."""
        given = [(place, value) for place, value in (*enumerate(args), *kwargs.items()) if type(value) in KINDS]
        numbers = {"arguments": [[place, self.number(value)] for place, value in given]}
        if type(result) in KINDS and not any(value is result for _, value in given):
            numbers["result"] = self.number(result)
        return numbers

    def number(self, value):
        if id(value) in self.known:
            return self.known[id(value)]
        self.count += 1
        self.crossed[self.count] = [value]
        return self.count

    def settle(self):
        """Look after what crossed and is held elsewhere too; the numbers of that."""
        found = [number for number, holder in self.crossed.items() if has_others(holder)][: MOST - len(self.held)]
        for number in found:
            value, = self.crossed[number]
            self.held[number], self.known[id(value)] = (value, copied(value)), number
        self.crossed.clear()
        return found

    def alter(self, number, told):
        """Do to a value what the test code did to its own, if the program holds it."""
        if number in self.held:
            value, _ = self.held[number]
            update(value, told)
            self.held[number] = value, copied(value)

    def changed(self, encode):
        """What the program changed since it was last asked: the number of each with what it has now, as that crosses. What is
        no plain data any more, or too long, is told no more."""
        told = []
        for number, (value, before) in self.held.items():
            if differ(value, before):
                now = copied(value)
                crossing = encode(value) if now is not None else ""
                is_told = 0 < len(crossing) <= LONGEST
                self.held[number] = value, now if is_told else None
                if is_told:
                    told.append("[%d,%s]" % (number, crossing))
        return told


def differ(value, before):
    """Whether something is not what it was; so too if it now holds something that does not let itself be compared."""
    try:
        return before is not None and value != before
    except Exception:
        return True


def copied(value):
    """A copy of something, if that is plain data; else None."""
    try:
        return plain_copy(value)
    except (Refused, RecursionError):
        return None


def plain_copy(value):
    kind = type(value)
    if kind in SCALAR:
        return value
    if kind in (list, tuple, set):
        return kind(value if SCALAR.issuperset(map(type, value)) else map(plain_copy, value))
    if kind is dict:
        return dict((plain_copy(key), plain_copy(one)) for key, one in value.items())
    raise Refused(kind.__name__)


def has_others(holder):
    """Whether something holds what is in a list or a dictionary, or a part of that, besides."""
    for part in holder.values() if type(holder) is dict else holder:
        if type(part) in KINDS:
            if sys.getrefcount(part) > ALONE or has_others(part):
                return True
        elif type(part) is tuple and has_others(part):
            return True
    return False


def references(holder):
    """How often what a list alone holds is counted where it is looked at as above."""
    for part in holder:
        return sys.getrefcount(part)


ALONE = references([[]])
