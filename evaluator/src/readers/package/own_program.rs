//! Programs that a package brings along besides its solutions: its validator and its grader.

use super::fault::PackageFault;
use super::tree::{Stored, Tree};
use crate::SourceFile;
use crate::readers::languages;

/// Where a program lies.
pub(super) struct ProgramPlace {
    /// The folder and the name in it; an empty one where the folder itself is the program.
    folder: &'static str,
    name: String,
}

/// The validator. Where there are several, an accepted output would have to satisfy all.
pub(super) fn validator(tree: &Tree) -> Option<ProgramPlace> {
    let folder = "output_validator";
    // The folder is the program, or holds it as a folder.
    let programs = tree.children(folder);
    let name = match programs.first_key_value() {
        None => return within(tree, "output_validators"),
        Some((name, true)) if programs.len() == 1 => name.clone(),
        Some(_) => String::new(),
    };
    Some(ProgramPlace { folder, name })
}

/// The grader.
pub(super) fn grader(tree: &Tree) -> Option<ProgramPlace> {
    within(tree, "graders")
}

/// The first program in a folder of programs.
fn within(tree: &Tree, folder: &'static str) -> Option<ProgramPlace> {
    let is_program = |name: &String| !name.starts_with('.') && languages::may_be_a_program(name);
    let children = tree.children(folder).into_iter();
    let mut programs = children.filter(|(name, is_folder)| *is_folder || is_program(name));
    let (name, is_folder) = programs.next()?;
    // Sources side by side are one program: DOMjudge takes the whole folder for it.
    let name = match !is_folder && programs.next().is_some() {
        true => String::new(),
        false => name,
    };
    Some(ProgramPlace { folder, name })
}

impl ProgramPlace {
    /// Its language and its files, the main one first. Without a language, scripts among them say how it is built and run.
    pub fn read(&self, tree: &Tree) -> Result<(Option<String>, Vec<SourceFile>), PackageFault> {
        let files = self.files(tree);
        let is_script = |file: &SourceFile| matches!(file.name.as_str(), "build" | "run");
        if files.iter().any(is_script) {
            return Ok((None, files));
        }
        let unknown = match files.iter().all(|file| file.name.starts_with('.')) {
            true => "holds no program",
            false => "is in no known language",
        };
        let language =
            languages::of_files(&files).ok_or_else(|| PackageFault::file(&self.path(), unknown))?;
        let files = languages::main_first(files, Some(&language), None);
        Ok((Some(language), files))
    }

    fn path(&self) -> String {
        match self.name.as_str() {
            "" => self.folder.to_owned(),
            name => format!("{}/{name}", self.folder),
        }
    }

    fn files(&self, tree: &Tree) -> Vec<SourceFile> {
        let path = self.path();
        let file = |name: &str, member: &Stored| SourceFile {
            name: name.to_owned(),
            content: member.content.clone().into(),
            executable: member.executable,
        };
        if let Some(member) = tree.get(&path) {
            return vec![file(&self.name, member)];
        }
        let all = tree.below(&path).filter(|(name, _)| !name.starts_with('.'));
        all.map(|(name, member)| file(name, member)).collect()
    }
}
