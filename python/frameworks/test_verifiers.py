"""verifiers' own rubric, with the judge as its reward function."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
import verifiers as vf

from microcoder.verifiers import CodeRubric

RIGHT = "```python\nprint(3)\n```"
WRONG = "```python\nprint(4)\n```"


def state(problem: Any, text: str) -> Any:
    made = vf.State()
    made.update(
        prompt=[{"role": "user", "content": "Print three."}],
        completion=[{"role": "assistant", "content": text}],
        answer="",
        task="code",
        info={"problem": problem},
        trajectory=[],
        error=None,
    )
    return made


def test_a_rollout_gets_the_reward_of_the_judge(problem: dict[str, Any]) -> None:
    right, wrong = state(problem, RIGHT), state(json.dumps(problem), WRONG)
    rubric = CodeRubric()
    asyncio.run(rubric.score_rollout(right))
    asyncio.run(rubric.score_rollout(wrong))
    assert (right["reward"], wrong["reward"]) == (1.0, 0.0)
    assert right["metrics"] == {"code_reward": 1.0}
    assert wrong["verdict"].cases[0].diff.actual == "4"


def test_a_failure_of_the_judge_is_no_score(problem: dict[str, Any], unjudgeable: dict[str, Any]) -> None:
    group = [state(problem, RIGHT), state(problem, WRONG), state(unjudgeable, RIGHT)]
    asyncio.run(CodeRubric().score_group(group))
    assert [each["advantage"] for each in group] == [0.5, -0.5, 0.0]
    assert [each["error"] for each in group[:2]] == [None, None]
    assert isinstance(group[2]["error"], vf.InfraError)
    assert "absent_module" in str(group[2]["error"])


def test_further_functions_are_added_as_to_any_rubric(problem: dict[str, Any]) -> None:
    def length(completion: Any) -> float:
        return float(len(completion))

    rubric = CodeRubric(options=["--reward", "coarse"], weight=2.0)
    rubric.add_reward_func(length, weight=0.5)
    wrong = state(problem, WRONG)
    asyncio.run(rubric.score_rollout(wrong))
    assert wrong["reward"] == pytest.approx(2.0 * -0.3 + 0.5)
