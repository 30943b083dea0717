"""Functions of libraries that say something else of a stand-in, or of an empty answer, than test code means to ask."""

import functools
import importlib
import sys
from contextlib import suppress

from ..link.subclasses import watch_classes
from ..stand_ins.autospec import follow
from ..stand_ins.guarded import Guarded
from ..stand_ins.identity import is_same
from ..wire.asked import KINDS
from ..wire.elements import take_any_element
from ..wire.likeness import tried
from ..wire.remote import Remote
from .dispatching import follow_dispatching
from .reflection import BUILTINS, reflect_dataclasses, reflect_kinds
from .registered import watch_registering

# What numpy compares arrays with, and how it names these.
CLOSE = ("allclose", "isclose")
ASSERTING = (
    "assert_allclose", "assert_almost_equal", "assert_array_almost_equal", "assert_array_equal", "assert_array_less",
    "assert_equal",
)
# What a class may say of what its objects hold.
HOLDING = ("__getitem__", "__iter__", "__len__")
SIDES = ("a", "x", "actual", "b", "y", "desired")


def watch_evaluation(link, code, source):
    """See what of the candidate's the test code evaluates, if it does such."""
    from .evaluating import EVALUATING, Evaluated

    if not link.named.isdisjoint(EVALUATING):
        link.evaluated = Evaluated(code, source, link.leave)
        sys.addaudithook(link.evaluated.hook)


def harden(link):
    """Guard those that the test code names."""
    if "getmembers" in link.named:
        inspect = importlib.import_module("inspect")
        inspect.getmembers = with_members(inspect.getmembers)
    kinds = [name for name in KINDS if name in link.named]
    if kinds:
        reflect_kinds(kinds)
    if not link.named.isdisjoint((*CLOSE, *ASSERTING)) and "numpy" in sys.modules:
        harden_numpy(sys.modules["numpy"])
    if "json" in link.named:
        harden_json()
    take_any_element(link.named)
    if "dataclasses" in link.named:
        reflect_dataclasses()
    if not link.named.isdisjoint(("assertIs", "assertIsNot")):
        assert_sameness()
    if not link.named.isdisjoint(("assertIsInstance", "assertNotIsInstance")):
        # They look it up as a global name of their module.
        importlib.import_module("unittest.case").isinstance = BUILTINS["isinstance"]
    harden_classes(link)
    if not link.named.isdisjoint(("patch", "mock")):
        link.replacements.watch()
    if not link.named.isdisjoint(("patch", "mock", "create_autospec")):
        follow()


def harden_classes(link):
    """What goes by classes, of which some may be the candidate's."""
    watch_classes(link)
    if "register" in link.named:
        watch_registering()
    if not link.named.isdisjoint(("singledispatch", "singledispatchmethod")):
        follow_dispatching()


def harden_json():
    """Objects whose class derives from a builtin one are written as what they hold."""
    import json

    for name in ("dump", "dumps"):
        setattr(json, name, of_data(getattr(json, name)))


def of_data(function):
    @functools.wraps(function)
    def writing(value, *args, **kwargs):
        return function(as_data(value), *args, **kwargs)

    return writing


def as_data(value):
    """A value with what objects of the candidate's hold in place of these, unless they have a say in what that is."""
    kind = type(value)
    if kind is dict:
        return {key: as_data(held) for key, held in value.items()}
    if kind is list or kind is tuple:
        return kind(map(as_data, value))
    content = value._remote_content() if issubclass(kind, Guarded) else None
    return value if content is None or not content[1].isdisjoint(HOLDING) else content[0]


def harden_numpy(numpy):
    for name in CLOSE:
        setattr(numpy, name, of_one_size(getattr(numpy, name), numpy, lambda: numpy.False_))
    testing = importlib.import_module("numpy.testing")
    for name in ASSERTING:
        setattr(testing, name, of_one_size(getattr(testing, name), numpy, emptiness_differs))


def emptiness_differs():
    raise AssertionError("one of both is empty")


def assert_sameness():
    """`assertIs` and `assertIsNot` of two stand-ins go by what they stand for."""
    from unittest import TestCase

    for name in ("assertIs", "assertIsNot"):
        setattr(TestCase, name, of_the_same(getattr(TestCase, name)))


def of_the_same(method):
    @functools.wraps(method)
    def asserting(test, first, second, *message, **more):
        return method(test, first, first if is_same(first, second) else second, *message, **more)

    return asserting


def with_members(function):
    """`inspect.getmembers`, which is to find those that the candidate's things have."""

    @functools.wraps(function)
    def members(value, predicate=None):
        if not isinstance(value, Remote):
            return function(value, predicate)
        found = list(members_of(value))
        return [member for member in found if predicate is None or predicate(member[1])]

    return members


def members_of(value):
    for name in sorted(dir(value)):
        with suppress(AttributeError):
            path = value._remote_below(name)
            yield name, value._remote_link.get(value._remote_of, path, "%s.%s" % (value._remote_chain, name))


def of_one_size(function, numpy, differing):
    """A comparison of numpy's for which nothing is not close to something, though it has no item that differs."""

    @functools.wraps(function)
    def close(*args, **kwargs):
        sides = [*args, *(kwargs[name] for name in SIDES if name in kwargs)][:2]
        is_empty = [tried(lambda side=side: numpy.size(side) == 0) == [True] for side in sides]
        return differing() if len(set(is_empty)) > 1 else function(*args, **kwargs)

    return close
