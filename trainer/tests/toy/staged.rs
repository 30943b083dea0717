//! What changes over a run: the temperature by stages, by a probe and by a watch over diversity; the length by stages.

use trainer::run::metrics::StepRecord;
use trainer::run::probe::Probe;

use crate::lab::{Lab, small, steps};

fn run(lab: &Lab, out: &str, settings: &[&str]) -> Vec<StepRecord> {
    let settings = [&["evaluation.every=0"], settings].concat();
    lab.grpo(out, &small(&settings)).success();
    steps(&lab.metrics(out))
}

fn temperatures(steps: &[StepRecord]) -> Vec<f64> {
    steps.iter().map(|step| step.temperature).collect()
}

#[test]
fn the_temperature_changes_at_its_stages() {
    let lab = Lab::new();
    let settings = [
        "steps=3",
        "optimizer.schedule.rate=0.0",
        "temperature.by=stages",
        "temperature.value=0.2",
        "temperature.stages=[{step = 1, value = 1.0}, {step = 2, value = 2.0}]",
    ];
    let whole = run(&lab, "run", &settings);
    assert_eq!(temperatures(&whole), [0.2, 1.0, 2.0]);
    assert!(
        whole[0].diversity < whole[1].diversity && whole[1].diversity < whole[2].diversity,
        "it is sampled at: {whole:?}"
    );
    assert!(whole.iter().all(|step| step.mismatch < 1e-4), "{whole:?}");
}

#[test]
fn a_probe_picks_the_temperature_to_train_at() {
    let lab = Lab::new();
    let probing = [
        "probe.temperatures=[0.2, 0.9, 1.6]",
        "probe.problems=6",
        "temperature.by=diversity",
    ];
    lab.ask("probe", "probe.json", &probing).success();
    let text = std::fs::read(lab.join("probe.json")).unwrap();
    let probe: Probe = serde_json::from_slice(&text).unwrap();
    let seen: Vec<f64> = probe.probed.iter().map(|probed| probed.diversity).collect();
    assert!(seen[0] < seen[1] && seen[1] < seen[2], "{probe:?}");
    let best = probe.probed.iter().map(|probed| probed.accuracy);
    let best = best.fold(0.0, f64::max);
    assert!(
        probe.probed[2].accuracy < best,
        "so hot that it harms: {probe:?}"
    );
    let chosen = |out: &str, convergence: f64, loss: f64| {
        let convergence = format!("probe.convergence={convergence}");
        let loss = format!("probe.accuracy_loss={loss:?}");
        let settings = [&probing[..], &["steps=1", &convergence, &loss]].concat();
        run(&lab, out, &settings)[0].temperature
    };
    let between = |low: usize| (seen[low] + seen[low + 1]) / 2.0;
    assert_eq!(chosen("low", seen[0] - 1e-3, 1.0), 0.2);
    assert_eq!(chosen("middle", between(0), 1.0), 0.9);
    assert_eq!(chosen("high", between(1), 1.0), 1.6);
    // None that keeps the accuracy is diverse enough: the nearest below is taken, and not the hottest.
    assert_ne!(chosen("kept", between(1), 0.0), 1.6);
}

#[test]
fn a_decline_of_diversity_is_warned_of_or_moves_on_to_the_next_stage() {
    let lab = Lab::new();
    // Any decline from one step to the next counts, whatever its level.
    let watch = [
        "steps=6",
        "optimizer.schedule.rate=0.0",
        "temperature.decline={threshold = 1.0, window = 1, patience = 1}",
    ];
    let warned = run(&lab, "constant", &watch);
    assert_eq!(temperatures(&warned), [1.0; 6]);
    let first = warned.iter().position(|step| step.warning.is_some());
    let first = first.expect("six steps without a decline");
    let (before, after) = (&warned[first - 1], &warned[first]);
    assert!(after.diversity < before.diversity, "{warned:?}");
    let rises = warned[..first].windows(2);
    for pair in rises {
        assert!(pair[0].diversity <= pair[1].diversity, "{warned:?}");
    }
    let deciding = [
        &watch[..],
        &[
            "temperature.by=diversity",
            "probe.temperatures=[1.0]",
            "probe.problems=2",
            "temperature.stages=[{step = 0, value = 1.3}]",
        ],
    ]
    .concat();
    let moved = run(&lab, "diversity", &deciding);
    let told = moved[first].warning.clone().unwrap();
    assert!(told.contains("temperature 1 -> 1.3"), "{told}");
    let expected: Vec<f64> = (0..6)
        .map(|step| if step <= first { 1.0 } else { 1.3 })
        .collect();
    assert_eq!(temperatures(&moved), expected);
    let later = moved[first + 1..]
        .iter()
        .find_map(|step| step.warning.clone());
    assert!(
        later.is_none_or(|told| told.contains("no higher")),
        "there is one stage: {moved:?}"
    );
}

#[test]
fn responses_may_be_longer_from_a_stage_on() {
    let lab = Lab::new();
    let settings = [
        "steps=3",
        "optimizer.schedule.rate=0.0",
        "rollout.max_tokens=8",
        "rollout.stages=[{step = 1, tokens = 24}, {step = 2, tokens = 48}]",
    ];
    let steps = run(&lab, "run", &settings);
    let limits: Vec<usize> = steps.iter().map(|step| step.max_tokens).collect();
    assert_eq!(limits, [8, 24, 48]);
    assert_eq!((steps[0].truncated, steps[0].response_length), (1.0, 8.0));
    assert!(
        steps[1].truncated < 1.0 && steps[2].truncated < steps[1].truncated,
        "{steps:?}"
    );
    assert!(steps[2].response_length > 16.0, "{steps:?}");
}
