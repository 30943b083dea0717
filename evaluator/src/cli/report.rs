//! `mc-eval report`: verdicts as a page.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use evaluator::page::{self, Extras, PageBuilder, PageData};
use evaluator::readers::{self, Problems};

use super::exit::{self, CliError};
use super::notices::say;
use super::stdio::read_problems;
use super::verdicts::{empty, records, records_of};
use super::words::several;

/// Put verdicts into a page to look through: one HTML file that needs no network and nothing beside it.
///
/// It shows rates by platform and difficulty, profiles side by side (`judge --also`), what accepted, time and memory, and
/// every submission with its cases, filtered by any of these. With --before, it shows which verdicts have changed.
#[derive(Debug, Args)]
pub struct ReportArgs {
    #[command(flatten)]
    shown: Shown,

    /// The folder for the page, `index.html`.
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,
}

/// What a page is made of.
#[derive(Debug, Args)]
pub struct Shown {
    /// Verdict files.
    #[arg(required = true)]
    pub verdicts: Vec<PathBuf>,

    /// An earlier verdict file on the same submissions, to show which verdicts have changed.
    #[arg(long, value_name = "FILE")]
    before: Option<PathBuf>,

    /// The files with the solutions, to show their programs.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    solutions: Vec<PathBuf>,

    /// The files with the problems, to show the inputs of failed tests, and the lines about a difference. `judge
    /// --keep-output BYTES` keeps those of the program.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    problems: Vec<PathBuf>,
}

/// What does not change while verdicts are added.
pub struct Sources<'a> {
    shown: &'a Shown,
    codes: HashMap<String, String>,
    problems: Problems,
}

/// Write it.
pub fn run(args: &ReportArgs) -> Result<ExitCode, CliError> {
    let data = Sources::read(&args.shown)?.page(None)?;
    if data.verdicts() == 0 {
        return Err(empty(&args.shown.verdicts[0]));
    }
    let page = args.out.join("index.html");
    let written = fs_err::create_dir_all(&args.out)
        .and_then(|()| fs_err::write(&page, page::render(&data, None)));
    written.map_err(|error| CliError::new(exit::INTERNAL, error))?;
    let verdicts = several(data.verdicts() as u64, "verdict");
    say(&format!("{verdicts} in {}", page.display()));
    Ok(ExitCode::from(exit::FINE))
}

/// That no file is given twice: its verdicts would count as often.
fn given_once(files: &[PathBuf]) -> Result<(), CliError> {
    let mut known = HashSet::new();
    let again = |file: &&PathBuf| !known.insert(file.canonicalize().unwrap_or((*file).clone()));
    match files.iter().find(again) {
        Some(file) => {
            let message = format!("{}: is given twice", file.display());
            Err(CliError::new(exit::INPUT, message))
        }
        None => Ok(()),
    }
}

impl Sources<'_> {
    /// Read the solutions and the problems.
    pub fn read(shown: &Shown) -> Result<Sources<'_>, CliError> {
        given_once(&shown.verdicts)?;
        let invalid = |error: readers::ReadError| CliError::new(exit::INPUT, error);
        let mut codes = HashMap::new();
        for item in readers::submissions(&shown.solutions).map_err(invalid)? {
            let submission = item.map_err(invalid)?.submission;
            codes.extend(submission.code.map(|code| (submission.id, code)));
        }
        Ok(Sources {
            shown,
            codes,
            problems: read_problems(&shown.problems)?,
        })
    }

    /// A page of the verdicts; of each file, only as many bytes as `lengths` say, where it says any.
    pub fn page(&self, lengths: Option<&[u64]>) -> Result<PageData, CliError> {
        let files = self.shown.verdicts.iter();
        let names = files.clone().map(|path| path.display().to_string());
        let mut builder = PageBuilder::new(names.collect());
        if let Some(before) = &self.shown.before {
            builder = builder.compared_with(before.display().to_string());
            for record in records(before)? {
                builder.add_before(&record?);
            }
        }
        for (place, path) in files.enumerate() {
            match lengths {
                Some(lengths) => {
                    let lines = File::open(path).map(|file| file.take(lengths[place]));
                    let lines = lines.map_err(|error| unreadable(path, &error))?;
                    self.add(&mut builder, records_of(path.display().to_string(), lines))?;
                }
                None => self.add(&mut builder, records(path)?)?,
            }
        }
        Ok(builder.finish())
    }

    fn add(
        &self,
        builder: &mut PageBuilder,
        records: impl Iterator<Item = Result<evaluator::verdict::VerdictRecord, CliError>>,
    ) -> Result<(), CliError> {
        for record in records {
            let record = record?;
            let problem = self.problems.get(&record.verdict.problem_id);
            let extras = Extras {
                code: self.codes.get(&record.verdict.id).map(String::as_str),
                problem: problem.map(AsRef::as_ref),
            };
            builder.add(&record, extras);
        }
        Ok(())
    }
}

/// The error of a file that cannot be read.
pub fn unreadable(path: &Path, error: &std::io::Error) -> CliError {
    CliError::new(exit::INPUT, format!("{}: {error}", path.display()))
}
