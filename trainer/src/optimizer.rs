//! AdamW with decoupled weight decay, and clipping by the global norm of the gradients. Its state is plain tensors with
//! names, so a checkpoint can hold all of it.

pub use crate::native::AdamWConfig;
use crate::native::{self, AdamWTensors};
use tch::Tensor;

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
    config: AdamWConfig,
    steps: i64,
    states: Vec<ParameterState>,
}

/// One parameter with its two moving means.
#[derive(Debug)]
struct ParameterState {
    name: String,
    parameter: Tensor,
    exp_avg: Tensor,
    exp_avg_sq: Tensor,
}

impl AdamW {
    /// An optimizer of named parameters, which it shares with their owner.
    pub fn new(parameters: Vec<(String, Tensor)>, config: AdamWConfig) -> AdamW {
        let state = |(name, parameter): (String, Tensor)| {
            let zeros = || parameter.detach().zeros_like();
            ParameterState {
                name,
                exp_avg: zeros(),
                exp_avg_sq: zeros(),
                parameter,
            }
        };
        AdamW {
            config,
            steps: 0,
            states: parameters.into_iter().map(state).collect(),
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
        let all = self.states.iter().map(|state| state.parameter.grad());
        all.filter(Tensor::defined).collect()
    }

    /// One step along the gradients, fused: a pass over each tensor, and on a GPU few kernels for all of them. A parameter
    /// without a gradient stays as it is.
    pub fn step(&mut self, learning_rate: f64) {
        self.steps += 1;
        let gradients: Vec<Tensor> = self
            .states
            .iter()
            .map(|state| state.parameter.grad())
            .collect();
        let mut parts = AdamWTensors::default();
        let moved = self.states.iter().zip(&gradients);
        for (state, gradient) in moved.filter(|(_, gradient)| gradient.defined()) {
            parts.parameters.push(&state.parameter);
            parts.gradients.push(gradient);
            parts.exp_avgs.push(&state.exp_avg);
            parts.exp_avg_sqs.push(&state.exp_avg_sq);
        }
        let _guard = tch::no_grad_guard();
        native::adamw(&parts, self.steps, learning_rate, &self.config);
    }

    /// Forgets all gradients, and frees their memory: between updates, sampling has better use for it.
    pub fn drop_gradients(&mut self) {
        let parameters: Vec<&Tensor> = self.states.iter().map(|state| &state.parameter).collect();
        native::drop_gradients(&parameters);
    }

    /// The moving means as `NAME.exp_avg` and `NAME.exp_avg_sq`, and the step count as `steps`. They share storage: write them
    /// out before the next step.
    pub fn state(&self) -> Vec<(String, Tensor)> {
        let own = |state: &ParameterState| {
            [
                (
                    format!("{}.exp_avg", state.name),
                    state.exp_avg.shallow_clone(),
                ),
                (
                    format!("{}.exp_avg_sq", state.name),
                    state.exp_avg_sq.shallow_clone(),
                ),
            ]
        };
        let steps = ("steps".to_owned(), Tensor::from_slice(&[self.steps]));
        self.states.iter().flat_map(own).chain([steps]).collect()
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
                    "has shape {:?}, but the parameter has {shape:?}",
                    tensor.size()
                )));
            }
            Ok(tensor)
        };
        let steps = find("steps", &[1])?.int64_value(&[0]);
        let mut pairs = Vec::new();
        for state in &self.states {
            let shape = state.parameter.size();
            pairs.push((
                find(&format!("{}.exp_avg", state.name), &shape)?,
                find(&format!("{}.exp_avg_sq", state.name), &shape)?,
            ));
        }
        let _guard = tch::no_grad_guard();
        self.steps = steps;
        for (state, (exp_avg, exp_avg_sq)) in self.states.iter_mut().zip(pairs) {
            state.exp_avg.copy_(exp_avg);
            state.exp_avg_sq.copy_(exp_avg_sq);
        }
        Ok(())
    }
}
