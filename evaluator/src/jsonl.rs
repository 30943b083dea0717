//! Append-only files of JSON lines that a later run can go on with: verdicts, and whatever else is written record by
//! record and must survive a kill.
//!
//! A process that is killed while it writes leaves at most one torn line, the last. It is cut off before anything is
//! appended, so that no record is half-written and none is lost. Only one process at a time writes a file, and a file
//! of something else is left alone. A type of record says by [`Record`] what its lines look like; use
//! [`JsonLines::resume_all`] where all earlier records fit in memory, [`JsonLines::resume`] where they do not, and
//! [`cut`] to drop records from some place on.

use std::fs::TryLockError;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use fs_err::{File, OpenOptions};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// What stands between a line's content and its checksum.
const CRC: &str = ",\"crc\":\"";

/// A type of record, one to a line.
pub trait Record: Serialize + DeserializeOwned {
    /// What a person calls several of them: `verdicts`.
    const PLURAL: &'static str;
    /// What every line starts with: by this a torn line is told from one that somebody else wrote.
    const START: &'static str;
    /// Whether each line ends in a checksum of the rest, as its field `crc`. A line whose checksum is wrong is broken.
    const CHECKSUM: bool;
}

/// Why a file of JSON lines cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JsonLinesError {
    /// It exists, and the run is not to resume.
    #[error("output file already exists: {0}")]
    Exists(PathBuf),
    /// Another process writes it.
    #[error("{0} is being written by another process")]
    Busy(PathBuf),
    /// It cannot be resumed because it is no regular file.
    #[error("{0} is not a regular file, so a run cannot be resumed from it")]
    Irregular(PathBuf),
    /// It holds something, but no record: resuming would cut off what somebody else wrote.
    #[error("{path} contains no {expected}, so a run cannot be resumed from it")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it should hold.
        expected: &'static str,
    },
    /// A line that is not the last cannot be read.
    #[error("{path}:{line}: {message}")]
    Broken {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// The system refused; the error names the file.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A record as a line, newline included.
pub fn to_line<R: Record>(record: &R) -> String {
    let mut line = serde_json::to_string(record).expect("a record has only string keys");
    if R::CHECKSUM {
        // Without its closing brace, so that the checksum becomes the last field of the same object.
        line.pop();
        let crc = crc32fast::hash(line.as_bytes());
        line.push_str(&format!("{CRC}{crc:08x}\"}}"));
    }
    line.push('\n');
    line
}

/// The content and the checksum of a whole line that has one, right or wrong.
fn sealed(line: &[u8]) -> Option<(&[u8], u32)> {
    let line = line.strip_suffix(b"\n")?;
    // Behind the field's name stand eight digits, a quote and a brace.
    let split = line.len().checked_sub(CRC.len() + 10)?;
    let (content, crc) = line.split_at(split);
    let crc = crc.strip_prefix(CRC.as_bytes())?.strip_suffix(b"\"}")?;
    let crc = u32::from_str_radix(std::str::from_utf8(crc).ok()?, 16).ok()?;
    Some((content, crc))
}

/// The record of a whole line; else why it holds none.
pub fn decode<R: Record>(line: &[u8]) -> Result<R, String> {
    if R::CHECKSUM {
        let (content, crc) = sealed(line).ok_or("has no checksum")?;
        if crc != crc32fast::hash(content) {
            return Err("its checksum is wrong".to_owned());
        }
    }
    let mut reader = serde_json::Deserializer::from_slice(line);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| error.to_string())
}

/// A file that is being written.
#[derive(Debug)]
pub struct JsonLines<R> {
    file: File,
    record: PhantomData<fn(R)>,
}

impl<R: Record> JsonLines<R> {
    /// Start a new file. One that exists is refused unless it is empty or no regular file.
    pub fn create(path: &Path) -> Result<JsonLines<R>, JsonLinesError> {
        let lines = JsonLines::open(path)?;
        let metadata = lines.file.metadata()?;
        match metadata.is_file() && metadata.len() > 0 {
            true => Err(JsonLinesError::Exists(path.to_owned())),
            false => Ok(lines),
        }
    }

    /// Go on with a file, or start it. It may end in a torn line: before anything is appended, the second value must be
    /// read to the end of what is to be kept, and the file [`cut`] there.
    pub fn resume(path: &Path) -> Result<(JsonLines<R>, LineReader<R>), JsonLinesError> {
        let file = JsonLines::open(path)?;
        if !file.file.metadata()?.is_file() {
            return Err(JsonLinesError::Irregular(path.to_owned()));
        }
        refuse_foreign::<R>(path)?;
        Ok((file, LineReader::open(path)?))
    }

    /// Go on with a file, or start it, with all records that it holds. A torn line is cut off; one that is broken in any
    /// other way is an error.
    pub fn resume_all(path: &Path) -> Result<(JsonLines<R>, Vec<R>), JsonLinesError> {
        let (file, mut lines) = JsonLines::resume(path)?;
        let (records, end) = lines.collect_whole()?;
        cut(path, end)?;
        Ok((file, records))
    }

