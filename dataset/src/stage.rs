//! Runs a stage over a file of records: as many come out as went in, in the same order, and a killed run goes on where it was.
//!
//! Beside the output lies `OUT.stage.json`, which says of what input and with what settings it was written. An output of
//! anything else is never gone on with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use comfy_table::{CellAlignment, Table, presets};
use evaluator::jsonl::{self, JsonLines, JsonLinesError, LineContent, LineReader};
use serde::{Deserialize, Serialize};

use crate::error::DataError;
use crate::record::{Reason, Record, Stage};

/// Records that a stage is given at a time: enough to keep every core busy, few enough to fit in memory with their tests.
const CHUNK: usize = 256;

/// What a stage reads and writes.
#[derive(Debug, Clone)]
pub struct Job {
    /// The stage.
    pub stage: Stage,
    /// The records that go in.
    pub input: PathBuf,
    /// The records that come out.
    pub out: PathBuf,
    /// All settings that show in the output, as text.
    pub settings: String,
    /// Go on with an output that is there.
    pub resume: bool,
}

/// What an output was made of.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Made {
    stage: Stage,
    input: String,
    settings: String,
}

impl Job {
    /// Run the stage: `work` is given the live records of a part of the input, and changes or drops them in their places.
    pub fn run(
        &self,
        mut work: impl FnMut(&mut [&mut Record]) -> Result<(), DataError>,
    ) -> Result<StageReport, DataError> {
        let mut report = StageReport::new(self.stage);
        let (mut out, done) = self.open(&mut report)?;
        let mut input = Records::open(&self.input)?;
        input
            .by_ref()
            .take(done)
            .try_for_each(|record| record.map(drop))?;
        loop {
            let chunk: Result<Vec<Record>, DataError> = input.by_ref().take(CHUNK).collect();
            let mut chunk = chunk?;
            if chunk.is_empty() {
                break;
            }
            let mut live: Vec<&mut Record> =
                chunk.iter_mut().filter(|record| record.is_live()).collect();
            work(&mut live)?;
            for record in &chunk {
                out.append(record)?;
                report.add(record);
            }
        }
        out.complete()?;
        Ok(report)
    }

    /// Fails if the output is there and cannot be gone on with: to be called before work that costs much.
    pub fn refuse_other_output(&self) -> Result<(), DataError> {
        match (self.out.exists(), self.resume) {
            (false, _) => Ok(()),
            (true, false) => Err(JsonLinesError::Exists(self.out.clone()).into()),
            (true, true) => was_made_of(&self.out, &made_path(&self.out), &self.made()?),
        }
    }

    fn made(&self) -> Result<Made, DataError> {
        Ok(Made {
            stage: self.stage,
            input: hash_file(&self.input)?,
            settings: self.settings.clone(),
        })
    }

    /// The output, and how many records it holds already.
    fn open(&self, report: &mut StageReport) -> Result<(JsonLines<Record>, usize), DataError> {
        let made = self.made()?;
        let (out, done) = resume(&self.out, &made_path(&self.out), &made, self.resume)?;
        done.iter().for_each(|record| report.add(record));
        Ok((out, done.len()))
    }
}

/// Open the output of a stage, with what an earlier run left in it.
fn resume(
    path: &Path,
    made_path: &Path,
    made: &Made,
    resume: bool,
) -> Result<(JsonLines<Record>, Vec<Record>), DataError> {
    if !resume || !path.exists() {
        let out = JsonLines::create(path)?;
        let json = serde_json::to_string_pretty(made).expect("it has only string keys");
        fs_err::write(made_path, json + "\n")?;
        return Ok((out, Vec::new()));
    }
    was_made_of(path, made_path, made)?;
    Ok(JsonLines::resume_all(path)?)
}

fn was_made_of(path: &Path, made_path: &Path, made: &Made) -> Result<(), DataError> {
    let before = fs_err::read(made_path).ok();
    let before = before.and_then(|json| serde_json::from_slice::<Made>(&json).ok());
    match before.as_ref() == Some(made) {
        true => Ok(()),
        false => Err(DataError::Changed(path.to_owned())),
    }
}

/// The file that says what `out` was made of.
pub fn made_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".stage.json");
    PathBuf::from(name)
}

/// The hash of all that a file holds, or the files below a folder, as text.
pub fn hash_file(path: &Path) -> Result<String, DataError> {
    let mut hasher = blake3::Hasher::new();
    add_to_hash(path, &mut hasher)?;
    Ok(hasher.finalize().to_hex()[..32].to_owned())
}

fn add_to_hash(path: &Path, hasher: &mut blake3::Hasher) -> Result<(), DataError> {
    if !path.is_dir() {
        hasher.update_reader(fs_err::File::open(path)?)?;
        return Ok(());
    }
    let entries = fs_err::read_dir(path)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries = entries.collect::<Result<Vec<_>, _>>()?;
    entries.sort();
    for entry in entries {
        hasher.update(entry.as_os_str().as_encoded_bytes());
        add_to_hash(&entry, hasher)?;
    }
    Ok(())
}

