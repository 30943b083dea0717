"""The life of a boxed interpreter: it warms up as Worker, becomes a Program for every request, and from there a Test.

The guard forks; each of its calls returns in the child.
"""

import atexit
import gc
import importlib
import io
import os
import sys

from . import heap, library, script

# The descriptors that a test is given; until then there are empty files in their place.
STANDARD = range(5)
# The one of them that no rehearsal looks at.
ASIDE = 2

OWN_MODULE = sys.modules["__main__"]

# How deep a function gets.
DESCENT = b"""
def deeper():
    global depth
    depth += 1
    deeper()
depth = 0
try:
    deeper()
except RecursionError:
    pass
"""

# How often each program is rehearsed.
REHEARSALS = 16

# What stands in a program whose objects may have something left to do when they go; and in one that gives them that
# itself.
LINGERING = (b"open", b"finally", b"with", b"weakref", b"exec")
FINALIZING = b"__del__"

# The longest message of a compiler that the supervisor is told.
MESSAGE = 4000


def main(guard, harness, imports):
    allow_own_frames()
    warm_up(harness, imports)
    serve_programs, control, serve_tests = guard.guard_serve_programs, guard.guard_control, guard.guard_serve_tests
    source = serve_programs()
    if source < 0:
        os._exit(0)
    text = content(source)
    entry = prepare(harness, text, control())
    draws, left = b"random" in text, left_by(text)
    gc.freeze()
    seed = serve_tests()
    if seed < 0:
        os._exit(0)
    if draws:
        seed_random(seed)
    status = play(entry)
    os._exit(finish(entry, status, left))


def allow_own_frames():
    """Raise the recursion limit by what runs the program, so that it gets as deep as in a plain run."""
    usual, low = sys.getrecursionlimit(), 100
    sys.setrecursionlimit(low)
    entry = script.prepare(DESCENT)
    play(entry)
    # In a plain run the module takes one frame; here this function takes one as well.
    sys.setrecursionlimit(usual + low - 2 - entry.namespace["depth"])
    forget(entry)


def warm_up(harness, imports):
    """Do once what each fork would have to do."""
    for name in imports:
        importlib.import_module(name)
    with script.compiling_once():
        rehearse(script, [(library.uses(imports), {})])
        rehearse(harness, harness.REHEARSALS)
    # As often as all else.
    for _ in range(REHEARSALS):
        script.compile_source(b"")
    # What the imports registered is for a process that starts; each of ours would pay for it at its end.
    atexit._clear()
    # It was for this interpreter's own start.
    os.environ.pop("LD_BIND_NOW")
    gc.collect()
    heap.fill_holes()
    gc.freeze()
    # Nothing is collected before the program runs.
    gc.disable()


def rehearse(harness, programs):
    """Run small programs often enough to fill what the interpreter fills on first use: every Test inherits it, where
    it would otherwise make its own copy of each page that it fills."""
    # What importing left behind goes first, so that the heap has no holes that every fork would fill on its own.
    gc.collect()
    gc.freeze()
    limit = sys.getrecursionlimit()
    for text, inputs in programs * REHEARSALS:
        for descriptor, given in inputs.items():
            os.pwrite(descriptor, given, 0)
        renew_standard_streams()
        os.pwrite(ASIDE, text, 0)
        text = content(ASIDE)
        entry = prepare(harness, text, ASIDE)
        left_by(text)
        let_go(entry, play(entry), None)
        forget(entry)
        # A harness may give one kind of program more; the others must not inherit that.
        sys.setrecursionlimit(limit)
        empty(STANDARD)
    renew_standard_streams()


def empty(descriptors):
    for descriptor in descriptors:
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)


def forget(entry):
    entry.close()
    sys.modules["__main__"] = OWN_MODULE


def renew_standard_streams():
    sys.stdin = sys.__stdin__ = open_standard(0, "r", "<stdin>", "surrogateescape")
    sys.stdout = sys.__stdout__ = open_standard(1, "w", "<stdout>", "surrogateescape")
    sys.stderr = sys.__stderr__ = open_standard(2, "w", "<stderr>", "backslashreplace")


def open_standard(descriptor, mode, name, errors):
    """A standard stream as the interpreter itself opens it, on a file that is not a terminal."""
    buffer = io.open(descriptor, mode + "b", -1, closefd=False)
    buffer.raw.name = name
    line_buffering = name == "<stderr>"
    stream = io.TextIOWrapper(buffer, "utf-8", errors, newline="\n", line_buffering=line_buffering)
    stream.mode = mode
    return stream


