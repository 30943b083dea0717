//! The verdict file: append-only JSON lines, each with a checksum, in the order of the submissions.
//!
//! A line is written whole or is torn; a torn one shows by its checksum and is cut off on resuming. Verdicts that a
//! resumed run finds out of place (its input changed or moved) are kept in a second file beside, `NAME.old`, until they are
//! used again, so that a run killed at any moment loses nothing.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::verdict::{Decision, Verdict, VerdictRecord};

/// What stands between a line's content and its checksum.
const CRC: &str = ",\"crc\":\"";

/// Why a verdict file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// It exists, and the run is not to resume.
    #[error("{0} exists")]
    Exists(PathBuf),
    /// Another process writes it.
    #[error("{0} is being written by another process")]
    Busy(PathBuf),
    /// It cannot be resumed because it is no regular file.
    #[error("{0} is no regular file, so a run cannot be resumed from it")]
    Irregular(PathBuf),
    /// It holds something, but no verdict: resuming would cut off what somebody else wrote.
    #[error("{0} holds no verdicts, so a run cannot be resumed from it")]
    Foreign(PathBuf),
    /// The system refused.
    #[error("{doing} {path}")]
    Io {
        /// "read", "write".
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// A verdict as a line, newline included.
pub fn to_line(line: &VerdictRecord) -> String {
    let mut line = serde_json::to_string(line).expect("a verdict has only string keys");
    line.pop();
    let crc = crc32fast::hash(line.as_bytes());
    line.push_str(&format!("{CRC}{crc:08x}\"}}\n"));
    line
}

/// The verdict of a line, if its checksum is right.
pub fn from_line(line: &[u8]) -> Option<VerdictRecord> {
    let (content, crc) = sealed(line)?;
    (crc == crc32fast::hash(content)).then(|| serde_json::from_slice(line).ok())?
}

/// The content and the checksum of a whole line that has one, right or wrong.
fn sealed(line: &[u8]) -> Option<(&[u8], u32)> {
    let line = line.strip_suffix(b"\n")?;
    let split = line.len().checked_sub(CRC.len() + 10)?;
    let (content, crc) = line.split_at(split);
    let crc = crc.strip_prefix(CRC.as_bytes())?.strip_suffix(b"\"}")?;
    let crc = u32::from_str_radix(std::str::from_utf8(crc).ok()?, 16).ok()?;
    Some((content, crc))
}

/// A verdict file that is being written.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    file: File,
}

impl Ledger {
    /// Start a new file. One that exists is refused unless it is empty or no regular file.
    pub fn create(path: &Path) -> Result<Ledger, LedgerError> {
        let ledger = Ledger::open(path)?;
        let metadata = ledger.file.metadata().map_err(failed("read", path))?;
        if metadata.is_file() && metadata.len() > 0 {
            return Err(LedgerError::Exists(path.to_owned()));
        }
        Ok(ledger)
    }

    /// Go on with a file, or start it. What it holds is to be drawn from the second value before anything is appended.
    pub fn resume(path: &Path) -> Result<(Ledger, Earlier), LedgerError> {
        let ledger = Ledger::open(path)?;
        let metadata = ledger.file.metadata().map_err(failed("read", path))?;
        if !metadata.is_file() {
            return Err(LedgerError::Irregular(path.to_owned()));
        }
        refuse_foreign(path)?;
        let earlier = Earlier {
            lines: Lines::open(path)?,
            agreed: 0,
        };
        Ok((ledger, earlier))
    }

    fn open(path: &Path) -> Result<Ledger, LedgerError> {
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .map_err(failed("write", path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LedgerError::Busy(path.to_owned())),
            Err(TryLockError::Error(source)) => return Err(failed("lock", path)(source)),
        }
        let path = path.to_owned();
        Ok(Ledger { path, file })
    }

    /// Append a line.
    pub fn append(&mut self, line: &str) -> Result<(), LedgerError> {
        let written = self.file.write_all(line.as_bytes());
        written.map_err(failed("write", &self.path))
    }

