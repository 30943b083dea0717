//! Reads reference files, and names file and field of what is not as it should be.

use crate::model::ModelError;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tch::{Kind, Tensor};

/// Why a reference folder could not be replayed.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// A file that cannot be read; the error names it.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// A file or folder that does not hold what it should.
    #[error("{}: {problem}", path.display())]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file without a field or tensor that it should have, or with one of another kind.
    #[error("{}: `{field}`: {problem}", path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// The field's path in it, or the tensor's name.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The model itself.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl CheckError {
    pub(super) fn unusable(path: &Path, problem: impl ToString) -> CheckError {
        CheckError::Unusable {
            path: path.to_path_buf(),
            problem: problem.to_string(),
        }
    }
}

pub(super) fn read_json(path: &Path) -> Result<Value, CheckError> {
    let text = fs_err::read_to_string(path)?;
    serde_json::from_str(&text).map_err(|error| CheckError::unusable(path, error))
}

/// A value in a file, with the way to it.
#[derive(Debug, Clone)]
pub(super) struct Json<'a> {
    file: &'a Path,
    at: String,
    value: &'a Value,
}

impl<'a> Json<'a> {
    pub(super) fn root(file: &'a Path, value: &'a Value) -> Json<'a> {
        Json {
            file,
            at: String::new(),
            value,
        }
    }

    fn below(&self, key: &str, value: &'a Value) -> Json<'a> {
        let at = if self.at.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.at)
        };
        Json {
            file: self.file,
            at,
            value,
        }
    }

    pub(super) fn wrong(&self, problem: impl Into<String>) -> CheckError {
        CheckError::Field {
            path: self.file.to_path_buf(),
            field: self.at.clone(),
            problem: problem.into(),
        }
    }

    /// A field of an object; null counts as absent.
    pub(super) fn find(&self, key: &str) -> Option<Json<'a>> {
        self.value
            .get(key)
            .filter(|value| !value.is_null())
            .map(|value| self.below(key, value))
    }

    pub(super) fn get(&self, key: &str) -> Result<Json<'a>, CheckError> {
        self.find(key)
            .ok_or_else(|| self.wrong(format!("has no field `{key}`")))
    }

    pub(super) fn number(&self) -> Result<f64, CheckError> {
        self.value
            .as_f64()
            .ok_or_else(|| self.wrong("is not a number"))
    }

    pub(super) fn count(&self) -> Result<usize, CheckError> {
        self.value
            .as_u64()
            .map(|count| count as usize)
            .ok_or_else(|| self.wrong("is not a count"))
    }

    pub(super) fn flag(&self) -> Result<bool, CheckError> {
        self.value
            .as_bool()
            .ok_or_else(|| self.wrong("is neither true nor false"))
    }

    pub(super) fn text(&self) -> Result<&'a str, CheckError> {
        self.value
            .as_str()
            .ok_or_else(|| self.wrong("is not a string"))
    }

    pub(super) fn items(&self) -> Result<Vec<Json<'a>>, CheckError> {
        let all = self
            .value
            .as_array()
            .ok_or_else(|| self.wrong("is not a list"))?;
        Ok(all
            .iter()
            .enumerate()
            .map(|(index, value)| self.below(&index.to_string(), value))
            .collect())
    }

    pub(super) fn entries(&self) -> Result<Vec<(&'a str, Json<'a>)>, CheckError> {
        let all = self
            .value
            .as_object()
            .ok_or_else(|| self.wrong("is not an object"))?;
        Ok(all
            .iter()
            .map(|(key, value)| (key.as_str(), self.below(key, value)))
            .collect())
    }

    pub(super) fn numbers(&self) -> Result<Vec<f64>, CheckError> {
        self.items()?.iter().map(Json::number).collect()
    }

    pub(super) fn counts(&self) -> Result<Vec<usize>, CheckError> {
        self.items()?.iter().map(Json::count).collect()
    }

    /// A list of equally long lists of numbers, one after the other.
    pub(super) fn table(&self) -> Result<Vec<f64>, CheckError> {
        let rows: Result<Vec<Vec<f64>>, CheckError> =
            self.items()?.iter().map(Json::numbers).collect();
        Ok(rows?.concat())
    }

    pub(super) fn unknown(&self, what: &str) -> CheckError {
        self.wrong(format!("{} is not a known {what}", self.value))
    }
}

/// A safetensors file.
#[derive(Debug)]
pub(super) struct Tensors {
    path: PathBuf,
    all: HashMap<String, Tensor>,
}

impl Tensors {
    pub(super) fn read(path: &Path) -> Result<Tensors, CheckError> {
        let all =
            Tensor::read_safetensors(path).map_err(|error| CheckError::unusable(path, error))?;
        Ok(Tensors {
            path: path.to_path_buf(),
            all: all.into_iter().collect(),
        })
    }

    pub(super) fn get(&self, name: &str) -> Result<&Tensor, CheckError> {
        let missing = || CheckError::Field {
            path: self.path.clone(),
            field: name.to_owned(),
            problem: "missing".to_owned(),
        };
        self.all.get(name).ok_or_else(missing)
    }

    /// What follows `prefix` in the names that start with it, sorted.
    pub(super) fn names_after(&self, prefix: &str) -> Vec<String> {
        let mut names: Vec<String> = self
            .all
            .keys()
            .filter_map(|name| name.strip_prefix(prefix))
            .map(str::to_owned)
            .collect();
        names.sort();
        names
    }

    /// The rows of `name` `[rows, length]`, each cut to where `mask` is not zero.
    pub(super) fn rows(&self, name: &str, mask: &str) -> Result<Vec<Vec<i64>>, CheckError> {
        let (ids, mask) = (self.get(name)?, self.get(mask)?);
        let rows = (0..ids.size()[0])
            .map(|row| integers(&ids.get(row).masked_select(&mask.get(row).not_equal(0))));
        Ok(rows.collect())
    }
}

/// All values of a tensor as integers.
pub(super) fn integers(tensor: &Tensor) -> Vec<i64> {
    let flat = tensor.to_kind(Kind::Int64).flatten(0, -1).contiguous();
    let mut values = vec![0; flat.numel()];
    flat.copy_data(&mut values, flat.numel());
    values
}
