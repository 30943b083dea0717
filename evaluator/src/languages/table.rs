//! The table of languages: what is known of each before anything is looked for on this machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use regex::Regex;
use serde::Deserialize;
use toml::{Table, Value};

use super::outline::outline;

/// The table that this library carries.
const BUILT_IN: &str = include_str!("table.toml");

/// CPython's name, whose submissions run in a warm interpreter.
pub const PYTHON: &str = "python";

/// One language, as `table.toml` explains its fields.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// What it is called.
    #[serde(skip)]
    pub name: String,
    /// What else it is called.
    pub names: Vec<String>,
    /// Of its files.
    #[serde(default)]
    pub endings: Vec<String>,
    /// The name of a text's file.
    pub main: String,
    /// What that name is found by.
    #[serde(default)]
    pub named_after: Option<String>,
    /// Prints the toolchain's folder.
    #[serde(default)]
    pub home: Vec<String>,
    /// Newest first.
    #[serde(default)]
    pub standards: Vec<String>,
    /// Compiles it.
    #[serde(default)]
    pub compile: Vec<String>,
    /// Runs it.
    #[serde(default)]
    pub run: Vec<String>,
    /// Whether the engine for WebAssembly plays it, in place of a command.
    #[serde(default)]
    pub engine: bool,
    /// Whether a text is the file's bytes in base64.
    #[serde(default)]
    pub base64: bool,
    /// Tells the version.
    #[serde(default)]
    pub version: Vec<String>,
    /// What has to compile for all of the toolchain to be there.
    #[serde(default)]
    pub sample: String,
    /// The Debian package.
    #[serde(default)]
    pub package: String,
    /// What the compiler starts.
    #[serde(default)]
    pub tools: Vec<String>,
    /// What the compiler reads.
    #[serde(default)]
    pub compile_reads: Vec<String>,
    /// What a run reads.
    #[serde(default)]
    pub run_reads: Vec<String>,
    /// Whether a run needs the system's libraries.
    #[serde(default)]
    pub libraries: bool,
    /// Of compiler and runs.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Whether address space means nothing.
    #[serde(default)]
    pub reserves: bool,
    /// Times the limit.
    #[serde(default = "one")]
    pub time_factor: f64,
    /// In MiB.
    #[serde(default)]
    pub memory_extra: u64,
    /// In seconds.
    #[serde(default = "compile_time")]
    pub compile_time: u64,
    /// In standard error.
    #[serde(default)]
    pub out_of_memory: Vec<String>,
}

fn one() -> f64 {
    1.0
}

fn compile_time() -> u64 {
    30
}

impl Language {
    /// The name of the file that holds `text`.
    pub fn file_name(&self, text: &str) -> String {
        self.asked_name(text).unwrap_or_else(|| self.main.clone())
    }

    /// The name that `text` asks for its file, if it does.
    pub(super) fn asked_name(&self, text: &str) -> Option<String> {
        let pattern = Regex::new(self.named_after.as_deref()?).ok()?;
        let outline = outline(text);
        let name = pattern.captures(&outline)?.get(1)?.as_str();
        let ending = Path::new(&self.main).extension()?;
        Some(format!("{name}.{}", ending.display()))
    }

    /// Whether a file of this name may hold a program in it. One letter's case tells C++ from C.
    pub fn has_ending(&self, file: &Path) -> bool {
        let ending = file.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| self.endings.iter().any(|known| known == ending))
    }

    /// Whether compiling makes a program of its source; elsewhere what runs is the source.
    pub fn is_compiled(&self) -> bool {
        !self.compile.is_empty() && !self.run.iter().any(|part| part == "{source}")
    }

    fn is_called(&self, name: &str) -> bool {
        self.name == name || self.names.iter().any(|known| known == name)
    }

    /// What is wrong with it that its shape does not tell.
    fn fault(&self) -> Option<String> {
        let pattern = self.named_after.as_deref().map(Regex::new);
        if let Some(Err(error)) = pattern {
            return Some(format!("`named_after` is no regular expression: {error}"));
        }
        if self.engine && !self.run.is_empty() {
            return Some("`run` has no meaning where there is an `engine`".to_owned());
        }
        for (key, command) in [("run", &self.run), ("version", &self.version)] {
            if command.is_empty() && !self.engine {
                return Some(format!("`{key}` names no command"));
            }
        }
        let positive = self.time_factor.is_finite() && self.time_factor > 0.0;
        (!positive).then(|| "`time_factor` must be a positive number".to_owned())
    }
}

