"""What the test code can pass to the candidate."""

import builtins
import copy
import marshal
import sys
import types

from ..encoding import taken
from ..lookups import Lookups
from .arguments import COPIED
from .channel import Between
from .crossing import TYPES
from .derived import Derived
from .iterating import Iterating, Running
from .remote import Remote

LIBRARIES = sys.stdlib_module_names | {"numpy"}
# Functions that stand for builtins in the test code.
STANDING = {}


class Outgoing(Between):
    """Beyond plain data: what is the candidate's already, functions of builtin modules, and functions that need nothing
    of the test code."""

    def __init__(self):
        super().__init__(exact=True)

    def other(self, value, kind, depth):
        if issubclass(kind, (Remote, Derived)):
            return {"own": [value._remote_of, value._remote_path]}
        if issubclass(kind, Running):
            return self.running(value, kind, depth)
        if kind in COPIED:
            value = copy.copy(value)
        if kind is types.FunctionType and value in STANDING:
            value, kind = STANDING[value], types.BuiltinFunctionType
        if kind is types.BuiltinFunctionType and is_named(value):
            return {"library": [value.__module__, value.__name__]}
        if kind is types.FunctionType and stands_alone(value):
            return {"function": [marshal.dumps(value.__code__).hex(), self.encode(value.__defaults__, depth)]}
        if is_in_library(value) and TYPES.get(value.__name__) is not value:
            return {"library": home_of(value)}
        return super().other(value, kind, depth)

    def running(self, value, kind, depth):
        """What was begun goes back as itself, unless values were taken out of it that the test code has not had."""
        if kind is Iterating and not value.is_untouched():
            return {"iterator": self.many(taken(value), depth)}
        return {"own": [value._handle, ""]}


def is_named(function):
    """Whether its module has it under its name."""
    return getattr(sys.modules.get(function.__module__), function.__name__, None) is function


def is_in_library(kind):
    """Whether it is a class that a library has under its name, so that the candidate has it too."""
    if not isinstance(kind, type) or kind.__module__ == "__main__":
        return False
    return kind.__module__.partition(".")[0] in LIBRARIES and home_of(kind) is not None


def home_of(kind):
    """The module that has a class, and its name there; None if there is none. `types` has the interpreter's own."""
    if is_named(kind):
        return kind.__module__, kind.__name__
    return next((("types", name) for name, one in vars(types).items() if one is kind), None)


def stands_alone(function):
    """Whether a function uses nothing but its arguments and builtins, so that it can run anywhere."""
    code = function.__code__
    if code.co_freevars or function.__kwdefaults__ is not None or function.__dict__:
        return False
    lookups = Lookups(code)
    return not lookups.stored and all(hasattr(builtins, name) for name in lookups.all)
