//! Table 1: avg@k by platform and difficulty, one row per name; beside it the length and the diversity of the responses.

use std::collections::BTreeSet;

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
    let mut lines = vec![["run".to_owned()].into_iter().chain(heads).collect()];
    for (name, records) in rows {
        let cells = columns.iter().map(|column| column.cell(records));
        let line: Vec<String> = [(*name).to_owned()].into_iter().chain(cells).collect();
        lines.push(line);
    }
    aligned(&lines)
}

/// Lines of as many cells each, the first of them flush left.
fn aligned(lines: &[Vec<String>]) -> String {
    let wide = |column: usize| {
        let widths = lines.iter().map(|line| line[column].chars().count());
        widths.max().unwrap_or(0)
    };
    let mut text = String::new();
    for line in lines {
        for (column, cell) in line.iter().enumerate() {
            let wide = wide(column);
            text += &match column {
                0 => format!("{cell:wide$}"),
                _ => format!("  {cell:>wide$}"),
            };
        }
        text.push('\n');
    }
    text
}

/// As HTML.
pub fn html(rows: &[Row<'_>]) -> String {
    let columns = columns(rows);
    let heads: String = columns
        .iter()
        .map(|column| format!("<th>{}</th>", column.head().map(escaped).join("<br>")))
        .collect();
    let body: String = rows
        .iter()
        .map(|(name, records)| {
            let cells: String = columns
                .iter()
                .map(|column| format!("<td>{}</td>", column.cell(records)))
                .collect();
            let how = records.first().map_or(String::new(), |record| how(record));
            format!("<tr><td>{}{how}</td>{cells}</tr>\n", escaped(name))
        })
        .collect();
    format!("<table>\n<tr><th>run</th>{heads}</tr>\n{body}</table>\n")
}

/// How an evaluation was made.
fn how(record: &EvaluationRecord) -> String {
    format!(
        " (avg@{}, {} tokens, T {})",
        record.samples, record.max_tokens, record.temperature
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
