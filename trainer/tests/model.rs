//! The model's own promises: what is saved is read again, gradients do not depend on how memory is spent, and errors name
//! what is wrong. That the numbers are right is for `mc-train check`.

use std::path::Path;
use tch::{Device, Kind, Tensor};
use trainer::model::{Activations, Packed, Qwen, QwenConfig, end_tokens};
use trainer::optimizer::{AdamW, AdamWConfig};

const QWEN3: &str = r#"{"model_type": "qwen3", "vocab_size": 61, "hidden_size": 32, "intermediate_size": 48,
    "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8,
    "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0}, "tie_word_embeddings": true, "eos_token_id": 1}"#;
const QWEN2: &str = r#"{"model_type": "qwen2", "vocab_size": 61, "hidden_size": 32, "intermediate_size": 48,
    "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 4, "rope_theta": 10000.0}"#;

fn config(json: &str) -> QwenConfig {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("config.json"), json).unwrap();
    QwenConfig::read(&dir.path().join("config.json")).unwrap()
}

fn model(json: &str) -> Qwen {
    tch::set_num_threads(1);
    Qwen::random(config(json), 9, Device::Cpu, Kind::Float)
}

fn packed() -> Packed {
    Packed::new(
        &[
            (&[5, 6, 7], &[8, 9, 10, 11]),
            (&[12], &[]),
            (&[13, 14], &[15, 1]),
        ],
        Device::Cpu,
    )
}

fn load_error(dir: &Path) -> String {
    Qwen::load(dir, Device::Cpu, Kind::Float)
        .map(|_| ())
        .unwrap_err()
        .to_string()
}

#[test]
fn a_saved_model_scores_as_before() {
    for json in [QWEN3, QWEN2] {
        let (model, dir) = (model(json), tempfile::tempdir().unwrap());
        model.save(dir.path()).unwrap();
        let again = Qwen::load(dir.path(), Device::Cpu, Kind::Float).unwrap();
        assert_eq!(
            model.log_probs(&packed(), 1.0),
            again.log_probs(&packed(), 1.0)
        );
        let names = |model: &Qwen| {
            model
                .parameters()
                .into_iter()
                .map(|(name, _)| name)
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&model), names(&again));
        let count: usize = again
            .parameters()
            .iter()
            .map(|(_, tensor)| tensor.numel())
            .sum();
        assert_eq!(count as i64, model.config().parameter_count());
    }
}

#[test]
fn what_is_missing_or_misshapen_is_named() {
    let (model, dir) = (model(QWEN3), tempfile::tempdir().unwrap());
    model.save(dir.path()).unwrap();
    let weights = dir.path().join("model.safetensors");
    let rewrite = |keep: &dyn Fn(&str, Tensor) -> Option<Tensor>| {
        let all = model
            .parameters()
            .into_iter()
            .filter_map(|(name, tensor)| Some((keep(&name, tensor.detach())?, name)));
        let all: Vec<(String, Tensor)> = all.map(|(tensor, name)| (name, tensor)).collect();
        Tensor::write_safetensors(&all, &weights).unwrap();
    };
    rewrite(&|name, tensor| (!name.contains("1.mlp.up")).then_some(tensor));
    assert!(
        load_error(dir.path()).ends_with("tensor `model.layers.1.mlp.up_proj.weight`: missing")
    );
    rewrite(&|name, tensor| {
        Some(if name == "model.norm.weight" {
            tensor.narrow(0, 0, 31)
        } else {
            tensor
        })
    });
    assert!(
        load_error(dir.path())
            .ends_with("tensor `model.norm.weight`: has shape [31], but config.json implies [32]")
    );
    std::fs::remove_file(&weights).unwrap();
    assert!(load_error(dir.path()).starts_with("failed to open file"));
    std::fs::write(
        dir.path().join("config.json"),
        QWEN3.replace("default", "yarn"),
    )
    .unwrap();
    assert!(
        load_error(dir.path())
            .ends_with("field `rope_parameters`: rope type `yarn` is not supported")
    );
    std::fs::write(
        dir.path().join("config.json"),
        QWEN3.replace("\"hidden_size\": 32,", ""),
    )
    .unwrap();
    assert!(load_error(dir.path()).ends_with("field `hidden_size`: missing"));
}

