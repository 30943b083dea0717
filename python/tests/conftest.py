"""Problems and solutions that the tests judge, by the `mc-eval` of the installed package."""

from __future__ import annotations

import os
import stat
import sys
import textwrap
from pathlib import Path
from typing import Any, Callable

import pytest

SUM = {
    "id": "sum",
    "kind": "stdin",
    "tests": [{"input": "1 2\n", "output": "3\n"}, {"input": "5 5\n", "output": "10\n"}],
}
RIGHT = "print(sum(map(int, input().split())))"
HALF = "print(3)"
WRONG = "print(-1)"


@pytest.fixture
def problem() -> dict[str, Any]:
    return dict(SUM)


@pytest.fixture
def solutions() -> Callable[[int], list[dict[str, Any]]]:
    """So many solutions to `sum`, of which every third is right, and the others are not."""

    def made(count: int) -> list[dict[str, Any]]:
        codes = [RIGHT, HALF, WRONG]
        # Each differs from all others, so that none is judged in another's place.
        return [{"id": f"s{n}", "problem_id": "sum", "code": f"{codes[n % 3]}  # {n}"} for n in range(count)]

    return made


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a program in the place of `mc-eval`: what the real one does not do on demand. `act` is done with each line
    and its number; `answer` writes a line."""

    def put(act: str) -> None:
        path = tmp_path / "mc-eval"
        head = f"""\
            #!{sys.executable}
            import json, os, sys

            def answer(row, **fields):
                print(json.dumps(dict(row=row, **fields)), flush=True)

            def accept(row, asked):
                answer(row, id=asked["id"], problem_id="sum", verdict="accepted", passed=1, total=1, reward=1.0)

            for row, line in enumerate(sys.stdin, 1):
                asked = json.loads(line)
            """
        path.write_text(textwrap.dedent(head) + textwrap.indent(textwrap.dedent(act), "    "))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("MICROCODER_MC_EVAL", str(path))

    return put


def children() -> list[int]:
    """The processes that this one started and that still run."""
    tasks = Path("/proc/self/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def kill_children(signal: int) -> None:
    for child in children():
        os.kill(child, signal)
