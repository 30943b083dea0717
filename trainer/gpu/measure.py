#!/usr/bin/env python3
"""Runs the parts that measure.sh names, and prints and writes what they gave. Here is what is measured and how it is reckoned;
the other side of each comparison is reference.py.

parity      mean error of log-probabilities and entropies, and the largest relative error of a gradient, of mc-train in
            bfloat16 against transformers in float32; it may be twice that of transformers in bfloat16. Of given tokens,
            and of tokens that mc-train sampled, with the log-probabilities it sampled them with.
generate    tokens a second, with CUDA graphs on a GPU, over twice as many responses as slots, in groups of 8, of unlike lengths. Random weights end a
            response by chance: enough tokens are made to end it for about 1500 tokens in the mean, at most 4096.
            transformers gets one batch as wide as the slots, of the same groups, for at most 30 seconds. The floor is the
            time in which this machine copies the bytes that must be read: all weights at every step, and the keys and
            values of every token's past.
graphs      the same without CUDA graphs (off), in steps that could be captured (rehearsed) and with graphs (on; on a GPU alone):
            seconds of a step, the captures among them. It holds where `on` draws the very tokens and log-probabilities of
            `rehearsed`, whose steps it replays, and where what it samples is as near to transformers as in `parity`.
            `off` has other shapes, and so other roundings: how many responses are the same is for information.
update      three updates of 64 responses, the first apart, with layers run again on the way back and without; plain
            PyTorch does the same. Utilisation is 6 operations per weight and token, and attention's, over what this
            machine multiplies in bfloat16, and over 989e12. Layers that are run again count once.
step        one step of a preset with its lengths cut to 2048: sampled and judged, with seconds per phase, with CUDA graphs on a
            GPU. Random weights answer nothing right, so no response has an advantage, and the update passes over them: see
            `update` for its cost.
learn       20 steps of the toy task, after its supervised training, without CUDA graphs (off), in steps that could be captured
            (rehearsed) and with graphs (on; on a GPU alone): avg@4 before and after, seconds of generation, and how far apart
            trainer and sampler are in log-probability, in the mean of the steps. It holds where `on` samples in its first
            step what `rehearsed` does, and is no further apart than twice as much: stale weights would be. An update on a
            GPU need not be the same to the bit, nor what follows it.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
MC_TRAIN = os.environ["MC_TRAIN"]
PARTS = ["parity", "generate-1.7b-128", "generate-1.7b-256", "generate-4b-128", "generate-4b-256", "graphs-1.7b",
         "update-1.7b", "step-1.7b", "learn"]
GROUP = 8  # responses to a prompt, as in training
SPECIFIED_FLOPS = 989e12  # bfloat16, dense: H100 and H200 SXM


def shape(hidden, wide, layers, heads, kv_heads, dim, vocab):
    return {"hidden_size": hidden, "intermediate_size": wide, "num_hidden_layers": layers, "num_attention_heads": heads,
            "num_key_value_heads": kv_heads, "head_dim": dim, "vocab_size": vocab, "tie_word_embeddings": True}


SHAPES = {"1.7b": shape(2048, 6144, 28, 16, 8, 128, 151936), "4b": shape(2560, 9728, 36, 32, 8, 128, 151936),
          "parity": shape(1024, 3072, 4, 16, 8, 128, 32768)}
TINY = {"1.7b": shape(64, 160, 2, 4, 2, 16, 1024), "4b": shape(96, 224, 2, 6, 2, 16, 1024),
        "parity": shape(64, 160, 2, 4, 2, 16, 1024)}
SIZES = {"slots": {"128": 128, "256": 256}, "longest": 4096, "mean": 1500, "prompt": (64, 256), "max_seconds": 30,
         "micro_batch": 16384, "reference_micro_batch": 4096, "sequences": 64, "step": (64, 8, 2048),
         "graphs": {"slots": (8, 128), "longest": 512}, "sft_steps": 800, "learn_steps": 20}
TINY_SIZES = {"slots": {"128": 4, "256": 8}, "longest": 48, "mean": 16, "prompt": (4, 12), "max_seconds": 10,
              "micro_batch": 256, "reference_micro_batch": 128, "sequences": 8, "step": (2, 2, 32),
              "graphs": {"slots": (8,), "longest": 32}, "sft_steps": 20, "learn_steps": 2}


# ------------------------------------------------------------------------------------------------ reckoning
def matrix_weights(config):
    """Weights that a token is multiplied with in the layers, and those of the head."""
    heads, kv_heads, dim = (config[name] for name in ("num_attention_heads", "num_key_value_heads", "head_dim"))
    hidden, wide = config["hidden_size"], config["intermediate_size"]
    layer = hidden * dim * (2 * heads + 2 * kv_heads) + 3 * hidden * wide
    return layer * config["num_hidden_layers"], hidden * config["vocab_size"]


def cache_bytes(config):
    """Keys and values of a token, in bfloat16."""
    return 4 * config["num_hidden_layers"] * config["num_key_value_heads"] * config["head_dim"]


def operations(config, pairs):
    """Of a forward and a backward pass over (prompt, response) lengths. A causal query sees half of the sequence; the head
    sees responses only."""
    layers, head = matrix_weights(config)
    width = config["num_attention_heads"] * config["head_dim"] * config["num_hidden_layers"]
    totals = [prompt + response for prompt, response in pairs]
    attention = sum(2 * 2 * total * total / 2 * width for total in totals)
    return 3 * (2 * layers * sum(totals) + 2 * head * sum(response for _, response in pairs) + attention)


def floor_seconds(config, steps, lengths, machine):
    """What reading takes at least: the weights at every step, and every token's past."""
    past = sum(response * prompt + response * (response + 1) / 2 for prompt, response in lengths)
    read = steps * 2 * sum(matrix_weights(config)) + past * cache_bytes(config)
    return read / machine["copied_bytes_per_second"]


