//! One update of the policy: responses are cut into micro-batches, whose gradients add up, are clipped and stepped along.
//!
//! Training, `mc-train check` and `mc-train bench` all come through here, so that what is checked and measured is the code
//! that trains. Which responses an update gets, and at which temperature and learning rate, is up to the caller.

use tch::{Device, Kind, Tensor};

use crate::algorithm::loss::{
    Denominators, Inputs, Loss, LossConfig, Sums, policy_loss, token_weight,
};
use crate::model::{Activations, Packed, Qwen, Update};
use crate::optimizer::AdamW;

/// A response to learn from.
#[derive(Debug, Clone, Copy)]
pub struct Example<'a> {
    /// The tokens of its prompt.
    pub prompt: &'a [i64],
    /// Its own tokens.
    pub response: &'a [i64],
    /// Its advantage.
    pub advantage: f64,
    /// The log-probability with which each token was sampled, where it was sampled here.
    pub sampled: Option<&'a [f32]>,
}

impl Example<'_> {
    /// Tokens that go through the model.
    pub fn size(&self) -> usize {
        self.prompt.len() + self.response.len()
    }
}

/// Responses that share one forward and one backward pass.
#[derive(Debug)]
pub struct MicroBatch {
    /// Their tokens.
    pub packed: Packed,
    advantages: Tensor,
    weights: Tensor,
    /// The place of each token's response.
    responses: Tensor,
    sampled: Option<Tensor>,
    /// Log-probabilities before the step's first update; none where no update has been made yet, for then the ones that
    /// this very update computes are the same.
    pub old: Option<Tensor>,
    /// Log-probabilities under the reference policy, where the loss has a KL term.
    pub reference: Option<Tensor>,
}

impl MicroBatch {
    /// Pack some responses. `denominators` are those of the whole mini-batch.
    pub fn new(
        examples: &[Example<'_>],
        denominators: &Denominators,
        config: &LossConfig,
        device: Device,
    ) -> MicroBatch {
        let sequences: Vec<_> = examples
            .iter()
            .map(|one| (one.prompt, one.response))
            .collect();
        let per_token = |value: &dyn Fn(&Example<'_>) -> f64| {
            let tokens = examples
                .iter()
                .flat_map(|one| vec![value(one) as f32; one.response.len()]);
            Tensor::from_slice(&tokens.collect::<Vec<f32>>()).to_device(device)
        };
        let places = examples
            .iter()
            .enumerate()
            .flat_map(|(place, one)| vec![place as i64; one.response.len()]);
        let sampled: Option<Vec<&[f32]>> = examples.iter().map(|one| one.sampled).collect();
        MicroBatch {
            packed: Packed::new(&sequences, device),
            advantages: per_token(&|one| one.advantage),
            weights: per_token(&|one| {
                token_weight(one.response.len(), config.aggregation, denominators)
            }),
            responses: Tensor::from_slice(&places.collect::<Vec<i64>>()).to_device(device),
            sampled: sampled.map(|parts| Tensor::from_slice(&parts.concat()).to_device(device)),
            old: None,
            reference: None,
        }
    }

    /// Add the gradient of its part of the loss to the parameters' gradients.
    pub fn accumulate(
        &self,
        model: &Qwen,
        temperature: f64,
        activations: Activations,
        config: &LossConfig,
    ) -> (Update, Sums) {
        let mut sums = Sums::default();
        let mut loss = |new: &Tensor, _: &Tensor| {
            let loss = self.loss(new, config);
            sums = loss.sums;
            loss.total
        };
        let update = model.accumulate(&self.packed, temperature, activations, &mut loss);
        (update, sums)
    }

    fn loss(&self, new: &Tensor, config: &LossConfig) -> Loss {
        let unmoved = new.detach();
        let inputs = Inputs {
            new,
            old: self.old.as_ref().unwrap_or(&unmoved),
            reference: self.reference.as_ref(),
            sampled: self.sampled.as_ref(),
            advantages: &self.advantages,
            weights: &self.weights,
            responses: Some(&self.responses),
        };
        policy_loss(&inputs, config)
    }
}

/// Cut a mini-batch into micro-batches of at most `most` tokens. The denominators are those of the whole mini-batch, so
/// how it is cut changes no number beyond rounding.
pub fn cut(
    examples: &[Example<'_>],
    denominators: &Denominators,
    most: usize,
    config: &LossConfig,
    device: Device,
) -> Vec<MicroBatch> {
    portions(examples, Example::size, most)
        .map(|part| MicroBatch::new(part, denominators, config, device))
        .collect()
}

/// Cut a list, in its order, into portions of at most `most` in size; an item larger than that is a portion by itself.
pub fn portions<T>(
    list: &[T],
    size: impl Fn(&T) -> usize,
    most: usize,
) -> impl Iterator<Item = &[T]> {
    let mut rest = list;
    std::iter::from_fn(move || {
        let mut taken = 0;
        let over = rest.iter().position(|one| {
            taken += size(one);
            taken > most
        });
        let count = over.unwrap_or(rest.len()).max(1);
        let (portion, after) = rest.split_at_checked(count)?;
        rest = after;
        Some(portion)
    })
}

/// What a step of the optimizer was made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stepped {
    /// The loss.
    pub loss: f64,
    /// The norm of its gradient, before clipping.
    pub gradient_norm: f64,
}

/// A loss or gradient norm that is not a number. The weights were not touched.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("the {what} is {value}")]
pub struct NotFinite {
    /// `loss` or `gradient norm`.
    pub what: &'static str,
    /// What it is.
    pub value: f64,
}

impl NotFinite {
    fn unless(what: &'static str, value: f64) -> Result<(), NotFinite> {
        match value.is_finite() {
            true => Ok(()),
            false => Err(NotFinite { what, value }),
        }
    }
}

/// One step of the optimizer along the gradient that `accumulate` adds up; it returns the loss.
///
/// # Errors
/// A loss or a gradient that is not a number: a step along it would ruin every weight.
pub fn step(
    optimizer: &mut AdamW,
    learning_rate: f64,
    max_norm: f64,
    accumulate: impl FnOnce() -> f64,
) -> Result<Stepped, NotFinite> {
    optimizer.drop_gradients();
    let loss = accumulate();
    NotFinite::unless("loss", loss)?;
    let gradient_norm = optimizer.clip(max_norm);
    NotFinite::unless("gradient norm", gradient_norm)?;
    optimizer.step(learning_rate);
    optimizer.drop_gradients();
    Ok(Stepped {
        loss,
        gradient_norm,
    })
}

/// A loss as a number.
pub fn value(update: &Update) -> f64 {
    update.loss.double_value(&[])
}

/// The sum of the entropies of all tokens.
pub fn entropy(update: &Update) -> f64 {
    update.entropies.sum(Kind::Double).double_value(&[])
}
