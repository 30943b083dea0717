//! Other people's clients, unchanged: verl's reward function for a remote sandbox, and SandboxFusion's own package.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::server::Server;

/// The packages, without what they need for everything else, and what the clients need.
const PACKAGES: [&str; 3] = ["verl==0.9.1", "sandbox-fusion==0.3.7", "--no-deps"];
const NEEDED: [&str; 4] = ["requests==2.33.0", "tenacity", "pydantic", "aiohttp"];

/// A Python that has them, in a virtual environment that pip fills once.
fn python() -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients");
    let python = place.join("bin/python3");
    let whole = place.join("whole");
    // The interpreter that it was made with may be gone.
    if !whole.exists() || !python.exists() {
        done(
            Command::new("python3")
                .args(["-m", "venv", "--clear"])
                .arg(&place),
        );
        let install = ["-m", "pip", "install", "--quiet"];
        done(Command::new(&python).args(install).args(NEEDED));
        done(Command::new(&python).args(install).args(PACKAGES));
        std::fs::write(&whole, "").unwrap();
    }
    python
}

fn done(command: &mut Command) {
    let status = command.status().expect("the interpreter runs");
    assert!(status.success(), "needed for this test: {command:?}");
}

#[test]
fn verl_and_sandbox_fusion_change_only_the_address() {
    let server = Server::start(&[]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/serve/clients.py");
    done(Command::new(python()).arg(script).arg(server.url()));
}
