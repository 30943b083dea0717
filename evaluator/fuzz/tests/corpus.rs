//! Every target runs over its kept corpus, and over as many inputs more as take a second or two.
//!
//! Without coverage, which `cargo fuzz` builds in, libFuzzer is not led anywhere: this finds what broke, not what was
//! always broken.

use std::path::Path;
use std::process::Command;

/// Inputs that each target makes up beyond its corpus, always the same ones.
const MORE: &str = "-runs=3000";

#[track_caller]
fn holds(target: &str, executable: &str) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(target);
    let scratch = tempfile::tempdir().expect("a scratch directory");
    // libFuzzer adds what it finds to the first folder, and only reads the second.
    let output = Command::new(executable)
        .args([MORE, "-seed=1", "-timeout=60"])
        .args([scratch.path(), &corpus])
        .current_dir(scratch.path())
        .output()
        .expect("the target runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{target} fails:\n{said}");
    let kept = corpus.read_dir().expect("a corpus").count();
    let read = format!("INFO: seed corpus: files: {kept} ");
    assert!(
        said.contains(&read),
        "{target} has not read its corpus:\n{said}"
    );
}

macro_rules! targets {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            holds(stringify!($name), env!(concat!("CARGO_BIN_EXE_", stringify!($name))));
        })*
    };
}

targets!(
    channel, checker, evidence, literal, readers, text, value, verdicts, wire
);
