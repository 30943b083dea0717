"""verl's own synchronous trainer, from its configuration to the advantages that its actor would find, with the mask."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import tiny
import torch
import transfer_queue
import verl.trainer
from hydra import compose, initialize_config_dir
from tensordict import TensorDict
from verl.trainer.ppo.v1 import get_trainer_cls

from microcoder.verl_trainer import MicroCoderTrainer

# A response has at most so many tokens.
LIMIT = 6
END = 1
# Responses to one prompt: tokens, the score, and whether it is masked for certain.
RESPONSES = [
    ([2, 3, 4, 5, 6, 7], 0.0, True),
    ([7, 6, 5, 4, 3, 2], 1.0, False),
    ([2, 3, 4, 5, 6, END], 0.0, False),
    ([2, 3], 0.0, False),
    ([2, 3, 4, 7, 6, 6], 0.0, False),
    ([5, 4, 3, 2, 6, 7], -0.3, True),
]


class Queue:
    """The two calls of verl's queue that are used here, in one process: its own runs on a cluster of Ray."""

    def __init__(self) -> None:
        self._rows: dict[str, Any] = {}

    def put(self, keys: list[str], partition_id: str, fields: Any, **_: Any) -> Any:
        self._rows.update(fields.items())
        return transfer_queue.KVBatchMeta(keys=keys, tags=[{} for _ in keys], partition_id=partition_id)

    def get(self, keys: list[str], partition_id: str, select_fields: list[str]) -> Any:
        found = {name: self._rows[name] for name in select_fields if name in self._rows}
        return TensorDict(found, batch_size=len(keys))


@pytest.fixture(autouse=True)
def queue(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Queue()
    monkeypatch.setattr(transfer_queue, "kv_batch_put", kept.put)
    monkeypatch.setattr(transfer_queue, "kv_batch_get", kept.get)


def trainer(folder: Path, **settings: float) -> Any:
    """One that verl makes of its configuration, as far as it needs no worker."""
    tiny.qwen3(0).save_pretrained(folder)
    tiny.tokenizer().save_pretrained(folder)
    asked = [
        f"actor_rollout_ref.model.path={folder}",
        f"data.max_response_length={LIMIT}",
        "algorithm.adv_estimator=grpo",
        "trainer.v1.trainer_mode=microcoder",
        *(f"+trainer.v1.microcoder.{name}={value}" for name, value in settings.items()),
    ]
    with initialize_config_dir(str(Path(verl.trainer.__file__).parent / "config"), version_base=None):
        config = compose("ppo_trainer", overrides=asked)
    made = get_trainer_cls(config.trainer.v1.trainer_mode)(config=config)
    made._init_tokenizer()
    made.global_steps = 1
    return made


def advantages(made: Any) -> tuple[list[torch.Tensor], dict[str, Any]]:
    """Those that the actor would find in the queue, and what would be logged."""

    def rows(values: list[list[float]], kind: torch.dtype) -> Any:
        tensors = [torch.tensor(row, dtype=kind) for row in values]
        return torch.nested.as_nested_tensor(tensors, layout=torch.jagged)

    keys = [f"prompt_{place}_0" for place in range(len(RESPONSES))]
    fields = {
        "uid": ["prompt"] * len(keys),
        "responses": rows([tokens for tokens, _, _ in RESPONSES], torch.int64),
        "response_mask": rows([[1] * len(tokens) for tokens, _, _ in RESPONSES], torch.int64),
        "rm_scores": rows([[0.0] * (len(tokens) - 1) + [score] for tokens, score, _ in RESPONSES], torch.float32),
    }
    batch = transfer_queue.kv_batch_put(
        keys=keys, partition_id="train", fields=TensorDict(fields, batch_size=len(keys))
    )
    metrics: dict[str, Any] = {}
    made._compute_advantage(batch, metrics)
    found = transfer_queue.kv_batch_get(keys=keys, partition_id="train", select_fields=["advantages"])
    return list(found["advantages"].unbind()), metrics


def test_truncated_responses_that_are_wrong_are_kept_out(tmp_path: Path) -> None:
    plain, metrics = advantages(trainer(tmp_path, rho=0.0, window=1))
    assert metrics["truncation/masked"] == 0
    assert all(row.abs().min() > 0 for row in plain)
    masked, metrics = advantages(trainer(tmp_path, rho=1.0, window=1))
    assert metrics["truncation/masked"] == pytest.approx(2 / len(RESPONSES))
    for before, after, (tokens, _, is_masked) in zip(plain, masked, RESPONSES):
        assert len(after) == len(tokens)
        torch.testing.assert_close(after, torch.zeros_like(before) if is_masked else before)


def test_a_setting_that_there_is_not_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="rhoo"):
        trainer(tmp_path, rhoo=0.2)


def test_verl_finds_it_where_it_is_told_to() -> None:
    asked = (
        "import verl; from verl.trainer.ppo.v1 import get_trainer_cls; print(get_trainer_cls('microcoder').__name__)"
    )
    environment = {**os.environ, "VERL_USE_EXTERNAL_MODULES": "microcoder.verl_trainer"}
    said = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", asked], env=environment, capture_output=True, text=True, check=True
    )
    assert said.stdout.split()[-1] == MicroCoderTrainer.__name__
