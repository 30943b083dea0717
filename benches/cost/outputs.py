"""What does a large output cost that is made to be dear to compare?

    python3 benches/cost/outputs.py target/release/mc-eval --megabytes 32 63

Compares outputs of many shapes under each profile, with a small expected output and with one of their own size, and
prints what the dearest of these took: the CPU seconds, and the peak of memory beyond that of comparing nothing, as a
multiple of both texts' size. Standard library alone.
"""

import argparse
import os
import pathlib
import random
import sys
import tempfile

PROFILES = ("standard", "lcb", "exact", "paper")
# With what else the comparison is called, beside its profile.
LOOSE = ["--any-order", "--ignore-case", "--float-abs", "1e-6"]


def lines(make):
    """A text of so many bytes, of what `make` gives for each number."""

    def text(size):
        parts, length, number = [], 0, 0
        while length < size:
            part = make(number)
            parts.append(part)
            length += len(part)
            number += 1
        return "".join(parts)[:size]

    return text


def repeated(unit):
    return lambda size: (unit * (size // len(unit) + 1))[:size]


def shuffled(make):
    def text(size):
        rows = lines(make)(size).splitlines()
        random.Random(1).shuffle(rows)
        return "\n".join(rows)

    return text


def enclosed(before, unit, after):
    """A literal: as many units as fit."""
    return lambda size: before + unit * ((size - len(before) - len(after)) // len(unit)) + "0" + after


SHAPES = {
    "one line": repeated("a"),
    "two-byte rows": repeated("1\n"),
    "numbers on one line": repeated("7 "),
    "spaces": repeated(" "),
    "blank lines": repeated("\n"),
    "words of one letter": repeated("a "),
    "reals": lines(lambda n: f"{n * 0.37:.6f}\n"),
    "reals on one line": lines(lambda n: f"{n * 0.37:.6f} "),
    "letter case": repeated("YES\nNo\n"),
    "unsorted rows": shuffled(lambda n: f"{n} {n * 7919 % 1000003}\n"),
    "unsorted reals": shuffled(lambda n: f"{n * 0.37:.5f}\n"),
    "a list": enclosed("[", "1,", "]"),
    "a list of lists": enclosed("[", "[],", "]"),
    "a list of reals": enclosed("[", "0.5,", "]"),
    "a tuple": enclosed("(", "1,", ")"),
    "a set": lambda size: "{" + lines(lambda n: f"{n},")(size - 3) + "0}",
    "a dict": lambda size: "{" + lines(lambda n: f'"{n}":{n},')(size - 20).rpartition(",")[0] + "}",
    "texts in a list": enclosed("[", '"a",', "]"),
    "rows of lists": repeated("[1,[2],3]\n"),
    "brackets": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "quotes": repeated("'"),
    "digits": repeated("9"),
}


def measured(binary, expected, actual, arguments):
    """CPU seconds and the peak of memory in bytes."""
    with tempfile.TemporaryFile() as words:
        pid = os.fork()
        if pid == 0:
            os.dup2(words.fileno(), 1)
            os.dup2(words.fileno(), 2)
            os.execv(binary, [binary, "compare", expected, actual, *arguments])
        _, status, usage = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 10):
        sys.exit(f"{arguments} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[32, 63])
    parser.add_argument("--shape", choices=SHAPES, action="append")
    parser.add_argument("--expected", choices=("small", "large"), action="append")
    given = parser.parse_args()
    binary = str(given.binary.resolve())
    print("| output | MB | expected | profile | CPU s | memory |\n| --- | ---: | --- | --- | ---: | ---: |")
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "small").write_text("1\n2\n3\n")
        small = str(folder / "small")
        base = measured(binary, small, small, [])[1]
        for megabytes in given.megabytes:
            for shape in given.shape or SHAPES:
                lay_out(folder, SHAPES[shape](megabytes << 20))
                for name in given.expected or ("small", "large"):
                    print(f"| {shape} | {megabytes} | {name} | {dearest(binary, folder, name, base)} |", flush=True)


def lay_out(folder, text):
    """An output and an expected one of its size, which differs at its end alone, so that all of it is looked at."""
    (folder / "actual").write_text(text)
    (folder / "large").write_text(text[:-1] + ("1" if text[-1] != "1" else "2"))


def dearest(binary, folder, name, base):
    """Of all ways to compare the output with an expected one, the most of each that one takes."""
    expected, actual = str(folder / name), str(folder / "actual")
    texts = os.path.getsize(expected) + os.path.getsize(actual)
    ways = [["--profile", profile] for profile in PROFILES] + [LOOSE]
    found = [measured(binary, expected, actual, way) for way in ways]
    seconds, way = max((seconds, way) for (seconds, _), way in zip(found, ways))
    memory = max(peak - base for _, peak in found) / texts
    return f"{'standard, loosely' if way is LOOSE else way[1]} | {seconds:.2f} | {memory:.1f}x"


if __name__ == "__main__":
    main()
