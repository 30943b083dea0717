//! Finds the Python that runs the programs.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Output;

use sandbox_guard::descriptors;
use serde::Deserialize;

use crate::ask::ask;
use crate::{SandboxError, paths};

/// Oldest CPython that is known to work.
const OLDEST: (u32, u32) = (3, 9);

/// What an interpreter tells about itself.
const PROBE: &str = r#"
import json, sys, sysconfig
from importlib.util import MAGIC_NUMBER
paths = sysconfig.get_paths()
try:
    import numpy
    numpy = numpy.__version__
except Exception:
    numpy = None
print(json.dumps({
    "executable": sys.executable, "version": list(sys.version_info[:3]), "numpy": numpy,
    "implementation": sys.implementation.name, "build": f"{sys.version} {MAGIC_NUMBER.hex()}",
    "libraries": sorted({paths[k] for k in ("stdlib", "platstdlib", "purelib", "platlib")}
                        | {p for p in sys.path if "-packages" in p or "lib-dynload" in p}),
    "path": [p for p in sys.path if p],
    "prefixes": sorted({sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}),
}))
"#;

/// A CPython interpreter, with a version manager's shim resolved.
#[derive(Debug, Clone)]
pub struct Interpreter {
    /// The real executable.
    pub executable: PathBuf,
    /// Its version: `3.11.7`.
    pub version: String,
    /// Version of the numpy it can import, if any.
    pub numpy: Option<String>,
    /// Directories and files that it needs to run.
    pub(crate) readable: Vec<PathBuf>,
    /// Where it looks for modules, its site-packages among them.
    pub(crate) path: Vec<String>,
    /// What tells it from others that may compile the same source to something else.
    pub(crate) build: String,
}

#[derive(Deserialize)]
struct Probe {
    executable: PathBuf,
    version: (u32, u32, u32),
    numpy: Option<String>,
    implementation: String,
    build: String,
    libraries: Vec<PathBuf>,
    path: Vec<String>,
    prefixes: Vec<PathBuf>,
}

impl Interpreter {
    /// Find the interpreter at `path`, or `python3` on the search path, by asking it about itself.
    pub fn find(path: Option<&Path>) -> Result<Interpreter, SandboxError> {
        let command = command(path);
        let problem =
            |what: String| SandboxError::Interpreter(format!("{}: {what}", command.display()));
        let output = probe(command).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound if path.is_none() => problem("is not on PATH".to_owned()),
            _ => problem(error.to_string()),
        })?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(problem(format!(
                "does not run ({}): {}",
                output.status,
                said.trim()
            )));
        }
        let probe: Probe = serde_json::from_slice(&output.stdout)
            .map_err(|_| problem("is no Python: it did not tell about itself".to_owned()))?;
        if probe.executable.as_os_str().is_empty() {
            return Err(problem(
                "does not know its own path; give it in full".to_owned(),
            ));
        }
        let (major, minor, micro) = probe.version;
        if probe.implementation != "cpython" || (major, minor) < OLDEST {
            let is = format!("{} {major}.{minor}", probe.implementation);
            return Err(problem(format!(
                "is {is}, but CPython {}.{} or newer is needed",
                OLDEST.0, OLDEST.1
            )));
        }
        let readable = readable(&probe);
        if let Some(place) = readable.iter().find(|path| path.starts_with(SHARED_MEMORY)) {
            return Err(problem(format!(
                "needs {}, but a box has its scratch directory in {SHARED_MEMORY}: install it elsewhere",
                place.display()
            )));
        }
        Ok(Interpreter {
            readable,
            path: probe.path,
            executable: probe.executable,
            version: format!("{major}.{minor}.{micro}"),
            numpy: probe.numpy,
            build: probe.build,
        })
    }
}

/// What it is started by.
fn command(path: Option<&Path>) -> &Path {
    path.unwrap_or(Path::new("python3"))
}

/// What leads to a program's scratch directory in every box.
const SHARED_MEMORY: &str = "/dev/shm";

/// Where a system has its libraries.
const SYSTEM: [&str; 6] = [
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/share/zoneinfo",
    "/etc/ld.so.cache",
];

fn probe(command: &Path) -> io::Result<Output> {
    let arguments = ["-s", "-E", "-X", "utf8", "-c", PROBE];
    ask(command, &arguments, descriptors::memory_file("nothing")?)
}

/// The libraries of the system and of the interpreter: never a whole prefix, where a user's files may lie as well.
fn readable(probe: &Probe) -> Vec<PathBuf> {
    let mut wanted: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    wanted.extend(probe.prefixes.iter().map(|prefix| prefix.join("lib")));
    wanted.extend(probe.libraries.iter().cloned());
    wanted.retain(|path| path.is_absolute() && path.exists());
    paths::outermost(wanted)
}
