#!/usr/bin/env python3
"""Records what the loss functions of TRL and verl give on small batches: their own code, taken from the installed packages
and run on tensors. tests/others.rs holds mc-train's losses to what is recorded.

    record_losses.sh          makes the environment and writes tests/reference/others.json

Only torch is imported. TRL and verl bring large dependencies along for their trainers, of which a loss function needs none:
the functions are cut out of their source files, and what they ask of a trainer is given by small stand-ins.
"""
import __future__

import ast
import collections
import importlib.metadata
import importlib.util
import json
import pathlib
import sys
import types
import unittest.mock

import numpy as np
import torch

LENGTHS = [9, 4, 12, 1, 7, 12]
LONGEST = 12


def functions(package, path, names, scope):
    """The functions of these names in a package's file, undecorated, with `scope` as their globals."""
    root = pathlib.Path(importlib.util.find_spec(package).submodule_search_locations[0])
    found = []
    for node in ast.walk(ast.parse((root / path).read_text())):
        if isinstance(node, ast.FunctionDef) and node.name in names:
            node.decorator_list = []
            found.append(node)
    assert {node.name for node in found} == set(names), f"{package} has no {names}"
    code = compile(ast.Module(found, []), path, "exec", flags=__future__.annotations.compiler_flag)
    exec(code, scope)
    return types.SimpleNamespace(**{name: scope[name] for name in names})


def table(generator, scale):
    return torch.randn(len(LENGTHS), LONGEST, generator=generator, dtype=torch.float64) * scale


def batch(seed, moved):
    """Log-probabilities of a policy, before it moved and of a reference, a mask, and an advantage for each response."""
    generator = torch.Generator().manual_seed(seed)
    old = -table(generator, 1.0).abs() - 0.1
    mask = torch.tensor([[float(place < length) for place in range(LONGEST)] for length in LENGTHS], dtype=torch.float64)
    advantages = torch.randn(len(LENGTHS), generator=generator, dtype=torch.float64)
    advantages[1] = 0.0
    return {"old": old, "new": old + table(generator, moved), "ref": old + table(generator, moved), "mask": mask,
            "advantages": advantages}


class ActorConfig(types.SimpleNamespace):
    """What verl's losses read of their configuration."""
    clip_ratio = 0.2
    global_batch_info = {}

    def get(self, name, default):
        return getattr(self, name, default)


def verl():
    math = functions("verl", "utils/torch_functional.py", ["masked_sum", "masked_mean"], {"torch": torch})
    scope = {"torch": torch, "np": np, "verl_F": math, "ActorConfig": ActorConfig, "AlgoConfig": type("AlgoConfig", (), {}),
             "defaultdict": collections.defaultdict}
    own = functions("verl", "trainer/ppo/core_algos.py", ["agg_loss", "compute_policy_loss_vanilla", "compute_policy_loss_gspo",
                                                          "kl_penalty_forward", "compute_grpo_outcome_advantage"], scope)

    def loss(data, new, config, ratio, aggregation, beta):
        policy = own.compute_policy_loss_gspo if ratio == "sequence" else own.compute_policy_loss_vanilla
        advantages = data["advantages"].unsqueeze(1) * data["mask"]
        total, metrics = policy(data["old"], new, advantages, data["mask"], aggregation, config)
        if beta:
            kld = own.kl_penalty_forward(new, data["ref"], "low_var_kl")
            total = total + beta * own.agg_loss(loss_mat=kld, loss_mask=data["mask"], loss_agg_mode=aggregation)
        return total, metrics["actor/ppo_kl"]

    return own, loss


def trl():
    own = functions("trl", "trainer/grpo_trainer.py", ["_compute_loss"], {"torch": torch, "nanmin": min, "nanmax": max})

    def loss(data, new, loss_type, **settings):
        """A trainer in evaluation: nothing is divided by accumulation steps."""
        tokens = torch.zeros(len(LENGTHS), LONGEST, dtype=torch.long)
        inputs = {"prompt_ids": tokens[:, :1], "prompt_mask": tokens[:, :1], "completion_ids": tokens, "completion_mask": data["mask"],
                  "advantages": data["advantages"], "old_per_token_logps": data["old"], "ref_per_token_logps": data["ref"],
                  "num_items_in_batch": data["mask"].sum()}
        trainer = unittest.mock.MagicMock(
            beta=settings.get("beta", 0.0), loss_type=loss_type, importance_sampling_level=settings.get("level", "token"),
            epsilon_low=settings.get("low", 0.2), epsilon_high=settings.get("high", 0.2), top_entropy_quantile=1.0,
            off_policy_mask_threshold=None, use_vllm=False, aux_loss_enabled=False, _entropy_bonus_enabled=False,
            max_completion_length=LONGEST, model=types.SimpleNamespace(training=False),
            args=types.SimpleNamespace(delta=None, use_bias_correction_kl=settings.get("weighted", False)))
        trainer.accelerator.num_processes = 1
        trainer.accelerator.gather = lambda value: value
        trainer._get_per_token_logps_and_entropies.return_value = (new, torch.zeros_like(new), None)
        return own._compute_loss(trainer, None, inputs), None

    return loss


