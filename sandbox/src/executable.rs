//! Programs that are executables, or modules for an engine: their files, and what they are called with.

use std::path::{Path, PathBuf};

use sandbox_guard::bundle::{self, Entry, Folder, Reader, Writer};
use sandbox_guard::own_files;

use crate::error::host;
use crate::{Grants, Program, SandboxError};

/// What each file takes beyond its content: its inode, and the folders it lies in.
const BESIDE: u64 = 4 << 12;
const PAGE: u64 = 1 << 12;

/// A program that is an executable, or is given to one: its files lie below [`Executable::PLACE`], where its box alone sees
/// them, and cannot be changed. What an engine plays is such a file too, the one that its first argument names.
///
/// ```
/// use sandbox::{Executable, Grants};
///
/// # let compiled = std::fs::read("/bin/true")?;
/// let mut executable = Executable::new(["/program/main", "--fast"]);
/// executable.environment.push("LANG=C.UTF-8".into());
/// executable.file("main", true, &compiled)?;
/// let program = executable.program(Grants::JUDGED);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Executable {
    /// The path of what is executed, in the box, and the arguments after it.
    pub arguments: Vec<String>,
    /// `NAME=value`; it has no other.
    pub environment: Vec<String>,
    files: Vec<(Folder, OwnFile)>,
}

/// A file of a program, or one that a run left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnFile {
    /// Its path below the folder that it lies in.
    pub path: PathBuf,
    /// Whether it may be executed.
    pub executable: bool,
    /// What is in it.
    pub content: Vec<u8>,
}

/// The path of a file leads elsewhere than down from the folder of a program's files, or is too long for one.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no name for a program's file")]
pub struct BadPath(PathBuf);

impl Executable {
    /// Where its files are.
    pub const PLACE: &'static str = own_files::PLACE;
    /// Bytes that a name, and a path, may have.
    const NAME_MAX: usize = 255;
    const PATH_MAX: usize = 4000;

    /// With these arguments, of which the first is the path of what is executed.
    pub fn new<A: Into<String>>(arguments: impl IntoIterator<Item = A>) -> Executable {
        Executable {
            arguments: arguments.into_iter().map(Into::into).collect(),
            ..Executable::default()
        }
    }

    /// Add a file, in place of one of the same path.
    ///
    /// # Errors
    /// The path would not be below [`Executable::PLACE`].
    pub fn file(
        &mut self,
        path: impl AsRef<Path>,
        executable: bool,
        content: &[u8],
    ) -> Result<(), BadPath> {
        self.add(Folder::Program, path.as_ref(), executable, content)
    }

    /// Add a file that each run finds in its working directory and may change, in place of one of the same path.
    ///
    /// # Errors
    /// The path would not be below that directory.
    pub fn scratch_file(
        &mut self,
        path: impl AsRef<Path>,
        executable: bool,
        content: &[u8],
    ) -> Result<(), BadPath> {
        self.add(Folder::Scratch, path.as_ref(), executable, content)
    }

    fn add(
        &mut self,
        folder: Folder,
        path: &Path,
        executable: bool,
        content: &[u8],
    ) -> Result<(), BadPath> {
        let fits = |name: &std::ffi::OsStr| name.len() <= Self::NAME_MAX;
        if !bundle::leads_down(path)
            || path.as_os_str().len() > Self::PATH_MAX
            || !path.iter().all(fits)
        {
            return Err(BadPath(path.to_owned()));
        }
        self.files
            .retain(|(other, file)| *other != folder || file.path != path);
        let file = OwnFile {
            path: path.to_owned(),
            executable,
            content: content.to_vec(),
        };
        self.files.push((folder, file));
        Ok(())
    }

    /// A module that an engine plays, in a file of this name.
    ///
    /// # Errors
    /// The name is none that a program's file may have.
    pub fn module(name: &str, content: &[u8]) -> Result<Executable, BadPath> {
        let mut module = Executable::new([format!("{}/{name}", Executable::PLACE)]);
        module.file(name, false, content)?;
        Ok(module)
    }

    /// As a program for a runtime of [`crate::Image::native`], or of the image of an engine.
    pub fn program(&self, grants: Grants) -> Program {
        let mut writer = Writer::new(&self.arguments, &self.environment);
        for (folder, file) in &self.files {
            writer.heading(&Entry {
                folder: *folder,
                path: file.path.clone(),
                executable: file.executable,
                length: file.content.len() as u64,
            });
            writer.content(&file.content);
        }
        Program {
            text: writer.finish(),
            grants,
        }
    }
}

/// A program for an engine.
pub(crate) struct Module {
    /// What the engine plays.
    pub code: Vec<u8>,
    /// What it is called with, and its other files, if there are any.
    pub given: Option<Vec<u8>>,
}

impl Module {
    /// From what [`Executable::program`] wrote.
    pub(crate) fn read(text: &[u8]) -> Result<Module, SandboxError> {
        let read = host("read the program's files");
        let (mut bundle, call) = Reader::new(text).map_err(&read)?;
        let played = call.arguments.first().map(|path| path.to_bytes().to_vec());
        let arguments = call.arguments.iter().map(|it| it.as_bytes());
        let arguments: Vec<&[u8]> = arguments.collect();
        let mut given = Writer::new(&arguments, &[""; 0]);
        let (mut code, mut others) = (None, 0);
        while let Some(entry) = bundle.entry().map_err(&read)? {
            let content = bundle.content(&entry).map_err(&read)?;
            let path = Path::new(Executable::PLACE).join(&entry.path);
            let is_played = entry.folder == Folder::Program
                && Some(path.as_os_str().as_encoded_bytes()) == played.as_deref();
            if is_played {
                code = Some(content.to_vec());
            } else {
                given.heading(&entry);
                given.content(content);
                others += 1;
            }
        }
        let missing = || SandboxError::Worker("there is nothing for an engine to play".to_owned());
        let is_called = others > 0 || arguments.len() > 1;
        Ok(Module {
            code: code.ok_or_else(missing)?,
            given: is_called.then(|| given.finish()),
        })
    }
}

/// What file systems take that hold the files of a program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    /// Bytes of that of the program.
    pub program: u64,
    /// Bytes of that of its scratch directory.
    pub scratch: u64,
    /// Files and folders in its scratch directory.
    pub scratch_inodes: u64,
}

/// What file systems take that hold the files in `text`.
pub(crate) fn sizes(text: &[u8]) -> Result<Sizes, SandboxError> {
    let read = host("read the program's files");
    let (mut bundle, _) = Reader::new(text).map_err(&read)?;
    let mut sizes = Sizes {
        program: PAGE,
        scratch: 0,
        scratch_inodes: 0,
    };
    while let Some(entry) = bundle.entry().map_err(&read)? {
        let size = entry.length.next_multiple_of(PAGE) + BESIDE;
        match entry.folder {
            Folder::Program => sizes.program += size,
            Folder::Scratch => {
                sizes.scratch += size;
                sizes.scratch_inodes += entry.path.iter().count() as u64;
            }
        }
        bundle.content(&entry).map_err(&read)?;
    }
    Ok(sizes)
}

/// The files in an archive that a box wrote.
pub(crate) fn files(archive: &[u8]) -> Result<Vec<OwnFile>, SandboxError> {
    let read = host("read what a run left");
    let (mut bundle, _) = Reader::new(archive).map_err(&read)?;
    let mut files = Vec::new();
    while let Some(entry) = bundle.entry().map_err(&read)? {
        files.push(OwnFile {
            content: bundle.content(&entry).map_err(&read)?.to_vec(),
            path: entry.path,
            executable: entry.executable,
        });
    }
    Ok(files)
}
