//! Runs that go wrong: what is told, and what is kept.

use std::fs;
use std::path::Path;
use std::process::Command;

use assert_cmd::assert::OutputAssertExt;
use serde_json::{Value, json};

use crate::lab::{Lab, WARM, listed, small, stderr, steps};

#[test]
fn a_full_disk_keeps_the_last_checkpoint() {
    let lab = Lab::new();
    lab.grpo("run", &small(&["steps=2"])).success();
    let before = listed(&lab, "run/checkpoints");
    // A limit on the size of files that the optimizer's is above, and nothing else: writing it fails as on a full disk. It is a
    // soft one, so that the boxes of programs can have limits of their own.
    let program = env!("CARGO_BIN_EXE_mc-train");
    let line = format!(
        "trap '' XFSZ; ulimit -S -f 4000; exec '{program}' grpo --out run --resume --set steps=4"
    );
    let mut limited = Command::new("sh");
    limited.args(["-c", &line]).current_dir(lab.join(""));
    let failed = limited.assert().code(1);
    let message = stderr(&failed);
    assert!(
        message.contains("checkpoints/step-000004") && message.contains("hint:"),
        "{message}"
    );
    assert_eq!(listed(&lab, "run/checkpoints"), before);
    lab.train(&["grpo", "--out", "run", "--resume", "--set", "steps=4"])
        .success();
    assert_eq!(steps(&lab.metrics("run")).len(), 4);
}

