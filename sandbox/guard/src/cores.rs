//! On which core the processes of a box run.
//!
//! The kernel starts a fork on whichever core has least to do. For one that ends within a millisecond, while the process
//! that forked it sleeps, this is the wrong choice: caches are cold there, and each page that one of the two makes its own
//! interrupts the core of the other. So a fork starts on the core of its parent. Untrusted code is free to leave from there.

use nix::sched::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
use nix::unistd::Pid;

/// This thread, in the calls below (sched_setaffinity(2)).
const THIS: Pid = Pid::from_raw(0);

/// The cores that this machine lets a Worker use; none where the kernel does not tell.
pub struct Cores(Option<CpuSet>);

impl Cores {
    /// Those of this process.
    pub fn of_this_process() -> Cores {
        Cores(sched_getaffinity(THIS).ok())
    }

    /// Stay on the core that this thread is on, and all that is forked from it. Where that cannot be, nothing but time is
    /// lost.
    pub fn stay(&self) {
        if self.0.is_none() {
            return;
        }
        let mut here = CpuSet::new();
        if sched_getcpu().is_ok_and(|core| here.set(core).is_ok()) {
            let _ = sched_setaffinity(THIS, &here);
        }
    }

    /// Run on any of them again.
    pub fn leave(&self) {
        if let Some(all) = &self.0 {
            let _ = sched_setaffinity(THIS, all);
        }
    }
}
