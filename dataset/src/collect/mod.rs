//! Reads sources: files and folders of any format that the evaluator reads, each row a record that says where it is from.

mod metadata;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use evaluator::jsonl::JsonLines;
use evaluator::readers::{self, ReadError, WholeRow};
use evaluator::{Decision, Submission};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::DataError;
use crate::record::{Dropped, Reason, Record, Role, Solution, Stage};
use crate::stage::StageReport;
use metadata::Metadata;

/// Endings of files that hold rows, in a folder that is given as a source.
const ENDINGS: [&str; 9] = [
    "jsonl",
    "json",
    "ndjson",
    "jsonl.gz",
    "json.gz",
    "ndjson.gz",
    "jsonl.zst",
    "json.zst",
    "parquet",
];

/// What to collect, and what is known of it beyond its rows.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sources {
    /// Files, and folders of files.
    pub paths: Vec<PathBuf>,
    /// The name of the source; a file's own name if absent.
    pub name: Option<String>,
    /// The licence of rows that state none.
    pub license: Option<String>,
    /// The attribution of rows that state none.
    pub attribution: Option<String>,
    /// Pass over rows that cannot be read, and count them.
    pub skip_invalid: bool,
}

/// What collecting did.
#[derive(Debug)]
pub struct Collected {
    /// The records.
    pub report: StageReport,
    /// Rows that were passed over.
    pub skipped: Vec<ReadError>,
    /// Records by source.
    pub by_source: BTreeMap<String, usize>,
}

/// Write a record for each problem of `all` to `out`, which must be new: reading is quick, so that it is begun anew where it was
/// killed.
pub fn collect(all: &[Sources], out: &Path) -> Result<Collected, DataError> {
    let mut collected = Collected {
        report: StageReport::new(Stage::Collect),
        skipped: Vec::new(),
        by_source: BTreeMap::new(),
    };
    let mut ids = HashSet::new();
    let mut file = JsonLines::create(out)?;
    for sources in all {
        let before = collected.rows();
        for path in sources.files()? {
            sources.read(&path, &mut file, &mut ids, &mut collected)?;
        }
        if collected.rows() == before {
            return Err(sources.hold_no_row().into());
        }
    }
    file.complete()?;
    Ok(collected)
}

impl Collected {
    /// Rows so far, readable or not.
    fn rows(&self) -> usize {
        self.report.read + self.skipped.len()
    }
}

impl Sources {
    /// A source that holds nothing is a wrong path or a download that failed.
    fn hold_no_row(&self) -> ReadError {
        let paths = self.paths.iter().map(|path| path.display().to_string());
        ReadError {
            file: paths.collect::<Vec<_>>().join(", "),
            line: None,
            field: None,
            message: "holds no row".to_owned(),
        }
    }

    fn read(
        &self,
        path: &Path,
        file: &mut JsonLines<Record>,
        ids: &mut HashSet<String>,
        collected: &mut Collected,
    ) -> Result<(), DataError> {
        let name = self.name.clone().unwrap_or_else(|| source_name(path));
        for row in readers::rows(path)? {
            match row.and_then(|row| self.record(&name, &row)) {
                Ok(mut record) => {
                    make_unique(&mut record, ids);
                    file.append(&record)?;
                    collected.report.add(&record);
                    *collected.by_source.entry(name.clone()).or_default() += 1;
                }
                Err(error) if self.skip_invalid => collected.skipped.push(error),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// The files, those of folders in the order of their names.
    pub fn files(&self) -> Result<Vec<PathBuf>, DataError> {
        let mut files = Vec::new();
        for path in &self.paths {
            match path.is_dir() && !readers::holds_rows(path) {
                true => files.extend(files_below(path)?),
                false => files.push(path.clone()),
            }
        }
        Ok(files)
    }

    fn record(&self, source: &str, row: &WholeRow) -> Result<Record, ReadError> {
        let problem = row.content.problem.as_ref().ok_or_else(|| ReadError {
            file: row.file.clone(),
            line: (row.line > 0).then_some(row.line),
            field: None,
            message: "holds no problem".to_owned(),
        })?;
        let metadata = Metadata::read(&row.text);
        let mut record = Record::of_problem(problem).unwrap_or_else(|error| {
            let mut record = Record::without_tests(problem);
            record.dropped_by = Some(Dropped::new(
                Stage::Collect,
                Reason::Inexpressible,
                json!(error.to_string()),
            ));
            record
        });
        record.origin = metadata.origin(source, row, &problem.id);
        let origin = &mut record.origin;
        origin.license = origin.license.take().or_else(|| self.license.clone());
        origin.attribution = origin
            .attribution
            .take()
            .or_else(|| self.attribution.clone());
        let programs = row
            .content
            .submissions
            .iter()
            .filter(|given| given.language == "python")
            .filter_map(|given| Some((given.program(problem)?.into_owned(), role(given))));
        let wrong = metadata
            .wrong_solutions()
            .into_iter()
            .map(|code| (code, Role::Wrong));
        record.solutions = distinct(programs.chain(wrong));
        record.platform = record.platform.or_else(|| metadata.platform());
        record.difficulty = record.difficulty.or_else(|| metadata.difficulty());
        Ok(record)
    }
}

/// What a solution of a row is held to be.
fn role(given: &Submission) -> Role {
    match given.expected.is_empty() || given.expected.contains(&Decision::Accepted) {
        true => Role::Reference,
        false => Role::Wrong,
    }
}

/// Solutions, each program once.
fn distinct(programs: impl Iterator<Item = (String, Role)>) -> Vec<Solution> {
    let mut seen = HashSet::new();
    let new = programs.filter(|(code, _)| seen.insert(code.clone()));
    new.map(|(code, role)| Solution { code, role }).collect()
}

/// Two sources may both have a problem `1`. The second becomes `source/1`, or that with a number.
fn make_unique(record: &mut Record, ids: &mut HashSet<String>) {
    if ids.insert(record.id.clone()) {
        return;
    }
    let named = format!("{}/{}", record.origin.source, record.id);
    let numbered = (2..).map(|number| format!("{named}#{number}"));
    let mut names = std::iter::once(named.clone()).chain(numbered);
    let before = record.id.clone();
    record.id = names
        .find(|name| ids.insert(name.clone()))
        .expect("numbers do not end");
    record.changed(Stage::Collect, "id", "another record has this id", &before);
}

/// A file's name without its endings.
fn source_name(path: &Path) -> String {
    let name = path
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    name.split('.').next().unwrap_or_default().to_owned()
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>, DataError> {
    let mut files = Vec::new();
    let mut entries = Vec::new();
    for entry in fs_err::read_dir(folder)? {
        entries.push(entry?.path());
    }
    entries.sort();
    for path in entries {
        let name = path
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        if name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            if !readers::holds_only_tests(&path) {
                files.extend(files_below(&path)?);
            }
        } else if ENDINGS
            .iter()
            .any(|ending| name.ends_with(&format!(".{ending}")))
        {
            files.push(path);
        }
    }
    Ok(files)
}
