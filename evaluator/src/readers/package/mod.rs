//! Problem packages of Kattis, DOMjudge and BAPCtools: a folder or a zip with one problem, its tests, perhaps its own
//! validator, and solutions of which it is known what is to be decided of them.
//!
//! Formats: <https://www.kattis.com/problem-package-format/spec/>, `legacy`, `2023-07` and `2025-09`; and
//! <https://www.domjudge.org/docs/manual/main/problem-format.html>.

mod data;
mod expected;
mod fault;
mod globs;
mod metadata;
mod own_program;
mod submissions;
mod tree;
mod validator;
mod yaml;

use std::path::Path;
use std::sync::Arc;

pub use metadata::TimeRule;
pub(super) use tree::is_package;

use super::error::ReadError;
use crate::{Problem, Submission};
use fault::PackageFault;
use metadata::Metadata;
use tree::Tree;

/// A package as read.
#[derive(Debug)]
pub struct Package {
    /// The problem. Its time limit is that of the rule, if that states one.
    pub problem: Arc<Problem>,
    /// Its solutions; the id is the path below `submissions`.
    pub submissions: Vec<Submission>,
    /// Where the time limit comes from.
    pub time: TimeRule,
    /// It has no secret tests: its solutions are judged by the samples.
    pub has_samples_alone: bool,
}

/// Read a package, a folder or a zip.
///
/// # Errors
/// Anything in it that judging depends on and that cannot be read, with the file within the package.
pub fn package(path: &Path) -> Result<Package, ReadError> {
    let mut tree = Tree::open(path).map_err(|message| ReadError {
        file: path.display().to_string(),
        line: None,
        field: None,
        message,
    })?;
    read(&mut tree, &name_of(path)).map_err(|PackageFault { file, fault }| ReadError {
        file: path.join(file).display().to_string(),
        line: None,
        field: fault.field,
        message: fault.message,
    })
}

/// What a package is called: its folder, or its file without the ending.
fn name_of(path: &Path) -> String {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = if real.is_dir() {
        real.file_name()
    } else {
        real.file_stem()
    };
    name.map_or_else(
        || "package".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

fn read(tree: &mut Tree, id: &str) -> Result<Package, PackageFault> {
    let metadata = metadata::read(tree)?;
    let checker = validator::read(tree, &metadata)?;
    let has_samples_alone = tree.children("data/secret").is_empty();
    let data = data::read(tree, &metadata)?;
    if let Some(fault) = data
        .details
        .iter()
        .find_map(|test| validator::fault(&checker, test))
    {
        return Err(fault);
    }
    let submissions = submissions::read(tree, id, data.grading.max_score)?;
    Ok(Package {
        problem: Arc::new(problem(id, &metadata, checker, data)),
        submissions,
        time: metadata.time,
        has_samples_alone,
    })
}

fn problem(id: &str, metadata: &Metadata, checker: crate::Checker, data: data::Data) -> Problem {
    Problem {
        time_limit: match metadata.time {
            TimeRule::Stated(seconds) => Some(seconds),
            _ => None,
        },
        memory_limit: Some(metadata.memory),
        output_limit: Some(metadata.output),
        checker: Some(checker),
        details: data.details,
        grading: Some(data.grading),
        statement: metadata.name.clone(),
        ..Problem::new(id, crate::Tests::Stdin(data.tests))
    }
}
