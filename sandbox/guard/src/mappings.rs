//! Fewer mappings of memory, and larger pages in them, so that a fork has fewer to copy and to find.
//!
//! A library is mapped in five parts: its headers, code, constants, relocated constants and data. Two are enough: what is
//! executed, and what is written. The other three then get more rights than they need, which an untrusted process could
//! give them by itself.

use crate::sys::{Mapping, Mappings};

/// Move the code of the interpreter into huge pages. What cannot be moved stays where it was.
pub fn use_huge_pages(mappings: &Mappings) {
    for code in mappings.code() {
        let _ = code.move_to_huge_pages();
    }
}

/// Have the kernel join the mappings of each library. Where it refuses, they stay as they were.
pub fn join(mappings: &Mappings) {
    let mappings: Vec<Mapping<'_>> = mappings.of_files().collect();
    for (at, constants) in mappings.iter().enumerate() {
        if constants.rights() != "r--p" {
            continue;
        }
        let before = at.checked_sub(1).map(|before| &mappings[before]);
        let after = mappings.get(at + 1);
        let beside = |neighbour: Option<&Mapping<'_>>, rights: &str| {
            neighbour.is_some_and(|it| it.file() == constants.file() && it.rights() == rights)
        };
        // The kernel joins neighbours of one file by itself once their rights are the same.
        let _ = if beside(after, "rw-p") {
            constants.make_writable()
        } else if beside(before, "r-xp") || beside(after, "r-xp") {
            constants.make_executable()
        } else {
            Ok(())
        };
    }
}
