#!/usr/bin/env python3
"""CPU-milliseconds per decoding step of narrow models, whose time is that of calls and not of arithmetic.

    trainer/experiments/decoding.py MC_TRAIN [MC_TRAIN...]

Several builds are measured in turn, so that what else the machine does hits all of them. The figure is the least of the rounds:
the processor time of a long generation less that of a short one, over the steps between them, on one thread.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 8
SLOTS = 8
SHORT, LONG = 16, 144
SHAPE = {
    "model_type": "qwen3", "vocab_size": 512, "hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 16, "rope_theta": 10000.0, "rms_norm_eps": 1e-6, "tie_word_embeddings": True,
}  # fmt: skip


def processor_time() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def generate(binary: str, folder: Path, tokens: int) -> float:
    """The processor time of a generation of so many tokens in every slot."""
    settings = {
        "model.path": folder, "model.random": "true", "model.device": "cpu", "rollout.slots": SLOTS,
        "rollout.max_tokens": tokens, "temperature.value": "1.0",
    }  # fmt: skip
    command = [binary, "bench", "generate", "--work", str(folder / "work.json"), "--out", str(folder / "out.json")]
    for name, value in settings.items():
        command += ["--set", f"{name}={value}"]
    before = processor_time()
    subprocess.run(command, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"}, stderr=subprocess.DEVNULL)
    assert json.loads((folder / "out.json").read_text())["tokens"] == SLOTS * tokens
    return processor_time() - before


def main(binaries: list[str]) -> None:
    least: dict[tuple[str, int], float] = {}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "work.json").write_text(json.dumps({"prompts": [[1, 2, 3]] * SLOTS}))
        for _ in range(ROUNDS):
            for layers in (28, 36):
                (folder / "config.json").write_text(json.dumps({**SHAPE, "num_hidden_layers": layers}))
                for binary in binaries:
                    spent = generate(binary, folder, LONG) - generate(binary, folder, SHORT)
                    step = 1000 * spent / (LONG - SHORT)
                    least[binary, layers] = min(step, least.get((binary, layers), step))
    for (binary, layers), step in sorted(least.items()):
        print(f"{binary}: {layers} layers: {step:.2f} ms of processor time a step")


if __name__ == "__main__":
    main(sys.argv[1:] or sys.exit(__doc__))
