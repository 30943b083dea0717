//! From the files that the user named to tasks: finds each submission its problem, and sorts out what is invalid.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use evaluator::fingerprint::{Fingerprints, Hash, hash_problem};
use evaluator::readers::{self, Item, Package, Problems, ReadError};
use evaluator::time_limit::with_time_limit;
use evaluator::verdict::ShardPlace;
use evaluator::{Evaluator, Problem, Task};

use super::exit::{self, CliError};
use super::progress::Progress;

/// Invalid lines that are told one by one; the others are only counted.
const TOLD: u64 = 20;

/// A task, and by what its verdict of an earlier run is known.
pub struct Drawn {
    /// How many rows of the files were read up to here.
    pub row: u64,
    /// To be judged.
    pub task: Task,
    /// Hash of program, problem and settings.
    pub input_hash: String,
    /// Its place among all, where only a part is judged.
    pub shard: Option<ShardPlace>,
}

/// Draws tasks from solution files.
pub struct Intake {
    items: Box<dyn Iterator<Item = Result<Item, ReadError>> + Send>,
    problems: Problems,
    /// Whether the problem files were named, and so come before a line's own tests.
    problems_named: bool,
    fingerprints: Fingerprints,
    /// Hashes of listed problems, which many submissions share.
    hashes: HashMap<String, Hash>,
    faults: InvalidLines,
    rows: u64,
    /// File and line of the last row: a row may hold several submissions.
    last: Option<(String, usize)>,
    /// What finds the time limits of packages that state none.
    evaluator: Option<Arc<Evaluator>>,
    /// The last package, with its problem as it is judged.
    package: Option<(Arc<Package>, Arc<Problem>)>,
    /// Lists of solutions go to the problems in the order of their files.
    by_order: bool,
}

impl Intake {
    /// Open all files. Without named problem files, a `problems.jsonl` beside the solutions serves lines without tests.
    pub fn open(
        solutions: &[PathBuf],
        named: &[PathBuf],
        by_order: bool,
        fingerprints: Fingerprints,
        faults: InvalidLines,
    ) -> Result<Intake, CliError> {
        let files = if named.is_empty() {
            beside(solutions)
        } else {
            named.to_vec()
        };
        let (problems, errors) = readers::problems(&files);
        for error in &errors {
            faults.add(error)?;
        }
        let problems = match by_order {
            true => problems.in_file_order(),
            false => problems,
        };
        let items = readers::submissions(solutions).map_err(|error| invalid(&error))?;
        Ok(Intake {
            items,
            problems,
            problems_named: !named.is_empty(),
            fingerprints,
            hashes: HashMap::new(),
            faults,
            rows: 0,
            last: None,
            evaluator: None,
            package: None,
            by_order,
        })
    }

    /// With what finds the time limits of packages that state none.
    pub fn timed_by(self, evaluator: &Arc<Evaluator>) -> Intake {
        Intake {
            evaluator: Some(evaluator.clone()),
            ..self
        }
    }

    /// The problem of a package, with a time limit.
    fn timed(&mut self, item: &Item, package: &Arc<Package>) -> Result<Arc<Problem>, ReadError> {
        if let Some((known, problem)) = &self.package
            && Arc::ptr_eq(known, package)
        {
            return Ok(problem.clone());
        }
        let problem = match &self.evaluator {
            Some(evaluator) => with_time_limit(evaluator, package),
            None => Ok(package.problem.clone()),
        };
        let problem = problem.map_err(|message| ReadError {
            line: None,
            field: None,
            ..item.error("", message)
        })?;
        self.package = Some((package.clone(), problem.clone()));
        Ok(problem)
    }

    fn count(&mut self, item: &Result<Item, ReadError>) {
        let place = match item {
            Ok(item) => Some((item.file.clone(), item.line)),
            Err(error) => error.line.map(|line| (error.file.clone(), line)),
        };
        self.rows += u64::from(place != self.last);
        self.last = place;
    }

