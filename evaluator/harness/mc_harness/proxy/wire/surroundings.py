"""What belongs to a process, such as its environment: what test code makes of it holds in the candidate's box too, from
the next request on. What the candidate makes of it, `left_behind` tells."""

import functools
import importlib
import os
import sys
import types
from contextlib import suppress
from json import loads
from types import MappingProxyType

from ...decoding import decode
from ...encoding import Refused, encode
from .files import FILING, Files
from .standard import STANDARD_MODULES


def set_environment(values):
    os.environ.clear()
    os.environ.update(values)


def enter(directory):
    with suppress(OSError):
        os.makedirs(directory, exist_ok=True)
        os.chdir(directory)


def follow():
    """Note where the test code goes by `os.chdir`. What stands for a library goes by that of `posix`, so that a
    directory is there."""
    go = os.chdir
    if not hasattr(go, "place"):

        @functools.wraps(go)
        def going(path):
            go(path)
            going.place = os.getcwd()

        os.chdir, going.place = going, None


def set_arguments(values):
    sys.argv[:] = values


def imported(module):
    """What a function of a module gives, once that is imported."""
    return sys.modules.get(module)


def decimal_context():
    decimal = imported("decimal")
    if decimal is None:
        return None
    context = decimal.getcontext()
    traps = sorted(kind.__name__ for kind, is_set in context.traps.items() if is_set)
    return [context.prec, context.rounding, context.Emin, context.Emax, context.capitals, context.clamp, traps]


def set_decimal_context(values):
    decimal = importlib.import_module("decimal")
    *numbers, traps = values
    decimal.setcontext(decimal.Context(*numbers, traps=[getattr(decimal, name) for name in traps]))


def counted(module):
    """How often a module's random numbers were begun anew, since that was asked first."""
    seed = module.seed
    if not hasattr(seed, "calls"):

        @functools.wraps(seed)
        def seeding(*args, **kwargs):
            seeding.calls += 1
            return seed(*args, **kwargs)

        module.seed, seeding.calls = seeding, 0
    return module.seed.calls


def random_state():
    random = imported("random")
    return None if random is None else [counted(random), *random.getstate()]


def set_random_state(state):
    _, version, numbers, following = state
    importlib.import_module("random").setstate((version, tuple(numbers), following))


def numpy_random_state():
    numpy_random = imported("numpy.random")
    if numpy_random is None:
        return None
    name, numbers, *rest = numpy_random.get_state()
    return [counted(numpy_random), name, numbers.tolist(), *rest]


def set_numpy_random_state(state):
    importlib.import_module("numpy.random").set_state(tuple(state[1:]))


# By the names under which test code changes it: how it is read on one side, and set on the other.
PARTS = {
    "argv": (("argv",), lambda: list(sys.argv), set_arguments),
    "environ": (("environ", "putenv", "unsetenv", "patch"), lambda: dict(os.environ), set_environment),
    "chdir": (("chdir",), os.getcwd, enter),
    "recursion": (("setrecursionlimit",), sys.getrecursionlimit, sys.setrecursionlimit),
    "decimal": (("getcontext", "setcontext", "localcontext"), decimal_context, set_decimal_context),
    "random": (("seed", "setstate"), random_state, set_random_state),
    "numpy": (("seed", "set_state"), numpy_random_state, set_numpy_random_state),
}


class Surroundings:
    """Of the test code. `named` are the names that it uses."""

    def __init__(self, named):
        self.parts = {part: read for part, (names, read, _) in PARTS.items() if not named.isdisjoint(names)}
        self.last = {part: read() for part, read in self.parts.items()}
        self.first = dict(self.last)
        if "chdir" in self.parts:
            follow()
        # The test code's namespace, and of which names it sets which attributes.
        self.namespace, self.stored = {}, ()
        self.files = None if named.isdisjoint(FILING) else Files(named)

    def changes(self, given=MappingProxyType({}), function="", around=()):
        """What has changed since the last request, and what paths among the arguments `given` to a function lead to,
        and those in what is `around` it, such as what was replaced, as plain data."""
        found = {part: read() for part, read in self.parts.items()}
        changes = {part: value for part, value in found.items() if value is not None and value != self.last[part]}
        self.last.update(found)
        attributes = list(self.attributes())
        if attributes:
            changes["attributes"] = attributes
        if self.files is not None:
            beside = [*self.set_around(found), *(decode(value) for _, _, value in attributes), *around]
            changes.update(self.files.handed_over(given, function, beside))
        return {"surroundings": changes} if changes else {}

    def set_around(self, found):
        """The texts that the test code has put into the environment, and where it has gone to."""
        before = self.first.get("environ", {})
        for name, value in found.get("environ", {}).items():
            if before.get(name) != value:
                yield value
        yield from found["argv"] if found.get("argv") != self.first.get("argv") else ()
        place = found.get("chdir")
        if place != self.first.get("chdir") and place == getattr(os.chdir, "place", None):
            yield place

    def look_for(self, texts, source):
        """Files may be the candidate's whose names are among these texts of the test code's."""
        if self.files is not None:
            self.files.look_for(texts, source)

    def hear(self, message):
        """What the candidate calls functions of the test code's with may be names of files too."""
        if self.files is not None:
            self.files.heard(message)

    def may_be_missed(self, error):
        """Whether the candidate may make files where the test code looks, so that this would not be raised."""
        return self.files is not None and self.files.may_be_missed(error)

    def note(self, reply, shows):
        """Look at what the candidate says that it did. Whether the test code is not shown something of that, by what it
        `shows` of a function."""
        return self.files is not None and self.files.note(reply, shows)

    def know(self, parts):
        """These are as the candidate has them."""
        self.last.update((part, read()) for part, read in self.parts.items() if part in parts)

    def attributes(self):
        """Those of modules of the library that the test code sets somewhere, where they are plain data."""
        for name, attribute in self.stored:
            module = self.namespace.get(name)
            if type(module) is not types.ModuleType or module is sys or module.__name__ not in STANDARD_MODULES:
                continue
            with suppress(Refused, AttributeError):
                yield [module.__name__, attribute, loads(encode(getattr(module, attribute)))]


def surround(changes):
    """Do what was done on the other side."""
    for module, attribute, value in changes.pop("attributes", ()):
        setattr(importlib.import_module(module), attribute, decode(value))
    for part, value in changes.items():
        PARTS[part][2](value)
