//! `mc-train bench` through the binary, in 16 bits on a CPU: its numbers are near those of the model in 32, and it counts what it
//! did.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tch::{Device, Kind, Tensor};
use trainer::model::{Packed, Qwen, QwenConfig};

const SHAPE: &str = r#"{"model_type": "qwen3", "vocab_size": 61, "hidden_size": 32, "intermediate_size": 48,
    "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8,
    "rope_theta": 10000.0, "tie_word_embeddings": true, "eos_token_id": [1]}"#;

/// A folder with a model and work for it.
fn lab() -> (tempfile::TempDir, Value) {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.json");
    fs::write(&config, SHAPE).unwrap();
    let model = Qwen::random(
        QwenConfig::read(&config).unwrap(),
        4,
        Device::Cpu,
        Kind::Float,
    );
    model.save(folder.path()).unwrap();
    let work = json!({"prompts": [[5, 6], [7], [8, 9, 10]], "responses": [[11, 12, 13], [14], [15, 16]], "stop": [20, 21, 22]});
    fs::write(folder.path().join("work.json"), work.to_string()).unwrap();
    (folder, work)
}

fn bench(folder: &Path, what: &str, more: &[&str]) -> (i32, String, PathBuf) {
    let out = folder.join(what);
    let mut command = Command::new(env!("CARGO_BIN_EXE_mc-train"));
    command
        .current_dir(folder)
        .args(["bench", what, "--work", "work.json", "--out", what]);
    let common = [
        "model.path=.",
        "model.device=cpu",
        "model.compute=bfloat16",
        "temperature.value=1.0",
        "rollout.max_tokens=12",
    ];
    for setting in common.iter().chain(more) {
        command.args(["--set", setting]);
    }
    let output = command.output().unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stderr).unwrap(),
        out,
    )
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn apart(one: &Tensor, other: &Tensor) -> f64 {
    ((one - other).norm() / other.norm()).double_value(&[])
}

#[test]
fn scores_in_16_bits_are_near_those_in_32() {
    let (folder, work) = lab();
    // One response to a micro-batch: they must add up.
    let (code, said, out) = bench(
        folder.path(),
        "score",
        &["update.micro_batch_tokens=4", "rollout.slots=2"],
    );
    assert_eq!(code, 0, "{said}");
    let found: HashMap<String, Tensor> =
        Tensor::read_safetensors(out).unwrap().into_iter().collect();
    let model = Qwen::load(folder.path(), Device::Cpu, Kind::Float).unwrap();
    let rows = |name: &str| serde_json::from_value::<Vec<Vec<i64>>>(work[name].clone()).unwrap();
    let (prompts, responses) = (rows("prompts"), rows("responses"));
    let pairs: Vec<_> = prompts
        .iter()
        .map(Vec::as_slice)
        .zip(responses.iter().map(Vec::as_slice))
        .collect();
    let (log_probs, entropies) = model.log_probs(&Packed::new(&pairs, Device::Cpu), 1.0);
    (-log_probs.mean(Kind::Float)).backward();
    for (name, exact) in [("log_probs", log_probs), ("entropies", entropies)] {
        let off = apart(&found[name], &exact);
        assert!(off > 0.0 && off < 0.02, "{name}: {off}");
    }
    for (name, parameter) in model.parameters() {
        let off = apart(&found[&format!("gradient.{name}")], &parameter.grad());
        assert!(off < 0.05, "{name}: {off}");
    }

    let lengths = Vec::<i64>::try_from(&found["sampled.lengths"]).unwrap();
    let tokens = Vec::<i64>::try_from(&found["sampled.tokens"]).unwrap();
    let mut rest = &tokens[..];
    let sampled: Vec<&[i64]> = lengths
        .iter()
        .map(|length| {
            let (one, others) = rest.split_at(*length as usize);
            rest = others;
            one
        })
        .collect();
    let pairs: Vec<_> = prompts.iter().map(Vec::as_slice).zip(sampled).collect();
    let (log_probs, _) = model.log_probs(&Packed::new(&pairs, Device::Cpu), 1.0);
    assert!(apart(&found["sampled.log_probs"], &log_probs) < 0.02);
}

#[test]
fn generation_and_updates_are_counted() {
    let (folder, mut work) = lab();
    work["samples"] = json!(2);
    fs::write(folder.path().join("work.json"), work.to_string()).unwrap();
    let (code, said, out) = bench(folder.path(), "generate", &["rollout.slots=2"]);
    assert_eq!(code, 0, "{said}");
    let made = read(&out);
    let lengths: Vec<(usize, usize)> = serde_json::from_value(made["lengths"].clone()).unwrap();
    assert_eq!(
        lengths.iter().map(|pair| pair.0).collect::<Vec<_>>(),
        [2, 2, 1, 1, 3, 3]
    );
    assert_eq!(
        made["tokens"],
        lengths.iter().map(|pair| pair.1).sum::<usize>()
    );
    assert!(made["seconds"].as_f64().unwrap() > 0.0);
    let hashes: Vec<String> = serde_json::from_value(made["hashes"].clone()).unwrap();
    assert_ne!(hashes[0], hashes[1], "a group's responses differ");
    // The same work, the same responses, to the bit; with another seed, others.
    let hashes_with = |more: &[&str]| {
        let settings = [&["rollout.slots=2"], more].concat();
        let (code, said, out) = bench(folder.path(), "generate", &settings);
        assert_eq!(code, 0, "{said}");
        serde_json::from_value::<Vec<String>>(read(&out)["hashes"].clone()).unwrap()
    };
    assert_eq!(hashes_with(&[]), hashes);
    assert_ne!(hashes_with(&["seed=5"]), hashes);
    let rehearsed = ["rollout.cuda_graphs=rehearsed"];
    assert_eq!(hashes_with(&rehearsed), hashes_with(&rehearsed));

    let (code, said, out) = bench(
        folder.path(),
        "update",
        &[
            "update.micro_batch_tokens=4",
            "optimizer.schedule={rate=0.01}",
        ],
    );
    assert_eq!(code, 0, "{said}");
    let made = read(&out);
    assert_eq!(made["micro_batches"], 3);
    let losses: Vec<f64> = serde_json::from_value(made["losses"].clone()).unwrap();
    // On policy every ratio is 1: advantages of 1, -1, 1 over 3, 1 and 2 tokens.
    assert!(
        losses.iter().all(|loss| (loss + 4.0 / 6.0).abs() < 1e-6),
        "{losses:?}"
    );
    let norms: Vec<f64> = serde_json::from_value(made["gradient_norms"].clone()).unwrap();
    assert!(
        norms.len() == 3 && norms[0] != norms[1],
        "a step moves the weights: {norms:?}"
    );
}

#[test]
fn work_that_does_not_fit_is_an_error() {
    let (folder, _) = lab();
    for (work, told) in [
        (json!({"prompts": [[5], []]}), "field `prompts`"),
        (
            json!({"prompts": [[5]], "responses": [[1], [2]]}),
            "field `responses`",
        ),
        (json!({"prompts": [[61]]}), "token 61"),
        (json!({"prompts": [[5]], "answers": []}), "answers"),
    ] {
        fs::write(folder.path().join("work.json"), work.to_string()).unwrap();
        let (code, said, _) = bench(folder.path(), "generate", &[]);
        assert!(
            code != 0 && said.contains("work.json") && said.contains(told),
            "{code}: {said}"
        );
    }
}
