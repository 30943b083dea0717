//! The cases that need no model: advantages, the truncation mask, losses on given log-probabilities, sampling filters.

use super::figure::{Figure, ROUNDING};
use super::losses::{loss_config, when};
use super::reference::{CheckError, Json};
use crate::algorithm::advantage::{Normalisation, advantages};
use crate::algorithm::loss::{Denominators, Inputs, policy_loss, token_weight};
use crate::algorithm::truncation::{Conditions, Mask, masked};
use crate::engine::{Sampling, filtered_log_probs};
use tch::Tensor;

pub(super) fn replay(json: &Json<'_>) -> Result<Vec<Figure>, CheckError> {
    let mut figures = Vec::new();
    for (at, case) in json.get("advantages")?.items()?.iter().enumerate() {
        figures.extend(group(at, case)?);
    }
    figures.push(truncation(json)?);
    for case in json.get("loss")?.items()? {
        figures.extend(loss(&case)?);
    }
    let logits = Tensor::from_slice(&json.get("filter_logits")?.numbers()?);
    for case in json.get("filters")?.items()? {
        figures.push(filter(&logits, &case)?);
    }
    Ok(figures)
}

/// Advantages of one group, with both of the small terms in use, and without a deviation.
fn group(at: usize, case: &Json<'_>) -> Result<Vec<Figure>, CheckError> {
    let rewards: Vec<Option<f64>> = case
        .get("rewards")?
        .numbers()?
        .into_iter()
        .map(Some)
        .collect();
    let ways = [
        ("group_eps1e_4", Normalisation::Group, 1e-4),
        ("group_eps1e_6", Normalisation::Group, 1e-6),
        ("none", Normalisation::None, 0.0),
    ];
    let mut figures = Vec::new();
    for (field, normalisation, epsilon) in ways {
        let ours: Vec<f64> = advantages(&rewards, rewards.len(), normalisation, epsilon)
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect();
        let reference = case.get(field)?.numbers()?;
        figures.push(Figure::numbers(
            format!("advantages, case {at}, {field}"),
            &ours,
            &reference,
            ROUNDING,
        ));
        if case.get("zero_variance")?.flag()? {
            let name = format!("advantages, case {at}, {field}, none without variance");
            figures.push(Figure::disagreements(
                name,
                ours.len(),
                ours.iter().filter(|value| **value != 0.0).count(),
            ));
        }
    }
    Ok(figures)
}

/// The truth table of the truncation mask.
fn truncation(json: &Json<'_>) -> Result<Figure, CheckError> {
    let (cases, tokens) = (
        json.get("truncation")?.items()?,
        json.get("truncation_tokens")?,
    );
    let mut wrong = 0;
    for case in &cases {
        let mut row: Vec<i64> = tokens
            .get(case.get("name")?.text()?)?
            .counts()?
            .iter()
            .map(|token| *token as i64)
            .collect();
        if let Some(take) = case.find("take") {
            row.truncate(take.count()?);
        }
        let conditions = Conditions {
            when: when(&case.get("when")?)?,
            rho: case.get("rho")?.number()?,
            window: case.get("window")?.count()?,
            ..Conditions::default()
        };
        let limit = case.get("l_max")?.count()?;
        let ours = masked(
            Mask::Conditional,
            &conditions,
            &row,
            limit,
            case.get("reward")?.number()? > 0.0,
            case.get("u")?.number()?,
        );
        wrong += usize::from(ours != case.get("masked")?.flag()?);
    }
    Ok(Figure::disagreements(
        "truncation mask, cases that differ".to_owned(),
        cases.len(),
        wrong,
    ))
}

/// A loss on given log-probabilities, with its gradient.
fn loss(case: &Json<'_>) -> Result<Vec<Figure>, CheckError> {
    let (lengths, max_length) = (case.get("lens")?.counts()?, case.get("max_len")?.count()?);
    let config = loss_config(case)?;
    let shape = [lengths.len() as i64, max_length as i64];
    let table = |field: &str| {
        Ok::<_, CheckError>(Tensor::from_slice(&case.get(field)?.table()?).view(shape))
    };
    let new = table("logps")?.set_requires_grad(true);
    let (old, reference) = (table("old")?, table("ref")?);
    let advantages = Tensor::from_slice(&case.get("advantages")?.numbers()?).unsqueeze(1);
    let of = Denominators::of(&lengths, max_length);
    let weights: Vec<f64> = lengths
        .iter()
        .flat_map(|length| {
            let weight = token_weight(*length, config.aggregation, &of);
            (0..max_length).map(move |at| if at < *length { weight } else { 0.0 })
        })
        .collect();
    let weights = Tensor::from_slice(&weights).view(shape);
    let inputs = Inputs {
        new: &new,
        old: &old,
        reference: Some(&reference),
        sampled: None,
        advantages: &advantages,
        weights: &weights,
        responses: None,
    };
    let loss = policy_loss(&inputs, &config);
    loss.total.backward();

    let named = |what: &str| {
        format!(
            "given log-probabilities, {} {what}",
            case.get("variant")
                .and_then(|name| name.text())
                .unwrap_or("?")
        )
    };
    let expected = case.get("loss")?.number()?;
    let gradient = Tensor::from_slice(&case.get("dloss_dlogps")?.table()?);
    let (sums, diag) = (loss.sums, case.get("diag")?);
    let mut figures = vec![
        Figure::number(
            named("loss"),
            loss.total.double_value(&[]),
            expected,
            ROUNDING * (1.0 + expected.abs()),
        ),
        Figure::tensors(named("gradient"), &new.grad(), &gradient, ROUNDING),
    ];
    let reported = [
        ("tokens", sums.tokens),
        ("clip_low", sums.mean(sums.clipped_low)),
        ("clip_high", sums.mean(sums.clipped_high)),
        ("ratio_mean", sums.mean(sums.ratio)),
        ("ratio_max", sums.ratio_max),
        ("k1", sums.mean(sums.moved)),
        ("k3_ref", sums.mean(sums.divergence)),
    ];
    for (field, ours) in reported {
        let reference = diag.get(field)?.number()?;
        figures.push(Figure::number(
            named(field),
            ours,
            reference,
            ROUNDING * (1.0 + reference.abs()),
        ));
    }
    Ok(figures)
}

/// The distribution that a draw is made from.
fn filter(logits: &Tensor, case: &Json<'_>) -> Result<Figure, CheckError> {
    let settings = Sampling {
        temperature: case.get("temperature")?.number()?,
        top_k: case.get("top_k")?.count()? as i64,
        top_p: case.get("top_p")?.number()?,
        min_p: case.get("min_p")?.number()?,
        ..Sampling::default()
    };
    let ours = filtered_log_probs(&logits.unsqueeze(0), &settings).exp();
    let reference = Tensor::from_slice(&case.get("probs")?.numbers()?);
    let Sampling {
        temperature,
        top_k,
        top_p,
        min_p,
        ..
    } = settings;
    let name =
        format!("filter, temperature {temperature}, top-k {top_k}, top-p {top_p}, min-p {min_p}");
    Ok(Figure::tensors(name, &ours, &reference, ROUNDING))
}
