//! All stages one after the other, as one file describes them. What is done already is not done again.
//!
//! Each stage goes on with its output as long as that was made from the same input with the same settings; otherwise it begins
//! anew, and so does every stage after it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::card::card;
use crate::collect::{Sources, collect};
use crate::error::DataError;
use crate::export;
use crate::filter::Filter;
use crate::process::Process;
use crate::record::{Record, Stage};
use crate::stage::{Records, StageReport, hash_file, made_path};
use crate::verify::{Verifier, Verify};

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
        let wrong =
            |error: toml::de::Error| DataError::Setting(format!("{}: {error}", path.display()));
        let mut pipeline: Pipeline = toml::from_str(&text).map_err(wrong)?;
        let base = path.parent().unwrap_or(Path::new(""));
        pipeline.folder = base.join(&pipeline.folder);
        let sources = pipeline
            .collect
            .iter_mut()
            .flat_map(|sources| &mut sources.paths);
        for path in sources.chain(&mut pipeline.filter.benchmarks) {
            *path = base.join(&*path);
        }
        Ok(pipeline)
    }

    /// Run what is not done yet, `workers` programs at a time, and tell of each stage as it is done.
    pub fn run(&self, workers: usize, mut tell: impl FnMut(&Done)) -> Result<(), DataError> {
        fs_err::create_dir_all(&self.folder)?;
        let file = |name: &str| self.folder.join(name);
        let [raw, processed, filtered, verified] =
            ["raw", "processed", "filtered", "verified"].map(|name| file(&format!("{name}.jsonl")));
        let mut reports = Vec::new();
        let mut done = |began: Instant, report: StageReport| {
            let took = began.elapsed();
            tell(&Done {
                report: report.clone(),
                took,
            });
            reports.push(report);
        };
        let began = Instant::now();
        done(began, self.collect_to(&raw)?);
        let began = Instant::now();
        done(
            began,
            anew(&processed, || self.process.run(&raw, &processed, true))?,
        );
        let began = Instant::now();
        done(
            began,
            anew(&filtered, || self.filter.run(&processed, &filtered, true))?,
        );
        let began = Instant::now();
        let verifier = Verifier::new(self.verify.clone(), workers)?;
        done(
            began,
            anew(&verified, || verifier.run(&filtered, &verified, true))?,
        );
        self.export(&verified, &reports)
    }

    fn collect_to(&self, raw: &Path) -> Result<StageReport, DataError> {
        let settings = self.sources()?;
        if fs_err::read_to_string(made_path(raw)).is_ok_and(|made| made == settings) {
            return report(raw, Stage::Collect);
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

    fn export(&self, verified: &Path, reports: &[StageReport]) -> Result<(), DataError> {
        let [problems, solutions, page] =
            ["problems.jsonl", "solutions.jsonl", "README.md"].map(|name| self.folder.join(name));
        for path in [&problems, &solutions] {
            remove(path)?;
        }
        export::own(verified, &problems, Some(&solutions))?;
        fs_err::write(page, card(verified, reports)?)?;
        Ok(())
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

/// What a stage did, from what it wrote.
pub fn report(path: &Path, stage: Stage) -> Result<StageReport, DataError> {
    let mut report = StageReport::new(stage);
    for record in Records::open(path)? {
        let record: Record = record?;
        report.add(&record);
    }
    Ok(report)
}
