//! Problems, all of them, by id.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::error::ReadError;
use super::format;
use super::node::Fault;
use super::source::Rows;
use crate::problem::Problem;

/// Problems by id, in the order in which they were read.
#[derive(Debug, Clone, Default)]
pub struct Problems {
    list: Vec<Arc<Problem>>,
    by_id: HashMap<String, usize>,
    /// How many are not of LiveCodeBench.
    others: usize,
    in_file_order: bool,
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl Problems {
    /// The problem of this id.
    ///
    /// EvalPlus calls MBPP's problem `2` `Mbpp/2`; each is found by the other, in whichever letter case. Its samples may be numbered too: `Mbpp/2#0`
    /// is one of `Mbpp/2`, unless a problem is called so.
    ///
    /// `#3/880` stands for the third of 880 problems: a list of lists names its problems by their place alone. It finds
    /// nothing unless there are just that many problems, all of LiveCodeBench, whose evaluator sorts them by id; or the
    /// order was said to be that of the files by [`Problems::in_file_order`].
    pub fn get(&self, id: &str) -> Option<&Arc<Problem>> {
        let numbered = || match id.rsplit_once('#') {
            Some((problem, sample)) if is_number(sample) => self.by_name(problem),
            _ => None,
        };
        self.by_name(id)
            .or_else(numbered)
            .or_else(|| self.by_place(id))
    }

    fn by_name(&self, id: &str) -> Option<&Arc<Problem>> {
        let alias = || match id.split_once('/') {
            Some((name, number)) if name.eq_ignore_ascii_case("mbpp") && is_number(number) => {
                let plus = || self.by_id.get(&format!("Mbpp/{number}"));
                self.by_id.get(number).or_else(plus)
            }
            None if is_number(id) => self.by_id.get(&format!("Mbpp/{id}")),
            _ => None,
        };
        let &index = self.by_id.get(id).or_else(alias)?;
        self.list.get(index)
    }

    /// A list of lists of solutions is in the order in which the problems stand in their files.
    pub fn in_file_order(self) -> Problems {
        Problems {
            in_file_order: true,
            ..self
        }
    }

    fn by_place(&self, id: &str) -> Option<&Arc<Problem>> {
        let (place, count) = id.strip_prefix('#')?.split_once('/')?;
        let place: usize = place.parse().ok()?;
        if count.parse() != Ok(self.len()) {
            return None;
        }
        let place = place.checked_sub(1)?;
        if self.in_file_order {
            return self.list.get(place);
        }
        if self.others > 0 {
            return None;
        }
        // Rarely asked for, so that sorting anew costs less than an order kept up with every problem.
        let mut ids: Vec<&String> = self.by_id.keys().collect();
        ids.sort_unstable();
        self.list.get(self.by_id[*ids.get(place)?])
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them, in the order in which they were read.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Problem>> {
        self.list.iter()
    }

    /// Add a problem; one that is already there must be the same.
    fn add(&mut self, problem: Problem, is_livecodebench: bool) -> Result<(), Fault> {
        match self.by_id.get(&problem.id) {
            None => {
                self.others += usize::from(!is_livecodebench);
                self.by_id.insert(problem.id.clone(), self.list.len());
                self.list.push(Arc::new(problem));
                Ok(())
            }
            Some(&index) if *self.list[index] == problem => Ok(()),
            Some(_) => Err(Fault {
                field: None,
                message: format!(
                    "an earlier, different problem has the id \"{}\"",
                    problem.id
                ),
            }),
        }
    }
}

/// Read problems from files; what cannot be read is returned beside them, in order, for the caller to stop at or count.
pub fn problems(paths: &[PathBuf]) -> (Problems, Vec<ReadError>) {
    let mut problems = Problems::default();
    let mut errors = Vec::new();
    for path in paths {
        match Rows::open(path) {
            Err(error) => errors.push(error),
            Ok(records) => read_file(records, &mut problems, &mut errors),
        }
    }
    (problems, errors)
}

fn read_file(mut records: Rows, problems: &mut Problems, errors: &mut Vec<ReadError>) {
    let mut is_empty = true;
    for record in records.by_ref() {
        is_empty = false;
        let record = match record {
            Err(error) => {
                errors.push(error);
                continue;
            }
            Ok(record) => record,
        };
        let read = format::read(&record).and_then(|content| {
            let problem = content.problem.ok_or_else(|| Fault {
                field: None,
                message: "is a submission, not a problem".to_owned(),
            })?;
            problems.add(problem, content.is_livecodebench)
        });
        if let Err(fault) = read {
            errors.push(record.error(fault));
        }
    }
    if is_empty {
        errors.push(ReadError {
            file: records.file().to_owned(),
            line: None,
            field: None,
            message: "contains no rows".to_owned(),
        });
    }
}
