"""Functions that test code hands to the candidate: what of them crosses, so that each does there what it does here.

A library's are known by their names. Of the test code's own those cross that keep nothing there: they use what never
changes, such as numbers that are bound once, modules, and functions like them.
"""

import builtins
import functools
import marshal
import operator
import re
import sys
import types
from contextlib import contextmanager
from itertools import count

from ...encoding import LiveObject, Refused
from ...lookups import Lookups
from ...names import all_parts
from ..analysis.bindings import CELL_STORES, Bindings, stores
from ..stand_ins.identity import class_of, differs, is_not_in, is_same, made_class, special_of, to_raise
from ..stand_ins.matching import matched
from ..wire.annotations import Described
from ..wire.containers import containers
from ..wire.described import own_attributes
from ..wire.marks import Marks, look
from ..wire.objects import BUILTIN_METHODS, asserts, is_mock
from ..wire.remote import Remote
from ..wire.signature import annotations
from ..wire.standard import STANDARD_MODULES
from .lazy import names_of

LIBRARIES = STANDARD_MODULES | {"numpy"}
# Those whose functions do not depend on what the test code is.
STATELESS = LIBRARIES - {"__main__", "unittest"}
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType)
# Functions that stand for builtins in the test code, and those that stand for operators there.
STANDING = {}
ASKING = (is_same, class_of, differs, is_not_in, made_class, special_of, to_raise, matched)
OPERATORS = {function: function.__name__ for function in ASKING}
METHODS = (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType)
BOUND = (types.MethodWrapperType, *BUILTIN_METHODS)
CONSTANTS = (bool, int, float, complex, str, bytes, range, type(None), type(...), re.Pattern)
COLLECTIONS = (tuple, frozenset)
# Methods of collections that change nothing.
READING = frozenset("__contains__ __getitem__ __len__ count get index issubset issuperset items keys values".split())
# What makes an exception what it is.
MAKING = ("__init__", "__new__", "__str__", "__repr__")
GETTERS = (operator.itemgetter, operator.attrgetter, operator.methodcaller)


class Handing:
    """What crosses of the functions of one test code, which runs this code."""

    def __init__(self, code=None):
        self.bindings = code and Bindings(code)
        # The numbers of functions that have crossed, by identity; and these as long as the candidate holds them.
        self.numbers, self.functions, self.count = {}, {}, count()
        # Where the functions of the class that is being made will find that.
        self.class_cell = None
        # What is known of them there; and those of which is being told what they have.
        self.marks, self.described = Marks(), set()

    @contextmanager
    def class_of(self, cell):
        """A class is being made, which its functions find in a cell."""
        before, self.class_cell = self.class_cell, cell
        try:
            yield
        finally:
            self.class_cell = before

    def numbered(self, number):
        """The one that has crossed under a number."""
        return self.functions[number]

    def drop(self, number):
        """Forget one that the candidate knows no more."""
        del self.numbers[id(self.functions.pop(number))]
        self.marks.drop(number)

    def crossing(self, value, kind, encode, begun):
        """A function as it crosses, `encode` telling what it is made of; None if it is none. `begun` are those that
        the same message describes already."""
        if kind is types.FunctionType and value in STANDING:
            value, kind = STANDING[value], types.BuiltinFunctionType
        if is_of_library(value, kind):
            return {"library": [home_of(value, kind), value.__name__]}
        if kind is types.FunctionType and value in OPERATORS:
            return {"plain": OPERATORS[value]}
        if kind is types.FunctionType:
            return self.function(value, encode, begun)
        if kind is types.ModuleType and is_known_module(value):
            return {"module": value.__name__}
        if kind in METHODS and getattr(value.__objclass__, value.__name__, None) is not None:
            return {"attribute": [encode(value.__objclass__), value.__name__]}
        if kind in (*BOUND, types.MethodType) and may_be_asked(value, value.__self__, self.is_looked_up_once):
            return {"attribute": [encode(value.__self__), value.__name__]}
        return made(value, kind, encode)

    def function(self, value, encode, begun):
        """One of the test code's own, with what it uses; None if something of that may change."""
        number = self.numbers.get(id(value))
        if number in begun:
            return {"function": [number]}
        used = self.used_by(value)
        if used is None:
            return None
        if number is None:
            number = self.numbers[id(value)] = next(self.count)
            self.functions[number] = value
        begun.add(number)
        try:
            held = [[name, encode(one)] for name, one in used.items()]
            defaults = [encode(value.__defaults__), encode(value.__kwdefaults__)]
        except LiveObject:
            # What it uses stays here, and so does it.
            begun.discard(number)
            self.drop(number)
            return None
        self.marks.begin(number, value)
        described = [value.__qualname__, annotations_of(value, encode), self.marks_of(value, encode)]
        return {"function": [number, marshal.dumps(value.__code__).hex(), *defaults, held, *described]}

    def is_looked_up_once(self, thing):
        """Whether the test code has something under names of which it uses one, once."""
        names = names_of(thing)
        return self.bindings is not None and bool(names) and sum(self.bindings.loads[name] for name in names) <= 1

    def marks_of(self, function, encode):
        """What a function, or that of a method, is called and has as attributes, as far as that crosses."""
        function = getattr(function, "__func__", function)
        if type(function) is not types.FunctionType or id(function) in self.described:
            return []
        self.described.add(id(function))
        try:
            told = [(name, told_of(value, encode)) for name, value in look(function).items()]
        finally:
            self.described.discard(id(function))
        return [[name, *value] for name, value in told if value is not None]

    def used_by(self, function):
        """By their names, the things beyond builtins that a function uses; None where one of them may change, or is
        none that could cross, or where it asserts something."""
        code, lookups = function.__code__, Lookups(function.__code__)
        is_changing = any(stores(part, name, CELL_STORES) for part in all_parts(code) for name in code.co_freevars)
        # What it has as attributes since it crossed, it has there too.
        is_marked = function.__dict__ and id(function) not in self.numbers
        if lookups.stored or is_marked or is_changing or holds_changing(defaults_of(function)) or asserts(function):
            return None
        try:
            used = {name: function.__globals__[name] for name in lookups.all if not is_builtin(name, function)}
            cells = zip(code.co_freevars, function.__closure__ or ())
            used.update((name, cell.cell_contents) for name, cell in cells if cell is not self.class_cell)
        except (KeyError, ValueError):
            return None
        is_whole = all(self.may_be_used(name, value, code) for name, value in used.items())
        return used if is_whole else None

    def may_be_used(self, name, value, code):
        """A constant that the test code looks up elsewhere too may be what is expected."""
        if self.bindings is None or not self.bindings.has(code) or not self.bindings.is_settled(name, code):
            return False
        if is_constant(value) and not issubclass(type(value), Remote):
            return self.bindings.is_private(name, code)
        if isinstance(value, type) and issubclass(value, BaseException) and is_own(value):
            # What the class itself says of its exceptions, it says here.
            is_made_here = any(name in vars(kind) for kind in value.__mro__ for name in MAKING if is_own(kind))
            return not is_made_here and not own_attributes(value)
        if is_mock(type(value)):
            # It is looked at where it is.
            return False
        return issubclass(type(value), (Remote, types.ModuleType)) or callable(value)