/// The records of a file between two stages.
pub type Records = RecordLines<Record>;

/// The records of a file of JSON lines, one after the other.
pub struct RecordLines<R> {
    lines: LineReader<R>,
}

impl<R: jsonl::Record> RecordLines<R> {
    /// From the first on.
    pub fn open(path: &Path) -> Result<RecordLines<R>, DataError> {
        let lines = LineReader::open(path)?;
        Ok(RecordLines { lines })
    }
}

impl<R: jsonl::Record> Iterator for RecordLines<R> {
    type Item = Result<R, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = match self.lines.read_next() {
            Ok(line) => line?,
            Err(error) => return Some(Err(error.into())),
        };
        match line.content {
            LineContent::Record(record) => Some(Ok(record)),
            LineContent::Torn => None,
            LineContent::Broken(message) => Some(Err(DataError::Records(JsonLinesError::Broken {
                path: self.lines.path().to_owned(),
                line: line.number,
                message,
            }))),
        }
    }
}

/// What a stage did, in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageReport {
    /// The stage.
    pub stage: Stage,
    /// Records that came in live.
    pub read: usize,
    /// Records that came out live.
    pub kept: usize,
    /// Records that it dropped, by reason.
    pub dropped: BTreeMap<Reason, usize>,
    /// Records of which it changed a field, by field.
    pub changed: BTreeMap<String, usize>,
    /// What it noted, by word.
    pub noted: BTreeMap<String, usize>,
}

impl StageReport {
    /// Nothing is counted yet.
    pub fn new(stage: Stage) -> StageReport {
        StageReport {
            stage,
            read: 0,
            kept: 0,
            dropped: BTreeMap::new(),
            changed: BTreeMap::new(),
            noted: BTreeMap::new(),
        }
    }

    /// Count a record as it came out of this stage, the last it went through.
    pub fn add(&mut self, record: &Record) {
        match &record.dropped_by {
            Some(dropped) if dropped.stage != self.stage => {}
            _ => self.add_as_then(record),
        }
    }

    /// Count a record that came in live, as it was when it came out: what a later stage dropped was kept.
    fn add_as_then(&mut self, record: &Record) {
        match &record.dropped_by {
            Some(dropped) if dropped.stage == self.stage => {
                *self.dropped.entry(dropped.reason).or_default() += 1;
            }
            _ => self.kept += 1,
        }
        self.read += 1;
        let mut fields: Vec<&str> = record
            .changes
            .iter()
            .filter(|change| change.stage == self.stage)
            .map(|change| change.field.as_str())
            .collect();
        fields.dedup();
        for field in fields {
            *self.changed.entry(field.to_owned()).or_default() += 1;
        }
        for note in record.notes.iter().filter(|note| note.stage == self.stage) {
            *self.noted.entry(note.what.clone()).or_default() += 1;
        }
    }

    /// As a table for people.
    pub fn table(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::UTF8_HORIZONTAL_ONLY);
        table.set_header(vec![self.stage.name(), "records", "share"]);
        let mut row = |name: String, count: usize| {
            let share = match self.read {
                0 => String::new(),
                read => format!("{:.1} %", 100.0 * count as f64 / read as f64),
            };
            table.add_row(vec![name, count.to_string(), share]);
        };
        row("read".to_owned(), self.read);
        for (reason, count) in &self.dropped {
            row(format!("dropped: {}", reason.name()), *count);
        }
        row("kept".to_owned(), self.kept);
        for (field, count) in &self.changed {
            row(format!("changed: {field}"), *count);
        }
        for (what, count) in &self.noted {
            row(format!("noted: {what}"), *count);
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table.to_string()
    }
}

/// What each stage did, as far as one file shows it, from the first to the one that wrote the file.
pub fn reports(path: &Path) -> Result<Vec<StageReport>, DataError> {
    let last = fs_err::read(made_path(path)).ok();
    let last = last.and_then(|json| serde_json::from_slice::<Made>(&json).ok());
    let last = last.map_or(Stage::Collect, |made| made.stage);
    let all = <Stage as strum::VariantArray>::VARIANTS.iter().copied();
    let mut reports: Vec<StageReport> = all.map(StageReport::new).collect();
    let mut seen = last;
    for record in Records::open(path)? {
        let record = record?;
        let dropped = record.dropped_by.as_ref().map(|dropped| dropped.stage);
        seen = seen.max(dropped.unwrap_or(seen));
        // Later stages pass on what an earlier one dropped.
        let passed = reports.iter_mut();
        let passed = passed.filter(|report| dropped.is_none_or(|stage| report.stage <= stage));
        passed.for_each(|report| report.add_as_then(&record));
    }
    reports.retain(|report| report.stage <= seen);
    Ok(reports)
}
