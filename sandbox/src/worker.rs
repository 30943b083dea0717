//! Workers: warm interpreters from which programs are forked.

use sandbox_guard::descriptors::{self, Kind};
use sandbox_guard::protocol::{self, TestReport};

use crate::boxed::{Boxed, Files, SIGKILL, outcome};
use crate::process::{self, Process, host};
use crate::program::{Role, header};
use crate::sandbox::Warmth;
use crate::{
    Bytes, Examination, Input, Launch, Limits, Outcome, Program, Sandbox, SandboxError, Termination,
};

/// Address space beyond the memory limit that reservations may take: stacks of threads, arenas, maps of libraries.
const RESERVED: u64 = 1 << 30;
/// What the boxes of a worker may hold beyond the memory limit of a test: kernel structures, compiled code, a second box.
const HELD_BESIDE: u64 = 64 << 20;

/// A warm interpreter, and one with numpy once a program needs it. Dropping it ends its processes.
#[derive(Debug)]
pub struct Worker {
    sandbox: Sandbox,
    plain: Option<Process>,
    numpy: Option<Process>,
    seed: u64,
}

impl Worker {
    /// One whose interpreters are still to be started.
    pub(crate) fn of(sandbox: Sandbox) -> Worker {
        Worker {
            sandbox,
            plain: None,
            numpy: None,
            seed: 0,
        }
    }

    /// Start a program: compile it in a box of its own.
    ///
    /// # Errors
    /// The host failed; the worker is not to be used again. A program that does not compile is [`Launch::Rejected`].
    pub fn launch<'w>(
        &'w mut self,
        program: &'w Program,
        limits: &'w Limits,
    ) -> Result<Launch<'w>, SandboxError> {
        self.seed = 0;
        let boxed = match self.compile(program, limits, Role::Candidate)? {
            Ok(boxed) => boxed,
            Err(message) => return Ok(Launch::Rejected(message)),
        };
        Ok(Launch::Ready(Running {
            worker: self,
            program,
            limits,
            boxed: Some(boxed),
        }))
    }

    /// Run test code against a candidate, each in a box of its own. In the test code every name that it does not define
    /// stands for the candidate's attribute of that name, and `candidate` for its function `name`. The inner `Err` is the
    /// compiler's message on a candidate that does not compile.
    ///
    /// # Errors
    /// The host failed; the worker is not to be used again.
    pub fn examine(
        &mut self,
        candidate: &Program,
        test_code: &str,
        limits: &Limits,
    ) -> Result<Result<Examination, String>, SandboxError> {
        let mut candidate_box = match self.compile(candidate, limits, Role::Server)? {
            Ok(boxed) => boxed,
            Err(message) => return Ok(Err(message)),
        };
        let result = self.examine_with(&mut candidate_box, candidate, test_code, limits);
        if matches!(result, Err(SandboxError::Worker(_))) && self.ran_out_of_memory(candidate)? {
            return Ok(Ok(Examination::out_of_memory(limits)));
        }
        self.end(candidate, candidate_box)?;
        result.map(Ok)
    }

    fn examine_with(
        &mut self,
        candidate_box: &mut Boxed,
        candidate: &Program,
        test_code: &str,
        limits: &Limits,
    ) -> Result<Examination, SandboxError> {
        let examiner = Program {
            source: test_code.to_owned(),
            ..candidate.clone()
        };
        let mut examiner_box = match self.compile(&examiner, limits, Role::Examiner)? {
            Ok(boxed) => boxed,
            Err(message) => return Ok(Examination::broken(message)),
        };
        let (theirs, ours) =
            descriptors::socket_pair(Kind::Stream).map_err(host("make a channel"))?;
        // The examiner waits for the candidate; only the clock can tell that it waits too long.
        let patient = Limits {
            idle: limits.wall,
            ..limits.clone()
        };
        let candidate_files = Files::new(&[], vec![theirs.into()])?;
        let examiner_files = Files::new(&[], vec![ours.into(), process::memory_file("result")?])?;
        candidate_box.begin(candidate, &patient, &candidate_files, self.next_seed())?;
        examiner_box.begin(&examiner, &patient, &examiner_files, self.next_seed())?;
        // Each process must hold the only copy of its end, so that the other sees it end.
        let candidate_files = candidate_files.without_extras();
        let (examiner_files, result) = examiner_files.split_result();
        let examined = examiner_box.finish(limits)?;
        let served = candidate_box.finish(limits)?;
        let examiner_outcome = outcome(&examined, &examiner_files, limits, false)?;
        let killed = self.was_killed(candidate, &served)?;
        let candidate_outcome = outcome(&served, &candidate_files, limits, killed)?;
        self.end(&examiner, examiner_box)?;
        let said = process::content(&result)?;
        Ok(Examination::new(candidate_outcome, examiner_outcome, &said))
    }

    /// A box with the program in it, or the compiler's message.
    fn compile(
        &mut self,
        program: &Program,
        limits: &Limits,
        role: Role,
    ) -> Result<Result<Boxed, String>, SandboxError> {
        let header = header(program, role);
        let source = process::memory_file_of(
            "source",
            &[header.as_bytes(), program.source.as_bytes()].concat(),
        )?;
        let interrupt = self.sandbox.interrupter();
        let process = self.process(program)?;
        // What the kernel killed before, a Program that was compiling for one, is not the doing of this one.
        process.ran_out_of_memory()?;
        process.bound(
            limits.memory + limits.scratch_bytes + 2 * limits.output + HELD_BESIDE,
            u64::from(2 * limits.tasks + 8),
        )?;
        let scratch = program.grants.scratch;
        let (pid, control) = process.launch(
            protocol::LaunchRequest {
                scratch_bytes: if scratch { limits.scratch_bytes } else { 0 },
                scratch_inodes: limits.scratch_inodes,
                address_space: process.address_space + limits.memory + RESERVED,
                stack: limits.stack,
            },
            &source,
        )?;
        let compiled = Boxed::compiled(pid, control, interrupt)?;
        if compiled.is_err() {
            process.end(pid)?;
        }
        Ok(compiled)
    }

    /// The interpreter for a program, started if it is not there.
    fn process(&mut self, program: &Program) -> Result<&mut Process, SandboxError> {
        let numpy = self.sandbox.has_numpy() && program.source.contains("numpy");
        let (place, warmth) = if numpy {
            (&mut self.numpy, Warmth::Numpy)
        } else {
            (&mut self.plain, Warmth::Plain)
        };
        if place.is_none() {
            *place = Some(self.sandbox.start(warmth)?);
        }
        place
            .as_mut()
            .ok_or_else(|| SandboxError::Worker("it did not start".into()))
    }

    /// Whether a Test was killed by the kernel for want of memory.
    fn was_killed(&mut self, program: &Program, report: &TestReport) -> Result<bool, SandboxError> {
        match report.signal {
            SIGKILL => self.process(program)?.ran_out_of_memory(),
            _ => Ok(false),
        }
    }

    /// Whether the kernel has killed a process for want of memory, now that a Program or the Worker itself is gone. A
    /// program can fill the memory of its cgroup with pages that are in no process's resident size, and the kernel then
    /// ends the largest process, which is not the Test; that is the program's doing and no failure of the host. The
    /// interpreter is not used again.
    fn ran_out_of_memory(&mut self, program: &Program) -> Result<bool, SandboxError> {
        let killed = self.process(program)?.ran_out_of_memory()?;
        if killed {
            (self.plain, self.numpy) = (None, None);
        }
        Ok(killed)
    }

    fn end(&mut self, program: &Program, boxed: Boxed) -> Result<(), SandboxError> {
        self.process(program)?.end(boxed.pid)
    }

    fn next_seed(&mut self) -> u64 {
        self.seed += 1;
        self.seed
    }
}

