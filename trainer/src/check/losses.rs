//! The policy losses on a whole batch of responses: the value, what is reported beside it, and the gradient.

use super::error::CheckError;
use super::figure::{Figure, HALF_ULP, SLACK};
use super::record::{LossVariant, MeanSums, RecordedBatch, VariantErrors};
use super::subject::Subject;
use crate::algorithm::advantage::advantages;
use crate::algorithm::loss::{Denominators, Sums};
use crate::algorithm::truncation::{Mask, masked};
use crate::model::{Activations, Qwen, Update};
use crate::update::{self, Example, MicroBatch};
use tch::{Device, Kind, Tensor};

pub(super) fn replay(subject: &Subject) -> Result<Vec<Figure>, CheckError> {
    let batch = &subject.reference.rl;
    let rows = Rows::read(subject)?;
    let dropped = rows.truncated(batch);
    let pairs = dropped.iter().zip(&batch.masked);
    let wrong = pairs.filter(|(ours, theirs)| ours != theirs).count();
    let name = subject.named("truncation mask, rows that differ");
    let mut figures = vec![Figure::disagreements(name, batch.masked.len(), wrong)];
    for (name, variant) in &batch.variants {
        let replay = LossReplay {
            subject,
            name,
            variant,
            float32: Float32::of(batch),
        };
        figures.extend(replay.figures(&rows, &dropped)?);
    }
    Ok(figures)
}

/// The responses of the batch, in order.
pub(super) struct Rows {
    prompts: Vec<Vec<i64>>,
    responses: Vec<Vec<i64>>,
}

impl Rows {
    pub(super) fn read(subject: &Subject) -> Result<Rows, CheckError> {
        Ok(Rows {
            prompts: subject.rl.rows("prompt_ids", "prompt_mask")?,
            responses: subject.rl.rows("completion_ids", "completion_mask")?,
        })
    }

    /// Which of them the truncation mask takes out.
    fn truncated(&self, batch: &RecordedBatch) -> Vec<bool> {
        let judged = batch.rewards.iter().zip(&batch.draws);
        let rows = self.responses.iter().zip(judged);
        let (mask, limit) = (Mask::Conditional, batch.max_length);
        let one = |(row, (reward, draw)): (&Vec<i64>, (&f64, &f64))| {
            masked(mask, &batch.conditions, row, limit, *reward > 0.0, *draw)
        };
        rows.map(one).collect()
    }

    /// Some of them as one mini-batch with its own denominators.
    pub(super) fn mini_batch(
        &self,
        subject: &Subject,
        variant: &LossVariant,
        some: &[usize],
        advantages: &[f64],
    ) -> Result<MicroBatch, CheckError> {
        let example = |row: &usize| Example {
            prompt: &self.prompts[*row],
            response: &self.responses[*row],
            advantage: advantages[*row],
            sampled: None,
        };
        let examples: Vec<Example<'_>> = some.iter().map(example).collect();
        let lengths: Vec<usize> = examples.iter().map(|one| one.response.len()).collect();
        let denominators = Denominators::of(&lengths, subject.reference.rl.max_length);
        let mut whole = MicroBatch::new(&examples, &denominators, &variant.loss, Device::Cpu);
        whole.old = Some(stored(subject, "old", variant, some)?);
        whole.reference = Some(stored(subject, "ref", variant, some)?);
        Ok(whole)
    }
}

/// Stored log-probabilities of some rows, end to end.
fn stored(
    subject: &Subject,
    whose: &str,
    variant: &LossVariant,
    rows: &[usize],
) -> Result<Tensor, CheckError> {
    let name = format!("{whose}_logps_T{:?}", variant.temperature);
    let all = subject.rl.get(&name)?;
    let mask = subject.rl.get("completion_mask")?.not_equal(0);
    let row = |row: &usize| all.get(*row as i64).masked_select(&mask.get(*row as i64));
    Ok(Tensor::cat(&rows.iter().map(row).collect::<Vec<_>>(), 0))
}

/// Add the gradient of a variant's loss, as training does.
pub(super) fn accumulate(
    variant: &LossVariant,
    whole: &MicroBatch,
    model: &Qwen,
    kept: Activations,
) -> (Update, Sums) {
    whole.accumulate(model, variant.temperature, kept, &variant.loss)
}

/// What the reference's own float32 run was off by, the worst over the variants: one alone may be lucky.
pub(super) struct Float32 {
    pub(super) loss: f64,
    log_probs: f64,
    /// Relative, of the norm of the whole gradient.
    pub(super) gradient: f64,
}

impl Float32 {
    pub(super) fn of(batch: &RecordedBatch) -> Float32 {
        let worst = |of: fn(&VariantErrors) -> f64| {
            let errors = batch.variants.values().map(|one| of(&one.f32_err));
            SLACK * errors.fold(0.0, f64::max)
        };
        let log_probs = worst(|error| error.logps);
        Float32 {
            loss: worst(|error| error.loss),
            log_probs,
            // A token's share in the gradient is its ratio times its advantage, and the ratio errs as the log-probability.
            gradient: worst(|error| error.grad_norm_rel) + log_probs,
        }
    }
}

