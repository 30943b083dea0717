//! Submissions as a stream of items, in the order of the files.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::content::Content;
use super::error::ReadError;
use super::format;
use super::ids::Ids;
use super::node::Fault;
use super::package::{Package, is_package, package};
use super::raw::Row;
use super::source::Rows;
use crate::problem::{Problem, Submission};

/// A submission as read.
#[derive(Debug, Clone)]
pub struct Item {
    /// The submission.
    pub submission: Submission,
    /// Its problem, where the row carries its own tests.
    pub problem: Option<Arc<Problem>>,
    /// The package that both are from.
    pub package: Option<Arc<Package>>,
    /// The file it is from.
    pub file: String,
    /// Its line there, from 1; 0 where it has none.
    pub line: usize,
}

impl Item {
    /// The error of a field of this row.
    pub fn error(&self, field: &str, message: String) -> ReadError {
        ReadError {
            file: self.file.clone(),
            line: (self.line > 0).then_some(self.line),
            field: Some(field.to_owned()),
            message,
        }
    }
}

/// Read submissions from files: plain, `.gz` or `.zst` by their first bytes, or standard input for `-`.
///
/// JSON lines are streamed, so that memory does not grow with the file but for 16 bytes or so per submission, by
/// which a repeated id is found. A row without ids gets one made of problem and running number. The iterator goes on
/// after an error, with the next row that can be told. An error at once means that a file cannot be opened.
pub fn submissions(
    paths: &[PathBuf],
) -> Result<Box<dyn Iterator<Item = Result<Item, ReadError>> + Send>, ReadError> {
    for path in paths.iter().filter(|path| !is_package(path)) {
        Rows::probe(path)?;
    }
    Ok(Box::new(Submissions {
        paths: paths.to_vec().into(),
        current: None,
        ready: VecDeque::new(),
        ids: Ids::default(),
    }))
}

/// How many rows the files have, told without reading what they hold; `None` where one is no regular file.
pub fn count_rows(paths: &[PathBuf]) -> Option<u64> {
    let count = |path: &PathBuf| {
        let is_rows = path.is_file() && !is_package(path);
        let mut rows = is_rows.then(|| Rows::open(path).ok()).flatten()?;
        let first = match rows.next() {
            None => return Some(0),
            Some(Ok(row)) => row.position,
            Some(Err(_)) => None,
        };
        match first {
            Some((_, all)) => Some(all as u64),
            None => Some(1 + rows.count() as u64),
        }
    };
    paths.iter().map(count).sum()
}

struct Submissions {
    paths: VecDeque<PathBuf>,
    current: Option<File>,
    ready: VecDeque<Result<Item, ReadError>>,
    ids: Ids,
}

struct File {
    records: Rows,
    is_empty: bool,
}

impl Iterator for Submissions {
    type Item = Result<Item, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Some(item);
            }
            match self.current.take() {
                Some(file) => self.advance(file),
                None => {
                    let path = self.paths.pop_front()?;
                    if let Err(error) = self.open(&path) {
                        return Some(Err(error));
                    }
                }
            }
        }
    }
}

impl Submissions {
    fn open(&mut self, path: &Path) -> Result<(), ReadError> {
        if is_package(path) {
            return self.package(path);
        }
        self.current = Some(File {
            records: Rows::open(path)?,
            is_empty: true,
        });
        Ok(())
    }

    fn package(&mut self, path: &Path) -> Result<(), ReadError> {
        let package = Arc::new(package(path)?);
        let file = path.display().to_string();
        let error = |message: String| ReadError {
            file: file.clone(),
            line: None,
            field: None,
            message,
        };
        if package.submissions.is_empty() {
            return Err(error("holds no submissions".to_owned()));
        }
        for submission in &package.submissions {
            // Every package has its `accepted/main.py`: an id is unique among those of its problem.
            let (id, problem_id) = (&submission.id, &submission.problem_id);
            self.ready
                .push_back(match self.ids.claim(&format!("{problem_id}\0{id}")) {
                    false => Err(error(format!(
                        "is a second package of the name \"{problem_id}\""
                    ))),
                    true => Ok(Item {
                        submission: submission.clone(),
                        problem: Some(package.problem.clone()),
                        package: Some(package.clone()),
                        file: file.clone(),
                        line: 0,
                    }),
                });
        }
        Ok(())
    }

    fn advance(&mut self, mut file: File) {
        match file.records.next() {
            None if file.is_empty => self.ready.push_back(Err(ReadError {
                file: file.records.file().to_owned(),
                line: None,
                field: None,
                message: "contains no rows".to_owned(),
            })),
            None => {}
            Some(record) => {
                match record {
                    Err(error) => self.ready.push_back(Err(error)),
                    Ok(record) => self.row(&record),
                }
                file.is_empty = false;
                self.current = Some(file);
            }
        }
    }

    fn row(&mut self, record: &Row) {
        // A problem is shared by the submissions of its row, which may be hundreds.
        let content = format::read(record).and_then(|content| match content {
            Content { submissions, .. } if submissions.is_empty() => Err(Fault {
                field: None,
                message: "is a problem with no solution to judge".to_owned(),
            }),
            Content {
                problem,
                submissions,
                ..
            } => Ok((problem.map(Arc::new), submissions)),
        });
        match content {
            Err(fault) => self.ready.push_back(Err(record.error(fault))),
            Ok((problem, submissions)) => {
                for submission in submissions {
                    let submission = self.named(submission);
                    let item = submission.map(|submission| Item {
                        submission,
                        problem: problem.clone(),
                        package: None,
                        file: record.file.to_string(),
                        line: record.line,
                    });
                    let item = item.map_err(|fault| record.error(fault));
                    self.ready.push_back(item);
                }
            }
        }
    }

    /// With an id of its own.
    fn named(&mut self, mut submission: Submission) -> Result<Submission, Fault> {
        if submission.id.is_empty() {
            submission.id = self.ids.make(&submission.problem_id);
        } else if !self.ids.claim(&submission.id) {
            return Err(Fault {
                field: Some("id".to_owned()),
                message: format!("\"{}\" is the id of an earlier submission", submission.id),
            });
        }
        Ok(submission)
    }
}
