"""On the candidate's side: what test code put in the place of functions, for as long as it asks something."""

from contextlib import contextmanager
from types import ModuleType

from ...decoding import decode
from ...prelude import MISSING
from ..wire.module import PROGRAM


class Replaced:
    """For the time of a request within an `outer` one. `program` has what the program defines."""

    def __init__(self, replaced, program, outer=None):
        self.before = []
        # What was there, by the identity of what has it and its name: test code that took it before means that still.
        self.originals = dict(outer.originals) if outer else {}
        for place, name, value in replaced:
            target = Names(program) if place == PROGRAM else decode(place)
            owner = program if place == PROGRAM else target
            self.originals.setdefault((id(owner), name), getattr(target, name, MISSING))
            self.before.append((target, name, vars(target).get(name, MISSING)))
            setattr(target, name, decode(value))

    @contextmanager
    def put_aside(self):
        """While the judge itself looks at files, the functions by which it does so are there."""
        of_modules = [one for one in self.before if type(one[0]) is ModuleType and one[2] is not MISSING]
        current = [(target, name, vars(target).get(name)) for target, name, _ in of_modules]
        for target, name, value in of_modules:
            setattr(target, name, value)
        try:
            yield
        finally:
            for target, name, value in current:
                setattr(target, name, value)

    def restore(self):
        while self.before:
            target, name, value = self.before.pop()
            if value is MISSING:
                delattr(target, name)
            else:
                setattr(target, name, value)


class Names:
    """Those of a module, as its attributes."""

    def __init__(self, namespace):
        self.__dict__ = namespace
