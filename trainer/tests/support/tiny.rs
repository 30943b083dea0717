//! A tiny model with random weights, prompts for it, and a pool that is too small for them.

use tch::{Device, Kind};
use trainer::engine::Room;
use trainer::model::{Qwen, QwenConfig};

pub fn config() -> QwenConfig {
    let json = r#"{"model_type": "qwen3", "vocab_size": 97, "hidden_size": 48, "intermediate_size": 80,
        "num_hidden_layers": 2, "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 8,
        "rope_theta": 10000.0, "rms_norm_eps": 1e-6, "tie_word_embeddings": false}"#;
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("config.json"), json).unwrap();
    QwenConfig::read(&dir.path().join("config.json")).unwrap()
}

/// Random weights give almost flat logits: a larger head makes some tokens likely.
pub fn model() -> Qwen {
    tch::set_num_threads(1);
    let model = Qwen::random(config(), 5, Device::Cpu, Kind::Float);
    for (name, mut tensor) in model.parameters() {
        if name == "lm_head.weight" {
            let _guard = tch::no_grad_guard();
            let _ = tensor.g_mul_scalar_(8.0);
        }
    }
    model
}

pub fn prompts() -> Vec<Vec<i64>> {
    vec![
        vec![3, 1, 4, 1, 5],
        vec![9],
        vec![2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2],
        vec![31, 41, 59],
    ]
}

/// A pool for so many tokens of at most eight sequences.
pub fn tokens(count: u64) -> Room {
    Room::Memory {
        bytes: count,
        per_token: 1,
        per_sequence: 0,
        most: 8,
    }
}
