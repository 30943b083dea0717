"""What the adapters share: from responses to rewards."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from microcoder.errors import JudgeError
from microcoder.judge import Judge
from microcoder.rows import Problem, ProblemRow
from microcoder.shared import shared_judge
from microcoder.verdict import Verdict

# What every `mc-eval --reward` gives to the accepted, and to nothing else.
ACCEPTED = 1.0


def reward(problem: ProblemRow, response: str, *, judge: Judge | None = None) -> float | None:
    """The reward of a model's response to a problem; None if the judge failed, which is no zero: nothing was decided.

    The program is looked for in the response: docs/formats.md, "A solution". Without a judge, one of this process is
    used.
    """
    return verdicts([problem], [response], judge=judge)[0].reward


def verdicts(
    problems: Sequence[ProblemRow], responses: Sequence[str], *, field: str = "response", judge: Judge | None = None
) -> list[Verdict]:
    """The verdict on each response to the problem at the same place. `field` is "code" if responses are programs."""
    if judge is None:
        judge = shared_judge()
    pairs = zip(map(Problem, problems), responses)
    submitted = [judge.submit(problem, {field: response}) for problem, response in pairs]
    return [verdict.result() for verdict in submitted]


class Watch:
    """Ends a run that learns nothing: after so many batches in a row in which the judge failed on every response."""

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._failed = 0
        self._lock = threading.Lock()

    def observe(self, batch: Sequence[Verdict]) -> None:
        """Raises `JudgeError`, with the cause, if it has lasted too long."""
        with self._lock:
            self._failed = 0 if any(verdict.judged for verdict in batch) else self._failed + len(batch[:1])
            if self._failed >= self._patience:
                raise JudgeError(
                    f"the judge failed on all responses of {self._failed} batches in a row: {batch[0].message}"
                )
