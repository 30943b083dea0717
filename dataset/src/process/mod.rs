//! Makes records uniform: statements as plain text in one language, test code as one assertion a test, all of one kind if that is
//! asked for; and drops what is cut off, or whose samples and tests disagree.

mod completeness;
mod convert;
mod html;
mod language;
mod latex;
mod samples;

use std::path::Path;

use evaluator::lint::excerpt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::DataError;
use crate::llm::Llm;
use crate::pairs::pairs;
use crate::python::split_check;
use crate::record::{Dropped, Kind, Reason, Record, Stage, Test};
use crate::stage::{Job, Records, StageReport};
use completeness::Customs;

pub use html::html_to_text;
pub use latex::latex_to_text;
pub use samples::samples;

/// Records that are looked at side by side.
const CHUNK: usize = 2048;
/// Characters of evidence.
const SHOWN: usize = 300;

/// How to process.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Process {
    /// Make test code of several assertions several tests.
    pub split_tests: bool,
    /// Make functions programs (`stdin`) or programs functions (`call`).
    pub convert: Option<Kind>,
}

impl Default for Process {
    fn default() -> Process {
        Process {
            split_tests: true,
            convert: None,
        }
    }
}

impl Process {
    /// Process `input` to `out`. Statements in other languages are translated if there is a model.
    pub fn run(
        &self,
        input: &Path,
        out: &Path,
        resume: bool,
        llm: Option<&Llm>,
    ) -> Result<StageReport, DataError> {
        let customs = learn(input)?;
        let settings = (self, llm.map(Llm::name));
        let job = Job {
            stage: Stage::Process,
            input: input.to_owned(),
            out: out.to_owned(),
            settings: serde_json::to_string(&settings).expect("it has only string keys"),
            resume,
        };
        job.run(|records| {
            records.par_iter_mut().for_each(|record| {
                clean(record);
                let statement = record.statement.as_deref();
                record.written_in = statement.and_then(language::language).map(str::to_owned);
            });
            if let Some(llm) = llm {
                language::translate(records, llm)?;
            }
            records
                .par_iter_mut()
                .for_each(|record| self.process(record, &customs));
            Ok(())
        })
    }

    fn process(&self, record: &mut Record, customs: &Customs) {
        if self.split_tests {
            split_tests(record);
        }
        if let Some(image) = record.statement.as_deref().and_then(html::image) {
            record.note(Stage::Process, "image", image);
        }
        record.dropped_by = incomplete(record, customs).or_else(|| contradicted(record));
        if let Some(kind) = self.convert
            && record.is_live()
        {
            convert::convert(record, kind);
        }
    }
}

/// What is customary in the statements of each source.
fn learn(input: &Path) -> Result<Customs, DataError> {
    let mut customs = Customs::default();
    let mut records = Records::open(input)?;
    loop {
        let chunk: Result<Vec<Record>, DataError> = records.by_ref().take(CHUNK).collect();
        let mut chunk = chunk?;
        if chunk.is_empty() {
            return Ok(customs);
        }
        chunk.par_iter_mut().for_each(clean);
        let live = chunk.iter().filter(|record| record.is_live());
        customs.learn(&live.collect::<Vec<_>>());
    }
}

/// The statement as plain text.
fn clean(record: &mut Record) {
    let Some(statement) = record.statement.clone() else {
        return;
    };
    let mut what = Vec::new();
    let mut text = statement.clone();
    if html::is_html(&text) {
        text = html_to_text(&text);
        what.push("HTML");
    }
    if latex::is_latex(&text) {
        text = latex_to_text(&text);
        what.push("LaTeX");
    }
    if what.is_empty() {
        return;
    }
    record.changed(
        Stage::Process,
        "statement",
        format!("{} to text", what.join(" and ")),
        &statement,
    );
    record.statement = Some(text);
}

fn split_tests(record: &mut Record) {
    let split = |test: &Test| {
        let codes = test.code.as_deref().and_then(split_check)?;
        Some(codes.into_iter().map(Test::assert).collect::<Vec<_>>())
    };
    let parts: Vec<Option<Vec<Test>>> = record.tests.iter().map(split).collect();
    if parts.iter().all(Option::is_none) {
        return;
    }
    let before = std::mem::take(&mut record.tests);
    record.changed(Stage::Process, "tests", "one assertion a test", &before);
    let whole = before.into_iter().zip(parts);
    record.tests = whole
        .flat_map(|(test, parts)| parts.unwrap_or_else(|| vec![test]))
        .collect();
    // What a program keeps of one assertion was there in the next.
    record.one_process.get_or_insert(json!(true));
}

fn incomplete(record: &Record, customs: &Customs) -> Option<Dropped> {
    let lacks = customs.lacking(record)?;
    let end = record.statement.as_deref().map(|text| {
        let skipped = text.chars().count().saturating_sub(80);
        text.chars().skip(skipped).collect::<String>()
    });
    let evidence = json!({"lacks": lacks, "end": end});
    Some(Dropped::new(
        Stage::Process,
        Reason::IncompleteStatement,
        evidence,
    ))
}

/// A sample of the statement that a test contradicts.
fn contradicted(record: &Record) -> Option<Dropped> {
    let samples = samples(record);
    if samples.is_empty() {
        return None;
    }
    let tests = pairs(record);
    let (sample, test) = samples.iter().find_map(|sample| {
        let other = tests
            .iter()
            .find(|test| test.input == sample.input && test.output != sample.output)?;
        (!samples::mean_the_same(&sample.output, &other.output)).then_some((sample, other))
    })?;
    let evidence = json!({
        "input": excerpt(&sample.input, SHOWN),
        "sample": excerpt(&sample.output, SHOWN),
        "test": excerpt(&test.output, SHOWN),
    });
    Some(Dropped::new(
        Stage::Process,
        Reason::SampleContradictsTest,
        evidence,
    ))
}
