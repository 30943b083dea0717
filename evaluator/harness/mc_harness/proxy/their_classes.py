"""On the candidate's side: classes of the test code's as the program looks at how they are made, and changes them."""

import sys
from functools import partial
from types import BuiltinFunctionType, FunctionType, MappingProxyType

from .channel import CALLBACKS
from .put_on import DATACLASS, DESCRIBING, DESCRIPTOR, MADE, RAW

MADE_OF = {"property": ("fget", "fset", "fdel", "__doc__"), "classmethod": ("__func__",), "staticmethod": ("__func__",)}
FUNCTIONS = (FunctionType, BuiltinFunctionType)
MRO = vars(type)["__mro__"].__get__
BASES = vars(type)["__bases__"].__get__


class Holder:
    """An object of the test code's, whose own attributes are there. What is set past its class is here until the test
    code is told of it."""

    __slots__ = ("__dict__", "__weakref__")


HELD = vars(Holder)["__dict__"].__get__


class Hook:
    """A special method of the objects of a class. Who asks the class itself for it, or an object past a class that
    derives from it, has what the class has there."""

    def __init__(self, look, call, name, method=None):
        self.look, self.call, self.name, self.method, self.of = look, call, name, method, None

    def __set_name__(self, kind, _):
        self.of = kind

    def __get__(self, thing, kind):
        if type(thing) is self.of and self.method is not None:
            return partial(self.method, thing)
        found = self.look(self.of, self.name) if id(self.of) in CALLBACKS else None
        held = Past(self.call, self.name) if found is None else found
        return held if thing is None or self.method is None else partial(held, thing)


class Past:
    """What any class has in the place of such a method."""

    def __init__(self, call, name):
        self.call, self.__name__ = call, name

    def __call__(self, thing, *args):
        return self.call(CALLBACKS[id(thing)], args, {}, RAW, self.__name__)


def looks(look):
    """By their names, what classes are asked for by who looks at how they are made."""
    asked = {name: property(lambda kind, name=name: look(kind, name)) for name in ("__annotations__", "__signature__")}
    return {
        **asked,
        "__dict__": property(lambda kind: MappingProxyType(dict(look(kind, "__dict__")))),
        "__mro__": property(lambda kind: visible(MRO(kind))),
        "__bases__": property(lambda kind: visible(BASES(kind)) or (object,)),
    }


def visible(kinds):
    """Without what is not there in the test code's box."""
    return tuple(kind for kind in kinds if kind is not Holder and kind.__base__ is not Holder)


def putting(value):
    """How the program puts something on a class, and what crosses for it."""
    kind = type(value)
    if MADE.get(kind.__name__) is kind:
        return kind.__name__, [getattr(value, name) for name in MADE_OF[kind.__name__]]
    methods = [name for name in DESCRIBING if hasattr(kind, name)]
    if methods and kind not in FUNCTIONS and id(value) not in CALLBACKS:
        return DESCRIPTOR, [value, methods]
    return "set", [value]


def set_past(things):
    """The names and values that were set of the test code's objects past their classes, each with the number."""
    for number in list(things.things):
        thing = things.get(number)
        if isinstance(type(thing), type) and Holder in MRO(type(thing)):
            held = HELD(thing)
            while held:
                yield number, *held.popitem()


def watch_data_classes(call):
    """Have the library make data classes of the test code's classes there."""
    library = sys.modules.get("dataclasses")
    process = getattr(library, "_process_class", None)
    if process is None or process in WATCHING:
        return

    def process_class(kind, *flags, **named):
        if id(kind) not in CALLBACKS:
            return process(kind, *flags, **named)
        return call(CALLBACKS[id(kind)], [*flags, *named.values()], {}, DATACLASS, "__init__")

    WATCHING.append(process_class)
    library._process_class = process_class


WATCHING = []
