//! A dataset card in Markdown: what a set of problems is, and how it came about.

use std::fmt::Write;

use crate::chosen::Chosen;
use crate::error::DataError;
use crate::stage::StageReport;
use crate::stats::{Stats, cell};

/// Drops for contamination that are shown.
const SHOWN: usize = 20;

/// A dataset card of what is chosen, with what each stage did; the problems are in the file `rows` beside it. Hugging Face shows
/// it as the page of a data set.
pub fn card(chosen: &Chosen, stages: &[StageReport], rows: &str) -> Result<String, DataError> {
    Ok(page(&Stats::of_chosen(chosen)?, stages, rows))
}

fn page(stats: &Stats, stages: &[StageReport], rows: &str) -> String {
    let mut page = format!("---\nconfigs:\n- config_name: default\n  data_files: {rows}\n---\n\n",);
    let _ = writeln!(
        page,
        "# Problems\n\n{} problems with {} tests.",
        stats.problems, stats.tests
    );
    if stats.tried > 0 {
        let share = 100.0 * stats.killed as f64 / stats.tried as f64;
        let _ = writeln!(
            page,
            "The tests reject {share:.1} % of {} wrong programs.",
            stats.tried
        );
    }
    page.push_str("\n## How it came about\n\n| stage | read | dropped | kept | share |\n| --- | ---: | --- | ---: | ---: |\n");
    for stage in stages {
        page.push_str(&stage_row(stage));
    }
    page.push_str(&stats.tables());
    if !stats.contaminated.is_empty() {
        page.push_str(
            "\n## Dropped as part of a benchmark\n\n| record | benchmark |\n| --- | --- |\n",
        );
        for (id, by) in stats.contaminated.iter().take(SHOWN) {
            let _ = writeln!(page, "| {} | {} |", cell(id), cell(by));
        }
        let _ = writeln!(page, "\n{} in all.", stats.contaminated.len());
    }
    page
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