/// All languages, in the order of their names.
#[derive(Debug, Clone)]
pub struct Languages(Vec<Language>);

static CHOSEN: OnceLock<Languages> = OnceLock::new();

impl Languages {
    /// Those of this process: what [`Languages::choose`] was given, else the table that the library carries.
    pub fn get() -> &'static Languages {
        CHOSEN.get_or_init(Languages::built_in)
    }

    /// Make them those of this process.
    ///
    /// # Errors
    /// Some were asked for already.
    pub fn choose(self) -> Result<(), Languages> {
        CHOSEN.set(self)
    }

    fn built_in() -> Languages {
        let table: Table = BUILT_IN.parse().expect("the built-in table is TOML");
        Languages::of(table).expect("the built-in table says what a language is")
    }

    /// The built-in table with what `file` states in place of it.
    ///
    /// # Errors
    /// The file cannot be read, or which key in it means nothing.
    pub fn extended_by(file: &Path) -> Result<Languages, String> {
        let failed = |why: String| format!("{}: {why}", file.display());
        let text = fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
        let added: Table = text
            .parse()
            .map_err(|error: toml::de::Error| failed(error.to_string().trim_end().to_owned()))?;
        let mut all: Table = BUILT_IN.parse().expect("the built-in table is TOML");
        for (name, stated) in added {
            let Value::Table(stated) = stated else {
                return Err(failed(format!("\"{name}\" is no table of a language")));
            };
            match all.get_mut(&name) {
                Some(Value::Table(known)) => known.extend(stated),
                _ => drop(all.insert(name, Value::Table(stated))),
            }
        }
        Languages::of(all).map_err(failed)
    }

    fn of(table: Table) -> Result<Languages, String> {
        let mut languages = Vec::new();
        for (name, stated) in table {
            let read: Result<Language, _> = serde_path_to_error::deserialize(stated);
            let language = read.map_err(|error| {
                let place = error.path().to_string();
                let key = if place == "." {
                    String::new()
                } else {
                    format!(".{place}")
                };
                format!("\"{name}{key}\": {}", error.inner().message())
            })?;
            if let Some(fault) = language.fault() {
                return Err(format!("\"{name}\": {fault}"));
            }
            languages.push(Language { name, ..language });
        }
        languages.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Languages(languages))
    }

    /// All of them.
    pub fn all(&self) -> &[Language] {
        &self.0
    }

    /// The one that a field or a label calls `name`.
    pub fn named(&self, name: &str) -> Option<&Language> {
        let name = name.trim().to_lowercase();
        let called = |name: &str| self.0.iter().find(|language| language.is_called(name));
        called(&name).or_else(|| is_python(&name).then(|| called(PYTHON))?)
    }

    /// The one that is called `name`.
    ///
    /// # Errors
    /// There is none, and which there are.
    pub fn known(&self, name: &str) -> Result<&Language, String> {
        self.named(name).ok_or_else(|| {
            let known = self.listed();
            format!("no language is called \"{name}\"; known are {known}")
        })
    }

    /// The one that a file of this name is written in.
    pub fn of_file(&self, file: &Path) -> Option<&Language> {
        self.0.iter().find(|language| language.has_ending(file))
    }

    /// All names that they are called by first, for a message.
    pub fn listed(&self) -> String {
        let names: Vec<&str> = self.0.iter().map(|language| &*language.name).collect();
        names.join(", ")
    }
}

/// Whether a lower-case name means some Python 3.
fn is_python(name: &str) -> bool {
    let version = name.strip_prefix("python").map(str::trim_start);
    version.is_some_and(|version| {
        version.starts_with('3') && version.chars().all(|c| c == '.' || c.is_ascii_digit())
    })
}
