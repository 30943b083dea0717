//! What is shown of one submission at a time, in blocks of lines: JSON, deflated, in base64.

use std::io::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use super::columns::Earlier;
use super::context::{self, Context};
use crate::Problem;
use crate::problem::Tests;
use crate::verdict::{AlsoVerdict, CaseResult, Decision, Verdict};

/// Submissions in a block.
pub(super) const BLOCK: usize = 128;

/// The longest text of a test or a stream that is shown, in characters.
const SHOWN: usize = 4000;

/// What is known of a submission beside its verdict.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extras<'a> {
    /// Its program.
    pub code: Option<&'a str>,
    /// The problem it is meant to solve.
    pub problem: Option<&'a Problem>,
}

/// All submissions so far.
#[derive(Debug, Default)]
pub(super) struct Details {
    blocks: Vec<String>,
    /// Of the last block, not deflated yet.
    lines: String,
    count: usize,
}

/// A submission.
#[derive(Serialize)]
struct Detail<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<&'a str>,
    /// Why it was decided as it was before.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<&'a str>,
    profile: &'static str,
    not_run: usize,
    cases: Vec<CaseDetail<'a>>,
    also: &'a std::collections::BTreeMap<String, AlsoVerdict>,
}

/// One of its tests.
#[derive(Serialize)]
struct CaseDetail<'a> {
    #[serde(flatten)]
    case: &'a CaseResult,
    /// What it was given, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<String>,
    /// Lines about the first difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Context>,
}

impl Details {
    pub(super) fn add(&mut self, verdict: &Verdict, extras: Extras<'_>, before: Option<&Earlier>) {
        let cases = verdict.cases.iter().enumerate();
        let detail = Detail {
            code: extras.code,
            message: verdict.message.as_deref(),
            same_as: verdict.same_as.as_deref(),
            before: before.map(|before| before.reason.as_str()),
            profile: verdict.profile.name(),
            not_run: verdict.not_run,
            cases: cases
                .map(|(place, case)| case_detail(place, case, extras))
                .collect(),
            also: &verdict.also,
        };
        self.lines += &serde_json::to_string(&detail).expect("only string keys");
        self.lines.push('\n');
        self.count += 1;
        if self.count.is_multiple_of(BLOCK) {
            self.close();
        }
    }

    fn close(&mut self) {
        let mut deflated = DeflateEncoder::new(Vec::new(), Compression::default());
        let written = deflated.write_all(self.lines.as_bytes());
        let bytes = written.and_then(|()| deflated.finish());
        let bytes = bytes.expect("memory takes what is written");
        self.blocks.push(BASE64_STANDARD.encode(bytes));
        self.lines.clear();
    }

    pub(super) fn finish(mut self) -> Vec<String> {
        if !self.lines.is_empty() {
            self.close();
        }
        self.blocks
    }
}

fn case_detail<'a>(place: usize, case: &'a CaseResult, extras: Extras<'_>) -> CaseDetail<'a> {
    let test = match extras.problem.map(|problem| &problem.tests) {
        Some(Tests::Stdin(cases)) if case.verdict != Decision::Accepted => cases.get(place),
        _ => None,
    };
    let line = case.diff.as_ref().and_then(|diff| diff.line);
    CaseDetail {
        case,
        input: test.map(|test| context::head(&test.input, SHOWN)),
        context: line
            .map(|line| {
                let expected = test.map(|test| test.expected.as_str());
                Context::about(line, expected, case.stdout.as_deref())
            })
            .filter(|context| !context.is_empty()),
    }
}
