"""For verifiers, and through it prime-rl: a rubric that asks the judge."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import verifiers as vf

from microcoder.rows import Problem
from microcoder.shared import shared_judge
from microcoder.verdict import Verdict


class CodeRubric(vf.Rubric):
    """One reward function, that of the judge; more may be added with `add_reward_func`.

    The problem stands in `info["problem"]`, as a row or as JSON text; the program is found in the last message of the
    completion. `options` are those of `mc-eval judge`. The verdict is kept in `state["verdict"]`. If the judge failed,
    nothing was decided: the rollout gets an `InfraError` in `state["error"]`, as any that could not be run, and stays
    out of its group's mean.
    """

    def __init__(self, *, options: Sequence[str] = (), weight: float = 1.0, **named: Any) -> None:
        super().__init__(funcs=[code_reward], weights=[weight], **named)
        self._options = tuple(options)

    async def score_rollout(self, state: Any) -> None:
        if await self._judge([state]):
            await super().score_rollout(state)

    async def score_group(self, states: Sequence[Any]) -> None:
        judged = await self._judge(states)
        if judged:
            await super().score_group(judged)

    async def _judge(self, states: Sequence[Any]) -> list[Any]:
        """Those on which the judge did not fail."""
        verdicts = await asyncio.gather(*map(self._verdict, states))
        for state, verdict in zip(states, verdicts):
            state["verdict"] = verdict
            if not verdict.judged:
                state["error"] = vf.InfraError(f"the judge failed: {verdict.message}")
                state.update(reward=0.0, advantage=0.0, metrics={})
        return [state for state in states if state["verdict"].judged]

    async def _verdict(self, state: Any) -> Verdict:
        judge = shared_judge(*self._options)
        solution = {"response": _text(state["completion"])}
        problem = Problem(state["info"]["problem"])
        # To hand it in may take waiting for room.
        return await asyncio.wrap_future(await asyncio.to_thread(judge.submit, problem, solution))


def code_reward(state: Any) -> float:
    """What the judge gave it."""
    reward: float = state["verdict"].reward
    return reward


def _text(completion: Any) -> str:
    """What the model wrote last: as text, or as a list of messages, records or objects."""
    if isinstance(completion, str) or not completion:
        return completion or ""
    last = completion[-1]
    return str((last["content"] if isinstance(last, dict) else last.content) or "")
