//! The cases that need no model: advantages, the truncation mask, losses on given log-probabilities, sampling filters.

use super::figure::{Figure, ROUNDING};
use super::losses::report;
use super::record::{Cases, FilterCase, GroupCase, LossCase, TruncationCase};
use crate::algorithm::advantage::advantages;
use crate::algorithm::loss::{Denominators, Inputs, policy_loss, token_weight};
use crate::algorithm::truncation::{Mask, masked};
use crate::engine::{Sampling, filtered_log_probs};
use tch::Tensor;

pub(super) fn replay(cases: &Cases) -> Vec<Figure> {
    let logits = Tensor::from_slice(&cases.filter_logits).unsqueeze(0);
    let groups = cases.advantages.iter().map(group);
    let filters = cases.filters.iter().map(|case| filter(&logits, case));
    groups
        .chain([truncation(cases)])
        .chain(cases.loss.iter().flat_map(loss))
        .chain(filters)
        .collect()
}

/// Advantages of one group. Where the reference has none but zeros, not even rounding may make a signal.
fn group(case: &GroupCase) -> Figure {
    let ours = advantages(
        &case.rewards,
        case.rewards.len(),
        case.normalisation,
        case.eps,
    );
    let ours: Vec<f64> = ours.into_iter().map(Option::unwrap_or_default).collect();
    let zeros = case.values.iter().all(|value| *value == 0.0);
    let rewards: Vec<f64> = case.rewards.iter().copied().flatten().collect();
    let name = format!(
        "advantages of {rewards:?}, {:?}, eps {:e}",
        case.normalisation, case.eps
    );
    Figure::numbers(
        name,
        &ours,
        &case.values,
        if zeros { 0.0 } else { ROUNDING },
    )
}

/// The truth table of the truncation mask.
fn truncation(cases: &Cases) -> Figure {
    let differs = |case: &&TruncationCase| {
        let tokens = cases.truncation_tokens.get(&case.tokens);
        let tokens = tokens.map_or(&[][..], Vec::as_slice);
        let (mask, accepted) = (Mask::Conditional, case.reward > 0.0);
        let ours = masked(
            mask,
            &case.conditions,
            tokens,
            case.max_length,
            accepted,
            case.draw,
        );
        ours != case.masked
    };
    Figure::disagreements(
        "truncation mask, cases that differ".to_owned(),
        cases.truncation.len(),
        cases.truncation.iter().filter(differs).count(),
    )
}

/// A loss on given log-probabilities, with its gradient.
fn loss(case: &LossCase) -> Vec<Figure> {
    let lengths: Vec<usize> = case.new.iter().map(Vec::len).collect();
    let of = Denominators::of(&lengths, case.max_length);
    let per_token = |value: &dyn Fn(usize) -> f64| {
        let rows = lengths.iter().enumerate();
        let values = rows.flat_map(|(row, length)| vec![value(row); *length]);
        Tensor::from_slice(&values.collect::<Vec<f64>>())
    };
    let flat = |rows: &[Vec<f64>]| Tensor::from_slice(&rows.concat());
    let new = flat(&case.new).set_requires_grad(true);
    let loss = policy_loss(
        &Inputs {
            new: &new,
            old: &flat(&case.old),
            reference: Some(&flat(&case.reference)),
            sampled: None,
            advantages: &per_token(&|row| case.advantages[row]),
            weights: &per_token(&|row| token_weight(lengths[row], case.loss.aggregation, &of)),
            responses: None,
        },
        &case.loss,
    );
    loss.total.backward();
    let named = |what: &str| format!("given log-probabilities, {} {what}", case.variant);
    let near = |value: f64| ROUNDING * (1.0 + value.abs());
    let total = loss.total.double_value(&[]);
    let mut figures = vec![
        Figure::number(named("loss"), total, case.value, near(case.value)),
        Figure::tensors(
            named("gradient"),
            &new.grad(),
            &flat(&case.gradient),
            ROUNDING,
        ),
    ];
    let reported = report(&loss.sums, &case.sums).into_iter();
    figures.extend(
        reported
            .map(|(what, ours, theirs)| Figure::number(named(what), ours, theirs, near(theirs))),
    );
    figures
}

/// The distribution that a draw is made from.
fn filter(logits: &Tensor, case: &FilterCase) -> Figure {
    let FilterCase {
        temperature,
        top_k,
        top_p,
        min_p,
        ..
    } = *case;
    let settings = Sampling {
        temperature,
        top_k,
        top_p,
        min_p,
        ..Sampling::default()
    };
    let ours = filtered_log_probs(logits, &settings).exp();
    let name =
        format!("filter, temperature {temperature}, top-k {top_k}, top-p {top_p}, min-p {min_p}");
    Figure::tensors(name, &ours, &Tensor::from_slice(&case.probs), ROUNDING)
}