def content(file):
    return os.pread(file, os.lseek(file, 0, os.SEEK_END), 0)


def prepare(harness, text, control):
    """The entry of a program; or an end with the compiler's message."""
    try:
        entry = harness.prepare(text)
    except BaseException as error:
        os.write(control, b"-" + compiler_message(error).encode("utf-8", "replace")[:MESSAGE])
        os._exit(1)
    os.write(control, b"+")
    return entry


def left_by(text):
    """What a program may leave that has something left to do: "objects", or ones with "finalizers" of its own."""
    if FINALIZING in text:
        return "finalizers"
    for word in LINGERING:
        if word in text:
            return "objects"
    return None


def compiler_message(error):
    if isinstance(error, SyntaxError):
        place = "%s:%s:%s: " % (script.FILE_NAME, error.lineno, error.offset) if error.lineno else ""
        return "%s%s: %s" % (place, type(error).__name__, error.msg)
    return "%s: %s" % (type(error).__name__, error)


def seed_random(seed):
    """Each test has pseudo-random numbers of its own, the same in every run."""
    random = sys.modules.get("random")
    if random is not None:
        random.seed(seed)
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed(seed)


def play(entry):
    """Run the program to its end; its exit status."""
    gc.enable()
    entry.lay_out()
    try:
        entry.run()
    except SystemExit as leaving:
        return exit_status(leaving.code)
    except BaseException as error:
        report(error)
        return 1
    return 0


def exit_status(code):
    if code is None:
        return 0
    if issubclass(type(code), int):
        # What is no C `long` is -1, and what a class of its own says of it is not asked.
        code = int.__add__(code, 0)
        return code & 0xFF if -(1 << 63) <= code < 1 << 63 else 0xFF
    flush("stdout", 0)
    print(code, file=sys.stderr)
    return 1


def report(error):
    """Print the traceback of an error, without the frames above the program's own."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith("<mc_"):
        trace = trace.tb_next
    flush("stdout", 0)
    try:
        sys.excepthook(type(error), error.with_traceback(trace), trace)
    except BaseException:
        pass


def finish(entry, status, left):
    """What the interpreter does at its end (`Py_FinalizeEx`), in its order: threads, exit handlers, standard streams,
    modules with what the program `left`, and the streams that it began with. The exit status."""
    try:
        threading = sys.modules.get("threading")
        if threading is not None:
            threading._shutdown()
        atexit._run_exitfuncs()
    except BaseException:
        pass
    return let_go(entry, status, left)


def let_go(entry, status, left):
    """The part of that which comes after the exit handlers."""
    for name in ("stdout", "stderr"):
        status = flush(name, status)
    try:
        clear(entry, left)
    except BaseException:
        pass
    # They are flushed as objects that go, whose errors change no status: a program may have detached them.
    for name in ("__stdout__", "__stderr__"):
        flush(name, status)
    return status


class Keeper:
    """Finds out what a module holds once nothing else does."""

    kept = None

    def __init__(self, namespace):
        self.namespace, self.own = namespace, self

    def __del__(self):
        Keeper.kept = self.namespace


def clear(entry, left):
    """Let go of the program's objects, so that files that it left open are flushed. Finalizers run while the names that
    they use are still there; few programs have any, and looking for them costs a fifth of a short test."""
    if left == "finalizers":
        namespace = finalized(entry)
    else:
        namespace = entry.namespace
        entry.close()
        if left:
            gc.collect()
    # The newest names go first: what a finalizer uses is older than its object.
    while namespace:
        namespace.popitem()


def finalized(entry):
    """The names of a program, all finalizers of whose objects have run, in cycles too: they still found those names.
    As in CPython, which collects a module that nothing else holds as a whole."""
    # The module was made before the fork. As in CPython a first look at all that is left sets the order.
    gc.unfreeze()
    gc.collect()
    Keeper(entry.namespace)
    entry.close()
    gc.collect()
    return Keeper.kept


def flush(name, status):
    """Flush a standard stream, unless the program closed it or took it away. Where that fails the interpreter exits
    with 120."""
    stream = getattr(sys, name, None)
    try:
        if stream is not None and not getattr(stream, "closed", False):
            stream.flush()
    except BaseException:
        return 120
    return status