/// A started program; each run is a fresh process forked from it. Dropping it ends its box.
#[derive(Debug)]
pub struct Running<'w> {
    worker: &'w mut Worker,
    program: &'w Program,
    limits: &'w Limits,
    boxed: Option<Boxed>,
}

impl Running<'_> {
    /// Run it once.
    ///
    /// # Errors
    /// The host failed; the worker is not to be used again.
    pub fn run(&mut self, input: Input<'_>) -> Result<Outcome, SandboxError> {
        self.run_within(input, self.limits.clone())
    }

    /// Run it once within other limits of time; all else is as at the launch. Errors as [`Running::run`].
    pub fn run_within(
        &mut self,
        input: Input<'_>,
        limits: Limits,
    ) -> Result<Outcome, SandboxError> {
        let (stdin, extras) = match input {
            Input::Stdin(bytes) => (bytes, vec![]),
            Input::Arguments(arguments) => {
                let arguments = process::memory_file_of("arguments", arguments)?;
                (&[][..], vec![arguments, process::memory_file("result")?])
            }
        };
        let files = Files::new(stdin, extras)?;
        let seed = self.worker.next_seed();
        let mut boxed = self.take_box()?;
        boxed.begin(self.program, &limits, &files, seed)?;
        let report = match boxed.finish(&limits) {
            Err(SandboxError::Worker(_)) if self.worker.ran_out_of_memory(self.program)? => {
                return Ok(Outcome::out_of_memory(&limits));
            }
            finished => finished?,
        };
        let killed = self.worker.was_killed(self.program, &report)?;
        let mut outcome = outcome(&report, &files, &limits, killed)?;
        if let (Termination::Exited(_), Some(result)) = (outcome.termination, files.extras.get(1)) {
            let written = process::content(result)?;
            outcome.returned = (!written.is_empty()).then_some(Bytes(written));
        }
        self.boxed = Some(boxed);
        Ok(outcome)
    }

    /// The box; a fresh one if a test left something in the last.
    fn take_box(&mut self) -> Result<Boxed, SandboxError> {
        match self.boxed.take() {
            Some(boxed) if !boxed.spent => return Ok(boxed),
            Some(spent) => self.worker.end(self.program, spent)?,
            None => {}
        }
        self.worker
            .compile(self.program, self.limits, Role::Candidate)?
            .map_err(|message| {
                SandboxError::Worker(format!(
                    "the program compiled once, but not again: {message}"
                ))
            })
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if let Some(boxed) = self.boxed.take()
            && self.worker.end(self.program, boxed).is_err()
        {
            // A worker that cannot end a program is not used again.
            self.worker.plain = None;
            self.worker.numpy = None;
        }
    }
}
