//! `mc-eval compare --pairs`: compares many pairs of outputs, one a line.

use std::io::{self, BufRead, BufWriter, Write};
use std::path::Path;

use evaluator::{Comparator, Comparison, Declared, Evidence, Profile, Strategy, readers};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::exit::{CliError, INPUT};
use super::input;
use super::output::{self, Reader};

/// The fields of a line.
type Fields = Map<String, Value>;

/// A line of pairs.
#[derive(Debug)]
struct Pair {
    id: Value,
    expected: String,
    actual: String,
    statement: Option<String>,
    compare: Declared,
    kind: PairKind,
}

/// How the texts of a pair are meant.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PairKind {
    /// As outputs of programs.
    #[default]
    Text,
    /// As values, results of calls.
    Value,
}

/// What came of a pair.
#[derive(Debug, Serialize)]
struct PairResult<'a> {
    id: &'a Value,
    accepted: bool,
    strategy: Option<Strategy>,
}

/// Compare the pairs of a file, and write a line for each.
///
/// # Errors
/// A file that cannot be read or holds no pairs, or a line that is broken: which, and its field.
pub fn compare(path: &Path, profile: Profile) -> Result<(), CliError> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut is_empty = true;
    for (index, line) in input::open(path)?.lines().enumerate() {
        let line = line.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => {
                let place = format!("{}:{}", path.display(), index + 1);
                CliError::new(INPUT, format!("{place}: is not UTF-8"))
            }
            _ => input::unreadable(&error),
        })?;
        if line.trim().is_empty() {
            continue;
        }
        is_empty = false;
        let line = match index {
            0 => line.strip_prefix('\u{feff}').unwrap_or(&line),
            _ => &line,
        };
        let record = compare_line(line, profile).map_err(|message| {
            let place = format!("{}:{}", path.display(), index + 1);
            CliError::new(INPUT, format!("{place}: {message}"))
        })?;
        if output::heard(writeln!(out, "{record}"))? == Reader::Gone {
            return Ok(());
        }
    }
    if is_empty {
        let message = format!("{}: contains no pairs", path.display());
        return Err(CliError::new(INPUT, message));
    }
    output::heard(out.flush()).map(drop)
}

/// What came of the pair in a line, as a line; or what is wrong with it.
fn compare_line(line: &str, profile: Profile) -> Result<String, String> {
    let pair = Pair::read(line)?;
    let strategy = pair.accepted_by(profile)?;
    let compared = PairResult {
        id: &pair.id,
        accepted: strategy.is_some(),
        strategy,
    };
    Ok(serde_json::to_string(&compared).expect("it has only string keys"))
}

impl Pair {
    /// Read a line; the error names the field.
    fn read(line: &str) -> Result<Pair, String> {
        let mut fields: Fields = serde_json::from_str(line).map_err(|error| blame(&error))?;
        let compare: Value = find(&mut fields, "compare")?.unwrap_or_default();
        let pair = Pair {
            id: need(&mut fields, "id")?,
            expected: need(&mut fields, "expected")?,
            actual: need(&mut fields, "actual")?,
            statement: find(&mut fields, "statement")?,
            compare: match compare {
                Value::Null => Declared::default(),
                compare => readers::declared(&compare.to_string())?,
            },
            kind: find(&mut fields, "kind")?.unwrap_or_default(),
        };
        // What is left is metadata or a slip.
        if !fields.is_empty() {
            readers::pair_fields(line)?;
        }
        Ok(pair)
    }

    /// The strategy that accepts the pair, or what is wrong with its fields.
    fn accepted_by(&self, profile: Profile) -> Result<Option<Strategy>, String> {
        let evidence = Evidence {
            declared: self.compare,
            statement: self.statement.as_deref(),
        };
        let comparator = Comparator::new(profile, evidence);
        let comparison = match self.kind {
            PairKind::Text => {
                comparator.compare_text(self.expected.as_bytes(), self.actual.as_bytes())
            }
            PairKind::Value => comparator
                .compare_written(&self.expected, &self.actual)
                .map_err(|error| format!("field \"expected\": {error}"))?,
        };
        Ok(match comparison {
            Comparison::Accepted(strategy) => Some(strategy),
            Comparison::Rejected(_) => None,
        })
    }
}

fn need<T: DeserializeOwned>(fields: &mut Fields, name: &str) -> Result<T, String> {
    find(fields, name)?.ok_or_else(|| format!("field {name:?}: is missing"))
}

/// The field, unless it is absent or null.
fn find<T: DeserializeOwned>(fields: &mut Fields, name: &str) -> Result<Option<T>, String> {
    let value = fields.remove(name).unwrap_or_default();
    serde_json::from_value(value).map_err(|error| format!("field {name:?}: {error}"))
}

/// What is wrong with a line; serde counts lines within it, which are none.
fn blame(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line 1 column ") {
        Some((message, column)) => format!("column {column}: {message}"),
        None => text,
    }
}
