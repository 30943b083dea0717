"""What the test code can pass to the candidate."""

import builtins
import marshal
import sys
import types

from ..names import Lookups
from .channel import Between
from .remote import Remote


class Outgoing(Between):
    """Beyond plain data: what is the candidate's already, functions of builtin modules, and functions that need nothing
    of the test code."""

    def __init__(self):
        super().__init__(exact=True)

    def other(self, value, kind, depth):
        if isinstance(value, Remote):
            return {"own": [value._remote_of, value._remote_path]}
        if kind is types.BuiltinFunctionType and is_named(value):
            return {"library": [value.__module__, value.__name__]}
        if kind is types.FunctionType and stands_alone(value):
            return {"function": [marshal.dumps(value.__code__).hex(), self.encode(value.__defaults__, depth)]}
        return super().other(value, kind, depth)


def is_named(function):
    """Whether its module has it under its name."""
    return getattr(sys.modules.get(function.__module__), function.__name__, None) is function


def stands_alone(function):
    """Whether a function uses nothing but its arguments and builtins, so that it can run anywhere."""
    code = function.__code__
    if code.co_freevars or function.__kwdefaults__ is not None or function.__dict__:
        return False
    lookups = Lookups(code)
    return not lookups.stored and all(hasattr(builtins, name) for name in lookups.all)
