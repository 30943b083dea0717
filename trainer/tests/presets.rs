//! Every preset, each as a test of its own. With the toy's model and problems in place of those it names, and its sizes
//! made small, its steps run.

#[path = "support/lab.rs"]
mod lab;

use std::fs;
use std::path::{Path, PathBuf};

use trainer::config::{Config, TemperatureBy, load};
use trainer::run::metrics::StepRecord;

use lab::{Lab, WARM, steps};
use libtest_mimic::{Arguments, Trial};

/// Runs at the same time, unless --test-threads says otherwise: each has a model of its own in memory.
const AT_A_TIME: usize = 2;

/// What tokens and prompts are divided by.
const SMALLER: usize = 16;

fn main() {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_A_TIME);
    let trial = |preset: PathBuf| {
        let name = preset.file_stem().unwrap().display().to_string();
        Trial::test(name, move || {
            run(&preset);
            Ok(())
        })
    };
    libtest_mimic::run(&arguments, presets().into_iter().map(trial).collect()).exit();
}

fn presets() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets");
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Sizes of the toy; stages that the preset has begin with the second step.
fn toy(preset: &Config) -> Vec<String> {
    let file = |name: &str| format!("[\"{}\"]", WARM.join("toy").join(name).display());
    let tokens = |paper: usize| paper / (16 * SMALLER);
    let mut settings = vec![
        "steps=2".to_owned(),
        format!("model.path={}", WARM.join("sft/model").display()),
        "model.device=cpu".to_owned(),
        format!("data.problems={}", file("train.jsonl")),
        format!("data.held_out={}", file("held_out.jsonl")),
        "data.chat=false".to_owned(),
        "data.program=whole".to_owned(),
        "data.template=\"{statement}\\n\"".to_owned(),
        format!("rollout.prompts={}", preset.rollout.prompts / SMALLER),
        "rollout.samples=4".to_owned(),
        format!("rollout.max_tokens={}", tokens(preset.rollout.max_tokens)),
        format!("update.prompts={}", preset.update.prompts.div_ceil(SMALLER)),
        "data.max_prompt=64".to_owned(),
        "evaluation.every=0".to_owned(),
        "evaluation.max_tokens=48".to_owned(),
        "probe.problems=2".to_owned(),
        "output.checkpoint_every=2".to_owned(),
    ];
    if let Some(stage) = preset.rollout.stages.first() {
        settings.push(format!(
            "rollout.stages=[{{step = 1, tokens = {}}}]",
            tokens(stage.tokens)
        ));
    }
    if let Some(stage) = preset.temperature.stages.first() {
        settings.push(format!(
            "temperature.stages=[{{step = 1, value = {:?}}}]",
            stage.value
        ));
    }
    settings
}

fn run(preset: &Path) {
    let name = preset.file_stem().unwrap().to_str().unwrap();
    let config = load(Some(preset), &[]).unwrap();
    let lab = Lab::new();
    let mut arguments = vec!["grpo".to_owned(), "--out".to_owned(), "run".to_owned()];
    arguments.extend(["--config".to_owned(), preset.display().to_string()]);
    for setting in toy(&config) {
        arguments.extend(["--set".to_owned(), setting]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    lab.train(&arguments).success();
    let steps = steps(&lab.metrics("run"));
    assert_eq!(steps.len(), 2, "{name}");
    for step in &steps {
        follows(name, &config, step);
    }
    assert!(lab.join("run/model/model.safetensors").exists(), "{name}");
}

/// A step did what the preset says.
fn follows(name: &str, preset: &Config, step: &StepRecord) {
    let updates = preset.rollout.prompts.div_ceil(preset.update.prompts);
    let groups = preset.rollout.prompts / SMALLER;
    assert_eq!((step.updates, step.groups), (updates, groups), "{name}");
    assert_eq!(step.learning_rate, 1e-6, "{name}");
    assert!(
        preset.loss.kl_beta > 0.0 || step.divergence == 0.0,
        "{name}"
    );
    assert!(
        step.entropy > 0.0 && step.gradient_norm.is_finite(),
        "{name}: {step:?}"
    );
    if preset.temperature.by == TemperatureBy::Constant {
        assert_eq!(step.temperature, preset.temperature.value, "{name}");
    }
    if name == "mask-none" {
        assert_eq!(step.masked, 0.0);
    }
    if name == "mask-all" {
        assert_eq!(step.masked, step.truncated);
    }
}
