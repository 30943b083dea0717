//! Runs from end to end through the command: what they write, and how they go on.

use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use trainer::run::metrics::{Record, SftRecord};

use crate::lab::{Lab, evaluations, listed, small, steps};

/// Begin a run into `killed`, and kill it as soon as it is far enough.
fn kill_when(lab: &Lab, mut command: Command, far_enough: &dyn Fn() -> bool) {
    let mut child = command.spawn().unwrap();
    let start = Instant::now();
    let metrics = lab.join("killed/metrics.jsonl");
    while !(metrics.exists() && far_enough()) && start.elapsed() < Duration::from_secs(120) {
        sleep(Duration::from_millis(20));
    }
    let reached = far_enough();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(reached, "it did not get far enough in time");
    assert!(
        !lab.join("killed/model").exists(),
        "it was killed before its end"
    );
}

#[test]
fn killed_supervised_training_goes_on_to_the_same_numbers() {
    let lab = Lab::new();
    let settings = [
        "sft.steps=60",
        "sft.batch=16",
        "sft.checkpoint_every=20",
        "evaluation.samples=1",
    ];
    lab.sft("whole", &settings).success();
    let losses = |run: &str| -> Vec<SftRecord> {
        let of = |record: &Record| match record {
            Record::Sft(record) => Some(SftRecord {
                seconds: 0.0,
                ..record.clone()
            }),
            _ => None,
        };
        lab.metrics(run).iter().filter_map(of).collect()
    };
    let reached = || losses("killed").len() >= 30;
    kill_when(&lab, lab.sft_command("killed", &settings), &reached);
    assert!(losses("killed").len() < 60);
    lab.train(&["sft", "--out", "killed", "--resume"]).success();
    lab.train(&["sft", "--out", "killed", "--resume"]).success();
    assert_eq!(evaluations(&lab.metrics("killed")).len(), 1, "told once");
    assert_eq!(losses("whole").len(), 60);
    assert_eq!(losses("whole"), losses("killed"));
    for file in [
        "model/model.safetensors",
        "checkpoints/step-000060/optimizer.safetensors",
        "checkpoints/step-000060/progress.json",
    ] {
        let read = |run: &str| fs::read(lab.join(run).join(file)).unwrap();
        assert_eq!(read("whole"), read("killed"), "{file}");
    }
    assert_eq!(
        evaluations(&lab.metrics("whole"))[0].accuracy,
        evaluations(&lab.metrics("killed"))[0].accuracy
    );
}

#[test]
fn a_killed_run_goes_on_to_the_same_numbers() {
    let lab = Lab::new();
    let settings = small(&[
        "steps=6",
        "temperature.by=diversity",
        "probe.problems=4",
        "probe.temperatures=[0.8, 1.0]",
    ]);
    lab.grpo("whole", &settings).success();
    let reached = || steps(&lab.metrics("killed")).len() >= 3;
    kill_when(&lab, lab.command("killed", &settings), &reached);
    lab.train(&["grpo", "--out", "killed", "--resume"])
        .success();
    let (whole, killed) = (lab.metrics("whole"), lab.metrics("killed"));
    assert_eq!(steps(&whole), steps(&killed));
    let accuracies = |records: &[_]| {
        evaluations(records)
            .iter()
            .map(|e| e.accuracy)
            .collect::<Vec<_>>()
    };
    assert_eq!(accuracies(&whole), accuracies(&killed));
    for file in [
        "model/model.safetensors",
        "checkpoints/step-000006/optimizer.safetensors",
    ] {
        let read = |run: &str| fs::read(lab.join(run).join(file)).unwrap();
        assert_eq!(read("whole"), read("killed"), "{file}");
    }
    let read = |run: &str| {
        fs::read_to_string(lab.join(run).join("checkpoints/step-000006/progress.json")).unwrap()
    };
    assert_eq!(read("whole"), read("killed"));
    assert_eq!(
        listed(&lab, "killed/checkpoints"),
        ["step-000004", "step-000006"]
    );
}

