#!/usr/bin/env python3
"""What mc-train is held against: transformers and plain PyTorch on the same work. Run by measure.py, each command in a
process of its own, so that no part holds memory of another.

    reference.py machine OUT.json                 the device, its memory, and what it copies and multiplies in a second
    reference.py model SHAPE.json FOLDER          random weights of a shape, bfloat16, with a tokenizer of bytes
    reference.py score FOLDER WORK.json OURS.safetensors OUT.json
    reference.py generate FOLDER WORK.json SETTINGS.json OUT.json
    reference.py update FOLDER WORK.json SETTINGS.json OUT.json
"""
import json
import pathlib
import sys
import time

import torch
import transformers
from safetensors.torch import load_file

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
transformers.utils.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()


def synchronize():
    if DEVICE == "cuda":
        torch.cuda.synchronize()


def peak_bytes():
    return torch.cuda.max_memory_allocated() if DEVICE == "cuda" else 0


def timed(work, times):
    """The least seconds of a few tries, after one that is not counted."""
    seconds = []
    for _ in range(times + 1):
        synchronize()
        start = time.perf_counter()
        work()
        synchronize()
        seconds.append(time.perf_counter() - start)
    return min(seconds[1:])


# ------------------------------------------------------------------------------------------------ the machine
def machine():
    side = 8192 if DEVICE == "cuda" else 512
    numbers = 2**30 if DEVICE == "cuda" else 2**24
    source = torch.empty(numbers, dtype=torch.bfloat16, device=DEVICE).fill_(1)
    target = torch.empty_like(source)
    left, right = (torch.randn(side, side, device=DEVICE).bfloat16() for _ in range(2))
    free, total = torch.cuda.mem_get_info() if DEVICE == "cuda" else (0, 0)
    return {
        "device": torch.cuda.get_device_name() if DEVICE == "cuda" else "CPU",
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "memory_bytes": total,
        "free_bytes": free + 2 * (source.nbytes if DEVICE == "cuda" else 0),
        "copied_bytes_per_second": 2 * source.nbytes / timed(lambda: target.copy_(source), 5),
        "bf16_matmul_flops": 2 * side**3 / timed(lambda: left @ right, 5),
    }


# ------------------------------------------------------------------------------------------------ a model
def make_model(shape, folder):
    """Random weights as transformers draws them; norms that are no ones, for ones would hide a mistake in them."""
    config = transformers.Qwen3Config(**shape, max_position_embeddings=40960, rms_norm_eps=1e-6, pad_token_id=0, bos_token_id=None,
                                      rope_parameters={"rope_type": "default", "rope_theta": 1e6})
    torch.manual_seed(0)
    with torch.device(DEVICE):
        model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "norm" in name:
                weight.add_(0.1 * torch.randn_like(weight))
    model.save_pretrained(folder)
    write_tokenizer(folder)


def write_tokenizer(folder):
    """A token for every byte; the other ids have no text."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: number + 2 for number, letter in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast"}\n')


def load(folder, dtype):
    return transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, attn_implementation="sdpa").to(DEVICE)


def padded(rows, left=False):
    """Rows of token ids as one tensor, padded with 0, and its mask."""
    longest = max(map(len, rows))
    fill = [[0] * (longest - len(row)) for row in rows]
    ids = [gap + row if left else row + gap for gap, row in zip(fill, rows)]
    mask = [[0] * len(gap) + [1] * len(row) if left else [1] * len(row) + [0] * len(gap) for gap, row in zip(fill, rows)]
    return torch.tensor(ids, device=DEVICE), torch.tensor(mask, device=DEVICE)


def log_probs(model, prompt, response):
    """Log-probabilities of one response's tokens, and the entropies, in float32."""
    ids = torch.tensor([prompt + response], device=DEVICE)
    logits = model(ids, logits_to_keep=len(response) + 1).logits[0, :-1].float()
    all_of_them = logits.log_softmax(-1)
    chosen = all_of_them.gather(-1, ids[0, len(prompt):, None])[:, 0]
    return chosen, -(all_of_them.exp() * all_of_them).sum(-1)


# ------------------------------------------------------------------------------------------------ parity
def score(folder, work, ours):
    """How far ours and transformers, both in bfloat16, are from transformers in float32, on the same weights and tokens."""
    exact, rough = differentiate(folder, work, torch.float32), differentiate(folder, work, torch.bfloat16)
    own = {name.removeprefix("gradient."): tensor for name, tensor in ours.items() if name.startswith("gradient.")}
    figures = {}
    for name in ("log_probs", "entropies"):
        figures[name] = {"ours": mean_gap(ours[name], exact[name]), "transformers": mean_gap(rough[name], exact[name])}
    names = sorted(own)
    figures["gradients"] = {"ours": max(relative(own[name], exact[name]) for name in names),
                            "transformers": max(relative(rough[name], exact[name]) for name in names)}
    answers = [row.tolist() for row in ours["sampled.tokens"].split(ours["sampled.lengths"].tolist())]
    sampled = {**work, "responses": answers}
    exact, rough = (forward(folder, sampled, dtype) for dtype in (torch.float32, torch.bfloat16))
    figures["sampled log_probs"] = {"ours": mean_gap(ours["sampled.log_probs"], exact), "transformers": mean_gap(rough, exact)}
    for figure in figures.values():
        figure["ratio"] = figure["ours"] / max(figure["transformers"], 1e-12)
        figure["holds"] = figure["ratio"] <= 2
    missing = [name for name in exact_names(folder) if name not in own]
    return {"figures": figures, "gradients_missing": missing, "holds": not missing and all(f["holds"] for f in figures.values())}


