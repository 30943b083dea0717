//! The rules of the house that the compiler does not hold: who may use what, and how large a file may grow.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every Rust source of the workspace: its path from the root, and its text.
fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the checkout") {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            if path.is_dir() && !name.starts_with('.') && name != "target" {
                folders.push(path);
            } else if name.ends_with(".rs") {
                let short = path
                    .strip_prefix(root())
                    .expect("below the root")
                    .display()
                    .to_string();
                found.push((short, std::fs::read_to_string(&path).expect("a text")));
            }
        }
    }
    assert!(found.len() > 50, "the sources were not found");
    found
}

/// Source files that hold `word` though `allowed` does not say so.
fn outside(word: &str, allowed: impl Fn(&str) -> bool) -> Vec<String> {
    let own = "evaluator/tests/repository.rs";
    let breaks =
        |(path, text): &(String, String)| path != own && text.contains(word) && !allowed(path);
    sources()
        .iter()
        .filter(|source| breaks(source))
        .map(|(path, _)| path.clone())
        .collect()
}

#[test]
fn only_the_sandbox_reaches_the_kernel() {
    for library in ["use nix", "libc::", "seccompiler", "landlock::", "wasmtime"] {
        assert_eq!(
            outside(library, |path| path.starts_with("sandbox/")),
            [""; 0],
            "{library}"
        );
    }
}

#[test]
fn only_the_command_line_knows_clap() {
    let home = |path: &str| path.contains("/src/cli") || path.ends_with("/src/main.rs");
    assert_eq!(outside("use clap", home), [""; 0]);
}

#[test]
fn the_sandbox_knows_no_problem_and_no_verdict() {
    let knowing: Vec<_> = sources()
        .into_iter()
        .filter(|(path, text)| path.starts_with("sandbox/") && text.contains("evaluator"))
        .map(|(path, _)| path)
        .collect();
    assert_eq!(knowing, [""; 0]);
}

#[test]
fn no_file_has_more_than_600_lines() {
    let long: Vec<_> = sources()
        .into_iter()
        .filter(|(_, text)| text.lines().count() > 600)
        .map(|(path, _)| path)
        .collect();
    assert_eq!(long, [""; 0]);
}
