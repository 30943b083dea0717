//! Builds what runs inside a box, so that the library can carry it and an installed binary needs nothing beside it: the guard
//! as a shared object, which the supervisor hands to the interpreter, and the executable workers.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

/// Fewer instructions; and faster ones, where much is computed.
const SMALL: &str = "profile.release.opt-level='s'";
const FAST: &str = "profile.release.opt-level=2";

/// An executable worker: its folder, the name of its package, the variable that says where its executable is, and how it is
/// compiled.
struct Worker(&'static str, &'static str, &'static str, &'static str);

const LAUNCHER: Worker = Worker("launcher", "sandbox-launcher", "SANDBOX_LAUNCHER", SMALL);
const WASM: Worker = Worker("wasm", "sandbox-wasm", "SANDBOX_WASM", FAST);

fn main() {
    let wasm = std::env::var_os("CARGO_FEATURE_WASM").map(|_| WASM);
    let workers = [LAUNCHER].into_iter().chain(wasm);
    // Side by side: an engine keeps one processor busy for long, and cargo says how many there are to use.
    thread::scope(|scope| {
        scope.spawn(build_guard);
        for worker in workers {
            scope.spawn(move || worker.build());
        }
    });
    println!("cargo:rerun-if-changed=build.rs");
}

fn build_guard() {
    let built = build("guard", &["--lib", "--crate-type", "cdylib"], &[], SMALL);
    carry("SANDBOX_GUARD", &built.join("libsandbox_guard.so"));
    println!("cargo:rerun-if-changed=guard");
}

impl Worker {
    fn build(&self) {
        let Worker(folder, name, variable, level) = self;
        // Without shared libraries, so that a worker needs none in its box, and a fork of it copies few mappings.
        let flags = ["--", "-C", "target-feature=+crt-static"];
        let built = build(folder, &["--bin", name], &flags, level);
        carry(variable, &built.join(name));
        println!("cargo:rerun-if-changed={folder}");
    }
}

/// Tell the library where a file is that it carries.
fn carry(variable: &str, file: &Path) {
    println!("cargo:rustc-env={variable}={}", file.display());
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

/// Where the package in `folder` is built: in one place for all profiles of the library, as an engine takes minutes, and
/// apart from the others, which compile the guard too, each in its own way.
fn target_dir(folder: &str) -> PathBuf {
    // Below the outer one: PROFILE/build/PACKAGE/out.
    let out = PathBuf::from(variable("OUT_DIR"));
    let outer = out.ancestors().nth(4).unwrap_or(&out);
    outer.join("workers").join(folder)
}

/// Build the package in `folder`; the folder that the result lies in.
fn build(folder: &str, what: &[&str], flags: &[&str], level: &str) -> PathBuf {
    let target_dir = target_dir(folder);
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
