//! A trace of AdamW: mini-batches one after the other, each clipped, stepped and measured.

use super::figure::{Figure, HALF_ULP, SLACK};
use super::losses::{Float32, LossVariant, ReferenceBatch, mini_batch};
use super::reference::{CheckError, Json};
use super::subject::Subject;
use crate::algorithm::loss::Sums;
use crate::model::{Activations, Qwen};
use crate::optimizer::{AdamW, AdamWConfig};
use crate::update::{self, Stepped};
use tch::{Device, Kind};

pub(super) fn replay(subject: &Subject) -> Result<Vec<Figure>, CheckError> {
    let trace = Trace::read(subject)?;
    // It starts from the stored weights, and steps its own copy of them.
    let model = Qwen::load(&subject.dir, Device::Cpu, Kind::Float)?;
    let mut optimizer = AdamW::new(model.parameters(), constants(&trace.json)?);
    let mini_batches = trace.json.get("minibatches")?.items()?;
    let mut figures = Vec::new();
    for (at, rows) in mini_batches.iter().enumerate().take(trace.expected.len()) {
        let (stepped, sums) = trace.step(&model, &mut optimizer, &rows.counts()?)?;
        figures.extend(trace.compare(at, &stepped, &sums)?);
        figures.push(trace.compare_weights(at, &model)?);
    }
    Ok(figures)
}

/// The reference's trace, and what its steps need.
struct Trace<'a> {
    subject: &'a Subject,
    json: Json<'a>,
    variant: LossVariant,
    /// The advantage of each response.
    per_row: Vec<f64>,
    batch: ReferenceBatch,
    rate: f64,
    limit: f64,
    /// What the reference had at each step.
    expected: Vec<Json<'a>>,
    /// What the reference's float32 run erred by.
    float32: Float32,
}

impl<'a> Trace<'a> {
    fn read(subject: &'a Subject) -> Result<Trace<'a>, CheckError> {
        let json = subject.json().get("adamw")?;
        let variants = subject.json().get("rl")?.get("variants")?;
        let name = json.get("variant")?.text()?;
        let settings = variants.get(name)?;
        Ok(Trace {
            subject,
            variant: LossVariant::read(name, &settings)?,
            per_row: settings.get("advantages")?.numbers()?,
            batch: ReferenceBatch::read(subject)?,
            rate: json.get("lr")?.number()?,
            limit: json.get("max_grad_norm")?.number()?,
            expected: json.get("steps")?.items()?,
            float32: Float32::read(&variants.entries()?)?,
            json,
        })
    }

    fn step(
        &self,
        model: &Qwen,
        optimizer: &mut AdamW,
        rows: &[usize],
    ) -> Result<(Stepped, Sums), CheckError> {
        let whole = mini_batch(
            self.subject,
            &self.batch,
            &self.variant,
            rows,
            &self.per_row,
        )?;
        let mut sums = Sums::default();
        let accumulate = || {
            let (update, own) = self.variant.accumulate(&whole, model, Activations::Keep);
            sums = own;
            update::value(&update)
        };
        update::step(optimizer, self.rate, self.limit, accumulate)
            .map(|stepped| (stepped, sums))
            .map_err(|error| self.json.wrong(error.to_string()))
    }

    fn compare(
        &self,
        at: usize,
        stepped: &Stepped,
        sums: &Sums,
    ) -> Result<Vec<Figure>, CheckError> {
        let Stepped {
            loss,
            gradient_norm: norm,
        } = stepped;
        // After a step, one token at the edge of the clip may have gone over it.
        let share = (0.5 + at as f64) / sums.tokens;
        let loss_error = own_error(&self.json)? + self.float32.loss + HALF_ULP;
        let low = sums.mean(sums.clipped_low);
        let high = sums.mean(sums.clipped_high);
        let norm_error = self.float32.gradient * norm;
        Ok(vec![
            self.figure(at, "loss", "loss", *loss, loss_error)?,
            self.figure(
                at,
                "gradient norm",
                "grad_norm_before_clip",
                *norm,
                norm_error,
            )?,
            self.figure(at, "share clipped low", "clip_low", low, share)?,
            self.figure(at, "share clipped high", "clip_high", high, share)?,
        ])
    }

    fn figure(
        &self,
        at: usize,
        what: &str,
        field: &str,
        ours: f64,
        off: f64,
    ) -> Result<Figure, CheckError> {
        let drift = DRIFT * at as f64 * largest(&self.expected, field)?;
        let reference = self.expected[at].get(field)?.number()?;
        Ok(Figure::number(
            self.named(at, what),
            ours,
            reference,
            off + drift,
        ))
    }

    fn compare_weights(&self, at: usize, model: &Qwen) -> Result<Figure, CheckError> {
        let name = self.named(at, "norms of the parameters");
        weights(&name, model, &self.expected[at], self.rate)
    }

    fn named(&self, at: usize, what: &str) -> String {
        self.subject.named(&format!("AdamW step {} {what}", at + 1))
    }
}

/// AdamW divides a gradient by its own size: where that is next to nothing, float32's error in it moves a weight by a share of
/// a whole step. So after each step the figures start a little apart, by this much of their size.
const DRIFT: f64 = 1e-4;

/// The largest magnitude of a figure over the steps: a loss may pass through zero.
fn largest(steps: &[Json<'_>], field: &str) -> Result<f64, CheckError> {
    steps.iter().try_fold(0.0_f64, |most, step| {
        Ok(most.max(step.get(field)?.number()?.abs()))
    })
}

fn constants(json: &Json<'_>) -> Result<AdamWConfig, CheckError> {
    let betas = json.get("betas")?.items()?;
    let beta = |at: usize| {
        betas
            .get(at)
            .map_or_else(|| json.get("betas.1"), |beta| Ok(beta.clone()))?
            .number()
    };
    Ok(AdamWConfig {
        betas: (beta(0)?, beta(1)?),
        epsilon: json.get("eps")?.number()?,
        weight_decay: json.get("weight_decay")?.number()?,
    })
}

/// What the reference's own float32 trace was off by in its losses.
fn own_error(json: &Json<'_>) -> Result<f64, CheckError> {
    Ok(SLACK * json.get("f32_err")?.get("loss")?.number()?)
}

/// AdamW moves a weight by about the learning rate, whatever the size of its gradient, so float32 errs where a gradient is
/// next to nothing: by a small share of a step.
const SHARE_OF_A_STEP: f64 = 1e-2;

fn weights(name: &str, model: &Qwen, expected: &Json<'_>, rate: f64) -> Result<Figure, CheckError> {
    let norms = expected.get("param_norms")?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for (parameter, tensor) in model.parameters() {
        ours.push(tensor.to_kind(Kind::Double).norm().double_value(&[]));
        theirs.push(norms.get(&parameter)?.number()?);
    }
    let largest = theirs.iter().fold(0.0_f64, |most, norm| most.max(*norm));
    Ok(Figure::numbers(
        name.to_owned(),
        &ours,
        &theirs,
        SHARE_OF_A_STEP * rate + HALF_ULP * largest,
    ))
}
