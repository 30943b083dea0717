//! `mc-eval convert`.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use evaluator::fingerprint::{Hash, hash_problem};
use evaluator::languages::Languages;
use evaluator::readers::{self, ReadError, WholeRow};
use evaluator::writers::{self, Inexpressible};
use evaluator::{Problem, Submission};

use super::exit::{self, CliError};
use super::words::several;

/// Write problems of any known format as rows of this project's own, and with --solutions what solutions their rows hold.
///
/// A row that holds what the own format has no place for, such as a set that a call is given, is an error, as one that
/// cannot be read is. Solutions that continue the head of a program are written whole; those in languages that `judge` does not
/// know are left out.
#[derive(Debug, Args)]
#[command(after_long_help = exit::HELP)]
pub struct ConvertArgs {
    /// Files of any format that `judge` reads.
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// The file of problems to write; it must not be there yet.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    /// A file for the solutions that rows hold, with what is expected of them where the row says it.
    #[arg(long, value_name = "FILE")]
    solutions: Option<PathBuf>,

    /// Skip and count rows that cannot be read or written.
    #[arg(long)]
    skip_invalid: bool,
}

/// Convert, and print how much.
pub fn run(args: ConvertArgs) -> Result<ExitCode, CliError> {
    let mut conversion = Conversion::create(&args)?;
    let converted = convert(&args, &mut conversion).and_then(|()| conversion.end());
    if converted.is_err() {
        // The half that was written is not what was asked for, and the next attempt may have the same names.
        for path in std::iter::once(&args.to).chain(&args.solutions) {
            let _ = std::fs::remove_file(path);
        }
    }
    converted
}

fn convert(args: &ConvertArgs, conversion: &mut Conversion) -> Result<(), CliError> {
    for path in &args.files {
        let rows = readers::rows(path).map_err(|error| CliError::new(exit::INPUT, error))?;
        for row in rows {
            match row.and_then(|row| conversion.rows_of(&row)) {
                Ok(lines) => conversion.write(lines)?,
                Err(error) if args.skip_invalid => conversion.skip(&error),
                Err(error) => {
                    return Err(CliError::new(exit::INPUT, error)
                        .hint("--skip-invalid skips invalid lines"));
                }
            }
        }
    }
    Ok(())
}

/// The lines that a row becomes.
struct Converted {
    problem: Option<String>,
    submissions: Vec<String>,
}

/// What was written so far, and what later rows are held against.
struct Conversion {
    problems: BufWriter<File>,
    solutions: Option<BufWriter<File>>,
    /// The problems that were written, and those of them whose solutions may come without their head.
    written: HashMap<String, Hash>,
    prompted: HashMap<String, Arc<Problem>>,
    /// How many solutions to each problem had no id.
    unnamed: HashMap<String, u64>,
    submissions: u64,
    left_out: u64,
    unknown: u64,
    skipped: u64,
}

impl Conversion {
    fn create(args: &ConvertArgs) -> Result<Conversion, CliError> {
        if args.solutions.as_ref() == Some(&args.to) {
            let name = args.to.display();
            return Err(CliError::new(
                exit::USAGE,
                format!("--to and --solutions name one file, {name}"),
            ));
        }
        let problems = new(&args.to)?;
        let solutions = args.solutions.as_deref().map(new).transpose();
        let solutions = solutions.inspect_err(|_| {
            let _ = std::fs::remove_file(&args.to);
        })?;
        Ok(Conversion {
            problems,
            solutions,
            written: HashMap::new(),
            prompted: HashMap::new(),
            unnamed: HashMap::new(),
            submissions: 0,
            left_out: 0,
            unknown: 0,
            skipped: 0,
        })
    }

