"""Functions by which test code asks what something is: of a stand-in they ask the candidate, which has the thing."""

import builtins
import functools
import importlib
from abc import ABCMeta

from ..link.handing import STANDING
from ..link.outgoing import is_in_library, twin_of
from ..link.subclasses import above
from ..stand_ins.guarded import Guarded
from ..stand_ins.named import Function
from ..stand_ins.unions import alternatives
from ..wire.asked import DATACLASSES, DECORATORS
from ..wire.chains import computed
from ..wire.derived import Derived
from ..wire.objects import SPECIAL
from ..wire.remote import Remote
from .registered import of_registered


def asks(function, is_asked):
    """The builtin, which asks the candidate about arguments of which `is_asked` says so."""

    @functools.wraps(function)
    def asking(*args):
        if not is_asked(*args):
            return function(*args)
        about = next(value for value in args if issubclass(type(value), (Remote, Derived)))
        return about._remote_link.operate(function.__name__, computed(about._remote_chain), *args)

    return asking


def is_object(value):
    return issubclass(type(value), Guarded)


def is_special(value, name):
    """All stand-ins have the same methods, so only of other attributes they can tell by themselves."""
    return (is_object(value) or is_class(value)) and name.startswith("__") and name.endswith("__")


def getting(value, name, *default):
    """`getattr`."""
    if is_special(value, name) and not BUILTINS["hasattr"](value, name):
        if default:
            return default[0]
        error = AttributeError("the program's object has no attribute '%s'" % name)
        error.candidate = "AttributeError: %s" % error
        raise error
    return getattr(value, name, *default)


def of_protocols(function):
    """`isinstance`, of which the methods are asked for by name that a protocol wants: stand-ins have all of them."""

    def asking(value, kind):
        is_of = function(value, kind)
        if not is_of or not is_object(value) or not getattr(kind, "_is_protocol", False):
            return is_of
        return all(BUILTINS["hasattr"](value, name) for name in wanted_by(kind))

    return asking


def wanted_by(protocol):
    """The names of the special methods that a protocol has."""
    parts = [part for part in protocol.__mro__ if part.__module__ == "__main__"]
    names = {name for part in parts for name, held in vars(part).items() if callable(held)}
    return [name for name in names & SPECIAL if name != "__hash__"]


def of_any(function):
    """`isinstance` and the like, which take a tuple or a union of classes too."""

    @functools.wraps(function)
    def any_of(value, kinds):
        several = alternatives(kinds)
        return function(value, kinds) if several is None else any(any_of(value, kind) for kind in several)

    return any_of


def of_twins(function):
    """The same, of a class of the test code's own that is made again in the candidate's box."""
    return lambda value, kind: function(value, twin_of(kind) if issubclass(type(value), Remote) else kind)


def is_class(value):
    return isinstance(value, Function)


def is_known(about, kind):
    """Whether the candidate has this class too."""
    return is_class(kind) or is_in_library(kind) or is_handed_over(about, kind)


def is_class_of_known(value, kind):
    return is_class(value) and is_known(value, kind)


def is_of_library(value, kind):
    """Whether it is the candidate who knows if this is one of a library's class, or is an abstract class."""
    if is_class(value) and kind is ABCMeta:
        return True
    is_asked = is_object(value) or issubclass(type(value), Derived) and not isinstance(value, kind)
    return is_asked and (is_in_library(kind) or is_handed_over(value, kind))


def is_handed_over(value, kind):
    """Whether the candidate of this thing was given this class, from which it may derive others."""
    is_own = issubclass(type(kind), type) and kind.__module__ == "__main__"
    return is_own and id(kind) in value._remote_link.callbacks.numbers


BUILTINS = {
    "callable": asks(callable, lambda value: is_object(value) or is_class(value)),
    "hasattr": asks(hasattr, is_special),
    "isinstance": of_any(of_registered(of_protocols(of_twins(asks(isinstance, is_of_library))))),
    "issubclass": of_any(of_registered(of_twins(asks(issubclass, is_class_of_known)))),
}


BUILTINS["getattr"] = getting
STANDING.update((function, getattr(builtins, name)) for name, function in BUILTINS.items())
BUILTINS["super"] = above


def reflect(namespace, names):
    """Put those that test code looks up, and does not define, in the place of the builtins."""
    for name in BUILTINS.keys() & names:
        namespace.setdefault(name, BUILTINS[name])


def reflect_kinds(names):
    """The same for those by which test code asks what kind of function something is."""
    import asyncio
    import inspect

    for module in (inspect, asyncio):
        for name in names:
            if hasattr(module, name):
                setattr(module, name, asks(getattr(module, name), lambda value, *_: isinstance(value, Remote)))


def reflect_decorators(namespace, names):
    """The same for decorators of a class, where these are the library's."""
    for name in DECORATORS.keys() & names:
        module = importlib.import_module(DECORATORS[name])
        decorator = getattr(module, name)
        setattr(module, name, of_class(decorator))
        if namespace.get(name) is decorator:
            namespace[name] = getattr(module, name)


def of_class(decorator):
    @functools.wraps(decorator)
    def decorating(value=None, /, **said):
        if value is None:
            return lambda value: decorating(value, **said)
        if not is_class(value):
            return decorator(value, **said)
        return value._remote_link.decorate(decorator.__name__, value, said)

    return decorating


def reflect_dataclasses():
    import dataclasses

    for name in DATACLASSES:
        setattr(dataclasses, name, of_dataclass(getattr(dataclasses, name)))


def of_dataclass(function):
    @functools.wraps(function)
    def asking(value, /, *args, **changes):
        if not isinstance(value, Remote):
            return function(value, *args, **changes)
        value._remote_is_object()
        more = [changes] if function.__name__ == "replace" else []
        return value._remote_link.operate(function.__name__, value._remote_chain, value, *more)

    return asking