    fn open(path: &Path) -> Result<JsonLines<R>, JsonLinesError> {
        // Appending never overwrites, whatever another process does; the lock keeps two runs from mixing their lines.
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        match file.file().try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JsonLinesError::Busy(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let record = PhantomData;
        Ok(JsonLines { file, record })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Append a record, in one write.
    pub fn append(&mut self, record: &R) -> Result<(), JsonLinesError> {
        Ok(self.file.write_all(to_line(record).as_bytes())?)
    }

    /// All is written: put it on the disk.
    pub fn complete(self) -> Result<(), JsonLinesError> {
        if self.file.metadata()?.is_file() {
            self.file.sync_all()?;
        }
        Ok(())
    }
}

/// Cut a file off at `length` bytes: where the last record ends that is to be kept.
pub fn cut(path: &Path, length: u64) -> Result<(), JsonLinesError> {
    Ok(OpenOptions::new().write(true).open(path)?.set_len(length)?)
}

/// All records of a file that nobody need be writing. A torn last line is passed over.
pub fn read_all<R: Record>(path: &Path) -> Result<Vec<R>, JsonLinesError> {
    Ok(LineReader::open(path)?.collect_whole()?.0)
}

/// One line that is not blank.
#[derive(Debug)]
pub struct JsonLine<R> {
    /// Where it starts, in bytes.
    pub start: u64,
    /// Where the next one starts.
    pub end: u64,
    /// Its number, from 1.
    pub number: usize,
    /// As it stands, newline included.
    pub bytes: Vec<u8>,
    /// What it holds.
    pub content: LineContent<R>,
}

/// What a line holds.
#[derive(Debug)]
pub enum LineContent<R> {
    /// A record.
    Record(R),
    /// The last line, without its end: a writer was killed.
    Torn,
    /// No record, and why.
    Broken(String),
}

/// The lines of a file, one after the other.
#[derive(Debug)]
pub struct LineReader<R> {
    reader: BufReader<File>,
    offset: u64,
    number: usize,
    record: PhantomData<fn() -> R>,
}

impl<R: Record> LineReader<R> {
    /// From the first line on.
    pub fn open(path: &Path) -> Result<LineReader<R>, JsonLinesError> {
        Ok(LineReader {
            reader: BufReader::new(File::open(path)?),
            offset: 0,
            number: 0,
            record: PhantomData,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.reader.get_ref().path()
    }

    /// Go to a place where a line starts. Lines are counted from there.
    pub fn seek(&mut self, start: u64) -> Result<(), JsonLinesError> {
        self.offset = self.reader.seek(SeekFrom::Start(start))?;
        self.number = 0;
        Ok(())
    }

    /// The next line that is not blank; `None` at the end.
    pub fn read_next(&mut self) -> Result<Option<JsonLine<R>>, JsonLinesError> {
        loop {
            let start = self.offset;
            let Some(bytes) = self.next_bytes()? else {
                return Ok(None);
            };
            if bytes.trim_ascii().is_empty() {
                continue;
            }
            let content = match bytes.ends_with(b"\n") {
                true => decode(&bytes).map_or_else(LineContent::Broken, LineContent::Record),
                false => LineContent::Torn,
            };
            return Ok(Some(JsonLine {
                start,
                end: self.offset,
                number: self.number,
                bytes,
                content,
            }));
        }
    }

    /// The next line's bytes, newline included; the last may lack it.
    fn next_bytes(&mut self) -> Result<Option<Vec<u8>>, JsonLinesError> {
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().read_until(b'\n', &mut bytes)?;
        self.offset += read as u64;
        self.number += 1;
        Ok((read > 0).then_some(bytes))
    }

    /// All records, and where the last one ends.
    fn collect_whole(&mut self) -> Result<(Vec<R>, u64), JsonLinesError> {
        let (mut records, mut end) = (Vec::new(), 0);
        while let Some(line) = self.read_next()? {
            match line.content {
                LineContent::Record(record) => records.push(record),
                LineContent::Torn => break,
                LineContent::Broken(message) => {
                    return Err(JsonLinesError::Broken {
                        path: self.path().to_owned(),
                        line: line.number,
                        message,
                    });
                }
            }
            end = line.end;
        }
        Ok((records, end))
    }
}

/// Fails if the file holds something, but no record and nothing that may be the start of one.
pub(crate) fn refuse_foreign<R: Record>(path: &Path) -> Result<(), JsonLinesError> {
    let mut lines = LineReader::<R>::open(path)?;
    let mut is_foreign = false;
    while let Some(bytes) = lines.next_bytes()? {
        // A wrong checksum tells of damage, not of another owner.
        if sealed(&bytes).is_some() || (!R::CHECKSUM && decode::<R>(&bytes).is_ok()) {
            return Ok(());
        }
        is_foreign |= !may_be_torn::<R>(&bytes);
    }
    match is_foreign {
        true => Err(JsonLinesError::Foreign {
            path: path.to_owned(),
            expected: R::PLURAL,
        }),
        false => Ok(()),
    }
}

/// Whether a line is blank or the start of a record that a killed run did not end. Any other JSON object is complete.
fn may_be_torn<R: Record>(line: &[u8]) -> bool {
    let (line, start) = (line.trim_ascii_end(), R::START.as_bytes());
    let starts_alike = line.starts_with(start) || start.starts_with(line);
    starts_alike && serde_json::from_slice::<IgnoredAny>(line).is_err()
}
