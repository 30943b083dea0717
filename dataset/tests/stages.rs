//! The stages, tested through the binary and with the real sandbox, on raw files in the shapes of published data sets.

mod support;

use serde_json::json;
use support::{Workshop, dropped, fixture};

#[test]
fn a_record_says_where_it_is_from() {
    let shop = Workshop::new();
    shop.run(&[
        "collect",
        &fixture("apps.jsonl"),
        "-o",
        "raw.jsonl",
        "--license",
        "MIT",
    ]);
    let records = shop.records("raw.jsonl");
    assert_eq!(records.len(), 8);
    let expected = json!({
        "source": "apps", "file": "apps.jsonl", "line": 1, "id": "1",
        "url": "https://example.org/sum", "license": "MIT",
    });
    assert_eq!(records[0]["origin"], expected);
    assert_eq!(records[0]["solutions"].as_array().unwrap().len(), 2);
}

#[test]
fn what_is_dropped_stays_with_its_evidence() {
    let shop = Workshop::new();
    shop.collect();
    shop.run(&[
        "filter",
        "raw.jsonl",
        "-o",
        "filtered.jsonl",
        "--benchmark",
        &fixture("benchmark.jsonl"),
    ]);
    shop.run(&["verify", "filtered.jsonl", "-o", "verified.jsonl"]);
    let records = shop.records("verified.jsonl");
    assert_eq!(records.len(), 10);
    let reasons: Vec<(&str, &str)> = records.iter().filter_map(dropped).collect();
    assert_eq!(
        reasons,
        [
            ("2", "near_duplicate"),
            ("4", "reference_fails"),
            ("5", "contradicting_tests"),
            ("6", "needs_checker"),
            ("7", "flaky_reference"),
            ("8", "no_reference"),
            ("made-2", "contaminated"),
        ]
    );
    let evidence = |id: &str| {
        let record = records.iter().find(|record| record["id"] == id).unwrap();
        &record["dropped_by"]["evidence"]
    };
    assert_eq!(evidence("2")["of"], "1");
    assert_eq!(evidence("4")["test"], 2);
    assert_eq!(evidence("4")["difference"]["actual"], "2");
    assert_eq!(evidence("5")["outputs"], json!(["14", "15"]));
    assert_eq!(evidence("made-2")["by"], "benchmark.jsonl: Bench/0");
}

#[test]
fn a_reference_that_fails_is_set_aside_if_another_passes() {
    let shop = Workshop::new();
    shop.collect();
    shop.run(&["verify", "raw.jsonl", "-o", "verified.jsonl"]);
    let records = shop.records("verified.jsonl");
    let vowels = records.iter().find(|record| record["id"] == "3").unwrap();
    let roles = [
        &vowels["solutions"][0]["role"],
        &vowels["solutions"][1]["role"],
    ];
    assert_eq!(roles, ["verified", "rejected"]);
    assert_eq!(vowels["notes"][0]["what"], "reference_rejected");
}

#[test]
fn what_is_left_is_judged_as_it_was_verified() {
    let shop = Workshop::new();
    shop.collect();
    shop.run(&["verify", "raw.jsonl", "-o", "verified.jsonl"]);
    shop.run(&[
        "export",
        "verified.jsonl",
        "-o",
        "problems.jsonl",
        "--solutions",
        "solutions.jsonl",
    ]);
    let (problems, errors) = evaluator::readers::problems(&[shop.path("problems.jsonl")]);
    assert!(errors.is_empty(), "{errors:?}");
    let ids: Vec<&str> = problems.iter().map(|problem| problem.id.as_str()).collect();
    assert_eq!(ids, ["1", "2", "3", "made-1", "made-2"]);
    assert_eq!(shop.records("solutions.jsonl").len(), 6);
}

#[test]
fn a_killed_stage_goes_on_where_it_was() {
    let shop = Workshop::new();
    shop.collect();
    shop.run(&["filter", "raw.jsonl", "-o", "whole.jsonl"]);
    let whole = shop.text("whole.jsonl");
    shop.run(&["filter", "raw.jsonl", "-o", "part.jsonl"]);
    let (kept, _) = whole.split_at(whole.len() / 2);
    std::fs::write(shop.path("part.jsonl"), kept).unwrap();
    shop.run(&["filter", "raw.jsonl", "-o", "part.jsonl", "--resume"]);
    assert_eq!(shop.text("part.jsonl"), whole);
}

#[test]
fn an_output_of_other_settings_is_not_gone_on_with() {
    let shop = Workshop::new();
    shop.collect();
    shop.run(&["filter", "raw.jsonl", "-o", "filtered.jsonl"]);
    let again = [
        "filter",
        "raw.jsonl",
        "-o",
        "filtered.jsonl",
        "--min-tests",
        "2",
        "--resume",
    ];
    let said = shop.fails(&again, 3);
    assert!(
        said.contains("was written from other input or with other settings"),
        "{said}"
    );
    let said = shop.fails(&["filter", "raw.jsonl", "-o", "filtered.jsonl"], 3);
    assert!(said.contains("output file already exists"), "{said}");
}

#[test]
fn a_row_that_cannot_be_read_is_named() {
    let shop = Workshop::new();
    std::fs::write(
        shop.path("broken.jsonl"),
        "{\"id\": 1, \"kind\": \"stdin\", \"tests\": []}\n",
    )
    .unwrap();
    let said = shop.fails(&["collect", "broken.jsonl", "-o", "raw.jsonl"], 3);
    assert!(
        said.contains("broken.jsonl:1: field \"tests\": has no tests"),
        "{said}"
    );
}
