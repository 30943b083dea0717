"""What is handed to the judge, in the lines in which `mc-eval judge --stdio` and `mc-eval serve` take it."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, Union

from microcoder.errors import InvalidInputError
from microcoder.verdict import Verdict

Record = Mapping[str, Any]
# A row of any format that mc-eval reads, decoded or as the text of a JSON object.
ProblemRow = Union[Record, str]


class Problem:
    """A problem as JSON text, and what it is known by."""

    def __init__(self, row: ProblemRow) -> None:
        self.text = row if isinstance(row, str) else json.dumps(row)

    @classmethod
    def of(cls, problem: ProblemRow | Problem) -> Problem:
        return problem if isinstance(problem, Problem) else cls(problem)

    @functools.cached_property
    def key(self) -> bytes:
        return hashlib.blake2b(self.text.encode(), digest_size=16).digest()

    def registration(self) -> bytes:
        return _line({"register": self.text})


class Row:
    """A solution, with the problem it solves unless the judge knows that by the solution's own fields."""

    def __init__(self, solution: Record, problem: Problem | None) -> None:
        self.solution = solution
        self.problem = problem
        self.verdict: Future[Verdict] = Future()
        # A judge cannot be asked to forget a row.
        self.verdict.set_running_or_notify_cancel()
        self.deaths = 0
        self._by_hash = False

    @property
    def name(self) -> str:
        return str(self.solution.get("id", self.solution.get("problem_id", "without an id")))

    def line(self, registered: str | None = None) -> bytes:
        """The row, with the hash of its problem, or else with the problem itself."""
        fields = {name: json.dumps(value) for name, value in self.solution.items()}
        self._by_hash = registered is not None
        if self.problem is not None:
            fields["problem"] = self.problem.text if registered is None else json.dumps(registered)
        return _line(fields)

    def is_unregistered(self, answer: Record) -> bool:
        """Whether the judge no longer has the problem of which it was given the hash."""
        return self._by_hash and "error" in answer and answer.get("field") == "problem"

    def settle(self, answer: Record) -> None:
        """Take the judge's answer."""
        if "error" in answer:
            field = f"{answer['field']} " if answer.get("field") else ""
            self.fail(InvalidInputError(f"solution {self.name}: {field}{answer['error']}"))
        else:
            self.verdict.set_result(
                Verdict.from_record({name: value for name, value in answer.items() if name != "row"})
            )

    def fail(self, error: Exception) -> None:
        self.verdict.set_exception(error)

    def give_up(self, reason: str) -> None:
        """The judge could not judge it, and says so in a verdict: there is no reward, and others go on."""
        self.verdict.set_result(Verdict.of_failure(self.solution, reason))


def _line(fields: Mapping[str, str]) -> bytes:
    """An object of values that are JSON already. A line break in them can only be space between tokens."""
    text = ",".join(f"{json.dumps(name)}:{value}" for name, value in fields.items())
    return ("{" + text.replace("\n", " ").replace("\r", " ") + "}\n").encode()
