//! Builds what runs inside a box, so that the library can carry it and an installed binary needs nothing beside it: the guard
//! as a shared object, which the supervisor hands to the interpreter, and the executable workers.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The executable workers: the folder and the name of each package, and the variable that says where its executable is.
const WORKERS: [(&str, &str, &str); 1] = [("launcher", "sandbox-launcher", "SANDBOX_LAUNCHER")];

fn main() {
    let built = build("guard", &["--lib", "--crate-type", "cdylib"], &[]);
    carry("SANDBOX_GUARD", &built.join("libsandbox_guard.so"));
    for (folder, name, variable) in WORKERS {
        // Without shared libraries, so that a worker needs none in its box, and a fork of it copies few mappings.
        let flags = ["--", "-C", "target-feature=+crt-static"];
        let built = build(folder, &["--bin", name], &flags);
        carry(variable, &built.join(name));
        println!("cargo:rerun-if-changed={folder}");
    }
    println!("cargo:rerun-if-changed=guard");
    println!("cargo:rerun-if-changed=build.rs");
}

/// Tell the library where a file is that it carries.
fn carry(variable: &str, file: &Path) {
    println!("cargo:rustc-env={variable}={}", file.display());
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

/// Build the package in `folder`, small; the folder that the result lies in.
fn build(folder: &str, what: &[&str], flags: &[&str]) -> PathBuf {
    let target_dir = PathBuf::from(variable("OUT_DIR")).join("guard");
    let target = variable("TARGET");
    let status = Command::new(variable("CARGO"))
        .args(["rustc", "--release", "--target", &target])
        .args(what)
        .args(["--manifest-path", &format!("{folder}/Cargo.toml")])
        .args(["--config", "profile.release.strip=true"])
        .args(["--config", "profile.release.panic='abort'"])
        .args(["--config", "profile.release.opt-level='s'"])
        .arg("--target-dir")
        .arg(&target_dir)
        .args(flags)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .status()
        .expect("cargo runs");
    assert!(status.success(), "{folder} does not build");
    target_dir.join(&target).join("release")
}
