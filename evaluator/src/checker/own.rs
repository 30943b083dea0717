//! A problem's own checker or interactor: a program.

use std::time::Duration;

use crate::source::SourceFile;

/// A program that decides about outputs, or that talks to the solution.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnChecker {
    /// How it is called and how it answers.
    pub style: CheckerStyle,
    /// Its language; `None` for a folder with a script `build` or `run`, which says itself how it is run.
    pub language: Option<String>,
    /// Its files, the main one first.
    pub files: Vec<SourceFile>,
    /// What it is called with behind the names of the files.
    pub flags: Vec<String>,
    /// Whether it runs beside the solution and talks to it.
    pub interactive: bool,
    /// How many times a solution may be run for one test.
    pub passes: u32,
    /// Whether it may give a score.
    pub score: ScoreRule,
    /// CPU time for one output.
    pub time: Duration,
    /// Memory, in MiB.
    pub memory: u64,
}

impl OwnChecker {
    /// CPU time that a checker has where nothing else is said.
    pub const TIME: Duration = Duration::from_secs(60);
    /// Memory in MiB that a checker has where nothing else is said.
    pub const MEMORY: u64 = 2048;

    /// A checker with the usual limits.
    pub fn new(
        style: CheckerStyle,
        language: Option<String>,
        files: Vec<SourceFile>,
    ) -> OwnChecker {
        OwnChecker {
            style,
            language,
            files,
            flags: Vec::new(),
            interactive: false,
            passes: 1,
            score: ScoreRule::Allowed,
            time: OwnChecker::TIME,
            memory: OwnChecker::MEMORY,
        }
    }

    /// What it is called in messages.
    pub fn noun(&self) -> &'static str {
        match self.interactive {
            true => "interactor",
            false => "checker",
        }
    }
}

/// How a checker is called, and how it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum CheckerStyle {
    /// `checker input answer feedback/ flags < output`: exit status 42 accepts, 43 rejects, and nothing else decides.
    Kattis,
    /// `checker input output answer`: exit status 0 accepts, 1, 2, 4 and 8 reject, 7 gives points; 3 says that it
    /// fails.
    Testlib,
    /// `checker input answer output`, which prints `1` to accept; other numbers under 1 reject, as points.
    Codeforces,
}

impl CheckerStyle {
    /// All of them.
    pub const ALL: &[CheckerStyle] = <CheckerStyle as strum::VariantArray>::VARIANTS;

    /// Its name in a problem.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Whether a checker may, or must, say how many points an accepted output earns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreRule {
    /// It may not: a score is its failure.
    Forbidden,
    /// It may.
    Allowed,
    /// It must with every output that it accepts.
    Required,
}
