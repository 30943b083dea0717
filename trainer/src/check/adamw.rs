//! A trace of AdamW: mini-batches one after the other, each clipped, stepped and measured.

use super::error::CheckError;
use super::figure::{Figure, HALF_ULP, SLACK};
use super::losses::{Float32, Rows, accumulate};
use super::record::{LossVariant, Trace, TraceStep};
use super::subject::Subject;
use crate::algorithm::loss::Sums;
use crate::model::{Activations, Qwen};
use crate::optimizer::{AdamW, AdamWConfig};
use crate::update::{self, MicroBatch, Stepped};
use std::path::Path;
use tch::Kind;

/// AdamW divides a gradient by its own size: where that is next to nothing, float32's error in it moves a weight by a share of
/// a whole step. So after each step the figures start a little apart, by this much of their size.
const DRIFT: f64 = 1e-4;
/// AdamW moves a weight by about the learning rate, whatever the size of its gradient, so float32 errs where a gradient is
/// next to nothing: by a small share of a step.
const SHARE_OF_A_STEP: f64 = 1e-2;

pub(super) fn replay(subject: &Subject) -> Result<Vec<Figure>, CheckError> {
    let trace = &subject.reference.adamw;
    let batch = &subject.reference.rl;
    let unknown = || CheckError::unusable(Path::new("adamw.variant"), &trace.variant);
    let variant = batch.variants.get(&trace.variant).ok_or_else(unknown)?;
    let rows = Rows::read(subject)?;
    let model = subject.copy()?;
    let mut optimizer = AdamW::new(model.parameters(), constants(trace));
    let replay = AdamWReplay {
        subject,
        trace,
        float32: Float32::of(batch),
    };
    let mut figures = Vec::new();
    for (at, some) in trace.minibatches.iter().take(trace.steps.len()).enumerate() {
        let whole = rows.mini_batch(subject, variant, some, &variant.advantages)?;
        let (stepped, sums) = replay.step(&model, &mut optimizer, variant, &whole)?;
        figures.extend(replay.compare(at, &stepped, &sums));
        figures.push(replay.weights(at, &model));
    }
    Ok(figures)
}

fn constants(trace: &Trace) -> AdamWConfig {
    AdamWConfig {
        betas: trace.betas,
        epsilon: trace.eps,
        weight_decay: trace.weight_decay,
    }
}

struct AdamWReplay<'a> {
    subject: &'a Subject,
    trace: &'a Trace,
    /// What the reference's float32 run erred by.
    float32: Float32,
}

impl AdamWReplay<'_> {
    fn step(
        &self,
        model: &Qwen,
        optimizer: &mut AdamW,
        variant: &LossVariant,
        whole: &MicroBatch,
    ) -> Result<(Stepped, Sums), CheckError> {
        let mut sums = Sums::default();
        let gradient = || {
            let (update, own) = accumulate(variant, whole, model, Activations::Keep);
            sums = own;
            update::value(&update)
        };
        update::step(optimizer, self.trace.rate, self.trace.max_norm, gradient)
            .map(|stepped| (stepped, sums))
            .map_err(|error| CheckError::unusable(Path::new("adamw"), error))
    }

    fn compare(&self, at: usize, stepped: &Stepped, sums: &Sums) -> [Figure; 4] {
        let (low, high) = (sums.mean(sums.clipped_low), sums.mean(sums.clipped_high));
        // After a step, one token at the edge of the clip may have gone over it.
        let share = (0.5 + at as f64) / sums.tokens;
        let loss = SLACK * self.trace.f32_err.loss + self.float32.loss + HALF_ULP;
        let norm = self.float32.gradient * stepped.gradient_norm;
        let figure = |what: &str, of: fn(&TraceStep) -> f64, ours: f64, off: f64| {
            // Its largest magnitude over the steps: a loss may pass through zero.
            let sizes = self.trace.steps.iter().map(|step| of(step).abs());
            let drift = DRIFT * at as f64 * sizes.fold(0.0, f64::max);
            let reference = of(&self.trace.steps[at]);
            Figure::number(self.named(at, what), ours, reference, off + drift)
        };
        [
            figure("loss", |step| step.loss, stepped.loss, loss),
            figure(
                "gradient norm",
                |step| step.grad_norm,
                stepped.gradient_norm,
                norm,
            ),
            figure("share clipped low", |step| step.clipped_low, low, share),
            figure("share clipped high", |step| step.clipped_high, high, share),
        ]
    }

    fn weights(&self, at: usize, model: &Qwen) -> Figure {
        let norms = &self.trace.steps[at].param_norms;
        let norm = |tensor: tch::Tensor| tensor.to_kind(Kind::Double).norm().double_value(&[]);
        let pair = |(name, tensor)| (norm(tensor), norms.get(&name).copied().unwrap_or(f64::NAN));
        let (ours, theirs): (Vec<f64>, Vec<f64>) = model.parameters().into_iter().map(pair).unzip();
        let largest = theirs.iter().copied().fold(0.0, f64::max);
        let tolerance = SHARE_OF_A_STEP * self.trace.rate + HALF_ULP * largest;
        let name = self.named(at, "norms of the parameters");
        Figure::numbers(name, &ours, &theirs, tolerance)
    }

    fn named(&self, at: usize, what: &str) -> String {
        self.subject.named(&format!("AdamW step {} {what}", at + 1))
    }
}
