"""Records what the checkers of testlib, Kattis and DMOJ themselves say of pairs of outputs, for the test beside this file.

    python3 record.py FOLDER DMOJ > fixtures/checkers/recorded.jsonl

FOLDER holds testlib's checkers, compiled, each under its name, and as `kattis` the default validator of problemtools.
DMOJ is the folder `dmoj/checkers` of DMOJ's judge, with its `_checker` built. The pairs are the same in every run. A
character of a recorded text stands for the byte of its number.
"""

import importlib
import json
import random
import subprocess
import sys
import tempfile
import types
from pathlib import Path

MOST_PAIRS = 140
MOST_WITH_FLAGS = 60  # for each set of flags

INTEGERS = [
    "0", "-0", "00", "01", "-01", "+1", "1", "-1", "2", "2147483647", "2147483648", "-2147483648", "-2147483649",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "10000000000000000000", "99999999999999999999", "100000000000000000000", "-" + "9" * 70, "7" * 64, "7" * 65,
    "1e3", "1.0", "0x10", "1_000", "--1", "-", "+", "1-", "1,2", "nan", "inf", "abc", "1\0", "\0", "1\v2", "\xff",
]  # fmt: skip

REALS = [
    "0", "-0", "0.0", "00.5", "+0.5", "0.5", "-0.5", ".5", "5.", "5e-1", "5E-1", "0.5e", "0.5e+", "0.5e-", "0.5e0",
    ".e5", ".", "e", "1e5", "e5", "+.5", "--0.5", "-+0.5", "0.5-", "0.5+", "0.5.", "0..5", "0,5", "0x1p-1", "0.5f",
    "nan", "NaN", "-nan", "inf", "-inf", "Infinity", "1e300", "1.1e300", "1e301", "-1e301", "1e400", "-1e400",
    "1e-400", "1e99999999999", "0.5\0", "5" * 70, "0." + "3" * 80, "abc", "1e5e5", "1e5.5", "0.5e--1", "\xff",
]  # fmt: skip

WORDS = [
    "YES", "yes", "Yes", "yEs", "NO", "no", "nO", "Y", "N", "YESNO", "true", "0", "1", "YES.", "y\0s", "YES\0", "\xff",
    "Case", "case", "a" * 64, "a" * 65, "a" * 40 + "b" * 40, "a\vb", "a\fb", "a\x85b", "a\xa0b", "\v", "\x00", "-",
]  # fmt: skip


def layouts(text):
    """The text, laid out in other ways, and with something added or lost."""
    tokens = text.split(" ") if " " in text and "\n" not in text else text.split()
    yield from (text, text.strip(), text + "\n", text + "\n\n \t\n", "\n" + text, "  " + text, "\t" + text + "\t")
    yield from (text.replace("\n", "\r\n"), text.replace("\n", "\r"), text.replace("\n", "\r\r\n"), text + "\r")
    yield from (text.replace(" ", "  "), text.replace(" ", "\t"), text.replace(" ", "\v"), text.replace(" ", " \n"))
    yield from (" ".join(tokens), "\n".join(tokens), "\n".join(tokens) + "\n", "".join(tokens))
    yield from (" ".join(tokens[:-1]), " ".join(tokens[1:]), " ".join(tokens[::-1]), " ".join(tokens + tokens[-1:]))
    yield from ("\n".join(tokens[1:] + tokens[:1]), "\n".join(sorted(tokens)), text + "junk", text + "\njunk\n")
    yield from (text + " 0", text + "\v", text + "\f\n", text + "\0", "\0" + text, "\xef\xbb\xbf" + text)
    yield from ("\xef\xbb" + text, "\xef\xbb\xbf\xef\xbb\xbf" + text, text + "\x1a", text + "\x04", text + "\xff")
    letters = text.encode("latin-1")  # Of bytes, only ASCII's letters have two cases.
    for other in (letters.upper(), letters.lower(), letters.swapcase(), letters.title()):
        yield other.decode("latin-1")
    yield from ("", " ", "\n", "\r\n", "\r", "\n\n")


def of_words(words):
    texts = ["one\n", "one two three\nfour five\n", "a\n\nb\n", "\n", "", " x  y \n z", " ".join(map(str, range(15)))]
    for text in [*texts, *(word + "\n" for word in words)]:
        yield from ((text, other) for other in layouts(text))
    yield from ((a, b) for a in words for b in words)


