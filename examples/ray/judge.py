"""Judges a file of solutions on all machines of a Ray cluster; without one, on this machine's cores.

pip install microcoder "ray==2.60.0"
python examples/ray/judge.py fixtures/solutions.jsonl fixtures/problems.jsonl verdicts.jsonl
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ray

import microcoder.ray


def rows(path: str) -> Iterator[dict[str, Any]]:
    with Path(path).open() as lines:
        for line in lines:
            yield json.loads(line)


def main() -> None:
    solutions, problems, target = sys.argv[1:]
    ray.init(log_to_driver=False)
    start, count, accepted = time.monotonic(), 0, 0
    with Path(target).open("w") as out:
        for verdict in microcoder.ray.judge(rows(solutions), rows(problems), chunk=16):
            line = {"id": verdict.id, "verdict": verdict.verdict, "reward": verdict.reward}
            out.write(json.dumps(line) + "\n")
            count, accepted = count + 1, accepted + verdict.accepted
    print(f"{accepted} of {count} accepted, {count / (time.monotonic() - start):.1f} a second")


if __name__ == "__main__":
    main()
