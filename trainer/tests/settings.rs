//! `mc-train config`: what it prints is what a run reads and checks.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use trainer::config::load::{load, to_text};
use trainer::config::{Config, load as read};

fn config(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mc-train"));
    let output = command.arg("config").args(args).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// The paths of all settings in a file.
fn paths(table: &toml::Table, above: &str) -> Vec<String> {
    let below = |(key, value): (&String, &toml::Value)| match value {
        toml::Value::Table(table) => paths(table, &format!("{above}{key}.")),
        _ => vec![format!("{above}{key}")],
    };
    table.iter().flat_map(below).collect()
}

#[test]
fn the_settings_printed_are_a_file_of_the_defaults() {
    let printed = config(&[]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.toml");
    fs::write(&file, &printed).unwrap();
    assert_eq!(load(Some(&file), &[]).unwrap(), Config::default());
    let defaults = paths(&to_text(&Config::default()).parse().unwrap(), "");
    let named = paths(&printed.parse().unwrap(), "");
    let left_out: Vec<_> = defaults.iter().filter(|key| !named.contains(key)).collect();
    assert!(left_out.is_empty() && named.len() > 80, "{left_out:?}");
}

/// A line that sets a value comes after one that says what it may be, and that after one that says what it means.
#[test]
fn every_setting_has_a_meaning_and_its_values() {
    let printed = config(&[]);
    for block in printed.split("\n\n").filter(|block| !block.is_empty()) {
        let lines: Vec<&str> = block.lines().collect();
        let (last, comments) = lines.split_last().unwrap();
        let least = if last.starts_with('[') { 1 } else { 2 };
        assert!(comments.len() >= least, "{block}");
        let spoken = comments
            .iter()
            .all(|line| line.starts_with("# ") && !line.contains("[`"));
        assert!(spoken, "{block}");
    }
    for told in [
        "# (a whole number, at least 2, at most 1000000)\nsamples = 8",
        "# - \"auto\": The first GPU, else the CPU.",
        "# (a number, above 1.0)\n# dual_clip is not set",
        "# (a number, at least 0.0, below 1.0)\nclip_low = 0.2",
    ] {
        assert!(printed.contains(told), "{told}");
    }
}

#[test]
fn the_schema_takes_what_a_run_takes_and_refuses_what_it_refuses() {
    let schema: Value = serde_json::from_str(&config(&["--schema"])).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let valid = |text: &str| {
        let table: toml::Table = text.parse().unwrap();
        validator.is_valid(&serde_json::to_value(table).unwrap())
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert!(valid(&fs::read_to_string(&path).unwrap()), "{path:?}");
    }
    for (text, fits) in [
        ("rollout.slots = 3", true),
        ("rollout.slots = \"auto\"", true),
        ("rollout.slots = \"many\"", false),
        ("rollout.slots = 0", false),
        ("evaluation.max_tokens = [1, 2]", true),
        ("evaluation.max_tokens = [1, 0]", false),
        ("rollout.samples = 1", false),
        ("rollout.stages = [{step = 1, tokens = 0}]", false),
        ("loss.dual_clip = 3.0", true),
        ("loss.dual_clip = 1.0", false),
        ("loss.clip_low = 1.0", false),
        ("sft.optimizer.schedule.floor = 1.1", false),
        ("loss.aggregation = \"token_mean\"", true),
        ("loss.aggregation = \"token\"", false),
        ("rolout.samples = 3", false),
        ("seed = \"one\"", false),
    ] {
        assert_eq!(valid(text), fits, "{text}");
        assert_eq!(read(None, &[text.to_owned()]).is_ok(), fits, "{text}");
    }
}
