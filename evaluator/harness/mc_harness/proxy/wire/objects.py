"""Objects of the test code's that stay there: which the candidate may use through the channel, and what of each."""

import dis
import importlib
import io
import operator
import re
import sys
import types
from abc import ABCMeta
from contextlib import suppress

from ...names import all_parts, names_used
from .builtin_bases import is_base
from .dunders import is_free
from .put_on import GIVEN, HOOKS, WAYS, do, hook, of_objects
from .remote import Remote
from .standard import STANDARD_MODULES

STREAMS = (io.StringIO, io.BytesIO, io.TextIOWrapper, io.BufferedReader, io.BufferedWriter)
# What is of the interpreter itself looks further than a program should; and what waits goes on in a loop.
STANDARD = STANDARD_MODULES - {"__main__", "asyncio", "builtins", "types"}
GOING_ON = ("__await__", "__anext__")
# The flags of code whose call begins a coroutine.
RUNNING = 0x80 | 0x100
# Of which modules objects for what waits stay too.
WAITED_FOR = ("asyncio.locks", "asyncio.queues")
# Special methods that are called there. Whether two are the same object, both sides know.
SPECIAL = frozenset("""
    __call__ __len__ __iter__ __next__ __reversed__ __contains__ __getitem__ __setitem__ __delitem__ __enter__ __exit__
    __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __bool__ __str__ __repr__ __format__ __int__ __float__ __index__
    __add__ __sub__ __mul__ __truediv__ __floordiv__ __mod__ __pow__ __matmul__ __and__ __or__ __xor__ __lshift__
    __rshift__ __radd__ __rsub__ __rmul__ __rtruediv__ __rfloordiv__ __rmod__ __rpow__ __rmatmul__ __rand__ __ror__
    __rxor__ __iadd__ __isub__ __imul__ __neg__ __pos__ __abs__ __invert__ __round__ __divmod__ __aenter__ __aexit__
    __aiter__ __anext__ __await__ __get__ __set__ __delete__ __fspath__
""".split())
# What a method of a builtin class is, or of one of the library's that is written in C, once it is looked up.
BUILTIN_METHODS = (types.BuiltinMethodType, type(re.compile("").match))
# By which code has the exception of an assertion, where that is no name.
ASSERTING = "LOAD_ASSERTION_ERROR"
# Names with two underscores that an object is asked for otherwise.
ASKED = ("__dict__", "__doc__", "__name__")
# The modules of classes of tests.
TESTS = ("unittest.case", "unittest.async_case")
# How names begin by which pytest goes through a class of tests.
COLLECTED = ("_", "test", "setup", "teardown", "pytestmark")
# Of which modules the bases of a class may be.
OWN = ("__main__", "abc", "enum", "typing", *TESTS)
# By which a class of classes says which objects are theirs.
SAYING = ("__instancecheck__", "__subclasscheck__", "__getattribute__", "__getattr__", "__setattr__")
SETTING = {"set": setattr, "del": delattr}
SETTING_ITEMS = {"set item": operator.setitem, "del item": operator.delitem}
# How a mock is set up and forgets what it noted, which nothing does that it stands for.
SETTING_UP = ("attach_mock", "configure_mock", "mock_add_spec", "reset_mock")
# What a class is asked for by who looks at how it is made.
OF_CLASSES = ("__abstractmethods__", "__annotations__", "__init__", "__signature__", *HOOKS)


def stays(kind):
    """Whether objects of a class are used by the candidate where they are: those of the test code's and of the standard
    library's, as far as they are not gone on with from here."""
    if kind.__module__ == "__main__":
        return is_plain_class(kind)
    if is_mock(kind) or kind.__module__ in WAITED_FOR:
        return True
    is_of_library = kind.__module__.partition(".")[0] in STANDARD and not goes_on(kind)
    return kind in STREAMS or kind is object or is_of_library


def is_mock(kind):
    return kind.__module__ == "unittest.mock"