    /// All verdicts are written: put them on the disk.
    pub fn complete(self) -> Result<(), LedgerError> {
        if self
            .file
            .metadata()
            .is_ok_and(|metadata| metadata.is_file())
        {
            self.file.sync_all().map_err(failed("write", &self.path))?;
        }
        Ok(())
    }
}

/// What an earlier run left: drawn line by line while it agrees with the submissions.
#[derive(Debug)]
pub struct Earlier {
    lines: Lines,
    /// Where the part ends that agrees.
    agreed: u64,
}

impl Earlier {
    /// The next line's verdict, if it is that of the next submission, whose hash is `input_hash`, and not a failure of
    /// the judge. After `None`, [`Earlier::put_aside`] is due.
    pub fn next(&mut self, input_hash: &str) -> Result<Option<Verdict>, LedgerError> {
        let line = self.lines.next()?;
        let agrees = |line: &VerdictRecord| {
            line.input_hash == input_hash && line.verdict.verdict != Decision::JudgeFailed
        };
        let verdict = line.filter(agrees).map(|line| line.verdict);
        if verdict.is_some() {
            self.agreed = self.lines.offset;
        }
        Ok(verdict)
    }

    /// Cut off what does not agree, and keep its verdicts beside the file to be used in their turn.
    pub fn put_aside(self) -> Result<Aside, LedgerError> {
        let path = self.lines.path.clone();
        let beside = beside(&path);
        if beside.exists() {
            refuse_foreign(&beside)?;
        }
        let broken = self.copy_rest(&beside)?;
        let file = OpenOptions::new().write(true).open(&path);
        let cut = file.and_then(|file| file.set_len(self.agreed));
        cut.map_err(failed("write", &path))?;
        Aside::open(beside, broken)
    }

    /// Gives back the number of broken lines, which are not copied. One without its end is torn, not broken.
    fn copy_rest(&self, beside: &Path) -> Result<u64, LedgerError> {
        let mut broken = 0;
        let mut rest = Lines::open(&self.lines.path)?;
        rest.seek(self.agreed)?;
        let mut copy: Option<File> = None;
        while let Some(line) = rest.next_line()? {
            if from_line(&line).is_none() {
                broken += u64::from(line.ends_with(b"\n"));
                continue;
            }
            let file = match &mut copy {
                Some(file) => file,
                none => none.insert(append_to(beside)?),
            };
            file.write_all(&line).map_err(failed("write", beside))?;
        }
        if let Some(file) = copy {
            file.sync_all().map_err(failed("write", beside))?;
        }
        Ok(broken)
    }
}

/// Open a file to append lines. What is there may end in a torn line, which must not run into the next.
fn append_to(path: &Path) -> Result<File, LedgerError> {
    let file = OpenOptions::new().append(true).create(true).open(path);
    let mut file = file.map_err(failed("write", path))?;
    file.write_all(b"\n").map_err(failed("write", path))?;
    Ok(file)
}

/// Verdicts put aside, found by their hash.
#[derive(Debug)]
pub struct Aside {
    path: PathBuf,
    lines: Option<Lines>,
    /// Where the line of a hash starts.
    starts: HashMap<String, u64>,
    taken: Taken,
    broken: u64,
}

/// What was used again.
#[derive(Debug, Clone, Copy, Default)]
pub struct Taken {
    /// Verdicts.
    pub verdicts: u64,
    /// Their tests.
    pub tests: u64,
}

impl Taken {
    /// Count a verdict.
    pub fn add(&mut self, verdict: &Verdict) {
        self.verdicts += 1;
        self.tests += verdict.cases.len() as u64;
    }
}

impl Aside {
    fn open(path: PathBuf, broken: u64) -> Result<Aside, LedgerError> {
        let mut aside = Aside {
            path,
            lines: None,
            starts: HashMap::new(),
            taken: Taken::default(),
            broken,
        };
        if !aside.path.exists() {
            return Ok(aside);
        }
        let mut lines = Lines::open(&aside.path)?;
        let mut start = 0;
        while let Some(line) = lines.next_line()? {
            if let Some(line) = from_line(&line)
                && line.verdict.verdict != Decision::JudgeFailed
            {
                aside.starts.insert(line.input_hash, start);
            }
            start = lines.offset;
        }
        aside.lines = Some(lines);
        Ok(aside)
    }

