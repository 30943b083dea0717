//! The runtimes of one worker thread, warm interpreters and others, each started when it is first needed.

use std::collections::HashMap;
use std::sync::Arc;

use sandbox::{Image, Interpreter, Interrupt, LaunchError, Runtime, Sandbox, SandboxError};

use super::gate::CpuGate;
use crate::harness::HARNESS;
use crate::languages::{CompileCache, Compiled, Source, Toolchain};

/// Modules that most programs import, loaded once.
const COMMON: [&str; 12] = [
    "collections",
    "math",
    "heapq",
    "bisect",
    "itertools",
    "functools",
    "operator",
    "string",
    "re",
    "typing",
    "copy",
    "random",
];

/// What all runtimes of an evaluator are started from.
#[derive(Debug)]
pub(crate) struct Images {
    plain: Image,
    /// With numpy imported, where the interpreter has it.
    numpy: Option<Image>,
    /// What any worker has compiled.
    compiled: CompileCache,
    /// For WebAssembly, with what its engine has compiled.
    #[cfg(feature = "wasm")]
    wasm: Image,
}

impl Images {
    /// Of this interpreter.
    pub(crate) fn new(interpreter: &Interpreter) -> Result<Images, SandboxError> {
        let plain = Image::new(interpreter, &HARNESS)?.importing(&COMMON);
        let numpy = interpreter
            .numpy
            .is_some()
            .then(|| plain.importing(&["numpy"]));
        Ok(Images {
            plain,
            numpy,
            compiled: CompileCache::default(),
            #[cfg(feature = "wasm")]
            wasm: Image::wasm(),
        })
    }
}

/// Whose program a runtime is for. Each has its own, and with it a cgroup: what one side does to its memory cannot be
/// taken for the doing of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    /// The submission's.
    Candidate,
    /// The problem's.
    TestCode,
}

/// What tells one runtime of a worker thread from another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Use {
    /// Python programs.
    Python { side: Side, numpy: bool },
    /// Programs of another language, by its name.
    Native { side: Side, language: String },
    /// WebAssembly, whatever it was compiled from.
    #[cfg(feature = "wasm")]
    Wasm { side: Side },
    /// Its compiler.
    Compiler { language: String },
}

/// One worker thread's runtimes.
#[derive(Debug)]
pub(crate) struct Runtimes {
    sandbox: Sandbox,
    images: Arc<Images>,
    interrupt: Interrupt,
    warm: HashMap<Use, Runtime>,
}

impl Runtimes {
    /// None is started yet.
    pub(crate) fn new(sandbox: &Sandbox, images: &Arc<Images>) -> Runtimes {
        Runtimes {
            sandbox: sandbox.clone(),
            images: images.clone(),
            interrupt: Interrupt::default(),
            warm: HashMap::new(),
        }
    }

    /// Have `interrupt` end all waits from now on.
    pub(crate) fn interrupted_by(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
        for runtime in self.warm.values_mut() {
            runtime.interrupted_by(interrupt);
        }
    }

    /// A runtime for a Python program with this source, started if it is not there.
    pub(crate) fn of(&mut self, side: Side, source: &str) -> Result<&Runtime, SandboxError> {
        let images = self.images.clone();
        let numpy = images.numpy.as_ref();
        let numpy = numpy.filter(|_| source.contains("numpy"));
        let python = Use::Python {
            side,
            numpy: numpy.is_some(),
        };
        self.warm(python, || numpy.unwrap_or(&images.plain).clone())
    }

    /// A runtime for programs of another language.
    pub(crate) fn native(
        &mut self,
        side: Side,
        toolchain: &Toolchain,
    ) -> Result<&Runtime, SandboxError> {
        #[cfg(feature = "wasm")]
        if toolchain.language.engine {
            let image = self.images.wasm.clone();
            return self.warm(Use::Wasm { side }, || image.clone());
        }
        let language = toolchain.language.name.clone();
        self.warm(Use::Native { side, language }, || {
            Image::native(toolchain.runner.clone())
        })
    }

    /// What `source` compiles to. It is compiled in a runtime of its own, unless some worker has done that.
    pub(crate) fn compiled(
        &mut self,
        gate: &CpuGate,
        source: &Source,
    ) -> Result<Arc<Compiled>, LaunchError> {
        let images = self.images.clone();
        images.compiled.get(source, || {
            let language = source.toolchain.language.name.clone();
            let runtime = self.warm(Use::Compiler { language }, || {
                Image::native(source.toolchain.compiler.clone())
            })?;
            gate.shared(|| source.compile(runtime))
        })
    }

    /// The runtime for this, started from `image` if it is not there.
    fn warm(&mut self, used: Use, image: impl Fn() -> Image) -> Result<&Runtime, SandboxError> {
        if !self.warm.get(&used).is_some_and(Runtime::is_usable) {
            let mut runtime = self.sandbox.start(&image())?;
            runtime.interrupted_by(&self.interrupt);
            self.warm.insert(used.clone(), runtime);
        }
        Ok(&self.warm[&used])
    }
}
