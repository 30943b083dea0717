//! The page of a run: how many records each stage read and kept, why the others were dropped, and what shows it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use crate::chart::{Step, escaped, waterfall};
use crate::error::DataError;
use crate::record::{Reason, Stage};
use crate::stage::{Records, StageReport};

/// Records that are shown for each reason.
const SHOWN: usize = 5;
/// Characters of evidence.
const LONGEST: usize = 300;

const HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Yields</title>\n<style>\
body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em}\
td,th{text-align:left;padding:.2em .8em .2em 0;vertical-align:top}\
td.n,th.n{text-align:right}code{white-space:pre-wrap;overflow-wrap:anywhere}</style>\n<h1>Yields</h1>\n";

/// Records that were dropped, by stage and reason: how many, and the first with their evidence.
type Drops = BTreeMap<(Stage, Reason), (usize, Vec<(String, String)>)>;

/// The page of what a run wrote last, with what each stage did.
pub fn page(last: &Path, stages: &[StageReport]) -> Result<String, DataError> {
    let mut page = String::from(HEAD);
    page.push_str(&waterfall("records", &steps(stages)));
    page.push_str(&stage_table(stages));
    for ((stage, reason), (count, shown)) in drops(last)? {
        let (stage, reason) = (stage.name(), reason.name());
        let _ = write!(page, "<h2>{stage}: {reason} ({count})</h2>\n<table>\n");
        for (id, evidence) in shown {
            let (id, evidence) = (escaped(&id), escaped(&evidence));
            let _ = writeln!(
                page,
                "<tr><td>{id}</td><td><code>{evidence}</code></td></tr>"
            );
        }
        page.push_str("</table>\n");
    }
    page.push_str("</html>\n");
    Ok(page)
}

fn steps(stages: &[StageReport]) -> Vec<Step> {
    let mut steps = Vec::new();
    for stage in stages {
        if steps.is_empty() {
            steps.push(Step::Level("read".to_owned(), stage.read));
        }
        let falls = stage.dropped.iter();
        steps.extend(falls.map(|(reason, count)| Step::Fall(reason.name().to_owned(), *count)));
        let kept = format!("after {}", stage.stage.name());
        steps.push(Step::Level(kept, stage.kept));
    }
    steps
}

fn stage_table(stages: &[StageReport]) -> String {
    let mut table = String::from(
        "<table>\n<tr><th>stage</th><th class=\"n\">read</th><th class=\"n\">kept</th><th class=\"n\">share</th>\
         <th>changed and noted</th></tr>\n",
    );
    for stage in stages {
        let share = 100.0 * stage.kept as f64 / stage.read.max(1) as f64;
        let told = stage.changed.iter().chain(&stage.noted);
        let told: Vec<String> = told
            .map(|(what, count)| format!("{} {count}", escaped(what)))
            .collect();
        let _ = writeln!(
            table,
            "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{share:.1} %</td><td>{}</td></tr>",
            stage.stage.name(),
            stage.read,
            stage.kept,
            told.join(", "),
        );
    }
    table + "</table>\n"
}

fn drops(path: &Path) -> Result<Drops, DataError> {
    let mut drops = Drops::new();
    for record in Records::open(path)? {
        let record = record?;
        let Some(dropped) = record.dropped_by else {
            continue;
        };
        let (count, shown) = drops.entry((dropped.stage, dropped.reason)).or_default();
        *count += 1;
        if shown.len() < SHOWN {
            let evidence = dropped.evidence.to_string();
            shown.push((record.id, evidence.chars().take(LONGEST).collect()));
        }
    }
    Ok(drops)
}
