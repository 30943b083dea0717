//! `mc-train report` over metrics at hand: runs of one name are drawn as one, and what cannot be read is named.

#[path = "../../../evaluator/tests/support/browser.rs"]
mod browser;
mod page;
mod watch;

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

/// What of a figure belongs to a run: all that is within its groups.
fn of_run(svg: &str, run: &str) -> String {
    let start = format!("<g data-run=\"{run}\"");
    let groups = svg.split("<g").skip(1).map(|rest| format!("<g{rest}"));
    groups.filter(|group| group.starts_with(&start)).collect()
}

/// What is drawn of a line: the places of its points.
fn places(svg: &str, shape: &str) -> Vec<(f64, f64)> {
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
    let new = of_run(&svg, "new");
    let (band, line) = (places(&new, "<polygon"), places(&new, "<polyline"));
    assert_eq!((band.len(), line.len()), (6, 3), "{new}");
    let [least, most] = [band[2], band[3]];
    assert!(least.0 == most.0 && most.1 < least.1, "{band:?}");
    let middle = (least.1 + most.1) / 2.0;
    assert!((line[2].1 - middle).abs() <= 0.2, "{line:?} in {band:?}");
    assert!(new.contains("<title>new, step 3: 0.6000 (0.4000 to 0.8000)</title>"));
    let other = places(&of_run(&svg, "other"), "<polyline");
    assert!(other.iter().all(|(_, y)| *y == other[0].1), "{other:?}");
}

/// Corners of the bars: `(x, y, width, height)`.
fn rectangles(svg: &str) -> Vec<(f64, f64, f64, f64)> {
    let number = |tag: &str, key: &str| -> f64 {
        let (_, rest) = tag.split_once(&format!(" {key}=\"")).unwrap();
        rest.split_once('"').unwrap().0.parse().unwrap()
    };
    svg.split("<rect data-run")
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
            .filter(|(_, _, width, height)| *width > 30.0 && *height > 5.0)
            .collect();
        // Generation and update took time in every step, and waiting for rewards none.
        assert_eq!(bars.len(), 2 * runs.len(), "{svg}");
        assert!(
            bars.iter()
                .all(|(x, _, width, _)| *x > 50.0 && x + width < 640.0)
        );
        for name in runs {
            assert!(svg.contains(&format!(">{name}</text>")), "{name}: {svg}");
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
    assert_eq!(places(&of_run(&svg, "both"), "<polygon").len(), 4);
}

/// Runs with two difficulties, evaluated twice.
fn graded(folder: &Path, easy: [f64; 2], hard: [f64; 2]) {
    let record = |step: usize| {
        let cell = |accuracy: f64| Cell {
            problems: 2,
            accuracy: Some(accuracy),
            response_length: None,
        };
        let cells = [("easy", easy[step]), ("hard", hard[step]), ("all", 0.5)];
        let cells = cells.map(|(name, accuracy)| (name.to_owned(), cell(accuracy)));
        let record = EvaluationRecord {
            step,
            by: BTreeMap::from([("all".to_owned(), BTreeMap::from(cells))]),
            ..EvaluationRecord::default()
        };
        serde_json::to_string(&Record::Evaluation(Box::new(record))).unwrap() + "\n"
    };
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("metrics.jsonl"), record(0) + &record(1)).unwrap();
}

#[test]
fn each_difficulty_has_its_accuracy_over_steps() {
    let lab = tempfile::tempdir().unwrap();
    graded(&lab.path().join("one"), [0.5, 1.0], [0.1, 0.0]);
    report(lab.path(), &["one"]).success();
    let line = |name: &str| {
        let svg = fs::read_to_string(lab.path().join("report").join(name)).unwrap();
        places(&of_run(&svg, "one"), "<polyline")
    };
    let (easy, hard) = (line("accuracy-easy.svg"), line("accuracy-hard.svg"));
    assert_eq!((easy.len(), hard.len()), (2, 2));
    assert!(easy[1].1 < easy[0].1 && hard[1].1 > hard[0].1);
    let page = fs::read_to_string(lab.path().join("report/index.html")).unwrap();
    let order = ["(avg@k), easy", "(avg@k), hard", "Training reward"];
    let found = order.map(|title| page.find(title).unwrap());
    assert!(found.is_sorted(), "{found:?}");
}

/// What the page fetches from elsewhere would be missing where there is no network.
#[test]
fn the_page_holds_figures_and_samples_whatever_is_in_them_and_needs_nothing_else() {
    let lab = tempfile::tempdir().unwrap();
    let folder = lab.path().join("one");
    run(&folder, &[0.0, 0.2], 0.4);
    fs::create_dir(folder.join("samples")).unwrap();
    fs::write(
        folder.join("samples/step-000010.md"),
        "# Step 10\n\n## Prompt\n\n    add 3\n    ### no heading\n\n\
         ### accepted, reward 1, advantage +0.500, 5 tokens\n\n    print(1 < 2)\n\n\
         ### wrong_answer, reward 0, advantage -0.500, 9 tokens, truncated\n\n    </pre><script>bad()</script>\n",
    )
    .unwrap();
    report(lab.path(), &["<b>=one"]).success();
    let page = fs::read_to_string(lab.path().join("report/index.html")).unwrap();
    for shown in [
        "step 10</summary>",
        "add 3\n### no heading\n",
        "<summary class=\"accepted\">accepted, reward 1, advantage +0.500, 5 tokens</summary>",
        "<summary class=\"rejected\">wrong_answer, reward 0, advantage -0.500, 9 tokens, truncated</summary>",
        "print(1 &lt; 2)",
        "data-run=\"&lt;b&gt;\"",
    ] {
        assert!(page.contains(shown), "{shown}");
    }
    assert_eq!(page.matches("<script").count(), 1);
    assert!(!page.contains("<b>") && !page.contains("data-live"));
    for elsewhere in ["src=", "href=", "url(", "@import", "http://", "https://"] {
        let page = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        assert!(!page.contains(elsewhere), "{elsewhere}");
    }
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
