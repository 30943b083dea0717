//! What a run takes, reckoned before anything is loaded: every preset fits the GPUs it is meant for, and what does not fit is
//! refused with its sum.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use trainer::config::{Config, CudaGraphs, Slots, load};
use trainer::engine::Room;
use trainer::memory::{self, Machine, Plan, Size, Workload};

const GIB: u64 = 1 << 30;

fn presets() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets");
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn gpu(gib: u64) -> Machine {
    Machine {
        memory: Size(gib * GIB),
        gpu: true,
        half: true,
        replays: true,
    }
}

fn plan(config: &Config, machine: Machine) -> Plan {
    let shape = memory::shape(&config.model.path).unwrap();
    Plan::of(&shape, config, Workload::Grpo, machine)
}

fn mc_train(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_mc-train"))
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn every_preset_fits_80_and_139_gib() {
    assert!(!presets().is_empty());
    for preset in presets() {
        let config = load(Some(&preset), &[]).unwrap();
        for gib in [80, 139] {
            let plan = plan(&config, gpu(gib));
            plan.check()
                .unwrap_or_else(|error| panic!("{} on {gib} GiB: {error}", preset.display()));
            for phase in &plan.phases {
                assert!(phase.size() <= Size(gib * GIB), "{}", preset.display());
            }
        }
    }
}

/// 1.7B parameters at 4 bytes of weights, 8 of moments, 4 of gradients or 2 of a copy; 112 KiB of keys and values per token.
#[test]
fn the_terms_of_a_known_model() {
    let preset = presets()
        .into_iter()
        .find(|path| path.ends_with("dapo-1.7b-4k.toml"));
    let plan = plan(&load(preset.as_deref(), &[]).unwrap(), gpu(139));
    let of = |phase: &str, part: &str| {
        let phase = plan.phases.iter().find(|one| one.name == phase).unwrap();
        phase
            .parts
            .iter()
            .find(|one| one.what == part)
            .unwrap()
            .size
            .0
    };
    let weights = of("updating", "weights") / 4;
    assert_eq!(weights, 1_720_574_976);
    assert_eq!(of("updating", "AdamW's moments"), 8 * weights);
    assert_eq!(of("updating", "gradients"), 4 * weights);
    assert_eq!(of("sampling", "copy to sample from"), 2 * weights);
    let sequences = plan.phases[0].sequences.unwrap();
    assert_eq!(sequences.per_token, Size(112 * 1024));
    assert_eq!(sequences.tokens, 4096 + 2048);
    // Full length is what few responses reach: all 256 slots there may be, and the tokens that fit beside the rest.
    assert_eq!(sequences.slots, 256);
    let one_more = plan.phases[0].size().0 + sequences.per_token.0;
    assert!(one_more > plan.machine.memory.0, "as many tokens as fit");
    assert!(
        (150..200).contains(&sequences.at_full_length()),
        "{sequences:?}"
    );
}

#[test]
fn short_prompts_leave_room_for_more_slots() {
    let config = load(presets().first().map(PathBuf::as_path), &[]).unwrap();
    match plan(&config, gpu(80)).room(Slots::Auto) {
        Room::Memory { bytes, most, .. } => assert!(bytes > GIB && most > 1),
        room => panic!("{room:?}"),
    }
    assert_eq!(plan(&config, gpu(80)).room(Slots::Count(7)), Room::Slots(7));
}

#[test]
fn less_memory_cuts_updates_finer() {
    let preset = presets()
        .into_iter()
        .find(|path| path.ends_with("grpo-4b-4k.toml"));
    let config = load(preset.as_deref(), &[]).unwrap();
    let (large, small) = (plan(&config, gpu(139)).cut, plan(&config, gpu(80)).cut);
    assert_eq!(large.micro_batch_tokens, config.update.micro_batch_tokens);
    assert!(small.logits_at_once < large.logits_at_once, "{small:?}");
}

#[test]
fn the_command_prints_a_table_and_refuses_what_does_not_fit() {
    let preset = "presets/microcoder-4b-8k.toml";
    let (code, table, _) = mc_train(&["plan", preset, "--memory", "139GiB"]);
    assert_eq!(code, Some(0), "{table}");
    for row in [
        "weights",
        "gradients",
        "sequences",
        "total",
        "tokens of all sequences",
        "sequences at full length",
        "slots",
    ] {
        assert!(table.contains(row), "{row}: {table}");
    }
    let (code, _, message) = mc_train(&[
        "plan",
        preset,
        "--memory",
        "139GiB",
        "--set",
        "rollout.slots=128",
    ]);
    assert_eq!(code, Some(3));
    for part in [
        "rollout.slots: ",
        "needs ",
        "128 slots of 10240 tokens",
        "139.0 GiB",
        "slots fit",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let (code, _, message) = mc_train(&["plan", preset, "--memory", "12GiB"]);
    assert_eq!(code, Some(3));
    assert!(message.contains("AdamW's moments"), "{message}");
    let (code, _, message) = mc_train(&["plan", preset, "--memory", "12 apples"]);
    assert_eq!(code, Some(2), "{message}");
}

/// A model of 60 billion parameters: nothing of it is there to be loaded but its shape.
#[test]
fn a_run_that_does_not_fit_ends_before_anything_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let toy = folder.path().join("toy");
    assert_eq!(mc_train(&["toy", toy.to_str().unwrap()]).0, Some(0));
    let shape = toy.join("model/config.json");
    let mut config: serde_json::Value = serde_json::from_slice(&fs::read(&shape).unwrap()).unwrap();
    config["hidden_size"] = 8192.into();
    config["intermediate_size"] = 32768.into();
    config["num_hidden_layers"] = 64.into();
    fs::write(&shape, config.to_string()).unwrap();
    let out = folder.path().join("run");
    let settings = toy.join("run.toml");
    let arguments = [
        "grpo",
        "--config",
        settings.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ];
    let (code, _, message) = mc_train(&arguments);
    assert_eq!(code, Some(3), "{message}");
    assert!(
        message.contains("needs ") && message.contains("weights "),
        "{message}"
    );
    assert!(!out.exists());
}

#[test]
fn graphs_take_the_inner_numbers_of_a_step_once_more() {
    let preset = presets().swap_remove(0);
    let mut config = load(Some(&preset), &[]).unwrap();
    let mut per_slot = |graphs: CudaGraphs| {
        config.rollout.cuda_graphs = graphs;
        let plan = plan(&config, gpu(139));
        plan.check().unwrap();
        let sequences = plan.phases[0].sequences.unwrap();
        (sequences.per_sequence.0, sequences.held)
    };
    let (off, held) = per_slot(CudaGraphs::Off);
    assert_eq!(per_slot(CudaGraphs::Rehearsed), (off, held));
    let (on, fewer) = per_slot(CudaGraphs::On);
    assert_eq!(on, 2 * off);
    assert_eq!(per_slot(CudaGraphs::Auto), (on, fewer));
    assert!(fewer < held, "{fewer} tokens beside graphs, {held} without");
}
