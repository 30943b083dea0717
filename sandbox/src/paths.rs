//! Paths of the host that a box shows.

use std::path::PathBuf;

/// Of these paths, in their order, those that lie in no other; links stand for themselves, so nothing lies in one.
pub(crate) fn outermost(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort();
    paths.dedup();
    let mut shown: Vec<PathBuf> = Vec::new();
    for path in paths {
        let inside = |parent: &PathBuf| path.starts_with(parent) && !parent.is_symlink();
        if path.is_symlink() || !shown.iter().any(inside) {
            shown.push(path);
        }
    }
    shown
}
