"""prime-rl's own sum over samples, with the loss from its configuration, on the trainer's cases.

prime-rl is on no index. With PRIME_RL, a checkout of it (0.8.0), its own code runs; without, a few lines in its place.
"""

from __future__ import annotations

import os
import sys
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

CHECKOUT = os.environ.get("PRIME_RL")
# mc-train's variants that are a mean over tokens, as settings of the loss.
VARIANTS = {
    "dapo": {"dual_clip": 1e9},
    "dapo_dual_clip": {"dual_clip": 3.0},
    "microcoder": {"dual_clip": 1e9},
}


@dataclass
class Inputs:
    """What prime-rl hands to a loss, one sample at a time."""

    trainer_logprobs: torch.Tensor
    inference_logprobs: torch.Tensor
    advantages: torch.Tensor
    loss_mask: torch.Tensor
    loss_weights: torch.Tensor | None = None


@dataclass
class Outputs:
    loss: torch.Tensor
    metrics: dict[str, torch.Tensor]


def loss_module() -> Any:
    if CHECKOUT is not None:
        sys.path[:0] = [str(Path(CHECKOUT, folder)) for folder in ("src", "packages/prime-rl-configs/src")]
        import prime_rl.trainer.rl.loss

        return prime_rl.trainer.rl.loss
    names = ["prime_rl", "prime_rl.trainer", "prime_rl.trainer.rl", "prime_rl.trainer.rl.loss"]
    sys.modules.update((name, types.ModuleType(name)) for name in names)
    module: Any = sys.modules[names[-1]]
    module.LossInputs, module.LossOutputs = Inputs, Outputs
    return module


MODULE = loss_module()


def total(samples: list[dict[str, Any]], tokens: int, settings: dict[str, float]) -> tuple[Any, dict[str, Any]]:
    """The loss of a batch, as prime-rl's trainer computes it."""
    if CHECKOUT is None:
        from microcoder.prime_rl import loss

        outputs = [loss(Inputs(**sample), **settings) for sample in samples]
        return sum(output.loss for output in outputs) / tokens, outputs[0].metrics
    from prime_rl.configs.trainer import CustomLossConfig

    config = CustomLossConfig(import_path="microcoder.prime_rl.loss", kwargs=settings)
    columns = {name: [sample.get(name) for sample in samples] for name in Inputs.__dataclass_fields__}
    weights = columns.pop("loss_weights")
    return MODULE.compute_loss(
        **columns,
        ref_logprobs=None,
        rl_weights=weights,
        ce_weights=None,
        ref_kl_weights=None,
        rl_loss_fn=MODULE.setup_rl_loss_fn(config),
        rl_scale=tokens,
        ce_scale=1,
        ref_kl_scale=1,
    )


def sample(case: dict[str, Any], place: int) -> dict[str, Any]:
    """One of a case's responses, between a prompt and padding that are in no loss."""
    new, old = ([0.0, *case[name][place], 3.0] for name in ("new", "old"))
    mask = [False, *[True] * len(case["new"][place]), False]
    return {
        "trainer_logprobs": torch.tensor(new, dtype=torch.float64, requires_grad=True),
        "inference_logprobs": torch.tensor(old, dtype=torch.float64),
        "advantages": torch.full((len(new),), case["advantages"][place], dtype=torch.float64),
        "loss_mask": torch.tensor(mask),
    }


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_loss_is_the_trainers(variant: str, reference: dict[str, Any]) -> None:
    case = next(case for case in reference["loss"] if case["variant"] == variant)
    samples = [sample(case, place) for place in range(len(case["new"]))]
    tokens = sum(map(len, case["new"]))
    loss, metrics = total(samples, tokens, VARIANTS[variant])
    assert loss.item() == pytest.approx(case["value"], rel=1e-9)
    loss.backward()
    for each, gradient in zip(samples, case["gradient"]):
        expected = torch.tensor([0.0, *gradient, 0.0], dtype=torch.float64)
        torch.testing.assert_close(each["trainer_logprobs"].grad, expected, rtol=1e-9, atol=1e-12)
    assert 0 <= metrics["clipped"].min() <= metrics["clipped"].max() <= 1


def test_a_weight_counts_as_often(reference: dict[str, Any]) -> None:
    case = next(case for case in reference["loss"] if case["variant"] == "dapo")
    once, twice = sample(case, 0), sample(case, 0)
    twice["loss_weights"] = torch.full_like(twice["advantages"], 2.0)
    settings = VARIANTS["dapo"]
    assert total([twice], 1, settings)[0].item() == pytest.approx(2 * total([once], 1, settings)[0].item())
