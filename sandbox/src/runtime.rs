//! Runtimes: warm interpreters and other workers, each in a box of its own, from which the boxes of programs are forked.

use std::fs::File;
use std::os::fd::AsFd;
use std::sync::Arc;

use sandbox_guard::protocol::LaunchRequest;

use crate::boxed::{Box, Runs};
use crate::cgroup::Hierarchy;
use crate::channel::{Channel, Interrupt};
use crate::compiled_code::{CompiledCode, Sent};
use crate::executable::{self, Module, Sizes};
use crate::files;
use crate::image::Image;
use crate::program::Program;
use crate::worker::Worker;
use crate::{LaunchError, Level, Limits, SandboxError};

/// What the stack of one more thread takes, if the program asks for no other size.
const THREAD: u64 = 9 << 20;
/// What guards a stack.
const GUARD_PAGES: u64 = 1 << 20;

/// A warm interpreter, or another worker. Dropping it ends its processes, once its boxes are dropped too.
#[derive(Debug)]
pub struct Runtime {
    worker: Arc<Worker>,
    /// Whether its programs bring files with them.
    has_own_files: bool,
    /// Whether a program that is given files can be shown them: they are laid out in mounts.
    can_mount: bool,
    /// What its programs were compiled to before, if an engine plays them.
    compiled: Option<Arc<CompiledCode>>,
    interrupt: Interrupt,
}

/// What an engine may hold beside a program's memory, above all to compile it.
const ENGINE: u64 = 512 << 20;

/// The longest program whose compilation takes so little memory that it may count as its run's.
const SHORT: usize = 64 << 10;

/// The files of a program, in what its worker is sent.
#[derive(Clone, Copy)]
struct Listed {
    /// Where the list begins.
    at: u64,
    sizes: Sizes,
}

impl Listed {
    fn at(place: usize, list: &[u8]) -> Result<Listed, SandboxError> {
        Ok(Listed {
            at: place as u64,
            sizes: executable::sizes(list)?,
        })
    }
}

impl Runtime {
    pub(crate) fn start(
        image: &Image,
        level: Level,
        hierarchy: Option<&Hierarchy>,
    ) -> Result<Runtime, SandboxError> {
        let interrupt = Interrupt::default();
        let worker = Worker::start(image, level, hierarchy, &interrupt)?;
        Ok(Runtime {
            worker: Arc::new(worker),
            has_own_files: image.has_own_files(),
            can_mount: level.has_namespaces(),
            compiled: image.compiled_code(),
            interrupt,
        })
    }

    /// Have `interrupt` end the waits of this runtime and of the boxes that it launches from now on.
    pub fn interrupted_by(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
    }

    /// Whether programs can still be launched. A runtime is lost when the host failed it, or when a program took more than
    /// its own box with it.
    pub fn is_usable(&self) -> bool {
        !self.worker.is_retired()
    }

    /// Start a program: compile it in a box of its own. `limits` bound the box; those of a run may be tighter.
    ///
    /// # Errors
    /// The program does not compile, or the host failed; the runtime is then not to be used again.
    pub fn launch(&self, program: &Program, limits: &Limits) -> Result<Box, LaunchError> {
        self.launch_for(Runs::Many, program, limits)
    }

    /// The same for one run, after which the box is spent. That saves a process where the runtime is an interpreter with
    /// namespaces and the program is short and names no signal: the process that compiled it runs it too.
    ///
    /// # Errors
    /// As of [`Runtime::launch`].
    pub fn launch_once(&self, program: &Program, limits: &Limits) -> Result<Box, LaunchError> {
        let sound = self.can_mount
            && !self.has_own_files
            && program.text.len() <= SHORT
            && !program.names_signals();
        let runs = if sound { Runs::One } else { Runs::Many };
        self.launch_for(runs, program, limits)
    }

    fn launch_for(
        &self,
        runs: Runs,
        program: &Program,
        limits: &Limits,
    ) -> Result<Box, LaunchError> {
        let launched = match &self.compiled {
            None => self.launch_alone(program, runs, limits),
            Some(compiled) => self.launch_in_engine(program, compiled, limits),
        };
        if matches!(launched, Err(LaunchError::Host(_))) {
            self.worker.retire();
        }
        launched
    }

