# The life of a boxed interpreter: warm up as Worker, become a Program for every request, and from there a Test. The
# guard forks; each of its calls returns in the child.


def open_standard(descriptor, mode, name, errors):
    """A standard stream as the interpreter itself opens it, on a file that is not a terminal."""
    buffer = io.open(descriptor, mode + "b", -1, closefd=False)
    buffer.raw.name = name
    line_buffering = name == "<stderr>"
    stream = io.TextIOWrapper(buffer, "utf-8", errors, newline="\n", line_buffering=line_buffering)
    stream.mode = mode
    return stream


def renew_standard_streams():
    sys.stdin = sys.__stdin__ = open_standard(0, "r", "<stdin>", "surrogateescape")
    sys.stdout = sys.__stdout__ = open_standard(1, "w", "<stdout>", "surrogateescape")
    sys.stderr = sys.__stderr__ = open_standard(2, "w", "<stderr>", "backslashreplace")


OWN_MODULE = sys.modules["__main__"]

# What most programs do: read, compute a little, print.
REHEARSAL = b"""{"entry": "script", "name": ""}
import sys
def add(values):
    return sum(value for value in values)
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b
n = int(input())
pair = Pair(*map(int, input().split()))
words = {word: len(word) for word in sys.stdin.readline().split()}
print(n + add([pair.a, pair.b]), *sorted(words), f"{n / 3:.2f}", "%d" % n)
"""


# How deep a function gets.
DESCENT = b"""{"entry": "script", "name": ""}
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


def warm_up(modules):
    for name in modules:
        importlib.import_module(name)
    rehearse()
    # What the imports registered is for a process that starts; each of ours would pay for it at its end.
    atexit._clear()
    gc.collect()
    gc.freeze()
    # Nothing is collected before the program runs.
    gc.disable()
    os.environ.pop("LD_BIND_NOW")


def rehearse():
    """Run a small program often enough to fill what the interpreter fills on first use: every Test inherits it, where it
    would else make its own copy of each page that it fills."""
    for _ in range(16):
        os.pwrite(0, b"17\n4 5\na b c\n", 0)
        renew_standard_streams()
        release(play(read_program(REHEARSAL)))
    forget_programs()
    for descriptor in range(3):
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
    renew_standard_streams()


def forget_programs():
    NAMESPACES.clear()
    sys.modules["__main__"] = OWN_MODULE


def allow_own_frames():
    """Raise the recursion limit by what runs the program, so that it gets as deep as in a plain run."""
    usual, low = sys.getrecursionlimit(), 100
    sys.setrecursionlimit(low)
    entry = read_program(DESCENT)
    play(entry)
    # In a plain run the module takes one frame; here this function takes one as well.
    sys.setrecursionlimit(usual + low - 2 - entry.namespace["depth"])
    forget_programs()


def compile_program(source):
    """The entry of a program, and whether it may draw random numbers; or an end with the compiler's message."""
    text = os.read(source, os.fstat(source).st_size)
    control = guard.guard_control()
    try:
        entry = read_program(text)
    except BaseException as error:
        os.write(control, b"-" + compiler_message(error).encode("utf-8", "replace")[:4000])
        os._exit(1)
    os.write(control, b"+")
    return entry, b"random" in text


def read_program(text):
    header, _, source = text.partition(b"\n")
    header = json_loads(header)
    # Its warnings would go to a file that all programs of the Worker share; without a standard error they go nowhere.
    kept, sys.stderr = sys.stderr, None
    try:
        code = compile(source, "main.py", "exec", 0, True)
    finally:
        sys.stderr = kept
    return ENTRIES[header["entry"]](code, header)


def compiler_message(error):
    if isinstance(error, SyntaxError):
        place = "main.py:%s:%s: " % (error.lineno, error.offset) if error.lineno else ""
        return "%s%s: %s" % (place, type(error).__name__, error.msg)
    return "%s: %s" % (type(error).__name__, error)


def seed_random(seed):
    """Each Test its own pseudo-random numbers, the same ones in every run of that test."""
    random = sys.modules.get("random")
    if random is not None:
        random.seed(seed)
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed(seed)


def play(entry):
    """Run the program to its end; its exit status."""
    gc.enable()
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
    if isinstance(code, int):
        return code & 0xFF
    sys.stdout.flush()
    print(code, file=sys.stderr)
    return 1


def report(error):
    """The traceback of an error, without the frames above the program's own."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == "<string>":
        trace = trace.tb_next
    try:
        sys.stdout.flush()
    except BaseException:
        pass
    try:
        sys.excepthook(type(error), error.with_traceback(trace), trace)
    except BaseException:
        pass


def finish(status):
    """What the interpreter does at its end, but for taking itself apart; the exit status."""
    try:
        threading = sys.modules.get("threading")
        if threading is not None:
            threading._shutdown()
    except BaseException:
        pass
    return release(status)


def release(status):
    try:
        atexit._run_exitfuncs()
        # Files that the program left open are flushed when they go.
        for namespace in NAMESPACES:
            namespace.clear()
    except BaseException:
        pass
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            # The interpreter exits with 120 where standard output cannot be written.
            status = status or 120
    return status


allow_own_frames()
warm_up(sys.argv[1:])
source = guard.guard_serve_programs()
if source < 0:
    os._exit(0)
entry, draws = compile_program(source)
gc.freeze()
seed = guard.guard_serve_tests()
if seed < 0:
    os._exit(0)
if draws:
    seed_random(seed)
os._exit(finish(play(entry)))
