//! Fewer mappings of memory, so that a fork has fewer to copy.
//!
//! A library is mapped in five parts: its headers, code, constants, relocated constants and data. Two are enough: what is
//! executed, and what is written. The other three then get more rights than they need, which an untrusted process could
//! give them by itself.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;

use nix::sys::mman::ProtFlags;

use crate::sys;

/// This process's list of mappings (proc_pid_maps(5)); it can be read later, where /proc is out of reach.
pub fn list() -> io::Result<File> {
    File::open("/proc/self/maps")
}

/// Have the kernel join the mappings of each library. Where it refuses, they stay as they were.
pub fn join(mut list: &File) -> io::Result<()> {
    let mut text = String::new();
    list.read_to_string(&mut text)?;
    let mappings: Vec<Mapping<'_>> = text.lines().filter_map(Mapping::parse).collect();
    for (at, mapping) in mappings.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &mappings[before]);
        if let Some(rights) = joined_rights(mapping, before, mappings.get(at + 1)) {
            let _ = sys::protect(&mapping.place, rights);
        }
    }
    Ok(())
}

/// The rights with which constants can be one mapping with a neighbour.
fn joined_rights(
    constants: &Mapping<'_>,
    before: Option<&Mapping<'_>>,
    after: Option<&Mapping<'_>>,
) -> Option<ProtFlags> {
    let beside = |neighbour: Option<&Mapping<'_>>, rights: &str| {
        neighbour.is_some_and(|it| it.file == constants.file && it.rights == rights)
    };
    if constants.rights != "r--p" {
        None
    } else if beside(after, "rw-p") {
        Some(ProtFlags::PROT_READ | ProtFlags::PROT_WRITE)
    } else if beside(before, "r-xp") || beside(after, "r-xp") {
        Some(ProtFlags::PROT_READ | ProtFlags::PROT_EXEC)
    } else {
        None
    }
}

/// One line of the list, of a mapping with a file.
struct Mapping<'t> {
    place: Range<usize>,
    rights: &'t str,
    /// Device and inode.
    file: (&'t str, &'t str),
}

impl<'t> Mapping<'t> {
    fn parse(line: &'t str) -> Option<Mapping<'t>> {
        let mut fields = line.split_ascii_whitespace();
        let (start, end) = fields.next()?.split_once('-')?;
        let address = |text| usize::from_str_radix(text, 16).ok();
        let place = address(start)?..address(end)?;
        let rights = fields.next()?;
        let file = (fields.nth(1)?, fields.next()?);
        (file.1 != "0").then_some(Mapping {
            place,
            rights,
            file,
        })
    }
}