/// What a loss reports, by name: ours and the reference's. Beyond tokens, clipped shares come first.
pub(super) fn report(ours: &Sums, theirs: &MeanSums) -> [(&'static str, f64, f64); 7] {
    let mean = |sum| ours.mean(sum);
    [
        ("tokens", ours.tokens, theirs.tokens),
        (
            "share clipped low",
            mean(ours.clipped_low),
            theirs.clipped_low,
        ),
        (
            "share clipped high",
            mean(ours.clipped_high),
            theirs.clipped_high,
        ),
        ("mean ratio", mean(ours.ratio), theirs.ratio),
        ("largest ratio", ours.ratio_max, theirs.ratio_max),
        ("distance to old", mean(ours.moved), theirs.moved),
        (
            "divergence from reference",
            mean(ours.divergence),
            theirs.divergence,
        ),
    ]
}

/// Both sides compute advantages in float64; rewards and their deviations are of the order of one.
const ROW_ADVANTAGE: f64 = 1e-12;

/// One variant on the whole batch.
struct LossReplay<'a> {
    subject: &'a Subject,
    name: &'a str,
    variant: &'a LossVariant,
    float32: Float32,
}

impl LossReplay<'_> {
    fn figures(&self, rows: &Rows, dropped: &[bool]) -> Result<Vec<Figure>, CheckError> {
        let (model, variant) = (&self.subject.model, self.variant);
        let own = self.advantages(dropped);
        let all: Vec<usize> = (0..rows.responses.len()).collect();
        for (_, mut parameter) in model.parameters() {
            parameter.zero_grad();
        }
        let whole = rows.mini_batch(self.subject, variant, &all, &own)?;
        let (update, sums) = accumulate(variant, &whole, model, Activations::Checkpoint);
        let tolerance = self.float32.loss + HALF_ULP * (1.0 + variant.value.abs());
        let mut figures = vec![
            Figure::numbers(
                self.named("advantages"),
                &own,
                &variant.advantages,
                ROW_ADVANTAGE,
            ),
            Figure::number(
                self.named("loss"),
                update::value(&update),
                variant.value,
                tolerance,
            ),
            self.scores("log-probabilities", "logps", &update.log_probs)?,
            self.scores("entropies", "entropy", &update.entropies)?,
        ];
        figures.extend(self.reported(&sums, &update));
        figures.extend(self.gradients()?);
        Ok(figures)
    }

    fn named(&self, what: &str) -> String {
        self.subject.named(&format!("{} {what}", self.name))
    }

    /// The advantage of each row; 0 where the mask took it out.
    fn advantages(&self, dropped: &[bool]) -> Vec<f64> {
        let batch = &self.subject.reference.rl;
        let rewards: Vec<Option<f64>> = batch.rewards.iter().copied().map(Some).collect();
        let all = advantages(&rewards, batch.group, self.variant.normalisation, batch.eps);
        let kept =
            |(value, dropped): (Option<f64>, &bool)| match self.variant.truncation && *dropped {
                true => 0.0,
                false => value.unwrap_or(0.0),
            };
        all.into_iter().zip(dropped).map(kept).collect()
    }

    fn scores(&self, what: &str, field: &str, ours: &Tensor) -> Result<Figure, CheckError> {
        let rl = &self.subject.rl;
        let reference = rl.get(&format!("{}.{field}", self.name))?;
        let kept = rl.get("completion_mask")?.not_equal(0);
        let tolerance = self.float32.log_probs + HALF_ULP * 16.0;
        let reference = reference.masked_select(&kept);
        Ok(Figure::tensors(
            self.named(what),
            ours,
            &reference,
            tolerance,
        ))
    }

    /// The figures beside the loss. Shares are counts over tokens: half a token off is one off.
    fn reported(&self, sums: &Sums, update: &Update) -> Vec<Figure> {
        let theirs = &self.variant.sums;
        let off = (self.float32.log_probs + HALF_ULP) * theirs.ratio_max.max(1.0);
        let share = 0.5 / theirs.tokens;
        let allowed = [0.0, share, share, off, off, off, off];
        let entropy = sums.mean(update::entropy(update));
        let entropy = Figure::number(
            self.named("mean entropy"),
            entropy,
            self.variant.entropy,
            off,
        );
        report(sums, theirs)
            .into_iter()
            .zip(allowed)
            .map(|((what, ours, theirs), off)| Figure::number(self.named(what), ours, theirs, off))
            .chain([entropy])
            .collect()
    }

    /// The norm of the whole gradient, the worst of each parameter's, and the worst of the gradients that the reference kept.
    fn gradients(&self) -> Result<Vec<Figure>, CheckError> {
        let whole = self.variant.grad_norm;
        // A parameter's gradient errs by its own size, and a small one, as a sum of large parts, by the rounding of those.
        let off = |own: f64| self.float32.gradient * own + SLACK * HALF_ULP * whole;
        let (mut norms, mut values, mut squares) = (Vec::new(), Vec::new(), 0.0);
        for (name, parameter) in self.subject.model.parameters() {
            let gradient = parameter.grad().to_kind(Kind::Double);
            let norm = gradient.norm().double_value(&[]);
            squares += norm * norm;
            // A parameter that the reference does not know has no norm there, and misses.
            let own = self.variant.grad_norms.get(&name);
            let own = own.copied().unwrap_or(f64::NAN);
            let named = |what: &str| self.named(&format!("{what}, worst: {}", brief(&name)));
            norms.push(Figure::number(
                named("norm of gradient"),
                norm,
                own,
                off(own),
            ));
            let kept = self.subject.rl.get(&format!("{}.grad.{name}", self.name));
            values.extend(
                kept.map(|kept| Figure::tensors(named("gradient"), &gradient, kept, off(own))),
            );
        }
        let name = self.named("norm of the whole gradient");
        let all = Figure::number(name, squares.sqrt(), whole, off(whole));
        let worst = [Figure::worst(norms), Figure::worst(values)];
        Ok([all]
            .into_iter()
            .chain(worst.into_iter().flatten())
            .collect())
    }
}

/// A parameter's name without what all share.
fn brief(name: &str) -> &str {
    let name = name.trim_start_matches("model.");
    name.strip_suffix(".weight").unwrap_or(name)
}