#[test]
fn an_index_of_several_files_is_followed() {
    let (model, dir) = (model(QWEN3), tempfile::tempdir().unwrap());
    model.save(dir.path()).unwrap();
    std::fs::remove_file(dir.path().join("model.safetensors")).unwrap();
    let all: Vec<(String, Tensor)> = model
        .parameters()
        .into_iter()
        .map(|(name, tensor)| (name, tensor.detach()))
        .collect();
    let (first, second) = all.split_at(7);
    let mut map = serde_json::Map::new();
    for (file, part) in [("a.safetensors", first), ("b.safetensors", second)] {
        Tensor::write_safetensors(part, dir.path().join(file)).unwrap();
        map.extend(part.iter().map(|(name, _)| (name.clone(), file.into())));
    }
    let index = serde_json::json!({"metadata": {}, "weight_map": map});
    std::fs::write(
        dir.path().join("model.safetensors.index.json"),
        index.to_string(),
    )
    .unwrap();
    let again = Qwen::load(dir.path(), Device::Cpu, Kind::Float).unwrap();
    assert_eq!(
        model.log_probs(&packed(), 0.7),
        again.log_probs(&packed(), 0.7)
    );
}

/// The gradients of a loss that weighs log-probabilities and entropies unevenly.
fn gradients(
    model: &Qwen,
    way: impl Fn(&mut dyn FnMut(&Tensor, &Tensor) -> Tensor),
) -> Vec<Tensor> {
    model
        .parameters()
        .iter_mut()
        .for_each(|(_, tensor)| tensor.zero_grad());
    way(&mut |log_probs, entropies| {
        let weights = Tensor::arange(log_probs.size()[0], (Kind::Float, Device::Cpu)) + 0.5;
        (log_probs * &weights + entropies * 0.3).sum(Kind::Float)
    });
    model
        .parameters()
        .iter()
        .map(|(_, tensor)| tensor.grad().copy())
        .collect()
}

#[test]
fn gradients_do_not_depend_on_how_memory_is_spent() {
    for json in [QWEN3, QWEN2] {
        let (model, packed) = (model(json), packed());
        let plain = gradients(&model, |loss| {
            let (log_probs, entropies) = model.log_probs(&packed, 0.9);
            loss(&log_probs, &entropies).backward();
        });
        let model = model.with_logits_at_once(2 * 61);
        for memory in [Activations::Keep, Activations::Checkpoint] {
            let ours = gradients(&model, |loss| {
                drop(model.accumulate(&packed, 0.9, memory, loss))
            });
            for ((name, _), (plain, ours)) in model.parameters().iter().zip(plain.iter().zip(&ours))
            {
                let (most, off) = (
                    plain.abs().max().double_value(&[]),
                    (plain - ours).abs().max().double_value(&[]),
                );
                assert!(
                    most > 0.0 && off <= 2e-6 * most,
                    "{name}, {memory:?}: {off:e} of {most:e}"
                );
            }
        }
    }
}

