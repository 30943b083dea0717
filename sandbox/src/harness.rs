//! Harnesses: the Python that lives inside a boxed interpreter, beside the fork server.

use sandbox_guard::descriptors;
use serde_json::json;

use crate::SandboxError;
use crate::interpreter::{self, Interpreter};

/// A Python source: its path below the folder of its package, and its text.
pub type Source = (&'static str, &'static str);

/// What turns the bytes of a [`crate::Program`] into something that runs: a Python module with `prepare`, and the modules
/// that it imports. `mc_sandbox/script.py` says what it has to define.
#[derive(Debug, Clone, Copy)]
pub struct Harness {
    /// The module's name.
    pub module: &'static str,
    /// It and what it imports, beyond the standard library and `mc_sandbox`.
    pub sources: &'static [Source],
}

impl Harness {
    /// The plainest: a program is a script, and its bytes are the source.
    pub const SCRIPT: Harness = Harness {
        module: "mc_sandbox.script",
        sources: &[],
    };
}

const BOOT: &str = include_str!("../python/mc_sandbox/boot.py");

/// The fork server.
const SERVER: [Source; 3] = [
    (
        "mc_sandbox/__init__.py",
        include_str!("../python/mc_sandbox/__init__.py"),
    ),
    (
        "mc_sandbox/script.py",
        include_str!("../python/mc_sandbox/script.py"),
    ),
    (
        "mc_sandbox/server.py",
        include_str!("../python/mc_sandbox/server.py"),
    ),
];

/// Writes `(boot, {name: (is_package, code)})` as the `marshal` module does.
const COMPILER: &str = "\
import json, marshal, sys
boot, sources = json.load(sys.stdin)
def module(path):
    name = path[:-len('.py')].replace('/', '.')
    package = name.endswith('.__init__')
    return name[:-len('.__init__')] if package else name, package
codes = {}
for path, source in sources:
    name, package = module(path)
    codes[name] = package, compile(source, f'<{path}>', 'exec')
sys.stdout.buffer.write(marshal.dumps((compile(boot, '<mc_sandbox/boot.py>', 'exec'), codes)))
";

/// Compile the fork server and a harness, once for all boxes: compiling takes long, and leaves a heap behind with holes
/// that every fork would copy.
pub(crate) fn compile(
    interpreter: &Interpreter,
    harness: &Harness,
) -> Result<Vec<u8>, SandboxError> {
    let sources: Vec<_> = SERVER.iter().chain(harness.sources).collect();
    let text = json!([BOOT, sources]).to_string();
    let failed = |why: String| SandboxError::Interpreter(format!("compile the harness: {why}"));
    let stdin = descriptors::memory_file_of("sources", text.as_bytes())
        .map_err(|error| failed(error.to_string()))?;
    let output = interpreter::ask(
        &interpreter.executable,
        &["-I", "-S", "-c", COMPILER],
        stdin,
    )
    .map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}
