#!/usr/bin/env python3
"""Makes the numbers that `mc-train check` replays. Needs torch, transformers and safetensors; runs on a CPU in a minute.

    make_reference.py OUT [--seed N] [--size tiny|small]
    mc-train check OUT

Gold is float64, computed here from the definitions (`forward`, `terms`, `mean_loss`); transformers must agree with the
forward pass and with greedy decoding, or nothing is written. Each `f32_err` is the largest difference between gold and
the same thing in float32: the check takes its tolerances from these.

OUT/cases.json                what needs no model
  advantages[]                rewards, normalisation, eps -> values
  truncation[]                tokens (a name in truncation_tokens), max_length, conditions, reward, draw -> masked
  loss[]                      variant, loss (its settings), max_length, lists for each response new, old, reference, advantages ->
                              value, gradient, sums
  filter_logits, filters[]    temperature, then top_k, top_p, min_p (0, 1, 0: off) -> probs
OUT/NAME/                     a model, any number of them: config.json and model.safetensors as transformers writes them
  forward.safetensors         {unpadded,left,right}.{ids,mask,logits}: the same rows, padded three ways
                              greedy.ids: 64 tokens after each row, without a stop token
                              score.ids; score.logps_T*, score.entropy_T*: tempered, of tokens 1..
  rl.safetensors              {prompt,completion}_{ids,mask}; {old,ref}_logps_T*: what the losses are given
                              VARIANT.{logps,entropy}: of the completion; VARIANT.grad.PARAMETER: some gradients
  reference.json              logits: f32_err, max_abs; greedy_min_margin[]: least lead of the likeliest token
    rl                        group, max_length, conditions, rewards, draws, eps, masked
    rl.variants.NAME          loss, normalisation, temperature, truncation -> advantages, value, grad_norm, grad_norms, entropy, sums,
                              f32_err (loss, grad_norm_rel, logps)
    adamw                     rate, betas, eps, weight_decay, max_norm, variant, minibatches (rows) -> steps[]: loss, grad_norm,
                              clipped_low, clipped_high, param_norms; f32_err.loss
  sums                        clipped_low, clipped_high (shares of tokens), ratio, ratio_max, moved (k1), divergence (k3), tokens
Settings bear the names that mc-train's own configuration gives them.
"""
import argparse
import json
import math
import pathlib
import sys

import torch
import transformers
from safetensors.torch import load_file, save_file

DOUBLE, SINGLE = torch.float64, torch.float32
# vocab, hidden, layers, heads, kv heads, head width, feed-forward width
SIZES = {"tiny": (48, 32, 2, 4, 2, 8, 40), "small": (512, 128, 3, 6, 3, 24, 320)}
MODELS = {"qwen3-tied": ("qwen3", True), "qwen3-untied": ("qwen3", False), "qwen2": ("qwen2", False)}
VARIANTS = {
    "grpo": {"loss": {"aggregation": "sequence_mean", "clip_low": 0.2, "clip_high": 0.2, "kl_beta": 0.04},
             "normalisation": "group", "temperature": 1.0, "truncation": False},
    "grpo_weighted_kl": {"loss": {"aggregation": "sequence_mean", "clip_low": 0.2, "clip_high": 0.2, "kl_beta": 0.04, "kl_weighted": True},
                         "normalisation": "group", "temperature": 1.0, "truncation": False},
    "dapo": {"loss": {"aggregation": "token_mean", "clip_low": 0.2, "clip_high": 0.28},
             "normalisation": "group", "temperature": 1.0, "truncation": False},
    "dapo_dual_clip": {"loss": {"aggregation": "token_mean", "clip_low": 0.2, "clip_high": 0.28, "dual_clip": 3.0},
                       "normalisation": "batch", "temperature": 1.0, "truncation": False},
    "dr_grpo": {"loss": {"aggregation": "constant", "clip_low": 0.2, "clip_high": 0.2},
                "normalisation": "none", "temperature": 1.0, "truncation": False},
    "microcoder": {"loss": {"aggregation": "token_mean", "clip_low": 0.2, "clip_high": 0.28},
                   "normalisation": "group", "temperature": 1.2, "truncation": True},
}


def insist(what, off, limit):
    if not off <= limit:
        sys.exit(f"{what}: two computations differ by {off:.2e}, more than {limit:.0e}")


def gap(one, other):
    return float((one.to(DOUBLE) - other.to(DOUBLE)).abs().max())


