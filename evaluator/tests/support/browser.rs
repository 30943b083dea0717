//! A browser without a window, and a page as that has it once its script has run.

use std::process::{Command, Stdio};

use tempfile::TempDir;

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// No network, no profile of anybody's, and a sandbox that containers have no room for.
const ALONE: [&str; 8] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// What starts the browser: the command, and a profile of its own.
pub fn command(profile: &TempDir) -> Command {
    let mut command = Command::new(name());
    command
        .args(ALONE)
        .arg(format!("--user-data-dir={}", profile.path().display()));
    command
}

fn name() -> &'static str {
    let found = |name: &&str| {
        let mut asked = Command::new(name);
        let asked = asked.arg("--version").stdout(Stdio::null());
        let asked = asked.stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    };
    let mut browsers = BROWSERS.into_iter();
    browsers.find(found).expect("Debian has it in chromium")
}

/// The document at an address ten seconds after it was opened; `sign` must be in it.
pub fn document(address: &str, sign: &str) -> String {
    let profile = tempfile::tempdir().unwrap();
    let output = command(&profile)
        .arg("--virtual-time-budget=10000")
        .args(["--dump-dom", address])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains(sign),
        "no {sign} in {text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text
}
