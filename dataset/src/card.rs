//! What a set of problems is: tables by source, licence, platform, difficulty and year, and how it came about; as a dataset card in
//! Markdown.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use crate::error::DataError;
use crate::record::{Reason, Record};
use crate::stage::{Records, StageReport};

/// Drops for contamination that are shown.
const SHOWN: usize = 20;

/// A dataset card of the live records of a file, with what each stage did. Hugging Face shows it as the page of a data set.
pub fn card(records: &Path, stages: &[StageReport]) -> Result<String, DataError> {
    let mut stats = Stats::default();
    for record in Records::open(records)? {
        stats.add(&record?);
    }
    Ok(stats.page(stages))
}

/// Counts of live records.
#[derive(Debug, Default)]
struct Stats {
    problems: usize,
    tests: usize,
    tried: usize,
    killed: usize,
    /// By what, and by its value.
    counts: BTreeMap<(&'static str, String), usize>,
    contaminated: Vec<(String, String)>,
}

impl Stats {
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
        let kind = serde_json::to_value(record.kind).ok();
        let by = [
            ("source", Some(record.origin.source.as_str())),
            ("license", record.origin.license.as_deref()),
            ("platform", record.platform.as_deref()),
            ("difficulty", record.difficulty.as_deref()),
            ("year", year),
            ("kind", kind.as_ref().and_then(|kind| kind.as_str())),
        ];
        for (what, value) in by {
            let value = value.unwrap_or("unknown").to_owned();
            *self.counts.entry((what, value)).or_default() += 1;
        }
    }

    fn page(&self, stages: &[StageReport]) -> String {
        let mut page = String::from(
            "---\nconfigs:\n- config_name: default\n  data_files: problems.jsonl\n---\n\n",
        );
        let _ = writeln!(
            page,
            "# Problems\n\n{} problems with {} tests.",
            self.problems, self.tests
        );
        if self.tried > 0 {
            let share = 100.0 * self.killed as f64 / self.tried as f64;
            let _ = writeln!(
                page,
                "The tests reject {share:.1} % of {} wrong programs.",
                self.tried
            );
        }
        page.push_str("\n## How it came about\n\n| stage | read | dropped | kept | share |\n| --- | ---: | --- | ---: | ---: |\n");
        for stage in stages {
            page.push_str(&stage_row(stage));
        }
        for what in [
            "source",
            "license",
            "platform",
            "difficulty",
            "year",
            "kind",
        ] {
            self.table(what, &mut page);
        }
        if !self.contaminated.is_empty() {
            page.push_str(
                "\n## Dropped as part of a benchmark\n\n| record | benchmark |\n| --- | --- |\n",
            );
            for (id, by) in self.contaminated.iter().take(SHOWN) {
                let _ = writeln!(page, "| {} | {} |", cell(id), cell(by));
            }
            let _ = writeln!(page, "\n{} in all.", self.contaminated.len());
        }
        page
    }

    fn table(&self, what: &str, page: &mut String) {
        let _ = write!(
            page,
            "\n| {what} | problems | share |\n| --- | ---: | ---: |\n"
        );
        for ((_, value), count) in self.counts.iter().filter(|((of, _), _)| *of == what) {
            let share = 100.0 * *count as f64 / self.problems.max(1) as f64;
            let _ = writeln!(page, "| {} | {count} | {share:.1} % |", cell(value));
        }
    }
}

fn stage_row(stage: &StageReport) -> String {
    let dropped: Vec<String> = stage
        .dropped
        .iter()
        .map(|(reason, count)| format!("{} {count}", reason.name()))
        .collect();
    let share = 100.0 * stage.kept as f64 / stage.read.max(1) as f64;
    let (name, read, kept) = (stage.stage.name(), stage.read, stage.kept);
    format!(
        "| {name} | {read} | {} | {kept} | {share:.1} % |\n",
        dropped.join(", ")
    )
}

/// A text as the cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
