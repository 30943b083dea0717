//! A memory and task limit around a whole worker, where the machine gives one: cgroup v2, else v1.
//!
//! The limits of a test are enforced without it; the cgroup bounds what all processes of a worker hold together, kernel
//! memory and scratch included, and tells when the kernel killed one of them for it. It limits no CPU time and no I/O.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use procfs::ProcessCGroup;
use procfs::process::Process;

const ROOT: &str = "/sys/fs/cgroup";
/// Groups are called after the supervisor that made them: `mc-PID-NUMBER`.
const PREFIX: &str = "mc-";
static COUNT: AtomicU32 = AtomicU32::new(0);

/// Which hierarchy this process can make groups in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hierarchy {
    /// One tree; the group that holds the groups of the workers.
    V2(PathBuf),
    /// A tree for each controller; the groups of this process.
    V1 {
        /// In the memory tree.
        memory: PathBuf,
        /// In the tree of the pids controller.
        pids: Option<PathBuf>,
    },
}

impl Hierarchy {
    /// The hierarchy in which a group with a memory limit can be made here, tried out.
    pub fn find() -> Result<Hierarchy, String> {
        let own = Process::myself().and_then(|process| process.cgroups());
        let own = own.map_err(|error| error.to_string())?.0;
        let hierarchy = find_v1(&own)
            .or_else(|| find_v2(&own))
            .ok_or("no memory controller is mounted")?;
        hierarchy.sweep();
        Group::new(&hierarchy)
            .map(|_| hierarchy)
            .map_err(|error| error.to_string())
    }

    /// Remove the empty groups of supervisors that were killed before they could.
    fn sweep(&self) {
        let places: Vec<&PathBuf> = match self {
            Hierarchy::V2(group) => vec![group],
            Hierarchy::V1 { memory, pids } => std::iter::once(memory).chain(pids).collect(),
        };
        let groups = places
            .into_iter()
            .filter_map(|place| fs::read_dir(place).ok());
        for group in groups.flatten().flatten() {
            let maker = group.file_name().to_str().and_then(maker);
            if maker.is_some_and(|pid| !Path::new("/proc").join(pid.to_string()).exists()) {
                // One that is not empty stays.
                let _ = fs::remove_dir(group.path());
            }
        }
    }

    /// `v2` or `v1`.
    pub fn version(&self) -> &'static str {
        match self {
            Hierarchy::V2(_) => "v2",
            Hierarchy::V1 { .. } => "v1",
        }
    }
}

/// The process that made the group of this name.
fn maker(name: &str) -> Option<u32> {
    name.strip_prefix(PREFIX)?.split('-').next()?.parse().ok()
}

/// The group of this process in the tree of a controller; the tree of version 2 has none by name (cgroups(7)).
fn own_path<'a>(own: &'a [ProcessCGroup], controller: &str) -> Option<&'a str> {
    let group = own.iter().find(|group| match group.hierarchy {
        0 => controller.is_empty(),
        _ => group.controllers.iter().any(|name| name == controller),
    });
    group.map(|group| group.pathname.as_str())
}

fn find_v1(own: &[ProcessCGroup]) -> Option<Hierarchy> {
    let place = |controller: &str| {
        let mounted = Path::new(ROOT).join(controller);
        let group = mounted.join(own_path(own, controller)?.trim_start_matches('/'));
        // In a container the path may be the host's; the mounted root is then our own group.
        [group, mounted]
            .into_iter()
            .find(|group| group.join("cgroup.procs").exists())
    };
    Some(Hierarchy::V1 {
        memory: place("memory")?,
        pids: place("pids"),
    })
}

fn find_v2(own: &[ProcessCGroup]) -> Option<Hierarchy> {
    let group = Path::new(ROOT).join(own_path(own, "")?.trim_start_matches('/'));
    let controllers = fs::read_to_string(group.join("cgroup.controllers")).ok()?;
    if !controllers.split_whitespace().any(|name| name == "memory") {
        return None;
    }
    delegate(&group).ok()?;
    Some(Hierarchy::V2(group))
}

