//! The verdicts of a run that was ended or killed, for the run that goes on with its file.
//!
//! Lines are used again in place as long as they agree with the submissions. From the first that does not (its input
//! changed or moved), the rest is moved to a second file beside, `NAME.old`, and indexed by input hash, so that a run
//! killed at any moment loses nothing.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fs_err::{File, OpenOptions};

use crate::jsonl::{self, JsonLine, JsonLines, JsonLinesError, LineContent, LineReader, Record};
use crate::verdict::{Decision, ShardPlace, Verdict, VerdictRecord};

impl Record for VerdictRecord {
    const PLURAL: &'static str = "verdicts";
    const START: &'static str = "{\"id\":\"";
    const CHECKSUM: bool = true;
}

/// The verdict file of a previous run, read while it agrees with the submissions.
#[derive(Debug)]
pub struct PreviousRun {
    lines: LineReader<VerdictRecord>,
    /// Where the part ends that agrees.
    agreed: u64,
}

impl PreviousRun {
    /// Go on with the verdict file at `path`, or start it. [`PreviousRun::index`] is due before anything is appended.
    pub fn resume(path: &Path) -> Result<(JsonLines<VerdictRecord>, PreviousRun), JsonLinesError> {
        let (file, lines) = JsonLines::resume(path)?;
        Ok((file, PreviousRun { lines, agreed: 0 }))
    }

    /// The next line's verdict, if it is that of the next submission, whose hash is `input_hash`, in this place. After `None`,
    /// [`PreviousRun::index`] is due.
    pub fn next_in_place(
        &mut self,
        input_hash: &str,
        shard: Option<ShardPlace>,
    ) -> Result<Option<Verdict>, JsonLinesError> {
        let Some(line) = self.lines.read_next()? else {
            return Ok(None);
        };
        let end = line.end;
        let agrees =
            |record: &VerdictRecord| record.input_hash == input_hash && record.shard == shard;
        let record = reusable(line).filter(agrees);
        if record.is_some() {
            self.agreed = end;
        }
        Ok(record.map(|record| record.verdict))
    }

    /// Cut off what does not agree, and keep its verdicts beside the file to be used in their turn.
    pub fn index(self) -> Result<PreviousIndex, JsonLinesError> {
        let path = self.lines.path().to_owned();
        let beside = beside(&path);
        if beside.exists() {
            jsonl::refuse_foreign::<VerdictRecord>(&beside)?;
        }
        let before = beside.metadata().map_or(0, |metadata| metadata.len());
        let broken = self.move_rest(&beside)?;
        jsonl::cut(&path, self.agreed)?;
        PreviousIndex::open(beside, before, broken)
    }

    /// Gives back the number of broken lines, which are not copied. A torn one is not counted.
    fn move_rest(&self, beside: &Path) -> Result<u64, JsonLinesError> {
        let mut broken = 0;
        let mut rest = LineReader::open(self.lines.path())?;
        rest.seek(self.agreed)?;
        let mut copy: Option<File> = None;
        while let Some(line) = rest.read_next()? {
            match line.content {
                LineContent::Torn => break,
                LineContent::Broken(_) => broken += 1,
                LineContent::Record(VerdictRecord { .. }) => {
                    let file = match &mut copy {
                        Some(file) => file,
                        none => none.insert(append_to(beside)?),
                    };
                    file.write_all(&line.bytes)?;
                }
            }
        }
        if let Some(file) = copy {
            file.sync_all()?;
        }
        Ok(broken)
    }
}

/// The record of a line that a later run may use again: a failure of the judge is judged again.
fn reusable(line: JsonLine<VerdictRecord>) -> Option<VerdictRecord> {
    match line.content {
        LineContent::Record(record) => {
            Some(record).filter(|record| record.verdict.verdict != Decision::JudgeFailed)
        }
        LineContent::Torn | LineContent::Broken(_) => None,
    }
}

/// Open a file to append lines. What is there may end in a torn line, which must not run into the next.
fn append_to(path: &Path) -> Result<File, JsonLinesError> {
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    file.write_all(b"\n")?;
    Ok(file)
}

/// Verdicts out of place, found by their input hash.
#[derive(Debug)]
pub struct PreviousIndex {
    path: PathBuf,
    lines: Option<LineReader<VerdictRecord>>,
    /// Where the line of a hash starts.
    starts: HashMap<String, u64>,
    /// Verdicts that lay in the file before this run moved any there.
    inherited: usize,
    broken: u64,
    reused: Reused,
}

/// How much of a previous run was used again.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reused {
    /// Verdicts.
    pub verdicts: u64,
    /// Their tests.
    pub tests: u64,
}

impl Reused {
    /// Count a verdict.
    pub fn add(&mut self, verdict: &Verdict) {
        self.verdicts += 1;
        self.tests += verdict.cases.len() as u64;
    }
}

impl PreviousIndex {
    /// Read the file beside, whose first `before` bytes an earlier run left there.
    fn open(path: PathBuf, before: u64, broken: u64) -> Result<PreviousIndex, JsonLinesError> {
        let mut index = PreviousIndex {
            lines: path.exists().then(|| LineReader::open(&path)).transpose()?,
            path,
            starts: HashMap::new(),
            inherited: 0,
            broken,
            reused: Reused::default(),
        };
        while let Some(lines) = &mut index.lines
            && let Some(line) = lines.read_next()?
        {
            let start = line.start;
            if let Some(record) = reusable(line) {
                index.inherited += usize::from(start < before);
                index.starts.insert(record.input_hash, start);
            }
        }
        Ok(index)
    }

    /// The place of the verdict for `input_hash`, once.
    pub fn claim(&mut self, input_hash: &str) -> Option<u64> {
        self.starts.remove(input_hash)
    }

    /// The verdict at a place that was claimed.
    pub fn read(&mut self, place: u64) -> Result<VerdictRecord, JsonLinesError> {
        let changed = || io::Error::other(format!("{} was changed", self.path.display()));
        let lines = self.lines.as_mut().ok_or_else(changed)?;
        lines.seek(place)?;
        let record = lines.read_next()?.and_then(reusable).ok_or_else(changed)?;
        self.reused.add(&record.verdict);
        Ok(record)
    }

    /// The file that holds them.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Verdicts that lay there before this run moved any, left by one that was ended, or by one with other input.
    pub fn inherited(&self) -> usize {
        self.inherited
    }

    /// Whole lines of the verdict file that were cut off because their checksum is wrong or they are no verdicts.
    pub fn broken(&self) -> u64 {
        self.broken
    }

    /// What was read so far.
    pub fn reused(&self) -> Reused {
        self.reused
    }

    /// The run is complete: remove the file, unless it holds verdicts that were not used again, whose number is returned.
    pub fn complete(&self) -> Result<usize, JsonLinesError> {
        if self.starts.is_empty() && self.path.exists() {
            fs_err::remove_file(&self.path)?;
        }
        Ok(self.starts.len())
    }
}

/// Where verdicts out of place are kept.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".old");
    PathBuf::from(name)
}