def goes_on(kind):
    return issubclass(kind, (type, BaseException)) or any(hasattr(kind, name) for name in GOING_ON)


def is_class(value, kind):
    """The same of a class."""
    return is_kind(kind) and value.__module__ == "__main__" and is_plain_class(value)


def is_kind(kind):
    """Whether it is a class of classes that has no say in which objects are theirs."""
    if kind in (type, ABCMeta):
        return True
    if not issubclass(kind, type):
        return False
    return kind.__module__ in ("enum", "typing") or kind.__module__ == "__main__" and not says_what_is_of_it(kind)


def says_what_is_of_it(kind):
    return any(name in vars(part) for part in kind.__mro__[:-2] for name in SAYING)


def is_plain_class(kind):
    """Whether the objects of a class are known for what they are by their attributes, and a builtin base."""
    bases = kind.__mro__[1:]
    is_own = all(base is object or base.__module__ in OWN or is_base(base) for base in bases)
    return is_kind(type(kind)) and is_own


def running(function):
    """Whether a call of a function gives a coroutine."""
    code = code_of(function)
    return code is not None and bool(code.co_flags & RUNNING)


def code_of(function):
    """That of a function or a method of Python's; a mock says that it has some too."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code if type(code) is types.CodeType else None


def specials(kind, base=object):
    """The special methods that a class has beyond those of any object of a base."""
    found = {}
    for part in kind.__mro__:
        for name in SPECIAL.intersection(vars(part)):
            found.setdefault(name, part)
    return sorted(name for name, part in found.items() if part not in base.__mro__ and getattr(kind, name) is not None)


def ask(thing, how, name, args, can_send):
    """What the candidate does with an object other than to call it."""
    if how == "copy":
        return getattr(importlib.import_module("copy"), name)(thing)
    if how in WAYS:
        return do(thing, how, name, args)
    if how == "get":
        return got(thing, name, can_send)
    if (how in SETTING or how in SETTING_ITEMS) and is_mock(type(thing)) and any(stands_in(one) for one in args):
        raise AttributeError(name)
    if how in SETTING:
        return SETTING[how](thing, may_be_set(thing, name), *(of_objects(thing, name, one) for one in args))
    if how in SETTING_ITEMS:
        return SETTING_ITEMS[how](vars(thing), of_no_test(thing, name), *args)
    if name not in specials(type(thing)):
        raise AttributeError(name)
    # A mock notes how its own were called.
    return getattr(thing, name)(*args) if is_mock(type(thing)) else getattr(type(thing), name)(thing, *args)


def got(thing, name, can_send):
    """An attribute."""
    if name == "__dict__":
        return held_by(thing, can_send)
    if isinstance(thing, type) and (name in OF_CLASSES or name in SPECIAL):
        return told_of(thing, name, can_send)
    if is_mock(type(thing)) and name in SETTING_UP:
        raise AttributeError(name)
    return getattr(thing, of_no_runner(thing, visible(thing, name)))


def stands_in(value):
    """Whether it would say in a mock's place what that is asked later: the candidate's, or what another mock noted."""
    is_part = is_mock(type(value)) and getattr(value, "_mock_new_parent", None) is not None
    return is_part or issubclass(type(value), Remote)


def held_by(thing, can_send):
    """What an object or a class has of its own, as far as that crosses. Of a mock it is how that works."""
    held = {} if is_mock(type(thing)) else getattr(thing, "__dict__", {})
    is_test = bool(of_tests(kind_of(thing)))
    told = {key: value for key, value in held.items() if can_send(value) and not (is_test and is_inner(key))}
    if isinstance(thing, type) and "__annotations__" in held:
        told["__annotations__"] = told_of(thing, "__annotations__", can_send)
    return told


def attributes_of(thing):
    """The attributes of its own, whatever the class of an object says of them; an object of slots has none."""
    if isinstance(thing, type):
        return vars(thing)
    try:
        return object.__getattribute__(thing, "__dict__")
    except AttributeError:
        return {}


def may_be_set(thing, name):
    """A name under which something may have what it is given."""
    is_of_class = isinstance(thing, type) and (name in SPECIAL or name in GIVEN)
    return of_no_test(thing, name if is_of_class else visible(thing, name))


def kind_of(thing):
    """The class of an object; a class itself."""
    return thing if isinstance(thing, type) else type(thing)


def of_tests(kind):
    """The classes of unittest's tests that a class derives from."""
    return [part for part in kind.__mro__ if part.__module__ in TESTS]