#[test]
fn accumulation_changes_no_number() {
    let lab = Lab::new();
    let settings = small(&[
        "steps=2",
        "evaluation.every=0",
        "loss.aggregation=sequence_mean",
        "loss.kl_beta=0.04",
    ]);
    lab.grpo("whole", &settings).success();
    let cut = [
        &settings[..],
        &[
            "update.micro_batch_tokens=100",
            "update.activation_checkpointing=true",
        ],
    ]
    .concat();
    lab.grpo("cut", &cut).success();
    let both = ["whole", "cut"].map(|run| steps(&lab.metrics(run)).len());
    assert_eq!(both, [2, 2]);
    for (whole, cut) in steps(&lab.metrics("whole"))
        .iter()
        .zip(&steps(&lab.metrics("cut")))
    {
        let near =
            |a: f64, b: f64| assert!((a - b).abs() <= 1e-5 * a.abs().max(1e-2), "{a} is not {b}");
        near(whole.loss, cut.loss);
        near(whole.gradient_norm, cut.gradient_norm);
        near(whole.divergence, cut.divergence);
        assert_eq!(whole.reward, cut.reward);
    }
}

#[test]
fn the_other_commands_ask_the_model() {
    let lab = Lab::new();
    let ask = |command: &str, out: &str| {
        lab.ask(command, out, &["evaluation.samples=2", "probe.problems=6"])
            .success()
    };
    let evaluated = ask("eval", "eval.jsonl");
    let table = String::from_utf8_lossy(&evaluated.get_output().stdout).into_owned();
    assert!(
        table.contains("toy/constant") && table.contains("toy/all"),
        "{table}"
    );
    assert!(table.contains("sft/model"), "it names the model: {table}");
    ask("generate", "solutions.jsonl");
    let solutions = evaluator::readers::submissions(&[lab.join("solutions.jsonl")]).unwrap();
    let solutions: Vec<_> = solutions.map(Result::unwrap).collect();
    assert_eq!(solutions.len(), 2 * 96);
    assert!(solutions.iter().all(|item| item.submission.code.is_some()));
    ask("probe", "probe.json");
    let probe: trainer::run::probe::Probe =
        serde_json::from_slice(&fs::read(lab.join("probe.json")).unwrap()).unwrap();
    assert_eq!(probe.probed.len(), 5);
    assert!(
        probe.probed[0].diversity < probe.probed[4].diversity,
        "hotter is more diverse: {probe:?}"
    );
    assert!(
        fs::read_to_string(lab.join("probe.svg"))
            .unwrap()
            .contains("</svg>")
    );
}

