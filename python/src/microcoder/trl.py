"""For TRL: a reward function for `GRPOTrainer`, and that trainer with MicroCoder-GRPO's mask and temperature."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Callable

from trl import GRPOTrainer

from microcoder.rewards import ACCEPTED, Watch, verdicts
from microcoder.shared import shared_judge
from microcoder.truncation import Conditions, draws


class CodeReward:
    """A reward function for `GRPOTrainer(reward_funcs=...)`.

    The dataset's `column` holds the problem, best as JSON text, since Arrow adds fields to rows that differ. `field`
    is "code" if completions are programs, and not texts in which one is found. `options` are those of `mc-eval judge`,
    such as `["--reward", "fraction"]`. A completion on which the judge failed has no reward (None), and TRL leaves it
    out; after `patience` batches in a row without any reward, the run ends with an error.
    """

    def __init__(
        self, column: str = "problem", *, field: str = "response", options: Sequence[str] = (), patience: int = 3
    ) -> None:
        # The name under which TRL logs it.
        self.__name__ = "code_reward"
        self._column = column
        self._field = field
        self._options = tuple(options)
        self._watch = Watch(patience)

    def __call__(
        self,
        prompts: Sequence[Any],
        completions: Sequence[Any],
        *,
        log_extra: Callable[[str, list[Any]], None] | None = None,
        log_metric: Callable[[str, float], None] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        if self._column not in columns:
            raise KeyError(f"the dataset has no column {self._column!r} with the problem of each prompt")
        texts = [_text(completion) for completion in completions]
        judge = shared_judge(*self._options)
        judged = verdicts(columns[self._column], texts, field=self._field, judge=judge)
        self._watch.observe(judged)
        if log_extra is not None:
            log_extra("verdict", [verdict.verdict for verdict in judged])
        if log_metric is not None and judged:
            log_metric("judge_failed", sum(not verdict.judged for verdict in judged) / len(judged))
        return [verdict.reward for verdict in judged]


def _text(completion: Any) -> str:
    """What the model wrote: as text, or as the last of a list of messages."""
    return completion if isinstance(completion, str) else str(completion[-1]["content"])


class MicroCoderTrainer(GRPOTrainer):
    """`GRPOTrainer` with the conditional truncation mask and a temperature that changes in stages.

    `temperature_stages` lists steps and the temperature from each on; before the first, it is that of the arguments. A
    response counts as correct if the first reward function gives it 1. The rest of MicroCoder-GRPO are TRL's own
    settings: `GRPOConfig(loss_type="dapo", beta=0.0, epsilon=0.2, epsilon_high=0.28, delta=3.0)`.
    """

    def __init__(
        self,
        *arguments: Any,
        conditions: Conditions | None = None,
        temperature_stages: Sequence[tuple[int, float]] = (),
        **named: Any,
    ) -> None:
        self._conditions = conditions or Conditions()
        self._stages = sorted(temperature_stages)
        self._sampled: tuple[list[list[int]], list[float]] = ([], [])
        super().__init__(*arguments, **named)
        models = [self.model, self.ref_model] if self._stages else []
        self._dividers = [_divider(model) for model in models if model is not None]

    def _generate_and_score_completions(self, inputs: Any) -> dict[str, Any]:
        if self.model.training:
            self._set_temperature()
        output: dict[str, Any] = super()._generate_and_score_completions(inputs)
        if self.model.training:
            masked = self._masked()
            for place in (place for place, is_masked in enumerate(masked) if is_masked):
                output["advantages"][place] = 0.0
            self._metrics["train"]["truncation/masked"].append(sum(masked) / len(masked))
        return output

    def _calculate_rewards(self, inputs: Any, prompts: Any, completions: Any, completion_ids_list: Any) -> Any:
        rewards = super()._calculate_rewards(inputs, prompts, completions, completion_ids_list)
        # Those of all processes, of which these completions are one's own.
        first = self.accelerator.process_index * len(prompts)
        self._sampled = (completion_ids_list, rewards[first : first + len(prompts), 0].tolist())
        return rewards

    def _masked(self) -> list[bool]:
        """Which of the responses of this process are truncated, and meet the conditions."""
        completions, rewards = self._sampled
        seed = (self.args.seed, self.accelerator.process_index, self.state.global_step, self._step)
        limit = self.max_completion_length
        return [
            # A response that stops at the last position is not truncated.
            tokens[-1:] not in ([stop] for stop in self.eos_token_ids)
            and self._conditions.mask(tokens, limit, reward >= ACCEPTED, draw)
            for tokens, reward, draw in zip(completions, rewards, draws(len(rewards), *seed))
        ]

    def _set_temperature(self) -> None:
        """That of the last stage begun, for sampling and for the log-probabilities in the loss."""
        begun = [value for step, value in self._stages if step <= self.state.global_step]
        if not begun or begun[-1] == self.temperature:
            return
        self.temperature: float = begun[-1]
        for divider in self._dividers:
            divider.cell_contents = self.temperature
        if self.use_vllm:
            self.vllm_generation.temperature = self.temperature
        else:
            self.generation_config.temperature = self.temperature
            self.generation_kwargs["temperature"] = self.temperature


def _divider(model: Any) -> Any:
    """Where the forward pass that TRL gave a model keeps the temperature that it divides logits by: it takes that once,
    when the trainer is made, and has no other way to change it."""
    base = model.get_base_model() if hasattr(model, "get_base_model") else model
    kept = inspect.getclosurevars(base.forward).nonlocals
    if "temperature" not in kept:
        raise RuntimeError("this release of TRL keeps the loss's temperature elsewhere: temperature_stages need 1.16")
    forward = base.forward.__func__
    return forward.__closure__[forward.__code__.co_freevars.index("temperature")]