def is_inner(name):
    """Whether it names what a test has for itself, or what runs another."""
    return name.startswith(("_", "test"))


def of_no_runner(thing, name):
    """A name of nothing by which a test says what is right, or by which it goes on."""
    tests = of_tests(kind_of(thing))
    if tests and (is_inner(name) or any(hasattr(part, name) for part in tests)):
        raise AttributeError(name)
    return name


def of_no_test(thing, name):
    """A name of nothing by which a test says what is right: of its runner, or of a function that asserts something; nor
    of how something of the library works."""
    kind = kind_of(thing)
    if is_of_library(kind, name) or is_of_tests(kind, name) or is_mock(kind) and is_of_mocks(name):
        raise AttributeError(name)
    if asserts(next((vars(part)[name] for part in kind.__mro__ if name in vars(part)), None)):
        raise AttributeError(name)
    return name


def is_of_library(kind, name):
    home, _, part_of_home = kind.__module__.partition(".")
    is_of_runner = home == "unittest" and part_of_home != "mock"
    is_plain = home == "__main__" or kind is types.SimpleNamespace or is_mock(kind)
    return is_of_runner or name.startswith("_") and not is_plain


def is_of_tests(kind, name):
    """Whether a class of tests has something by a name for itself, or for what runs it."""
    if holds_tests(kind) and name.startswith(COLLECTED):
        return True
    return any(name.startswith("_") or hasattr(part, name) for part in of_tests(kind))


def holds_tests(kind):
    """Whether pytest finds tests in a class."""
    return kind.__module__ == "__main__" and kind.__name__.startswith("Test") and has_tests(kind)


def has_tests(kind):
    """Whether a class has methods that are called as tests are, whoever runs them."""
    return any(name.startswith("test") for name in dir(kind))


def is_of_mocks(name):
    """Whether a mock has something of its own by a name: what it noted, what it gives, how it is asked about that."""
    is_own = name.startswith(("assert", "_mock")) or name == "method_calls"
    return is_own or hasattr(sys.modules["unittest.mock"].Mock, name)


def asserts(function):
    """Whether it is one of the test code's that asserts something."""
    code = code_of(function)
    if code is None:
        return False
    is_asserting = any(name.startswith("assert") for name in names_used(code))
    instructions = (one for part in all_parts(code) for one in dis.get_instructions(part))
    return is_asserting or any("AssertionError" in one.argrepr or one.opname == ASSERTING for one in instructions)


def told_of(kind, name, can_send):
    """How a class is made: its own annotations, its `__init__`, or with what it is called."""
    if name == "__annotations__":
        return {key: value for key, value in vars(kind).get(name, {}).items() if can_send(value)}
    if name == "__abstractmethods__":
        return sorted(getattr(kind, name, ()))
    if name == "__init__" and is_made_by_own(kind):
        return kind.__init__
    if name in HOOKS or name in SPECIAL:
        return hook(kind, name)
    with suppress(TypeError, ValueError):
        if name == "__signature__":
            return importlib.import_module("inspect").signature(kind)
    raise AttributeError(name)


def is_made_by_own(kind):
    """Whether a class has an `__init__` of the test code's."""
    return type(kind.__init__) is types.FunctionType and kind.__init__.__module__ == "__main__"


def visible(thing, name):
    """A name that may be asked for: with two underscores, one that means nothing, of what is the test code's own."""
    is_noted = is_free(name) and kind_of(thing).__module__ == "__main__"
    if name.startswith("__") and name not in ASKED and not is_noted:
        raise AttributeError(name)
    return name
