//! Input that is broken, and a disk that is full: errors that name the place, and nothing is lost.

use std::fs;
use std::io::Write;

use crate::support::{Workshop, fixture};

fn collected(name: &str, bytes: &[u8]) -> String {
    let shop = Workshop::new();
    fs::write(shop.path(name), bytes).unwrap();
    shop.fails(&["collect", name, "-o", "raw.jsonl"], 3)
}

#[test]
fn what_is_wrong_with_a_source_is_said_with_its_place() {
    let good = fs::read_to_string(fixture("apps.jsonl")).unwrap();
    let first = good.lines().next().unwrap();
    let list = collected("list.jsonl", format!("{first}\n[1, 2]\n").as_bytes());
    assert!(list.contains("list.jsonl:2"), "{list}");
    let bytes = [first.as_bytes(), b"\n{\"id\": \"\xff\xfe\"}\n"].concat();
    let bytes = collected("bytes.jsonl", &bytes);
    assert!(bytes.contains("bytes.jsonl:2"), "{bytes}");
    let cut = collected(
        "cut.jsonl",
        format!("{first}\n{}\n", &first[..40]).as_bytes(),
    );
    assert!(cut.contains("cut.jsonl:2"), "{cut}");
    let empty = collected("empty.jsonl", b"");
    assert!(empty.contains("empty.jsonl: holds no row"), "{empty}");
    let missing = Workshop::new().fails(&["collect", "nowhere.jsonl", "-o", "raw.jsonl"], 3);
    assert!(missing.contains("nowhere.jsonl"), "{missing}");
}

#[test]
fn a_compressed_file_that_is_cut_is_named() {
    let text = fs::read_to_string(fixture("apps.jsonl")).unwrap();
    let mut gz = std::process::Command::new("gzip")
        .arg("-c")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    gz.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let whole = gz.wait_with_output().unwrap().stdout;
    let said = collected("apps.jsonl.gz", &whole[..whole.len() / 2]);
    assert!(said.contains("apps.jsonl.gz"), "{said}");
    let said = collected("apps.jsonl.gz", b"no gzip at all");
    assert!(said.contains("apps.jsonl.gz"), "{said}");
}

#[cfg(feature = "parquet")]
#[test]
fn a_parquet_file_that_is_none_is_named() {
    let said = collected("rows.parquet", b"PAR1 and then nothing of the kind PAR1");
    assert!(said.contains("rows.parquet"), "{said}");
}

#[test]
fn rows_that_cannot_be_read_are_passed_over_only_if_asked() {
    let shop = Workshop::new();
    let good = fs::read_to_string(fixture("apps.jsonl")).unwrap();
    fs::write(shop.path("mixed.jsonl"), format!("{good}[1]\n")).unwrap();
    let said = shop.fails(
        &[
            "collect",
            "mixed.jsonl",
            "-o",
            "raw.jsonl",
            "--skip-invalid",
        ],
        3,
    );
    assert!(said.contains("skipped 1 row"), "{said}");
    assert_eq!(shop.records("raw.jsonl").len(), good.lines().count());
}

#[test]
fn a_stage_says_what_is_no_file_of_records() {
    let shop = Workshop::new();
    shop.collect();
    fs::copy(fixture("apps.jsonl"), shop.path("apps.jsonl")).unwrap();
    let said = shop.fails(&["filter", "apps.jsonl", "-o", "filtered.jsonl"], 3);
    assert!(said.contains("apps.jsonl:1: "), "{said}");
    let verdicts = [
        "difficulty",
        "raw.jsonl",
        "-o",
        "chosen.jsonl",
        "--verdicts",
        "raw.jsonl",
    ];
    let said = shop.fails(&verdicts, 3);
    assert!(said.contains("raw.jsonl:1: "), "{said}");
    // A later stage's file has been through the earlier one.
    shop.run(&[
        "verify",
        "raw.jsonl",
        "-o",
        "verified.jsonl",
        "--mutants",
        "0",
    ]);
    shop.run(&["filter", "verified.jsonl", "-o", "after.jsonl"]);
    assert_eq!(
        shop.records("after.jsonl").len(),
        shop.records("raw.jsonl").len()
    );
}

/// `/dev/full` takes nothing, as a disk that is full.
#[test]
fn a_full_disk_is_an_error_and_not_a_short_file() {
    let shop = Workshop::new();
    shop.collect();
    std::os::unix::fs::symlink("/dev/full", shop.path("answers.jsonl")).unwrap();
    let said = shop.fails(&["export", "raw.jsonl", "-o", "answers.jsonl"], 1);
    assert!(!said.is_empty());
}
