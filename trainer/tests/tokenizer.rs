//! The tokenizer and its chat template against transformers: `reference/tokenizer` is made by
//! `trainer/reference/make_tokenizer.py`.

use serde_json::Value;
use std::path::{Path, PathBuf};
use trainer::config::DataConfig;
use trainer::run::setup::encode;
use trainer::tokenizer::{Message, Tokenizer};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/tokenizer")
}

fn expected() -> Value {
    let text = std::fs::read_to_string(folder().join("expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    for cases in ["texts", "chats"] {
        assert!(!expected[cases].as_array().unwrap().is_empty(), "{cases}");
    }
    expected
}

fn message(role: &str, content: &str) -> Message {
    Message {
        role: role.to_owned(),
        content: content.to_owned(),
    }
}

#[test]
fn texts_become_the_tokens_that_transformers_gives_and_back() {
    let (tokenizer, expected) = (Tokenizer::load(&folder()).unwrap(), expected());
    assert_eq!(tokenizer.end(), expected["end"].as_i64());
    for case in expected["texts"].as_array().unwrap() {
        let ids: Vec<i64> = case["ids"]
            .as_array()
            .unwrap()
            .iter()
            .map(|id| id.as_i64().unwrap())
            .collect();
        assert_eq!(
            tokenizer.encode(case["text"].as_str().unwrap()).unwrap(),
            ids
        );
        assert_eq!(
            tokenizer.decode(&ids).unwrap(),
            case["decoded"].as_str().unwrap()
        );
    }
}

#[test]
fn conversations_are_rendered_as_transformers_renders_them() {
    let tokenizer = Tokenizer::load(&folder()).unwrap();
    for case in expected()["chats"].as_array().unwrap() {
        let turn = |turn: &Value| {
            message(
                turn["role"].as_str().unwrap(),
                turn["content"].as_str().unwrap(),
            )
        };
        let turns: Vec<Message> = case["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(turn)
            .collect();
        let ours = tokenizer.chat(&turns, case["thinking"].as_bool()).unwrap();
        assert_eq!(ours, case["text"].as_str().unwrap());
    }
    let error = tokenizer
        .chat(&[message("assistant", "hello")], None)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("chat template: ") && error.contains("nobody asked"),
        "{error}"
    );
}

#[test]
fn the_ascii_tokenizer_knows_what_it_can_say() {
    let dir = tempfile::tempdir().unwrap();
    Tokenizer::ascii().save(dir.path()).unwrap();
    let tokenizer = Tokenizer::load(dir.path()).unwrap();
    let tokens = tokenizer.encode("add 2\n").unwrap();
    assert_eq!(tokens, [97, 100, 100, 32, 50, 10]);
    assert_eq!(
        tokenizer.decode(&[&tokens[..], &[1, 0]].concat()).unwrap(),
        "add 2\n"
    );
    assert_eq!(tokenizer.end(), Some(1));
    assert!(!tokenizer.has_template());
    let error = tokenizer.encode("naïve").unwrap_err().to_string();
    assert_eq!(
        error,
        "failed to encode: character 'ï' is not printable ASCII, a tab or a newline"
    );
}

#[test]
fn a_folder_without_a_tokenizer_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let error = Tokenizer::load(dir.path()).unwrap_err().to_string();
    assert!(error.contains("tokenizer.json"), "{error}");
}

#[test]
fn a_run_says_whether_the_model_thinks() {
    let tokenizer = Tokenizer::load(&folder()).unwrap();
    let asked = |thinking: Option<bool>| {
        let data = DataConfig {
            thinking,
            ..DataConfig::default()
        };
        tokenizer
            .decode(&encode(&tokenizer, &data, "hello").unwrap())
            .unwrap()
    };
    let rendered = |thinking| {
        tokenizer
            .chat(&[message("user", "hello")], thinking)
            .unwrap()
    };
    for thinking in [None, Some(true), Some(false)] {
        let told = tokenizer.encode(&rendered(thinking)).unwrap();
        assert_eq!(asked(thinking), tokenizer.decode(&told).unwrap());
    }
    assert_ne!(rendered(Some(true)), rendered(Some(false)));
}
