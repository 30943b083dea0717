//! What a run might leave on the machine, as far as an ordinary user can see it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// How long the kernel may take to clear away what was killed.
const PATIENCE: Duration = Duration::from_secs(10);

/// Mounts, shared memory, message queues and control groups.
pub struct Machine {
    things: BTreeSet<String>,
}

impl Machine {
    pub fn look() -> Machine {
        let mut things = BTreeSet::new();
        for table in ["self/mounts", "sysvipc/shm", "sysvipc/sem", "sysvipc/msg"] {
            let path = format!("/proc/{table}");
            let text = fs::read_to_string(&path).unwrap_or_default();
            things.extend(text.lines().map(|line| format!("{path}: {line}")));
        }
        for folder in ["/dev/shm", "/dev/mqueue"] {
            let names = list(Path::new(folder)).into_iter();
            things.extend(names.map(|name| format!("{folder}/{name}")));
        }
        control_groups(Path::new("/sys/fs/cgroup"), &mut things);
        Machine { things }
    }

    /// What is there now and was not before, but for the control groups of other runs of mc-eval than `ours`.
    pub fn new_things(&self, ours: &BTreeSet<u32>) -> Vec<String> {
        let counts = |thing: &&String| maker(thing).is_none_or(|process| ours.contains(&process));
        wait_for_none(|| {
            let now = Machine::look().things;
            let new = now.difference(&self.things).filter(counts);
            new.cloned().collect()
        })
    }
}

/// What `list` gives, once it gives nothing or patience is at its end.
pub fn wait_for_none<T>(list: impl Fn() -> Vec<T>) -> Vec<T> {
    let start = Instant::now();
    loop {
        let found = list();
        if found.is_empty() || start.elapsed() > PATIENCE {
            return found;
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// The names in a folder; none where it cannot be read.
pub fn list(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// The process that made a control group named `mc-PROCESS-NUMBER`.
fn maker(thing: &str) -> Option<u32> {
    let name = thing.rsplit('/').next()?;
    name.strip_prefix("mc-")?.split('-').next()?.parse().ok()
}

fn control_groups(folder: &Path, found: &mut BTreeSet<String>) {
    for name in list(folder) {
        let path = folder.join(name);
        if path.symlink_metadata().is_ok_and(|data| data.is_dir()) {
            found.insert(path.display().to_string());
            control_groups(&path, found);
        }
    }
}
