//! Whole runs, tested through the binary: `mc-data run`, and what is made of its result.

use std::fs;
use std::path::Path;

use crate::support::{Workshop, dropped, fixture};
use evaluator::readers;

/// The fixtures in a folder, so that a run may write beside them.
fn prepared() -> Workshop {
    let shop = Workshop::new();
    for name in [
        "apps.jsonl",
        "taco.jsonl",
        "leetcode.jsonl",
        "benchmark.jsonl",
        "pipeline.toml",
    ] {
        fs::copy(fixture(name), shop.path(name)).unwrap();
    }
    shop
}

#[test]
fn one_command_leads_from_raw_files_to_verified_problems_and_a_card() {
    let shop = prepared();
    let said = shop.run(&["run", "pipeline.toml"]);
    let stages: Vec<&str> = said
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(
        stages,
        [
            "stage",
            "collect",
            "process",
            "filter",
            "verify",
            "out/README.md"
        ]
    );
    let (problems, errors) = readers::problems(&[shop.path("out/problems.jsonl")]);
    assert!(errors.is_empty(), "{errors:?}");
    let ids: Vec<&str> = problems.iter().map(|problem| problem.id.as_str()).collect();
    assert_eq!(ids, ["1", "3", "taco.jsonl:1", "made-1"]);
    let card = shop.text("out/README.md");
    assert!(
        card.contains("| collect | 13 |  | 13 | 100.0 % |"),
        "{card}"
    );
    assert!(card.contains("| MIT | 3 | 75.0 % |"), "{card}");
    // What the platforms call EASY and introductory, though nothing is chosen by it.
    assert!(card.contains("| easy | 2 | 50.0 % |"), "{card}");
    assert!(
        card.contains("| made-2 | benchmark.jsonl: Bench/0 |"),
        "{card}"
    );
}

/// The page shows what the command prints; only the seconds are of another run.
#[test]
fn the_page_shows_what_a_run_prints() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/dataset.md");
    let page = fs::read_to_string(page).unwrap();
    let shown = page.lines().skip_while(|line| !line.starts_with("stage "));
    let shown = shown.take_while(|line| !line.starts_with("```"));
    let said = prepared().run(&["run", "pipeline.toml"]);
    let said = said.lines().take_while(|line| !line.is_empty());
    let without_seconds = |line: &str| {
        let is_seconds = |place: usize| place == 5 && !line.starts_with("stage");
        let words = line.split_whitespace().enumerate();
        let words = words.filter(|(place, _)| !is_seconds(*place));
        words.map(|(_, word)| word.to_owned()).collect::<Vec<_>>()
    };
    let shown: Vec<_> = shown.map(without_seconds).collect();
    assert_eq!(shown, said.map(without_seconds).collect::<Vec<_>>());
    assert_eq!(shown.len(), 5);
}

#[test]
fn what_is_done_is_not_done_again_until_something_changes() {
    let shop = prepared();
    shop.run(&["run", "pipeline.toml"]);
    // An edit by hand shows which stages ran again: one that did would have undone it.
    let edited = shop
        .text("out/processed.jsonl")
        .replace("Shuffle the letters", "Mix the letters");
    fs::write(shop.path("out/processed.jsonl"), &edited).unwrap();
    let changed = shop
        .text("pipeline.toml")
        .replace("min_length = 20", "min_length = 150");
    fs::write(shop.path("pipeline.toml"), changed).unwrap();
    shop.run(&["run", "pipeline.toml"]);
    assert_eq!(shop.text("out/processed.jsonl"), edited);
    let records = shop.records("out/verified.jsonl");
    let reasons: Vec<(&str, &str)> = records.iter().filter_map(dropped).collect();
    assert!(reasons.contains(&("3", "length")), "{reasons:?}");
    let changed = shop.text("pipeline.toml") + "[process]\nsplit_tests = false\n";
    fs::write(shop.path("pipeline.toml"), changed).unwrap();
    shop.run(&["run", "pipeline.toml"]);
    assert!(
        shop.text("out/processed.jsonl")
            .contains("Shuffle the letters")
    );
}

#[test]
fn difficulty_is_a_stage_where_it_is_asked_for() {
    let shop = prepared();
    let asked = shop.text("pipeline.toml") + "\n[difficulty]\nshares = { easy = 0.34 }\n";
    fs::write(shop.path("pipeline.toml"), asked).unwrap();
    let said = shop.run(&["run", "pipeline.toml"]);
    let line = said.lines().find(|line| line.starts_with("difficulty"));
    let words: Vec<&str> = line.expect("a line").split_whitespace().collect();
    assert_eq!(words[1..3], ["4", "3"], "{said}");
    assert!(said.contains("share 1"), "{said}");
    assert_eq!(shop.records("out/chosen.jsonl").len(), 13);
    assert_eq!(shop.records("out/problems.jsonl").len(), 3);
    let card = shop.text("out/README.md");
    assert!(
        card.contains("| difficulty | 4 | share 1 | 3 | 75.0 % |"),
        "{card}"
    );
    assert_eq!(
        shop.run(&["run", "pipeline.toml"]).lines().count(),
        said.lines().count()
    );
}

