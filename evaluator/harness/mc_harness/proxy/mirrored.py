"""Values that both sides hold, where test code changes what it was given or has handed over.

In one process these would be the same: a program that gives out its own state, or keeps what it was given, would see
what the test code does to that. So what the test code changed is changed in the candidate's box, too, before that is
asked again. What the candidate changes later does not come here: it may be what is expected.
"""

import ast

from ..encoding import Refused, encode
from .certainty import called

# What of what crosses is looked after.
KINDS = (list, dict, set)

# Methods that change what they are called on.
CHANGING = frozenset(
    "add append appendleft clear discard extend extendleft insert pop popitem popleft remove reverse setdefault sort "
    "update difference_update intersection_update symmetric_difference_update".split())
# How many values are looked after, and how long each may be as it crosses.
MOST, LONGEST = 200, 10_000


def changes(source):
    """Whether test code changes anything in place."""
    return any(map(is_change, ast.walk(ast.parse(source))))


def is_change(node):
    if isinstance(node, ast.Subscript):
        return not isinstance(node.ctx, ast.Load)
    return isinstance(node, ast.AugAssign) or isinstance(node, ast.Call) and called(node) in CHANGING


class Mirrored:
    """What crossed, as far as it is plain data."""

    def __init__(self):
        self.is_on = False
        # By the candidate's handle, each value, and as what it crossed.
        self.values = []

    def wants_more(self):
        return self.is_on and len(self.values) < MOST

    def hold(self, handle, value):
        crossing = plain(value)
        if crossing is not None and len(crossing) <= LONGEST:
            self.values.append([handle, value, crossing])

    def changed(self):
        """What the test code changed since it was last asked: each handle, with what it has now."""
        for held in self.values:
            crossing = plain(held[1])
            if crossing is not None and crossing != held[2]:
                held[2] = crossing
                yield held[0], crossing


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


def share(value, handles, argument):
    """Have such places hold one thing, as they do where it came from; `argument` gives that at a place."""
    keys = list(value) if type(value) is dict else range(len(value))
    for first, *others in handles["shared"]:
        for place in others:
            value[keys[place]] = value[keys[first]]
    for place, owner, *part in handles["borrowed"]:
        own = argument(owner)
        own = parts(own)[part[0]] if part else own
        if plain(own) == plain(value[keys[place]]):
            value[keys[place]] = own
