"""The builtin classes that classes of either side derive from, and what their objects hold of these.

A value that never changes, such as an `int`, is there in the other box too, as an object of a class that derives from
the same; the rest of it is asked where it is. What changes, such as a `dict`, stays where it is; one of the test code's
passes for one with the candidate.
"""

import importlib
import sys
from functools import partial

from .crossing import STANDARD

# The classes whose values never change, so that a copy stays what it was; and how one is made, whatever a class that
# derives from it says.
VALUES = {
    int: lambda value: int.__add__(value, 0),
    float: lambda value: float.__add__(value, 0.0),
    complex: lambda value: complex.__add__(value, 0),
    str: lambda value: "".join(str.__iter__(value)),
    bytes: lambda value: bytes(memoryview(value)),
    tuple: lambda value: tuple(tuple.__iter__(value)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
}
# Of others, by module and name, whether their values are made of parts.
OTHERS = {
    ("decimal", "Decimal"): False,
    ("fractions", "Fraction"): False,
    ("datetime", "date"): True,
    ("datetime", "datetime"): True,
    ("datetime", "time"): True,
    ("datetime", "timedelta"): True,
}
CHANGING = (dict, list, set, bytearray)
# Modules with classes of Python's own that hold something.
HOLDING = ("collections", "collections.abc")


def value_base(kind):
    """The first class of values that a class derives from; None if there is none."""
    return next((part for part in kind.__mro__ if is_value_class(part)), None)


def passed_for(kind):
    """The name of the builtin class for whose object one passes that changes, or is a member of an enumeration."""
    return next((part.__name__ for part in kind.__mro__ if part in CHANGING or part.__module__ == "enum"), None)


def enumeration(base, name):
    """What members of an enumeration say is their class."""
    enum = importlib.import_module("enum")
    return enum.EnumMeta(name, (getattr(enum, base),), enum.EnumMeta.__prepare__(name, (getattr(enum, base),)))


def is_base(kind):
    return kind in CHANGING or kind.__module__ in HOLDING or is_value_class(kind)


def is_value_class(kind):
    place = kind.__module__, kind.__name__
    return kind in VALUES or place in OTHERS and getattr(sys.modules.get(place[0]), place[1], None) is kind


def exact(value, base):
    """The value of an object, of the base alone."""
    if base in VALUES:
        return VALUES[base](value)
    place = base.__module__, base.__name__
    if not OTHERS[place]:
        return base(value)
    parts_of, make = STANDARD[place]
    return make(base, parts_of(value))


def home_of(base):
    return [base.__module__, base.__name__]


def at_home(home):
    """The class of a module and a name."""
    module, name = home
    return getattr(importlib.import_module(module), name)


def made(kind, value):
    """An object of a class with the value of an exact one of its base."""
    base = type(value)
    new = partial(base.__new__, kind)
    place = base.__module__, base.__name__
    if not OTHERS.get(place):
        return new(value)
    parts_of, make = STANDARD[place]
    return make(new, parts_of(value))
