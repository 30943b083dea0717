"""What the candidate did to the arguments of a call, done to the test code's own."""

from collections import defaultdict, deque
from contextlib import suppress
from itertools import islice
from operator import length_hint
from types import SimpleNamespace

from ...decoding import decode
from .channel import MUTABLE
from .containers import SCALARS, can_be_changed, containers, differ, held_by, restored, shown, with_shown
from .crossing import VIEWS

# Iterators of which a copy goes on by itself.
COPIED = tuple({type(iter(held)) for held in ([], (), "a", "\u00e9", range(0))})
# Arrays, and what holds its data under that name, by their classes' modules and names.
ARRAYS = frozenset((("numpy", "ndarray"), ("array", "array")))
HELD = {"UserDict": "data", "UserList": "data", "ChainMap": "maps"}
HOLDERS = {("collections", name): held for name, held in HELD.items()}


class Arguments:
    """Of one call."""

    def __init__(self, args, kwargs):
        self.args, self.kwargs = args, kwargs
        # What can be changed in them when they are handed over.
        self.arrived = [part for value in (*args, *kwargs.values()) for part in containers(value)]
        # As they crossed, and what of them is no plain data.
        self.sent, self.given = None, []
        # That by its number, and by place the numbers of what is there after the call.
        self.own, self.numbers = {}, {}

    def know(self, numbers):
        """Which of what was sent has which number, by what the candidate says of its own."""
        told = numbers.get("arrived", ())
        if told and len(told) == len(self.arrived):
            self.own = dict(zip(told, self.arrived))
            self.numbers = dict(numbers["arguments"])

    def theirs(self, reply):
        """The candidate's copies after the call, if that changed them and they can cross."""
        after = reply.get("arguments")
        if after is None or not differ(after, self.sent):
            return None
        return Arguments(*decode(after))

    def advance(self, theirs):
        """Take out of iterators what the candidate took out of its own."""
        pairs = [*zip(self.args, theirs.args), *((mine, theirs.kwargs[name]) for name, mine in self.kwargs.items())]
        for mine, other in pairs:
            if isinstance(mine, COPIED):
                deque(islice(mine, length_hint(mine) - length_hint(other)), 0)

    def update(self, theirs, hidden=()):
        """Do what was done to all but those at `hidden` places that held something; whether something was done to
        these."""
        is_hidden = False
        for place, other in (*enumerate(theirs.args), *theirs.kwargs.items()):
            if place not in hidden or type(self.at(place)) in MUTABLE and holds_nothing(self.at(place)):
                self.update_one(self.at(place), other, self.numbers.get(place, ()))
            elif differ(self.at(place), other):
                is_hidden = True
        return is_hidden

    def update_one(self, mine, other, numbers):
        """What is one thing stays that, wherever it is now; else things are told apart by their places."""
        holds_own = not can_be_changed(type(mine)) and type(mine) is type(other) and self.own.keys() >= {*numbers}
        is_known = numbers and (holds_own or self.own.get(numbers[0]) is mine)
        if is_known and len(numbers) == len(list(containers(other))):
            restored(other, iter(numbers), self.own)
        else:
            update(mine, other)

    def at(self, place):
        return self.args[place] if type(place) is int else self.kwargs[place]


class Lost:
    """In the place of what a mutable argument holds after the candidate put something there that cannot cross."""


def update(mine, theirs):
    """Do to a mutable argument, and to what it holds, what the candidate did to its copy."""
    kind = type(mine)
    if type(theirs) is Lost and kind in MUTABLE:
        return update_holder(mine, made_of_lost(kind, theirs))
    if issubclass(kind, tuple) and isinstance(theirs, tuple):
        parts = [update(*both) for both in zip(mine, theirs)]
        return mine if len(mine) == len(theirs) and all(map(is_same, mine, parts)) else theirs
    if kind is not type(theirs):
        return theirs
    if (kind.__module__, kind.__name__) in ARRAYS:
        return update_array(mine, theirs)
    if kind in VIEWS:
        return update_view(mine, theirs)
    if kind is memoryview:
        if held_by(mine) is not None:
            mine[:] = theirs
        return mine
    held = HOLDERS.get((kind.__module__, kind.__name__))
    if held is not None:
        update(getattr(mine, held), getattr(theirs, held))
        return mine
    return update_holder(mine, theirs) if kind in MUTABLE else theirs


def update_view(mine, theirs):
    """Of as much as it shows, each in its place; if that is more or less, or it is of keys, all of that."""
    name = VIEWS[type(mine)]
    if name != "keys" and len(mine) == len(theirs):
        others = iter(theirs)
        return with_shown(mine, name, lambda part: update(part, next(others)))
    if list(mine) != list(theirs):
        update(shown(mine), shown(theirs))
    return mine


def made_of_lost(kind, lost):
    """What stands for what a holder of a kind held."""
    if issubclass(kind, dict):
        return {lost: lost}
    if kind is SimpleNamespace:
        return SimpleNamespace(lost=lost)
    return bytearray(b"lost") if kind is bytearray else [lost]


def holds_nothing(value):
    return not (vars(value) if type(value) is SimpleNamespace else value)


def is_same(one, other):
    return one is other or type(one) in SCALARS and type(one) is type(other) and one == other


def update_array(mine, theirs):
    """What has another form is another array."""
    if form_of(mine) != form_of(theirs):
        return theirs
    with suppress(ValueError):
        mine[:] = theirs
    return mine


def form_of(array):
    return getattr(array, "typecode", None) or (array.dtype, array.shape)


def update_holder(mine, theirs):
    """One of a builtin class, or of one of `collections`."""
    if isinstance(mine, list):
        kept = len(mine)
        mine[:] = [update(mine[at], value) if at < kept else value for at, value in enumerate(theirs)]
    elif isinstance(mine, bytearray):
        mine[:] = theirs
    elif isinstance(mine, dict):
        changed = [(key, update(mine[key], value) if key in mine else value) for key, value in theirs.items()]
        mine.clear()
        mine.update(dict(changed))
        if isinstance(mine, defaultdict) and isinstance(theirs, defaultdict):
            mine.default_factory = theirs.default_factory
    elif isinstance(mine, SimpleNamespace):
        update(vars(mine), vars(theirs))
    elif isinstance(mine, deque):
        mine.clear()
        mine.extend(theirs)
    else:
        mine.clear()
        mine.update(theirs)
    return mine
