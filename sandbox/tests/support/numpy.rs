//! A Python that can import numpy.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The machine's own, or else that of a virtual environment, which pip fills once for all tests.
pub fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let own = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
        if let Some(own) = executable(Path::new(&own)) {
            return own;
        }
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("numpy");
        let python = place.join("bin/python3");
        if executable(&python).is_none() {
            done(
                Command::new(&own)
                    .args(["-m", "venv", "--clear"])
                    .arg(&place),
            );
            let install = ["-m", "pip", "install", "--quiet", "numpy"];
            done(Command::new(&python).args(install));
        }
        python
    })
}

/// Where an interpreter lies, if it can import numpy.
fn executable(python: &Path) -> Option<PathBuf> {
    let where_it_is = "import sys, numpy; print(sys.executable)";
    let output = Command::new(python).args(["-c", where_it_is]).output();
    let output = output.ok().filter(|output| output.status.success())?;
    let path = String::from_utf8(output.stdout).ok()?;
    Some(PathBuf::from(path.trim_end()))
}

fn done(command: &mut Command) {
    let status = command.status().expect("the interpreter runs");
    assert!(
        status.success(),
        "numpy is needed for this test, and was not to be had: {command:?}"
    );
}
