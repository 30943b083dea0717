//! All stages one after the other, as one file describes them. What is done already is not done again.
//!
//! Each stage goes on with its output as long as that was made from the same input with the same settings; otherwise it begins
//! anew, and so does every stage after it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::card::card;
use crate::chosen::Chosen;
use crate::collect::{Sources, collect};
use crate::difficulty::Difficulty;
use crate::error::DataError;
use crate::export;
use crate::filter::Filter;
use crate::llm::{Llm, LlmSettings};
use crate::page::page;
use crate::process::Process;
use crate::record::Stage;
use crate::stage::{StageReport, hash_file, made_path, reports};
use crate::verify::{Verifier, Verify};

/// The file of problems that is written.
const PROBLEMS: &str = "problems.jsonl";

/// What to make, and how. Paths are relative to the file that says it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipeline {
    /// The folder of everything that is written.
    pub folder: PathBuf,
    /// The sources, the best first: of duplicates the first is kept.
    pub collect: Vec<Sources>,
    /// How to process.
    #[serde(default)]
    pub process: Process,
    /// How to filter.
    #[serde(default)]
    pub filter: Filter,
    /// How to verify.
    #[serde(default)]
    pub verify: Verify,
    /// How to choose by difficulty; if absent, there is no such stage.
    pub difficulty: Option<Difficulty>,
    /// A model that helps.
    #[serde(default)]
    pub llm: LlmSettings,
}

/// A stage that is done.
#[derive(Debug)]
pub struct Done {
    /// What it did.
    pub report: StageReport,
    /// How long that took in this run.
    pub took: Duration,
}

impl Pipeline {
    /// Read a pipeline from a TOML file.
    pub fn read(path: &Path) -> Result<Pipeline, DataError> {
        let text = fs_err::read_to_string(path)?;
        let wrong = |error: toml::de::Error| DataError::Setting(complaint(path, &text, &error));
        let mut pipeline: Pipeline = toml::from_str(&text).map_err(wrong)?;
        let base = path.parent().unwrap_or(Path::new(""));
        pipeline.folder = base.join(&pipeline.folder);
        let sources = pipeline
            .collect
            .iter_mut()
            .flat_map(|sources| &mut sources.paths);
        let verdicts = pipeline.difficulty.iter_mut().flat_map(|difficulty| {
            let files = difficulty.verdicts.iter_mut();
            files.chain(&mut difficulty.reference_verdicts)
        });
        let all = sources
            .chain(&mut pipeline.filter.benchmarks)
            .chain(verdicts);
        for path in all.chain([&mut pipeline.llm.cache]) {
            *path = base.join(&*path);
        }
        Ok(pipeline)
    }

    /// Run what is not done yet, `workers` programs at a time, and tell of each stage as it is done.
    pub fn run(&self, workers: usize, mut tell: impl FnMut(&Done)) -> Result<(), DataError> {
        fs_err::create_dir_all(&self.folder)?;
        let llm = Llm::open(&self.llm)?;
        let file = |stage: Stage| self.folder.join(format!("{}.jsonl", made_by(stage)));
        let mut reports = Vec::new();
        for stage in self.stages() {
            let began = Instant::now();
            let out = file(stage);
            let report = match stage.before() {
                None => self.collect_to(&out)?,
                Some(before) => {
                    let input = file(before);
                    let run = || self.run_stage(stage, &input, &out, llm.as_ref(), workers);
                    anew(&out, run)?
                }
            };
            tell(&Done {
                report: report.clone(),
                took: began.elapsed(),
            });
            reports.push(report);
        }
        let last = reports.last().map_or(Stage::Collect, |report| report.stage);
        self.export(&file(last), &reports)
    }

    /// The stages that there are, in their order.
    fn stages(&self) -> impl Iterator<Item = Stage> {
        let all = <Stage as strum::VariantArray>::VARIANTS.iter().copied();
        all.filter(|stage| *stage != Stage::Difficulty || self.difficulty.is_some())
    }

    fn run_stage(
        &self,
        stage: Stage,
        input: &Path,
        out: &Path,
        llm: Option<&Llm>,
        workers: usize,
    ) -> Result<StageReport, DataError> {
        match (stage, &self.difficulty) {
            (Stage::Process, _) => self.process.run(input, out, true, llm),
            (Stage::Filter, _) => self.filter.run(input, out, true),
            (Stage::Verify, _) => {
                Verifier::new(self.verify.clone(), workers)?.run(input, out, true)
            }
            (Stage::Difficulty, Some(difficulty)) => difficulty.run(input, out, true, llm, workers),
            (Stage::Collect, _) | (Stage::Difficulty, None) => self.collect_to(out),
        }
    }

    fn collect_to(&self, raw: &Path) -> Result<StageReport, DataError> {
        let settings = self.sources()?;
        if fs_err::read_to_string(made_path(raw)).is_ok_and(|made| made == settings) {
            return Ok(reports(raw)?.swap_remove(0));
        }
        for path in [raw.to_owned(), made_path(raw)] {
            remove(&path)?;
        }
        let collected = collect(&self.collect, raw)?;
        // Only now, so that a file which a killed run left is begun anew.
        fs_err::write(made_path(raw), settings)?;
        Ok(collected.report)
    }

    /// All sources with their contents, as text.
    fn sources(&self) -> Result<String, DataError> {
        let mut text = serde_json::to_string(&self.collect).expect("it has only string keys");
        for sources in &self.collect {
            for path in sources.files()? {
                text.push_str(&format!("\n{} {}", hash_file(&path)?, path.display()));
            }
        }
        Ok(text)
    }

    fn export(&self, last: &Path, reports: &[StageReport]) -> Result<(), DataError> {
        let file = |name: &str| self.folder.join(name);
        let [problems, solutions] = [file(PROBLEMS), file("solutions.jsonl")];
        for path in [&problems, &solutions] {
            remove(path)?;
        }
        let chosen = Chosen {
            input: last.to_owned(),
            licenses: Vec::new(),
        };
        export::own(&chosen, &problems, Some(&solutions))?;
        fs_err::write(file("README.md"), card(&chosen, reports, PROBLEMS)?)?;
        fs_err::write(file("report.html"), page(last, reports)?)?;
        Ok(())
    }
}

/// What is wrong with a pipeline, and in which line. The line is not shown: of a file that is no pipeline it may be of any length.
fn complaint(path: &Path, text: &str, error: &toml::de::Error) -> String {
    let before = error.span().map_or(0, |span| span.start);
    let line = text[..before].matches('\n').count() + 1;
    format!("{}, line {line}: {}", path.display(), error.message())
}

/// The name of the file that a stage writes.
fn made_by(stage: Stage) -> &'static str {
    match stage {
        Stage::Collect => "raw",
        Stage::Process => "processed",
        Stage::Filter => "filtered",
        Stage::Verify => "verified",
        Stage::Difficulty => "chosen",
    }
}

/// Run a stage, and once more from the beginning if its output is of something else.
fn anew(
    out: &Path,
    run: impl Fn() -> Result<StageReport, DataError>,
) -> Result<StageReport, DataError> {
    match run() {
        Err(DataError::Changed(_)) => {
            remove(out)?;
            run()
        }
        ran => ran,
    }
}

fn remove(path: &Path) -> Result<(), DataError> {
    match fs_err::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}
