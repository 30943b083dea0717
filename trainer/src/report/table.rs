//! Table 1: avg@k by platform and difficulty, one row per name and limit of a response, and under each limit what the last
//! row has over the best of the others. Beside it the length and the diversity of the responses.

use std::collections::BTreeSet;
use std::iter;

use comfy_table::{CellAlignment, ContentArrangement, Table, TableStyle};
use evaluator::rates::difficulty_rank;
use serde::Serialize;

use crate::run::metrics::EvaluationRecord;

use super::history::Spread;

/// A name, and an evaluation of each of its runs.
pub type Row<'a> = (&'a str, Vec<&'a EvaluationRecord>);

/// What a column tells of an evaluation.
enum Column {
    /// avg@k in %, over the problems of a platform and a difficulty.
    Accuracy(String, String),
    /// Mean length of a response, over all problems or those of a difficulty.
    Length(Option<String>),
    /// Diversity of the responses.
    Diversity,
    /// Problems that were not asked, for their prompts are too long.
    Skipped,
}

impl Column {
    fn head(&self) -> [&str; 2] {
        match self {
            Column::Accuracy(platform, difficulty) => [platform, difficulty],
            Column::Length(None) => ["length", "tokens"],
            Column::Length(Some(difficulty)) => ["length", difficulty],
            Column::Skipped => ["problems", "too long"],
            Column::Diversity => ["diversity", "4-grams"],
        }
    }

    fn of(&self, record: &EvaluationRecord) -> Option<f64> {
        match self {
            Column::Accuracy(platform, difficulty) => {
                let cell = record.by.get(platform)?.get(difficulty)?;
                Some(100.0 * cell.accuracy?)
            }
            Column::Length(None) => Some(record.response_length),
            Column::Length(Some(difficulty)) => {
                record.by.get("all")?.get(difficulty)?.response_length
            }
            Column::Skipped => Some(record.skipped as f64),
            Column::Diversity => record.diversity,
        }
    }

    fn digits(&self) -> usize {
        match self {
            Column::Accuracy(..) | Column::Length(_) => 1,
            Column::Skipped => 0,
            Column::Diversity => 3,
        }
    }

    fn mean(&self, records: &[&EvaluationRecord]) -> Option<f64> {
        let values: Vec<f64> = records.iter().filter_map(|r| self.of(r)).collect();
        Spread::of(&values).map(|spread| spread.mean)
    }

    /// What the last row has over the best of the others; of accuracies alone.
    fn delta(&self, rows: &[&Row<'_>]) -> String {
        let (Column::Accuracy(..), Some((last, others))) = (self, rows.split_last()) else {
            return String::new();
        };
        let best = others
            .iter()
            .filter_map(|row| self.mean(&row.1))
            .max_by(f64::total_cmp);
        match (self.mean(&last.1), best) {
            (Some(last), Some(best)) => format!("{:+.1}", last - best),
            _ => "-".to_owned(),
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
    let records = || rows.iter().flat_map(|row| &row.1);
    let unique: BTreeSet<(&String, &String)> = records()
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
        (
            *platform == "all",
            *platform,
            difficulty_rank(difficulty),
            *difficulty,
        )
    });
    let all = records().filter_map(|record| record.by.get("all"));
    let measured = all
        .flatten()
        .filter(|(_, cell)| cell.response_length.is_some());
    let mut difficulties: Vec<&String> = measured.map(|(difficulty, _)| difficulty).collect();
    difficulties.sort_by_key(|difficulty| (difficulty_rank(difficulty), *difficulty));
    difficulties.dedup();
    difficulties.retain(|difficulty| *difficulty != "all");
    let lengths: Vec<Column> = difficulties
        .into_iter()
        .map(|difficulty| Column::Length(Some(difficulty.clone())))
        .collect();
    let accuracies = columns
        .into_iter()
        .map(|(platform, difficulty)| Column::Accuracy(platform.clone(), difficulty.clone()));
    let skipped = records().any(|record| record.skipped > 0);
    accuracies
        .chain([Column::Length(None)])
        .chain(lengths)
        .chain([Column::Diversity])
        .chain(skipped.then_some(Column::Skipped))
        .collect()
}

/// The cells of all rows, each with its name: those of one limit together, and what the last of them has over the others.
fn lines(rows: &[Row<'_>], named: impl Fn(&Row<'_>) -> String) -> Vec<Vec<String>> {
    let columns = columns(rows);
    let limit = |row: &Row<'_>| row.1.first().map_or(0, |record| record.max_tokens);
    let limits: BTreeSet<usize> = rows.iter().map(limit).collect();
    let mut lines = Vec::new();
    for of in limits {
        let rows: Vec<&Row<'_>> = rows.iter().filter(|row| limit(row) == of).collect();
        for row in &rows {
            let cells = columns.iter().map(|column| column.cell(&row.1));
            lines.push(iter::once(named(row)).chain(cells).collect());
        }
        if rows.len() > 1 {
            let cells = columns.iter().map(|column| column.delta(&rows));
            lines.push(iter::once(DELTA.to_owned()).chain(cells).collect());
        }
    }
    lines
}

const DELTA: &str = "last - best other";

/// As text, in columns.
pub fn text(rows: &[Row<'_>]) -> String {
    let limits: BTreeSet<usize> = rows
        .iter()
        .filter_map(|row| Some(row.1.first()?.max_tokens))
        .collect();
    let named = |row: &Row<'_>| match row.1.first() {
        Some(record) if limits.len() > 1 => format!("{} ({} tokens)", row.0, record.max_tokens),
        _ => row.0.to_owned(),
    };
    let columns = columns(rows);
    let heads = columns.iter().map(|column| column.head().join("/"));
    let mut table = Table::new();
    table.load_style(TableStyle::new());
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(iter::once("run".to_owned()).chain(heads));
    for line in lines(rows, named) {
        table.add_row(line);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let lines = table.lines().map(|line| line.trim_end().to_owned() + "\n");
    lines.collect()
}

/// What the page shows of a table.
#[derive(Debug, Serialize)]
pub struct PageTable {
    heads: Vec<Vec<String>>,
    rows: Vec<Vec<String>>,
}

/// As the page shows it: each name with how its evaluation was made.
pub fn page(rows: &[Row<'_>]) -> PageTable {
    let columns = columns(rows);
    let heads = columns
        .iter()
        .map(|column| column.head().map(str::to_owned).to_vec());
    let named = |row: &Row<'_>| {
        let how = row.1.first().map_or(String::new(), |record| how(record));
        format!("{}{how}", row.0)
    };
    PageTable {
        heads: iter::once(vec!["run".to_owned()]).chain(heads).collect(),
        rows: lines(rows, named),
    }
}

/// How an evaluation was made.
fn how(record: &EvaluationRecord) -> String {
    let mut how = format!(
        " (avg@{}, {} tokens, T {}",
        record.samples, record.max_tokens, record.temperature
    );
    if let Some(top_p) = record.top_p.filter(|top_p| *top_p < 1.0) {
        how += &format!(", top-p {top_p}");
    }
    if let Some(top_k) = record.top_k.filter(|top_k| *top_k > 0) {
        how += &format!(", top-k {top_k}");
    }
    how + ")"
}
