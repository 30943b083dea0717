"""verl's own registries and its way to load a reward function."""

from __future__ import annotations

import asyncio
import json
import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
import verl
from omegaconf import OmegaConf
from verl.trainer.ppo.core_algos import get_adv_estimator_fn, get_policy_loss_fn
from verl.trainer.ppo.reward import get_custom_reward_fn

import microcoder
import microcoder.verl
from microcoder.truncation import Conditions

RIGHT = "```python\nprint(3)\n```"


def loaded(**named: Any) -> Any:
    """The reward function as verl loads it from its configuration."""
    function = {"path": "pkg://microcoder.verl", "name": "compute_score", "reward_kwargs": named}
    return get_custom_reward_fn(OmegaConf.create({"reward": {"custom_reward_function": function}}))


def asked(function: Any, problem: dict[str, Any], response: str) -> Any:
    return asyncio.run(
        function(data_source="own", solution_str=response, ground_truth=json.dumps(problem), extra_info={})
    )


def test_the_reward_is_that_of_the_judge(problem: dict[str, Any]) -> None:
    assert asked(loaded(), problem, RIGHT) == {"score": 1.0, "acc": 1.0, "verdict": "accepted"}
    coarse = loaded(options=["--reward", "coarse"])
    assert asked(coarse, problem, "none") == {"score": -1.0, "acc": 0.0, "verdict": "compile_error"}


def test_a_failure_of_the_judge_is_no_score(unjudgeable: dict[str, Any]) -> None:
    with pytest.raises(microcoder.JudgeError, match="absent_module"):
        asked(loaded(), unjudgeable, RIGHT)
    assert math.isnan(asked(loaded(absent="nan"), unjudgeable, RIGHT)["score"])


def test_advantages_are_the_trainers(reference: dict[str, Any]) -> None:
    estimator = get_adv_estimator_fn("microcoder")
    cases = [case for case in reference["advantages"] if case["normalisation"] == "group" and case["eps"] == 1e-6]
    assert len(cases) > 3
    for case in cases:
        count = len(case["rewards"])
        # An absent reward and another prompt's beside them change nothing.
        scores = torch.tensor([*case["rewards"], math.nan, 7.0], dtype=torch.float64)
        rewards = torch.zeros(count + 2, 3, dtype=torch.float64)
        rewards[:, 2] = scores
        mask = torch.ones_like(rewards)
        mask[0, 1:] = 0
        index = np.array(["a"] * (count + 1) + ["b"], dtype=object)
        found, _ = estimator(token_level_rewards=rewards, response_mask=mask, index=index, config=None)
        expected = torch.tensor([*case["values"], 0.0, 0.0], dtype=torch.float64)[:, None] * mask
        torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-12)


VARIANTS = {
    "dapo": ("token-mean", 0.28, 1e9),
    "dapo_dual_clip": ("token-mean", 0.28, 3.0),
    "dr_grpo": ("seq-mean-token-sum-norm", 0.2, 1e9),
    "microcoder": ("token-mean", 0.28, 1e9),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_loss_is_the_trainers(variant: str, reference: dict[str, Any]) -> None:
    case = next(case for case in reference["loss"] if case["variant"] == variant)
    mode, high, dual = VARIANTS[variant]
    width = case["max_length"]
    new = _table(case["new"], width).requires_grad_()
    mask = torch.tensor([[float(place < len(row)) for place in range(width)] for row in case["new"]])
    advantages = torch.tensor(case["advantages"], dtype=torch.float64)[:, None].expand_as(new)
    # A response without a token counts as one of the batch, as in mc-train.
    batch = {"global_batch_size": len(case["new"])}
    config = _Config(clip_ratio_low=0.2, clip_ratio_high=high, clip_ratio_c=dual, global_batch_info=batch)
    loss, metrics = get_policy_loss_fn("microcoder")(
        old_log_prob=_table(case["old"], width),
        log_prob=new,
        advantages=advantages,
        response_mask=mask.double(),
        loss_agg_mode=mode,
        config=config,
    )
    assert loss.item() == pytest.approx(case["value"], rel=1e-9)
    loss.backward()
    torch.testing.assert_close(new.grad, _table(case["gradient"], width), rtol=1e-9, atol=1e-12)
    assert 0 <= metrics["actor/pg_clipfrac"] <= 1


def test_the_mask_is_the_trainers(reference: dict[str, Any]) -> None:
    for case in reference["truncation"]:
        tokens = reference["truncation_tokens"][case["tokens"]]
        responses = torch.tensor([[*tokens, 0, 0]])
        mask = torch.tensor([[1] * len(tokens) + [0, 0]])
        found = microcoder.verl.mask_truncated(
            mask * 2.0,
            responses,
            mask,
            [case["reward"] == 1.0],
            [case["draw"]],
            max_length=case["max_length"],
            conditions=Conditions(**case["conditions"]),
        )
        assert (found.abs().max().item() == 0) is case["masked"], case


def test_verl_loads_it_by_itself() -> None:
    assert verl.__version__ == "0.9.1"
    assert get_policy_loss_fn("microcoder") is microcoder.verl.policy_loss


class _Config(SimpleNamespace):
    """What verl's losses read of the actor's configuration."""

    def get(self, name: str, default: Any) -> Any:
        return getattr(self, name, default)


def _table(rows: list[list[float]], width: int) -> Any:
    return torch.tensor([[*row, *[0.0] * (width - len(row))] for row in rows], dtype=torch.float64)
