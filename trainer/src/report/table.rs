//! Table 1: avg@k by platform and difficulty, one row per name; beside it the length and the diversity of the responses.

use std::collections::BTreeSet;
use std::iter;

use comfy_table::{CellAlignment, ContentArrangement, Table, TableStyle};
use serde::Serialize;

use crate::run::metrics::EvaluationRecord;

use super::history::Spread;

/// A name, and an evaluation of each of its runs.
pub type Row<'a> = (&'a str, Vec<&'a EvaluationRecord>);

/// What a column tells of an evaluation.
enum Column {
    /// avg@k in %, over the problems of a platform and a difficulty.
    Accuracy(String, String),
    /// Mean length of a response.
    Length,
    /// Diversity of the responses.
    Diversity,
}

impl Column {
    fn head(&self) -> [&str; 2] {
        match self {
            Column::Accuracy(platform, difficulty) => [platform, difficulty],
            Column::Length => ["length", "tokens"],
            Column::Diversity => ["diversity", "4-grams"],
        }
    }

    fn of(&self, record: &EvaluationRecord) -> Option<f64> {
        match self {
            Column::Accuracy(platform, difficulty) => {
                let cell = record.by.get(platform)?.get(difficulty)?;
                Some(100.0 * cell.accuracy?)
            }
            Column::Length => Some(record.response_length),
            Column::Diversity => record.diversity,
        }
    }

    fn digits(&self) -> usize {
        match self {
            Column::Accuracy(..) | Column::Length => 1,
            Column::Diversity => 3,
        }
    }

    /// What the runs came to: their mean, and where they are several the least and the most.
    fn cell(&self, records: &[&EvaluationRecord]) -> String {
        let values: Vec<f64> = records.iter().filter_map(|r| self.of(r)).collect();
        let digits = self.digits();
        match Spread::of(&values) {
            None => "-".to_owned(),
            Some(one) if values.len() == 1 => format!("{:.digits$}", one.mean),
            Some(Spread { mean, least, most }) => {
                format!("{mean:.digits$} ({least:.digits$}-{most:.digits$})")
            }
        }
    }
}

/// Platforms and in each its difficulties, from easy to hard, `all` last; then what else is told.
fn columns(rows: &[Row<'_>]) -> Vec<Column> {
    let records = rows.iter().flat_map(|row| &row.1);
    let unique: BTreeSet<(&String, &String)> = records
        .flat_map(|record| &record.by)
        .flat_map(|(platform, cells)| cells.keys().map(move |difficulty| (platform, difficulty)))
        .collect();
    let platforms: BTreeSet<&String> = unique.iter().map(|(platform, _)| *platform).collect();
    let mut columns: Vec<_> = unique
        .into_iter()
        // All platforms are the one that there is.
        .filter(|(platform, _)| *platform != "all" || platforms.len() != 2)
        .collect();
    columns.sort_by_key(|(platform, difficulty)| {
        (*platform == "all", *platform, rank(difficulty), *difficulty)
    });
    let accuracies = columns
        .into_iter()
        .map(|(platform, difficulty)| Column::Accuracy(platform.clone(), difficulty.clone()));
    accuracies
        .chain([Column::Length, Column::Diversity])
        .collect()
}

fn rank(difficulty: &str) -> usize {
    let known = [
        "easy",
        "introductory",
        "medium",
        "interview",
        "hard",
        "competition",
    ];
    match difficulty.to_lowercase().as_str() {
        "all" => known.len() + 1,
        word => known.iter().position(|k| *k == word).unwrap_or(known.len()),
    }
}

/// As text, in columns.
pub fn text(rows: &[Row<'_>]) -> String {
    let columns = columns(rows);
    let heads = columns.iter().map(|column| column.head().join("/"));
    let mut table = Table::new();
    table.load_style(TableStyle::new());
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(iter::once("run".to_owned()).chain(heads));
    for (name, records) in rows {
        let cells = columns.iter().map(|column| column.cell(records));
        table.add_row(iter::once((*name).to_owned()).chain(cells));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let lines = table.lines().map(|line| line.trim_end().to_owned() + "\n");
    lines.collect()
}

/// What the page shows of a table.
#[derive(Debug, Serialize)]
pub struct Page {
    heads: Vec<Vec<String>>,
    rows: Vec<Vec<String>>,
}

/// As the page shows it: each name with how its evaluation was made.
pub fn page(rows: &[Row<'_>]) -> Page {
    let columns = columns(rows);
    let heads = columns
        .iter()
        .map(|column| column.head().map(str::to_owned).to_vec());
    let row = |(name, records): &Row<'_>| {
        let how = records.first().map_or(String::new(), |record| how(record));
        let cells = columns.iter().map(|column| column.cell(records));
        iter::once(format!("{name}{how}")).chain(cells).collect()
    };
    Page {
        heads: iter::once(vec!["run".to_owned()]).chain(heads).collect(),
        rows: rows.iter().map(row).collect(),
    }
}

/// How an evaluation was made.
fn how(record: &EvaluationRecord) -> String {
    format!(
        " (avg@{}, {} tokens, T {})",
        record.samples, record.max_tokens, record.temperature
    )
}
