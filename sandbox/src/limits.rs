//! What a program may use, and what it used.

use std::time::Duration;

/// How much a program may use, per run. Compiling comes once, before the first, and has a limit of its own; what the host
/// spends on clearing away does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// CPU time of all its threads together. This decides; the others are backstops. Of WebAssembly it is fuel, at
    /// [`FUEL_PER_SECOND`], and four times as much CPU time in fact and a second is a backstop too.
    pub cpu: Duration,
    /// CPU time to compile it.
    pub compile: Duration,
    /// Time by the clock.
    pub wall: Duration,
    /// Time by the clock in which it makes no use of the CPU: less than a twentieth of it. Waiting for a disk counts, so
    /// that a limit near a second ends programs whose libraries are read for the first time.
    pub idle: Duration,
    /// Peak resident memory in bytes beyond what the bare interpreter holds. Files, those in its scratch directory and
    /// its standard streams among them, have limits of their own.
    pub memory: u64,
    /// Threads alive at once.
    pub tasks: u32,
    /// Bytes it may write to any one file, standard output and standard error among them.
    pub output: u64,
    /// Bytes in its scratch directory.
    pub scratch_bytes: u64,
    /// Files and directories in its scratch directory.
    pub scratch_inodes: u64,
    /// Bytes of its main thread's stack.
    pub stack: u64,
    /// Descriptors open at once.
    pub open_files: u32,
}

impl Default for Limits {
    /// 6 s of CPU time, and 10 s to compile, 30 s by the clock of which 5 s idle, 1 GiB of memory, 256 tasks, 64 MiB in each
    /// file and in the scratch directory, 1024 inodes there, 120 MiB of stack, 64 descriptors.
    fn default() -> Self {
        Limits {
            cpu: Duration::from_secs(6),
            compile: Duration::from_secs(10),
            wall: Duration::from_secs(30),
            idle: Duration::from_secs(5),
            memory: 1 << 30,
            tasks: 256,
            output: 64 << 20,
            scratch_bytes: 64 << 20,
            scratch_inodes: 1024,
            stack: 120 << 20,
            open_files: 64,
        }
    }
}

/// What one process really used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// User and system CPU time of all threads; of WebAssembly its fuel, at [`FUEL_PER_SECOND`], unless a clock ended it.
    pub cpu: Duration,
    /// The CPU time that it took in fact, whatever an engine counts.
    pub real_cpu: Duration,
    /// Time by the clock.
    pub wall: Duration,
    /// How much of that it was seen to sleep. WebAssembly does not.
    pub slept: Duration,
    /// Peak resident memory in bytes, the interpreter's own share included.
    pub memory: u64,
    /// Fuel used, where an engine counts it ([`crate::Image::wasm`]): the same number on every machine. None of a run that a
    /// clock ended: compiled code keeps count where that is lost then.
    pub fuel: Option<u64>,
}

/// How much fuel a second of CPU time is worth, in the limits of WebAssembly and in what a run used. An instruction costs one
/// unit, each byte that one instruction fills or copies another, and a call of the host a thousand.
pub const FUEL_PER_SECOND: u64 = 1_000_000_000;