def of_numbers(numbers, plain):
    """Single numbers, good and bad on either side, and sequences."""
    good = [number for number in numbers if number.lstrip("-").isdigit()]
    yield from ((a, b) for a in numbers for b in (a, plain))
    yield from ((a, b) for a in good for b in good)
    yield from ((plain, b) for b in numbers)
    yield from ((f"{plain} {plain}", f"{plain} {b}") for b in numbers)
    yield from ((f"{plain} {b}", f"{plain}\n{plain}") for b in good)
    for text in [f"{plain}\n", "-7", "1 2 3\n4 5 6\n", "3 1 2 2\n", "", "1 -1 " * 8, "1 1 1 1 2 2 1 1 1 1 1 1 2"]:
        yield from ((text, other) for other in layouts(text))
    yield from ((other, f"{plain}\n") for other in layouts(f"{plain}\n"))


def of_reals(numbers):
    bases = [0.0, 1.0, -1.0, 0.5, 123.456, -99999.5, 1e-7, 1e10, 3e299, 2.0 / 3.0]
    for base in bases:
        for error in (1e-4, 1e-6, 1.5e-6, 1.5e-5, 1e-9):
            for share in (0.5, 0.999, 0.99999999, 1.0, 1.00000001, 1.001, 2.0, -1.0, -1.001, -0.999):
                yield f"{base!r}", f"{base + share * error!r}"
                yield f"{base!r}", f"{base * (1 + share * error)!r}"
    yield from of_numbers(numbers, "0.5")


def of_answers():
    words = ["YES", "yes", "No", "NO"]
    yield from ((a, b) for a in [*words, "maybe"] for b in WORDS)
    yield from ((a, b) for a in WORDS for b in words)
    for text in ["YES\n", "no\n", "YES NO yes No\n", "", "yes\nyes\nmaybe\n", "NO " * 12 + "YES"]:
        yield from ((text, other) for other in layouts(text))
        yield from ((other, text) for other in layouts(text))
    yield from (("NO " * place + "YES", "NO " * (place + 1)) for place in range(1, 25))


def of_cases(items):
    one, long = "Case 1: 5\nCase 2: -7\nCase 3: 0\n", "Case 1: 1 2 3 4 5 6 7 8\nCase 2: 9\n"
    texts = [one, long, "Case 1:\nCase 2: 3 4\n", "Case 1: 5\nCase 3: 6\n", "", "case 1: 5", "Case 1: 5 Case", "Case"]
    for text in [one, long, "Case 1: 5\n"]:
        yield from ((text, other) for other in [*layouts(text), *texts])
    yield from ((a, b) for a in texts for b in texts)
    yield from ((other, one) for other in layouts(one))
    yield from (("Case 1: " + "8 " * length, "Case 1: " + "8 " * 40) for length in (3, 5, 6, 39, 40))
    for item in items:
        yield from ((one, f"Case 1: 5\nCase 2: {item}\nCase 3: 0\n"), (long, long.replace("8", item)))
        yield from ((f"Case 1: {item}\n", f"Case 1: {item}\n"), ("Case 1: 5\n", f"Case 1: {item}\n"))
    for a in (0, 7, -7):
        yield from ((one, one.replace(b, str(a))) for b in ("5", "-7", " 0"))
        yield from ((f"Case 1: {a}\n", f"Case 1: {b}\n") for b in range(-8, 8))
    starts = ["".join(one.splitlines(True)[:lines]) for lines in range(4)]
    yield from ((one, start + extra) for start in starts for extra in ("", "Case", "Case 4: 1"))


KATTIS_FLAGS = [
    [], [], ["case_sensitive"], ["space_change_sensitive"], ["case_sensitive", "space_change_sensitive"],
    ["float_tolerance", "1e-6"], ["float_absolute_tolerance", "0.01"], ["float_relative_tolerance", "1e-4"],
    ["float_absolute_tolerance", "1e-9", "float_relative_tolerance", "1e-3"], ["case_sensitive", "float_tolerance", "0"],
    ["space_change_sensitive", "float_tolerance", "1e-6"], ["float_tolerance", "-1"], ["float_tolerance"], ["other"],
]  # fmt: skip

C_REALS = ["0x1p-1", "0X.8", "0x", "0x1p", "0x1.8p+1", "infinity", "nan(1)", "1d5", "1e", "1f", "+", "1e+", "0x1g", "1,5"]


def of_kattis():
    yield from of_words(WORDS)
    yield from of_reals(REALS + C_REALS)
    yield from ((a, b) for a in C_REALS for b in ["0.5", "1", *C_REALS])
    yield from (("0.5 Yes", f"0.5{space}Yes") for space in ["  ", "\t", "\n", "\v", "\f", "\r\n", "\0", "\x85", "\xa0"])


def of_lines():
    yield from of_words(WORDS)
    for text in ["1 2\n3 4\n", "3 4\n1 2\n", "a\r\nb\r\n", "b a\nd c", "x\n\n\ny\n", "x\x0by\nz", " x \ny"]:
        yield from ((text, other) for other in layouts(text))
        yield from ((other, text) for other in layouts(text))


