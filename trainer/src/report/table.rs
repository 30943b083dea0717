//! Table 1: avg@k by platform and difficulty, one row per name.

use std::collections::BTreeSet;

use crate::run::metrics::EvaluationRecord;

use super::history::Spread;

/// A name, and an evaluation of each of its runs.
pub type Row<'a> = (&'a str, Vec<&'a EvaluationRecord>);

/// The columns: platform and difficulty, in that order; difficulties from easy to hard, `all` last.
fn columns(rows: &[Row<'_>]) -> Vec<(String, String)> {
    let of = |record: &EvaluationRecord| {
        let pairs = record
            .by
            .iter()
            .flat_map(|(platform, cells)| cells.keys().map(move |d| (platform.clone(), d.clone())));
        pairs.collect::<Vec<_>>()
    };
    let unique: BTreeSet<(String, String)> = rows
        .iter()
        .flat_map(|row| &row.1)
        .flat_map(|record| of(record))
        .collect();
    let mut columns: Vec<_> = unique.into_iter().collect();
    columns.sort_by_key(|(platform, difficulty)| {
        (
            platform == "all",
            platform.clone(),
            rank(difficulty),
            difficulty.clone(),
        )
    });
    columns
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

/// What the runs came to in a column: their mean, and where they are several the least and the most.
fn percent(records: &[&EvaluationRecord], column: &(String, String)) -> String {
    let cells = records
        .iter()
        .filter_map(|record| record.by.get(&column.0)?.get(&column.1));
    let accuracies: Vec<f64> = cells.map(|cell| 100.0 * cell.accuracy).collect();
    match Spread::of(&accuracies) {
        None => "-".to_owned(),
        Some(one) if accuracies.len() == 1 => format!("{:.1}", one.mean),
        Some(s) => format!("{:.1} ({:.1}-{:.1})", s.mean, s.least, s.most),
    }
}

/// As text, in columns.
pub fn text(rows: &[Row<'_>]) -> String {
    let columns = columns(rows);
    let heads = columns.iter().map(|(p, d)| format!("{p}/{d}"));
    let mut lines = vec![["run".to_owned()].into_iter().chain(heads).collect()];
    for (name, records) in rows {
        let cells = columns.iter().map(|column| percent(records, column));
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
        .map(|(p, d)| format!("<th>{}<br>{}</th>", escaped(p), escaped(d)))
        .collect();
    let body: String = rows
        .iter()
        .map(|(name, records)| {
            let cells: String = columns
                .iter()
                .map(|column| format!("<td>{}</td>", percent(records, column)))
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
