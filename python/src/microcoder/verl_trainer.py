"""For verl: its synchronous trainer with MicroCoder-GRPO's conditional truncation mask, as the trainer mode
`microcoder`.

verl loads it where it is told to; the plugin that it finds by itself does without its whole trainer:

    VERL_USE_EXTERNAL_MODULES=microcoder.verl_trainer python -m verl.trainer.main_ppo \\
        trainer.v1.trainer_mode=microcoder +trainer.v1.microcoder.rho=0.2 ...
"""

from __future__ import annotations

from typing import Any

import torch
import transfer_queue
from omegaconf import OmegaConf, open_dict
from tensordict import TensorDict
from verl.trainer.ppo.v1 import PPOTrainerSync, register_trainer
from verl.utils.config import omega_conf_to_dataclass

from microcoder.rewards import ACCEPTED
from microcoder.truncation import Conditions, draws
from microcoder.verl import which_are_masked


@register_trainer("microcoder")
class MicroCoderTrainer(PPOTrainerSync):
    """`PPOTrainerSync`, whose masked responses have the advantage 0.

    Settings under `trainer.v1.microcoder` are those of `Conditions`. A response counts as correct if its score is 1.
    """

    def __init__(self, config: Any) -> None:
        settings = config.trainer.v1.get("microcoder") or OmegaConf.create()
        self._conditions = Conditions(**settings)
        # What verl does for one of its own modes and not for others goes by this name.
        with open_dict(config):
            config.trainer.v1.trainer_mode = "sync"
        super().__init__(config)

    def _init_tokenizer(self) -> None:
        super()._init_tokenizer()
        # A model may name more tokens that end a response than its tokenizer does.
        model = omega_conf_to_dataclass(self.config.actor_rollout_ref.model)
        named = getattr(model.generation_config, "eos_token_id", None)
        self._stop_tokens = [model.tokenizer.eos_token_id, *(named if isinstance(named, list) else [named])]

    def _compute_advantage(self, batch: Any, metrics: dict[str, Any]) -> Any:
        done = super()._compute_advantage(batch, metrics)
        where = {"keys": batch.keys, "partition_id": batch.partition_id}
        data = transfer_queue.kv_batch_get(**where, select_fields=["advantages", "responses", "rm_scores"])
        masked = self._masked(data)
        metrics["truncation/masked"] = sum(masked) / len(masked)
        rows = [
            torch.zeros_like(row) if is_masked else row for row, is_masked in zip(data["advantages"].unbind(), masked)
        ]
        advantages = torch.nested.as_nested_tensor(rows, layout=torch.jagged)
        transfer_queue.kv_batch_put(**where, fields=TensorDict({"advantages": advantages}, batch_size=len(masked)))
        return done

    def _masked(self, data: Any) -> list[bool]:
        return which_are_masked(
            [tokens.tolist() for tokens in data["responses"].unbind()],
            [scores.sum().item() >= ACCEPTED for scores in data["rm_scores"].unbind()],
            draws(len(data), self.config.data.get("seed"), self.global_steps, self.local_trigger_step),
            max_length=self.config.data.max_response_length,
            stop_tokens=self._stop_tokens,
            conditions=self._conditions,
        )
