//! The toy with a forward pass in 16 bits, as the presets have it: it learns, samples and writes as in 32.

use std::fs;

use tch::{Kind, Tensor};
use trainer::run::metrics::Record;

use crate::lab::{Lab, WARM, steps};

const HALF: &str = "model.compute=bfloat16";

#[test]
fn supervised_training_in_16_bits_learns_and_keeps_masters_of_32() {
    let (lab, config) = (Lab::new(), WARM.join("toy/run.toml"));
    let config = config.to_str().unwrap();
    let few = ["--set", "data.held_out=[]", "--set", "sft.steps=60"];
    let sft = ["sft", "--config", config, "--out", "sft", "--set", HALF];
    lab.train(&[&sft[..], &few].concat()).success();
    let losses: Vec<f64> = lab
        .metrics("sft")
        .iter()
        .filter_map(|record| match record {
            Record::Sft(record) => Some(record.loss),
            _ => None,
        })
        .collect();
    assert!(losses[59] < losses[0] / 2.0, "{losses:?}");
    let all = |path: &str, kind: Kind| {
        let weights = Tensor::read_safetensors(lab.join(path)).unwrap();
        !weights.is_empty() && weights.iter().all(|(_, tensor)| tensor.kind() == kind)
    };
    let masters = "sft/checkpoints/step-000060/model/model.safetensors";
    assert!(all(masters, Kind::Float), "a checkpoint keeps the masters");
    assert!(
        all("sft/model/model.safetensors", Kind::BFloat16),
        "the model is as wide as it computes"
    );
    let shape = fs::read_to_string(lab.join("sft/model/config.json")).unwrap();
    assert!(shape.contains("\"dtype\": \"bfloat16\""), "{shape}");
}

#[test]
fn rollouts_updates_and_solutions_come_of_16_bits() {
    let lab = Lab::new();
    let few = [
        "steps=2",
        "rollout.prompts=4",
        "update.prompts=2",
        "evaluation.every=0",
        HALF,
    ];
    lab.grpo("run", &few).success();
    let steps = steps(&lab.metrics("run"));
    assert_eq!(steps.len(), 2);
    assert!(steps.iter().any(|step| step.gradient_norm > 0.0));
    for step in steps {
        assert_eq!((step.updates, step.absent_rewards), (2, 0));
        // Sampling and training round differently, by some thousandths.
        assert!(step.mismatch.abs() < 0.02, "{}", step.mismatch);
        assert!((step.ratio - 1.0).abs() < 0.02, "{}", step.ratio);
    }

    let config = WARM.join("toy/run.toml");
    let model = format!("model.path={}", lab.join("run/model").display());
    let generate = [
        "generate",
        "--config",
        config.to_str().unwrap(),
        "--out",
        "solutions.jsonl",
    ];
    let settings = [
        "--set",
        &model,
        "--set",
        "model.random=false",
        "--set",
        HALF,
        "--set",
        "evaluation.samples=1",
    ];
    lab.train(&[&generate[..], &settings].concat()).success();
    let solutions = fs::read_to_string(lab.join("solutions.jsonl")).unwrap();
    let asked = fs::read_to_string(WARM.join("toy/held_out.jsonl")).unwrap();
    assert_eq!(solutions.lines().count(), asked.lines().count());
}
