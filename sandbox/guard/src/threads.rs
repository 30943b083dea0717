//! How many threads this process has.

use std::fs;
use std::os::unix::fs::MetadataExt;

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};

/// EBUSY if this process has more than one thread.
pub(crate) fn require_one() -> Result<(), Errno> {
    // "Unshare the threads" does nothing but fail where there is more than one (unshare(2)).
    match unshare(CloneFlags::CLONE_THREAD) {
        Ok(()) => Ok(()),
        Err(Errno::EINVAL) => Err(Errno::EBUSY),
        // A container may forbid unshare(2) altogether. It can give no namespaces then, so the host's /proc is in sight:
        // a directory for each thread, and the two links that any directory has.
        Err(refused) => match fs::metadata("/proc/self/task") {
            Ok(threads) if threads.nlink() == 3 => Ok(()),
            Ok(_) => Err(Errno::EBUSY),
            Err(_) => Err(refused),
        },
    }
}
