//! How a process ended, and what it left. Whether that is right or wrong is not known here.

use std::time::Duration;

use sandbox_guard::protocol::{TestReport, cut};

use crate::{Limits, Usage};

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Termination {
    /// It exited with this status.
    Exited(i32),
    /// It was killed by a signal that the sandbox did not send.
    Signaled(i32),
    /// It used up [`crate::Limits::cpu`].
    CpuLimit,
    /// It used up [`crate::Limits::wall`].
    WallLimit,
    /// It slept through [`crate::Limits::idle`].
    IdleLimit,
    /// It went over [`crate::Limits::memory`].
    MemoryLimit,
    /// It wrote more than [`crate::Limits::output`].
    OutputLimit,
}

impl Default for Termination {
    /// As of a process that had nothing to do.
    fn default() -> Self {
        Termination::Exited(0)
    }
}

/// How one run of a program ended.
#[derive(Debug, Default)]
pub struct Outcome {
    /// How the process ended.
    pub termination: Termination,
    /// What it used.
    pub usage: Usage,
    /// All it wrote to standard output.
    pub stdout: Vec<u8>,
    /// All it wrote to standard error.
    pub stderr: Vec<u8>,
}

/// The signal that nothing survives, as a report has it.
pub(crate) const SIGKILL: u64 = 9;
const SIGABRT: i32 = 6;
const SIGXCPU: u64 = 24;
const SIGXFSZ: u64 = 25;
const SIGTRAP: u64 = 5;
/// The kernel checks CPU timers at clock ticks, and rounds what it reports.
const TICK: Duration = Duration::from_millis(2);

/// From a report and what the run wrote to standard output and standard error; `killed` if the kernel killed it for want of
/// memory.
pub(crate) fn read(
    report: &TestReport,
    [stdout, stderr]: [Vec<u8>; 2],
    limits: &Limits,
    killed: bool,
) -> Outcome {
    let longest = stdout.len().max(stderr.len()) as u64;
    Outcome {
        termination: termination(report, limits, longest, killed),
        usage: Usage {
            cpu: Duration::from_nanos(report.cpu_ns),
            real_cpu: Duration::from_nanos(report.cpu_ns),
            wall: Duration::from_nanos(report.wall_ns),
            slept: Duration::from_nanos(report.slept_ns),
            memory: report.peak_memory,
            fuel: None,
        },
        stdout,
        stderr,
    }
}

/// The same of a run that an engine played: its fuel is its time. One that was not ended for its fuel, but by a clock, used
/// what that says.
pub(crate) fn by_fuel(mut outcome: Outcome, fuel: u64, limits: &Limits) -> Outcome {
    let counted = Duration::from_nanos(fuel);
    let is_by_clock = match outcome.termination {
        Termination::CpuLimit => counted <= limits.cpu,
        Termination::WallLimit => true,
        _ => false,
    };
    if !is_by_clock {
        outcome.usage.cpu = counted;
        outcome.usage.fuel = Some(fuel);
    }
    outcome
}

/// The report on a run in its box's own process, as of one in a fork: the guard has that process end by a breakpoint at the
/// output limit, as the signal would pass it by.
pub(crate) fn as_of_a_fork(report: TestReport) -> TestReport {
    match report.signal {
        SIGTRAP => TestReport {
            signal: SIGXFSZ,
            ..report
        },
        _ => report,
    }
}

/// Of a run that went with its whole box when the memory ran out.
pub(crate) fn out_of_memory(limits: &Limits) -> Outcome {
    Outcome {
        termination: Termination::MemoryLimit,
        usage: Usage {
            memory: limits.memory,
            ..Usage::default()
        },
        ..Outcome::default()
    }
}

/// Of a run whose engine it brought down.
pub(crate) fn crashed() -> Outcome {
    Outcome {
        termination: Termination::Signaled(SIGABRT),
        stderr: b"the engine crashed\n".to_vec(),
        ..Outcome::default()
    }
}

fn termination(report: &TestReport, limits: &Limits, longest: u64, killed: bool) -> Termination {
    let cpu = Duration::from_nanos(report.cpu_ns);
    let out_of_time = cpu + TICK >= limits.cpu;
    match (report.cut, report.signal) {
        (cut::WALL, _) => Termination::WallLimit,
        (cut::IDLE, _) => Termination::IdleLimit,
        (cut::CPU, _) => Termination::CpuLimit,
        (cut::MEMORY, _) => Termination::MemoryLimit,
        (cut::OUTPUT, _) => Termination::OutputLimit,
        _ if report.peak_memory > limits.memory + report.own_memory => Termination::MemoryLimit,
        (_, SIGKILL | SIGXCPU) if out_of_time => Termination::CpuLimit,
        (_, SIGKILL) if killed => Termination::MemoryLimit,
        (_, SIGXFSZ) => Termination::OutputLimit,
        _ if longest >= limits.output => Termination::OutputLimit,
        (_, 0) => Termination::Exited(report.status as i32),
        (_, signal) => Termination::Signaled(signal as i32),
    }
}
