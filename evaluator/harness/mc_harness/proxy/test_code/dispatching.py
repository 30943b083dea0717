"""Functions of the test code of which the library calls one for each class, where that is a class of the candidate's:
the library would go by the classes of stand-ins."""

import functools
import importlib
from types import FunctionType

from ..stand_ins.named import Function
from ..stand_ins.unions import alternatives
from ..wire.derived import Derived
from ..wire.remote import Remote


def follow_dispatching():
    """Have `singledispatch` and `singledispatchmethod` know classes of the candidate's."""
    functools.singledispatch = with_theirs(functools.singledispatch)
    functools.singledispatchmethod = Method


def with_theirs(singledispatch):
    @functools.wraps(singledispatch)
    def dispatching(function):
        usual, theirs = singledispatch(function), {}

        @functools.wraps(usual)
        def wrapper(*args, **kwargs):
            return (chosen(theirs, args) or usual)(*args, **kwargs)

        wrapper.theirs = theirs
        wrapper.register = functools.partial(register, usual, theirs)
        return wrapper

    return dispatching


class Method(functools.singledispatchmethod):
    def __get__(self, owner, kind=None):
        usual = super().__get__(owner, kind)

        @functools.wraps(usual)
        def method(*args, **kwargs):
            own = chosen(self.dispatcher.theirs, args)
            return (own.__get__(owner, kind) if own else usual)(*args, **kwargs)

        return method


def register(usual, theirs, kind, func=None):
    """What a function is for: a class, or that by which its first argument is annotated. What is for no class of the
    candidate's is as usual."""
    kinds = [annotation_of(kind)] if func is None and type(kind) is FunctionType else [kind]
    kinds = alternatives(kinds[0]) or kinds
    if not any(isinstance(one, Function) for one in kinds):
        return usual.register(kind, func)
    if func is None and type(kind) is not FunctionType:
        return functools.partial(register, usual, theirs, kind)
    function = func or kind
    for one in kinds:
        if isinstance(one, Function):
            theirs[one] = function
        else:
            usual.register(one, function)
    return function


def annotation_of(function):
    hints = importlib.import_module("typing").get_type_hints(function)
    return next(iter(hints.values()), None)


def chosen(theirs, args):
    """The function for what is the nearest class of the first argument's, if that is the candidate's and of one."""
    value = args[0] if args else None
    if not issubclass(type(value), (Remote, Derived)):
        return None
    matching = [kind for kind in theirs if isinstance(value, kind)]
    nearest = (kind for kind in matching if all(issubclass(kind, other) for other in matching))
    return theirs.get(next(nearest, None))