    fn task(&mut self, mut item: Item) -> Result<Drawn, ReadError> {
        let package = item.package.take();
        let timed = package
            .map(|package| self.timed(&item, &package))
            .transpose()?;
        let own = timed.or(item.problem.take());
        let listed = self.problems.get(&item.submission.problem_id).cloned();
        // Whoever names a problem file wants its tests, even where the line brings some of its own.
        let is_own = own.is_some() && (!self.problems_named || listed.is_none());
        let problem = if is_own { own } else { listed };
        let problem = problem.ok_or_else(|| self.no_problem(&item))?;
        let hash = self.hash(&problem, is_own);
        let submission = item.submission;
        Ok(Drawn {
            row: self.rows,
            input_hash: self.fingerprints.of(&submission, &problem, &hash),
            task: Task {
                submission,
                problem,
            },
            shard: None,
        })
    }

    fn hash(&mut self, problem: &Problem, is_own: bool) -> Hash {
        if is_own {
            return hash_problem(problem);
        }
        let known = self.hashes.get(&problem.id).copied();
        known.unwrap_or_else(|| {
            let hash = hash_problem(problem);
            self.hashes.insert(problem.id.clone(), hash);
            hash
        })
    }

    fn no_problem(&self, item: &Item) -> ReadError {
        let id = &item.submission.problem_id;
        let message = match self.problems.len() {
            count if id.starts_with('#') && self.by_order => {
                let lists = id.rsplit('/').next().unwrap_or_default();
                format!("the file has {lists} lists of solutions, but there are {count} problems")
            }
            _ if id.starts_with('#') && !self.problems.is_empty() => format!(
                "a list of lists does not name its problems: they are found by position only among exactly as many problems, all \
                 of LiveCodeBench, but there are {} (--by-order takes them in the order of their files)",
                self.problems.len()
            ),
            0 => {
                format!(
                    "\"{id}\" has no tests in its line, and no problem file was given (--problems)"
                )
            }
            _ => format!("\"{id}\" is not in the problem files"),
        };
        item.error("problem_id", message)
    }
}

impl Iterator for Intake {
    type Item = Result<Drawn, ReadError>;

    /// The next task, or the invalid line in its place. Ends early at an invalid line, unless such are skipped.
    fn next(&mut self) -> Option<Result<Drawn, ReadError>> {
        let item = self.items.next()?;
        self.count(&item);
        let drawn = item.and_then(|item| self.task(item));
        if let Err(error) = &drawn {
            self.faults.add(error).ok()?;
        }
        Some(drawn)
    }
}

/// The `problems.jsonl` files in the folders of the solutions.
fn beside(solutions: &[PathBuf]) -> Vec<PathBuf> {
    let folders = solutions
        .iter()
        .filter(|path| path.as_os_str() != "-")
        .map(|path| path.parent());
    let mut files: Vec<PathBuf> = folders
        .map(|folder| folder.unwrap_or(Path::new("")).join("problems.jsonl"))
        .filter(|file| file.is_file() && !solutions.contains(file))
        .collect();
    files.sort();
    files.dedup();
    files
}

fn invalid(error: &ReadError) -> CliError {
    CliError::new(exit::INPUT, error)
}

/// The invalid lines of a run.
#[derive(Clone)]
pub struct InvalidLines {
    skip: bool,
    progress: Progress,
    found: Arc<Mutex<Found>>,
}

#[derive(Default)]
struct Found {
    count: u64,
    fatal: Option<ReadError>,
}

impl InvalidLines {
    /// With `skip`, invalid lines are told and counted; else the first one is fatal.
    pub fn new(skip: bool, progress: Progress) -> InvalidLines {
        InvalidLines {
            skip,
            progress,
            found: Arc::default(),
        }
    }

    fn add(&self, error: &ReadError) -> Result<(), CliError> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.count += 1;
        if !self.skip {
            found.fatal = Some(error.clone());
            return Err(invalid(error));
        }
        if found.count <= TOLD {
            self.progress.say(&format!("skipped: {error}"));
        } else if found.count == TOLD + 1 {
            self.progress
                .say("skipped: more invalid lines, which are counted but no longer listed");
        }
        Ok(())
    }

    /// How many lines were passed over.
    pub fn count(&self) -> u64 {
        self.found
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .count
    }

    /// The invalid line that ended the input, or the file that cannot be read on.
    pub fn fatal(&self) -> Option<CliError> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let error = found.fatal.as_ref()?;
        Some(match error.line {
            Some(_) => invalid(error).hint("--skip-invalid skips invalid lines"),
            None => invalid(error),
        })
    }
}