def defaults_of(function):
    return [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]


def holds_changing(values):
    """Whether something in values may change, so that there has to be one of it."""
    return next(containers(tuple(values)), None) is not None


def told_of(value, encode):
    """What a function has as it crosses, in a list; None of what cannot, or would be used up by that."""
    try:
        return None if is_used_up(type(value)) else [encode(Described(value))]
    except Refused:
        return None


def is_used_up(kind):
    """Whether what is of a class is gone through as it crosses."""
    return not issubclass(kind, Remote) and any(hasattr(kind, name) for name in ("__next__", "__await__"))


def is_own(kind):
    return kind.__module__ == "__main__"


def annotations_of(thing, encode):
    """Annotations of a function or a class as they cross; None if it has none."""
    if not getattr(thing, "__annotations__", None):
        return None
    known = getattr(thing, "__globals__", None) or vars(sys.modules[thing.__module__])
    return annotations(thing, known, lambda part: encode(Described(part)))


def is_builtin(name, function):
    """Whether a function finds a builtin under a name, or what stands for one in the test code."""
    own = function.__globals__.get(name)
    return hasattr(builtins, name) and (own is None or STANDING.get(own) is getattr(builtins, name))


def is_constant(value):
    if type(value) in COLLECTIONS:
        return all(map(is_constant, value))
    return type(value) in CONSTANTS or issubclass(type(value), Remote)


def home_of(function, kind):
    """The name of the module that a function says it is from, of which numpy's have classes of their own; else None."""
    random = sys.modules.get("random")
    if kind in (*BOUND, types.MethodType) and random is not None and function.__self__ is random._inst:
        return "random"
    if kind in FUNCTIONS:
        return function.__module__
    is_numpys = kind.__module__ == "numpy" and type(getattr(function, "__name__", None)) is str
    return "numpy" if is_numpys else None


def is_of_library(function, kind):
    """Whether a library has it under its name, so that the candidate has it too."""
    home = home_of(function, kind)
    if home is None or home.partition(".")[0] not in STATELESS:
        return False
    return getattr(sys.modules.get(home), function.__name__, None) is function


def is_known_module(module):
    name = module.__name__
    return name.partition(".")[0] in STATELESS and sys.modules.get(name) is module


def may_be_asked(method, owner, is_looked_up_once):
    """Whether a method does the same wherever what it belongs to is: that never changes, or is only read."""
    name = method.__name__
    if getattr(owner, name, None) is None:
        return False
    if isinstance(owner, type) and owner.__module__ != "__main__" or is_constant(owner):
        return True
    if type(owner) not in (dict, list, set) or name not in READING:
        return False
    if holds_changing(owner.values() if type(owner) is dict else owner):
        return False
    # One more than those of a sample, as this function has it.
    others = sys.getrefcount(method.__self__) - OF_SAMPLE
    return others < 1 or others == 1 and is_looked_up_once(owner)


def references_of_sample():
    """How many references there are to what one variable has, and one method that is handed over."""
    owner = {}
    method = owner.get
    return sys.getrefcount(method.__self__)


OF_SAMPLE = references_of_sample()


def made(value, kind, encode):
    """What a function of the library made of others, as that is made again; None if it is none such."""
    if kind is functools.partial and not value.__dict__ and not holds_changing((*value.args, *value.keywords.values())):
        return {"made": [encode(kind), encode([value.func, *value.args]), encode(value.keywords)]}
    if kind is property:
        return {"made": [encode(kind), encode([value.fget, value.fset, value.fdel, value.__doc__]), encode({})]}
    if kind in (staticmethod, classmethod):
        return {"made": [encode(kind), encode([value.__func__]), encode({})]}
    if kind in GETTERS:
        make, arguments = value.__reduce__()
        return {"made": [encode(make), encode(list(arguments)), encode({})]}
    return None
