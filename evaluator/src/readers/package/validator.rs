//! What decides about outputs: the default validator, or the package's own.

use super::fault::PackageFault;
use super::metadata::Metadata;
use super::tree::{Stored, Tree};
use crate::checker::{CheckerStyle, ScoreRule};
use crate::problem::TestDetails;
use crate::readers::languages;
use crate::{Checker, OwnChecker, SourceFile, StandardChecker};

/// The checker of a package.
pub(super) fn read(tree: &Tree, metadata: &Metadata) -> Result<Checker, PackageFault> {
    let found = find(tree);
    let custom = metadata.custom
        || !metadata.is_legacy && found.is_some()
        || metadata.interactive
        || metadata.multi_pass;
    if !custom {
        return Ok(Checker::Standard(
            StandardChecker::Kattis,
            metadata.validator_flags.clone(),
        ));
    }
    let (folder, name) = found.ok_or_else(|| {
        PackageFault::file(
            "output_validators",
            "holds no validator, but the problem has one of its own",
        )
    })?;
    let files = files(tree, folder, &name);
    // Scripts say themselves how it is built and run.
    let is_script = |file: &SourceFile| matches!(file.name.as_str(), "build" | "run");
    let (language, files) = if files.iter().any(is_script) {
        (None, files)
    } else {
        let language = languages::of_files(&files).ok_or_else(|| {
            PackageFault::file(&format!("{folder}/{name}"), "is in no known language")
        })?;
        let files = languages::main_first(files, Some(&language), None);
        (Some(language), files)
    };
    Ok(Checker::Own(
        OwnChecker {
            flags: metadata.validator_flags.clone(),
            interactive: metadata.interactive,
            passes: metadata.passes,
            score: score(metadata),
            time: metadata.validation_time,
            memory: metadata.validation_memory,
            ..OwnChecker::new(CheckerStyle::Kattis, language, files)
        }
        .into(),
    ))
}

fn score(metadata: &Metadata) -> ScoreRule {
    match (
        metadata.custom_score,
        metadata.scoring && !metadata.is_legacy,
    ) {
        (true, _) => ScoreRule::Required,
        (_, true) => ScoreRule::Allowed,
        _ => ScoreRule::Forbidden,
    }
}

/// The folder and the name of the validator. Where there are several, an accepted output would have to satisfy all.
fn find(tree: &Tree) -> Option<(&'static str, String)> {
    let is_program = |name: &String| !name.starts_with('.') && languages::may_be_a_program(name);
    if let Some(name) = tree.children("output_validator").into_iter().next() {
        // The folder is the program, or holds it as a folder.
        let programs = tree.children("output_validator");
        return match programs.len() {
            1 if name.1 => Some(("output_validator", name.0)),
            _ => Some(("output_validator", String::new())),
        };
    }
    let children = tree.children("output_validators").into_iter();
    let mut programs = children.filter(|(name, is_folder)| *is_folder || is_program(name));
    let (name, is_folder) = programs.next()?;
    // Sources side by side are one program: DOMjudge takes the whole folder for it.
    match !is_folder && programs.next().is_some() {
        true => Some(("output_validators", String::new())),
        false => Some(("output_validators", name)),
    }
}

fn files(tree: &Tree, folder: &str, name: &str) -> Vec<SourceFile> {
    let path = match name {
        "" => folder.to_owned(),
        name => format!("{folder}/{name}"),
    };
    let file = |name: &str, member: &Stored| SourceFile {
        name: name.to_owned(),
        content: member.content.clone().into(),
        executable: member.executable,
    };
    if let Some(member) = tree.get(&path) {
        return vec![file(name, member)];
    }
    let all = tree.below(&path).filter(|(name, _)| !name.starts_with('.'));
    all.map(|(name, member)| file(name, member)).collect()
}

/// What is wrong with a test's flags for a checker that is known by name.
pub(super) fn fault(checker: &Checker, test: &TestDetails) -> Option<PackageFault> {
    let Checker::Standard(checker, _) = checker else {
        return None;
    };
    let why = checker.fault(&test.checker_flags)?;
    Some(PackageFault::file(
        &format!("data/{}.in", test.name),
        format!("is compared by flags that cannot be: {why}"),
    ))
}
