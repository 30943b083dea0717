"""Functions of the test code's that keep something, such as what they were called with: they stay here, and the candidate
calls them through the channel, in the middle of what it was asked."""

import dis
import inspect
import types
from json import dumps
from time import monotonic

from ..encoding import Refused
from .chains import element
from .errors import ENDINGS, bases_of, describe, raised
from .plain import METHODS
from .signature import write

# What such a call gives goes on on this side.
RUNNING = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ITERABLE_COROUTINE | inspect.CO_ASYNC_GENERATOR
METHOD_KINDS = (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)
LOADING = ("LOAD_ATTR", "LOAD_METHOD")


class Callbacks:
    """Those that one test code handed over, and what they raised."""

    def __init__(self, link):
        self.link = link
        # By what tells them apart, their numbers; and they themselves.
        self.numbers, self.functions = {}, []
        self.raised = []

    def crossing(self, value, kind, encode):
        """A function as it crosses, `encode` telling what its signature holds; None if it is none that can be called
        from there."""
        if kind is type and issubclass(value, Exception) and value.__module__ == "__main__":
            self.link.errors.taken[value.__name__] = value
            return {"error_class": bases_of(value)}
        if kind not in (types.FunctionType, *METHOD_KINDS) or running(value):
            return None
        number = self.numbers.setdefault(key_of(value), len(self.functions))
        if number == len(self.functions):
            self.functions.append(value)
        return {"callback": [number, value.__name__, value.__doc__ and str(value.__doc__), signature(value, encode)]}

    def answer(self, message):
        """What came of a function that the candidate calls, as it crosses; and for how long that took."""
        link, start = self.link, monotonic()
        link.checked(lambda: link.mirrored.hold(message.get("held", ())))
        link.hid |= link.checked(lambda: link.mirrored.change(message.get("changed", ())))
        link.checked(lambda: link.streams.after(message))
        self.note(message)
        number, function = link.checked(lambda: (int(message["callback"]), self.functions[message["callback"]]))
        args, kwargs = self.arguments(message, function)
        try:
            result = function(*args, **kwargs)
        except (Exception, *ENDINGS) as error:
            self.raised.append(error)
            answer = {"op": "raised", "error": raised(error), "number": len(self.raised) - 1}
        else:
            answer = {"op": "returned", "value": link.sendable(result), "numbers": link.mirrored.numbers([result])}
        link.alter()
        return dumps(answer), monotonic() - start

    def arguments(self, message, function):
        """What the function is called with, in which what the candidate has as one thing is one."""
        link, name = self.link, function.__name__
        args, kwargs = link.checked(lambda: message["arguments"])
        as_objects = used_as_objects(function)
        placed = [*enumerate(link.checked(lambda: list(args))), *link.checked(lambda: dict(kwargs).items())]
        chains = {place: "%s(%s)" % (name, place) for place, _ in placed}
        link.objects.update(chain for place, chain in chains.items() if place in as_objects)
        values = [link.read({"value": value}, chains[place]) for place, value in placed]
        values = link.taken(message, values, element(name))
        return values[: len(args)], dict(zip(kwargs, values[len(args) :]))

    def note(self, message):
        """Have functions have the attributes that the candidate gave them."""
        for number, name, value in self.link.checked(lambda: message.get("attributes", ())):
            function = self.link.checked(lambda number=number: self.functions[number])
            value = self.link.read({"value": value}, "%s.%s" % (function.__name__, name))
            if type(function) is types.FunctionType and type(name) is str and not name.startswith("__"):
                setattr(function, name, value)

    def again(self, number):
        """What a function raised that the candidate lets through: the same exception, of which it is known that the
        candidate did."""
        error = self.raised[number]
        error.candidate = "%s: %s" % (type(error).__name__, describe(error))
        return error


def running(value):
    code = getattr(getattr(value, "__func__", value), "__code__", None)
    return code is not None and code.co_flags & RUNNING


def key_of(function):
    """What is the same of two that are the same function: a method is made each time it is looked up."""
    owner = getattr(function, "__self__", None)
    return id(function) if owner is None else (id(owner), function.__name__)


def signature(function, encode):
    """As it crosses, if it has one that can."""
    try:
        return write(function, encode)
    except (Refused, TypeError, ValueError):
        return None


def used_as_objects(function):
    """Places and names of the parameters of which a function uses attributes that no plain data has."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None:
        return ()
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    is_bound = hasattr(function, "__func__")
    instructions = list(dis.get_instructions(code))
    found = {
        before.argval
        for before, after in zip(instructions, instructions[1:])
        if before.opname.startswith("LOAD_FAST") and after.opname in LOADING and after.argval not in METHODS
    }
    return found | {place - is_bound for place, name in enumerate(names) if name in found}