# ------------------------------------------------------------------------------------------------ the model
def make_model(folder, family, tied, size, seed):
    """Saves a model whose norms and biases are no ones and zeros, and whose logits are not flat."""
    vocab, hidden, layers, heads, kv, dim, wide = size
    config = {"qwen3": transformers.Qwen3Config, "qwen2": transformers.Qwen2Config}[family](
        vocab_size=vocab, hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=heads, num_key_value_heads=kv,
        head_dim=dim, intermediate_size=wide, max_position_embeddings=512, rms_norm_eps=1e-6, tie_word_embeddings=tied,
        rope_parameters={"rope_type": "default", "rope_theta": 1e5}, eos_token_id=1, pad_token_id=0, bos_token_id=None)
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=SINGLE)
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            noise = torch.randn(weight.shape, generator=random)
            if weight.dim() == 1:
                weight.copy_(0.3 * noise + (1.0 if "norm" in name else 0.0))
            else:
                weight.copy_(noise * (0.15 if "embed" in name or "head" in name else 1.2 / math.sqrt(weight.shape[1])))
    model.tie_weights()
    model.save_pretrained(folder)
    return config


def forward(weights, config, text):
    """Logits [length, vocab] of one text, from the definition of Qwen3 and Qwen2.5."""
    kind = weights["model.embed_tokens.weight"].dtype
    heads, kv, dim = config.num_attention_heads, config.num_key_value_heads, config.head_dim
    count = len(text)
    rates = config.rope_parameters["rope_theta"] ** (-torch.arange(dim // 2, dtype=DOUBLE) * 2 / dim)
    turn = torch.polar(torch.ones(count, dim // 2, dtype=DOUBLE), torch.arange(count, dtype=DOUBLE)[:, None] * rates)
    turn = turn.to(torch.complex128 if kind == DOUBLE else torch.complex64)[:, None]

    def norm(rows, weight):
        return rows / (rows.square().mean(-1, keepdim=True) + config.rms_norm_eps).sqrt() * weight

    def rotated(rows):  # the two halves of a head are the real and the imaginary parts
        product = torch.complex(*rows.chunk(2, -1)) * turn
        return torch.cat([product.real, product.imag], -1)

    future = torch.ones(count, count, dtype=torch.bool).triu(1)
    rows = weights["model.embed_tokens.weight"][text]
    for layer in range(config.num_hidden_layers):
        own = lambda name: weights.get(f"model.layers.{layer}.{name}")

        def project(rows, name):
            bias = own(f"{name}.bias")
            return rows @ own(f"{name}.weight").T + (0 if bias is None else bias)

        inner = norm(rows, own("input_layernorm.weight"))
        q, k, v = (project(inner, f"self_attn.{x}_proj").view(count, -1, dim) for x in "qkv")
        if own("self_attn.q_norm.weight") is not None:
            q, k = norm(q, own("self_attn.q_norm.weight")), norm(k, own("self_attn.k_norm.weight"))
        q, k = rotated(q), rotated(k)
        seen = []
        for head in range(heads):
            shared = head * kv // heads
            scores = (q[:, head] @ k[:, shared].T / math.sqrt(dim)).masked_fill(future, -math.inf)
            seen.append(scores.softmax(-1) @ v[:, shared])
        rows = rows + project(torch.cat(seen, -1), "self_attn.o_proj")
        inner = norm(rows, own("post_attention_layernorm.weight"))
        rows = rows + project(torch.nn.functional.silu(project(inner, "mlp.gate_proj")) * project(inner, "mlp.up_proj"), "mlp.down_proj")
    head = weights["model.embed_tokens.weight" if config.tie_word_embeddings else "lm_head.weight"]
    return norm(rows, weights["model.norm.weight"]) @ head.T


def scored(weights, config, prompt, response, temperature):
    """Log-probability of each response token, and the entropy where it was drawn."""
    logits = forward(weights, config, torch.cat([prompt, response]))[len(prompt) - 1 : -1]
    table = (logits / temperature).log_softmax(-1)
    return table[torch.arange(len(response)), response], -(table.exp() * table).sum(-1)


# ------------------------------------------------------------------------------------------------ the algorithm
def advantages_of(rewards, group, scale, small):
    out = []
    spread = lambda values: math.sqrt(sum((x - sum(values) / len(values)) ** 2 for x in values) / (len(values) - 1))
    for start in range(0, len(rewards), group):
        own = rewards[start : start + group]
        divisor = {"group": spread(own) + small, "batch": spread(rewards) + small, "none": 1.0}[scale]
        out += [(reward - sum(own) / group) / divisor for reward in own]
    return out


def truncated(tokens, limit, window, reward, when, draw, rho):
    judged = {"incorrect": reward <= 0, "correct": reward > 0, "any": True}[when]
    repeats = len(tokens) >= 2 * window and tokens[-window:] == tokens[-2 * window : -window]
    return len(tokens) >= limit and judged and not repeats and draw < rho


def terms(loss, new, old, ref, advantage):
    """What each token of one response adds, before any mean."""
    ratio = (new - old).exp()
    gain = torch.minimum(ratio * advantage, ratio.clamp(1 - loss["clip_low"], 1 + loss["clip_high"]) * advantage)
    if loss.get("dual_clip") and advantage < 0:
        gain = gain.clamp(min=loss["dual_clip"] * advantage)
    apart = (ref - new).exp() - (ref - new) - 1
    return loss.get("kl_beta", 0.0) * apart * (ratio if loss.get("kl_weighted") else 1) - gain


def mean_loss(loss, parts, limit):
    """Means over tokens or responses; `parts` holds the terms of each response."""
    if loss["aggregation"] == "token_mean":
        return torch.cat(parts).mean()
    if loss["aggregation"] == "sequence_mean":
        return sum(part.sum() / max(len(part), 1) for part in parts) / len(parts)
    return sum(part.sum() for part in parts) / (len(parts) * limit)


def diagnose(loss, new, old, ref, advantages):
    """Shares and means over all tokens; lists of one tensor for each response."""
    spread = torch.cat([torch.full_like(part, value) for part, value in zip(new, advantages)])
    new, old, ref = (torch.cat(parts).detach() for parts in (new, old, ref))
    ratio, mean = (new - old).exp(), lambda values: float(values.to(DOUBLE).mean())
    return {"clipped_low": mean((ratio < 1 - loss["clip_low"]) & (spread < 0)), "clipped_high": mean((ratio > 1 + loss["clip_high"]) & (spread > 0)),
            "ratio": mean(ratio), "ratio_max": float(ratio.max()), "moved": mean(old - new),
            "divergence": mean((ref - new).exp() - (ref - new) - 1), "tokens": len(new)}


# ------------------------------------------------------------------------------------------------ one model's folder
def do_forward(folder, weights, config, random):
    tensors, reference = {}, {}
    lengths = [19, 7, 12]
    texts = [torch.randint(2, config.vocab_size, (length,), generator=random) for length in lengths]
    single = {name: weight.to(SINGLE) for name, weight in weights.items()}
    load = lambda kind: transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=kind, attn_implementation="eager").eval()
    theirs, error, most = load(SINGLE), 0.0, 0.0
    gold = [forward(weights, config, text) for text in texts]
    for text, logits in zip(texts, gold):
        own = [forward(single, config, text), theirs(text[None]).logits[0]]
        error, most = max([error] + [gap(logits, other) for other in own]), max(most, float(logits.abs().max()))
    insist("logits, transformers in float32", error, 1e-3)
    reference["logits"] = {"f32_err": error, "max_abs": most}
    width = max(lengths)
    for name, rows in (("unpadded", [0]), ("left", [0, 1, 2]), ("right", [0, 1, 2])):
        ids, mask = torch.zeros(len(rows), width, dtype=torch.int32), torch.zeros(len(rows), width, dtype=torch.int32)
        logits = torch.zeros(len(rows), width, config.vocab_size)
        for at, row in enumerate(rows):
            place = slice(width - lengths[row], width) if name == "left" else slice(0, lengths[row])
            ids[at, place], mask[at, place], logits[at, place] = texts[row].int(), 1, gold[row].float()
        tensors |= {f"{name}.ids": ids, f"{name}.mask": mask, f"{name}.logits": logits}
    decoded, reference["greedy_min_margin"] = [], []
    for text in texts:
        margin, whole = math.inf, text
        for _ in range(64):
            lead = forward(weights, config, whole)[-1].topk(2)
            margin, whole = min(margin, float(lead.values[0] - lead.values[1])), torch.cat([whole, lead.indices[:1]])
        drawn = theirs.generate(text[None], attention_mask=torch.ones(1, len(text)), max_new_tokens=64, min_new_tokens=64,
                                do_sample=False, eos_token_id=None, pad_token_id=0)[0]
        if margin > 2 * error and not torch.equal(drawn, whole):
            sys.exit(f"{folder}: transformers decodes other tokens")
        decoded.append(whole[len(text) :].int())
        reference["greedy_min_margin"].append(margin)
    tensors["greedy.ids"] = torch.stack(decoded)
    whole = torch.cat([texts[0], decoded[0].long()])
    tensors["score.ids"] = whole[None].int()
    for temperature in (0.6, 1.0, 1.2):
        chosen, entropy = scored(weights, config, whole[:1], whole[1:], temperature)
        tensors |= {f"score.logps_T{temperature}": chosen[None].float(), f"score.entropy_T{temperature}": entropy[None].float()}
    save_file(tensors, folder / "forward.safetensors")
    return reference


def sample_batch(weights, config, random):
    """Two groups of four; some responses fill the limit, one of them repeats its end."""
    limit, window = 32, 6
    lengths = [limit, 20, limit, limit, 9, limit, 1, limit]
    prompts, responses = [], []
    for row, length in enumerate(lengths):
        new = lambda: torch.randint(2, config.vocab_size, (8 if row < 4 else 5,), generator=random)
        prompts.append(prompts[-1] if row % 4 else new())
        text = prompts[row]
        for _ in range(length):
            chances = (forward(weights, config, text)[-1] / 1.2).softmax(-1)
            text = torch.cat([text, torch.multinomial(chances, 1, generator=random)])
        responses.append(text[len(prompts[row]) :].clone())
    responses[2][-window:] = responses[2][-2 * window : -window]
    facts = {"group": 4, "max_length": limit, "conditions": {"window": window, "rho": 0.3, "when": "incorrect"}, "eps": 1e-6,
             "rewards": [0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0], "draws": [0.1, 0.0, 0.2, 0.9, 0.5, 0.29, 0.0, 0.1]}
    facts["masked"] = [truncated(response.tolist(), limit, window, reward, "incorrect", draw, 0.3)
                       for response, reward, draw in zip(responses, facts["rewards"], facts["draws"])]
    return prompts, responses, facts


def padded(rows, width, left=False):
    ids, mask = torch.zeros(len(rows), width, dtype=rows[0].dtype), torch.zeros(len(rows), width, dtype=torch.int32)
    for at, row in enumerate(rows):
        place = slice(width - len(row), width) if left else slice(0, len(row))
        ids[at, place], mask[at, place] = row, 1
    return ids, mask


def run_loss(settings, weights, config, prompts, responses, given, advantages, rows, limit):
    """Loss and scores of some rows, with the graph to the weights."""
    kind = weights["model.norm.weight"].dtype
    pairs = [scored(weights, config, prompts[row], responses[row], settings["temperature"]) for row in rows]
    new, entropy = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    old, ref = ([given[whose, settings["temperature"]][row].to(kind) for row in rows] for whose in ("old", "ref"))
    own = [advantages[row] for row in rows]
    loss = mean_loss(settings["loss"], [terms(settings["loss"], *each) for each in zip(new, old, ref, own)], limit)
    return loss, new, entropy, diagnose(settings["loss"], new, old, ref, own)


def leaves(weights, kind):
    return {name: weight.to(kind).clone().requires_grad_() for name, weight in weights.items()}


def whole_norm(gradients):
    return math.sqrt(sum(float(gradient.to(DOUBLE).square().sum()) for gradient in gradients.values()))


def do_losses(folder, weights, config, random):
    with torch.no_grad():
        prompts, responses, facts = sample_batch(weights, config, random)
        shaken = {whose: {name: weight + share * weight.abs().mean() * torch.randn(weight.shape, generator=random, dtype=DOUBLE)
                          for name, weight in weights.items()} for whose, share in (("old", 0.05), ("ref", 0.1))}
        given = {(whose, temperature): [scored(shaken[whose], config, prompt, response, temperature)[0].float()
                                        for prompt, response in zip(prompts, responses)]
                 for whose in ("old", "ref") for temperature in (1.0, 1.2)}
    limit, everything = facts["max_length"], range(len(responses))
    tensors = {f"{whose}_logps_T{temperature}": padded(rows, limit)[0] for (whose, temperature), rows in given.items()}
    tensors["prompt_ids"], tensors["prompt_mask"] = padded([prompt.int() for prompt in prompts], max(map(len, prompts)), left=True)
    tensors["completion_ids"], tensors["completion_mask"] = padded([response.int() for response in responses], limit)
    facts["variants"] = {}
    for variant, settings in VARIANTS.items():
        advantages = advantages_of(facts["rewards"], facts["group"], settings["normalisation"], facts["eps"])
        if settings["truncation"]:
            advantages = [0.0 if masked else own for own, masked in zip(advantages, facts["masked"])]
        runs = {}
        for kind in (DOUBLE, SINGLE):
            own = leaves(weights, kind)
            loss, new, entropy, diag = run_loss(settings, own, config, prompts, responses, given, advantages, everything, limit)
            loss.backward()
            runs[kind] = float(loss.detach()), {name: leaf.grad for name, leaf in own.items()}, torch.cat(new).detach()
            if kind == DOUBLE:
                kept, figures = (new, entropy), diag
        (loss, gradients, chosen), (loss32, gradients32, chosen32) = runs[DOUBLE], runs[SINGLE]
        norm = whole_norm(gradients)
        facts["variants"][variant] = settings | {
            "sums": figures, "advantages": advantages, "value": loss, "grad_norm": norm, "entropy": float(torch.cat(kept[1]).detach().mean()),
            "grad_norms": {name: float(gradient.norm()) for name, gradient in gradients.items()},
            "f32_err": {"loss": abs(loss32 - loss), "grad_norm_rel": abs(whole_norm(gradients32) / norm - 1), "logps": gap(chosen, chosen32)}}
        tensors |= {f"{variant}.logps": padded([row.detach().float() for row in kept[0]], limit)[0],
                    f"{variant}.entropy": padded([row.detach().float() for row in kept[1]], limit)[0]}
        tensors |= {f"{variant}.grad.{name}": gradient.float() for name, gradient in gradients.items()
                    if gradient.dim() == 1 or variant == "dapo" and "layers.1." in name}
    save_file(tensors, folder / "rl.safetensors")
    return facts, do_adamw(weights, config, prompts, responses, given, facts)


def do_adamw(weights, config, prompts, responses, given, facts):
    """Two steps, one for each group, by torch's own optimizer and clipping."""
    settings, limit = VARIANTS["dapo"], facts["max_length"]
    out = {"rate": 1e-3, "betas": [0.9, 0.98], "eps": 1e-8, "weight_decay": 0.05, "max_norm": 1.0, "variant": "dapo",
           "minibatches": [[0, 1, 2, 3], [4, 5, 6, 7]]}
    traces = {}
    for kind in (DOUBLE, SINGLE):
        own, traces[kind] = leaves(weights, kind), []
        optimizer = torch.optim.AdamW(own.values(), lr=out["rate"], betas=out["betas"], eps=out["eps"], weight_decay=out["weight_decay"])
        for rows in out["minibatches"]:
            optimizer.zero_grad()
            advantages = facts["variants"]["dapo"]["advantages"]
            loss, _, _, diag = run_loss(settings, own, config, prompts, responses, given, advantages, rows, limit)
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(own.values(), out["max_norm"])
            optimizer.step()
            traces[kind].append({"loss": float(loss.detach()), "grad_norm": float(norm), "clipped_low": diag["clipped_low"],
                                 "clipped_high": diag["clipped_high"], "param_norms": {name: float(leaf.detach().norm()) for name, leaf in own.items()}})
    apart = max(abs(one["loss"] - other["loss"]) for one, other in zip(traces[DOUBLE], traces[SINGLE]))
    return out | {"steps": traces[DOUBLE], "f32_err": {"loss": apart}}


# ------------------------------------------------------------------------------------------------ cases without a model
def loss_cases(random):
    """The corners: a ratio far below one, one far above with a negative advantage, a response without tokens."""
    lengths, limit, out = [4, 6, 0, 2], 6, []
    draw = lambda scale: scale * torch.randn(4, limit, generator=random, dtype=DOUBLE)
    new = -draw(1.0).abs()
    old, ref, advantages = new + draw(0.4), new + draw(0.3), [1.3, -0.8, 0.5, 0.0]
    old[0, 0], old[1, 0] = new[0, 0] + 2.0, new[1, 0] - 2.0
    for variant, settings in VARIANTS.items():
        leaf = new.clone().requires_grad_()
        cut = lambda table: [table[row, :length] for row, length in enumerate(lengths)]
        rows = lambda table: [row.tolist() for row in cut(table)]
        own = settings["loss"]
        loss = mean_loss(own, [terms(own, *each) for each in zip(cut(leaf), cut(old), cut(ref), advantages)], limit)
        loss.backward()
        out.append({"variant": variant, "loss": own, "max_length": limit, "new": rows(new), "old": rows(old), "reference": rows(ref),
                    "advantages": advantages, "value": float(loss.detach()), "gradient": rows(leaf.grad),
                    "sums": diagnose(own, cut(leaf), cut(old), cut(ref), advantages)})
    return out


def truncation_cases(random):
    limit, window = 40, 16
    draw = lambda count: torch.randint(0, 50, (count,), generator=random).tolist()
    start, tail = draw(limit - 2 * window), draw(window)
    tokens = {"plain": draw(limit), "repeat": start + tail + tail, "off_by_one": start + tail + tail[:-1] + [tail[-1] + 1],
              "period3": start + ([7, 8, 9] * window)[: 2 * window], "period4": start + ([1, 2, 3, 4] * window)[: 2 * window], "short": draw(limit - 1)}
    cases = [{"tokens": name, "max_length": limit, "conditions": {"window": window, "when": when, "rho": 0.3}, "reward": reward, "draw": draw,
              "masked": truncated(row, limit, window, reward, when, draw, 0.3)}
             for name, row in tokens.items() for reward in (0.0, 1.0) for when in ("incorrect", "correct", "any") for draw in (0.1, 0.3, 0.9)]
    return cases, tokens


def filtered(logits, temperature, top_k, top_p, min_p):
    """Token by token, from the likeliest down."""
    order = sorted(range(len(logits)), key=lambda token: -logits[token])
    weigh = lambda kept: {token: math.exp(logits[token] / temperature) for token in kept}
    kept = order[: top_k or len(order)]
    weights, mass, fewest = weigh(kept), 0.0, []
    for token in kept:
        if mass < top_p * sum(weights.values()):
            fewest.append(token)
        mass += weights[token]
    kept = fewest if top_p < 1 else kept
    kept = [token for token in kept if math.exp((logits[token] - logits[order[0]]) / temperature) >= min_p]
    weights = weigh(kept)
    return [weights.get(token, 0.0) / sum(weights.values()) for token in range(len(logits))]


def do_cases(out, random):
    cases = {"advantages": [], "loss": loss_cases(random), "filters": []}
    for rewards in ([1, 0, 0, 0], [1, 1, 1, 1], [0] * 8, [1, 0, 1, 0, 1, 0, 1, 0], [0.5, 1, 0, 0.25], [1, 0]):
        cases["advantages"] += [{"rewards": rewards, "normalisation": scale, "eps": small, "values": advantages_of(rewards, len(rewards), scale, small)}
                                for scale, small in (("group", 1e-4), ("group", 1e-6), ("none", 0.0))]
    cases["truncation"], cases["truncation_tokens"] = truncation_cases(random)
    cases["filter_logits"] = logits = (2.5 * torch.randn(30, generator=random, dtype=DOUBLE)).tolist()
    for settings in ((1.0, 0, 1.0, 0.0), (0.6, 20, 0.95, 0.0), (1.2, 0, 0.9, 0.0), (1.2, 5, 1.0, 0.0), (1.0, 0, 1.0, 0.1), (0.7, 12, 0.8, 0.05)):
        fields = dict(zip(("temperature", "top_k", "top_p", "min_p"), settings))
        cases["filters"].append(fields | {"probs": filtered(logits, *settings)})
    (out / "cases.json").write_text(json.dumps(cases) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", choices=SIZES, default="small")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    asked.out.mkdir(parents=True, exist_ok=True)
    random = torch.Generator().manual_seed(asked.seed)
    do_cases(asked.out, random)
    for name, (family, tied) in MODELS.items():
        folder = asked.out / name
        config = make_model(folder, family, tied, SIZES[asked.size], asked.seed)
        weights = {key: value.to(DOUBLE) for key, value in load_file(folder / "model.safetensors").items()}
        with torch.no_grad():
            reference = do_forward(folder, weights, config, random)
        reference["rl"], reference["adamw"] = do_losses(folder, weights, config, random)
        (folder / "reference.json").write_text(json.dumps(reference) + "\n")
        print(f"{name}: logits in float32 off by {reference['logits']['f32_err']:.1e}")


if __name__ == "__main__":
    main()
