//! What a set of problems is, in counts: by source, licence, platform, difficulty, year and more.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use crate::chart::bars;
use crate::chosen::Chosen;
use crate::difficulty;
use crate::error::DataError;
use crate::record::{Level, Reason, Record, Strength};
use crate::stage::Records;

/// What is counted, in the order of the tables.
const COUNTED: [&str; 10] = [
    "source",
    "license",
    "platform",
    "difficulty",
    "level",
    "year",
    "kind",
    "language",
    "tests",
    "strength",
];

/// The most tests of each class of problems, and what it is called.
const TESTS: [(usize, &str); 5] = [
    (1, "1"),
    (5, "2-5"),
    (20, "6-20"),
    (100, "21-100"),
    (usize::MAX, "over 100"),
];

/// The largest share of wrong programs that the tests of each class reject, and what it is called.
const STRENGTHS: [(f64, &str); 5] = [
    (0.5, "at most 50 %"),
    (0.8, "over 50 %"),
    (0.95, "over 80 %"),
    (0.9999, "over 95 %"),
    (1.0, "100 %"),
];

/// Counts of live records.
#[derive(Debug, Default)]
pub struct Stats {
    /// The problems.
    pub problems: usize,
    /// Their tests.
    pub tests: usize,
    /// Wrong programs that were tried.
    pub tried: usize,
    /// Those of them that some test rejects.
    pub killed: usize,
    /// By what, and by its value.
    counts: BTreeMap<(&'static str, String), usize>,
    /// Records that were dropped as part of a benchmark, and of which.
    pub contaminated: Vec<(String, String)>,
}

impl Stats {
    /// Of the live records of a file.
    pub fn of(records: &Path) -> Result<Stats, DataError> {
        Stats::of_chosen(&Chosen {
            input: records.to_owned(),
            licenses: Vec::new(),
        })
    }

    /// Of what is chosen of a file.
    pub fn of_chosen(chosen: &Chosen) -> Result<Stats, DataError> {
        let mut stats = Stats::default();
        for record in Records::open(&chosen.input)? {
            let record = record?;
            if !record.is_live() || chosen.allows(&record) {
                stats.add(&record);
            }
        }
        Ok(stats)
    }

    fn add(&mut self, record: &Record) {
        if let Some(dropped) = &record.dropped_by {
            if dropped.reason == Reason::Contaminated {
                let by = dropped.evidence["by"].as_str().unwrap_or_default();
                self.contaminated.push((record.id.clone(), by.to_owned()));
            }
            return;
        }
        self.problems += 1;
        self.tests += record.tests.len();
        if let Some(strength) = record.strength {
            self.tried += strength.tried;
            self.killed += strength.killed;
        }
        let year = record.origin.date.as_deref().and_then(|date| date.get(..4));
        let level = record.level.or_else(|| difficulty::stated(record));
        let kind = serde_json::to_value(record.kind).ok();
        let count = record.tests.len();
        let tests = TESTS.iter().find(|(most, _)| count <= *most);
        let share = record.strength.and_then(Strength::share);
        let strength = share.and_then(|share| STRENGTHS.iter().find(|(most, _)| share <= *most));
        let by = [
            ("source", Some(record.origin.source.as_str())),
            ("license", record.origin.license.as_deref()),
            ("platform", record.platform.as_deref()),
            ("difficulty", record.difficulty.as_deref()),
            ("level", level.map(Level::name)),
            ("year", year),
            ("kind", kind.as_ref().and_then(|kind| kind.as_str())),
            ("language", record.written_in.as_deref()),
            ("tests", tests.map(|(_, name)| *name)),
            ("strength", strength.map(|(_, name)| *name)),
        ];
        for (what, value) in by {
            let value = value.unwrap_or("unknown").to_owned();
            *self.counts.entry((what, value)).or_default() += 1;
        }
    }

    /// A table in Markdown of each thing that is counted.
    pub fn tables(&self) -> String {
        let mut page = String::new();
        for what in COUNTED {
            self.table(what, &mut page);
        }
        page
    }

    /// A chart of each, as SVG, by its name.
    pub fn charts(&self) -> Vec<(&'static str, String)> {
        let chart = |what| {
            (
                what,
                bars(&format!("problems by {what}"), &self.of_one(what)),
            )
        };
        COUNTED.into_iter().map(chart).collect()
    }

    /// The values of one thing that is counted, with their counts.
    fn of_one(&self, what: &str) -> Vec<(&str, usize)> {
        let of = self.counts.iter().filter(|((of, _), _)| *of == what);
        let counts = of.map(|((_, value), count)| (value.as_str(), *count));
        let mut counts: Vec<(&str, usize)> = counts.collect();
        // By size, not by name.
        let tests = TESTS.iter().map(|(_, name)| *name);
        let strengths = STRENGTHS.iter().map(|(_, name)| *name);
        let classes: Vec<&str> = match what {
            "tests" => tests.collect(),
            "strength" => strengths.collect(),
            _ => return counts,
        };
        counts.sort_by_key(|(value, _)| classes.iter().position(|name| name == value));
        counts
    }

    fn table(&self, what: &str, page: &mut String) {
        let _ = write!(
            page,
            "\n| {what} | problems | share |\n| --- | ---: | ---: |\n"
        );
        for (value, count) in self.of_one(what) {
            let share = 100.0 * count as f64 / self.problems.max(1) as f64;
            let _ = writeln!(page, "| {} | {count} | {share:.1} % |", cell(value));
        }
    }
}

/// A text as the cell of a table.
pub fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