# ------------------------------------------------------------------------------------------------ the bench
class Failed(Exception):
    """A command that did not end well, with the end of what it said."""


class Lab:
    def __init__(self, out, tiny):
        self.out, self.tiny = out, tiny
        self.shapes, self.sizes = (TINY, TINY_SIZES) if tiny else (SHAPES, SIZES)
        self.machine = self.reference("machine", out / "machine.json")
        self.device = "cpu" if self.machine["device"] == "CPU" else "cuda"
        self.random = random.Random(0)

    def run(self, *command):
        start = time.perf_counter()
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise Failed(f"{pathlib.Path(command[0]).name} {command[1]} ended with {done.returncode}: {done.stdout[-1500:]}")
        return time.perf_counter() - start

    def reference(self, *words):
        self.run(sys.executable, HERE / "reference.py", *words)
        if str(words[-1]).endswith(".json"):
            return json.loads(pathlib.Path(words[-1]).read_text())

    def bench(self, what, model, work, out, **settings):
        """mc-train bench in bfloat16, at temperature 1."""
        settings = {"model.path": json.dumps(str(model)), "model.compute": '"bfloat16"', "model.device": json.dumps(self.device),
                    "temperature.value": 1.0, **settings}
        sets = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
        self.run(MC_TRAIN, "bench", what, "--work", work, "--out", out, *sets)
        return json.loads(out.read_text()) if out.suffix == ".json" else out

    def ways(self):
        """To launch the steps of decoding; the last is the fastest that this machine has."""
        return ["off", "rehearsed"] + (["on"] if self.device == "cuda" else [])

    def model(self, name):
        """The folder of a shape's model, made where it is not there yet."""
        folder = self.out / f"model-{name}"
        if not (folder / "tokenizer.json").exists():
            config = {**self.shapes[name], "eos_token_id": self.stop(name)}
            path = self.write(f"shape-{name}.json", config)
            folder.mkdir(exist_ok=True)
            self.reference("model", path, folder)
        return folder

    def stop(self, name):
        """Tokens that end a response: as many as make its mean length."""
        vocab = self.shapes[name]["vocab_size"]
        return sorted(random.Random(1).sample(range(300, vocab), max(1, round(vocab / self.sizes["mean"]))))

    def tokens(self, name, count):
        return [self.random.randrange(300, self.shapes[name]["vocab_size"]) for _ in range(count)]

    def work(self, name, prompts, responses=(), samples=1):
        """A file of work: prompts, and responses of the lengths given, or how many to sample."""
        prompts = [self.tokens(name, self.random.randint(*self.sizes["prompt"])) for _ in range(prompts)]
        work = {"prompts": prompts, "responses": [self.tokens(name, length) for length in responses], "samples": samples,
                "stop": self.stop(name)}
        return self.write(f"work-{name}.json", work), work

    def lengths(self, count):
        """As sampling would give them."""
        drawn = (1 + int(self.random.expovariate(1 / self.sizes["mean"])) for _ in range(count))
        return [min(length, self.sizes["longest"] - self.sizes["prompt"][1]) for length in drawn]

    def write(self, name, value):
        path = self.out / name
        path.write_text(json.dumps(value))
        return path


