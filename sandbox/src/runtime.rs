//! Runtimes: warm interpreters and other workers, each in a box of its own, from which the boxes of programs are forked.

use std::fs::File;
use std::os::fd::AsFd;
use std::sync::Arc;

use sandbox_guard::protocol::LaunchRequest;

use crate::boxed::Box;
use crate::cgroup::Hierarchy;
use crate::channel::{Channel, Interrupt};
use crate::compiled_code::{CompiledCode, Sent};
use crate::executable;
use crate::files;
use crate::image::Image;
use crate::program::Program;
use crate::worker::Worker;
use crate::{LaunchError, Limits, SandboxError};

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
    /// What its programs were compiled to before, if an engine plays them.
    compiled: Option<Arc<CompiledCode>>,
    interrupt: Interrupt,
}

/// What an engine may hold beside a program's memory, above all to compile it.
const ENGINE: u64 = 512 << 20;

impl Runtime {
    pub(crate) fn start(
        image: &Image,
        namespaces: bool,
        hierarchy: Option<&Hierarchy>,
    ) -> Result<Runtime, SandboxError> {
        let interrupt = Interrupt::default();
        let worker = Worker::start(image, namespaces, hierarchy, &interrupt)?;
        Ok(Runtime {
            worker: Arc::new(worker),
            has_own_files: image.has_own_files(),
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
        let launched = match &self.compiled {
            None => self
                .launch_box(program, &program.text, limits)
                .map(|(boxed, _)| boxed),
            Some(compiled) => self.launch_in_engine(program, compiled, limits),
        };
        if matches!(launched, Err(LaunchError::Host(_))) {
            self.worker.retire();
        }
        launched
    }

    /// A program that an engine plays, from its code if it was compiled before. It has no files, and so needs no scratch.
    fn launch_in_engine(
        &self,
        program: &Program,
        compiled: &CompiledCode,
        limits: &Limits,
    ) -> Result<Box, LaunchError> {
        let limits = Limits {
            memory: limits.memory + ENGINE,
            scratch_bytes: 0,
            ..limits.clone()
        };
        let sent = compiled.send(&program.text);
        let (boxed, file) = self.launch_box(program, sent.bytes(), &limits)?;
        if let Sent::Source(_, hash) = sent {
            // Nothing of the program has run yet, so this is what the engine itself left.
            compiled.keep(hash, &files::content(&file)?);
        }
        Ok(boxed)
    }

    /// The box of a program that its worker is sent as `text`, and the file that it was sent in.
    fn launch_box(
        &self,
        program: &Program,
        text: &[u8],
        limits: &Limits,
    ) -> Result<(Box, File), LaunchError> {
        let source = files::memory_file_of("program", text)?;
        // What the kernel killed before, a program that was compiling for one, is not the doing of this one.
        self.worker.was_killed_for_memory()?;
        let sizes = match self.has_own_files {
            true => Some(executable::sizes(&program.text)?),
            false => None,
        };
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
            stack: limits.stack,
            named_input: u64::from(program.names_its_input()),
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
        let boxed = boxed.giving(given_bytes > 0);
        Ok((boxed.compiled(limits.compile)?, source))
    }
}