    /// The place of the verdict for `input_hash`, once.
    pub fn claim(&mut self, input_hash: &str) -> Option<u64> {
        self.starts.remove(input_hash)
    }

    /// The verdict at a place that was claimed.
    pub fn read(&mut self, place: u64) -> Result<VerdictRecord, LedgerError> {
        let unreadable = || failed("read", &self.path)(io::ErrorKind::InvalidData.into());
        let lines = self.lines.as_mut().ok_or_else(unreadable)?;
        lines.seek(place)?;
        let line = lines.next()?.ok_or_else(unreadable)?;
        self.taken.add(&line.verdict);
        Ok(line)
    }

    /// Whole lines of the verdict file that were cut off because their checksum is wrong or they are no verdicts.
    pub fn broken(&self) -> u64 {
        self.broken
    }

    /// What was taken so far.
    pub fn taken(&self) -> Taken {
        self.taken
    }

    /// The run is complete: remove the file, unless it holds verdicts that were not used again. Then their number and
    /// the file are returned.
    pub fn complete(&self) -> Result<Option<(usize, &Path)>, LedgerError> {
        if !self.starts.is_empty() {
            return Ok(Some((self.starts.len(), &self.path)));
        }
        match std::fs::remove_file(&self.path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(failed("remove", &self.path)(source))
            }
            _ => Ok(None),
        }
    }
}

/// The lines of a verdict file, one after the other.
#[derive(Debug)]
struct Lines {
    reader: BufReader<File>,
    /// Where the next line starts.
    offset: u64,
    path: PathBuf,
}

impl Lines {
    fn open(path: &Path) -> Result<Lines, LedgerError> {
        let file = File::open(path).map_err(failed("read", path))?;
        Ok(Lines {
            reader: BufReader::new(file),
            offset: 0,
            path: path.to_owned(),
        })
    }

    fn seek(&mut self, offset: u64) -> Result<(), LedgerError> {
        let sought = self.reader.seek(SeekFrom::Start(offset));
        self.offset = sought.map_err(failed("read", &self.path))?;
        Ok(())
    }

    /// The next line, newline included; the last may lack it.
    fn next_line(&mut self) -> Result<Option<Vec<u8>>, LedgerError> {
        let mut line = Vec::new();
        let read = self.reader.by_ref().read_until(b'\n', &mut line);
        let bytes = read.map_err(failed("read", &self.path))?;
        self.offset += bytes as u64;
        Ok((bytes > 0).then_some(line))
    }

    /// The next verdict; `None` at the end and for a broken line.
    fn next(&mut self) -> Result<Option<VerdictRecord>, LedgerError> {
        Ok(self.next_line()?.and_then(|line| from_line(&line)))
    }
}

/// Fails if the file holds something, but no line with a checksum and nothing that may be the start of one.
fn refuse_foreign(path: &Path) -> Result<(), LedgerError> {
    let mut lines = Lines::open(path)?;
    let mut is_foreign = false;
    while let Some(line) = lines.next_line()? {
        if sealed(&line).is_some() {
            return Ok(());
        }
        is_foreign |= !is_torn(&line);
    }
    match is_foreign {
        true => Err(LedgerError::Foreign(path.to_owned())),
        false => Ok(()),
    }
}

/// Whether a line is blank or the start of a verdict that a killed run did not end. Any other JSON object is complete.
fn is_torn(line: &[u8]) -> bool {
    const START: &[u8] = b"{\"id\":\"";
    let line = line.trim_ascii_end();
    let starts_alike = line.starts_with(START) || START.starts_with(line);
    starts_alike && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_err()
}

/// Where verdicts out of place are kept.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".old");
    PathBuf::from(name)
}

fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> LedgerError {
    let path = path.to_owned();
    move |source| LedgerError::Io {
        doing,
        path,
        source,
    }
}
