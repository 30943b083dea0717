//! Builds what runs inside a box, so that the library can carry it and an installed binary needs nothing beside it: the guard
//! as a shared object, which the supervisor hands to the interpreter, and the executable workers.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Fewer instructions; and faster ones, where much is computed.
const SMALL: &str = "profile.release.opt-level='s'";
const FAST: &str = "profile.release.opt-level=2";

/// An executable worker: its folder, the name of its package, the variable that says where its executable is, and how it is
/// compiled.
struct Worker(&'static str, &'static str, &'static str, &'static str);

const LAUNCHER: Worker = Worker("launcher", "sandbox-launcher", "SANDBOX_LAUNCHER", SMALL);
const WASM: Worker = Worker("wasm", "sandbox-wasm", "SANDBOX_WASM", FAST);

fn main() {
    let built = build("guard", &["--lib", "--crate-type", "cdylib"], &[], SMALL);
    carry("SANDBOX_GUARD", &built.join("libsandbox_guard.so"));
    let wasm = std::env::var_os("CARGO_FEATURE_WASM").map(|_| WASM);
    for Worker(folder, name, variable, level) in [LAUNCHER].into_iter().chain(wasm) {
        // Without shared libraries, so that a worker needs none in its box, and a fork of it copies few mappings.
        let flags = ["--", "-C", "target-feature=+crt-static"];
        let built = build(folder, &["--bin", name], &flags, level);
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

/// Where it is built: in one place for all profiles of the library, as an engine takes minutes.
fn target_dir() -> PathBuf {
    // Below the outer one: PROFILE/build/PACKAGE/out.
    let out = PathBuf::from(variable("OUT_DIR"));
    out.ancestors().nth(4).unwrap_or(&out).join("workers")
}

/// Build the package in `folder`; the folder that the result lies in.
fn build(folder: &str, what: &[&str], flags: &[&str], level: &str) -> PathBuf {
    let target_dir = target_dir();
    let target = variable("TARGET");
    let status = Command::new(variable("CARGO"))
        .args(["rustc", "--release", "--target", &target])
        .args(what)
        .args(["--manifest-path", &format!("{folder}/Cargo.toml")])
        .args(["--config", "profile.release.strip=true"])
        .args(["--config", "profile.release.debug=false"])
        .args(["--config", "profile.release.panic='abort'"])
        .args(["--config", level])
        .arg("--target-dir")
        .arg(&target_dir)
        .args(flags)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        // A linter's; what it finds here it finds when the package itself is looked at.
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .status()
        .expect("cargo runs");
    assert!(status.success(), "{folder} does not build");
    target_dir.join(&target).join("release")
}