#[test]
fn an_optimizer_that_is_restored_goes_on_to_the_same_weights() {
    let run = |model: &Qwen, optimizer: &mut AdamW, steps: usize| {
        for _ in 0..steps {
            optimizer.drop_gradients();
            model.accumulate(&packed(), 1.0, Activations::Keep, &mut |log_probs, _| {
                -log_probs.mean(Kind::Float)
            });
            assert!(optimizer.clip(0.1) > 0.1);
            assert!((optimizer.gradient_norm() - 0.1).abs() < 1e-6);
            optimizer.step(1e-2);
        }
    };
    let model = model(QWEN3);
    let mut optimizer = AdamW::new(
        model.parameters(),
        AdamWConfig {
            weight_decay: 0.1,
            ..AdamWConfig::default()
        },
    );
    run(&model, &mut optimizer, 3);
    let dir = tempfile::tempdir().unwrap();
    model.save(dir.path()).unwrap();
    Tensor::write_safetensors(&optimizer.state(), dir.path().join("optimizer.safetensors"))
        .unwrap();
    run(&model, &mut optimizer, 2);

    let again = Qwen::load(dir.path(), Device::Cpu, Kind::Float).unwrap();
    let mut restored = AdamW::new(
        again.parameters(),
        AdamWConfig {
            weight_decay: 0.1,
            ..AdamWConfig::default()
        },
    );
    let state = Tensor::read_safetensors(dir.path().join("optimizer.safetensors")).unwrap();
    restored.restore(&state).unwrap();
    assert_eq!(restored.steps(), 3);
    run(&again, &mut restored, 2);
    assert_eq!(model.parameters(), again.parameters());
    let error = restored.restore(&state[1..]).unwrap_err().to_string();
    assert!(error.ends_with("missing"), "{error}");
}

#[test]
fn a_learning_rate_of_zero_leaves_the_weights_alone() {
    let model = model(QWEN3);
    let before: Vec<Tensor> = model
        .parameters()
        .iter()
        .map(|(_, tensor)| tensor.copy())
        .collect();
    let mut optimizer = AdamW::new(
        model.parameters(),
        AdamWConfig {
            weight_decay: 0.1,
            ..AdamWConfig::default()
        },
    );
    model.accumulate(&packed(), 1.0, Activations::Keep, &mut |log_probs, _| {
        -log_probs.mean(Kind::Float)
    });
    optimizer.step(0.0);
    assert!(
        model
            .parameters()
            .iter()
            .zip(&before)
            .all(|((_, tensor), before)| tensor == before)
    );
}

#[test]
fn half_precision_computes_near_the_masters_and_keeps_them_whole() {
    let (model, dir) = (model(QWEN3), tempfile::tempdir().unwrap());
    model.save(dir.path()).unwrap();
    let half = Qwen::load(dir.path(), Device::Cpu, Kind::BFloat16).unwrap();
    let (whole, _) = model.log_probs(&packed(), 1.0);
    let (rounded, _) = half.log_probs(&packed(), 1.0);
    let off = (&whole - &rounded).abs().max().double_value(&[]);
    assert!(off > 0.0 && off < 0.05, "log-probabilities off by {off}");
    assert!(
        half.frozen()
            .parameters()
            .iter()
            .all(|(_, tensor)| tensor.kind() == Kind::BFloat16)
    );

    // A step that bfloat16 cannot hold still moves every master that has a gradient.
    let mut optimizer = AdamW::new(half.parameters(), AdamWConfig::default());
    half.accumulate(
        &packed(),
        1.0,
        Activations::Checkpoint,
        &mut |log_probs, _| -log_probs.mean(Kind::Float),
    );
    optimizer.step(1e-6);
    for ((name, before), (_, after)) in model.parameters().iter().zip(half.parameters()) {
        assert_eq!(after.kind(), Kind::Float);
        assert!(*before != after, "{name} stayed");
    }
}

#[test]
fn tokens_that_end_a_turn_come_from_the_generation_config() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(end_tokens(dir.path()).unwrap(), Vec::<i64>::new());
    let path = dir.path().join("generation_config.json");
    std::fs::write(&path, r#"{"eos_token_id": [7, 9]}"#).unwrap();
    assert_eq!(end_tokens(dir.path()).unwrap(), [7, 9]);
    std::fs::write(&path, r#"{"eos_token_id": 7}"#).unwrap();
    assert_eq!(end_tokens(dir.path()).unwrap(), [7]);
    std::fs::write(&path, "no json").unwrap();
    let error = end_tokens(dir.path()).unwrap_err().to_string();
    assert!(error.contains("generation_config.json"), "{error}");
}
