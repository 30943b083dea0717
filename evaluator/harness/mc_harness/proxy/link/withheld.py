"""What the candidate took out of lists that functions and objects of the test code's gave it, or wrote over in them:
where test code may make of these what it expects, that is not to be seen, as it is not of arguments. What it put into
them is."""

from collections import Counter, deque
from contextlib import contextmanager
from copy import copy
from types import SimpleNamespace

from ..wire.containers import can_be_changed, differ, fill, is_array, is_flat
from ..wire.crossing import VIEWS

SEQUENCES = (list, tuple, deque, bytearray)
# How many things that were changed are looked for elsewhere in a list.
FEW = 20


class Withheld:
    """Of one test code. `may_expect` tells of a function whether what is expected may be made of what was given while
    that ran, `recomputes` whether it is computed of that afterwards."""

    def __init__(self, may_expect, recomputes):
        self.may_expect, self.recomputes = may_expect, recomputes
        # By their numbers, as the candidate has them; and as the test code had them when it was last told of that.
        self.theirs, self.before = {}, {}
        # Those of them that the candidate changed since this was last asked.
        self.changed = set()

    def hides(self, mine, theirs, function):
        """Whether what became of something while a function ran is not to be seen."""
        if not self.may_expect(function):
            return False
        return loses(mine, theirs) or self.recomputes(function) and is_written_over(mine, theirs)

    def takes(self, number, mine, theirs, function):
        """Whether what became of a list is withheld, with all that becomes of it after that."""
        kind = type(mine)
        is_of_kind = type(theirs) is kind and can_be_changed(kind) and kind not in VIEWS
        if number not in self.theirs and not (is_of_kind and self.hides(mine, theirs, function)):
            return False
        self.theirs[number] = theirs
        self.changed.add(number)
        self.before.setdefault(number, copy(mine))
        return True

    def left(self, number, mine):
        """What a list holds for the candidate: what that left in it, and what the test code has put there since."""
        if number not in self.theirs:
            return mine
        theirs, before, self.before[number] = self.theirs[number], self.before[number], copy(mine)
        if isinstance(theirs, list) and mine[: len(before)] == before:
            theirs.extend(mine[len(before) :])
        elif isinstance(theirs, dict) and all(name in mine for name in before):
            theirs.update((name, held) for name, held in mine.items() if name not in before or before[name] != held)
        elif mine != before:
            del self.theirs[number], self.before[number]
            return mine
        return theirs

    def show(self):
        """What the candidate changed since this was last asked, by its numbers; it is withheld no more."""
        shown = {number: self.theirs.pop(number) for number in self.changed if number in self.theirs}
        for number in shown:
            del self.before[number]
        self.changed.clear()
        return shown

    @contextmanager
    def as_left(self, things):
        """While these cross to the candidate: as it left them."""
        own = [(number, things[number], copy(things[number])) for number in self.theirs]
        for number, thing, _ in own:
            fill(thing, self.left(number, thing))
        try:
            yield
        finally:
            for _, thing, held in own:
                fill(thing, held)


def loses(mine, theirs):
    """Whether something holds less than it did, or something in it does."""
    mine, kind = held_by(mine), type(mine)
    if mine is None or len(mine) == 0:
        return False
    if type(theirs) is not kind:
        return True
    theirs = held_by(theirs)
    if isinstance(mine, dict):
        return any(name not in theirs or loses(held, theirs[name]) for name, held in mine.items())
    if isinstance(mine, set):
        return not mine <= theirs
    return len(theirs) < len(mine) or any(map(loses, mine, theirs))


def is_written_over(mine, theirs):
    """Whether something that holds no less has something else in the place of what it held, in whichever order."""
    own, other = held_by(mine), held_by(theirs)
    if own is None or other is None or type(mine) is not type(theirs):
        return differ(theirs, mine)
    if isinstance(own, dict):
        return any(is_written_over(held, other[name]) for name, held in own.items() if name in other)
    if isinstance(own, set):
        return False
    if is_flat(own) and is_flat(other):
        return bool(Counter(own) - Counter(other))
    changed = [one for one, now in zip(own, other) if is_written_over(one, now)]
    return any(all(differ(now, one) for now in other) for one in changed[:FEW])


def held_by(value):
    """What holds others as something that can be gone through; None for what holds none."""
    if isinstance(value, SimpleNamespace):
        return vars(value)
    return value if isinstance(value, (*SEQUENCES, dict, set)) or is_array(type(value)) else None
