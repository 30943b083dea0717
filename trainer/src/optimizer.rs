//! AdamW with decoupled weight decay, and clipping by the global norm of the gradients. Its state is plain tensors with
//! names, so a checkpoint can hold all of it.

use crate::native::{self, AdamwConstants, AdamwParts};
use tch::Tensor;

/// AdamW's constants. The learning rate comes with each step, for it follows a schedule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decay {
    /// Decay of the mean of gradients and of that of their squares.
    pub betas: (f64, f64),
    /// Added to the root of the mean square.
    pub epsilon: f64,
    /// Share of a weight that decays per unit of learning rate.
    pub weight_decay: f64,
}

impl Default for Decay {
    /// PyTorch's defaults, without weight decay.
    fn default() -> Self {
        Decay {
            betas: (0.9, 0.999),
            epsilon: 1e-8,
            weight_decay: 0.0,
        }
    }
}

/// Why a saved state does not fit the parameters.
#[derive(Debug, thiserror::Error)]
#[error("optimizer state: tensor `{tensor}`: {problem}")]
pub struct StateError {
    /// The tensor's name.
    pub tensor: String,
    /// What is wrong with it.
    pub problem: String,
}

/// The optimizer (Loshchilov and Hutter 2019): PyTorch's arithmetic over a state of our own.
#[derive(Debug)]
pub struct AdamW {
    constants: Decay,
    steps: i64,
    slots: Vec<Slot>,
}

/// One parameter with its two moving means.
#[derive(Debug)]
struct Slot {
    name: String,
    parameter: Tensor,
    mean: Tensor,
    square: Tensor,
}

impl AdamW {
    /// An optimizer of named parameters, which it shares with their owner.
    pub fn new(parameters: Vec<(String, Tensor)>, constants: Decay) -> AdamW {
        let slot = |(name, parameter): (String, Tensor)| {
            let zeros = || parameter.detach().zeros_like();
            Slot {
                name,
                mean: zeros(),
                square: zeros(),
                parameter,
            }
        };
        AdamW {
            constants,
            steps: 0,
            slots: parameters.into_iter().map(slot).collect(),
        }
    }

    /// Steps taken so far.
    pub fn steps(&self) -> i64 {
        self.steps
    }

    /// The norm of all gradients together, as one vector. Parameters without a gradient count as zero.
    pub fn gradient_norm(&self) -> f64 {
        let gradients = self.gradients();
        native::norm(&gradients.iter().collect::<Vec<_>>())
    }

    /// Scales the gradients down so that their norm is at most `limit`, and returns the norm before that.
    pub fn clip(&self, limit: f64) -> f64 {
        let gradients = self.gradients();
        let gradients: Vec<_> = gradients.iter().collect();
        let norm = native::norm(&gradients);
        // The small term is PyTorch's: a norm of exactly the limit is scaled by almost one.
        let scale = limit / (norm + 1e-6);
        if scale < 1.0 {
            native::scale(&gradients, scale);
        }
        norm
    }

    fn gradients(&self) -> Vec<Tensor> {
        let all = self.slots.iter().map(|slot| slot.parameter.grad());
        all.filter(Tensor::defined).collect()
    }

    /// One step along the gradients, fused: a pass over each tensor, and on a GPU few kernels for all of them. A parameter
    /// without a gradient stays as it is.
    pub fn step(&mut self, learning_rate: f64) {
        self.steps += 1;
        let gradients: Vec<Tensor> = self
            .slots
            .iter()
            .map(|slot| slot.parameter.grad())
            .collect();
        let mut parts = AdamwParts::default();
        let moved = self.slots.iter().zip(&gradients);
        for (slot, gradient) in moved.filter(|(_, gradient)| gradient.defined()) {
            parts.parameters.push(&slot.parameter);
            parts.gradients.push(gradient);
            parts.means.push(&slot.mean);
            parts.squares.push(&slot.square);
        }
        let constants = AdamwConstants {
            learning_rate,
            betas: self.constants.betas,
            weight_decay: self.constants.weight_decay,
            epsilon: self.constants.epsilon,
        };
        let _guard = tch::no_grad_guard();
        native::adamw(&parts, self.steps, &constants);
    }

    /// Forgets all gradients.
    pub fn zero_gradients(&mut self) {
        for slot in &mut self.slots {
            slot.parameter.zero_grad();
        }
    }

    /// The moving means as `NAME.mean` and `NAME.square`, and the step count as `steps`. They share storage: write them
    /// out before the next step.
    pub fn state(&self) -> Vec<(String, Tensor)> {
        let own = |slot: &Slot| {
            [
                (format!("{}.mean", slot.name), slot.mean.shallow_clone()),
                (format!("{}.square", slot.name), slot.square.shallow_clone()),
            ]
        };
        let steps = ("steps".to_owned(), Tensor::from_slice(&[self.steps]));
        self.slots.iter().flat_map(own).chain([steps]).collect()
    }

    /// Takes over what [`AdamW::state`] gave.
    ///
    /// # Errors
    /// A tensor that is missing or has another shape. Nothing is changed then.
    pub fn restore(&mut self, state: &[(String, Tensor)]) -> Result<(), StateError> {
        let find = |name: &str, shape: &[i64]| {
            let wrong = |problem: String| StateError {
                tensor: name.to_owned(),
                problem,
            };
            let tensor = state
                .iter()
                .find(|(own, _)| own == name)
                .map(|(_, tensor)| tensor);
            let tensor = tensor.ok_or_else(|| wrong("missing".to_owned()))?;
            if tensor.size() != shape {
                return Err(wrong(format!(
                    "has shape {:?}, the parameter has {shape:?}",
                    tensor.size()
                )));
            }
            Ok(tensor)
        };
        let steps = find("steps", &[1])?.int64_value(&[0]);
        let mut pairs = Vec::new();
        for slot in &self.slots {
            let shape = slot.parameter.size();
            pairs.push((
                find(&format!("{}.mean", slot.name), &shape)?,
                find(&format!("{}.square", slot.name), &shape)?,
            ));
        }
        let _guard = tch::no_grad_guard();
        self.steps = steps;
        for (slot, (mean, square)) in self.slots.iter_mut().zip(pairs) {
            slot.mean.copy_(mean);
            slot.square.copy_(square);
        }
        Ok(())
    }
}
