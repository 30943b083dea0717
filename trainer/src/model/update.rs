//! Gradients without the whole graph: the head is differentiated chunk by chunk, and the layers, where memory is dear,
//! are run again one at a time. The gradients are those of plain back-propagation.

use super::head::{chosen, entropies};
use super::packed::Packed;
use super::qwen::Qwen;
use tch::{Kind, Tensor};

/// What is kept of the forward pass for the backward pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activations {
    /// Every layer's activations: no layer is run twice.
    Keep,
    /// Only the layers' inputs; each layer is run again on the way back (activation checkpointing): a third more
    /// arithmetic, and memory for one layer's activations in place of all.
    Checkpoint,
}

/// What one micro-batch gave, apart from the gradients.
#[derive(Debug)]
pub struct Update {
    /// The loss that `loss` returned, detached.
    pub loss: Tensor,
    /// `[N]` log-probabilities, detached.
    pub log_probs: Tensor,
    /// `[N]` entropies, detached.
    pub entropies: Tensor,
}

impl Qwen {
    /// Adds the gradient of a loss over one micro-batch to the parameters' gradients.
    ///
    /// `loss` gets log-probabilities and entropies, `[N]` each, as leaves, and returns a scalar. Micro-batches add up, so
    /// its denominators must be those of the whole batch.
    pub fn accumulate(
        &self,
        packed: &Packed,
        temperature: f64,
        activations: Activations,
        loss: &mut dyn FnMut(&Tensor, &Tensor) -> Tensor,
    ) -> Update {
        let inputs = self.layer_inputs(packed, activations);
        let last = leaf(inputs.last().expect("a model has an embedding"));
        let rows = leaf(&last.index_select(0, &packed.rows));
        let chunks = self.chunks(&rows.detach(), &packed.targets);

        let (log_probs, entropies) = self.without_graph(&chunks, temperature);
        let (log_probs, entropies) = (leaf(&log_probs), leaf(&entropies));
        let value = loss(&log_probs, &entropies);
        value.backward();
        // Most losses do not look at entropies: then the way back through them is not gone.
        let for_entropies = Some(entropies.grad()).filter(Tensor::defined);
        let for_rows = self.through_head(
            &chunks,
            temperature,
            &gradient(&log_probs),
            for_entropies.as_ref(),
        );
        let for_last = last.zeros_like().index_add(0, &packed.rows, &for_rows);
        self.through_layers(packed, &inputs, for_last.detach());
        Update {
            loss: value.detach(),
            log_probs: log_probs.detach(),
            entropies: entropies.detach(),
        }
    }

    /// Every layer's input and the last one's output. With `Keep`, only that output, with its graph.
    fn layer_inputs(&self, packed: &Packed, activations: Activations) -> Vec<Tensor> {
        if activations == Activations::Keep {
            return vec![self.hidden(packed)];
        }
        let _guard = tch::no_grad_guard();
        let rotary = self.rotary(&packed.positions);
        let mut inputs = vec![self.embed(&packed.tokens)];
        for index in 0..self.layers.len() {
            let output = self.packed_layer(index, &inputs[index], &rotary, packed);
            inputs.push(output);
        }
        inputs
    }

    fn without_graph(&self, chunks: &[(Tensor, Tensor)], temperature: f64) -> (Tensor, Tensor) {
        let _guard = tch::no_grad_guard();
        let (log_probs, entropies): (Vec<_>, Vec<_>) = chunks
            .iter()
            .map(|(rows, targets)| self.score(rows, targets, temperature))
            .unzip();
        (Tensor::cat(&log_probs, 0), Tensor::cat(&entropies, 0))
    }

    /// The gradient of the head's input rows, `[N, hidden]`; the head's own is added to its weights.
    fn through_head(
        &self,
        chunks: &[(Tensor, Tensor)],
        temperature: f64,
        for_log_probs: &Tensor,
        for_entropies: Option<&Tensor>,
    ) -> Tensor {
        let mut start = 0;
        let gradients: Vec<Tensor> = chunks
            .iter()
            .map(|(rows, targets)| {
                let (rows, count) = (leaf(rows), targets.size()[0]);
                let weigh = |scores: Tensor, by: &Tensor| {
                    (scores * by.narrow(0, start, count)).sum(None::<Kind>)
                };
                let all = self.log_softmax(&rows, temperature);
                let part = weigh(chosen(&all, targets), for_log_probs);
                let part = match for_entropies {
                    Some(by) => part + weigh(entropies(&all), by),
                    None => part,
                };
                start += count;
                part.backward();
                gradient(&rows)
            })
            .collect();
        Tensor::cat(&gradients, 0)
    }

    /// Carries the gradient of the last layer's output down to the embedding.
    fn through_layers(&self, packed: &Packed, inputs: &[Tensor], mut arriving: Tensor) {
        let rotary = self.rotary(&packed.positions);
        for index in (0..inputs.len() - 1).rev() {
            let input = leaf(&inputs[index]);
            let output = self.packed_layer(index, &input, &rotary, packed);
            carry(&output, &arriving);
            arriving = gradient(&input);
        }
        let bottom = if inputs.len() == 1 {
            inputs[0].shallow_clone()
        } else {
            self.embed(&packed.tokens)
        };
        carry(&bottom, &arriving);
    }
}

/// The same values as the start of a new graph.
fn leaf(tensor: &Tensor) -> Tensor {
    tensor.detach().set_requires_grad(true)
}

/// The gradient of a leaf; zeros where the loss did not depend on it.
fn gradient(leaf: &Tensor) -> Tensor {
    let gradient = leaf.grad();
    if gradient.defined() {
        gradient
    } else {
        leaf.zeros_like().detach()
    }
}

/// Backward with a given gradient: that of `sum(output * arriving)` is `arriving` itself.
fn carry(output: &Tensor, arriving: &Tensor) {
    (output * arriving).sum(None::<Kind>).backward();
}
