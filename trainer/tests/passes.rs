//! How often responses go through the model for an update, counted by the embeddings that are looked up.

use serde_json::json;
use tch::{Device, Kind};
use trainer::config::Config;
use trainer::model::{Qwen, QwenConfig};
use trainer::native;
use trainer::run::batch::Weighted;
use trainer::run::policy::optimizer;
use trainer::run::rollout::Rollout;
use trainer::run::update::{Updated, Updating, update};

fn model() -> Qwen {
    let json = r#"{"model_type": "qwen3", "vocab_size": 31, "hidden_size": 16, "intermediate_size": 24,
        "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 8, "rope_theta": 10000.0}"#;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("config.json");
    std::fs::write(&path, json).unwrap();
    Qwen::random(
        QwenConfig::read(&path).unwrap(),
        1,
        Device::Cpu,
        Kind::Float,
    )
}

/// A response of four tokens. What it was judged was weighed before.
fn rollout() -> Rollout {
    let verdict = json!({
        "id": "a", "problem_id": "b", "verdict": "accepted", "passed": 1, "total": 1, "reward": 1.0, "cases": [], "profile": "standard",
        "isolation": {"namespaces": [], "seccomp": true, "landlock": 0, "cgroup": null},
    });
    Rollout {
        tokens: vec![5, 6, 7, 8],
        log_probs: vec![-3.0; 4],
        text: String::new(),
        truncated: false,
        verdict: serde_json::from_value(verdict).unwrap(),
    }
}

/// How many passes an update makes on groups of two responses with these advantages. Each response is a micro-batch by itself,
/// and no layer is run again on the way back.
fn passes(groups: &[[f64; 2]], kl_beta: f64, prompts: usize) -> (usize, Updated) {
    let (model, rollout) = (model(), rollout());
    let mut config = Config::default();
    config.loss.kl_beta = kl_beta;
    config.update.prompts = prompts;
    config.update.activation_checkpointing = false;
    let updating = Updating {
        model: &model,
        reference: (kl_beta != 0.0).then_some(&model),
        config: &config,
        step: 1,
        temperature: 1.0,
        max_tokens: 4,
        learning_rate: 1e-6,
        micro_batch_tokens: 1,
    };
    let weighted = |advantage: &f64| Weighted {
        prompt: &[1, 2, 3],
        rollout: &rollout,
        advantage: *advantage,
    };
    let groups: Vec<Vec<Weighted<'_>>> = groups
        .iter()
        .map(|group| group.iter().map(weighted).collect())
        .collect();
    let mut optimizer = optimizer(&model, &config.optimizer);
    let (updated, calls) = native::operators(|| update(&updating, &mut optimizer, &groups));
    let embeddings = calls.iter().filter(|name| *name == "aten::embedding");
    (embeddings.count(), updated.unwrap())
}

/// What an update computes on its way are the log-probabilities before it, where none came before: one pass for each response.
/// The second mini-batch is scored before the first moves the weights.
#[test]
fn new_log_probabilities_serve_as_old_ones_in_the_first_mini_batch() {
    let two = [[1.0, -1.0]; 2];
    assert_eq!(passes(&two, 0.0, 2).0, 4);
    let (split, updated) = passes(&two, 0.0, 1);
    assert_eq!(split, 2 + 2 * 2);
    assert_eq!(updated.updates, 2);
}

#[test]
fn responses_without_an_advantage_are_not_run_where_nothing_else_asks_for_them() {
    let mixed = [[1.0, 0.0], [0.0, 0.0]];
    assert_eq!(passes(&mixed, 0.0, 2).0, 1);
    // The KL term asks for all, and for as many of the reference policy.
    assert_eq!(passes(&mixed, 0.1, 2).0, 4 + 4);
    // Without any, one is run for its gradient of zero.
    let (none, updated) = passes(&[[0.0, 0.0]], 0.0, 1);
    assert_eq!((none, updated.gradient_norm), (1, 0.0));
}
