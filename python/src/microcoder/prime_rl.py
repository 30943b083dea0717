"""For prime-rl: MicroCoder-GRPO's loss, in the trainer's configuration.

[trainer.loss]
type = "custom"
import_path = "microcoder.prime_rl.loss"
kwargs = { clip_high = 0.28 }
"""

from __future__ import annotations

import torch
from prime_rl.trainer.rl.loss import LossInputs, LossOutputs

from microcoder.clipping import DUAL_CLIP, clipped_losses


def loss(
    inputs: LossInputs, *, clip_low: float = 0.2, clip_high: float = 0.28, dual_clip: float = DUAL_CLIP
) -> LossOutputs:
    """The clipped objective with a higher upper bound, and no divergence term, over the tokens of one sample.

    prime-rl divides the sum over all samples by the number of their tokens: a mean over tokens.
    """
    mask = inputs.loss_mask
    losses, clipped = clipped_losses(
        inputs.inference_logprobs, inputs.trainer_logprobs, inputs.advantages, clip_low, clip_high, dual_clip
    )
    if inputs.loss_weights is not None:
        losses = losses * inputs.loss_weights
    tokens = mask.sum().clamp(min=1)
    moved = (inputs.inference_logprobs - inputs.trainer_logprobs).detach()
    return LossOutputs(
        # A position that is left out may hold anything.
        loss=torch.where(mask, losses, 0.0).sum(),
        metrics={"clipped": clipped[mask].sum() / tokens, "policy_kl": moved[mask].sum() / tokens},
    )
