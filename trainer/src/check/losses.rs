//! The policy losses on a whole batch of responses: the value, what is reported beside it, and the gradient.

use super::figure::{Figure, HALF_ULP, SLACK};
use super::reference::{CheckError, Json};
use super::subject::Subject;
use crate::algorithm::advantage::{Normalisation, advantages};
use crate::algorithm::loss::{Aggregation, Denominators, LossConfig, Sums};
use crate::algorithm::truncation::{Conditions, Mask, When, masked};
use crate::model::{Activations, Qwen, Update};
use crate::update::{self, Example, MicroBatch};
use tch::{Device, Kind, Tensor};

/// A batch of responses as the reference lays it out, rows in order.
pub(super) struct ReferenceBatch {
    prompts: Vec<Vec<i64>>,
    pub(super) responses: Vec<Vec<i64>>,
    pub(super) max_length: usize,
}

impl ReferenceBatch {
    pub(super) fn read(subject: &Subject) -> Result<ReferenceBatch, CheckError> {
        Ok(ReferenceBatch {
            prompts: subject.rl.rows("prompt_ids", "prompt_mask")?,
            responses: subject.rl.rows("completion_ids", "completion_mask")?,
            max_length: subject.json().get("rl")?.get("max_len")?.count()?,
        })
    }
}

/// How one variant computes its loss.
pub(super) struct LossVariant {
    pub(super) name: String,
    pub(super) config: LossConfig,
    pub(super) temperature: f64,
    scale: Normalisation,
    truncation: bool,
}

impl LossVariant {
    pub(super) fn read(name: &str, json: &Json<'_>) -> Result<LossVariant, CheckError> {
        let scale = json.get("scale")?;
        Ok(LossVariant {
            name: name.to_owned(),
            config: loss_config(json)?,
            temperature: json.get("temp")?.number()?,
            scale: match scale.text()? {
                "group" => Normalisation::Group,
                "batch" => Normalisation::Batch,
                "none" => Normalisation::None,
                _ => return Err(scale.unknown("scale")),
            },
            truncation: json.get("trunc")?.flag()?,
        })
    }
}

/// The loss's own settings.
pub(super) fn loss_config(json: &Json<'_>) -> Result<LossConfig, CheckError> {
    Ok(LossConfig {
        clip_low: json.get("lo")?.number()?,
        clip_high: json.get("hi")?.number()?,
        dual_clip: json.find("dual").map(|bound| bound.number()).transpose()?,
        kl_beta: json.get("beta")?.number()?,
        kl_weighted: json.find("kl_is").map_or(Ok(false), |flag| flag.flag())?,
        aggregation: aggregation(&json.get("agg")?)?,
        ..LossConfig::default()
    })
}

fn aggregation(json: &Json<'_>) -> Result<Aggregation, CheckError> {
    match json.text()? {
        "token-mean" => Ok(Aggregation::TokenMean),
        "seq-mean-token-mean" => Ok(Aggregation::SequenceMean),
        "seq-sum-const" => Ok(Aggregation::Constant),
        _ => Err(json.unknown("aggregation")),
    }
}

/// What the reference's own float32 run was off by, the worst over the variants: one alone may be lucky.
pub(super) struct Float32 {
    pub(super) loss: f64,
    pub(super) log_probs: f64,
    /// Relative, of the norm of the whole gradient.
    pub(super) gradient: f64,
}

