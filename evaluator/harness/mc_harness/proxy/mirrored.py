"""Values that both sides hold, where test code changes what it was given or has handed over.

In one process these would be the same: a program that gives out its own state, or keeps what it was given, would see
what the test code does to that. So what the test code changed is changed in the candidate's box, too, before that is
asked again. What the candidate changes later may be what is expected, so it comes here only once the candidate has passed
without that.
"""

import ast

from ..decoding import decode
from ..encoding import Refused, encode
from .aliases import KINDS
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
        # What crossed with the last reply; and of all before, what the candidate holds too: each value, and as what it
        # crossed.
        self.crossed, self.values = {}, {}

    def asked(self):
        """What is asked of the candidate about what it gives."""
        return {"mirrored": True} if self.is_on else {}

    def note(self, number, value):
        self.crossed[number] = [value, plain(value) if self.is_on else None]

    def hold(self, numbers):
        """Of what crossed, look after what the candidate says that it holds."""
        self.values.update((number, self.crossed[number]) for number in numbers)
        self.crossed.clear()

    def altered(self):
        """What the test code changed since this was last asked: each number, with what it has now."""
        altered = []
        for number, held in (*self.values.items(), *self.crossed.items()) if self.is_on else ():
            crossing = plain(held[0])
            if crossing is not None and crossing != held[1]:
                held[1] = crossing
                altered.append((number, crossing))
        return altered

    def change(self, changed):
        """Do what the candidate did later, if that is shown; whether it is not."""
        for number, told in changed if self.is_shown else ():
            held = self.values[number]
            update(held[0], decode(told))
            held[1] = plain(held[0]) if self.is_on else None
        return bool(changed) and not self.is_shown


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
