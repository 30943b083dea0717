//! The summary of a run as text.

use std::collections::BTreeMap;

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use evaluator::Decision;
use evaluator::rates::Rates;
use evaluator::report::{Report, Unjudged};
use sandbox::Isolation;

use super::words::{on_one_line, several};

/// A rule under the header, and nothing else.
const RULED: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// The whole summary.
pub fn render(report: &Report) -> String {
    let mut text = format!("{}\n\n{}\n", rates(report), verdicts(report));
    if !report.strategies.is_empty() {
        text += &format!("\n{}\n", strategies(&report.strategies));
    }
    if !report.also.is_empty() {
        text += &format!("\n{}\n", also(report));
    }
    text + "\n" + &closing(report)
}

fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(RULED);
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header);
    table
}

/// Numbers stand to the right: all columns from `first` on.
fn align(table: &mut Table, first: usize) {
    for column in table.column_iter_mut().skip(first) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// pass@1, avg@k and pass@k by platform and difficulty.
fn rates(report: &Report) -> Table {
    let (fewest, most) = report.all.samples_per_problem;
    let avg = if fewest == most {
        format!("avg@{most}")
    } else {
        format!("avg@{fewest}-{most}")
    };
    let ks: Vec<u32> = report.all.pass.keys().copied().filter(|k| *k > 1).collect();
    let mut table = table([
        "platform",
        "difficulty",
        "problems",
        "samples",
        "pass@1",
        &avg,
    ]);
    let mut header = table.header().expect("set above").clone();
    for k in &ks {
        header.add_cell(format!("pass@{k}").into());
    }
    table.set_header(header);
    let all = (report.groups.len() > 1).then_some(&report.all);
    for group in report.groups.iter().chain(all) {
        table.add_row(rates_row(group, &ks));
    }
    align(&mut table, 2);
    table
}

fn rates_row(group: &Rates, ks: &[u32]) -> Vec<String> {
    let pass = |k: u32| {
        group
            .pass
            .get(&k)
            .map_or("-".to_owned(), |rate| percent(*rate))
    };
    let mut row = vec![
        group.platform.clone(),
        group.difficulty.clone(),
        group.problems.to_string(),
        group.samples.to_string(),
        pass(1),
        if group.samples > 0 {
            percent(group.avg)
        } else {
            "-".to_owned()
        },
    ];
    row.extend(ks.iter().map(|k| pass(*k)));
    row
}

fn verdicts(report: &Report) -> Table {
    let mut table = table(["verdict", "submissions", "share"]);
    for decision in Decision::ALL {
        if let Some(count) = report.verdicts.get(decision.name()) {
            let share = *count as f64 / report.submissions as f64;
            table.add_row([
                decision.name().to_owned(),
                count.to_string(),
                percent(share),
            ]);
        }
    }
    align(&mut table, 1);
    table
}

fn strategies(strategies: &BTreeMap<String, u64>) -> Table {
    let mut table = table(["accepted by", "tests"]);
    for (strategy, count) in strategies {
        table.add_row([strategy.clone(), count.to_string()]);
    }
    align(&mut table, 1);
    table
}

fn also(report: &Report) -> Table {
    let otherwise = format!("unlike {}", report.profile);
    let mut table = table(["also judged by", "accepted", &otherwise]);
    for (profile, count) in &report.also {
        let (accepted, disagrees) = (count.accepted.to_string(), count.disagrees.to_string());
        table.add_row([profile.clone(), accepted, disagrees]);
    }
    align(&mut table, 1);
    table
}

/// The lines below the tables.
fn closing(report: &Report) -> String {
    let totals = format!(
        "{}, {} in {:.1} s: {:.0} submissions/s, {:.0} tests/s\n",
        several(report.submissions, "submission"),
        several(report.tests, "test"),
        report.seconds,
        report.submissions_per_second,
        report.tests_per_second
    );
    let protection = format!(
        "isolation: {}; python {}\n",
        isolation(&report.isolation),
        report.interpreter
    );
    totals + &notes(report) + &unjudged(report) + &protection
}

/// A line for each thing that a reader of the rates should know and that happened.
fn notes(report: &Report) -> String {
    let notes = [
        (
            report.kept,
            "verdict was kept from a previous run",
            "verdicts were kept from a previous run",
        ),
        (
            report.duplicates,
            "submission repeats another program and was not run (--no-dedup)",
            "submissions repeat another program and were not run (--no-dedup)",
        ),
        (
            report.reruns,
            "test came close to the time limit and was run again alone",
            "tests came close to the time limit and were run again alone",
        ),
        (
            report.unshielded,
            "test ran in the same process as its candidate (--allow-unshielded)",
            "tests ran in the same process as their candidates (--allow-unshielded)",
        ),
        (
            report.several_answers,
            "wrong answer may be right, as its problem accepts several answers",
            "wrong answers may be right, as their problems accept several answers",
        ),
        (
            report.invalid,
            "invalid line was skipped",
            "invalid lines were skipped",
        ),
    ];
    let line = |(count, one, many)| match count {
        0 => String::new(),
        1 => format!("1 {one}\n"),
        _ => format!("{count} {many}\n"),
    };
    notes.map(line).concat()
}

/// Which submissions could not be judged, and why.
fn unjudged(report: &Report) -> String {
    let count = report.verdicts.get(Decision::JudgeFailed.name());
    let mut text = match count.copied().unwrap_or(0) {
        0 => return String::new(),
        1 => "1 submission could not be judged and is excluded from all rates:\n".to_owned(),
        n => format!("{n} submissions could not be judged and are excluded from all rates:\n"),
    };
    for Unjudged { id, reason } in &report.unjudged {
        text += &format!("  {}: {reason}\n", on_one_line(id));
    }
    let more = count.copied().unwrap_or(0) - report.unjudged.len() as u64;
    if more > 0 {
        text += &format!("  and {more} more\n");
    }
    text
}

/// What protects a run, in one line.
pub fn isolation(isolation: &Isolation) -> String {
    let namespaces = match isolation.namespaces.as_slice() {
        [] => "no namespaces".to_owned(),
        names => format!("namespaces {}", names.join(" ")),
    };
    let seccomp = if isolation.seccomp {
        "seccomp"
    } else {
        "no seccomp"
    };
    let landlock = match isolation.landlock {
        0 => "no landlock".to_owned(),
        abi => match isolation.landlock_gaps().as_slice() {
            [] => format!("landlock {abi}"),
            gaps => format!("landlock {abi} (without {})", gaps.join(", ")),
        },
    };
    let cgroup = isolation
        .cgroup
        .as_ref()
        .map_or("no cgroup".to_owned(), |v| format!("cgroup {v}"));
    format!("{namespaces}; {seccomp}; {landlock}; {cgroup}")
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
