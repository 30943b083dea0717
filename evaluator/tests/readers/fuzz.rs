//! No row, however broken, makes the readers panic.

use evaluator::readers;
use proptest::prelude::*;

use crate::{fixture, results, written};

/// All good lines of all formats.
fn lines() -> Vec<String> {
    let folder = fixture("");
    let files = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let texts = files
        .filter(|path| {
            path.extension()
                .is_some_and(|it| it == "json" || it == "jsonl")
        })
        .map(|path| std::fs::read_to_string(path).unwrap());
    texts
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// Any JSON under the names that the formats know, so that types are wrong where names are right.
fn json() -> impl Strategy<Value = serde_json::Value> {
    let names = "(id|problem_id|task_id|question_id|tests|kind|code|response|fn_name|input|output|inputs|outputs|\
                 input_output|problem|solutions|public_test_cases|private_test_cases|metadata|func_name|testtype|\
                 code_list|entry_point|prompt|test|test_list|base_input|functional|compare|float|time_limit)";
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        "(stdin|call|assert|functional|\\[\\]|\\{\\}|check\\(f\\)|assert f|```py|[a-z. ]{0,8}|\\PC{0,8})".prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::vec((names, inner), 0..8).prop_map(|members| members
                .into_iter()
                .collect::<serde_json::Map<_, _>>()
                .into()),
        ]
    })
}

fn read(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = written(&folder, "a", bytes);
    for result in results(&path) {
        if let Err(error) = result {
            assert!(!error.message.is_empty());
        }
    }
    readers::problems(&[path]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn cut_and_changed_lines_never_panic(index: prop::sample::Index, cut: prop::sample::Index, byte: u8) {
        let lines = lines();
        let mut bytes = index.get(&lines).clone().into_bytes();
        if bytes.is_empty() {
            return Ok(());
        }
        let at = cut.index(bytes.len());
        read(&bytes[..at]);
        bytes[at] = byte;
        read(&bytes);
    }

    #[test]
    fn any_json_is_read_or_refused(value in json()) {
        read(value.to_string().as_bytes());
    }

    #[test]
    fn any_bytes_are_refused(bytes: Vec<u8>) {
        read(&bytes);
        let folder = tempfile::tempdir().unwrap();
        let found = results(&written(&folder, "a", &bytes));
        prop_assert!(!found.is_empty() && found.iter().all(Result::is_err));
    }
}