#[test]
fn a_report_draws_several_runs() {
    let lab = Lab::new();
    for (run, loss) in [("dapo", "loss.kl_beta=0.0"), ("grpo", "loss.kl_beta=0.04")] {
        lab.grpo(run, &small(&["steps=2", loss, "output.samples_every=1"]))
            .success();
    }
    lab.train(&["report", "dapo", "grpo", "--out", "report"])
        .success();
    let page = fs::read_to_string(lab.join("report/index.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 17);
    assert!(
        !page.contains("src=") && !page.contains("href="),
        "it needs nothing else"
    );
    assert!(page.contains("dapo") && page.contains("constant"));
    let table = fs::read_to_string(lab.join("report/table.txt")).unwrap();
    assert_eq!(table.lines().count(), 4, "{table}");
    let sample = fs::read_to_string(lab.join("dapo/samples/step-000001.md")).unwrap();
    assert!(
        sample.contains("## Prompt") && sample.contains("advantage") && sample.contains("print("),
        "{sample}"
    );
    assert!(!listed(&lab, "dapo/tensorboard").is_empty());
}

#[test]
fn truncated_responses_are_masked_and_stay_in_the_denominators() {
    let lab = Lab::new();
    let cut = |out: &str, mask: &str| {
        let settings = small(&[
            "steps=1",
            "evaluation.every=0",
            "rollout.max_tokens=28",
            "update.prompts=4",
            mask,
        ]);
        lab.grpo(out, &settings).success();
        steps(&lab.metrics(out)).remove(0)
    };
    let off = cut("off", "truncation.mask=off");
    let all = cut("all", "truncation.mask=all");
    let some = cut(
        "some",
        "truncation={mask = \"conditional\", conditions = {rho = 0.5, window = 4}}",
    );
    assert!(off.truncated > 0.3, "{off:?}");
    assert_eq!((off.masked, all.masked), (0.0, off.truncated));
    assert!(0.0 < some.masked && some.masked < all.masked, "{some:?}");
    assert_eq!(off.reward, all.reward);
    assert_ne!(off.gradient_norm, all.gradient_norm);
}

#[test]
fn groups_without_variance_are_dropped_or_made_up_for() {
    let lab = Lab::new();
    let run = |out: &str, policy: &str| {
        // Two responses to a prompt often fare alike.
        let settings = small(&["steps=2", "evaluation.every=0", "rollout.samples=2", policy]);
        lab.grpo(out, &settings).success();
        let steps = steps(&lab.metrics(out));
        steps.iter().map(|step| step.groups).collect::<Vec<_>>()
    };
    let kept = run("keep", "rollout.zero_variance=keep");
    let dropped = run("drop", "rollout.zero_variance=drop");
    let refilled = run("refill", "rollout.zero_variance=refill");
    assert_eq!(kept, [4, 4]);
    assert!(dropped.iter().sum::<usize>() < 8, "{dropped:?}");
    assert!(
        refilled.iter().sum::<usize>() > dropped.iter().sum(),
        "{refilled:?} {dropped:?}"
    );
    // A penalty for length sets apart responses that fared alike: they are left out all the same.
    let settings = small(&[
        "steps=2",
        "evaluation.every=0",
        "rollout.samples=2",
        "rollout.zero_variance=drop",
        "reward.overlong={buffer = 40, weight = 1.0}",
    ]);
    lab.grpo("penalised", &settings).success();
    for step in steps(&lab.metrics("penalised")) {
        assert_eq!(
            step.groups as f64,
            4.0 * (1.0 - step.zero_variance),
            "{step:?}"
        );
    }
}

#[test]
fn several_limits_are_measured_from_the_same_responses() {
    let lab = Lab::new();
    let settings = ["evaluation.samples=1", "rollout.slots=64"];
    let at = |limits: &str, out: &str| {
        let limits = format!("evaluation.max_tokens={limits}");
        lab.ask("eval", out, &[&settings[..], &[&limits]].concat())
            .success();
        evaluations(&trainer::run::metrics::read(&lab.join(out)).unwrap())
    };
    let (both, alone) = (at("[20, 48]", "both.jsonl"), at("20", "alone.jsonl"));
    let limits: Vec<usize> = both.iter().map(|record| record.max_tokens).collect();
    assert_eq!(limits, [20, 48]);
    assert!(
        both[0].truncated > both[1].truncated,
        "the shorter one cuts"
    );
    let measured = |record: &trainer::run::metrics::EvaluationRecord| {
        (
            record.accuracy,
            record.response_length,
            record.truncated,
            record.by.clone(),
        )
    };
    assert_eq!(measured(&both[0]), measured(&alone[0]));
}

/// A weight of the KL term that changes no number keeps every response in the update.
#[test]
fn responses_without_an_advantage_cost_nothing_and_change_nothing() {
    let lab = Lab::new();
    let run = |out: &str, beta: &str| {
        let beta = format!("loss.kl_beta={beta}");
        let settings = small(&["steps=1", "evaluation.every=0", "rollout.samples=2", &beta]);
        lab.grpo(out, &settings).success();
        steps(&lab.metrics(out)).remove(0)
    };
    let (skipped, kept) = (run("skipped", "0.0"), run("kept", "1e-30"));
    assert!(skipped.zero_variance > 0.0, "{skipped:?}");
    for (ours, whole) in [
        (skipped.loss, kept.loss),
        (skipped.gradient_norm, kept.gradient_norm),
    ] {
        assert!(
            (ours - whole).abs() <= 1e-4 * whole.abs() + 1e-7,
            "{skipped:?} {kept:?}"
        );
    }
    assert_ne!(skipped.entropy, kept.entropy, "fewer tokens are trained on");
}