impl Float32 {
    pub(super) fn read(variants: &[(&str, Json<'_>)]) -> Result<Float32, CheckError> {
        let worst = |field: &str| {
            variants.iter().try_fold(0.0_f64, |worst, (_, json)| {
                Ok::<_, CheckError>(worst.max(json.get("f32_err")?.get(field)?.number()?))
            })
        };
        let log_probs = SLACK * worst("logps")?;
        Ok(Float32 {
            loss: SLACK * worst("loss")?,
            log_probs,
            // A token's share in the gradient is its ratio times its advantage, and the ratio errs as the log-probability.
            gradient: SLACK * worst("grad_norm_rel")? + log_probs,
        })
    }
}

pub(super) fn replay(subject: &Subject) -> Result<Vec<Figure>, CheckError> {
    let json = subject.json().get("rl")?;
    let batch = ReferenceBatch::read(subject)?;
    let variants = json.get("variants")?.entries()?;
    let float32 = Float32::read(&variants)?;
    let dropped = truncated(&json, &batch)?;
    let expected: Vec<bool> = json
        .get("truncation_masked")?
        .items()?
        .iter()
        .map(Json::flag)
        .collect::<Result<_, _>>()?;
    let wrong = dropped
        .iter()
        .zip(&expected)
        .filter(|(ours, expected)| ours != expected)
        .count();
    let mut figures = vec![Figure::disagreements(
        subject.named("truncation mask, rows that differ"),
        expected.len(),
        wrong,
    )];
    for (name, json) in &variants {
        figures.extend(replay_variant(
            subject,
            &batch,
            &LossVariant::read(name, json)?,
            json,
            &float32,
            &dropped,
        )?);
    }
    Ok(figures)
}

/// Which rows the truncation mask takes out.
fn truncated(json: &Json<'_>, batch: &ReferenceBatch) -> Result<Vec<bool>, CheckError> {
    let conditions = Conditions {
        when: when(&json.get("when")?)?,
        rho: json.get("rho")?.number()?,
        window: json.get("repeat_window")?.count()?,
        ..Conditions::default()
    };
    let draws = json.get("uniform")?.numbers()?;
    let rewards = json.get("rewards")?.numbers()?;
    let rows = batch.responses.iter().zip(rewards).zip(draws);
    Ok(rows
        .map(|((row, reward), draw)| {
            masked(
                Mask::Conditional,
                &conditions,
                row,
                batch.max_length,
                reward > 0.0,
                draw,
            )
        })
        .collect())
}

/// Which verdict admits masking, by the reference's word.
pub(super) fn when(json: &Json<'_>) -> Result<When, CheckError> {
    match json.text()? {
        "incorrect" => Ok(When::Incorrect),
        "correct" => Ok(When::Correct),
        "any" => Ok(When::Any),
        _ => Err(json.unknown("verdict")),
    }
}

/// The advantage of each row, as training computes it.
fn row_advantages(
    subject: &Subject,
    variant: &LossVariant,
    dropped: &[bool],
) -> Result<Vec<f64>, CheckError> {
    let json = subject.json().get("rl")?;
    let rewards: Vec<Option<f64>> = json
        .get("rewards")?
        .numbers()?
        .into_iter()
        .map(Some)
        .collect();
    let all = advantages(
        &rewards,
        json.get("group_size")?.count()?,
        variant.scale,
        json.get("std_eps")?.number()?,
    );
    let kept = all.iter().zip(dropped).map(|(value, dropped)| {
        if variant.truncation && *dropped {
            0.0
        } else {
            value.unwrap_or(0.0)
        }
    });
    Ok(kept.collect())
}

fn replay_variant(
    subject: &Subject,
    batch: &ReferenceBatch,
    variant: &LossVariant,
    json: &Json<'_>,
    float32: &Float32,
    dropped: &[bool],
) -> Result<Vec<Figure>, CheckError> {
    let named = |what: &str| subject.named(&format!("{} {what}", variant.name));
    let per_row = row_advantages(subject, variant, dropped)?;
    let expected = json.get("advantages")?.numbers()?;
    let mut figures = vec![Figure::numbers(
        named("advantages"),
        &per_row,
        &expected,
        ROW_ADVANTAGE,
    )];

    let all: Vec<usize> = (0..batch.responses.len()).collect();
    let mut parameters = subject.model.parameters();
    parameters
        .iter_mut()
        .for_each(|(_, parameter)| parameter.zero_grad());
    let whole = mini_batch(subject, batch, variant, &all, &per_row)?;
    let (update, sums) = variant.accumulate(&whole, &subject.model, Activations::Checkpoint);
    let loss = json.get("loss")?.number()?;
    let tolerance = float32.loss + HALF_ULP * (1.0 + loss.abs());
    figures.push(Figure::number(
        named("loss"),
        update.loss.double_value(&[]),
        loss,
        tolerance,
    ));
    let mask = subject.rl.get("completion_mask")?.not_equal(0);
    for (what, field, ours) in [
        ("log-probabilities", "logps", &update.log_probs),
        ("entropies", "entropy", &update.entropies),
    ] {
        let reference = subject
            .rl
            .get(&format!("{}.{field}", variant.name))?
            .masked_select(&mask);
        figures.push(Figure::tensors(
            named(what),
            ours,
            &reference,
            float32.log_probs + HALF_ULP * 16.0,
        ));
    }
    figures.extend(reported(&named, json, &sums, &update, float32)?);
    figures.extend(gradients(subject, variant, json, float32)?);
    Ok(figures)
}

/// Both sides compute advantages in float64; rewards and their deviations are of the order of one.
const ROW_ADVANTAGE: f64 = 1e-12;

/// Some rows of the batch, as one mini-batch with its own denominators.
pub(super) fn mini_batch(
    subject: &Subject,
    batch: &ReferenceBatch,
    variant: &LossVariant,
    rows: &[usize],
    per_row: &[f64],
) -> Result<MicroBatch, CheckError> {
    let example = |row: &usize| Example {
        prompt: &batch.prompts[*row],
        response: &batch.responses[*row],
        advantage: per_row[*row],
        sampled: None,
    };
    let examples: Vec<Example<'_>> = rows.iter().map(example).collect();
    let lengths: Vec<usize> = examples.iter().map(|one| one.response.len()).collect();
    let denominators = Denominators::of(&lengths, batch.max_length);
    let mut whole = MicroBatch::new(&examples, &denominators, &variant.config, Device::Cpu);
    whole.old = Some(stored(subject, "old", variant, rows)?);
    whole.reference = Some(stored(subject, "ref", variant, rows)?);
    Ok(whole)
}

impl LossVariant {
    /// Add the gradient of the variant's loss.
    pub(super) fn accumulate(
        &self,
        whole: &MicroBatch,
        model: &Qwen,
        activations: Activations,
    ) -> (Update, Sums) {
        whole.accumulate(model, self.temperature, activations, &self.config)
    }
}

/// Stored log-probabilities of some rows, end to end.
fn stored(
    subject: &Subject,
    whose: &str,
    variant: &LossVariant,
    rows: &[usize],
) -> Result<Tensor, CheckError> {
    let all = subject
        .rl
        .get(&format!("{whose}_logps_T{:?}", variant.temperature))?;
    let mask = subject.rl.get("completion_mask")?.not_equal(0);
    let of = |tensor: &Tensor, row: &usize| tensor.get(*row as i64);
    let parts: Vec<Tensor> = rows
        .iter()
        .map(|row| of(all, row).masked_select(&of(&mask, row)))
        .collect();
    Ok(Tensor::cat(&parts, 0))
}

/// The figures beside the loss. Shares are counts over tokens: half a token off is one off.
fn reported(
    named: &dyn Fn(&str) -> String,
    json: &Json<'_>,
    sums: &Sums,
    update: &Update,
    float32: &Float32,
) -> Result<Vec<Figure>, CheckError> {
    let tokens = json.get("tokens")?.number()?;
    let most = json.get("ratio_max")?.number()?.max(1.0);
    let off = (float32.log_probs + HALF_ULP) * most;
    let entropy = update::entropy(update);
    let all = [
        ("tokens", "tokens", sums.tokens, 0.0),
        (
            "share clipped low",
            "clip_low",
            sums.mean(sums.clipped_low),
            0.5 / tokens,
        ),
        (
            "share clipped high",
            "clip_high",
            sums.mean(sums.clipped_high),
            0.5 / tokens,
        ),
        ("mean ratio", "ratio_mean", sums.mean(sums.ratio), off),
        ("largest ratio", "ratio_max", sums.ratio_max, off),
        ("distance to old", "k1", sums.mean(sums.moved), off),
        (
            "divergence from reference",
            "k3_ref",
            sums.mean(sums.divergence),
            off,
        ),
        ("mean entropy", "entropy", sums.mean(entropy), off),
    ];
    all.into_iter()
        .map(|(what, field, ours, off)| {
            Ok(Figure::number(
                named(what),
                ours,
                json.get(field)?.number()?,
                off,
            ))
        })
        .collect()
}

/// The norm of the whole gradient, the worst of each parameter's, and the worst of the gradients that the reference kept.
fn gradients(
    subject: &Subject,
    variant: &LossVariant,
    json: &Json<'_>,
    float32: &Float32,
) -> Result<Vec<Figure>, CheckError> {
    let named = |what: &str| subject.named(&format!("{} {what}", variant.name));
    let whole = json.get("grad_norm")?.number()?;
    // A parameter's gradient errs by its own size, and a small one, as a sum of large parts, by the rounding of those.
    let off = |own: f64| float32.gradient * own + SLACK * HALF_ULP * whole;
    let expected = json.get("grad_norms")?;
    let (mut norms, mut values, mut squares) = (Vec::new(), Vec::new(), 0.0);
    for (name, parameter) in subject.model.parameters() {
        let gradient = parameter.grad().to_kind(Kind::Double);
        let norm = gradient.norm().double_value(&[]);
        squares += norm * norm;
        let own = expected.get(&name)?.number()?;
        norms.push(Figure::number(
            named(&format!("norm of gradient, worst: {}", brief(&name))),
            norm,
            own,
            off(own),
        ));
        if let Ok(kept) = subject.rl.get(&format!("{}.grad.{name}", variant.name)) {
            values.push(Figure::tensors(
                named(&format!("gradient, worst: {}", brief(&name))),
                &gradient,
                kept,
                off(own),
            ));
        }
    }
    let all = Figure::number(
        named("norm of the whole gradient"),
        squares.sqrt(),
        whole,
        off(whole),
    );
    Ok([Some(all), Figure::worst(norms), Figure::worst(values)]
        .into_iter()
        .flatten()
        .collect())
}

/// A parameter's name without what all share.
fn brief(name: &str) -> &str {
    let name = name.trim_start_matches("model.");
    name.strip_suffix(".weight").unwrap_or(name)
}
