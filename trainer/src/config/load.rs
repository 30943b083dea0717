//! Puts a configuration together: defaults, then the file, then `key=value` of the command line, which beats it.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::Config;

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct ConfigError {
    /// The file, or the argument of the command line.
    pub place: String,
    /// What is wrong, as a fragment.
    pub message: String,
    /// What the user can do.
    pub hint: Option<String>,
}

impl ConfigError {
    /// An error at `place`.
    pub fn new(place: impl Into<String>, message: impl Into<String>) -> ConfigError {
        ConfigError {
            place: place.into(),
            message: message.into(),
            hint: None,
        }
    }

    /// The same with a hint.
    pub fn hint(self, hint: impl Into<String>) -> ConfigError {
        ConfigError {
            hint: Some(hint.into()),
            ..self
        }
    }
}

/// Read a configuration file and apply `settings`, each `section.key=value`. What neither names keeps its default, in a section
/// that is named in part too; lists are replaced whole. Relative paths in the file are relative to it, those of `settings` to the
/// working folder.
pub fn load(file: Option<&Path>, settings: &[String]) -> Result<Config, ConfigError> {
    let mut config = Config::default();
    if let Some(path) = file {
        config = over(&config, read(path)?, &path.display().to_string())?;
        config.rebase(path.parent().unwrap_or(Path::new("")));
    }
    for setting in settings {
        let place = format!("--set {setting}");
        config = over(&config, typed(setting, &place)?, &place)?;
    }
    config.make_absolute();
    config.validate()?;
    Ok(config)
}

/// The configuration as a file that [`load`] reads to the same.
///
/// # Panics
/// Never: every value of a configuration has a form in TOML.
pub fn to_text(config: &Config) -> String {
    toml::to_string_pretty(config).expect("a configuration has a form in TOML")
}

fn read(path: &Path) -> Result<Table, ConfigError> {
    let place = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| ConfigError::new(&place, format!("cannot be read: {error}")))?;
    text.parse()
        .map_err(|error: toml::de::Error| ConfigError::new(&place, error.to_string()))
}

/// `config` with what `table` says in place of what it said.
fn over(config: &Config, table: Table, place: &str) -> Result<Config, ConfigError> {
    let whole = Table::try_from(config);
    let mut whole = whole.map_err(|error| ConfigError::new(place, error.to_string()))?;
    merge(&mut whole, table);
    serde_path_to_error::deserialize(whole).map_err(|error| {
        let message = error.inner().to_string();
        let hint = hint(&message);
        // toml repeats the section on a line of its own; the path says more.
        let problem = message.lines().next().unwrap_or_default();
        ConfigError {
            hint,
            ..ConfigError::new(place, format!("{}: {problem}", error.path()))
        }
    })
}

/// What `above` says beats what `below` says, key by key.
fn merge(below: &mut Table, above: Table) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => merge(below, above),
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
}

impl Config {
    /// Paths in the file are as seen from where it lies.
    fn rebase(&mut self, folder: &Path) {
        for path in self.paths() {
            *path = folder.join(&path);
        }
    }

    /// So that the configuration saved with a run means the same wherever it is read.
    fn make_absolute(&mut self) {
        for path in self.paths() {
            if let Ok(absolute) = std::path::absolute(&path) {
                *path = absolute;
            }
        }
    }

    /// Every path that is set.
    fn paths(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let lists = [
            &mut self.data.problems,
            &mut self.data.held_out,
            &mut self.sft.corpus,
        ];
        let model = Some(&mut self.model.path).filter(|path| !path.as_os_str().is_empty());
        let weights = self.server.weights.as_mut();
        lists.into_iter().flatten().chain(model).chain(weights)
    }
}

/// The known key or value of the same section that an unknown one looks like, or all of them where it looks like none, from
/// the parser's "unknown field `x`, expected one of `y`, `z`".
fn hint(message: &str) -> Option<String> {
    let line = message.lines().next().filter(|line| {
        ["unknown field", "unknown variant"]
            .iter()
            .any(|start| line.starts_with(start))
    })?;
    let (unknown, expected) = line.split_once("expected")?;
    let wrong = quoted(unknown).last()?;
    let likeness = |known: &str| strsim::jaro_winkler(known, wrong);
    let nearest =
        quoted(expected).max_by(|one, other| likeness(one).total_cmp(&likeness(other)))?;
    match likeness(nearest) > A_SLIP {
        true => Some(format!("did you mean `{nearest}`?")),
        false => {
            let known: Vec<&str> = quoted(expected).collect();
            Some(format!("known here: {}", known.join(", ")))
        }
    }
}

/// Words at least this alike may be slips of the pen for one another.
const A_SLIP: f64 = 0.7;

fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// `section.key=value` as the table that a file would hold. A value that is no TOML is text.
fn typed(setting: &str, place: &str) -> Result<Table, ConfigError> {
    let (keys, value) = setting
        .split_once('=')
        .ok_or_else(|| ConfigError::new(place, "is not of the form section.key=value"))?;
    let of = |key: &str, value| Table::from_iter([(key.trim().to_owned(), value)]);
    let mut keys = keys.rsplit('.');
    let last = of(keys.next().unwrap_or_default(), value_of(value.trim()));
    Ok(keys.fold(last, |table, key| of(key, Value::Table(table))))
}

fn value_of(text: &str) -> Value {
    let parsed = format!("value = {text}").parse::<Table>();
    parsed
        .ok()
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| Value::String(text.to_owned()))
}
