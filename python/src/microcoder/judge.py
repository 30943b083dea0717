"""The judge, as an object."""

from __future__ import annotations

import collections
import queue
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Protocol, Union

from microcoder.binary import find_binary
from microcoder.coprocess import Coprocess
from microcoder.remote import Remote
from microcoder.rows import Problem, ProblemRow, Record, Row
from microcoder.verdict import Verdict

# By what the formats that mc-eval reads name a problem, in its own row and in that of a solution.
PROBLEM_NAMES = ("id", "problem_id", "task_id", "question_id")
SOLUTION_NAMES = ("problem_id", "task_id", "question_id")

Problems = Union[Mapping[str, Union[ProblemRow, Problem]], Iterable[Record]]


class Backend(Protocol):
    """What judges rows: a process beside this one, or a server."""

    def submit(self, row: Row) -> None: ...

    def close(self) -> None: ...


class Judge:
    """Judges solutions, by `mc-eval` in a process beside this one, or by a server. A context manager: the process ends
    with the block.

    `files` are problem files of any format that `mc-eval` reads; their problems need not be given again. `options` are
    further options of `mc-eval judge`, such as `["--profile", "lcb", "--workers", "4"]`. With `url`, that of a
    `mc-eval serve`, both are the server's, and its settings go into the query: `http://judge:8080?reward=fraction`. At
    most `in_flight` solutions are with the judge at any time. It may be used from several threads, but not across a
    fork.
    """

    def __init__(
        self,
        files: Sequence[str | Path] = (),
        *,
        options: Sequence[str] = (),
        url: str | None = None,
        token: str | None = None,
        in_flight: int = 64,
    ) -> None:
        if url is not None and (files or options):
            raise ValueError("files and options are the server's: start `mc-eval serve` with them")
        self.in_flight = in_flight
        self._backend: Backend = (
            Coprocess(_command(files, options), in_flight) if url is None else Remote(url, token, in_flight)
        )
        self._end = weakref.finalize(self, self._backend.close)

    def submit(self, problem: ProblemRow | Problem | None, solution: Record) -> Future[Verdict]:
        """The verdict on one solution, once it is known. Waits while too many are with the judge.

        Without a problem, the solution names one of `files`, or has tests of its own.
        """
        row = Row(solution, None if problem is None else Problem.of(problem))
        self._backend.submit(row)
        return row.verdict

    def judge(self, problems: Problems, solutions: Iterable[Record], *, in_order: bool = True) -> Iterator[Verdict]:
        """A verdict for each solution: in the order of the solutions, or else as they come.

        Problems and solutions are rows of any format that `mc-eval` reads. Solutions are drawn as there is room.

        Raises `InvalidInputError` where a row cannot be read, and `JudgeError` where the judge cannot run.
        """
        known = by_name(problems)
        submitted = (self.submit(known.get(problem_name(solution)), solution) for solution in solutions)
        return self._in_order(submitted) if in_order else self._as_they_come(submitted)

    def rewards(self, problems: Problems, solutions: Iterable[Record]) -> list[float | None]:
        """The reward of each solution, None where the judge failed: nothing was decided, and it is no zero."""
        return [verdict.reward for verdict in self.judge(problems, solutions)]

    def close(self) -> None:
        """End the process. What it has not answered is lost."""
        self._end()

    def __enter__(self) -> Judge:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _in_order(self, submitted: Iterator[Future[Verdict]]) -> Iterator[Verdict]:
        waiting: collections.deque[Future[Verdict]] = collections.deque()
        for verdict in submitted:
            waiting.append(verdict)
            while waiting and (waiting[0].done() or len(waiting) >= self.in_flight):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _as_they_come(self, submitted: Iterator[Future[Verdict]]) -> Iterator[Verdict]:
        done: queue.SimpleQueue[Future[Verdict]] = queue.SimpleQueue()
        waiting = 0
        for verdict in submitted:
            waiting += 1
            verdict.add_done_callback(done.put)
            while not done.empty() or waiting >= self.in_flight:
                yield done.get().result()
                waiting -= 1
        for _ in range(waiting):
            yield done.get().result()


def _command(files: Sequence[str | Path], options: Sequence[str]) -> list[str]:
    problems = ["--problems", *map(str, files)] if files else []
    return [find_binary(), "judge", "--stdio", *problems, *options]


def by_name(problems: Problems) -> dict[str, Problem]:
    """Problems by the names under which solutions know them."""
    if isinstance(problems, Mapping):
        return {name: Problem.of(problem) for name, problem in problems.items()}
    named = ((_first(problem, PROBLEM_NAMES), problem) for problem in problems)
    return {name: Problem(problem) for name, problem in named if name is not None}


def problem_name(solution: Record) -> str:
    """The name of the problem that a solution solves; empty if it names none, and has the tests itself."""
    return _first(solution, SOLUTION_NAMES) or ""


def _first(row: Record, names: Sequence[str]) -> str | None:
    found = (row[name] for name in names if row.get(name) is not None)
    return next((str(name) for name in found), None)
