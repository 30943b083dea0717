"""What the candidate puts on classes of the test code's, and does to their objects past what these say of it."""

import importlib
from functools import partial

from .builtin_bases import is_base
from .derived import COMPARISONS, Derived
from .descriptors import describe
from .remote import Remote

# Descriptors of the builtin kinds are made here of the candidate's functions.
MADE = {"property": property, "classmethod": classmethod, "staticmethod": staticmethod}
DESCRIPTOR = "descriptor"
DATACLASS = "dataclass"
RAW = "raw"
# What the candidate does so, by how it asks for that.
WAYS = (*MADE, DESCRIPTOR, DATACLASS, RAW)
# By which a class has a say in what attributes its objects have, and in how they are made.
HOOKS = ("__new__", "__getattr__", "__setattr__", "__delattr__")
# What else a class may be given with two underscores.
OTHERS = (
    "__init__", "__post_init__", "__doc__", "__name__", "__qualname__", "__match_args__", "__dir__",
    "__class_getitem__", "__init_subclass__",
)
GIVEN = frozenset((*HOOKS, *OTHERS))
DESCRIBING = ("__get__", "__set__", "__delete__")


def do(thing, how, name, args):
    """Do one of these."""
    from .objects import may_be_set

    if how == RAW:
        return past(thing, name, args)
    if how == DATACLASS:
        return as_data(thing, args)
    if not isinstance(thing, type) or name in COMPARISONS:
        raise TypeError(how)
    name = may_be_set(thing, name)
    if how == DESCRIPTOR:
        value, methods = args
        setattr(thing, name, value)
        return describe(thing, name, value, [method for method in DESCRIBING if method in methods])
    return setattr(thing, name, MADE[how](*args))


def as_data(kind, flags):
    """Have the library make a data class of one."""
    from .objects import of_no_test

    if not isinstance(kind, type) or not all(type(flag) is bool for flag in flags):
        raise TypeError(flags)
    of_no_test(kind, "__init__")
    return importlib.import_module("dataclasses")._process_class(kind, *flags)


def past(thing, name, args):
    """What any class would do."""
    from .objects import may_be_set

    if name == "__new__" and isinstance(thing, type):
        base = next(part for part in thing.__mro__ if part.__module__ != "__main__")
        if base is object or is_base(base):
            return base.__new__(thing, *args)
    elif name in ("__setattr__", "__delattr__") and type(thing).__module__ == "__main__":
        return getattr(object, name)(thing, may_be_set(thing, args[0]), *args[1:])
    raise AttributeError(name)


class OfObjects:
    """A comparison that the candidate puts on a class. It is told of objects: plain data may be what is expected."""

    def __init__(self, compare):
        self.compare = compare

    def __get__(self, thing, kind):
        return self.compare if thing is None else partial(self.between, thing)

    def between(self, thing, other):
        is_object = issubclass(type(other), (Remote, Derived)) or type(other).__module__ == "__main__"
        return self.compare(thing, other) if is_object else NotImplemented


def of_objects(thing, name, value):
    """What the candidate puts on a class, as the class has it."""
    is_comparison = isinstance(thing, type) and name in COMPARISONS and callable(value)
    return OfObjects(value) if is_comparison else value


def hook(kind, name):
    """One of a class that the test code or the candidate wrote; None if there is none such, and any class has one."""
    for part in kind.__mro__:
        if name in vars(part) and part.__module__ == "__main__":
            return getattr(kind, name)
    if name == "__getattr__":
        raise AttributeError(name)
    return None
