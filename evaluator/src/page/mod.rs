//! A page of verdicts: one HTML file that needs nothing beside it, for a person to look through a run.
//!
//! What is shown of every submission stands in columns of numbers; the rest, such as its cases and its program, in deflated
//! blocks, of which the page opens the one it needs. So a hundred thousand verdicts are a file of a few megabytes.

mod columns;
mod context;
mod details;
mod request;
mod tally;

use serde::Serialize;

use crate::verdict::{Decision, VerdictRecord};
use columns::{Before, Columns};
use details::Details;
pub use details::Extras;
pub use request::PageRequest;
use tally::{PageTally, Tally};

const HTML: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Makes a page of verdicts as they come.
#[derive(Debug, Default)]
pub struct PageBuilder {
    files: Vec<String>,
    before: Option<Before>,
    columns: Columns,
    details: Details,
    tally: Tally,
}

/// All that a page shows.
#[derive(Debug, Serialize)]
pub struct PageData {
    files: Vec<String>,
    /// The file that the verdicts are compared with.
    before: Option<String>,
    /// Verdicts by the numbers that stand for them.
    decisions: Vec<&'static str>,
    columns: Columns,
    tally: PageTally,
    details: Vec<String>,
    /// Submissions in each of the blocks.
    block: usize,
    /// By what a page that is served tells whether there is more.
    stamp: Option<String>,
}

impl PageBuilder {
    /// Of the verdicts in these files.
    pub fn new(files: Vec<String>) -> PageBuilder {
        PageBuilder {
            files,
            ..PageBuilder::default()
        }
    }

    /// Compare them with the verdicts of an earlier file.
    pub fn compared_with(self, file: String) -> PageBuilder {
        let before = Some(Before::of(file));
        PageBuilder { before, ..self }
    }

    /// A verdict of that earlier file, all of which come before the others.
    pub fn add_before(&mut self, record: &VerdictRecord) {
        if let Some(before) = &mut self.before {
            before.add(record);
        }
    }

    /// A verdict, with what else is known.
    pub fn add(&mut self, record: &VerdictRecord, extras: Extras<'_>) {
        let before = self.before.as_ref().and_then(|before| before.of_id(record));
        self.columns.add(record, before);
        self.tally.add(&record.verdict);
        self.details.add(&record.verdict, extras, before);
    }

    /// All of it.
    pub fn finish(self) -> PageData {
        PageData {
            files: self.files,
            before: self.before.map(|before| before.file),
            decisions: Decision::ALL.iter().map(|it| it.name()).collect(),
            columns: self.columns,
            tally: self.tally.finish(),
            details: self.details.finish(),
            block: details::BLOCK,
            stamp: None,
        }
    }
}

impl PageData {
    /// How many verdicts it shows.
    pub fn verdicts(&self) -> usize {
        self.columns.len()
    }

    /// The same, known by this stamp to a page that looks for more.
    pub fn stamped(self, stamp: String) -> PageData {
        PageData {
            stamp: Some(stamp),
            ..self
        }
    }

    /// As JSON that may stand within a script of a page.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string(self).expect("only string keys");
        // No text in it ends the script, or begins a comment.
        json.replace('<', "\\u003c")
    }
}

/// The page. One that looks for newer data every `live` seconds finds it at `data`, beside it.
pub fn render(data: &PageData, live: Option<u64>) -> String {
    let live = live.unwrap_or(0).to_string();
    let parts = [
        ("/*style*/", STYLE),
        ("/*script*/", SCRIPT),
        ("/*live*/", &live),
        // The last, so that nothing in it is taken for a place of another part.
        ("/*data*/", &data.to_json()),
    ];
    let fill = |page: String, (place, part): (&str, &str)| page.replacen(place, part, 1);
    parts.into_iter().fold(HTML.to_owned(), fill)
}
