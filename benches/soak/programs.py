"""The programs of crowd.py and soak.py: honest ones in all languages, and the hostile ones of fixtures/."""

import collections
import json
import pathlib
import subprocess

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "fixtures"
PAIRS = [(123_456_789, 987_654_321), (700_000_001, 31_000_000_000)]
LIMITS = {"time_limit": 1, "memory_limit": 128}
# For all that is compiled, or has a runtime of its own.
WIDER = {"time_limit": 2, "memory_limit": 192}
# Compilers that have to end by it need not be waited for.
TABLE = "".join(f"[{language}]\ncompile_time = 10\n" for language in ("c", "cpp", "rust"))

VERDICTS = ["accepted", "compile_error", "memory_limit", "output_limit", "runtime_error", "time_limit", "wrong_answer"]

# Honest in Python, with what comes near a limit. How often each occurs in a hundred.
PYTHON = [
    (70, "print(sum(map(int, input().split())))"),
    (10, "print(max(map(int, input().split())))"),
    (6, "raise ValueError(input())"),
    (4, "import time\nbegun = time.process_time()\nwhile time.process_time() < begun + 0.4: pass\n"
        "print(sum(map(int, input().split())))"),
    (4, "import time\ntime.sleep(0.5)\nprint(sum(map(int, input().split())))"),
    (3, "held = bytearray(b'x') * (100 << 20)\nprint(sum(map(int, input().split())))"),
    (1, "while True: pass"),
    (1, "held = []\nwhile True: held.append(b'x' * (1 << 20))"),
    (1, "print(sum(map(int, input().split()))"),
]
# One in so many honest programs is in another language, and one in so many of those has a text of its own to compile.
OTHER_EVERY, OWN_TEXT_EVERY = 4, 12
COMMENTS = {"pypy": "#", "wat": ";;"}


def problems():
    text = [{"input": f"{a} {b}\n", "output": f"{a + b}\n"} for a, b in PAIRS]
    call = [{"input": list(pair), "output": sum(pair)} for pair in PAIRS]
    code = "def check(candidate):\n    assert candidate({}, {}) == {}\n\ncheck(candidate)\n"
    code = [{"code": code.format(a, b, a + b)} for a, b in PAIRS]
    return [
        {"id": "stdin", "kind": "stdin", "tests": text, **LIMITS},
        {"id": "wider", "kind": "stdin", "tests": text, **WIDER},
        {"id": "call", "kind": "call", "fn_name": "add", "tests": call, **LIMITS},
        {"id": "assert", "kind": "assert", "fn_name": "add", "tests": code, **LIMITS},
    ]


def honest(count):
    """What is accepted and what is not, each for a reason of its own. The verdict is not known beforehand."""
    python = [code for times, code in PYTHON for _ in range(times)]
    plain = [
        (folder.name, next(folder.glob("accepted_plain.*")).read_text())
        for folder in sorted((FIXTURES / "languages").iterdir())
    ]
    for number in range(count):
        turn = number // OTHER_EVERY
        if number % OTHER_EVERY:
            # 37 and 100 have no common divisor: every code is drawn, the rare ones not all at once.
            language, code = "python", python[number * 37 % 100]
        else:
            language, code = plain[turn % len(plain)]
            if turn // len(plain) % OWN_TEXT_EVERY == 0:
                code += f"\n{COMMENTS.get(language, '//')} {number}\n"
        yield {"id": f"honest {number}", "problem_id": "wider", "language": language, "code": code}


def hostile(count):
    """As the tests of fixtures/ have them, with the verdicts that these allow."""
    rows = []
    for path in sorted((FIXTURES / "hostile").glob("*/*.py")):
        lines = path.read_text().splitlines()
        header = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# ") and ": " in line)
        allowed = [path.parent.name, *header.get("or", "").split("|")]
        rows.append({"problem_id": header["kind"], "code": path.read_text(), "allowed": allowed})
    for path in sorted((FIXTURES / "languages").glob("*/*")):
        if not path.name.startswith("accepted_plain"):
            allowed = [verdict for verdict in VERDICTS if path.name.startswith(verdict)]
            language = {"language": path.parent.name, "allowed": allowed}
            rows.append({"problem_id": "wider", "code": path.read_text(), **language})
    for number in range(count):
        yield {"id": f"hostile {number}", **rows[number * len(rows) // count]}


def mixed(many, few):
    """Both, with the few spread evenly among the many."""
    many, few = list(many), list(few)
    rows, given = [], 0
    for number, row in enumerate(many, 1):
        rows.append(row)
        until = number * len(few) // len(many)
        rows += few[given:until]
        given = until
    return rows


def lay_out(folder, rows):
    """Files for a run in `folder`; the command of that run but for its output."""
    rows = [{key: value for key, value in row.items() if key != "allowed"} for row in rows]
    lines = {"problems.jsonl": problems(), "solutions.jsonl": rows}
    for name, values in lines.items():
        (folder / name).write_text("".join(json.dumps(value) + "\n" for value in values))
    (folder / "table.toml").write_text(TABLE)
    files = ["solutions.jsonl", "--problems", "problems.jsonl", "--languages", "table.toml"]
    return ["judge", *files, "--no-dedup", "--first-failure"]


def verdicts(path):
    """Each verdict by its id; fails if there are two of one."""
    found = {}
    for line in path.read_text().splitlines():
        verdict = json.loads(line)
        assert verdict["id"] not in found, f"judged twice: {verdict['id']}"
        found[verdict["id"]] = {"verdict": verdict["verdict"], "message": verdict.get("message")}
    return found


def changed(rows, expected, found):
    """What was found and should not have been: on an honest program, another verdict than what was expected of it."""
    wrong = {}
    for row in rows:
        verdict, usual = found[row["id"]], expected.get(row["id"])
        allowed = row.get("allowed") or [usual["verdict"]]
        if verdict["verdict"] not in allowed:
            wrong[row["id"]] = (allowed, verdict)
    return wrong


def tally(found):
    """How many there are of each verdict."""
    return dict(collections.Counter(verdict["verdict"] for verdict in found))


def quiet_run(binary, folder, rows, workers):
    """What these come to where nothing disturbs them."""
    command = [binary, *lay_out(folder, rows), "--workers", str(workers), "--out", "quiet.jsonl"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return verdicts(folder / "quiet.jsonl")
