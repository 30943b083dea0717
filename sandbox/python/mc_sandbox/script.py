"""A program as a script, `__name__ == "__main__"`: the plainest harness, and what every other builds on.

A harness is a module with `prepare(text)` and `REHEARSALS`. `prepare` compiles a program and gives its entry, an object
with `run()` and `close()`; what it raises is the compiler's message. `REHEARSALS` are such texts, each with what its
program finds on which descriptor.
"""

import builtins
import contextlib
import sys
import types

FILE_NAME = "main.py"
PLACE = "/tmp/" + FILE_NAME
# What stands in a program that may open its own file.
NAMES = (b"__file__", b"argv")

# What most programs do: read, compute a little, print.
USUAL = b"""
import sys
def add(values):
    return sum(value for value in values)
def depth(n):
    return 0 if n <= 0 else 1 + depth(n - 1)
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b
    def __lt__(self, other):
        return (self.a, self.b) < (other.a, other.b)
n = int(input())
pair = Pair(*map(int, input().split()))
words = {word: len(word) for word in sys.stdin.readline().split()}
rows = [list(map(int, sys.stdin.readline().strip().split())) for _ in range(2)]
table = [[0] * 4 for _ in range(3)]
seen, counts, out = set(), {}, []
for i, row in enumerate(rows):
    for value in row:
        seen.add((i, value))
        counts[value] = counts.get(value, 0) + 1
        table[i][value % 4] |= 1 << value % 8
for key, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
    out.append(str(key * count))
least, most = min(seen), max(rows[0] + rows[1])
i = len(out) - 1
while i > 0 and out[i] != "0":
    i -= 1
try:
    best = out.index("-1")
except ValueError:
    best = -1
print(n + add([pair.a, pair.b]), *sorted(words), f"{n / 3:.2f}", "%d" % n)
print(" ".join(out), sorted([Pair(2, 1), pair])[0].a, depth(5), best, least, most % (10**9 + 7))
print("YES" if any(row[::-1] == row for row in table) else "NO", end="\\n")
sys.stdout.write("\\n".join(str(a * b) for a, b in zip(*rows)) + "\\n")
rest = sys.stdin.read().split()
"""
USUAL_INPUT = {0: b"17\n4 5\na b c\n3 1 2\n2 4 3\n7 8\n"}
REHEARSALS = [(USUAL, USUAL_INPUT)]


class SourceLoader:
    """Lets `inspect` and `traceback` show a program's source, which lies in no file."""

    def __init__(self, source):
        self.source = source

    def get_source(self, name):
        return self.source.decode("utf-8", "replace")


def compile_source(source):
    # Warnings would go to a file that all programs of this interpreter share; without a standard error they go nowhere.
    kept, sys.stderr = sys.stderr, None
    try:
        return compile(source, FILE_NAME, "exec", 0, True)
    finally:
        sys.stderr = kept


@contextlib.contextmanager
def compiling_once():
    """For rehearsals, in which the same few programs are compiled again and again: that fills nothing more, and takes
    most of the time."""
    global compile_source
    usual, codes = compile_source, {}

    def compile_once(source):
        if source not in codes:
            codes[source] = usual(source)
        return codes[source]

    compile_source = compile_once
    try:
        yield
    finally:
        compile_source = usual


class Script:
    """A compiled program in a module of its own. It is made before the fork, and run after it, once."""

    module_name = "__main__"

    def __init__(self, source):
        self.code = compile_source(source)
        self.file = source if any(name in source for name in NAMES) else None
        module = types.ModuleType(self.module_name)
        self.namespace = module.__dict__
        self.namespace["__file__"] = PLACE
        self.namespace["__builtins__"] = builtins
        self.namespace["__loader__"] = SourceLoader(source)
        sys.modules[self.module_name] = module
        sys.argv[:] = [FILE_NAME]

    def lay_out(self):
        """Leave its source where `__file__` says that it is, if it may look there. Its box is not used again then, and
        few programs do; where there is no scratch directory, there is no such file."""
        if self.file is not None:
            with contextlib.suppress(OSError), open(PLACE, "wb") as file:
                file.write(self.file)

    def run(self):
        exec(self.code, self.namespace)

    def close(self):
        """Let go of the module."""
        sys.modules.pop(self.module_name, None)
        self.namespace = None


def prepare(text):
    return Script(text)
