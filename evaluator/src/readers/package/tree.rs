//! The files of a package, from a folder or a zip.
//!
//! Only what judging needs is read. Links are followed inside the package; one that leads out of it is refused, and so are
//! paths that escape and more than a package holds.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use zip::ZipArchive;

/// The most bytes that are read of one package.
const MOST_BYTES: u64 = 2 << 30;

/// The most files of one package.
const MOST_FILES: usize = 200_000;

/// The deepest nesting of folders, by which a circle of links ends.
const DEEPEST: usize = 32;

/// The longest target of a link in a zip.
const LONGEST_LINK: u64 = 4096;

/// What is read at the top of a package.
const PARTS: [&str; 9] = [
    "problem.yaml",
    "domjudge-problem.ini",
    ".timelimit",
    "data",
    "submissions",
    "output_validators",
    "output_validator",
    "graders",
    "include",
];

/// A file of a package.
pub(super) struct Stored {
    pub content: Vec<u8>,
    pub executable: bool,
}

/// The files of a package by path, in the order of their paths.
#[derive(Default)]
pub(super) struct Tree {
    files: BTreeMap<String, Stored>,
    bytes: u64,
}

impl Tree {
    /// Read a package.
    pub fn open(path: &Path) -> Result<Tree, String> {
        let mut tree = Tree::default();
        match path.is_dir() {
            true => tree.folder(path)?,
            false => tree.zip(path)?,
        }
        Ok(tree)
    }

    /// Whether there is a file of this path.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The file of this path.
    pub fn get(&self, path: &str) -> Option<&Stored> {
        self.files.get(path)
    }

    /// The text of this path, if there is such a file. It is taken out, so that it is held once.
    pub fn take_text(&mut self, path: &str) -> Option<Result<String, String>> {
        let member = self.files.remove(path)?;
        let text = String::from_utf8(member.content);
        Some(text.map_err(|error| {
            format!(
                "is not UTF-8 at byte {}",
                error.utf8_error().valid_up_to() + 1
            )
        }))
    }

    /// All files below a folder, by their paths below it.
    pub fn below(&self, folder: &str) -> impl Iterator<Item = (&str, &Stored)> {
        let prefix = format!("{folder}/");
        let from = self.files.range(prefix.clone()..);
        from.map_while(move |(path, member)| Some((path.strip_prefix(&prefix)?, member)))
    }

    /// What is directly in a folder: names, and whether each is a folder.
    pub fn children(&self, folder: &str) -> BTreeMap<String, bool> {
        let first = |path: &str| match path.split_once('/') {
            Some((name, _)) => (name.to_owned(), true),
            None => (path.to_owned(), false),
        };
        self.below(folder).map(|(path, _)| first(path)).collect()
    }

    fn add(&mut self, path: String, content: Vec<u8>, executable: bool) -> Result<(), String> {
        self.bytes += content.len() as u64;
        if self.bytes > MOST_BYTES || self.files.len() >= MOST_FILES {
            return Err(too_large());
        }
        self.files.insert(
            path,
            Stored {
                content,
                executable,
            },
        );
        Ok(())
    }

    fn room(&self) -> u64 {
        MOST_BYTES.saturating_sub(self.bytes)
    }

    fn folder(&mut self, root: &Path) -> Result<(), String> {
        let real = root
            .canonicalize()
            .map_err(|error| format!("failed to open: {error}"))?;
        for part in PARTS {
            let path = real.join(part);
            if path.symlink_metadata().is_ok() {
                self.walk(&real, &path, part.to_owned(), 0)?;
            }
        }
        Ok(())
    }

