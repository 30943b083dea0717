"""What the candidate took out of lists that functions and objects of the test code's gave it: where test code may make
of these what it expects, that is not to be seen, as it is not of arguments. What it put into them is."""

from collections import deque
from contextlib import contextmanager

from .containers import fill

SEQUENCES = (list, tuple, deque)
KINDS = (list, dict, set, deque)


class Withheld:
    """Of one test code. `may_expect` tells of a function whether what is expected may be made of what was given while
    that ran."""

    def __init__(self, may_expect):
        self.may_expect = may_expect
        # By their numbers, as the candidate has them; and as the test code had them when it was last told of that.
        self.theirs, self.before = {}, {}

    def takes(self, number, mine, theirs, function):
        """Whether what became of a list is withheld, with all that becomes of it after that."""
        is_of_kind = type(mine) is type(theirs) and isinstance(mine, KINDS)
        if number not in self.theirs and not (is_of_kind and loses(mine, theirs) and self.may_expect(function)):
            return False
        self.theirs[number] = theirs
        self.before.setdefault(number, mine.copy())
        return True

    def left(self, number, mine):
        """What a list holds for the candidate: what that left in it, and what the test code has put there since."""
        if number not in self.theirs:
            return mine
        theirs, before, self.before[number] = self.theirs[number], self.before[number], mine.copy()
        if isinstance(theirs, list) and mine[: len(before)] == before:
            theirs.extend(mine[len(before) :])
        elif isinstance(theirs, dict) and all(name in mine for name in before):
            theirs.update((name, held) for name, held in mine.items() if name not in before or before[name] != held)
        elif mine != before:
            del self.theirs[number], self.before[number]
            return mine
        return theirs

    @contextmanager
    def as_left(self, things):
        """While these cross to the candidate: as it left them."""
        own = [(number, things[number], things[number].copy()) for number in self.theirs]
        for number, thing, _ in own:
            fill(thing, self.left(number, thing))
        try:
            yield
        finally:
            for _, thing, held in own:
                fill(thing, held)


def loses(mine, theirs):
    """Whether something holds less than it did, or something in it does."""
    if type(mine) is not type(theirs):
        return True
    if isinstance(mine, SEQUENCES):
        return len(theirs) < len(mine) or any(map(loses, mine, theirs))
    if isinstance(mine, dict):
        return any(name not in theirs or loses(held, theirs[name]) for name, held in mine.items())
    return isinstance(mine, set) and not mine <= theirs
