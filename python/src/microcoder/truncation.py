"""MicroCoder-GRPO's truncation mask: which responses that ran into the length limit are kept out of the update.

A masked response has the advantage 0. Its tokens stay in the loss's denominators, as equation 2 of the paper has it.
This is the arithmetic of `mc-train` (trainer/src/algorithm/truncation.rs) for trainers in Python.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Conditions:
    """When a truncated response is masked; by default as in `mc-train`.

    `when` is the verdict that admits it: "incorrect", "correct" or "any". `rho` is the probability with which a
    response that meets all else is masked. What repeats itself is never masked: its last `window` tokens equal those
    before them (`repeat` "exact", the paper's rule), or each equals the one a fixed distance, at most `window`, before
    it ("any_period").
    """

    when: str = "incorrect"
    rho: float = 0.2
    window: int = 128
    repeat: str = "exact"

    def __post_init__(self) -> None:
        _one_of("when", self.when, ("incorrect", "correct", "any"))
        _one_of("repeat", self.repeat, ("exact", "any_period"))

    def mask(self, tokens: Sequence[int], max_length: int, accepted: bool, draw: float) -> bool:
        """Whether a response's advantage is set to 0. `draw` is uniform from [0, 1)."""
        return (
            len(tokens) >= max_length
            and self.when in ("any", "correct" if accepted else "incorrect")
            and not self.repeats(tokens)
            and draw < self.rho
        )

    def repeats(self, tokens: Sequence[int]) -> bool:
        """Whether the end of a response repeats what is before it. One too short to hold a repetition does not."""
        shortest = self.window if self.repeat == "exact" else 1
        periods = range(shortest, self.window + 1) if self.window > 0 else range(0)
        return any(_has_period(tokens, self.window, period) for period in periods)


def draws(count: int, *seed: object) -> list[float]:
    """One draw per response, the same for the same seed: resuming a run does not disturb them."""
    stream = random.Random(repr(seed))
    return [stream.random() for _ in range(count)]


def _has_period(tokens: Sequence[int], window: int, period: int) -> bool:
    end = len(tokens)
    return end >= window + period and tokens[end - window :] == tokens[end - window - period : end - period]


def _one_of(name: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise ValueError(f"{name} is {value!r}, and must be one of {', '.join(choices)}")
