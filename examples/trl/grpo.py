"""GRPO with TRL on programs, rewarded by the judge.

pip install microcoder "trl==1.16.0"
python examples/trl/grpo.py                          # Qwen3-0.6B on the showcase's problems, ten steps
python examples/trl/grpo.py --problems taco.jsonl --model Qwen/Qwen3-1.7B --steps 300
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from datasets import Dataset
from trl import GRPOConfig

from microcoder.trl import CodeReward, MicroCoderTrainer
from microcoder.truncation import Conditions

SHOWCASE = Path(__file__).parents[2] / "fixtures/problems.jsonl"
ASK = "\n\nAnswer with a Python program in a fenced block."


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--model", default="Qwen/Qwen3-0.6B")
    arguments.add_argument("--problems", type=Path, default=SHOWCASE)
    arguments.add_argument("--steps", type=int, default=10)
    arguments.add_argument("--max-tokens", type=int, default=1024)
    arguments.add_argument("--plain", action="store_true", help="the model has no chat template")
    arguments.add_argument("--out", default="run")
    given = arguments.parse_args()

    problems = [json.loads(line) for line in given.problems.read_text().splitlines()]
    trainer = MicroCoderTrainer(
        model=given.model,
        reward_funcs=CodeReward(),
        train_dataset=Dataset.from_list([row(problem, given.plain) for problem in problems]),
        conditions=Conditions(rho=0.2),
        args=GRPOConfig(
            output_dir=given.out,
            max_steps=given.steps,
            per_device_train_batch_size=8,
            num_generations=8,
            max_completion_length=given.max_tokens,
            temperature=1.2,
            # MicroCoder-GRPO: clip-higher, dual clip, a mean over tokens, and no divergence term.
            loss_type="dapo",
            epsilon=0.2,
            epsilon_high=0.28,
            delta=3.0,
            beta=0.0,
            logging_steps=1,
            report_to=[],
        ),
    )
    trainer.train()


def row(problem: dict[str, object], plain: bool) -> dict[str, object]:
    """A prompt, and beside it the whole problem, as text: the column that the reward function reads."""
    text = f"{problem.get('statement') or problem.get('question')}{ASK}"
    prompt = text if plain else [{"role": "user", "content": text}]
    return {"prompt": prompt, "problem": json.dumps(problem)}


if __name__ == "__main__":
    main()