def parity(lab, graphs="off"):
    path, _ = lab.work("parity", 6, [5, 40, 300, 17, 1, 120] if not lab.tiny else [5, 9, 30, 17, 1, 12])
    model = lab.model("parity")
    settings = {"rollout.slots": 4, "rollout.max_tokens": 48, "rollout.cuda_graphs": json.dumps(graphs)}
    ours = lab.bench("score", model, path, lab.out / "score.safetensors", **settings)
    return lab.reference("score", model, path, ours, lab.out / "score.json")


def fitting(lab, name, slots, tokens, weight_bytes):
    """As many of the slots as memory has room for beside the weights, at so many bytes each, and some GB for the rest: a width
    for both sides. A run plans its own (`mc-train plan`)."""
    if lab.device == "cpu":
        return slots
    config = lab.shapes[name]
    room = lab.machine["free_bytes"] * 0.95 - weight_bytes * sum(matrix_weights(config)) - 6e9
    return min(slots, int(room // (tokens * cache_bytes(config))))


def generate(lab, name, slots):
    config, longest = lab.shapes[name], lab.sizes["longest"]
    # Float32 masters and the copy that is sampled from.
    asked, slots = slots, fitting(lab, name, slots, longest + lab.sizes["prompt"][1], 6)
    path, _ = lab.work(name, 2 * slots // GROUP, samples=GROUP)
    model = lab.model(name)
    settings = {"rollout.slots": slots, "rollout.max_tokens": longest, "data.max_prompt": lab.sizes["prompt"][1],
                "rollout.cuda_graphs": json.dumps(lab.ways()[-1])}
    ours = lab.bench("generate", model, path, lab.out / "generate.json", **settings)
    lengths = ours.pop("lengths")
    del ours["hashes"]
    theirs = tried(lambda: lab.reference(
        "generate", model, path, lab.write("settings.json", {"batch": slots, "max_tokens": longest, "max_seconds": lab.sizes["max_seconds"]}),
        lab.out / "reference-generate.json"))
    rate, floor = ours["tokens"] / ours["seconds"], floor_seconds(config, ours["steps"], lengths, lab.machine)
    result = {"slots_asked": asked, "slots": slots, "responses": len(lengths), "mean_length": ours["tokens"] / len(lengths), **ours,
              "tokens_per_second": rate, "floor_tokens_per_second": ours["tokens"] / floor, "share_of_floor": floor / ours["seconds"],
              "transformers": theirs}
    if "failed" not in theirs:
        theirs["tokens_per_second"] = theirs["tokens"] / theirs["seconds"]
        result["times_transformers"] = rate / theirs["tokens_per_second"]
    return result


def graphs(lab, name):
    model, sizes, ways = lab.model(name), lab.sizes["graphs"], lab.ways()
    result = {"parity": parity(lab, ways[-1])}
    holds = result["parity"]["holds"]
    for slots in sizes["slots"]:
        path, _ = lab.work(name, slots // GROUP, samples=GROUP)
        settings = {"rollout.slots": slots, "rollout.max_tokens": sizes["longest"]}
        made = {way: tried(lambda: lab.bench("generate", model, path, lab.out / "graphs.json", **settings, **{"rollout.cuda_graphs": json.dumps(way)}))
                for way in ways}
        result[f"{slots}_slots"] = {way: stepped(one, made["rehearsed"]) for way, one in made.items()}
        holds = holds and all(made[way].get("hashes") == made["rehearsed"].get("hashes", "") for way in ways[1:])
    return {**result, "on": "among them" if "on" in ways else "not tried: no GPU", "holds": holds}


def stepped(made, rehearsed):
    """What is told of a way to launch steps."""
    if "failed" in made:
        return made
    same = sum(one == other for one, other in zip(made["hashes"], rehearsed.get("hashes", [])))
    return {"seconds_per_step": made["seconds"] / made["steps"], "seconds_per_token": made["seconds"] / made["tokens"], "steps": made["steps"],
            "responses": len(made["hashes"]), "same_as_rehearsed": same, "peak_bytes": made["peak_bytes"]}


def update(lab, name):
    config = lab.shapes[name]
    path, work = lab.work(name, lab.sizes["sequences"], lab.lengths(lab.sizes["sequences"]))
    model = lab.model(name)
    pairs = [(len(prompt), len(response)) for prompt, response in zip(work["prompts"], work["responses"])]
    needed = operations(config, pairs)

    def measured(record):
        seconds = min(record["seconds"][1:])
        return {**record, "tokens_per_second": sum(map(sum, pairs)) / seconds,
                "utilisation_of_measured": needed / seconds / lab.machine["bf16_matmul_flops"],
                "utilisation_of_specified": needed / seconds / SPECIFIED_FLOPS}

    def ours(recompute, micro_batch):
        settings = {"rollout.max_tokens": lab.sizes["longest"], "update.activation_checkpointing": recompute, "update.micro_batch_tokens": micro_batch}
        return tried(lambda: measured(lab.bench("update", model, path, lab.out / "update.json", **settings)))

    settings = lab.write("settings.json", {"micro_batch_tokens": lab.sizes["reference_micro_batch"]})
    result = {"tokens": sum(map(sum, pairs)), "operations": needed, "recompute": ours("true", lab.sizes["micro_batch"]),
              "keep": ours("false", lab.sizes["micro_batch"] // 2),
              "pytorch": tried(lambda: measured(lab.reference("update", model, path, settings, lab.out / "reference-update.json")))}
    for way in ("recompute", "keep"):
        if "failed" not in result[way] and "failed" not in result["pytorch"]:
            mine, theirs = result[way], result["pytorch"]
            result[f"times_pytorch_{way}"] = mine["tokens_per_second"] / theirs["tokens_per_second"]
            result[f"gradient_norm_apart_{way}"] = abs(mine["gradient_norms"][0] / theirs["gradient_norms"][0] - 1)
    return result


def toy(lab):
    folder = lab.out / "toy"
    if not folder.exists():
        lab.run(MC_TRAIN, "toy", folder)
    return folder


def step(lab, name):
    """The toy's problems stand for prompts. Every answer is judged, and wrong."""
    prompts, samples, longest = lab.sizes["step"]
    run, problems = lab.out / "run-step", json.dumps(str(toy(lab) / "train.jsonl"))
    shutil.rmtree(run, ignore_errors=True)
    settings = {"model.path": json.dumps(str(lab.model(name))), "model.device": json.dumps(lab.device), "steps": 1, "data.problems": f"[{problems}]",
                "data.held_out": "[]", "data.chat": "false", "data.program": '"whole"', "data.template": json.dumps("{statement}\n"),
                "temperature.by": '"constant"', "temperature.value": 1.0,
                "rollout.prompts": prompts, "rollout.samples": samples, "rollout.max_tokens": longest, "update.prompts": max(1, prompts // 2),
                "data.max_prompt": 64, "rollout.slots": '"auto"',
                "rollout.cuda_graphs": json.dumps(lab.ways()[-1]),
                "output.samples_every": 0, "output.tensorboard": "false"}
    sets = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    seconds = lab.run(MC_TRAIN, "grpo", "--config", HERE.parent / "presets/microcoder-1.7b-4k.toml", "--out", run, *sets)
    record = records(run, "step")[-1]
    shutil.rmtree(run)
    keep = ("seconds", "memory_mib", "tokens_per_second", "response_length", "truncated", "updates", "gradient_norm", "mismatch", "absent_rewards")
    return {"command_seconds": seconds, "responses": prompts * samples, **{name: record[name] for name in keep}}


def learn(lab):
    folder = toy(lab)
    shutil.rmtree(lab.out / "sft", ignore_errors=True)
    common = ["--set", f'model.device="{lab.device}"', "--set", 'model.compute="bfloat16"']
    warm = lab.run(MC_TRAIN, "sft", "--config", folder / "run.toml", "--out", lab.out / "sft", "--set", "data.held_out=[]",
                   "--set", f"sft.steps={lab.sizes['sft_steps']}", *common)
    made = {way: tried(lambda: learnt(lab, folder, way, common)) for way in lab.ways()}
    holds = not any("failed" in one for one in made.values()) and all(
        made[way]["first_step"] == made["rehearsed"]["first_step"] and made[way]["mismatch"] <= 2 * made["rehearsed"]["mismatch"]
        for way in lab.ways()[1:])
    return {"sft_seconds": warm, "steps": lab.sizes["learn_steps"], **made, "holds": holds}


def learnt(lab, folder, way, common):
    """The steps of the toy task in one way to launch decoding, and what they made."""
    run, steps = lab.out / "run-learn", lab.sizes["learn_steps"]
    shutil.rmtree(run, ignore_errors=True)
    seconds = lab.run(MC_TRAIN, "grpo", "--config", folder / "run.toml", "--out", run, "--set", f"steps={steps}",
                      "--set", f"evaluation.every={steps}", "--set", "model.random=false", "--set", f"rollout.cuda_graphs={json.dumps(way)}",
                      "--set", f"model.path={json.dumps(str(lab.out / 'sft/model'))}", *common)
    accuracies = [record["accuracy"] for record in records(run, "evaluation")]
    made = records(run, "step")
    sampled = ("reward", "response_length", "truncated", "diversity", "distinct")
    return {"seconds": seconds, "generation_seconds": sum(record["seconds"]["generation"] for record in made),
            "mismatch": sum(record["mismatch"] for record in made) / len(made), "first_step": [made[0][name] for name in sampled],
            "accuracy_before": accuracies[0], "accuracy_after": accuracies[-1]}


def records(run, kind):
    lines = (json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines())
    return [line for line in lines if line["kind"] == kind]


def tried(work):
    """What came of it, or why nothing did."""
    try:
        return work()
    except Failed as failure:
        return {"failed": str(failure)}


def measure(lab, part):
    kind, *rest = part.split("-")
    if kind == "generate":
        return generate(lab, rest[0], lab.sizes["slots"][rest[1]])
    return {"parity": parity, "graphs": graphs, "update": update, "step": step, "learn": learn}[kind](lab, *rest)


def broken(result):
    """Whether something of ours did not end well or is off; the other side may lack memory for the same work."""
    ours = [result, *(result[way] for way in ("recompute", "keep") if way in result)]
    return any("failed" in one for one in ours) or result.get("holds") is False


def told(value, indent="  "):
    """A record for people."""
    lines = []
    for name, one in value.items():
        if isinstance(one, dict):
            lines += [f"{indent}{name}:", *told(one, indent + "  ")]
        else:
            lines.append(f"{indent}{name}: " + (f"{one:.4g}" if isinstance(one, float) else str(one)))
    return lines


def main():
    parser = argparse.ArgumentParser(prog="measure.sh")
    parser.add_argument("--tiny", action="store_true", help="every part at tiny size")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("measured"), help="folder for what is made")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    args = parser.parse_args()
    if unknown := [part for part in args.parts if part not in PARTS]:
        parser.error(f"no part {unknown[0]!r}: {', '.join(PARTS)}")
    args.out = args.out.resolve()
    args.out.mkdir(parents=True, exist_ok=True)
    lab = Lab(args.out, args.tiny)
    results = {"tiny": args.tiny, "machine": lab.machine}
    print("machine:", *told(lab.machine), sep="\n", flush=True)
    failed = []
    for part in args.parts or PARTS:
        start = time.perf_counter()
        results[part] = {**tried(lambda: measure(lab, part)), "part_seconds": time.perf_counter() - start}
        if broken(results[part]):
            failed.append(part)
        print(f"{part}:", *told(results[part]), sep="\n", flush=True)
        lab.write("measure.json", results)
    print(f"results are in {args.out / 'measure.json'}" + (f"; failed: {', '.join(failed)}" if failed else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
