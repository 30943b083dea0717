"""What belongs to a process, such as its environment: what test code makes of it holds in the candidate's box too, from
the next request on. What the candidate makes of it stays there."""

import functools
import importlib
import os
import sys
import types
from contextlib import suppress
from json import loads

from mc_sandbox.script import PLACE

from ..decoding import decode
from ..encoding import Refused, encode
from .channel import parts_of

# What test code names that may write a file; where it may write; and how much of that may cross.
FILING = frozenset(("open", "os", "pathlib", "Path", "shutil", "tempfile"))
SCRATCH = "/tmp/"
MOST_FILES, MOST_BYTES = 256, 16 << 20
# How many texts among the arguments of a call are looked at as paths, and how long a path may be.
MOST_PATHS, LONGEST_PATH = 64, 1000


def set_environment(values):
    os.environ.clear()
    os.environ.update(values)


def enter(directory):
    with suppress(OSError):
        os.makedirs(directory, exist_ok=True)
        os.chdir(directory)


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
        # The test code's namespace, and of which names it sets which attributes.
        self.namespace, self.stored = {}, ()
        self.files = None if named.isdisjoint(FILING) else Files()

    def changes(self, given=()):
        """What has changed since the last request, and what paths among `given` lead to, as plain data."""
        found = {part: read() for part, read in self.parts.items()}
        changes = {part: value for part, value in found.items() if value is not None and value != self.last[part]}
        self.last.update(found)
        attributes = list(self.attributes())
        if attributes:
            changes["attributes"] = attributes
        files = self.files.handed_over(given) if self.files is not None else ()
        if files:
            changes["files"] = files
        return {"surroundings": changes} if changes else {}

    def note(self, reply):
        """Look at what the candidate says."""
        if self.files is not None:
            self.files.note(reply)

    def attributes(self):
        """Those of modules of the library that the test code sets somewhere, where they are plain data."""
        for name, attribute in self.stored:
            module = self.namespace.get(name)
            if type(module) is not types.ModuleType or module is sys or module.__name__ not in sys.stdlib_module_names:
                continue
            with suppress(Refused, AttributeError):
                yield [module.__name__, attribute, loads(encode(getattr(module, attribute)))]


def surround(changes):
    """Do what was done on the other side."""
    for module, attribute, value in changes.pop("attributes", ()):
        setattr(importlib.import_module(module), attribute, decode(value))
    for path, content in changes.pop("files", ()):
        lay_out(path, content)
    for part, value in changes.items():
        PARTS[part][2](value)


class TooMuchError(Exception):
    """What test code hands over is more than can cross."""


class Files:
    """Files of the test code, as far as it hands their paths to the candidate."""

    def __init__(self):
        # What the candidate has of them: when each was changed last, and its size.
        self.known = {}
        # What the candidate may have named: a path that it gave out itself would lead it to what it was not handed.
        self.named = set()

    def note(self, reply):
        """Remember the names of files that may stand in a reply."""
        for part in parts_of(reply):
            if isinstance(part, str):
                self.named.update(part.split("/"))

    def handed_over(self, given):
        """What the candidate has yet to learn of files to which the texts among some values lead: each by its path with
        what is in it, None where that is a directory, and False where it is no more."""
        changed = []
        for path in dict.fromkeys(paths_in(given)):
            for found in files_under(path):
                if found not in self.known and self.is_withheld(found):
                    continue
                seen = os.stat(found)
                state = os.path.isdir(found) or (seen.st_mtime_ns, seen.st_size)
                if self.known.get(found) != state:
                    self.known[found] = state
                    changed.append(found)
        gone = [path for path in self.known if not os.path.lexists(path)]
        for path in gone:
            del self.known[path]
        sizes = [os.path.getsize(path) for path in changed]
        if len(changed) > MOST_FILES or sum(sizes) > MOST_BYTES:
            raise TooMuchError
        return [[path, content_of(path)] for path in changed] + [[path, False] for path in gone]

    def is_withheld(self, path):
        """Whether a file is the test code itself, or one that the candidate has named."""
        return path == PLACE or not self.named.isdisjoint(path[len(SCRATCH) :].split("/"))


def paths_in(values):
    """The paths of files among texts, and what lists and dictionaries hold of them."""
    looked_at = 0
    pending = list(values)
    while pending and looked_at < MOST_PATHS:
        value = pending.pop(0)
        looked_at += 1
        if isinstance(value, (list, tuple)):
            pending.extend(value[:MOST_PATHS])
        elif isinstance(value, dict):
            pending.extend(list(value.values())[:MOST_PATHS])
        elif isinstance(value, (str, os.PathLike)) and 0 < len(str(value)) <= LONGEST_PATH:
            with suppress(OSError, ValueError):
                yield from real(str(value))


def real(path):
    """A path that leads to something in the scratch directory."""
    found = os.path.realpath(path)
    if os.path.exists(found) and found.startswith(SCRATCH):
        yield found


def files_under(path):
    """A path, and all below it that is a file or a directory."""
    yield path
    if os.path.isdir(path):
        for directory, folders, files in os.walk(path):
            for name in (*folders, *files):
                found = os.path.join(directory, name)
                if not os.path.islink(found):
                    yield found


def content_of(path):
    if os.path.isdir(path):
        return None
    with open(path, "rb") as file:
        return file.read().hex()


def lay_out(path, content):
    """Make a file or a directory, or remove it."""
    with suppress(OSError):
        if content is False:
            os.rmdir(path) if os.path.isdir(path) else os.remove(path)
        elif content is None:
            os.makedirs(path, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(bytes.fromhex(content))
