"""OpenRLHF's own executor of rollouts, with the reward function that it loads from the file of the adapter."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import torch
from openrlhf.utils.agent import SingleTurnAgentExecutor

import microcoder.openrlhf

PROMPT = "Print three.\n"


class Letters:
    """A tokenizer whose tokens are letters."""

    def __call__(self, text: str, **_: Any) -> dict[str, Any]:
        return {"input_ids": torch.tensor([[ord(letter) for letter in text]])}

    def decode(self, tokens: list[int], **_: Any) -> str:
        return "".join(map(chr, tokens))


class Engine:
    """In the place of vLLM, a model that always writes the same."""

    def __init__(self, text: str) -> None:
        self._tokens = [ord(letter) for letter in text]

    async def generate(self, *_: Any, **__: Any) -> Any:
        return SimpleNamespace(outputs=[SimpleNamespace(token_ids=self._tokens, finish_reason="stop", logprobs=None)])


def rollout(problem: dict[str, Any], text: str) -> dict[str, Any]:
    executor = SingleTurnAgentExecutor(microcoder.openrlhf.__file__)
    sampling = SimpleNamespace(max_tokens=1000, logprobs=None)
    label = json.dumps(problem)
    output: dict[str, Any] = asyncio.run(
        executor.execute(PROMPT, label, sampling, 2000, Letters(), Engine(f"```python\n{text}\n```"))
    )
    return output


def test_a_rollout_gets_the_reward_of_the_judge(problem: dict[str, Any]) -> None:
    right, wrong = rollout(problem, "print(3)"), rollout(problem, "print(4)")
    assert (right["reward"].tolist(), wrong["reward"].tolist()) == ([1.0], [0.0])
    assert right["extra_logs"]["accepted"].tolist() == [1.0]


def test_a_failure_of_the_judge_is_no_reward(unjudgeable: dict[str, Any]) -> None:
    assert rollout(unjudgeable, "def f(): pass")["reward"] is None
