//! The runtimes of one worker thread, warm interpreters and others, each started when it is first needed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use sandbox::{Image, Interpreter, Interrupt, LaunchError, Runtime, Sandbox, SandboxError};

use super::controls::{Control, Findings};
use super::dry_run::DryRun;
use super::gate::CpuGate;
use crate::Prelude;
use crate::harness::{self, HarnessModule};
use crate::languages::{CompileCache, Compiled, Source, Toolchain};

/// Modules that most programs import some of, loaded once.
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

/// What tests are written with, which take longer to import than most tests to run.
const TESTING: [&str; 3] = ["unittest", "unittest.mock", "asyncio"];

/// Modules that every interpreter has loaded.
const AT_HAND: [&str; 4] = ["sys", "os", "io", "time"];

/// What all runtimes of an evaluator are started from.
#[derive(Debug)]
pub(crate) struct Images {
    interpreter: Interpreter,
    /// Of each harness that was asked for, with nothing imported but what it needs itself.
    python: Mutex<HashMap<HarnessModule, Image>>,
    /// What any worker has compiled.
    compiled: CompileCache,
    /// What problems' own checkers do without a candidate.
    controls: Findings<Control>,
    /// What test code does without a candidate.
    dry_runs: Findings<Arc<DryRun>>,
    /// For WebAssembly, with what its engine has compiled.
    #[cfg(feature = "wasm")]
    wasm: Image,
}

impl Images {
    /// Of this interpreter.
    pub(crate) fn new(interpreter: &Interpreter) -> Result<Images, SandboxError> {
        let images = Images {
            interpreter: interpreter.clone(),
            python: Mutex::default(),
            compiled: CompileCache::default(),
            controls: Findings::default(),
            dry_runs: Findings::default(),
            #[cfg(feature = "wasm")]
            wasm: Image::wasm(),
        };
        // An interpreter that cannot compile it is found out before anything is judged.
        images.python(HarnessModule::Scripts, Imports::NONE)?;
        Ok(images)
    }

    fn python(&self, module: HarnessModule, imports: Imports) -> Result<Image, SandboxError> {
        let mut python = self.python.lock().unwrap_or_else(PoisonError::into_inner);
        if !python.contains_key(&module) {
            python.extend(self.compile(module)?);
        }
        let image = &python[&module];
        Ok(image.importing(&imports.modules()))
    }

    /// A harness, and what is never needed without it.
    fn compile(&self, module: HarnessModule) -> Result<Vec<(HarnessModule, Image)>, SandboxError> {
        let pair = [HarnessModule::Candidate, HarnessModule::TestCode];
        if pair.contains(&module) {
            let images = Image::with_each(&self.interpreter, &pair.map(HarnessModule::harness))?;
            return Ok(pair.into_iter().zip(images).collect());
        }
        let image = Image::new(&self.interpreter, &module.harness())?;
        Ok(vec![(module, image)])
    }
}

/// What a warm interpreter has imported for its programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Imports {
    /// What most programs import.
    common: bool,
    numpy: bool,
    /// What tests are written with.
    testing: bool,
}

impl Imports {
    const NONE: Imports = Imports {
        common: false,
        numpy: false,
        testing: false,
    };

    /// What is best imported for a program with this source. One that imports more does so by itself.
    fn of(side: Side, source: &str, prelude: Prelude, has_numpy: bool) -> Imports {
        let numpy = has_numpy && source.contains("numpy");
        let testing = side == Side::TestCode && TESTING.iter().any(|name| source.contains(name));
        // The interpreter gives `random` its seed only where it is there before the program.
        let is_plain = prelude == Prelude::None && !source.contains("random") && needs_none(source);
        Imports {
            common: numpy || testing || !is_plain,
            numpy,
            testing,
        }
    }

    fn modules(self) -> Vec<&'static str> {
        let groups: [(bool, &[&str]); 3] = [
            (self.common, &COMMON),
            (self.numpy, &["numpy"]),
            (self.testing, &TESTING),
        ];
        let wanted = groups.into_iter().filter(|(is_wanted, _)| *is_wanted);
        wanted
            .flat_map(|(_, modules)| modules.iter().copied())
            .collect()
    }
}

/// Whether a source imports nothing but what every interpreter has at hand.
fn needs_none(source: &str) -> bool {
    let statements = source.lines().map(str::trim_start);
    statements
        .filter_map(imported)
        .flatten()
        .all(|module| AT_HAND.contains(&module))
}

/// The modules that a line imports, if it is an import.
fn imported(line: &str) -> Option<impl Iterator<Item = &str>> {
    let modules = match line.strip_prefix("from ") {
        Some(rest) => rest.split(" import").next()?,
        None => line.strip_prefix("import ")?,
    };
    Some(modules.split(',').map(|module| {
        let module = module.trim_start();
        module.split([' ', '.', '#', ';']).next().unwrap_or(module)
    }))
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
    Python {
        side: Side,
        module: HarnessModule,
        imports: Imports,
    },
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

    /// A runtime for a Python program with this source that is entered so, started if it is not there.
    pub(crate) fn of(
        &mut self,
        side: Side,
        source: &str,
        entry: harness::Entry<'_>,
    ) -> Result<&Runtime, SandboxError> {
        let images = self.images.clone();
        let module = entry.module();
        let has_numpy = images.interpreter.numpy.is_some();
        let imports = Imports::of(side, source, entry.prelude(), has_numpy);
        let python = Use::Python {
            side,
            module,
            imports,
        };
        self.warm(python, || images.python(module, imports))
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
            return self.warm(Use::Wasm { side }, || Ok(image.clone()));
        }
        let language = toolchain.language.name.clone();
        self.warm(Use::Native { side, language }, || {
            Ok(Image::native(toolchain.runner.clone()))
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
                Ok(Image::native(source.toolchain.compiler.clone()))
            })?;
            gate.shared(|| source.compile(runtime))
        })
    }

    /// What any worker knows of problems' own checkers.
    pub(super) fn controls(&self) -> &Findings<Control> {
        &self.images.controls
    }

    /// What any worker knows of problems' test code.
    pub(super) fn dry_runs(&self) -> &Findings<Arc<DryRun>> {
        &self.images.dry_runs
    }

    /// The runtime for this, started from `image` if it is not there.
    fn warm(
        &mut self,
        used: Use,
        image: impl Fn() -> Result<Image, SandboxError>,
    ) -> Result<&Runtime, SandboxError> {
        if !self.warm.get(&used).is_some_and(Runtime::is_usable) {
            let mut runtime = self.sandbox.start(&image()?)?;
            runtime.interrupted_by(&self.interrupt);
            self.warm.insert(used.clone(), runtime);
        }
        Ok(&self.warm[&used])
    }
}
