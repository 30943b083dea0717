//! Files with their names in one stream of bytes: what an executable program consists of on its way into a box, and what a
//! run left in its scratch directory on the way out.
//!
//! Lengths are 64-bit little-endian words; a text is its length and its bytes. First the arguments and the environment,
//! each a count and as many texts. Then the files to the end: path, flags, content.

use std::ffi::{CString, OsStr};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// The longest text but for contents, in bytes: an argument or a path beyond it is refused by the kernel too.
const TEXT_MAX: u64 = 128 << 10;
/// The most arguments, and the most lines of an environment.
const TEXTS_MAX: u64 = 4096;
/// What a word of flags may say of a file.
const EXECUTABLE: u64 = 1;
const SCRATCH: u64 = 2;

/// Which folder of its box a file lies in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Folder {
    /// That of the program, where nothing can be changed.
    #[default]
    Program,
    /// Scratch, where a run may change it.
    Scratch,
}

/// A file as a bundle lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The folder it lies in.
    pub folder: Folder,
    /// Its path below that folder.
    pub path: PathBuf,
    /// Whether it is to be executed.
    pub executable: bool,
    /// Bytes of its content.
    pub length: u64,
}

/// Writes a bundle.
#[derive(Debug, Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// Begin with what the program is called with.
    pub fn new(arguments: &[impl AsRef<[u8]>], environment: &[impl AsRef<[u8]>]) -> Writer {
        let mut writer = Writer::default();
        writer.texts(arguments);
        writer.texts(environment);
        writer
    }

    /// Add a file, whose content follows: it is up to the caller.
    pub fn heading(&mut self, entry: &Entry) {
        self.text(entry.path.as_os_str().as_bytes());
        let executable = u64::from(entry.executable) * EXECUTABLE;
        let scratch = u64::from(entry.folder == Folder::Scratch) * SCRATCH;
        self.word(executable | scratch);
        self.word(entry.length);
    }

    /// Add the content of a file.
    pub fn content(&mut self, content: &[u8]) {
        self.0.extend(content);
    }

    /// The bytes so far.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }

    fn texts(&mut self, texts: &[impl AsRef<[u8]>]) {
        self.word(texts.len() as u64);
        texts.iter().for_each(|text| self.text(text.as_ref()));
    }

    fn text(&mut self, text: &[u8]) {
        self.word(text.len() as u64);
        self.0.extend(text);
    }

    fn word(&mut self, word: u64) {
        self.0.extend(word.to_le_bytes());
    }
}

/// Reads a bundle, wherever it lies. The content of each file is the caller's to read, right after its entry.
#[derive(Debug)]
pub struct Reader<R>(R);

/// What a program is called with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The path of the executable, and the arguments after it.
    pub arguments: Vec<CString>,
    /// `NAME=value`.
    pub environment: Vec<CString>,
}

impl<R: Read> Reader<R> {
    /// Begin to read.
    ///
    /// # Errors
    /// It cannot be read, or is no bundle.
    pub fn new(source: R) -> io::Result<(Reader<R>, Call)> {
        let mut reader = Reader(source);
        let call = Call {
            arguments: reader.texts()?,
            environment: reader.texts()?,
        };
        Ok((reader, call))
    }

    /// The next file; `None` after the last.
    ///
    /// # Errors
    /// As for [`Reader::new`]; or the path leads elsewhere than down.
    pub fn entry(&mut self) -> io::Result<Option<Entry>> {
        let Some(length) = self.word_or_end()? else {
            return Ok(None);
        };
        let path = PathBuf::from(OsStr::from_bytes(&self.text_of(length)?));
        if !leads_down(&path) {
            return Err(io::ErrorKind::InvalidFilename.into());
        }
        let flags = self.word()?;
        Ok(Some(Entry {
            folder: match flags & SCRATCH {
                0 => Folder::Program,
                _ => Folder::Scratch,
            },
            path,
            executable: flags & EXECUTABLE != 0,
            length: self.word()?,
        }))
    }

    /// Where the content lies after an entry.
    pub fn source(&mut self) -> &mut R {
        &mut self.0
    }

    fn texts(&mut self) -> io::Result<Vec<CString>> {
        let count = self.word()?;
        if count > TEXTS_MAX {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let one = |_| {
            let length = self.word()?;
            CString::new(self.text_of(length)?).map_err(io::Error::other)
        };
        (0..count).map(one).collect()
    }

    fn text_of(&mut self, length: u64) -> io::Result<Vec<u8>> {
        if length > TEXT_MAX {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut text = vec![0; length as usize];
        self.0.read_exact(&mut text)?;
        Ok(text)
    }

    fn word(&mut self) -> io::Result<u64> {
        let word = self.word_or_end()?;
        word.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    fn word_or_end(&mut self) -> io::Result<Option<u64>> {
        let mut word = [0; 8];
        if self.0.read(&mut word[..1])? == 0 {
            return Ok(None);
        }
        self.0.read_exact(&mut word[1..])?;
        Ok(Some(u64::from_le_bytes(word)))
    }
}

impl<'b> Reader<&'b [u8]> {
    /// The content of `entry`, right after it was read.
    ///
    /// # Errors
    /// There is not as much.
    pub fn content(&mut self, entry: &Entry) -> io::Result<&'b [u8]> {
        let length = usize::try_from(entry.length).ok();
        let split = length.and_then(|length| self.0.split_at_checked(length));
        let (content, rest) = split.ok_or(io::ErrorKind::UnexpectedEof)?;
        self.0 = rest;
        Ok(content)
    }
}

/// Whether a path leads to something below the folder that it starts in, and says so plainly.
pub fn leads_down(path: &Path) -> bool {
    let mut components = path.components().peekable();
    components.peek().is_some() && components.all(|part| matches!(part, Component::Normal(_)))
}
