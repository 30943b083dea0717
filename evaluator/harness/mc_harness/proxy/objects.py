"""Objects of the test code's that stay there: which the candidate may use through the channel, and what of each."""

import io
import types
from abc import ABCMeta

from .containers import can_be_changed, kind_of, parts
from .handing import is_constant

STREAMS = (io.StringIO, io.BytesIO, io.TextIOWrapper, io.BufferedReader, io.BufferedWriter)
KINDS = (type, ABCMeta)
# The flags of code whose call begins something: a generator, or a coroutine of any kind.
RUNNING = 0x20 | 0x80 | 0x100 | 0x200
# What an object may have of its own beside constants for the candidate to see it as it is.
HELD = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)
# Special methods that are called there. Whether two are the same object, both sides know.
SPECIAL = frozenset("""
    __call__ __len__ __iter__ __next__ __reversed__ __contains__ __getitem__ __setitem__ __delitem__ __enter__ __exit__
    __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __bool__ __str__ __repr__ __format__ __int__ __float__ __index__
    __add__ __sub__ __mul__ __truediv__ __floordiv__ __mod__ __pow__ __matmul__ __and__ __or__ __xor__ __lshift__
    __rshift__ __radd__ __rsub__ __rmul__ __rtruediv__ __rfloordiv__ __rmod__ __rpow__ __rmatmul__ __rand__ __ror__
    __rxor__ __iadd__ __isub__ __imul__ __neg__ __pos__ __abs__ __invert__ __round__ __divmod__
""".split())
# Names with two underscores that an object is asked for otherwise.
ASKED = ("__dict__", "__doc__", "__name__")


def stays(value, kind):
    """Whether it is an object that the candidate may use there."""
    return is_known(kind) or is_plain_object(value, kind, set())


def is_class(value, kind):
    """The same of a class."""
    return kind in KINDS and value.__module__ == "__main__" and is_plain_class(value)


def fields(kind):
    """The names of the fields of a data class; None of any other."""
    if not hasattr(kind, "__dataclass_fields__"):
        return None
    import dataclasses

    return [field.name for field in dataclasses.fields(kind)]


def is_known(kind):
    is_mock = kind.__module__ == "unittest.mock" and not any(base.__name__ == "AsyncMockMixin" for base in kind.__mro__)
    return kind in STREAMS or is_mock


def is_plain_object(value, kind, seen):
    """Whether it is of a class of the test code's, and holds nothing but what can cross."""
    if id(value) in seen:
        return True
    seen.add(id(value))
    if kind.__module__ != "__main__" or not is_plain_class(kind):
        return False
    return all(may_be_held(held, seen) for held in vars(value).values())


def is_plain_class(kind):
    """Whether the objects of a class have all that they are in attributes, and nothing else looks at these."""
    bases = kind.__mro__[1:]
    is_own = all(base is object or base.__module__ in ("__main__", "abc", "typing") for base in bases)
    is_running = any(map(running, (held for base in kind.__mro__ for held in vars(base).values() if is_method(held))))
    return type(kind) in KINDS and is_own and kind.__dictoffset__ != 0 and not is_running


def may_be_held(value, seen):
    kind = type(value)
    if is_constant(value) or kind in HELD or is_known(kind):
        return True
    if can_be_changed(kind_of(value)) or kind is tuple:
        return all(may_be_held(part, seen) for part in parts(value))
    return is_plain_object(value, kind, seen)


def is_method(held):
    return type(held) is types.FunctionType and not held.__name__.startswith("__")


def running(function):
    """Whether what a call of a function gives goes on on this side."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code is not None and bool(code.co_flags & RUNNING)


def specials(kind):
    """The special methods that a class has beyond those of any object."""
    own = {name for base in kind.__mro__ if base is not object for name in vars(base)} & SPECIAL
    return sorted(name for name in own if getattr(kind, name) is not None)


def ask(thing, how, name, args):
    """What the candidate does with an object other than to call it."""
    if how == "get":
        return getattr(thing, visible(name))
    if how == "set":
        return setattr(thing, visible(name), *args)
    if how == "del":
        return delattr(thing, visible(name))
    if name not in specials(type(thing)):
        raise AttributeError(name)
    return getattr(type(thing), name)(thing, *args)


def visible(name):
    if name.startswith("__") and name not in ASKED:
        raise AttributeError(name)
    return name
