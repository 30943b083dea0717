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
        # By their numbers, as the candidate has them.
        self.theirs = {}

    def takes(self, number, mine, theirs, function):
        """Whether what became of a list is withheld, with all that becomes of it after that."""
        is_of_kind = type(mine) is type(theirs) and isinstance(mine, KINDS)
        if number not in self.theirs and not (is_of_kind and loses(mine, theirs) and self.may_expect(function)):
            return False
        self.theirs[number] = theirs
        return True

    @contextmanager
    def as_left(self, things):
        """While these cross to the candidate: as it left them."""
        own = [(things[number], things[number].copy()) for number in self.theirs]
        for number, theirs in self.theirs.items():
            fill(things[number], theirs)
        try:
            yield
        finally:
            for thing, held in own:
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
