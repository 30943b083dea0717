//! In what language files are, told by their endings, and which of them is the main one.

use std::path::Path;

use crate::SourceFile;
use crate::languages::{Languages, PYTHON};

/// Endings of what lies about beside programs.
const NO_PROGRAMS: [&str; 19] = [
    "md", "txt", "yaml", "yml", "json", "in", "ans", "out", "class", "o", "exe", "pyc", "orig",
    "bak", "h", "hpp", "pdf", "tex", "disabled",
];

fn ending(name: &str) -> &str {
    let base = name.rsplit('/').next().unwrap_or(name);
    base.rsplit_once('.').map_or("", |(_, ending)| ending)
}

fn of_file(name: &str) -> Option<&'static str> {
    let language = Languages::get().of_file(Path::new(name));
    language.map(|language| &*language.name)
}

/// The one before the present Python, whose files have the same ending: their first line may tell.
const PYTHON_2: &str = "python2";

fn is_python_2(file: &SourceFile) -> bool {
    let first = file.content.split(|byte| *byte == b'\n').next();
    let names_it = |line: &[u8]| memchr::memmem::find(line, PYTHON_2.as_bytes()).is_some();
    of_file(&file.name) == Some(PYTHON)
        && first.is_some_and(|line| line.starts_with(b"#!") && names_it(line))
}

/// The language of a program of these files; the ending of the first one where no language is known by it.
pub(super) fn of_files(files: &[SourceFile]) -> Option<String> {
    if files.iter().any(is_python_2) {
        return Some(PYTHON_2.to_owned());
    }
    let all = files.iter().filter_map(|file| of_file(&file.name));
    // C++ may have files in C beside it.
    let known = all
        .clone()
        .find(|it| *it == "cpp")
        .or_else(|| all.clone().next());
    let unknown = || {
        files
            .iter()
            .map(|file| ending(&file.name))
            .find(|it| is_ending_of_code(it))
    };
    known.or_else(unknown).map(str::to_owned)
}

fn is_ending_of_code(ending: &str) -> bool {
    !ending.is_empty() && !NO_PROGRAMS.contains(&ending)
}

/// Whether a file of this name may be a program, perhaps in a language that is not known here.
pub(super) fn may_be_a_program(name: &str) -> bool {
    is_ending_of_code(ending(name))
}

/// The same files with the main one first: the one named so, the only one in the language, `__main__.py`, `main` in either
/// case with any ending, or else the first by name.
pub(super) fn main_first(
    mut files: Vec<SourceFile>,
    language: Option<&str>,
    named: Option<&str>,
) -> Vec<SourceFile> {
    files.sort_by(|a, b| a.name.cmp(&b.name));
    let sources = || {
        let all = files.iter().enumerate();
        all.filter(|(_, file)| language.is_none() || of_file(&file.name) == language)
    };
    let by = |is_main: &dyn Fn(&str) -> bool| {
        sources()
            .find(|(_, file)| is_main(&file.name))
            .map(|(place, _)| place)
    };
    let stem = |name: &str| {
        name.rsplit_once('.')
            .map_or(name, |(stem, _)| stem)
            .to_lowercase()
    };
    let main =
        by(&|name| named.is_some_and(|named| name == named || stem(name) == named.to_lowercase()))
            .or_else(|| by(&|name| name == "__main__.py"))
            .or_else(|| by(&|name| stem(name) == "main"))
            .or_else(|| by(&|_| true))
            .unwrap_or_default();
    files[..=main].rotate_right(1);
    files
}
