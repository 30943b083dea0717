//! Paths of the host that a box shows.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Links followed on the way to one path, as many as Linux follows (`path_resolution(7)`).
const MOST_LINKS: usize = 40;

/// Of these paths, in their order, those that lie in no other; links stand for themselves, so nothing lies in one, and
/// what lies beyond one is shown where it really is.
pub(crate) fn outermost(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = paths.into_iter().flat_map(past_links).collect();
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

/// The links on the way to a path, and the path as it is without them.
fn past_links(mut path: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    while let Some((link, target)) = first_link(&path) {
        if found.len() == MOST_LINKS {
            break;
        }
        let rest = path.strip_prefix(&link).unwrap_or(Path::new(""));
        path = without_dots(&target.join(rest));
        found.push(link);
    }
    found.push(path);
    found
}

/// The first folder on the way to a path that is a link, and where it leads.
fn first_link(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let folders = path.ancestors().skip(1);
    let link = folders.filter(|folder| folder.is_symlink()).last()?;
    let target = link.parent()?.join(fs::read_link(link).ok()?);
    Some((link.to_owned(), target))
}

fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}