/// A kill leaves a stage's file cut within a line, and none of the later ones.
#[test]
fn a_killed_run_goes_on_and_loses_nothing() {
    let shop = prepared();
    shop.run(&["run", "pipeline.toml"]);
    let [filtered, problems] = ["filtered", "problems"].map(|name| format!("out/{name}.jsonl"));
    // Time limits follow the clock.
    let exported = || -> Vec<_> {
        shop.records(&problems)
            .iter()
            .map(|it| it["id"].clone())
            .collect()
    };
    let (whole, before) = (shop.text(&filtered), exported());
    fs::write(shop.path(&filtered), &whole[..whole.len() * 2 / 3]).unwrap();
    for name in [
        "verified.jsonl",
        "verified.jsonl.stage.json",
        "problems.jsonl",
    ] {
        fs::remove_file(shop.path("out").join(name)).unwrap();
    }
    shop.run(&["run", "pipeline.toml"]);
    assert_eq!(shop.text(&filtered), whole);
    assert_eq!(exported(), before);
}

#[test]
fn a_page_shows_yields_and_evidence() {
    let shop = prepared();
    shop.run(&["run", "pipeline.toml"]);
    let page = shop.text("out/report.html");
    for part in [
        ">after collect</text>",
        ">incomplete_statement</text>",
        "<h2>filter: near_duplicate (1)</h2>",
        "<td>2</td>",
        "<h2>verify: contradicting_tests (1)</h2>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn the_card_of_a_file_is_that_of_its_run() {
    let shop = prepared();
    shop.run(&["run", "pipeline.toml"]);
    shop.run(&["card", "out/verified.jsonl", "-o", "card.md"]);
    assert_eq!(shop.text("card.md"), shop.text("out/README.md"));
    shop.run(&[
        "card",
        "out/verified.jsonl",
        "-o",
        "mit.md",
        "--license-allow",
        "mit",
    ]);
    let card = shop.text("mit.md");
    assert!(card.contains("# Problems\n\n3 problems"), "{card}");
}

#[test]
fn what_is_not_allowed_to_be_given_on_is_left_out() {
    let shop = prepared();
    shop.run(&["run", "pipeline.toml"]);
    let export = [
        "export",
        "out/verified.jsonl",
        "--license-allow",
        "MIT,CC0-1.0",
        "-o",
    ];
    let said = shop.run(&[&export[..], &["problems.jsonl"]].concat());
    assert_eq!(said, "3 problems\n1 left out: no licence that is allowed\n");
    shop.run(&[&export[..], &["folder", "--to", "hf"]].concat());
    assert_eq!(
        shop.text("folder/data/train.jsonl"),
        shop.text("problems.jsonl")
    );
    let card = shop.text("folder/README.md");
    assert!(
        card.starts_with(
            "---\nconfigs:\n- config_name: default\n  data_files: data/train.jsonl\n---\n"
        ),
        "{card}"
    );
    assert!(
        card.contains("\n3 problems") && card.contains("| verify | 9 |"),
        "{card}"
    );
}

#[test]
fn a_key_that_is_not_known_is_named() {
    let shop = prepared();
    let changed = shop.text("pipeline.toml").replace("mutants", "mutant");
    fs::write(shop.path("pipeline.toml"), changed).unwrap();
    let said = shop.fails(&["run", "pipeline.toml"], 2);
    assert!(
        said.contains("pipeline.toml, line 19: unknown field `mutant`"),
        "{said}"
    );
}

/// A row of a source may be long.
#[test]
fn a_source_in_the_place_of_a_pipeline_is_not_shown() {
    let said = prepared().fails(&["run", "apps.jsonl"], 2);
    assert!(said.contains("apps.jsonl, line 1: "), "{said}");
    assert!(!said.contains("whole numbers"), "{said}");
}

#[test]
fn a_split_moves_nothing_when_records_are_added() {
    let shop = prepared();
    let parts = |folder: &str, sources: &[&str]| {
        fs::create_dir(shop.path(folder)).unwrap();
        let file = |name: &str| format!("{folder}/{name}");
        let (raw, train, held_out) = (file("raw"), file("train"), file("held_out"));
        let mut collect = vec!["collect", "-o", &raw];
        collect.extend(sources);
        shop.run(&collect);
        shop.run(&[
            "split",
            &raw,
            "--train",
            &train,
            "--held-out",
            &held_out,
            "--share",
            "0.4",
        ]);
        [train, held_out].map(|name| {
            let records = shop.records(&name).into_iter();
            records
                .map(|record| record["id"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        })
    };
    let [train, held_out] = parts("few", &["apps.jsonl"]);
    assert_eq!(train.len() + held_out.len(), 8);
    assert!(
        !train.is_empty() && !held_out.is_empty(),
        "{train:?} {held_out:?}"
    );
    let [more_train, more_held_out] =
        parts("more", &["taco.jsonl", "apps.jsonl", "leetcode.jsonl"]);
    assert!(
        train.iter().all(|id| more_train.contains(id)),
        "{train:?} {more_train:?}"
    );
    assert!(
        held_out.iter().all(|id| more_held_out.contains(id)),
        "{held_out:?} {more_held_out:?}"
    );
}

#[test]
fn rows_of_livecodebench_hold_the_same_tests() {
    let shop = prepared();
    let call = r#"{"id": "add", "kind": "call", "fn_name": "Solution.add", "tests": [{"input": [[1, 2], "a\nb"], "output": {"k": 12345678901234567890123}}]}"#;
    fs::write(shop.path("call.jsonl"), call).unwrap();
    shop.run(&[
        "collect",
        "apps.jsonl",
        "call.jsonl",
        "leetcode.jsonl",
        "-o",
        "raw.jsonl",
    ]);
    let said = shop.run(&["export", "raw.jsonl", "-o", "lcb.jsonl", "--format", "lcb"]);
    assert_eq!(
        said,
        "9 problems\n2 left out: the format has no test code\n"
    );
    let (before, _) = readers::problems(&[shop.path("apps.jsonl"), shop.path("call.jsonl")]);
    let (after, errors) = readers::problems(&[shop.path("lcb.jsonl")]);
    assert!(errors.is_empty(), "{errors:?}");
    for (one, other) in before.iter().zip(after.iter()) {
        assert_eq!(one.tests, other.tests, "{}", one.id);
    }
    assert_eq!(before.len(), after.len());
}

#[cfg(feature = "parquet")]
#[test]
fn rows_of_verl_hold_the_same_problems() {
    let shop = prepared();
    shop.run(&["collect", "apps.jsonl", "leetcode.jsonl", "-o", "raw.jsonl"]);
    shop.run(&["export", "raw.jsonl", "-o", "own.jsonl"]);
    let said = shop.run(&["export", "raw.jsonl", "-o", "train.parquet", "--to", "verl"]);
    assert_eq!(said, "10 problems\n");
    let (own, _) = readers::problems(&[shop.path("own.jsonl")]);
    let (of_verl, errors) = readers::problems(&[shop.path("train.parquet")]);
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(own.len(), 10);
    assert!(own.iter().eq(of_verl.iter()));
}

#[test]
fn folders_and_parquet_are_sources_too() {
    let shop = Workshop::new();
    let formats = |name: &str| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/formats");
        root.join(name).display().to_string()
    };
    let (folder, parquet) = (
        formats("folders/apps"),
        formats("parquet/code_contests.parquet"),
    );
    let sources: &[&str] = match cfg!(feature = "parquet") {
        true => &[&folder, &parquet],
        false => &[&folder],
    };
    shop.run(&[&["collect", "-o", "raw.jsonl"], sources].concat());
    let records = shop.records("raw.jsonl");
    let ids: Vec<&str> = records
        .iter()
        .map(|it| it["id"].as_str().unwrap())
        .collect();
    let expected = ["0000", "0001", "1_A. Sum", "p00002 Echo"];
    assert_eq!(ids, expected[..ids.len()]);
    if let Some(sum) = records.get(2) {
        let roles: Vec<&str> = sum["solutions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["role"].as_str().unwrap())
            .collect();
        assert_eq!(roles, ["reference", "wrong"]);
    }
}

#[test]
fn counts_are_tables_and_charts() {
    let shop = prepared();
    shop.run(&["run", "pipeline.toml"]);
    let said = shop.run(&["stats", "out/verified.jsonl", "--svg", "charts"]);
    assert!(said.starts_with("4 problems with "), "{said}");
    assert!(said.contains("| MIT | 3 | 75.0 % |"), "{said}");
    let chart = shop.text("charts/license.svg");
    // Of 390 at most, the bar of one licence in three is a third as long.
    for part in [
        ">MIT</text>",
        ">3</text>",
        "width=\"390\"",
        ">unknown</text>",
        "width=\"130\"",
    ] {
        assert!(chart.contains(part), "{part}: {chart}");
    }
    assert_eq!(fs::read_dir(shop.path("charts")).unwrap().count(), 10);
}