def of_floats():
    yield from of_reals([*REALS, "1_0", "_1", "1__0", "1_", "Inf", "+nan", "infinity", "1e1_0"])
    yield from of_lines()


PAIRS = {
    "kattis": of_kattis,
    **dict.fromkeys(["standard", "sorted", "linecount"], of_lines),
    "floats": of_floats,
    **dict.fromkeys(["wcmp", "lcmp", "fcmp"], lambda: of_words(WORDS)),
    **dict.fromkeys(["hcmp", "icmp", "ncmp", "uncmp"], lambda: of_numbers(INTEGERS, "1")),
    **dict.fromkeys(["acmp", "dcmp", "pointscmp", "rcmp", "rcmp4", "rcmp6", "rcmp9", "rncmp"], lambda: of_reals(REALS)),
    **dict.fromkeys(["yesno", "nyesno"], of_answers),
    **dict.fromkeys(["casewcmp", "casencmp", "caseicmp"], lambda: of_cases(INTEGERS)),
}


FLAGS = {
    "kattis": KATTIS_FLAGS,
    "floats": [[], ["precision=3"], ["precision=0"], ["error_mode=absolute"], ["precision=4", "error_mode=relative"]],
    "sorted": [[], ["split_on=lines"], ["split_on=whitespace"]],
}


def chosen(checker):
    pairs = list(dict.fromkeys(PAIRS[checker]()))
    pick = random.Random(checker)
    if checker not in FLAGS:
        return [([], *pair) for pair in pick.sample(pairs, min(MOST_PAIRS, len(pairs)))]
    return [(flags, *pair) for flags in FLAGS[checker] for pair in pick.sample(pairs, MOST_WITH_FLAGS)]


def ask_testlib(program, answer, output, folder):
    for name, text in (("input", ""), ("output", output), ("answer", answer)):
        (folder / name).write_bytes(text.encode("latin-1"))
    done = subprocess.run([program, "input", "output", "answer"], cwd=folder, stderr=subprocess.PIPE)
    words = done.stderr.decode("latin-1").removesuffix("\n")
    return {"status": done.returncode} | ({"words": words} if done.returncode else {})


def ask_kattis(program, flags, answer, output, folder):
    for name, text in (("input", ""), ("answer", answer)):
        (folder / name).write_bytes(text.encode("latin-1"))
    call = [program, "input", "answer", "./", *flags]
    done = subprocess.run(call, cwd=folder, input=output.encode("latin-1"), stderr=subprocess.DEVNULL)
    return {"status": {42: 0, 43: 1}.get(done.returncode, 3)}


def dmoj(folder):
    """DMOJ's checkers, without the judge that they are a part of."""
    result = types.SimpleNamespace(CheckerResult=lambda passed, points, **_: (passed, points))
    stubs = {
        "dmoj.error": types.SimpleNamespace(InternalError=RuntimeError),
        "dmoj.result": result,
        "dmoj.utils.unicode": types.SimpleNamespace(utf8bytes=bytes),
    }
    sys.modules.update({"dmoj": types.ModuleType("dmoj"), "dmoj.utils": types.ModuleType("dmoj.utils"), **stubs})
    package = types.ModuleType("dmoj.checkers")
    package.__path__ = [str(folder)]
    sys.modules["dmoj.checkers"] = package
    return {name: importlib.import_module(f"dmoj.checkers.{name}").check for name in sorted(DMOJ)}


DMOJ = {"standard", "floats", "sorted", "linecount"}


def ask_dmoj(check, flags, answer, output):
    options = dict(flag.split("=") for flag in flags)
    said = check(output.encode("latin-1"), answer.encode("latin-1"), point_value=1.0, **options)
    passed, points = said if isinstance(said, tuple) else (said, None)
    partial = not passed and points is not None
    return {"status": 0 if passed else 7 if partial else 1} | ({"points": points} if partial else {})


def main():
    programs, checks = Path(sys.argv[1]).resolve(), dmoj(Path(sys.argv[2]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        for checker in sorted(PAIRS):
            for flags, answer, output in chosen(checker):
                if checker in DMOJ:
                    said = ask_dmoj(checks[checker], flags, answer, output)
                elif checker == "kattis":
                    said = ask_kattis(programs / checker, flags, answer, output, Path(folder))
                else:
                    said = ask_testlib(programs / checker, answer, output, Path(folder))
                row = {"checker": checker, **({"flags": flags} if flags else {}), "answer": answer, "output": output}
                print(json.dumps(row | said))


main()
