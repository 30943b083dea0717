//! `mc-train check` through the binary, on the numbers in `reference/parity`, made by
//! `trainer/reference/make_reference.py --size tiny --seed 3`: it holds for ours, and notices a number that is off.

use std::path::{Path, PathBuf};
use std::process::Command;

fn parity() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/parity")
}

/// Exit code and output of a check.
fn check(folder: &Path) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mc-train"));
    let output = command.arg("check").arg(folder).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code().unwrap(),
        String::from_utf8(text).unwrap(),
    )
}

/// A copy of the reference folder with one file's text changed.
fn doctored(file: &str, change: impl Fn(&mut serde_json::Value)) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for folder in ["qwen3-tied", "qwen2"] {
        std::fs::create_dir(copy.path().join(folder)).unwrap();
        for entry in std::fs::read_dir(parity().join(folder)).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(
                entry.path(),
                copy.path().join(folder).join(entry.file_name()),
            )
            .unwrap();
        }
    }
    std::fs::copy(parity().join("cases.json"), copy.path().join("cases.json")).unwrap();
    let path = copy.path().join(file);
    let mut value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    change(&mut value);
    std::fs::write(&path, value.to_string()).unwrap();
    copy
}

/// The lines of the figures that missed.
fn missed(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with("MISS"))
        .collect()
}

#[test]
fn all_figures_hold() {
    let (code, text) = check(&parity());
    assert_eq!(code, 0, "{text}");
    assert!(text.ends_with("427 figures, 0 missed\n"), "{text}");
}

#[test]
fn a_changed_number_is_a_miss() {
    let add =
        |value: &mut serde_json::Value, more: f64| *value = (value.as_f64().unwrap() + more).into();
    let loss = doctored("qwen2/reference.json", |json| {
        add(&mut json["rl"]["variants"]["dapo"]["value"], 1e-5)
    });
    let weight = doctored("qwen3-tied/reference.json", |json| {
        add(
            &mut json["adamw"]["steps"][1]["param_norms"]["model.norm.weight"],
            5e-5,
        );
    });
    let mask = doctored("cases.json", |json| {
        let masked = json["truncation"][0]["masked"].as_bool().unwrap();
        json["truncation"][0]["masked"] = (!masked).into();
    });
    let filter = doctored("cases.json", |json| {
        add(&mut json["filters"][1]["probs"][0], 1e-9)
    });
    for (folder, name) in [
        (loss, "qwen2 dapo loss"),
        (weight, "qwen3-tied AdamW step 2 norms of the parameters"),
        (mask, "truncation mask, cases that differ"),
        (
            filter,
            "filter, temperature 0.6, top-k 20, top-p 0.95, min-p 0",
        ),
    ] {
        let (code, text) = check(folder.path());
        assert_eq!(code, 1, "{text}");
        let lines = missed(&text);
        assert!(
            lines.len() == 1 && lines[0].contains(name),
            "{name}: {lines:?}"
        );
    }
}

#[test]
fn a_broken_folder_is_named() {
    let folder = doctored("qwen2/reference.json", |json| {
        json["rl"].as_object_mut().unwrap().remove("max_length");
    });
    let (code, text) = check(folder.path());
    assert_eq!(code, 3);
    assert!(
        text.contains("qwen2/reference.json: `rl`: missing field `max_length`"),
        "{text}"
    );
    let (code, text) = check(Path::new("/nowhere"));
    assert_eq!(
        (code, text.as_str()),
        (
            3,
            "error: failed to open file `/nowhere/cases.json`: No such file or directory (os error 2)\n"
        )
    );
}
