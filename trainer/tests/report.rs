//! `mc-train report` over metrics at hand: runs of one name are drawn as one, and what cannot be read is named.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use assert_cmd::assert::{Assert, OutputAssertExt};
use trainer::run::metrics::{Cell, EvaluationRecord, Record, Seconds, StepRecord};

fn report(folder: &Path, runs: &[&str]) -> Assert {
    Command::new(env!("CARGO_BIN_EXE_mc-train"))
        .current_dir(folder)
        .arg("report")
        .args(runs)
        .assert()
}

/// A run of one step for each reward, and an evaluation at its end.
fn run(folder: &Path, rewards: &[f64], accuracy: f64) {
    let step = |(index, reward): (usize, &f64)| {
        Record::Step(Box::new(StepRecord {
            step: index + 1,
            reward: *reward,
            seconds: Seconds {
                generation: 2.0,
                reward: 0.0,
                update: 1.0,
            },
            ..StepRecord::default()
        }))
    };
    let cell = Cell {
        problems: 1,
        accuracy: Some(accuracy),
        response_length: None,
    };
    let evaluation = EvaluationRecord {
        step: rewards.len(),
        accuracy,
        response_length: 7.0,
        by: BTreeMap::from([("all".to_owned(), BTreeMap::from([("all".to_owned(), cell)]))]),
        ..EvaluationRecord::default()
    };
    let records = rewards.iter().enumerate().map(step);
    let lines = records
        .chain([Record::Evaluation(Box::new(evaluation))])
        .map(|record| serde_json::to_string(&record).unwrap() + "\n");
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("metrics.jsonl"), lines.collect::<String>()).unwrap();
}