    fn rows_of(&mut self, row: &WholeRow) -> Result<Converted, ReadError> {
        let error = |message: String| ReadError {
            file: row.file.clone(),
            line: (row.line > 0).then_some(row.line),
            field: None,
            message,
        };
        let inexpressible = |inexpressible: Inexpressible| error(inexpressible.to_string());
        let problem = row.content.problem.as_ref();
        let line = match problem {
            Some(problem) if self.is_new(problem).map_err(error)? => {
                Some(writers::problem(problem).map_err(inexpressible)?)
            }
            _ => None,
        };
        let mut submissions = Vec::new();
        for submission in &row.content.submissions {
            let submission = self.named(submission.clone());
            if Languages::get().named(&submission.language).is_none() {
                self.unknown += 1;
                continue;
            }
            let head = problem.or_else(|| self.prompted.get(&submission.problem_id));
            let line = writers::submission(&submission, head.map(|it| &**it));
            submissions.push(line.map_err(inexpressible)?);
        }
        if let Some(problem) = problem.filter(|_| line.is_some()) {
            self.keep(problem);
        }
        Ok(Converted {
            problem: line,
            submissions,
        })
    }

    /// With the id by which the original's is judged.
    fn named(&mut self, mut submission: Submission) -> Submission {
        if submission.id.is_empty() {
            let next = self
                .unnamed
                .entry(submission.problem_id.clone())
                .or_default();
            submission.id = format!("{}#{next}", submission.problem_id);
            *next += 1;
        }
        submission
    }

    /// Whether no row before held this problem. One of another problem by the same id is an error.
    fn is_new(&self, problem: &Problem) -> Result<bool, String> {
        match self.written.get(&problem.id) {
            None => Ok(true),
            Some(hash) if *hash == hash_problem(problem) => Ok(false),
            Some(_) => Err(format!(
                "an earlier, different problem has the id \"{}\"",
                problem.id
            )),
        }
    }

    fn keep(&mut self, problem: &Arc<Problem>) {
        self.written
            .insert(problem.id.clone(), hash_problem(problem));
        if problem.prompt.is_some() {
            self.prompted.insert(problem.id.clone(), problem.clone());
        }
    }

    fn write(&mut self, lines: Converted) -> Result<(), CliError> {
        if let Some(line) = lines.problem {
            writeln!(self.problems, "{line}").map_err(failed)?;
        }
        let count = lines.submissions.len() as u64;
        let Some(file) = &mut self.solutions else {
            self.left_out += count;
            return Ok(());
        };
        self.submissions += count;
        for line in lines.submissions {
            writeln!(file, "{line}").map_err(failed)?;
        }
        Ok(())
    }

    fn skip(&mut self, error: &ReadError) {
        anstream::eprintln!("skipped: {error}");
        self.skipped += 1;
    }

    /// All is written: say how much.
    fn end(&mut self) -> Result<ExitCode, CliError> {
        self.problems.flush().map_err(failed)?;
        if let Some(file) = &mut self.solutions {
            file.flush().map_err(failed)?;
        }
        let problems = several(self.written.len() as u64, "problem");
        let solutions = several(self.submissions, "solution");
        anstream::println!("{problems}, {solutions}");
        if self.left_out > 0 {
            let left_out = several(self.left_out, "solution");
            anstream::eprintln!("{left_out} left out: --solutions FILE keeps them");
        }
        if self.unknown > 0 {
            let unknown = several(self.unknown, "solution");
            anstream::eprintln!("{unknown} left out, in languages that are not known");
        }
        Ok(ExitCode::from(match self.skipped {
            0 => exit::FINE,
            _ => exit::INPUT,
        }))
    }
}

fn new(path: &Path) -> Result<BufWriter<File>, CliError> {
    if path == Path::new("-") {
        return Err(CliError::new(
            exit::USAGE,
            "rows are written to files alone: - is none",
        ));
    }
    let file = File::create_new(path).map_err(|error| {
        let failure = CliError::new(
            exit::INPUT,
            format!("failed to create {}: {error}", path.display()),
        );
        match error.kind() {
            ErrorKind::AlreadyExists => failure.hint("delete it, or choose another name"),
            _ => failure,
        }
    })?;
    Ok(BufWriter::new(file))
}

fn failed(error: std::io::Error) -> CliError {
    CliError::new(exit::INTERNAL, format!("failed to write: {error}"))
}
