"""What `mc-eval` says of a solution, as it says it: docs/formats.md, "A verdict"."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# A field that this version does not know is kept in `extra`, so that a newer mc-eval loses nothing here.


@dataclass(frozen=True)
class Difference:
    """The first difference between what was expected and what came."""

    extra: Mapping[str, Any] = field(default_factory=dict)
    line: int | None = None
    column: int | None = None
    path: str | None = None
    expected: str | None = None
    actual: str | None = None

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Difference:
        return cls(**_split(cls, record))


@dataclass(frozen=True)
class Case:
    """What was decided of one test."""

    verdict: str
    strategy: str | None = None
    diff: Difference | None = None
    message: str | None = None
    clock: str | None = None
    exit: int | None = None
    signal: int | None = None
    cpu_ms: float | None = None
    wall_ms: float | None = None
    memory_kib: int | None = None
    reruns: int = 0
    shielded: bool | None = None
    stderr_tail: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Case:
        fields = _split(cls, record)
        diff = fields.get("diff")
        fields["diff"] = None if diff is None else Difference.from_record(diff)
        return cls(**fields)


@dataclass(frozen=True)
class Verdict:
    """What was decided of one solution."""

    id: str
    problem_id: str
    verdict: str
    passed: int
    total: int
    reward: float | None
    cases: tuple[Case, ...] = ()
    not_run: int = 0
    message: str | None = None
    several_answers: bool = False
    same_as: str | None = None
    platform: str | None = None
    difficulty: str | None = None
    profile: str | None = None
    isolation: Mapping[str, Any] = field(default_factory=dict)
    input_hash: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Verdict:
        """The verdict that a line of `mc-eval judge` holds, after decoding."""
        fields = _split(cls, record)
        fields["cases"] = tuple(Case.from_record(case) for case in fields.get("cases", ()))
        return cls(**fields)

    @classmethod
    def of_failure(cls, solution: Mapping[str, Any], reason: str) -> Verdict:
        """What is said of a solution over which the judge was lost, and lost again when it was judged once more."""
        name, problem = (str(solution.get(field, "")) for field in ("id", "problem_id"))
        message = f"it was judged twice, and both times the judge was lost: {reason}"
        return cls(name, problem, "judge_failed", passed=0, total=0, reward=None, message=message)

    @property
    def accepted(self) -> bool:
        return self.verdict == "accepted"

    @property
    def judged(self) -> bool:
        """False where the judge failed: then nothing was decided, and there is no reward."""
        return self.verdict != "judge_failed"


def _split(cls: type, record: Mapping[str, Any]) -> dict[str, Any]:
    known = {field.name for field in dataclasses.fields(cls)} - {"extra"}
    fields: dict[str, Any] = {name: value for name, value in record.items() if name in known}
    fields["extra"] = {name: value for name, value in record.items() if name not in known}
    return fields