/// What is drawn of a line: the places of its points, as plotters writes them.
fn places(svg: &str, shape: &str) -> Vec<(i64, i64)> {
    let (_, rest) = svg
        .split_once(shape)
        .unwrap_or_else(|| panic!("no {shape}"));
    let (_, rest) = rest.split_once("points=\"").unwrap();
    let (points, _) = rest.split_once('"').unwrap();
    let place = |point: &str| {
        let (x, y) = point.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    points.split_whitespace().map(place).collect()
}

#[test]
fn runs_of_one_name_are_one_line_in_its_band() {
    let lab = tempfile::tempdir().unwrap();
    run(&lab.path().join("one"), &[0.0, 0.2, 0.4], 0.4);
    run(&lab.path().join("two"), &[0.0, 0.4, 0.8], 0.6);
    run(&lab.path().join("other"), &[0.1, 0.1, 0.1], 0.25);
    report(lab.path(), &["new=one", "new=two", "other"]).success();
    let read = |name: &str| fs::read_to_string(lab.path().join("report").join(name)).unwrap();

    let table = read("table.txt");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(
        rows[1],
        ["new", "50.0", "(40.0-60.0)", "7.0", "(7.0-7.0)", "-"],
        "{table}"
    );
    assert_eq!(rows[2], ["other", "25.0", "7.0", "-"], "{table}");
    assert!(read("index.html").contains("50.0 (40.0-60.0)"));

    // The axis grows downwards. At the last step the band goes from .4 to .8, and the line is half-way.
    let svg = read("reward.svg");
    let band = places(&svg, "<polygon");
    let [least, most] = [band[2], band[3]];
    assert_eq!((band.len(), least.0), (6, most.0), "{band:?}");
    let line = svg
        .split("<polyline")
        .skip(1)
        .map(|rest| places(&format!("<polyline{rest}"), "<polyline"))
        .find(|line| line.first() == band.first() && line.len() == 3)
        .unwrap();
    assert!(most.1 < least.1);
    assert!(
        (2 * line[2].1 - least.1 - most.1).abs() <= 2,
        "{line:?} in {band:?}"
    );
}

/// Corners of the rectangles below the title: `(x, y, width, height)`.
fn rectangles(svg: &str) -> Vec<(f64, f64, f64, f64)> {
    let number = |tag: &str, key: &str| -> f64 {
        let (_, rest) = tag.split_once(&format!(" {key}=\"")).unwrap();
        rest.split_once('"').unwrap().0.parse().unwrap()
    };
    svg.split("<rect")
        .skip(1)
        .map(|tag| {
            let of = |key| number(tag, key);
            (of("x"), of("y"), of("width"), of("height"))
        })
        .collect()
}

#[test]
fn each_run_has_a_bar_of_its_phases() {
    let lab = tempfile::tempdir().unwrap();
    run(&lab.path().join("one"), &[0.0, 0.2], 0.4);
    run(&lab.path().join("two"), &[0.0, 0.2], 0.4);
    for runs in [&["one"][..], &["one", "two"]] {
        report(lab.path(), runs).success();
        let svg = fs::read_to_string(lab.path().join("report/phases.svg")).unwrap();
        let bars: Vec<_> = rectangles(&svg)
            .into_iter()
            .filter(|(_, _, width, height)| *width > 30.0 && *height < 300.0 && *height > 5.0)
            .collect();
        // Generation and update took time in every step, and waiting for rewards none.
        assert_eq!(bars.len(), 2 * runs.len(), "{svg}");
        assert!(
            bars.iter()
                .all(|(x, _, width, _)| *x > 50.0 && x + width < 640.0)
        );
        for name in runs {
            assert!(svg.contains(&format!("\n{name}\n")), "{name}: {svg}");
        }
    }
}

#[test]
fn the_table_has_a_row_for_each_limit_and_what_the_last_has_over_the_others() {
    let lab = tempfile::tempdir().unwrap();
    let record = |accuracy: f64, max_tokens: usize| {
        let cell = Cell {
            problems: 4,
            accuracy: Some(accuracy),
            response_length: Some(10.0),
        };
        let of = |name: &str| BTreeMap::from([(name.to_owned(), cell), ("all".to_owned(), cell)]);
        let record = EvaluationRecord {
            max_tokens,
            accuracy,
            skipped: 3,
            by: BTreeMap::from([
                ("atcoder".to_owned(), of("easy")),
                ("all".to_owned(), of("easy")),
            ]),
            ..EvaluationRecord::default()
        };
        serde_json::to_string(&Record::Evaluation(Box::new(record))).unwrap() + "\n"
    };
    for (name, short, long) in [("grpo", 0.4, 0.5), ("dapo", 0.5, 0.5), ("ours", 0.6, 0.45)] {
        let text = record(short, 4096) + &record(long, 8192);
        fs::write(lab.path().join(format!("{name}.jsonl")), text).unwrap();
    }
    report(
        lab.path(),
        &["grpo=grpo.jsonl", "dapo=dapo.jsonl", "ours=ours.jsonl"],
    )
    .success();
    let table = fs::read_to_string(lab.path().join("report/table.txt")).unwrap();
    let lines: Vec<&str> = table.lines().map(str::trim).collect();
    assert_eq!(lines.len(), 9, "{table}");
    assert!(
        lines[0].contains("atcoder/easy") && lines[0].contains("length/easy"),
        "{table}"
    );
    assert!(lines[0].contains("problems/too long"), "{table}");
    assert!(
        lines[3].starts_with("ours (4096 tokens)") && lines[3].contains("60.0"),
        "{table}"
    );
    assert!(
        lines[4].starts_with("last - best other") && lines[4].contains("+10.0"),
        "{table}"
    );
    assert!(lines[8].contains("-5.0"), "{table}");
}

#[test]
fn a_line_ends_where_the_first_of_its_runs_does() {
    let lab = tempfile::tempdir().unwrap();
    run(&lab.path().join("short"), &[0.0, 0.2], 0.4);
    run(&lab.path().join("long"), &[0.0, 0.4, 0.8], 0.6);
    report(lab.path(), &["both=short", "both=long"]).success();
    let svg = fs::read_to_string(lab.path().join("report/reward.svg")).unwrap();
    assert_eq!(places(&svg, "<polygon").len(), 4);
}

#[test]
fn a_folder_may_have_a_name_with_an_equals_sign() {
    let lab = tempfile::tempdir().unwrap();
    run(&lab.path().join("rate=1e-3"), &[0.0, 1.0], 1.0);
    report(lab.path(), &["rate=1e-3"]).success();
    let table = fs::read_to_string(lab.path().join("report/table.txt")).unwrap();
    assert!(table.contains("rate=1e-3"), "{table}");
}

#[test]
fn what_cannot_be_read_is_named() {
    let lab = tempfile::tempdir().unwrap();
    fs::create_dir(lab.path().join("broken")).unwrap();
    fs::write(
        lab.path().join("broken/metrics.jsonl"),
        "{\"kind\":\"sft\",\"step\":1,\"loss\":1.0,\"gradient_norm\":1.0,\"learning_rate\":1.0,\"seconds\":1.0}\n{}\n",
    )
    .unwrap();
    for (run, part) in [
        (
            "nowhere",
            "failed to open file `nowhere/metrics.jsonl`: No such file",
        ),
        ("broken", "broken/metrics.jsonl:2: missing field `kind`"),
    ] {
        let failed = report(lab.path(), &[run]).code(3);
        let message = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
        assert!(message.contains(part), "{message}");
        assert!(!lab.path().join("report").exists());
    }
}
