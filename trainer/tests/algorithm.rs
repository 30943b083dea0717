//! The arithmetic of the algorithm against numbers that `tests/reference/algorithm.py` makes from its sources.

use serde_json::{Value, json};
use tch::{Kind, Tensor};
use trainer::algorithm::advantage::{Normalisation, advantages};
use trainer::algorithm::context::{LengthStage, max_length};
use trainer::algorithm::diversity::{distinct, pairwise};
use trainer::algorithm::groups::{Curriculum, PassRates, pass_rate, zero_variance};
use trainer::algorithm::health::{Health, Signs};
use trainer::algorithm::loss::{Denominators, Inputs, LossConfig, Sums, policy_loss, token_weight};
use trainer::algorithm::overlong::{Overlong, penalty};
use trainer::algorithm::schedule::{Schedule, learning_rate};
use trainer::algorithm::temperature::{
    Decline, DiversityMonitor, Probed, Reason, TemperatureStage, choose, staged,
};
use trainer::algorithm::truncation::{Conditions, Mask, Repeat, masked, repeats};

fn reference() -> Value {
    serde_json::from_str(include_str!("reference/algorithm.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    let values = value.as_array().unwrap();
    values.iter().map(|v| v.as_f64().unwrap()).collect()
}

fn tokens(value: &Value) -> Vec<i64> {
    numbers(value).into_iter().map(|n| n as i64).collect()
}

fn list(value: &Value) -> &[Value] {
    let items = value.as_array().unwrap();
    assert!(!items.is_empty(), "nothing to hold ours against");
    items
}

fn size(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[track_caller]
fn near(ours: &[f64], theirs: &[f64], tolerance: f64) {
    assert_eq!(ours.len(), theirs.len());
    for (i, (a, b)) in ours.iter().zip(theirs).enumerate() {
        assert!((a - b).abs() <= tolerance, "number {i}: {a} is not {b}");
    }
}

#[test]
fn advantages_are_those_of_the_definitions() {
    for case in list(&reference()["advantages"]) {
        let rewards: Vec<_> = numbers(&case["rewards"]).into_iter().map(Some).collect();
        let ours = |by, eps| -> Vec<f64> {
            let advantages = advantages(&rewards, size(&case["group"]), by, eps);
            advantages.into_iter().map(Option::unwrap).collect()
        };
        near(
            &ours(Normalisation::None, 0.0),
            &numbers(&case["none"]),
            1e-12,
        );
        near(
            &ours(Normalisation::Group, 1e-4),
            &numbers(&case["group_1e_4"]),
            1e-12,
        );
        near(
            &ours(Normalisation::Batch, 1e-6),
            &numbers(&case["batch_1e_6"]),
            1e-12,
        );
    }
}

#[test]
fn an_absent_reward_changes_nobody_elses_advantage() {
    let with = advantages(&[Some(1.0), None, Some(0.0)], 3, Normalisation::Group, 1e-6);
    let without = advantages(&[Some(1.0), Some(0.0)], 2, Normalisation::Group, 1e-6);
    assert_eq!([with[0], with[2]], [without[0], without[1]]);
    assert_eq!(with[1], None);
}

#[test]
fn a_group_without_variance_has_no_signal_even_without_eps() {
    let even = advantages(&[Some(0.3); 4], 4, Normalisation::Group, 0.0);
    assert!(even.iter().all(|a| a.unwrap().abs() < 1e-9));
}

#[test]
fn the_mask_follows_its_truth_table() {
    let reference = &reference()["truncation"];
    let limit = size(&reference["limit"]);
    for row in list(&reference["table"]) {
        let conditions: Conditions = serde_json::from_value(json!({
            "when": row["when"], "rho": reference["rho"], "window": reference["window"],
        }))
        .unwrap();
        let response = tokens(&reference["tokens"][row["name"].as_str().unwrap()]);
        let (reward, draw) = (number(&row["reward"]), number(&row["u"]));
        let ours = |mask| masked(mask, &conditions, &response, limit, reward > 0.0, draw);
        assert_eq!(
            ours(Mask::Conditional),
            row["masked"].as_bool().unwrap(),
            "{row}"
        );
        assert_eq!(ours(Mask::All), row["name"] != "short");
        assert!(!ours(Mask::Off));
    }
}

#[test]
fn any_period_finds_the_loops_that_the_exact_rule_passes_by() {
    let reference = &reference()["truncation"];
    let window = size(&reference["window"]);
    for (name, response) in reference["tokens"].as_object().unwrap() {
        for (rule, key) in [(Repeat::Exact, "exact"), (Repeat::AnyPeriod, "any_period")] {
            let theirs = reference[key][name].as_bool().unwrap();
            assert_eq!(
                repeats(&tokens(response), window, rule),
                theirs,
                "{name}, {key}"
            );
        }
    }
    assert_eq!(reference["exact"]["period5"], false);
    assert_eq!(reference["any_period"]["period5"], true);
}

#[test]
fn diversity_is_that_of_the_definitions() {
    for case in list(&reference()["diversity"]) {
        let group: Vec<Vec<i64>> = list(&case["group"]).iter().map(tokens).collect();
        let group: Vec<&[i64]> = group.iter().map(Vec::as_slice).collect();
        let theirs = case["pairwise"].as_f64();
        match (pairwise(&group, 4), theirs) {
            (Some(ours), Some(theirs)) => near(&[ours], &[theirs], 1e-12),
            (ours, theirs) => assert_eq!(ours, theirs),
        }
        near(
            &[distinct(&group, 4).unwrap()],
            &[number(&case["distinct"])],
            1e-12,
        );
    }
}

#[test]
fn the_overlong_penalty_is_that_of_dapo() {
    let reference = &reference()["overlong"];
    let (limit, buffer) = (size(&reference["limit"]), size(&reference["buffer"]));
    let overlong = |weight| Overlong { buffer, weight };
    for (length, theirs) in numbers(&reference["penalties"]).into_iter().enumerate() {
        near(&[penalty(length, limit, &overlong(1.0))], &[theirs], 1e-12);
        near(
            &[penalty(length, limit, &overlong(0.5))],
            &[0.5 * theirs],
            1e-12,
        );
    }
    assert_eq!(penalty(200, 100, &Overlong::default()), 0.0);
}

#[test]
fn the_learning_rate_rises_and_falls() {
    for case in list(&reference()["schedule"]) {
        let schedule: Schedule = serde_json::from_value(json!({
            "rate": 2e-3, "warmup": case["warmup"], "decay": case["decay"], "floor": case["floor"],
        }))
        .unwrap();
        let ours: Vec<f64> = (0..20)
            .map(|step| learning_rate(&schedule, step, 20))
            .collect();
        near(&ours, &numbers(&case["rates"]), 1e-15);
    }
}

#[test]
fn stages_begin_at_their_step() {
    let stages = [
        TemperatureStage {
            step: 5,
            value: 1.2,
        },
        TemperatureStage {
            step: 9,
            value: 1.8,
        },
    ];
    let seen = [0, 4, 5, 8, 9, 100].map(|step| staged(0.6, &stages, step));
    assert_eq!(seen, [0.6, 0.6, 1.2, 1.2, 1.8, 1.8]);
    let longer = [LengthStage {
        step: 3,
        tokens: 8192,
    }];
    assert_eq!(
        [2, 3].map(|step| max_length(4096, &longer, step)),
        [4096, 8192]
    );
}

#[test]
fn the_probe_picks_the_lowest_temperature_that_lasts_and_keeps_the_accuracy() {
    let point = |temperature, diversity, accuracy| Probed {
        temperature,
        diversity,
        accuracy,
        accuracy_error: 0.0,
    };
    let probed = [
        point(1.8, 0.9, 0.2),
        point(1.2, 0.6, 0.49),
        point(0.6, 0.2, 0.5),
        point(0.9, 0.5, 0.5),
    ];
    assert_eq!(
        choose(&probed, 0.4, 0.1),
        Some((0.9, Reason::AboveConvergence))
    );
    assert_eq!(
        choose(&probed, 0.55, 0.1),
        Some((1.2, Reason::AboveConvergence))
    );
    assert_eq!(
        choose(&probed, 0.8, 0.1),
        Some((1.2, Reason::NearestBelow)),
        "1.8 loses accuracy"
    );
    assert_eq!(choose(&[], 0.4, 0.1), None);
    // 1.8 loses .3, which an error of .25 at either side does not tell from nothing, and one of .2 does.
    let unsure = |accuracy_error| {
        probed.map(|point| Probed {
            accuracy_error,
            ..point
        })
    };
    let chosen = |error| choose(&unsure(error), 0.8, 0.0).unwrap().0;
    assert_eq!((chosen(0.25), chosen(0.2)), (1.8, 1.2));
}

#[test]
fn the_watch_warns_of_a_sustained_decline_only() {
    let decline = Decline {
        threshold: 0.5,
        window: 3,
        patience: 2,
    };
    let first_alarm = |of: fn(f64) -> f64| {
        let mut watch = DiversityMonitor::default();
        (0..40).position(|step| watch.observe(of(f64::from(step)), &decline))
    };
    assert_eq!(first_alarm(|step| 0.9 - 0.02 * step), Some(23));
    assert_eq!(
        first_alarm(|step| 0.95 - 0.01 * step),
        None,
        "above the threshold"
    );
    assert_eq!(first_alarm(|step| 0.1 + 0.01 * step), None, "it rises");
}

#[test]
fn groups_without_signal_and_curriculum() {
    assert!(zero_variance(&[Some(1.0), None, Some(1.0)]));
    assert!(!zero_variance(&[Some(1.0), None, Some(0.0)]));
    assert!(zero_variance(&[None, None]));
    assert_eq!(pass_rate(&[Some(1.0), None, Some(0.0)]), Some(0.5));
    assert_eq!(pass_rate(&[None]), None);
    let curriculum = Curriculum {
        lowest: 0.1,
        highest: 0.9,
    };
    let rates: PassRates = [("easy", 1.0), ("fair", 0.5), ("hard", 0.0)]
        .map(|(id, rate)| (id.to_owned(), rate))
        .into();
    let admitted = ["easy", "fair", "hard", "new"].map(|id| curriculum.admits(id, &rates));
    assert_eq!(admitted, [false, true, false, true]);
}

/// The reference's batch as flat tensors of its tokens, as a micro-batch packs them.
struct Batch {
    new: Tensor,
    old: Tensor,
    reference: Tensor,
    sampled: Tensor,
    advantages: Tensor,
    weights: Tensor,
}

fn batch(reference: &Value, config: &LossConfig) -> Batch {
    let flat = |key: &str| {
        let rows = list(&reference[key]).iter();
        Tensor::from_slice(&rows.flat_map(numbers).collect::<Vec<f64>>())
    };
    let lengths: Vec<usize> = list(&reference["lengths"]).iter().map(size).collect();
    let denominators = Denominators::of(&lengths, size(&reference["limit"]));
    let per_token = |of: &dyn Fn(usize) -> f64| {
        let rows = lengths.iter().enumerate();
        Tensor::from_slice(
            &rows
                .flat_map(|(i, &n)| vec![of(i); n])
                .collect::<Vec<f64>>(),
        )
    };
    let advantages = numbers(&reference["advantages"]);
    Batch {
        new: flat("new").set_requires_grad(true),
        old: flat("old"),
        reference: flat("reference"),
        sampled: flat("sampled"),
        advantages: per_token(&|i| advantages[i]),
        weights: per_token(&|i| token_weight(lengths[i], config.aggregation, &denominators)),
    }
}

impl Batch {
    /// Loss, gradient and sums of tokens `from..to`.
    fn loss(&self, from: i64, to: i64, config: &LossConfig) -> (f64, Vec<f64>, Sums) {
        let part = |t: &Tensor| t.narrow(0, from, to - from);
        let new = part(&self.new.detach()).set_requires_grad(true);
        let (reference, sampled) = (part(&self.reference), part(&self.sampled));
        let inputs = Inputs {
            new: &new,
            old: &part(&self.old),
            reference: Some(&reference),
            sampled: Some(&sampled),
            advantages: &part(&self.advantages),
            weights: &part(&self.weights),
            responses: None,
        };
        let loss = policy_loss(&inputs, config);
        loss.total.backward();
        let gradient = Vec::<f64>::try_from(new.grad()).unwrap();
        (loss.total.double_value(&[]), gradient, loss.sums)
    }
}

#[test]
fn every_loss_and_its_gradient_are_those_of_the_definitions() {
    let reference = &reference()["losses"];
    for case in list(&reference["cases"]) {
        let config: LossConfig = serde_json::from_value(case["config"].clone()).unwrap();
        let (loss, gradient, _) = batch(reference, &config).loss(0, 10, &config);
        near(&[loss], &[number(&case["loss"])], 1e-12);
        near(&gradient, &numbers(&case["gradient"]), 1e-8);
    }
}

#[test]
fn micro_batches_add_up_to_the_batch() {
    let reference = &reference()["losses"];
    for case in list(&reference["cases"]) {
        let config: LossConfig = serde_json::from_value(case["config"].clone()).unwrap();
        let batch = batch(reference, &config);
        let (whole, gradient, sums) = batch.loss(0, 10, &config);
        let (first, mut gradients, mut added) = batch.loss(0, 4, &config);
        let (second, rest, more) = batch.loss(4, 10, &config);
        gradients.extend(rest);
        added.add(&more);
        near(&[first + second], &[whole], 1e-15);
        near(&gradients, &gradient, 1e-15);
        assert_eq!(
            (sums.tokens, sums.clipped_low, sums.clipped_high),
            (added.tokens, added.clipped_low, added.clipped_high)
        );
    }
}

#[test]
fn the_sums_count_what_was_clipped() {
    let reference = &reference()["losses"];
    let config = LossConfig::default();
    let (_, _, sums) = batch(reference, &config).loss(0, 10, &config);
    let ratios: Vec<(f64, f64)> = flat_ratios(reference);
    let count = |f: &dyn Fn(&(f64, f64)) -> bool| ratios.iter().filter(|&r| f(r)).count() as f64;
    assert_eq!(sums.tokens, 10.0);
    assert_eq!(sums.clipped_low, count(&|&(r, a)| r < 0.8 && a < 0.0));
    assert_eq!(sums.clipped_high, count(&|&(r, a)| r > 1.28 && a > 0.0));
    near(&[sums.ratio], &[ratios.iter().map(|r| r.0).sum()], 1e-12);
    assert!(sums.mismatch > 0.0 && sums.divergence > 0.0 && sums.ratio_max > 1.0);
}

fn flat_ratios(reference: &Value) -> Vec<(f64, f64)> {
    let advantages = numbers(&reference["advantages"]);
    let mut ratios = Vec::new();
    for (i, advantage) in advantages.iter().enumerate() {
        let (new, old) = (numbers(&reference["new"][i]), numbers(&reference["old"][i]));
        ratios.extend(
            new.iter()
                .zip(&old)
                .map(|(n, o)| ((n - o).exp(), *advantage)),
        );
    }
    ratios
}

#[test]
fn tokens_of_no_response_count_nowhere() {
    let config = LossConfig::default();
    let row = |values: [f64; 3]| Tensor::from_slice(&values);
    let inputs = Inputs {
        new: &row([-1.0, -2.0, -9.0]),
        old: &row([-1.0, -2.0, -1.0]),
        reference: None,
        sampled: None,
        advantages: &row([1.0, 1.0, 1.0]),
        weights: &row([0.5, 0.5, 0.0]),
        responses: None,
    };
    let loss = policy_loss(&inputs, &config);
    near(
        &[
            loss.total.double_value(&[]),
            loss.sums.tokens,
            loss.sums.moved,
        ],
        &[-1.0, 2.0, 0.0],
        1e-12,
    );
    assert_eq!(loss.total.kind(), Kind::Double);
}

#[test]
fn signs_of_ruin_are_named_and_sound_steps_are_not() {
    let sound = Signs {
        entropy: 0.8,
        ratio: 1.001,
        approximate_kl: 0.0005,
        accuracy: 0.5,
    };
    let warm = || {
        let mut health = Health::default();
        for _ in 0..20 {
            assert_eq!(health.observe(&sound), Vec::<String>::new());
        }
        health
    };
    let ruined = [
        (
            Signs {
                ratio: 1.5,
                ..sound
            },
            "the mean ratio is 1.50",
        ),
        (
            Signs {
                approximate_kl: -0.4,
                ..sound
            },
            "moved the policy by -0.40",
        ),
        (
            Signs {
                entropy: 0.02,
                ..sound
            },
            "collapsed to 0.020",
        ),
        (
            Signs {
                entropy: 5.0,
                ..sound
            },
            "risen to 5.00",
        ),
    ];
    for (signs, sign) in ruined {
        let seen = warm().observe(&signs);
        assert!(seen.len() == 1 && seen[0].contains(sign), "{seen:?}");
    }
    let mut health = warm();
    let failing = Signs {
        accuracy: 0.0,
        ..sound
    };
    let steps = (0..20).find(|_| !health.observe(&failing).is_empty());
    assert!(
        steps.is_some_and(|steps| steps > 3),
        "one bad step is no sign: {steps:?}"
    );
}
