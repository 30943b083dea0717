//! What a client asks in one row: to judge a submission, or to keep a problem for later rows.
//!
//! A row is one of
//! - a solution of any format that [`crate::readers`] knows, with its own tests or with the `problem_id` of a known problem;
//! - the same with a field `problem`, which holds a whole problem, or the hash under which one was registered;
//! - `{"register": {...}}`, which registers a problem.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::bounds::Bounds;
use super::store::ProblemStore;
use crate::judge::Task;
use crate::problem::{Problem, Submission};
use crate::readers::{self, ReadError, RowContent};

/// What one row asks.
#[derive(Debug)]
pub enum Ask {
    /// Judge this.
    Judge(Task),
    /// Keep this problem.
    Register(Arc<Problem>),
}

/// Why a row is not answered by a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The row's id, where it could be read.
    pub id: Option<String>,
    /// The field at fault.
    pub field: Option<String>,
    /// What is wrong with it, as a fragment.
    pub message: String,
}

/// The fields of a row as they stand.
type RawFields<'a> = HashMap<String, &'a RawValue>;

/// Where the problems of rows are found.
pub struct RowReader<'a> {
    /// Those of files, and those that were registered.
    pub store: &'a ProblemStore,
    /// Those that came with the same request, by their ids.
    pub beside: &'a HashMap<String, Arc<Problem>>,
    /// What is refused.
    pub bounds: &'a Bounds,
}

impl RowReader<'_> {
    /// Read row number `row`.
    pub fn read(&self, row: u64, text: &str) -> Result<Ask, Refusal> {
        let fields = fields(text)?;
        let id = label(&fields, "id").or_else(|| label(&fields, "task_id"));
        let asked = match (fields.get("register"), fields.get("problem")) {
            (Some(problem), _) => self.problem(row, "register", problem).map(Ask::Register),
            (None, Some(named)) if names_a_problem(&fields, named) => {
                self.with_problem(row, &fields, named).map(Ask::Judge)
            }
            _ => self.plain(row, text).map(Ask::Judge),
        };
        asked.map_err(|refusal| Refusal { id, ..refusal })
    }

    /// A problem in its field.
    pub fn problem(&self, row: u64, field: &str, text: &RawValue) -> Result<Arc<Problem>, Refusal> {
        let problem = self.whole_problem(row, text);
        problem.map_err(|refusal| refusal.below(field))
    }

    /// A problem by itself.
    pub fn whole_problem(&self, row: u64, text: &RawValue) -> Result<Arc<Problem>, Refusal> {
        let problem = read(row, text.get())?.problem;
        let problem =
            problem.ok_or_else(|| Refusal::of("is a solution, not a problem: it has no tests"))?;
        self.bounded(&problem)?;
        Ok(problem)
    }

    /// A row whose problem stands in a field of its own, or is named there by its hash.
    fn with_problem(
        &self,
        row: u64,
        fields: &RawFields<'_>,
        named: &RawValue,
    ) -> Result<Task, Refusal> {
        let problem = if named.get().starts_with('{') {
            self.problem(row, "problem", named)?
        } else {
            let hash: String = serde_json::from_str(named.get()).unwrap_or_default();
            let known = self.store.by_hash(&hash);
            known.ok_or_else(|| {
                Refusal::of(format!("\"{hash}\" is not registered (any more)")).below("problem")
            })?
        };
        let solution = solution_of(fields, &problem.id);
        let submission = only_submission(read(row, &solution)?.submissions)?;
        Ok(task(row, submission, problem))
    }

    /// A row as it would stand in a file.
    fn plain(&self, row: u64, text: &str) -> Result<Task, Refusal> {
        let content = read(row, text)?;
        let submission = only_submission(content.submissions)?;
        let id = &submission.problem_id;
        let problem = match (self.beside.get(id), content.problem) {
            (_, Some(own)) => {
                self.bounded(&own)?;
                own
            }
            (Some(beside), None) => beside.clone(),
            (None, None) => {
                let known = self.store.by_id(id);
                known.map_err(|message| Refusal::of(message).below("problem_id"))?
            }
        };
        Ok(task(row, submission, problem))
    }

    fn bounded(&self, problem: &Problem) -> Result<(), Refusal> {
        let exceeded = self.bounds.exceeded_by(problem);
        exceeded.map_or(Ok(()), |(field, message)| {
            Err(Refusal::of(message).below(field))
        })
    }
}

impl Refusal {
    /// Of a row as a whole.
    pub fn of(message: impl Into<String>) -> Refusal {
        Refusal {
            id: None,
            field: None,
            message: message.into(),
        }
    }

    /// The same, of something in `field`.
    pub fn below(self, field: &str) -> Refusal {
        let field = match self.field {
            Some(below) => format!("{field}.{below}"),
            None => field.to_owned(),
        };
        Refusal {
            field: Some(field),
            ..self
        }
    }
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Refusal {
        Refusal {
            id: None,
            field: error.field,
            message: error.message,
        }
    }
}

fn read(row: u64, text: &str) -> Result<RowContent, Refusal> {
    Ok(readers::row("row", row as usize, text)?)
}

fn fields(text: &str) -> Result<RawFields<'_>, Refusal> {
    if text.trim().is_empty() {
        return Err(Refusal::of("is empty"));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(text).map_err(|error| {
        // Of an array or a number, the type is at fault; of all else, the text.
        if error.is_data() {
            Refusal::of("must be a JSON object")
        } else {
            Refusal::of(format!("is not JSON: {error}"))
        }
    })
}

/// Whether the field `problem` is ours. In DeepCoder's rows it is the statement, and there are tests beside it.
fn names_a_problem(fields: &RawFields<'_>, named: &RawValue) -> bool {
    let is_object = named.get().starts_with('{');
    is_object || (named.get().starts_with('"') && !fields.contains_key("tests"))
}

/// An id as a reader would have it: text, or a whole number.
fn label(fields: &RawFields<'_>, name: &str) -> Option<String> {
    let text = fields.get(name)?.get();
    match serde_json::from_str(text).ok()? {
        serde_json::Value::String(id) => Some(id),
        serde_json::Value::Number(id) if id.is_i64() || id.is_u64() => Some(id.to_string()),
        _ => None,
    }
}

/// The row without its problem, whose id it names instead.
fn solution_of(fields: &RawFields<'_>, problem_id: &str) -> String {
    let id = serde_json::value::to_raw_value(problem_id).expect("a text is JSON");
    let others = fields.iter().filter(|(name, _)| *name != "problem");
    let mut solution: HashMap<&str, &RawValue> =
        others.map(|(name, raw)| (name.as_str(), *raw)).collect();
    solution.insert("problem_id", &id);
    serde_json::to_string(&solution).expect("JSON as it was read")
}

fn only_submission(mut submissions: Vec<Submission>) -> Result<Submission, Refusal> {
    match submissions.len() {
        0 => Err(Refusal::of("is a problem with no solution to judge")),
        1 => Ok(submissions.remove(0)),
        count => Err(Refusal::of(format!(
            "holds {count} solutions; each needs a row of its own"
        ))),
    }
}

fn task(row: u64, mut submission: Submission, problem: Arc<Problem>) -> Task {
    if submission.id.is_empty() {
        submission.id = format!("{}#{row}", submission.problem_id);
    }
    Task {
        submission,
        problem,
    }
}
