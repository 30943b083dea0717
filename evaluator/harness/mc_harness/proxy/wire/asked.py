"""What is asked of the candidate's things in its own box, as no stand-in could tell: by the name of the function."""

import importlib
import operator
from itertools import islice

from .channel import CALLBACKS, HANDED


def of(module):
    """Functions of a module that is imported when the first is called."""

    def named(name):
        return lambda *args: getattr(importlib.import_module(module), name)(*args)

    return named


dataclasses, copy, inspect = of("dataclasses"), of("copy"), of("inspect")

# How much is given the other way round.
MOST_REVERSED = 100_000
# What gives a copy, which is of the same class.
COPIES = ("copy", "deepcopy", "pickled")
# What decorates a class and gives it back, and the module of each.
DECORATORS = {"dataclass": "dataclasses", "total_ordering": "functools"}
DATACLASSES = ("asdict", "astuple", "fields", "is_dataclass", "replace")
# What a function is, or what it gave; what a class is, and has; and how either is written.
KINDS = (
    "getattr_static", "getsource", "getsourcelines", "isabstract", "isasyncgen", "isasyncgenfunction",
    "iscoroutinefunction", "isgeneratorfunction",
)
ASKED = {
    **{function.__name__: function for function in (callable, dir, hash, hasattr, issubclass, len, super)},
    # By its real class, whatever it says of that.
    "isinstance": lambda value, kind: issubclass(type(value), kind),
    **{name: dataclasses(name) for name in DATACLASSES},
    **{name: copy(name) for name in ("copy", "deepcopy")},
    "pickled": lambda value: pickled(value),
    **{name: inspect(name) for name in KINDS},
    "has": lambda value, name: hasattr(type(value), name),
    "reversed": lambda value: list(islice(reversed(value), MOST_REVERSED)),
    "methods": lambda value, names: [name for name in names if hasattr(type(value), name)],
    "__divmod__": divmod,
    "__pow__": pow,
    "dataclass": lambda kind, said: importlib.import_module("dataclasses").dataclass(kind, **said),
    "total_ordering": lambda kind, _: importlib.import_module("functools").total_ordering(kind),
    "replace": lambda value, changes: importlib.import_module("dataclasses").replace(value, **changes),
}


def pickled(value):
    """What comes out of a pickle. What stands here for the test code's things is in none."""
    if CALLBACKS or HANDED:
        return importlib.import_module("copy").deepcopy(value)
    pickle = importlib.import_module("pickle")
    return pickle.loads(pickle.dumps(value))


# As they are before the program could put others in their place.
OPERATORS = {name: function for name, function in vars(operator).items() if callable(function)}


def operation(name):
    """What is asked under a name: one of these, or an operator."""
    return ASKED.get(name) or OPERATORS[name]
