//! The solutions of a package: files and folders in the folders of `submissions`.

use super::expected::{of_folder, of_rules, of_sources};
use super::fault::PackageFault;
use super::globs::matches;
use super::tree::{Stored, Tree};
use super::yaml::yaml_of;
use crate::readers::languages;
use crate::readers::node::Node;
use crate::{SourceFile, Submission};

const RULES: &str = "submissions/submissions.yaml";

/// Read all solutions. Files that are no programs, such as notes, are passed over.
pub(super) fn read(
    tree: &mut Tree,
    problem_id: &str,
    max_score: Option<f64>,
) -> Result<Vec<Submission>, PackageFault> {
    let rules = yaml_of(tree, RULES)?;
    let rules = Node::row(&rules);
    let mut all = Vec::new();
    for (folder, _) in tree
        .children("submissions")
        .into_iter()
        .filter(|(_, is_folder)| *is_folder)
    {
        let programs = tree.children(&format!("submissions/{folder}"));
        for (name, is_folder) in programs.into_iter().filter(|(name, _)| is_meant(name)) {
            let path = format!("{folder}/{name}");
            let files = match is_folder {
                true => below(tree, &format!("submissions/{path}")),
                false if languages::may_be_a_program(&name) => one(tree, &path, &name),
                false => continue,
            };
            let expected = of_sources(of_folder(&folder, max_score), &files);
            let expected = of_rules(expected, &path, &rules);
            let expected = expected.map_err(|fault| PackageFault::of(RULES, fault))?;
            let Some(mut submission) = submission(tree, problem_id, &path, files, &rules) else {
                continue;
            };
            submission.expected = expected.decisions;
            submission.expected_score = expected.score;
            all.push(submission);
        }
    }
    Ok(all)
}

/// Whether a solution is one that its author means to be judged, by its name.
fn is_meant(name: &str) -> bool {
    let is_set_aside = [".disabled", ".template"]
        .iter()
        .any(|ending| name.ends_with(ending));
    !is_set_aside && !name.starts_with(['.', '_'])
}

fn submission(
    tree: &Tree,
    problem_id: &str,
    path: &str,
    files: Vec<SourceFile>,
    rules: &Node<'_>,
) -> Option<Submission> {
    let of_rule = |name: &str| {
        let matching = rules.names().filter(|pattern| matches(pattern, path));
        let rule = matching
            .filter_map(|pattern| rules.find(pattern)?.find(name))
            .last()?;
        rule.text().ok().map(str::to_owned)
    };
    let language = of_rule("language").or_else(|| languages::of_files(&files))?;
    let files = included(tree, &language, files);
    let files = languages::main_first(files, Some(&language), of_rule("entrypoint").as_deref());
    let main = files.first()?;
    let code = String::from_utf8_lossy(&main.content).into_owned();
    Some(Submission {
        language,
        files,
        ..Submission::new(path, problem_id, Some(code))
    })
}

fn file(name: &str, member: &Stored) -> SourceFile {
    SourceFile {
        name: name.to_owned(),
        content: member.content.clone().into(),
        executable: member.executable,
    }
}

fn one(tree: &Tree, path: &str, name: &str) -> Vec<SourceFile> {
    let member = tree.get(&format!("submissions/{path}"));
    member
        .map(|member| file(name, member))
        .into_iter()
        .collect()
}

fn below(tree: &Tree, path: &str) -> Vec<SourceFile> {
    let all = tree.below(path).filter(|(name, _)| !name.starts_with('.'));
    all.map(|(name, member)| file(name, member)).collect()
}

/// With the files that the package gives to every submission in its language, which come before the submission's own.
fn included(tree: &Tree, language: &str, mut files: Vec<SourceFile>) -> Vec<SourceFile> {
    let names = [
        language,
        if language == "python" {
            "python3"
        } else {
            language
        },
    ];
    let folders = names
        .iter()
        .find(|name| tree.below(&format!("include/{name}")).next().is_some());
    let given = below(tree, &format!("include/{}", folders.unwrap_or(&"default")));
    files.retain(|file| given.iter().all(|it| it.name != file.name));
    files.extend(given);
    files
}