    fn launch_alone(
        &self,
        program: &Program,
        runs: Runs,
        limits: &Limits,
    ) -> Result<Box, LaunchError> {
        let files = match self.has_own_files {
            true => Some(Listed::at(0, &program.text)?),
            false => None,
        };
        let (boxed, _) = self.launch_box(program, &program.text, files, runs, limits)?;
        Ok(boxed)
    }

    /// A program that an engine plays, from its code if it was compiled before. It needs a scratch directory only if it is
    /// given files.
    fn launch_in_engine(
        &self,
        program: &Program,
        compiled: &CompiledCode,
        limits: &Limits,
    ) -> Result<Box, LaunchError> {
        let module = Module::read(&program.text)?;
        if module.given.is_some() && !self.can_mount {
            let why = "only programs without files and arguments run without namespaces";
            return Err(SandboxError::Isolation(why.into()).into());
        }
        let limits = Limits {
            memory: limits.memory + ENGINE,
            scratch_bytes: module.given.as_ref().map_or(0, |_| limits.scratch_bytes),
            ..limits.clone()
        };
        let sent = compiled.send(&module.code);
        let (boxed, file) = match module.given {
            None => self.launch_box(program, sent.bytes(), None, Runs::Many, &limits)?,
            Some(given) => {
                let files = Listed::at(sent.bytes().len(), &given)?;
                let text = [sent.bytes(), &given].concat();
                self.launch_box(program, &text, Some(files), Runs::Many, &limits)?
            }
        };
        if let Sent::Source(_, hash) = sent {
            // Nothing of the program has run yet, so this is what the engine itself left.
            compiled.keep(hash, &files::content(&file)?);
        }
        Ok(boxed)
    }

    /// The box of a program that its worker is sent as `text`, with the files that are listed there, and the file that it was
    /// sent in.
    fn launch_box(
        &self,
        program: &Program,
        text: &[u8],
        files: Option<Listed>,
        runs: Runs,
        limits: &Limits,
    ) -> Result<(Box, File), LaunchError> {
        let source = files::memory_file_of("program", text)?;
        // What the kernel killed before, a program that was compiling for one, is not the doing of this one.
        self.worker.was_killed_for_memory()?;
        let sizes = files.map(|listed| listed.sizes);
        let files_bytes = sizes.map_or(0, |sizes| sizes.program);
        let given_bytes = sizes.map_or(0, |sizes| sizes.scratch);
        self.worker.bound(limits, files_bytes + given_bytes)?;
        // libc gives threads the stack that a process starts with: an interpreter has started, and an executable is yet to.
        let thread = if self.has_own_files {
            limits.stack + GUARD_PAGES
        } else {
            THREAD
        };
        let writable = self.worker.address_space(limits, thread);
        let scratch = program.grants.scratch;
        let request = LaunchRequest {
            scratch_bytes: if scratch {
                limits.scratch_bytes + given_bytes
            } else {
                0
            },
            scratch_inodes: limits.scratch_inodes + sizes.map_or(0, |sizes| sizes.scratch_inodes),
            address_space: if program.grants.reservations {
                u64::MAX
            } else {
                writable
            },
            data: writable,
            files_bytes,
            files_at: files.map_or(0, |listed| listed.at),
            stack: limits.stack,
            named_input: u64::from(program.names_its_input()),
            once: u64::from(runs == Runs::One),
        };
        let (channel, theirs) = Channel::pair()?;
        let descriptors = [source.as_fd(), theirs.as_fd()];
        let pid = self
            .worker
            .launch(&request, &descriptors, &self.interrupt)?;
        // The program must hold the only copy of its end, so that its death shows.
        drop(theirs);
        let (worker, interrupt) = (self.worker.clone(), self.interrupt.clone());
        let in_engine = self.compiled.is_some();
        let boxed = Box::new(worker, pid, channel, interrupt, program.grants, in_engine);
        let boxed = boxed.giving(given_bytes > 0).for_runs(runs);
        Ok((boxed.compiled(limits.compile)?, source))
    }
}