#[test]
fn a_loss_that_is_no_number_is_not_learned_from() {
    let lab = Lab::new();
    let settings = small(&["output.checkpoint_every=1", "evaluation.every=0"]);
    lab.grpo("run", &[&settings[..], &["steps=2"]].concat())
        .success();
    let weights = |step: &str| {
        let file = format!("run/checkpoints/{step}/model/model.safetensors");
        fs::read(lab.join(&file)).unwrap()
    };
    let good = weights("step-000002");
    let on = ["grpo", "--out", "run", "--resume", "--set", "steps=4"];
    let wild = [&on[..], &["--set", "optimizer.schedule.rate=1e38"]].concat();
    // Of two updates in a step, the first makes weights that the second's loss is no number with.
    let failed = lab.train(&wild).code(1);
    let message = stderr(&failed);
    for part in ["step 3", "the weights were left as they were", "is good"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let kept = listed(&lab, "run/checkpoints");
    assert_eq!(kept, ["step-000001", "step-000002"]);
    assert_eq!(weights("step-000002"), good);
    let tame = [&on[..], &["--set", "optimizer.schedule.rate=1e-4"]].concat();
    lab.train(&tame).success();
    assert_eq!(steps(&lab.metrics("run")).len(), 4);
}

#[test]
fn weights_that_give_no_numbers_are_in_no_checkpoint() {
    let lab = Lab::new();
    // One update a step: no later loss of the same step shows what it did.
    let settings = small(&[
        "steps=2",
        "update.prompts=4",
        "output.checkpoint_every=1",
        "evaluation.every=0",
        "optimizer.schedule.rate=1e38",
    ]);
    let failed = lab.grpo("run", &settings).code(1);
    let message = stderr(&failed);
    for part in ["step 1", "it was not saved"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(!lab.join("run/model").exists() && listed(&lab, "run/checkpoints").is_empty());
}

/// The warm model's folder, with its `config.json` changed.
fn changed(lab: &Lab, from: &str, to: &str) {
    let model = WARM.join("sft/model");
    fs::create_dir(lab.join("model")).unwrap();
    for file in ["model.safetensors", "tokenizer_config.json"] {
        fs::copy(model.join(file), lab.join("model").join(file)).unwrap();
    }
    let config = fs::read_to_string(model.join("config.json")).unwrap();
    let other = config.replace(from, to);
    assert_ne!(config, other);
    fs::write(lab.join("model/config.json"), other).unwrap();
}

#[test]
fn weights_are_not_passed_over_for_random_ones() {
    let lab = Lab::new();
    let failed = lab.grpo("run", &small(&["model.random=true"])).code(3);
    let message = stderr(&failed);
    for part in ["model.random", "holds weights", "hint: set it to false"] {
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[test]
fn a_missing_tensor_is_named() {
    let lab = Lab::new();
    changed(
        &lab,
        "\"tie_word_embeddings\": true",
        "\"tie_word_embeddings\": false",
    );
    let failed = lab.grpo("run", &small(&["model.path=model"])).code(3);
    assert!(
        stderr(&failed).contains("lm_head.weight"),
        "{}",
        stderr(&failed)
    );
}

#[test]
fn a_tensor_of_another_shape_is_named_with_both() {
    let lab = Lab::new();
    changed(
        &lab,
        "\"intermediate_size\": 256",
        "\"intermediate_size\": 320",
    );
    let failed = lab.grpo("run", &small(&["model.path=model"])).code(3);
    let message = stderr(&failed);
    for part in ["mlp.gate_proj.weight", "[256, 128]", "[320, 128]"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let missing = lab.grpo("other", &small(&["model.path=nowhere"])).code(3);
    assert!(stderr(&missing).contains("nowhere"), "{}", stderr(&missing));
}

#[test]
fn a_run_is_not_written_over_and_a_slip_is_told() {
    let lab = Lab::new();
    lab.grpo("run", &small(&["steps=1"])).success();
    let failed = lab.grpo("run", &small(&["steps=1"])).code(3);
    assert!(stderr(&failed).contains("--resume"), "{}", stderr(&failed));
    let failed = lab.grpo("other", &["rollout.sampels=4"]).code(3);
    assert!(
        stderr(&failed).contains("did you mean `samples`?"),
        "{}",
        stderr(&failed)
    );
    lab.train(&["grpo", "--out", "x", "--no-such-option"])
        .code(2);
}

/// Problems whose second test needs a module that is not there, so that the judge decides nothing about a right answer; one
/// more whose test leaves before it asks anything, whatever the program; and a corpus of four programs: one that is not decided
/// on, one that passes the first test alone, and two that fail both.
fn undecidable(folder: &Path) {
    let tests = json!([
        {"code": "assert candidate(3) >= 4"},
        {"code": "assert candidate(3) == 4\nimport nowhere"},
    ]);
    let leaves = json!([{"code": "raise SystemExit"}]);
    let problem = |statement: String, tests: &Value| {
        json!({
            "id": statement.replace(' ', "-"), "kind": "assert", "fn_name": "f", "statement": statement,
            "tests": tests,
        })
    };
    let never = format!("{}\n", problem("never 9".to_owned(), &leaves));
    fs::write(folder.join("never.jsonl"), &never).unwrap();
    let lines: String = (0..8)
        .map(|number| format!("{}\n", problem(format!("step {number}"), &tests)))
        .collect();
    fs::write(folder.join("problems.jsonl"), lines + &never).unwrap();
    let programs = ["f=lambda x:x+1", "f=lambda x:x+2", "f=lambda x:x", "f=1"];
    let prompts = (0..8)
        .map(|number| format!("step {number}\n"))
        .chain(["never 9\n".to_owned()]);
    let pairs = prompts
        .flat_map(|prompt| programs.map(|program| json!({"prompt": prompt, "response": program})));
    let lines: String = pairs.map(|pair| format!("{pair}\n")).collect();
    fs::write(folder.join("corpus.jsonl"), lines).unwrap();
}

#[test]
fn a_rollout_whose_judge_failed_is_left_out_and_counted() {
    let lab = Lab::new();
    undecidable(&lab.join(""));
    let settings = [
        "sft.corpus=[\"corpus.jsonl\"]",
        "sft.steps=60",
        "sft.batch=32",
    ];
    lab.sft("sft", &settings).success();
    let settings = [
        "model.path=sft/model",
        "data.problems=[\"problems.jsonl\"]",
        "reward.function=\"fraction\"",
        "rollout.prompts=9",
        "steps=2",
        "evaluation.every=0",
        "output.samples_every=1",
        "output.samples=9",
    ];
    let told = stderr(&lab.grpo("run", &settings).success());
    assert!(told.contains(" without a verdict "), "{told}");
    let steps = steps(&lab.metrics("run"));
    assert_eq!(steps.len(), 2);
    for step in steps {
        assert!((16..36).contains(&step.absent_rewards), "{step:?}");
        let name = format!("run/samples/step-{:06}.md", step.step);
        let samples = fs::read_to_string(lab.join(&name)).unwrap();
        let heads: Vec<&str> = samples
            .lines()
            .filter(|line| line.starts_with("###"))
            .collect();
        let decided = 72 - step.absent_rewards;
        assert_eq!(heads.len(), decided, "those left out are in no group");
        assert_eq!(samples.matches("## Prompt").count(), 8);
        assert!(!samples.contains("never"), "{samples}");
        assert!(
            !samples.contains("judge_failed") && !samples.contains("absent"),
            "{samples}"
        );
        let accepted = heads
            .iter()
            .filter(|head| head.contains("accepted"))
            .count();
        assert!(
            (step.accuracy - accepted as f64 / decided as f64).abs() < 1e-12,
            "{step:?}"
        );
        for group in samples.split("## Prompt").skip(1) {
            // Relative to those that have a reward, and to no other.
            assert!(advantages(group).abs() < 0.01, "{group}");
        }
        assert!(step.gradient_norm > 0.0);
    }
}

/// The sum of a group's advantages, as they are written.
fn advantages(group: &str) -> f64 {
    let words = group.split("advantage ").skip(1);
    words
        .map(|rest| rest.split(',').next().unwrap().parse::<f64>().unwrap())
        .sum()
}

#[test]
fn a_judge_that_fails_more_often_than_not_ends_the_run() {
    let lab = Lab::new();
    undecidable(&lab.join(""));
    let never = [
        "data.problems=[\"never.jsonl\"]",
        "steps=2",
        "evaluation.every=0",
    ];
    let failed = lab.grpo("run", &small(&never)).code(1);
    let message = stderr(&failed);
    // A program that does not compile needs no judge.
    for part in ["the judge failed on ", "problem \"never-9\"", "hint:"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert_eq!(lab.metrics("run"), [], "nothing is told of such a step");
    let held_out = ["data.held_out=[\"never.jsonl\"]"];
    let failed = stderr(&lab.ask("eval", "eval.jsonl", &held_out).code(1));
    assert!(failed.contains("the judge failed on "), "{failed}");
}

#[test]
fn problems_that_the_judge_decides_none_of_have_no_accuracy() {
    let lab = Lab::new();
    undecidable(&lab.join(""));
    let held_out = format!(
        "data.held_out=[\"{}\", \"never.jsonl\"]",
        WARM.join("toy/held_out.jsonl").display()
    );
    // It compiles whatever the model says.
    let settings = [
        "evaluation.max_tokens=1",
        "evaluation.temperature=0.0",
        &held_out,
    ];
    let told = lab.ask("eval", "eval.jsonl", &settings).success();
    let record = fs::read_to_string(lab.join("eval.jsonl")).unwrap();
    let record: Value = serde_json::from_str(&record).unwrap();
    assert_eq!(
        record["by"]["-"]["all"]["accuracy"],
        Value::Null,
        "{record}"
    );
    assert_eq!(record["absent_rewards"], 4);
    let table = String::from_utf8_lossy(&told.get_output().stdout).into_owned();
    assert!(table.lines().nth(1).unwrap().contains(" - "), "{table}");
}

#[test]
fn a_problem_that_says_nothing_is_named() {
    let lab = Lab::new();
    let problem = json!({"id": "mute", "kind": "stdin", "statement": " ", "tests": [{"input": "", "output": "1\n"}]});
    fs::write(lab.join("mute.jsonl"), format!("{problem}\n")).unwrap();
    let failed = lab
        .grpo("run", &small(&["data.problems=[\"mute.jsonl\"]"]))
        .code(3);
    let message = stderr(&failed);
    for part in ["data.problems", "\"mute\"", "data.template", "statement"] {
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[test]
fn an_input_that_is_missing_leaves_the_folder_as_it_was() {
    let lab = Lab::new();
    let missing = "data.problems=[\"missing.jsonl\"]";
    lab.grpo("run", &small(&["steps=2", missing])).code(3);
    assert!(!lab.join("run").exists());
    lab.grpo("run", &small(&["steps=2"])).success();
    let config = || fs::read_to_string(lab.join("run/config.toml")).unwrap();
    let before = config();
    let on = ["grpo", "--out", "run", "--resume"];
    lab.train(&[&on[..], &["--set", missing]].concat()).code(3);
    assert_eq!(config(), before);
}

#[test]
fn a_run_goes_on_with_its_own_data_only() {
    let lab = Lab::new();
    lab.grpo("run", &small(&["steps=2"])).success();
    let on = [
        "grpo", "--out", "run", "--resume", "--set", "steps=4", "--set",
    ];
    let with = |setting: &str| lab.train(&[&on[..], &[setting]].concat());
    let few = fs::read_to_string(WARM.join("toy/train.jsonl")).unwrap();
    let few: Vec<&str> = few.lines().take(5).collect();
    fs::write(lab.join("few.jsonl"), few.join("\n")).unwrap();
    for setting in ["seed=7", "data.problems=[\"few.jsonl\"]"] {
        let message = stderr(&with(setting).code(3));
        assert!(message.contains("other data or another seed"), "{message}");
    }
    let told = stderr(&with("loss.kl_beta=0.1").success());
    for change in [
        "--resume: loss.kl_beta: 0.0 -> 0.1",
        "--resume: steps: 2 -> 4",
    ] {
        assert!(told.contains(change), "{told}");
    }
    assert_eq!(told.matches("--resume:").count(), 2, "{told}");
    fs::remove_file(lab.join("run/metrics.jsonl")).unwrap();
    let refused = stderr(&lab.grpo("run", &small(&["steps=2"])).code(3));
    assert!(refused.contains("already holds a run"), "{refused}");
}

#[test]
fn a_model_that_is_not_there_is_told_of_by_its_setting() {
    let lab = Lab::new();
    for (settings, part) in [
        (&["model.path=nowhere"][..], "nowhere"),
        (&["model.path="], "no model is set"),
    ] {
        let failed = lab.ask("eval", "eval.jsonl", settings).code(3);
        let message = stderr(&failed);
        for part in ["model.path: ", part, "hint: it must be a local folder"] {
            assert!(message.contains(part), "{part}: {message}");
        }
    }
}

#[test]
fn a_toy_is_not_written_over() {
    let lab = Lab::new();
    lab.train(&["toy", "toy"]).success();
    let message = stderr(&lab.train(&["toy", "toy"]).code(3));
    assert!(
        message.contains("toy: already exists and is not empty"),
        "{message}"
    );
}
