//! What runtimes are started from.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use sandbox_guard::protocol::WorkerSetup;

use crate::compiled_code::CompiledCode;
use crate::files;
use crate::interpreter::Interpreter;
use crate::warm::Warm;
use crate::{Harness, Level, SandboxError, paths};

/// The worker whose programs are executables.
const LAUNCHER: &[u8] = include_bytes!(env!("SANDBOX_LAUNCHER"));
/// The worker whose programs are WebAssembly.
#[cfg(feature = "wasm")]
const WASM: &[u8] = include_bytes!(env!("SANDBOX_WASM"));

/// What runtimes are started from: an interpreter with its harness, or an executable worker with what its programs see.
#[derive(Debug, Clone)]
pub struct Image(Kind);

#[derive(Debug, Clone)]
enum Kind {
    Python(Warm),
    Executable(Surroundings),
    #[cfg(feature = "wasm")]
    Wasm(Arc<CompiledCode>),
}

/// What programs that are executables find in their box, beside their own files. All of it can be read by them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Files and folders of the host, shown at the same paths.
    pub readable: Vec<PathBuf>,
    /// Those among them that may be executed, or hold what may: an interpreter with its loader, a compiler with its tools.
    pub executable: Vec<PathBuf>,
    /// Links that the host need not have, and where they lead: `/proc/self/exe` for one, where a runtime asks for it.
    pub links: Vec<(PathBuf, PathBuf)>,
}

impl Image {
    /// A Python, with nothing imported but what the harness needs.
    ///
    /// # Errors
    /// The harness does not compile.
    pub fn new(interpreter: &Interpreter, harness: &Harness) -> Result<Image, SandboxError> {
        let [image] = Image::with_each(interpreter, &[*harness])?;
        Ok(image)
    }

    /// One for each harness, with nothing imported but what it needs. What they share is compiled once.
    ///
    /// # Errors
    /// A harness does not compile.
    pub fn with_each<const N: usize>(
        interpreter: &Interpreter,
        harnesses: &[Harness; N],
    ) -> Result<[Image; N], SandboxError> {
        let warm = Warm::with_each(interpreter, harnesses)?;
        Ok(warm.map(Kind::Python).map(Image))
    }

    /// The same with more modules imported. Those that this interpreter lacks make the start of a runtime fail. An image of
    /// another kind imports nothing, and stays as it is.
    pub fn importing(&self, modules: &[&str]) -> Image {
        let mut image = self.clone();
        if let Kind::Python(warm) = &mut image.0 {
            let modules = modules.iter().map(|name| (*name).to_owned());
            warm.imports.extend(modules);
        }
        image
    }

    /// For programs that are executables ([`crate::Executable`]).
    pub fn native(surroundings: Surroundings) -> Image {
        Image(Kind::Executable(Surroundings {
            readable: paths::outermost(surroundings.readable),
            executable: paths::outermost(surroundings.executable),
            links: surroundings.links,
        }))
    }

    /// For programs that are WebAssembly: a binary or its text form, a module of WASI preview 1 with a function `_start`, or a
    /// component of preview 2 that exports `wasi:cli/run`. What is compiled once is not compiled again by any runtime that is
    /// started from this image or a clone of it.
    #[cfg(feature = "wasm")]
    pub fn wasm() -> Image {
        Image(Kind::Wasm(Arc::default()))
    }

    /// Whether its programs bring files of their own.
    pub(crate) fn has_own_files(&self) -> bool {
        matches!(self.0, Kind::Executable(_))
    }

    /// What its programs were compiled to before, if its engine plays them by itself: it then counts fuel for time.
    pub(crate) fn compiled_code(&self) -> Option<Arc<CompiledCode>> {
        match &self.0 {
            #[cfg(feature = "wasm")]
            Kind::Wasm(compiled) => Some(compiled.clone()),
            _ => None,
        }
    }

    /// What its worker makes its box of.
    pub(crate) fn setup(&self, level: Level) -> WorkerSetup {
        let setup = WorkerSetup {
            namespaces: level.has_namespaces(),
            unguarded: !level.is_guarded(),
            ..WorkerSetup::default()
        };
        match &self.0 {
            Kind::Python(warm) => WorkerSetup {
                readable: warm.interpreter.readable.clone(),
                ..setup
            },
            #[cfg(feature = "wasm")]
            Kind::Wasm(_) => setup,
            Kind::Executable(surroundings) => WorkerSetup {
                executes: true,
                readable: surroundings.readable.clone(),
                executable: surroundings.executable.clone(),
                links: surroundings.links.clone(),
                ..setup
            },
        }
    }

    /// What starts its worker, and a file that has to be open until then.
    pub(crate) fn command(&self) -> Result<(Command, Option<File>), SandboxError> {
        match &self.0 {
            Kind::Python(warm) => Ok((warm.command()?, None)),
            Kind::Executable(_) => carried(LAUNCHER),
            #[cfg(feature = "wasm")]
            Kind::Wasm(_) => carried(WASM),
        }
    }
}

/// What starts an executable that this library carries, and the file that it is in.
fn carried(executable: &[u8]) -> Result<(Command, Option<File>), SandboxError> {
    let file = files::memory_file_of("worker", executable)?;
    let mut command = Command::new(format!("/proc/self/fd/{}", file.as_raw_fd()));
    command.env_clear().current_dir("/").stdout(Stdio::null());
    Ok((command, Some(file)))
}
