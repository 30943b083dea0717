//! What warm interpreters are started from.

use std::process::Command;
use std::sync::Arc;

use serde_json::json;

use crate::harness::{Harness, compile};
use crate::interpreter::Interpreter;
use crate::{SandboxError, files};

/// The guard, a shared object.
const GUARD: &[u8] = include_bytes!(env!("SANDBOX_GUARD"));

/// Takes boot script and modules from behind the guard: the interpreter keeps several copies of a command line, four bytes
/// a character.
const START_SCRIPT: &str = "import marshal, os, sys; at = int(sys.argv.pop()); \
     boot, codes = marshal.loads(os.pread(1, os.fstat(1).st_size - at, at)); exec(boot); main(codes)";

/// The environment of every program.
const ENVIRONMENT: [(&str, &str); 8] = [
    ("HOME", "/tmp"),
    ("LANG", "C.UTF-8"),
    ("PATH", "/usr/bin:/bin"),
    // The order of sets of strings, and so the verdict of a program that depends on it, is the same in every run.
    ("PYTHONHASHSEED", "0"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
    // Symbols are looked up once, not in every fork.
    ("LD_BIND_NOW", "1"),
    ("OMP_NUM_THREADS", "1"),
    ("OPENBLAS_NUM_THREADS", "1"),
];

/// What warm interpreters are started from.
#[derive(Debug, Clone)]
pub(crate) struct Warm {
    pub(crate) interpreter: Interpreter,
    /// The harness' module.
    module: &'static str,
    /// Fork server and harness, as the interpreter's `marshal` module writes code.
    code: Arc<Vec<u8>>,
    /// The modules that it has imported when programs come.
    pub(crate) imports: Vec<String>,
}

impl Warm {
    /// One for each harness, with nothing imported but what it needs.
    pub(crate) fn with_each<const N: usize>(
        interpreter: &Interpreter,
        harnesses: &[Harness; N],
    ) -> Result<[Warm; N], SandboxError> {
        let mut codes = compile(interpreter, harnesses)?.map(Arc::new);
        Ok(std::array::from_fn(|at| Warm {
            interpreter: interpreter.clone(),
            module: harnesses[at].module,
            code: std::mem::take(&mut codes[at]),
            imports: Vec::new(),
        }))
    }

    /// What starts it. The guard and the code are its standard output.
    pub(crate) fn command(&self) -> Result<Command, SandboxError> {
        let setup = json!({
            "path": self.interpreter.path,
            "harness": self.module,
            "imports": self.imports,
        });
        let code = [GUARD, &self.code].concat();
        let mut command = Command::new(&self.interpreter.executable);
        command
            .args(["-S", "-s", "-X", "utf8", "-c", START_SCRIPT])
            .args([setup.to_string(), GUARD.len().to_string()])
            .env_clear()
            .envs(ENVIRONMENT)
            .current_dir("/")
            .stdout(files::memory_file_of("guard", &code)?);
        Ok(command)
    }
}
