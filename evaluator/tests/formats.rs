//! Reads every file of fixtures/formats, each as a test of its own.
//!
//! What a good file is read as lies beside it, in `NAME.snap`. Each line of a file in broken/ is broken, and `NAME.errors`
//! beside it says in which way; a complaint may go on with details of the parser's.

use std::fs;
use std::path::{Path, PathBuf};

use evaluator::readers::{self, Item, ReadError};
use evaluator::{Problem, Tests};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let good = files(&folder()).into_iter().map(|path| {
        let name = name(&path);
        Trial::test(name.clone(), move || reads_as_before(&path, &name))
    });
    let broken = files(&folder().join("broken")).into_iter().map(|path| {
        let name = format!("broken/{}", name(&path));
        Trial::test(name, move || is_refused_line_by_line(&path))
    });
    libtest_mimic::run(&arguments, good.chain(broken).collect()).exit();
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/formats")
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").display().to_string()
}

/// The files of rows in a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of fixtures");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        path.extension()
            .is_some_and(|it| it == "json" || it == "jsonl")
    });
    assert!(!files.is_empty(), "{folder:?} holds no rows");
    files.sort();
    files
}

fn submissions(path: &Path) -> Result<Vec<Result<Item, ReadError>>, Failed> {
    Ok(readers::submissions(&[path.to_owned()])?.collect())
}

fn reads_as_before(path: &Path, name: &str) -> Result<(), Failed> {
    let (problems, errors) = readers::problems(&[path.to_owned()]);
    let mut read: Vec<String> = problems.iter().map(|it| of_problem(it)).collect();
    read.extend(errors.iter().map(|error| of_error("problem", error)));
    for submission in submissions(path)? {
        read.push(match submission {
            Ok(item) => of_submission(&item),
            Err(error) => of_error("submission", &error),
        });
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, read.join("\n")));
    Ok(())
}

fn of_problem(problem: &Problem) -> String {
    let kind = match problem.tests {
        Tests::Stdin(_) => "stdin",
        Tests::Call { .. } => "call",
        Tests::Assert { .. } => "assert",
    };
    let function = problem.tests.function().unwrap_or("-");
    let count = problem.tests.len();
    format!("problem {}: {kind} {function}, {count} tests", problem.id)
}

fn of_submission(item: &Item) -> String {
    let submission = &item.submission;
    let code = submission.code.as_ref();
    let size = code.map_or("no program".to_owned(), |code| {
        format!("{} bytes", code.len())
    });
    let own = if item.problem.is_some() {
        ", with its problem"
    } else {
        ""
    };
    format!(
        "submission {} to {}: {size}{own}",
        submission.id, submission.problem_id
    )
}

fn of_error(kind: &str, error: &ReadError) -> String {
    let line = error.line.map_or("-".to_owned(), |line| line.to_string());
    format!("no {kind} in line {line}: {}", error.message)
}

fn is_refused_line_by_line(path: &Path) -> Result<(), Failed> {
    let expected = fs::read_to_string(path.with_extension("errors"))?;
    let place = format!("{}:", path.display());
    let mut found = submissions(path)?.into_iter();
    for expected in expected.lines() {
        let error = match found.next() {
            Some(Err(error)) => error.to_string(),
            Some(Ok(_)) => return Err(format!("is read, but should be refused: {expected}").into()),
            None => return Err(format!("no row is left to be refused: {expected}").into()),
        };
        let error = error.strip_prefix(&place).ok_or("the file is not named")?;
        if !error.starts_with(expected) {
            return Err(format!("should be refused with\n{expected}\nbut is with\n{error}").into());
        }
    }
    match found.next() {
        None => Ok(()),
        Some(row) => Err(format!("no error is stated for {row:?}").into()),
    }
}
