//! What decides about outputs: the default validator, or the package's own.

use super::fault::PackageFault;
use super::metadata::Metadata;
use super::own_program;
use super::tree::Tree;
use crate::checker::{CheckerStyle, ScoreRule};
use crate::problem::TestDetails;
use crate::{Checker, OwnChecker, StandardChecker};

/// The checker of a package.
pub(super) fn read(tree: &Tree, metadata: &Metadata) -> Result<Checker, PackageFault> {
    let found = own_program::validator(tree);
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
    let place = found.ok_or_else(|| {
        PackageFault::file(
            "output_validators",
            "holds no validator, but the problem has one of its own",
        )
    })?;
    let (language, files) = place.read(tree)?;
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
