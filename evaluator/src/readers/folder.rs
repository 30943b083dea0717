//! Folders that data sets and benchmarks are kept in: APPS with a folder for each problem, and EvalPlus's samples with a
//! folder for each task. Each becomes a row with the fields of the same data as JSON lines.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::error::ReadError;
use super::raw::{MadeRows, Row};

/// What is said of a folder in which no rows are known.
pub(super) const OF_NO_KIND: &str = "is a folder; name the files in it, such as FOLDER/*.jsonl";

/// The files of a problem of APPS, and the fields that hold them.
const FILES: [(&str, &str); 4] = [
    ("question.txt", "question"),
    ("input_output.json", "input_output"),
    ("solutions.json", "solutions"),
    ("starter_code.py", "starter_code"),
];

/// What a problem of APPS has beside them: an object of fields.
const METADATA: &str = "metadata.json";

/// Whether a folder is one whose files make rows: of APPS, or of samples.
pub fn holds_rows(path: &Path) -> bool {
    path.is_dir() && rows(path).is_ok()
}

/// The rows of a folder: of a problem's own, or of all folders in it, in the order of their names.
pub(super) fn rows(path: &Path) -> Result<MadeRows, ReadError> {
    if is_problem(path) {
        let problem = path.to_owned();
        return Ok(Box::new(std::iter::once_with(move || of_problem(&problem))));
    }
    let folders: Vec<PathBuf> = entries(path)?
        .into_iter()
        .filter(|it| it.is_dir())
        .collect();
    let fits = |folder: &PathBuf| is_problem(folder) || task(folder).is_some();
    if folders.is_empty() || !folders.iter().all(fits) {
        return Err(ReadError::of_file(path, OF_NO_KIND));
    }
    Ok(Box::new(folders.into_iter().flat_map(
        |folder| match is_problem(&folder) {
            true => vec![of_problem(&folder)],
            false => samples(&folder).unwrap_or_else(|error| vec![Err(error)]),
        },
    )))
}

/// What is in a folder, by name, but for what is hidden.
fn entries(path: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let unreadable =
        |error: std::io::Error| ReadError::of_file(path, format!("failed to read: {error}"));
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            entries.push(entry.path());
        }
    }
    entries.sort();
    Ok(entries)
}

fn is_problem(folder: &Path) -> bool {
    let has = |(file, _): &(&str, &str)| folder.join(file).is_file();
    FILES[..2].iter().any(has)
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn text_of(path: &Path) -> Result<String, ReadError> {
    std::fs::read_to_string(path)
        .map_err(|error| ReadError::of_file(path, format!("failed to read: {error}")))
}

fn of_problem(folder: &Path) -> Result<Row, ReadError> {
    let mut fields = Map::new();
    let metadata = folder.join(METADATA);
    if metadata.is_file() {
        fields = serde_json::from_str(&text_of(&metadata)?)
            .map_err(|error| ReadError::of_file(&metadata, format!("is no object: {error}")))?;
    }
    fields.insert("id".to_owned(), json!(name_of(folder)));
    for (name, field) in FILES {
        let file = folder.join(name);
        if file.is_file() {
            fields.insert(field.to_owned(), json!(text_of(&file)?));
        }
    }
    if !fields.contains_key("input_output") {
        return Err(ReadError::of_file(
            folder,
            "has no input_output.json, and so no tests",
        ));
    }
    Ok(row(folder, fields))
}

fn row(path: &Path, fields: Map<String, Value>) -> Row {
    Row {
        file: path.display().to_string().into(),
        line: 0,
        text: Value::Object(fields).to_string(),
        position: None,
        is_alone: false,
    }
}

/// The task that a folder of samples is named after: `HumanEval_12` is `HumanEval/12`.
fn task(folder: &Path) -> Option<String> {
    let name = name_of(folder);
    let (benchmark, number) = name.rsplit_once('_')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| format!("{benchmark}/{number}"))
}

/// The samples of a task, a file each: by number, then by name.
fn samples(folder: &Path) -> Result<Vec<Result<Row, ReadError>>, ReadError> {
    let mut files = entries(folder)?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "py"));
    let stem = |file: &PathBuf| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        (stem.parse().unwrap_or(u64::MAX), stem.into_owned())
    };
    files.sort_by_key(stem);
    if files.is_empty() {
        return Err(ReadError::of_file(
            folder,
            "holds no samples: files that end in .py",
        ));
    }
    let task = task(folder).unwrap_or_default();
    let sample = |file: &PathBuf| -> Result<Row, ReadError> {
        let mut fields = Map::new();
        fields.insert("task_id".to_owned(), json!(task));
        let id = format!("{}/{}", name_of(folder), stem(file).1);
        fields.insert("id".to_owned(), json!(id));
        fields.insert("solution".to_owned(), json!(text_of(file)?));
        Ok(row(file, fields))
    };
    Ok(files.iter().map(sample).collect())
}