    /// Read what is at `path`, which is `name` within the package.
    fn walk(&mut self, root: &Path, path: &Path, name: String, depth: usize) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{name} cannot be read: {error}");
        let real = path.canonicalize().map_err(failed)?;
        if !real.starts_with(root) {
            return Err(format!("{name} is a link that leads out of the package"));
        }
        let about = real.metadata().map_err(failed)?;
        if about.is_dir() {
            return self.walk_folder(root, &real, &name, depth);
        }
        if !about.is_file() {
            return Err(format!("{name} is neither a file nor a folder"));
        }
        let mut content = Vec::new();
        let opened = File::open(&real).map_err(failed)?;
        opened
            .take(self.room() + 1)
            .read_to_end(&mut content)
            .map_err(failed)?;
        let executable = about.permissions().mode() & 0o111 != 0;
        self.add(name, content, executable)
    }

    fn walk_folder(
        &mut self,
        root: &Path,
        real: &Path,
        name: &str,
        depth: usize,
    ) -> Result<(), String> {
        if depth > DEEPEST {
            return Err(format!(
                "{name} is nested too deeply, perhaps in a circle of links"
            ));
        }
        let failed = |error: std::io::Error| format!("{name} cannot be read: {error}");
        for entry in real.read_dir().map_err(failed)? {
            let entry = entry.map_err(failed)?.file_name();
            let Some(part) = entry.to_str() else {
                return Err(format!(
                    "{name} holds a name that is not UTF-8: {}",
                    entry.display()
                ));
            };
            self.walk(root, &real.join(part), format!("{name}/{part}"), depth + 1)?;
        }
        Ok(())
    }

    fn zip(&mut self, path: &Path) -> Result<(), String> {
        let file = File::open(path).map_err(|error| format!("failed to open: {error}"))?;
        let broken =
            |error: zip::result::ZipError| format!("is not a zip that can be read: {error}");
        let mut archive = ZipArchive::new(BufReader::new(file)).map_err(broken)?;
        if archive.len() > MOST_FILES {
            return Err(too_large());
        }
        let mut names = Vec::with_capacity(archive.len());
        for place in 0..archive.len() {
            let entry = archive.by_index_raw(place).map_err(broken)?;
            let name = enclosed(&entry.name().map_err(broken)?)?;
            names.push((!entry.is_dir()).then_some(name));
        }
        let top = top_of(names.iter().flatten());
        let mut links = Vec::new();
        for (place, name) in names.into_iter().enumerate() {
            let Some(name) = name.as_deref().and_then(|name| name.strip_prefix(&top)) else {
                continue;
            };
            if !PARTS.contains(&name.split('/').next().unwrap_or_default()) {
                continue;
            }
            let mut entry = archive.by_index(place).map_err(broken)?;
            let mode = entry.unix_mode().unwrap_or_default();
            let is_link = entry.is_symlink();
            let most = if is_link {
                LONGEST_LINK
            } else {
                self.room() + 1
            };
            let mut content = Vec::new();
            let read = entry.by_ref().take(most).read_to_end(&mut content);
            read.map_err(|error| format!("{name} cannot be unpacked: {error}"))?;
            match is_link {
                true => links.push((
                    name.to_owned(),
                    String::from_utf8_lossy(&content).into_owned(),
                )),
                false => self.add(name.to_owned(), content, mode & 0o111 != 0)?,
            }
        }
        self.follow(links)
    }

    /// Put in place of each link of a zip what it leads to; a link to a link may have to wait for that one.
    fn follow(&mut self, mut links: Vec<(String, String)>) -> Result<(), String> {
        for _ in 0..DEEPEST {
            let mut waiting = Vec::new();
            for (name, target) in links {
                let Some(target_path) = resolved(&name, &target) else {
                    return Err(format!("{name} is a link that leads out of the package"));
                };
                if !self.copy(&name, &target_path)? {
                    waiting.push((name, target));
                }
            }
            links = waiting;
            if links.is_empty() {
                return Ok(());
            }
        }
        let (name, target) = &links[0];
        Err(format!(
            "{name} is a link to \"{target}\", which is not in the package"
        ))
    }

    /// Whether there is something at `from`, which is at `to` as well then.
    fn copy(&mut self, to: &str, from: &str) -> Result<bool, String> {
        let copied = |member: &Stored| (member.content.clone(), member.executable);
        if let Some((content, executable)) = self.files.get(from).map(copied) {
            self.add(to.to_owned(), content, executable)?;
            return Ok(true);
        }
        if to.starts_with(&format!("{from}/")) {
            return Err(format!("{to} is a link into a circle"));
        }
        let below = self
            .below(from)
            .map(|(path, member)| (path.to_owned(), copied(member)));
        let all: Vec<_> = below.collect();
        let found = !all.is_empty();
        for (path, (content, executable)) in all {
            self.add(format!("{to}/{path}"), content, executable)?;
        }
        Ok(found)
    }
}

fn too_large() -> String {
    format!("holds more than {MOST_FILES} files or {MOST_BYTES} bytes")
}

/// A path in a zip, which must not leave the folder that it is unpacked into.
fn enclosed(name: &str) -> Result<String, String> {
    let parts: Vec<&str> = name
        .split('/')
        .filter(|part| !matches!(*part, "" | "."))
        .collect();
    let escapes = name.starts_with('/') || name.contains(['\\', '\0']) || parts.contains(&"..");
    match escapes {
        true => Err(format!(
            "holds the path \"{}\", which leads out of it",
            name.escape_debug()
        )),
        false => Ok(parts.join("/")),
    }
}

/// Where a link leads, as a path within the package.
fn resolved(name: &str, target: &str) -> Option<String> {
    if target.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = name.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The folder of a zip that the package is in, with a slash at its end: the one with `problem.yaml`, or the first with
/// another part.
fn top_of<'a>(names: impl Iterator<Item = &'a String> + Clone) -> String {
    let folder_of = |part: &str| {
        let ends = names.clone().filter_map(|name| {
            let folder = name.strip_suffix(part)?;
            (folder.is_empty() || folder.ends_with('/')).then_some(folder)
        });
        ends.filter(|folder| !folder.starts_with("__MACOSX"))
            .min_by_key(|folder| folder.len())
    };
    let marked = folder_of("problem.yaml").or_else(|| folder_of("domjudge-problem.ini"));
    marked.unwrap_or_default().to_owned()
}

/// Whether there is a package at `path`.
pub(in crate::readers) fn is_package(path: &Path) -> bool {
    if path.is_dir() {
        let has = |part: &&str| path.join(part).exists();
        return ["problem.yaml", "domjudge-problem.ini"].iter().any(has)
            || ["data/secret", "submissions"].iter().all(has);
    }
    let mut magic = [0; 4];
    let file: PathBuf = path.to_owned();
    let read = path
        .is_file()
        .then(|| File::open(file).and_then(|mut file| file.read_exact(&mut magic)));
    read.is_some_and(|read| read.is_ok()) && magic == *b"PK\x03\x04"
}
