//! Training with rollouts from a server: whole runs against one that speaks as vLLM does.

use trainer::run::metrics::{Record, StepRecord};

use crate::support::{Lab, WARM, steps};
use crate::vllm::{Fault, Vllm};
use assert_cmd::assert::Assert;

/// A small run; `more` are further settings.
fn train(lab: &Lab, vllm: &Vllm, more: &[&str]) -> Assert {
    let settings = [
        format!("model.path={}", WARM.join("sft/model").display()),
        "model.random=false".to_owned(),
        "rollout.from=server".to_owned(),
        "loss.correction=truncate".to_owned(),
        format!("server.url={}", vllm.server.url),
        "server.retries=0".to_owned(),
    ];
    let small = [
        "steps=2",
        "evaluation.every=0",
        "rollout.prompts=4",
        "update.prompts=4",
        "rollout.samples=4",
    ];
    let file = WARM.join("toy/run.toml").display().to_string();
    let mut arguments = vec!["grpo", "--out", "run", "--config", &file];
    let all = settings.iter().map(String::as_str).chain(small);
    arguments.extend(
        all.chain(more.iter().copied())
            .flat_map(|one| ["--set", one]),
    );
    lab.train(&arguments)
}

fn vllm(fault: Fault) -> Vllm {
    Vllm::new(&WARM.join("sft/model"), fault)
}

fn message(assert: &Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

fn accuracies(records: &[Record]) -> Vec<f64> {
    let of = |record: &Record| match record {
        Record::Evaluation(evaluation) => Some(evaluation.accuracy),
        _ => None,
    };
    records.iter().filter_map(of).collect()
}

/// The bounds are those of the run that samples by itself, after as many steps.
#[test]
fn it_learns_from_a_servers_responses() {
    let (lab, vllm) = (Lab::new(), vllm(Fault::None));
    let settings = [
        "steps=15",
        "optimizer.schedule.decay=constant",
        "evaluation.every=15",
        "evaluation.samples=1",
        "rollout.prompts=16",
        "update.prompts=8",
        "rollout.samples=8",
    ];
    train(&lab, &vllm, &settings).success();
    let run = lab.metrics("run");
    let accuracies = accuracies(&run);
    assert!(accuracies[0] < 0.45, "starts too well: {accuracies:?}");
    assert!(accuracies[1] >= 0.6, "does not learn: {accuracies:?}");
    for step in steps(&run) {
        assert!(
            step.mismatch < 1e-4,
            "other weights than ours: {}",
            step.mismatch
        );
    }
    assert_eq!(
        vllm.folders().len(),
        16,
        "before the first step and after each"
    );
    assert!(
        vllm.folders().iter().all(|folder| !folder.exists()),
        "weights are removed once they were read"
    );
}

#[test]
fn weights_go_by_the_transfer_interface_where_it_is_chosen() {
    let (lab, vllm) = (Lab::new(), vllm(Fault::None));
    let folder = format!("server.weights={}", lab.join("shared").display());
    train(&lab, &vllm, &["server.handover=transfer", &folder]).success();
    let seen = vllm.server.seen();
    let routes: Vec<&str> = seen
        .iter()
        .map(|seen| &seen.path[..])
        .filter(|path| !path.starts_with("/v1/"))
        .collect();
    let update = [
        "/pause",
        "/start_weight_update",
        "/update_weights",
        "/finish_weight_update",
        "/resume",
    ];
    assert_eq!(routes[0], "/init_weight_transfer_engine");
    assert_eq!(routes[1..], [update; 3].concat());
    let shared = lab.join("shared");
    assert!(
        vllm.folders()
            .iter()
            .all(|folder| folder.starts_with(&shared))
    );
    let mismatch = |step: &StepRecord| step.mismatch;
    assert!(
        steps(&lab.metrics("run"))
            .iter()
            .map(mismatch)
            .all(|apart| apart < 1e-4)
    );
}

#[test]
fn what_is_not_sampled_from_the_policy_is_not_learned_from() {
    for (fault, temperature, told) in [
        (
            Fault::Raw,
            "temperature.value=1.3",
            "--logprobs-mode processed_logprobs",
        ),
        (Fault::Deaf, "temperature.value=1.0", "not of this policy"),
        (Fault::Texts, "temperature.value=1.0", "`token_ids`"),
        (
            Fault::Closed,
            "temperature.value=1.0",
            "VLLM_SERVER_DEV_MODE=1",
        ),
    ] {
        let (lab, vllm) = (Lab::new(), vllm(fault));
        let ended = train(&lab, &vllm, &[temperature]).code(1);
        let message = message(&ended);
        assert!(message.contains(told), "{fault:?}: {message}");
        assert!(steps(&lab.metrics("run")).is_empty(), "{fault:?}");
    }
    let (lab, vllm) = (Lab::new(), vllm(Fault::Raw));
    train(&lab, &vllm, &[]).success();
    assert_eq!(
        steps(&lab.metrics("run")).len(),
        2,
        "at temperature 1 they are the same"
    );
}
