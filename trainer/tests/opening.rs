//! What is told before any training where model, tokenizer, configuration and corpus do not fit each other; and that a model made
//! from nothing takes its tokenizer along.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;

/// A folder with the shape of a model in `model/`, without weights, and a corpus of two pairs.
fn lab(vocabulary: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model");
    fs::create_dir(&model).unwrap();
    let shape = json!({
        "model_type": "qwen3", "vocab_size": vocabulary, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 1,
        "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "rope_theta": 10000.0,
        "tie_word_embeddings": true, "max_position_embeddings": 256,
    });
    fs::write(model.join("config.json"), shape.to_string()).unwrap();
    corpus(folder.path(), ["a", "b"]);
    folder
}

fn corpus(folder: &Path, prompts: [&str; 2]) {
    let lines = prompts.map(|prompt| format!("{}\n", json!({"prompt": prompt, "response": "c"})));
    fs::write(folder.join("corpus.jsonl"), lines.concat()).unwrap();
}

/// A model of plain ASCII.
fn ascii() -> TempDir {
    let folder = lab(128);
    let file = folder.path().join("model/tokenizer_config.json");
    fs::write(file, r#"{"tokenizer_class": "MicroCoderAscii"}"#).unwrap();
    folder
}

/// A model of so many tokens with a tokenizer of Hugging Face.
fn hugging_face(vocabulary: usize) -> TempDir {
    let folder = lab(vocabulary);
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/tokenizer");
    for file in ["tokenizer.json", "tokenizer_config.json"] {
        fs::copy(from.join(file), folder.path().join("model").join(file)).unwrap();
    }
    folder
}

/// Run a command there, with settings. Gives its exit code and what it said.
fn train(folder: &Path, command: &[&str], more: &[&str]) -> (i32, String) {
    let mut mc_train = Command::new(env!("CARGO_BIN_EXE_mc-train"));
    mc_train.current_dir(folder).args(command);
    let common = [
        "model.device=cpu",
        "data.chat=false",
        "data.template={statement}",
        "data.max_prompt=64",
        "sft.corpus=[\"corpus.jsonl\"]",
        "sft.steps=1",
        "sft.batch=2",
    ];
    for setting in common.iter().chain(more) {
        mc_train.args(["--set", setting]);
    }
    let output = mc_train.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), said)
}

const NEW: [&str; 2] = ["model.path=model", "model.random=true"];

#[track_caller]
fn refused(folder: &TempDir, command: &str, more: &[&str], parts: &[&str]) {
    let settings = [&NEW, more].concat();
    let (code, said) = train(folder.path(), &[command, "--out", "out"], &settings);
    assert_ne!(code, 0);
    for part in parts {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
    fs::remove_dir_all(folder.path().join("out")).unwrap_or_default();
}

#[test]
fn sequences_that_the_model_has_no_positions_for_are_refused() {
    let folder = ascii();
    let asked = ["data.problems=[\"absent.jsonl\"]", "rollout.max_tokens=193"];
    let bound = "makes 257 tokens, but the model's max_position_embeddings is 256";
    let longest = ["error: rollout.max_tokens: ", bound, "hint:"];
    refused(&folder, "grpo", &asked, &longest);
    let staged = "rollout.stages=[{step = 1, tokens = 193}]";
    let asked = [asked[0], "rollout.max_tokens=192", staged];
    refused(&folder, "grpo", &asked, &["error: rollout.stages: ", bound]);
    let evaluated = ["data.held_out=[\"h.jsonl\"]", "evaluation.max_tokens=193"];
    let asked = [&asked[..2], &evaluated[..]].concat();
    let longest = ["error: evaluation.max_tokens: ", bound];
    refused(&folder, "grpo", &asked, &longest);
    // As long as it was made for: the next thing that is missing is told.
    refused(&folder, "grpo", &asked[..2], &["absent.jsonl"]);
}

#[test]
fn a_tokenizer_of_more_tokens_than_the_model_is_refused() {
    let parts = [
        "error: model.path: ",
        "largest token id is",
        "vocab_size is 100",
    ];
    refused(&hugging_face(100), "sft", &[], &parts);
}

#[test]
fn a_pair_without_a_prompt_is_named() {
    let folder = ascii();
    corpus(folder.path(), ["a", ""]);
    let parts = ["corpus.jsonl", "line 2", "the prompt is empty"];
    refused(&folder, "sft", &[], &parts);
}

#[test]
fn a_model_made_from_nothing_takes_its_tokenizer_along() {
    let folder = hugging_face(1000);
    let (code, said) = train(folder.path(), &["sft", "--out", "out"], &NEW);
    assert_eq!(code, 0, "{said}");
    let problem = json!({"id": "one", "kind": "stdin", "statement": "say 1", "tests": [{"input": "", "output": "1\n"}]});
    fs::write(folder.path().join("problems.jsonl"), problem.to_string()).unwrap();
    let settings = [
        "model.path=out/model",
        "data.held_out=[\"problems.jsonl\"]",
        "evaluation.max_tokens=4",
        "evaluation.samples=1",
    ];
    let evaluate = ["eval", "--out", "measured.jsonl"];
    let (code, said) = train(folder.path(), &evaluate, &settings);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn graphs_on_a_cpu_are_refused() {
    let folder = ascii();
    let asked = ["data.problems=[\"absent.jsonl\"]", "rollout.max_tokens=64"];
    let on = [&asked[..], &["rollout.cuda_graphs=on"]].concat();
    let parts = [
        "error: rollout.cuda_graphs: ",
        "computes on the CPU",
        "hint:",
    ];
    refused(&folder, "grpo", &on, &parts);
    // What they would replay can be tried anywhere: the next thing that is missing is told.
    let rehearsed = [&asked[..], &["rollout.cuda_graphs=rehearsed"]].concat();
    refused(&folder, "grpo", &rehearsed, &["absent.jsonl"]);
    let unknown = [&asked[..], &["rollout.cuda_graphs=always"]].concat();
    refused(
        &folder,
        "grpo",
        &unknown,
        &["rollout.cuda_graphs", "rehearsed"],
    );
}