/// Let the groups below `group` have limits. A group with processes of its own cannot: they move one level down.
fn delegate(group: &Path) -> io::Result<()> {
    let control = group.join("cgroup.subtree_control");
    let enabled = fs::read_to_string(&control)?;
    if ["memory", "pids"]
        .iter()
        .all(|name| enabled.split_whitespace().any(|word| word == *name))
    {
        return Ok(());
    }
    if fs::write(&control, "+memory +pids").is_ok() {
        return Ok(());
    }
    let leaf = group.join("supervisor");
    fs::create_dir_all(&leaf)?;
    for pid in fs::read_to_string(group.join("cgroup.procs"))?.lines() {
        fs::write(leaf.join("cgroup.procs"), pid)?;
    }
    fs::write(&control, "+memory +pids")
}

/// The group of one worker; removed when dropped.
#[derive(Debug)]
pub struct Group {
    memory: PathBuf,
    pids: Option<PathBuf>,
    version: u8,
    /// Of memory and of tasks, as last set.
    limit: Option<(u64, u64)>,
}

impl Group {
    /// Make an empty group.
    pub fn new(hierarchy: &Hierarchy) -> io::Result<Group> {
        let name = format!(
            "{PREFIX}{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let (memory, pids, version) = match hierarchy {
            Hierarchy::V2(group) => (group.join(&name), None, 2),
            Hierarchy::V1 { memory, pids } => (
                memory.join(&name),
                pids.as_ref().map(|pids| pids.join(&name)),
                1,
            ),
        };
        fs::create_dir(&memory)?;
        let group = Group {
            memory,
            pids,
            version,
            limit: None,
        };
        if let Some(pids) = &group.pids {
            fs::create_dir(pids)?;
        }
        Ok(group)
    }

    /// Put a process into it.
    pub fn add(&self, pid: u32) -> io::Result<()> {
        for place in std::iter::once(&self.memory).chain(&self.pids) {
            fs::write(place.join("cgroup.procs"), pid.to_string())?;
        }
        Ok(())
    }

    /// Limit what all its processes hold beyond what they hold now, and how many they are.
    pub fn limit(&mut self, memory: u64, tasks: u64) -> io::Result<()> {
        if self.limit == Some((memory, tasks)) {
            return Ok(());
        }
        let (current, maximum) = match self.version {
            2 => ("memory.current", "memory.max"),
            _ => ("memory.usage_in_bytes", "memory.limit_in_bytes"),
        };
        let held: u64 = fs::read_to_string(self.memory.join(current))?
            .trim()
            .parse()
            .map_err(io::Error::other)?;
        fs::write(self.memory.join(maximum), (held + memory).to_string())?;
        fs::write(
            self.pids.as_ref().unwrap_or(&self.memory).join("pids.max"),
            tasks.to_string(),
        )?;
        self.limit = Some((memory, tasks));
        Ok(())
    }

    /// How often the kernel has killed a process of it for want of memory; 0 where the kernel (v1 before Linux 4.13)
    /// does not count.
    pub fn kills(&self) -> io::Result<u64> {
        let file = match self.version {
            2 => "memory.events",
            _ => "memory.oom_control",
        };
        let text = fs::read_to_string(self.memory.join(file))?;
        let count = text.lines().find_map(|line| line.strip_prefix("oom_kill "));
        count.map_or(Ok(0), |count| {
            count.trim().parse().map_err(io::Error::other)
        })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for place in std::iter::once(&self.memory).chain(&self.pids) {
            remove(place);
        }
    }
}

/// A group can be removed as soon as the kernel has let go of its last process, a moment after that was reaped.
fn remove(group: &Path) {
    for _ in 0..200 {
        match fs::remove_dir(group) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            _ => return,
        }
    }
}
