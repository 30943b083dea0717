"""Functions that test code handed over, in the candidate's box."""

import builtins
import importlib
import marshal
import operator
import types

from ...decoding import decode, decode_real_array
from ..wire.channel import HANDED
from ..wire.marks import Marks
from ..wire.signature import read_annotations, read_signature
from .keeping import Lent

# What test code asks of its own things through functions that know the candidate's too.
PLAIN = {
    "is_same": operator.is_,
    "class_of": type,
    "differs": lambda a, b: not a == b,
    "special_of": getattr,
    "made_class": type,
    "is_not_in": lambda value, held: value not in held,
    "matched": lambda value: value,
    "to_raise": lambda value: value,
}


# Of the classes that are being made of such functions, that which holds the class for those that use it.
CLASS_CELLS = []


class Handed:
    """Those that are there, by their numbers: the same function each time it comes."""

    def __init__(self):
        self.functions = Lent(HANDED)
        # What the test code knows that they have.
        self.marks = Marks()

    def function(self, spec):
        number, *parts, marks = spec if len(spec) > 1 else (*spec, ())
        function = self.functions.get(number)
        if function is None:
            function = self.make(number, *parts)
        self.functions.know(number, function)
        self.marks.take(number, function, marks)
        return function

    def make(self, number, code, defaults, keyword_defaults, held, name, annotations):
        code = marshal.loads(bytes.fromhex(code))
        cells = {name: types.CellType() for name in code.co_freevars}
        if "__class__" in cells and "__class__" not in dict(held) and CLASS_CELLS:
            cells["__class__"] = CLASS_CELLS[-1]
        namespace = {"__builtins__": builtins, "__name__": "__main__"}
        function = types.FunctionType(code, namespace, closure=tuple(cells.values()))
        # What it uses may be itself.
        self.functions.know(number, function)
        function.__defaults__, function.__kwdefaults__ = decode(defaults), decode(keyword_defaults)
        function.__qualname__ = name
        annotate(function, annotations)
        for name, value in held:
            if name in cells:
                cells[name].cell_contents = decode(value)
            else:
                namespace[name] = decode(value)
        return function


def annotate(function, annotations):
    """Have a function the annotations that it has there, and those that are texts mean what they mean there."""
    if annotations is not None:
        function.__annotations__, names = read_annotations(annotations)
        for name, value in names.items():
            function.__globals__.setdefault(name, value)


def library(name):
    module, function = name
    return getattr(importlib.import_module(module), function)


def read_alias(spec):
    from ..wire.annotations import make

    return make(spec)


def attribute(spec):
    owner, name = spec
    return getattr(decode(owner), name)


def made(spec):
    make, arguments, keywords = map(decode, spec)
    return make(*arguments, **keywords)


def generator(spec):
    """A generator that has given and returns these."""
    values, returned = decode(spec[0]), decode(spec[1])

    def generator():
        yield from values
        return returned

    return generator()


def decoders(handed):
    """By the names of what crosses, those that are for this way alone."""
    return {
        "ndarray": decode_real_array,
        "function": handed.function,
        "attribute": attribute,
        "generator": generator,
        "made": made,
        "module": importlib.import_module,
        "library": library,
        "alias": read_alias,
        "signature": read_signature,
        "plain": PLAIN.__getitem__,
    }
