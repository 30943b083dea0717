"""Runs a program as LiveCodeBench's evaluator does: all its tests in one process, one after the other.

Programs see what they see there, in every point that can change a verdict: the imports put before them, a module in
place of a script, standard input and output that are objects of Python alone, what is taken away from `os`. What is
left out is the comparing: the supervisor does that, test by test, and nothing that is expected comes in here.
"""

import ast
import builtins
import importlib
import os
import signal
import sys
from io import StringIO
from io import open as open_descriptor
from json import dumps, loads
from numbers import Number

from mc_sandbox.script import Script

from .call import write_all
from .decoding import decode
from .encoding import Encoder, Refused, encode, type_name

CHANNEL = 3
# The longest message of the program's that is passed on.
MESSAGE = 2000

STARRED = (
    "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json "
    "builtins typing"
)
MODULES = (
    "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json"
)
HEAD = "".join(
    ["from %s import *\n" % name for name in STARRED.split()]
    + ["import %s\n" % name for name in MODULES.split()]
    + ["sys.setrecursionlimit(50000)\n"]
)
# The functions of `os` and the modules that its guard takes away.
TAKEN = (
    "chdir chmod chown chroot fchdir fchmod fchown fork forkpty getcwd kill killpg lchflags lchmod lchown putenv "
    "remove removedirs rename renames replace rmdir setuid system truncate unlink"
)
MISSING_MODULES = "ipdb joblib resource psutil tkinter"
DIGITS = 50000
WRAPPER = "wrapped_function"
IMPORTS = (ast.Import, ast.ImportFrom)

# Every program imports them: loaded before the first, they cost the others nothing.
for name in STARRED.split():
    importlib.import_module(name)


class OutOfTimeError(Exception):
    """A test took longer than it may. Programs can except it, and go on."""


class Graded(Script):
    """A program and its tests: `name` is what they call, or empty where they are texts."""

    module_name = "tmp_sol"

    def __init__(self, source, name):
        source = source.decode()
        self.name = name.rpartition(".")[2]
        self.text = HEAD + "\n\n" + source if name else wrapped(source)
        super().__init__(self.text.encode())
        # There it is in no file, and in no list of modules.
        del self.namespace["__file__"]
        sys.modules.pop(self.module_name)

    def run(self):
        confine()
        channel = open_descriptor(CHANNEL, "rb", closefd=False)
        limit = Limit(**loads(channel.readline()))
        try:
            with limit:
                method = self.method()
        except Exception as error:
            tell({"failed": described(error)})
            return
        tell({"ready": True})
        test = called if self.name else fed
        for request in channel:
            tell(graded(test, method, loads(request), limit))

    def method(self):
        exec(self.code, self.namespace)
        name = self.name or WRAPPER
        # The text alone tells whether it is a method that is called.
        if "class Solution" in self.text:
            return getattr(self.namespace["Solution"](), name)
        return self.namespace[name]


class Limit:
    """A limit on the CPU time of what is done under it, and on the bytes of what that prints."""

    def __init__(self, seconds, bytes):
        self.seconds, self.bytes = seconds, bytes
        signal.signal(signal.SIGPROF, out_of_time)

    def __enter__(self):
        signal.setitimer(signal.ITIMER_PROF, self.seconds)

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_PROF, 0)


def out_of_time(*_):
    # Its handler says so where the program prints. One that excepts the error gives another output for it.
    print("timeout occured: alarm went off")
    raise OutOfTimeError


def confine():
    os.environ["OMP_NUM_THREADS"] = "1"
    for name in TAKEN.split():
        setattr(os, name, None)
    for name in MISSING_MODULES.split():
        sys.modules[name] = None
    builtins.quit = builtins.help = None
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(DIGITS)


def tell(message):
    write_all(CHANNEL, (message if isinstance(message, str) else dumps(message)).encode() + b"\n")


def described(error):
    try:
        return repr(error)[:MESSAGE]
    except Exception:
        return type_name(error)


def graded(test, method, given, limit):
    """What a test came to, as a message."""
    try:
        return test(method, given, limit)
    except Refused as refusal:
        return {"refused": str(refusal)}
    except Exception as error:
        # So it is told there: by name, that of an error within another too.
        kind = "late" if OutOfTimeError.__name__ in described(error) else "raised"
        return {kind: described(error)}


def called(method, given, limit):
    arguments = decode(given["arguments"])
    with limit:
        value = method(*arguments)
    return '{"value":%s}' % encode(value, AsJson())


def fed(method, given, limit):
    captured = StringIO()
    # Closing it takes an argument that nobody gives.
    captured.close = lambda _: 1
    before = sys.stdin, sys.stdout
    lend_readers(sys.stdin, given["input"])
    sys.stdin, sys.stdout = Stdin(given["input"]), captured
    try:
        with limit:
            method()
    except SystemExit:
        pass
    finally:
        sys.stdin, sys.stdout = before
    # More than that is not expected anywhere, so what is cut off makes no difference.
    text = captured.getvalue().encode("utf-8", "backslashreplace")[: limit.bytes]
    return '{"output":%s}' % dumps(text.decode("utf-8", "ignore"), ensure_ascii=False)


class AsJson(Encoder):
    """Lets pass what can be equal to a value that JSON text gives. An expected value is never anything else."""

    def other(self, value, kind, depth):
        numpy = sys.modules.get("numpy")
        if any(plain in kind.__mro__ for plain in (dict, list, tuple, str, int, float)):
            return super().other(value, kind, depth)
        if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
            return super().other(value, kind, depth)
        if isinstance(value, Number):
            for plain in (int, float):
                if kind is not complex and plain(value) == value:
                    return self.encode(plain(value), depth)
            if kind is complex and value.imag == 0:
                return self.encode(value.real, depth)
        raise Refused("an object of type %s is equal to nothing that JSON has" % type_name(value))


def lend_readers(stdin, text):
    """What a program has that took `sys.stdin` by name before its test began: lines without their ends."""
    lines = iter(text.split("\n"))
    stdin.read = lambda *_: text
    stdin.readline = lambda *_: next(lines)
    stdin.readlines = lambda *_: text.split("\n")


class Stdin:
    """Standard input as a text, which `read` and `readlines` give whole each time."""

    def __init__(self, text):
        self.text = text
        self.rest = StringIO(text)
        self.buffer = Buffer(text)

    def read(self, *_):
        return self.text

    def readlines(self, *_):
        return self.text.split("\n")

    def __getattr__(self, name):
        return getattr(self.rest, name)


class Buffer:
    """Its bytes, whole; of its lines the first each time."""

    def __init__(self, text):
        self.text = text.encode()

    def read(self, *_):
        return self.text

    def readline(self, *_):
        return self.text.split(b"\n")[0] + b"\n"


def wrapped(source):
    """The source of a module that holds a script as a function, its imports above it.

    What cannot be taken apart and put together again stays as it is, and lacks that function.
    """
    try:
        body = ast.parse(without_guard(source)).body
        imports = [one for one in body if isinstance(one, IMPORTS)]
        function = ast.parse("def %s(): pass" % WRAPPER).body[0]
        function.body = [one for one in body if not isinstance(one, IMPORTS)]
        return "%s\n%s\n%s" % (HEAD, ast.unparse(imports), ast.unparse(function))
    except Exception:
        return source


def without_guard(source):
    """A script without the `if __name__ == '__main__':` around its last statements."""
    try:
        *before, last = ast.parse(source).body
        if isinstance(last, ast.If) and ast.unparse(last.test).strip() == "__name__ == '__main__'":
            return ast.unparse(before) + "\n" + ast.unparse(last.body)
    except Exception:
        pass
    return source
