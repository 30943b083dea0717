//! The checker that a problem names, or brings.

use std::path::Path;

use super::node::{Fault, Node};
use crate::checker::CheckerStyle;
use crate::problem::Tests;
use crate::{Checker, OwnChecker, SourceFile, StandardChecker};

/// The fields of a checker that is a program.
const OF_A_PROGRAM: [&str; 6] = [
    "language",
    "source",
    "path",
    "style",
    "flags",
    "interactive",
];

/// What is wrong with a path in a row that comes by itself.
const ALONE: &str =
    "has no meaning here, since no file is beside this row: give the program as \"source\"";

/// The checker of a problem with these tests: a name; an object with a name and flags; or an object that holds a program,
/// or its path below `folder`, which a row by itself has not.
pub(super) fn checker(
    node: &Node<'_>,
    tests: &Tests,
    folder: Option<&Path>,
) -> Result<Checker, Fault> {
    if !matches!(tests, Tests::Stdin(_)) {
        return Err(node.fault("belongs only in a problem of kind \"stdin\""));
    }
    if node.text().is_ok() {
        return Ok(Checker::Standard(named(node)?, Vec::new()));
    }
    node.object().map_err(|_| {
        node.wrong("a name, an object with a \"name\", or an object with a program")
    })?;
    let known: &[&str] = match node.has("name") {
        true => &["name", "flags"],
        false => &OF_A_PROGRAM,
    };
    if let Some(name) = node.names().find(|name| !known.contains(name)) {
        let known = quoted(known);
        return Err(node.fault(format!("contains \"{name}\", but only {known} are allowed")));
    }
    match node.find("name") {
        Some(name) => with_flags(named(&name)?, node),
        None if !(node.has("source") || node.has("path")) => Err(node.missing("name")),
        None => own(node, folder),
    }
}

fn quoted(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    quoted.join(", ")
}

fn named(node: &Node<'_>) -> Result<StandardChecker, Fault> {
    let name = node.text()?;
    StandardChecker::named(name).ok_or_else(|| {
        let names = StandardChecker::ALL.iter().map(|checker| checker.name());
        let names: Vec<&str> = names.collect();
        node.fault(format!(
            "is \"{name}\", but must be one of {}",
            names.join(", ")
        ))
    })
}

fn with_flags(checker: StandardChecker, node: &Node<'_>) -> Result<Checker, Fault> {
    let flags = flags(node)?;
    match checker.fault(&flags) {
        Some(why) => Err(node.need("flags")?.fault(format!("is wrong: {why}"))),
        None => Ok(Checker::Standard(checker, flags)),
    }
}

fn flags(node: &Node<'_>) -> Result<Vec<String>, Fault> {
    let flags = node.read("flags", |flags| {
        let flags = flags.items()?;
        flags
            .iter()
            .map(|flag| flag.text().map(str::to_owned))
            .collect()
    })?;
    Ok(flags.unwrap_or_default())
}

fn own(node: &Node<'_>, folder: Option<&Path>) -> Result<Checker, Fault> {
    let language = node.need("language")?.filled()?.to_owned();
    let file = match (node.find("source"), node.find("path")) {
        (Some(_), Some(path)) => {
            return Err(path.fault("cannot be combined with \"source\": give one of the two"));
        }
        (Some(source), None) => SourceFile::new("checker", source.filled()?.as_bytes()),
        (None, _) => read_file(&node.need("path")?, folder)?,
    };
    let style = node.need("style")?;
    let mut checker = OwnChecker::new(self::style(&style)?, Some(language), vec![file]);
    checker.flags = flags(node)?;
    checker.interactive = node.read("interactive", Node::truth)?.unwrap_or_default();
    if checker.interactive && checker.style == CheckerStyle::Codeforces {
        return Err(style.fault("is \"codeforces\", which interactors have not"));
    }
    Ok(Checker::Own(checker.into()))
}

fn style(node: &Node<'_>) -> Result<CheckerStyle, Fault> {
    let text = node.text()?;
    let named = CheckerStyle::ALL.iter().find(|style| style.name() == text);
    named.copied().ok_or_else(|| {
        let names: Vec<&str> = CheckerStyle::ALL.iter().map(|style| style.name()).collect();
        node.fault(format!(
            "is \"{text}\", but must be one of {}",
            names.join(", ")
        ))
    })
}

/// A file beside the problems or below them: a row must not reach for any other.
fn read_file(node: &Node<'_>, folder: Option<&Path>) -> Result<SourceFile, Fault> {
    let folder = folder.ok_or_else(|| node.fault(ALONE))?;
    let path = node.filled()?;
    let cannot = |error: std::io::Error| node.fault(format!("cannot be read: {error}"));
    let folder = folder.canonicalize().map_err(cannot)?;
    let whole = folder.join(path).canonicalize().map_err(cannot)?;
    if !whole.starts_with(&folder) {
        return Err(node.fault("leads out of the folder of the problems"));
    }
    let name = whole
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let content = fs_err::read(&whole).map_err(cannot)?;
    Ok(SourceFile::new(name.unwrap_or_default(), content))
}