def recorded(name, data, config, run):
    """A case: the batch, our settings for it, and the loss with its gradient."""
    new = data["new"].clone().requires_grad_()
    loss, moved = run(data, new)
    loss.backward()
    return {"name": name, "config": config, "lengths": LENGTHS, "max_length": LONGEST, "loss": loss.item(), "moved": moved,
            "gradient": new.grad.tolist(), **{key: data[key].tolist() for key in ("new", "old", "ref", "advantages")}}


def main(out):
    near, far = batch(1, 0.3), batch(2, 12.0)
    clip = {"clip_low": 0.2, "clip_high": 0.2}
    high, dual = {"clip_low": 0.2, "clip_high": 0.28}, {"dual_clip": 3.0}
    own, verl_loss = verl()
    trl_loss = trl()
    config = ActorConfig(clip_ratio_low=0.2, clip_ratio_high=0.2)
    dapo = ActorConfig(clip_ratio_low=0.2, clip_ratio_high=0.28)
    gspo = ActorConfig(clip_ratio_low=3e-4, clip_ratio_high=4e-4)
    cases = []
    for reach, data in (("near", near), ("far", far)):
        cases += [
            recorded(f"verl dapo, {reach}", data, {**high, **dual, "aggregation": "token_mean"},
                     lambda d, n: verl_loss(d, n, dapo, "token", "token-mean", 0.0)),
            recorded(f"verl grpo, token mean, {reach}", data, {**clip, **dual, "aggregation": "token_mean", "kl_beta": 0.001},
                     lambda d, n: verl_loss(d, n, config, "token", "token-mean", 0.001)),
            recorded(f"verl grpo, sequence mean, {reach}", data, {**clip, **dual, "aggregation": "sequence_mean", "kl_beta": 0.04},
                     lambda d, n: verl_loss(d, n, config, "token", "seq-mean-token-mean", 0.04)),
            recorded(f"verl dr. grpo, {reach}", data, {**clip, **dual, "aggregation": "constant"},
                     lambda d, n: verl_loss(d, n, config, "token", "seq-mean-token-sum-norm", 0.0)),
        ]
    cases += [
        recorded("verl gspo", near, {"clip_low": 3e-4, "clip_high": 4e-4, "ratio": "sequence", "aggregation": "sequence_mean"},
                 lambda d, n: verl_loss(d, n, gspo, "sequence", "seq-mean-token-mean", 0.0)),
        recorded("trl grpo", near, {**clip, "aggregation": "sequence_mean", "kl_beta": 0.04},
                 lambda d, n: trl_loss(d, n, "grpo", beta=0.04)),
        recorded("trl grpo, weighted kl", near, {**clip, "aggregation": "sequence_mean", "kl_beta": 0.04, "kl_weighted": True},
                 lambda d, n: trl_loss(d, n, "grpo", beta=0.04, weighted=True)),
        recorded("trl bnpo", near, {**clip, "aggregation": "token_mean"}, lambda d, n: trl_loss(d, n, "bnpo")),
        recorded("trl dapo", near, {**high, "aggregation": "token_mean"}, lambda d, n: trl_loss(d, n, "dapo", high=0.28)),
        recorded("trl dr. grpo", near, {**clip, "aggregation": "constant"}, lambda d, n: trl_loss(d, n, "dr_grpo")),
        recorded("trl gspo", near, {"clip_low": 3e-4, "clip_high": 4e-4, "ratio": "sequence", "aggregation": "sequence_mean"},
                 lambda d, n: trl_loss(d, n, "grpo", level="sequence", low=3e-4, high=4e-4)),
    ]
    rewards = torch.tensor([1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0], dtype=torch.float64)
    groups = np.array([0, 0, 0, 0, 1, 1, 1, 1])

    def advantages(by_deviation):
        own_advantages, _ = own.compute_grpo_outcome_advantage(rewards.unsqueeze(1).clone(), torch.ones(8, 1), groups,
                                                               norm_adv_by_std_in_grpo=by_deviation)
        return own_advantages.squeeze(1).tolist()

    record = {"versions": {name: importlib.metadata.version(name) for name in ("trl", "verl", "torch")},
              "advantages": {"rewards": rewards.tolist(), "group": 4, "eps": 1e-6, "by_group": advantages(True),
                             "centred": advantages(False)},
              "cases": cases}
    pathlib.Path(out).write_text(json.dumps(record) + "\n")
    print(f"{len(cases)} cases of {record['versions']} in {out}")


if __name__ == "__main__":
    main(sys.argv[1])
