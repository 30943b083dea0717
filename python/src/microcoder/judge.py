"""The judge, as an object: `mc-eval` in a process beside this one."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import Any

from microcoder.binary import find_binary
from microcoder.coprocess import Coprocess
from microcoder.errors import InvalidInputError
from microcoder.verdict import Verdict

Row = Mapping[str, Any]


class Judge:
    """Judges solutions. A context manager: the process that does it ends with the block.

    `options` are further options of `mc-eval judge`, such as `["--profile", "lcb"]`. At most `in_flight` solutions are
    with the judge at any time.
    """

    def __init__(self, options: Sequence[str] = (), *, in_flight: int = 64) -> None:
        command = [find_binary(), "judge", "-", "--no-dedup", "--skip-invalid", *options]
        self._in_flight = in_flight
        self._backend = Coprocess(command, in_flight)

    def judge(self, problems: Iterable[Row], solutions: Iterable[Row]) -> Iterator[Verdict]:
        """A verdict for each solution, in their order. Solutions are drawn as there is room for them."""
        known = {problem["id"]: problem for problem in problems}
        waiting: collections.deque[tuple[Row, Future[Row]]] = collections.deque()
        for solution in solutions:
            while len(waiting) >= self._in_flight or (waiting and waiting[0][1].done()):
                yield _verdict(*waiting.popleft())
            row = _joined(known, solution)
            waiting.append((solution, self._backend.submit(row)))
        while waiting:
            yield _verdict(*waiting.popleft())

    def close(self) -> None:
        """End the process. What it has not answered is lost."""
        self._backend.close()

    def __enter__(self) -> Judge:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _joined(problems: Mapping[str, Row], solution: Row) -> Row:
    """A row that is both the problem and the solution."""
    name = solution.get("problem_id")
    problem = problems.get(name) if isinstance(name, str) else None
    if problem is None:
        raise InvalidInputError(f"solution {solution.get('id')!r}: no problem has the id {name!r}")
    return {**problem, **solution}


def _verdict(solution: Row, future: Future[Row]) -> Verdict:
    answer = future.result()
    if "error" in answer:
        raise InvalidInputError(f"solution {solution.get('id')!r}: {answer['error']}")
    return Verdict.from_record({**answer, "id": solution.get("id", answer["id"])})
