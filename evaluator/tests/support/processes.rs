//! The processes of the machine, as /proc shows them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A process, told from a later one of the same number by when it started.
pub type Process = (u32, u64);

/// All processes that descend from `ancestor`, without it.
pub fn descendants(ancestor: u32) -> BTreeSet<Process> {
    let all = running();
    let mut found = BTreeSet::from([ancestor]);
    loop {
        let children = all.iter().filter(|(_, stat)| found.contains(&stat.parent));
        let with_children: BTreeSet<u32> =
            children.map(|(id, _)| *id).chain(found.clone()).collect();
        if with_children == found {
            break;
        }
        found = with_children;
    }
    found.remove(&ancestor);
    found.into_iter().map(|id| (id, all[&id].started)).collect()
}

/// Whether a process is still running.
pub fn alive((id, started): &Process) -> bool {
    stat(*id).is_some_and(|stat| stat.started == *started)
}

struct Stat {
    parent: u32,
    started: u64,
}

fn running() -> BTreeMap<u32, Stat> {
    let entries = fs::read_dir(Path::new("/proc")).expect("/proc").flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|id| Some((id, stat(id)?)))
        .collect()
}

/// State, parent and start are fields 3, 4 and 22. The command in field 2 may hold anything, but ends with the last
/// parenthesis. A zombie runs no more; it waits for whoever inherited it, which is not ours to answer for.
fn stat(id: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
    let stat = Stat {
        parent: fields.get(1)?.parse().ok()?,
        started: fields.get(19)?.parse().ok()?,
    };
    (fields[0] != "Z").then_some(stat)
}
