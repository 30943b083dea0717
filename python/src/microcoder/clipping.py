"""MicroCoder-GRPO's clipped objective, token by token: what trainers in PyTorch sum up, each in its own way."""

from __future__ import annotations

import torch

# As in verl and in mc-train.
LOG_RATIO_BOUND = 20.0
DUAL_CLIP = 3.0


def clipped_losses(
    old: torch.Tensor, new: torch.Tensor, advantages: torch.Tensor, low: float, high: float, dual: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Each token's loss, and whether its ratio was clipped.

    Ratios stay between 1 - `low` and 1 + `high`, and the loss of a token whose advantage is negative below `dual` times
    that advantage.
    """
    ratio = torch.exp(torch.clamp(new - old, -LOG_RATIO_BOUND, LOG_RATIO_BOUND))
    plain, clipped = -advantages * ratio, -advantages * torch.clamp(ratio, 1 - low, 1 + high)
    worse = torch.maximum(plain, clipped)
    losses = torch.where(advantages < 0, torch.minimum(worse, -advantages * dual), worse)
    return losses, clipped > plain