def exact_names(folder):
    with torch.device("meta"):
        model = transformers.AutoModelForCausalLM.from_config(transformers.AutoConfig.from_pretrained(folder))
    return [name for name, _ in model.named_parameters()]


def differentiate(folder, work, dtype):
    model = load(folder, dtype)
    tokens = sum(map(len, work["responses"]))
    scores = []
    for prompt, response in zip(work["prompts"], work["responses"]):
        chosen, entropies = log_probs(model, prompt, response)
        (-chosen.sum() / tokens).backward()
        scores.append((chosen.detach().cpu(), entropies.detach().cpu()))
    gradients = {name: weight.grad.float().cpu() for name, weight in model.named_parameters()}
    return {"log_probs": torch.cat([pair[0] for pair in scores]), "entropies": torch.cat([pair[1] for pair in scores]), **gradients}


@torch.no_grad()
def forward(folder, work, dtype):
    model = load(folder, dtype)
    return torch.cat([log_probs(model, *pair)[0].cpu() for pair in zip(work["prompts"], work["responses"])])


def mean_gap(one, other):
    return float((one.double() - other.double()).abs().mean())


def relative(one, other):
    return float((one.double() - other.double()).norm() / other.double().norm())


# ------------------------------------------------------------------------------------------------ generation
@torch.no_grad()
def generate(folder, work, settings):
    """transformers' own generation over one batch, as wide as mc-train's slots; cut off after some seconds, which favours it: the
    batch is at its fullest and its contexts at their shortest then."""
    model = load(folder, torch.bfloat16).eval()
    prompts = [prompt for prompt in work["prompts"] for _ in range(work["samples"])]
    ids, mask = padded(prompts[:settings["batch"]], left=True)
    options = {"do_sample": True, "temperature": 1.0, "top_k": 0, "top_p": 1.0, "pad_token_id": 0, "eos_token_id": work["stop"]}
    model.generate(ids, attention_mask=mask, max_new_tokens=8, **options)
    if DEVICE == "cuda":
        torch.cuda.reset_peak_memory_stats()
    synchronize()
    start = time.perf_counter()
    made = model.generate(ids, attention_mask=mask, max_new_tokens=settings["max_tokens"], max_time=settings["max_seconds"], **options)
    synchronize()
    seconds = time.perf_counter() - start
    stop = set(work["stop"])
    lengths = []
    for row in made[:, ids.shape[1]:].tolist():
        ended = next((place + 1 for place, token in enumerate(row) if token in stop), len(row))
        lengths.append(ended)
    return {"seconds": seconds, "tokens": sum(lengths), "steps": made.shape[1] - ids.shape[1], "peak_bytes": peak_bytes()}


# ------------------------------------------------------------------------------------------------ an update
def update(folder, work, settings):
    """The plain way: float32 weights under autocast, layers checkpointed, padded micro-batches, whole logits, fused AdamW."""
    model = load(folder, torch.float32)
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-6, weight_decay=0.0, fused=DEVICE == "cuda")
    rows = list(zip(work["prompts"], work["responses"], [1.0 - 2.0 * (place % 2) for place in range(len(work["prompts"]))]))
    batches = cut(sorted(rows, key=lambda row: len(row[0]) + len(row[1])), settings["micro_batch_tokens"])
    tokens = sum(map(len, work["responses"]))
    record = {"seconds": [], "losses": [], "gradient_norms": [], "micro_batches": len(batches)}
    for _ in range(3):
        synchronize()
        start = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        loss = sum(accumulate(model, batch, tokens) for batch in batches)
        norm = float(torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=True))
        optimizer.step()
        synchronize()
        record["seconds"].append(time.perf_counter() - start)
        record["losses"].append(loss)
        record["gradient_norms"].append(norm)
    return {**record, "peak_bytes": peak_bytes()}


def cut(rows, budget):
    """Portions whose padded squares hold at most so many tokens, of rows in the order of their lengths."""
    portions = [[]]
    for row in rows:
        if portions[-1] and (len(portions[-1]) + 1) * (len(row[0]) + len(row[1])) > budget:
            portions.append([])
        portions[-1].append(row)
    return portions


def accumulate(model, rows, tokens):
    ids, mask = padded([prompt + response for prompt, response, _ in rows])
    weights = torch.zeros(ids.shape, device=DEVICE)
    for place, (prompt, response, sign) in enumerate(rows):
        weights[place, len(prompt):len(prompt) + len(response)] = sign
    with torch.autocast(DEVICE, dtype=torch.bfloat16):
        logits = model(ids, attention_mask=mask, use_cache=False).logits[:, :-1].float()
    new = logits.log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]
    loss = -((new - new.detach()).exp() * weights[:, 1:]).sum() / tokens
    loss.backward()
    return float(loss.detach())


def main():
    command, *paths = sys.argv[1:]
    read = lambda path: json.loads(pathlib.Path(path).read_text())
    if command == "model":
        return make_model(read(paths[0]), pathlib.Path(paths[1]))
    if command == "machine":
        result = machine()
    elif command == "score":
        result = score(paths[0], read(paths[1]), load_file(paths[2]))
    else:
        result = {"generate": generate, "update": update}[command](paths[0], read(paths[1]), read(paths[2]))
    pathlib.Path(paths[-1]).write_text(json.dumps(result))


if __name__ == "__main__":
    main()
