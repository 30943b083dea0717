//! The resumable file of JSON lines, for a record without a checksum: as the trainer's solutions and metrics are kept.

use std::path::PathBuf;

use evaluator::jsonl::{self, JsonLines, JsonLinesError, Record};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Step {
    step: u64,
    loss: f64,
}

impl Record for Step {
    const PLURAL: &'static str = "steps";
    const START: &'static str = "{\"step\":";
    const CHECKSUM: bool = false;
}

fn step(step: u64) -> Step {
    let loss = 1.0 / step as f64;
    Step { step, loss }
}

/// A file in a folder that lives as long as the first value.
fn file(content: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("steps.jsonl");
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

fn lines(steps: &[u64]) -> String {
    let line = |number: &u64| jsonl::to_line(&step(*number));
    steps.iter().map(line).collect()
}

#[test]
fn what_is_appended_is_read_back() {
    let (_folder, path) = file("");
    let mut file = JsonLines::create(&path).unwrap();
    for number in 1..=3 {
        file.append(&step(number)).unwrap();
    }
    file.complete().unwrap();
    assert_eq!(
        jsonl::read_all::<Step>(&path).unwrap(),
        [step(1), step(2), step(3)]
    );
    let again = JsonLines::<Step>::create(&path).unwrap_err();
    assert!(matches!(again, JsonLinesError::Exists(_)), "{again}");
}

/// However much of the last line a killed writer wrote, no other line is lost and none is glued to it.
#[test]
fn a_torn_line_is_cut_off_wherever_it_tore() {
    let last = lines(&[2]);
    for torn in 0..last.len() {
        let (_folder, path) = file(&format!("{}{}", lines(&[1]), &last[..torn]));
        assert_eq!(jsonl::read_all::<Step>(&path).unwrap(), [step(1)], "{torn}");
        let (mut file, kept) = JsonLines::<Step>::resume_all(&path).unwrap();
        assert_eq!(kept, [step(1)], "{torn}");
        file.append(&step(3)).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), lines(&[1, 3]));
    }
}

#[test]
fn a_line_broken_in_the_middle_is_named() {
    let content = lines(&[1]) + "{\"step\":2,\"loss\":\"high\"}\n" + &lines(&[3]);
    let (_folder, path) = file(&content);
    let error = JsonLines::<Step>::resume_all(&path)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("steps.jsonl:2: loss: invalid type"),
        "{error}"
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
}

#[test]
fn what_somebody_else_wrote_is_left_alone() {
    for foreign in ["my notes\n", "{\"id\":1}\n", "{\"id\":1}", "[1]\n[2]\n"] {
        let (_folder, path) = file(foreign);
        let error = JsonLines::<Step>::resume_all(&path).unwrap_err();
        assert!(
            matches!(
                error,
                JsonLinesError::Foreign {
                    expected: "steps",
                    ..
                }
            ),
            "{error}"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), foreign);
    }
}

#[test]
fn a_file_has_one_writer() {
    let (_folder, path) = file("");
    let _first = JsonLines::<Step>::create(&path).unwrap();
    let second = JsonLines::<Step>::resume_all(&path).unwrap_err();
    assert!(matches!(second, JsonLinesError::Busy(_)), "{second}");
}

/// As a trainer does that goes on from a checkpoint older than its last record.
#[test]
fn records_from_some_place_on_are_dropped() {
    let (_folder, path) = file(&lines(&[1, 2, 3, 4]));
    let (mut file, mut reader) = JsonLines::<Step>::resume(&path).unwrap();
    let second = (0..2).map(|_| reader.read_next().unwrap().unwrap()).last();
    jsonl::cut(&path, second.unwrap().end).unwrap();
    file.append(&step(9)).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), lines(&[1, 2, 9]));
}
