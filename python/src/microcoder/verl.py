"""For verl: a reward function, and MicroCoder-GRPO's advantages and loss by the name `microcoder`.

verl loads this module by itself, by the entry point group `verl.plugins`:

    algorithm.adv_estimator=microcoder
    actor_rollout_ref.actor.policy_loss.loss_mode=microcoder
    reward.custom_reward_function.path=pkg://microcoder.verl
    reward.custom_reward_function.name=compute_score
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from verl.trainer.ppo.core_algos import agg_loss, register_adv_est, register_policy_loss

from microcoder.clipping import DUAL_CLIP, clipped_losses
from microcoder.errors import JudgeError
from microcoder.rows import Problem, ProblemRow
from microcoder.shared import shared_judge
from microcoder.truncation import Conditions

# Added to a group's deviation.
EPSILON = 1e-6


async def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: ProblemRow,
    extra_info: Mapping[str, Any] | None = None,
    *,
    options: Sequence[str] = (),
    absent: str = "raise",
    **_: Any,
) -> dict[str, Any]:
    """The reward of a response, for `reward.custom_reward_function`.

    `ground_truth` is the problem as JSON text: a row of any format that `mc-eval` reads. If the judge fails, there is
    no reward: that is an error, or with `absent="nan"` a score that is no number, which the advantage estimator
    `microcoder` leaves out, and which others do not stand.
    """
    # To hand it in may take waiting for room.
    submitted = await asyncio.to_thread(
        shared_judge(*options).submit, Problem(ground_truth), {"response": solution_str}
    )
    verdict = await asyncio.wrap_future(submitted)
    if verdict.reward is None and absent != "nan":
        raise JudgeError(f"the judge failed on a response to {verdict.problem_id}: {verdict.message}")
    score = float("nan") if verdict.reward is None else verdict.reward
    return {"score": score, "acc": float(verdict.accepted), "verdict": verdict.verdict}


@register_adv_est("microcoder")
def advantages(
    token_level_rewards: torch.Tensor,
    response_mask: torch.Tensor,
    index: Any,
    config: Any = None,
    **_: Any,
) -> tuple[torch.Tensor, torch.Tensor]:
    """GRPO's advantages: (r - mean) / (deviation + 1e-6) over the responses to a prompt. A response whose reward is no
    number counts in neither, and has the advantage 0."""
    scores = token_level_rewards.sum(dim=-1)
    groups: dict[Any, list[int]] = defaultdict(list)
    for place, prompt in enumerate(index):
        if not torch.isnan(scores[place]):
            groups[prompt].append(place)
    result = torch.zeros_like(scores)
    for places in groups.values():
        if len(places) > 1:
            group = scores[places]
            result[places] = (group - group.mean()) / (group.std() + EPSILON)
    spread = result.unsqueeze(-1) * response_mask
    return spread, spread


def mask_truncated(
    advantages: torch.Tensor,
    responses: torch.Tensor,
    response_mask: torch.Tensor,
    accepted: Sequence[bool],
    draws: Sequence[float],
    *,
    max_length: int,
    stop_tokens: Sequence[int] = (),
    conditions: Conditions | None = None,
) -> torch.Tensor:
    """Advantages with those of masked responses set to 0, for a trainer that has the responses' tokens at hand.

    A response that stops at the last position is not truncated. `draws` are uniform from [0, 1), one per response.
    """
    lengths = response_mask.sum(dim=-1).int().tolist()
    tokens = [row[:length].tolist() for row, length in zip(responses, lengths)]
    masked = which_are_masked(
        tokens, accepted, draws, max_length=max_length, stop_tokens=stop_tokens, conditions=conditions
    )
    return advantages.masked_fill(torch.tensor(masked)[:, None], 0.0)


def which_are_masked(
    responses: Sequence[list[int]],
    accepted: Sequence[bool],
    draws: Sequence[float],
    *,
    max_length: int,
    stop_tokens: Sequence[int] = (),
    conditions: Conditions | None = None,
) -> list[bool]:
    """Whether each response is truncated, and meets the conditions."""
    chosen = conditions or Conditions()
    return [
        not (tokens[-1:] and tokens[-1] in stop_tokens) and chosen.mask(tokens, max_length, right, draw)
        for tokens, right, draw in zip(responses, accepted, draws)
    ]


@register_policy_loss("microcoder")
def policy_loss(
    old_log_prob: torch.Tensor,
    log_prob: torch.Tensor,
    advantages: torch.Tensor,
    response_mask: torch.Tensor,
    loss_agg_mode: str = "token-mean",
    config: Any = None,
    rollout_is_weights: torch.Tensor | None = None,
    **_: Any,
) -> tuple[torch.Tensor, dict[str, Any]]:
    """The clipped objective with a higher upper bound, and no divergence term: `clip_ratio_low` and `clip_ratio_high`
    of the actor, dual clip at `clip_ratio_c`, log-ratios within 20."""
    dual = config.get("clip_ratio_c", None) or DUAL_CLIP
    losses, clipped = clipped_losses(
        old_log_prob, log_prob, advantages, config.clip_ratio_low, config.clip_ratio_high, dual
    )
    if rollout_is_weights is not None:
        losses = losses * rollout_is_weights
    loss = agg_loss(losses, response_mask, loss_agg_mode, **config.global_batch_info)
    tokens = response_mask.sum().clamp(min=1)
    return loss, {
        "actor/pg_clipfrac": ((clipped * response_mask).sum() / tokens).item(),
        "actor/ppo_kl": (((old_log_prob - log_prob) * response_mask).sum() / tokens).item(),
    }
