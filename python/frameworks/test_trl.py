"""TRL's own trainer, three steps of it, and its own loss on the trainer's cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tiny
import torch
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

import microcoder
from microcoder.trl import CodeReward, MicroCoderTrainer
from microcoder.truncation import Conditions

RIGHT = "print(3)"


def arguments(folder: Path, **named: Any) -> GRPOConfig:
    settings: dict[str, Any] = {
        "output_dir": str(folder),
        "max_steps": 3,
        "per_device_train_batch_size": 16,
        "num_generations": 8,
        "max_completion_length": 3,
        "learning_rate": 0.01,
        "loss_type": "dapo",
        "beta": 0.0,
        "epsilon": 0.2,
        "epsilon_high": 0.28,
        "delta": 3.0,
        "logging_steps": 1,
        "save_strategy": "no",
        "report_to": [],
        "use_cpu": True,
        "bf16": False,
        "seed": 1,
    }
    return GRPOConfig(**{**settings, **named})


def trainer(kind: type, folder: Path, problem: dict[str, Any], **named: Any) -> Any:
    # From a folder, as TRL loads a reference model from there too.
    tiny.qwen3(0).save_pretrained(folder / "model")
    rows = [{"prompt": "x=0;", "problem": json.dumps(problem)}] * 8
    return kind(
        model=str(folder / "model"),
        processing_class=tiny.tokenizer(),
        reward_funcs=CodeReward(field="code"),
        train_dataset=Dataset.from_list(rows),
        **named,
    )


def test_rewards_are_those_of_the_judge(problem: dict[str, Any], unjudgeable: dict[str, Any]) -> None:
    logged: dict[str, Any] = {}
    fenced = f"```python\n{RIGHT}\n```"
    rewards = CodeReward()(
        prompts=["", "", ""],
        completions=[fenced, [{"role": "assistant", "content": "no program"}], fenced],
        problem=[problem, json.dumps(problem), unjudgeable],
        log_extra=logged.__setitem__,
        log_metric=logged.__setitem__,
        trainer_state=None,
    )
    assert rewards == [1.0, 0.0, None]
    assert logged["verdict"] == ["accepted", "compile_error", "judge_failed"]
    assert logged["judge_failed"] == pytest.approx(1 / 3)


def test_a_run_that_learns_nothing_ends(unjudgeable: dict[str, Any], problem: dict[str, Any]) -> None:
    reward = CodeReward(field="code", patience=2)
    failing = {"prompts": [""], "completions": ["f = 1"], "problem": [unjudgeable]}
    assert reward(**failing) == [None]
    assert reward(prompts=[""], completions=[RIGHT], problem=[problem]) == [1.0]
    assert reward(**failing) == [None]
    with pytest.raises(microcoder.JudgeError, match="absent_module"):
        reward(**failing)


def test_a_missing_column_is_named() -> None:
    with pytest.raises(KeyError, match="'problem'"):
        CodeReward()(prompts=[""], completions=[""])


def test_three_steps_of_trls_own_trainer(tmp_path: Path, problem: dict[str, Any]) -> None:
    run = trainer(GRPOTrainer, tmp_path, problem, args=arguments(tmp_path))
    before = [weight.detach().clone() for weight in run.model.parameters()]
    run.train()
    steps = [entry for entry in run.state.log_history if "loss" in entry]
    assert len(steps) == 3
    assert any(0 < step["rewards/code_reward/mean"] < 1 for step in steps)
    assert all(step["judge_failed"] == 0 for step in steps)
    assert any(not torch.equal(*pair) for pair in zip(before, run.model.parameters()))


def test_the_mask_keeps_truncated_responses_out(tmp_path: Path, problem: dict[str, Any]) -> None:
    """With a probability of 1, each response that is cut and wrong; what is right or ended by itself is not."""
    seen: list[tuple[Any, list[float], dict[str, Any]]] = []

    class Observed(MicroCoderTrainer):
        def _generate_and_score_completions(self, inputs: Any) -> dict[str, Any]:
            output = super()._generate_and_score_completions(inputs)
            seen.append((*self._sampled, output))
            return output

    conditions = Conditions(rho=1.0, window=1)
    run = trainer(Observed, tmp_path, problem, args=arguments(tmp_path), conditions=conditions)
    run.train()
    assert len(seen) == 3
    masked = kept = 0
    for completions, rewards, output in seen:
        for tokens, reward, advantage in zip(completions, rewards, output["advantages"].tolist()):
            cut = len(tokens) == 3 and tokens[-1] != 1
            repeats = tokens[-1:] == tokens[-2:-1]
            if cut and reward == 0 and not repeats:
                assert advantage == 0
                masked += 1
            elif reward == 1:
                assert advantage > 0
                kept += 1
    assert masked
    assert kept
    shares = [entry["truncation/masked"] for entry in run.state.log_history if "truncation/masked" in entry]
    assert sum(shares) * 16 == pytest.approx(masked)


def test_the_temperature_changes_in_stages(tmp_path: Path, problem: dict[str, Any]) -> None:
    """Where responses are sampled, and where the loss divides the logits."""
    seen: list[tuple[float, float, float]] = []

    class Observed(MicroCoderTrainer):
        def _compute_loss(self, model: Any, inputs: dict[str, Any]) -> Any:
            ids = torch.cat([inputs["prompt_ids"], inputs["completion_ids"]], dim=1)
            width = inputs["completion_ids"].size(1)
            with torch.no_grad():
                logps = self._get_per_token_logps_and_entropies(model, ids, torch.ones_like(ids), width)[0]
                logits = model(input_ids=ids).logits[:, -width - 1 : -1]
            lead = logits.max(-1).values - logits.gather(-1, ids[:, -width:, None]).squeeze(-1)
            expected = torch.log_softmax(logits / self.temperature, -1).gather(-1, ids[:, -width:, None]).squeeze(-1)
            assert lead.max() > 0.01
            torch.testing.assert_close(logps, expected, atol=1e-5, rtol=1e-5)
            seen.append((self.temperature, self.generation_config.temperature, self.generation_kwargs["temperature"]))
            return super()._compute_loss(model, inputs)

    stages = [(2, 1.5), (1, 0.5)]
    run = trainer(Observed, tmp_path, problem, args=arguments(tmp_path), temperature_stages=stages)
    run.train()
    assert seen == [(1.0,) * 3, (0.5,) * 3, (1.5,) * 3]


# mc-train's variants as settings of TRL. What TRL has in no setting is not among them: a ratio before the KL term.
VARIANTS = {
    "grpo": {"loss_type": "grpo", "beta": 0.04, "epsilon_high": 0.2, "delta": None},
    "grpo_weighted_kl": {"loss_type": "grpo", "beta": 0.04, "epsilon_high": 0.2, "delta": None, "weighted": True},
    "dapo": {"loss_type": "dapo", "delta": None},
    "dapo_dual_clip": {"loss_type": "dapo", "delta": 3.0},
    "dr_grpo": {"loss_type": "dr_grpo", "epsilon_high": 0.2, "delta": None},
    "microcoder": {"loss_type": "dapo", "delta": None},
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_trls_loss_with_these_settings_is_the_trainers(
    variant: str, tmp_path: Path, problem: dict[str, Any], reference: dict[str, Any]
) -> None:
    case = next(case for case in reference["loss"] if case["variant"] == variant)
    settings = dict(VARIANTS[variant])
    settings["use_bias_correction_kl"] = settings.pop("weighted", False)
    width = case["max_length"]
    run = trainer(
        MicroCoderTrainer, tmp_path, problem, args=arguments(tmp_path, max_completion_length=width, **settings)
    )
    new = _table(case["new"], width).requires_grad_()
    mask = torch.tensor([[float(place < len(row)) for place in range(width)] for row in case["new"]])
    zeros = torch.zeros_like(new)
    run._get_per_token_logps_and_entropies = lambda *_, **__: (new, zeros, None)
    run.current_gradient_accumulation_steps = 1
    run.model.train()
    ids = torch.zeros_like(new, dtype=torch.long)
    inputs = {
        "prompt_ids": ids[:, :1],
        "prompt_mask": ids[:, :1],
        "completion_ids": ids,
        "completion_mask": mask.double(),
        "advantages": torch.tensor(case["advantages"], dtype=torch.float64),
        "old_per_token_logps": _table(case["old"], width),
        "ref_per_token_logps": _table(case["reference"], width),
        "num_items_in_batch": mask.sum(),
    }
    loss = run._compute_loss(run.model, inputs)
    assert loss.item() == pytest.approx(case["value"], rel=1e-9)
    loss.backward()
    expected = _table(case["gradient"], width)
    torch.testing.assert_close(new.grad * mask, expected * mask, rtol=1e-9, atol=1e-12)


def _table(rows: list[list[float]], width: int) -> Any:
    return torch.tensor([[*row, *[0.0] * (width - len(row))] for row in rows], dtype=torch.float64)
