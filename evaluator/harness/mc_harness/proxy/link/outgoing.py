"""What the test code can pass to the candidate."""

import copy
import sys
import types
from functools import partial

from ...encoding import LiveObject, taken
from ..stand_ins.iterating import Iterating, Running
from ..stand_ins.records import CLASSES
from ..wire.annotations import Described, is_annotation, made_of, written
from ..wire.arguments import COPIED
from ..wire.channel import Between, is_iterator
from ..wire.crossing import TYPES
from ..wire.derived import Derived, is_record
from ..wire.remote import Remote
from ..wire.signature import write_signature
from .handing import LIBRARIES, Handing
from .lazy import drained, giving, is_lazy, shows_changes

# The classes of named tuples that crossed, by their names and those of their fields.
RECORDS = {}
# By their identity, classes of the test code's own that were made again in the candidate's box, with what stands for
# these.
TWINS = {}


def twin_of(kind):
    """What stands for a class among the candidate's."""
    return TWINS.get(id(kind), (kind, kind))[1]


class Outgoing(Between):
    """Beyond plain data: what is the candidate's already, classes of libraries, and functions as far as these cross."""

    def __init__(self, handing=None, given=None, callbacks=None):
        super().__init__(exact=True)
        self.handing, self.callbacks, self.told_of = handing or Handing(), callbacks, set()
        # What crosses as no plain data. By its number here it is told of after the call, if an argument still holds it.
        # None while it is described what is no part of the arguments.
        self.given = [] if given is None else given

    def other(self, value, kind, depth):
        if kind is Described:
            return self.described(value.value, depth)
        is_kept = self.callbacks is not None and is_lazy(value, kind)
        crossed = self.callbacks.kept(value, kind) if is_kept else self.beyond_data(value, kind, depth)
        if crossed is not None:
            return self.noted(value, crossed)
        try:
            if is_iterator(kind):
                return self.iterator(taken(copy.copy(value) if kind in COPIED else value), depth)
            return super().other(value, kind, depth)
        except LiveObject:
            crossed = self.callbacks and self.callbacks.crossing(value, kind, lambda part: self.encode(part, depth))
            if crossed is None:
                raise
        return self.noted(value, crossed)

    def record(self, value, kind, depth):
        """One that is nothing else comes back as one of its class."""
        if kind in CLASSES:
            values = self.wholly(lambda: self.many(tuple.__iter__(value), depth))
            return {"record": [self.encode(CLASSES[kind], depth), values]}
        if kind.__module__ == "__main__" and not is_record(kind):
            raise LiveObject("a live object of type %s" % kind.__name__)
        RECORDS[kind.__name__, kind._fields] = kind
        return super().record(value, kind, depth)

    def noted(self, value, crossed):
        if self.given is None:
            return crossed
        self.given.append(value)
        return {"given": [len(self.given) - 1, crossed]}

    def described(self, value, depth):
        given, self.given = self.given, None
        try:
            return self.encode(value, depth)
        finally:
            self.given = given

    def handle_of(self, factory):
        return factory._remote_of if issubclass(type(factory), Remote) else None

    def beyond_data(self, value, kind, depth):
        """What is no plain data as it crosses; None if it is none such."""
        if id(value) in TWINS:
            value = twin_of(value)
            kind = type(value)
        if issubclass(kind, (Remote, Derived)):
            return {"own": [value._remote_of, value._remote_path]}
        if issubclass(kind, Running):
            return self.running(value, kind, depth)
        handed = self.handing.crossing(value, kind, lambda part: self.encode(part, depth), self.told_of)
        if handed is not None:
            return handed
        if kind is types.GeneratorType:
            values, returned = drained(value)
            if self.callbacks is not None and shows_changes(values):
                return self.callbacks.kept(giving(values, returned), kind)
            return {"generator": [self.many(values, depth), self.encode(returned, depth)]}
        if is_in_library(value) and TYPES.get(value.__name__) is not value:
            return {"library": home_of(value)}
        return self.annotation(value, kind, depth)

    def iterator(self, values, depth):
        """One that gives these values, of which the test code may see what becomes."""
        if self.callbacks is not None and shows_changes(values):
            replayed = giving(values)
            return self.noted(replayed, self.callbacks.kept(replayed, type(iter([]))))
        return {"iterator": self.many(values, depth)}

    def annotation(self, value, kind, depth):
        """An annotation that is made of classes which are no builtin ones, or a signature; None if it is neither."""
        if kind.__module__ == "inspect" and kind.__name__ == "Signature":
            encode = partial(self.described, depth=depth)
            return {"signature": write_signature(value, encode, encode)}
        made = made_of(value) if is_annotation(value) and written(value) is None else None
        return made and {"alias": [made[0], self.encode(made[1], depth)]}

    def running(self, value, kind, depth):
        """What was begun goes back as itself, unless values were taken out of it that the test code has not had."""
        if issubclass(kind, Iterating) and not value.is_untouched():
            return {"iterator": self.many(taken(value), depth)}
        return {"own": [value._handle, ""]}


def is_in_library(kind):
    """Whether it is a class that a library has under its name, so that the candidate has it too."""
    if not isinstance(kind, type) or kind.__module__ == "__main__":
        return False
    return kind.__module__.partition(".")[0] in LIBRARIES and home_of(kind) is not None


def home_of(kind):
    """The module that has a class, and its name there; None if there is none. `types` has the interpreter's own."""
    if getattr(sys.modules.get(kind.__module__), kind.__name__, None) is kind:
        return kind.__module__, kind.__name__
    return next((("types", name) for name, one in vars(types).items() if one is kind), None)
