//! From hidden rows to log-probabilities and entropies, a chunk of rows at a time: the logits of a whole batch never
//! stand in memory at once, unless a graph is asked for.

use super::packed::Packed;
use super::qwen::Qwen;
use tch::Tensor;

/// How many logits stand in memory at once: 128 MiB of float32 on a CPU. On a GPU 1 GiB, for there each chunk must outweigh
/// the pass over the head's gradient that it costs.
pub fn logits_at_once(gpu: bool) -> i64 {
    if gpu { 1 << 28 } else { 1 << 25 }
}

impl Qwen {
    /// Tempered log-probabilities and entropies of every response token, `[N]` each, float32. Differentiable; with
    /// gradients on, the graph keeps every chunk's logits: to train, use [`Qwen::accumulate`], which does not.
    pub fn log_probs(&self, packed: &Packed, temperature: f64) -> (Tensor, Tensor) {
        let rows = self.hidden(packed).index_select(0, &packed.rows);
        let chunks = self.chunks(&rows, &packed.targets);
        let scored: Vec<_> = chunks
            .iter()
            .map(|(rows, targets)| self.score(rows, targets, temperature))
            .collect();
        let column = |pick: fn(&(Tensor, Tensor)) -> &Tensor| {
            Tensor::cat(&scored.iter().map(pick).collect::<Vec<_>>(), 0)
        };
        (column(|pair| &pair.0), column(|pair| &pair.1))
    }

    /// Rows and targets, cut so that a chunk's logits fit. No row gives one empty chunk.
    pub(super) fn chunks(&self, rows: &Tensor, targets: &Tensor) -> Vec<(Tensor, Tensor)> {
        let each = (self.logits_at_once / self.config.vocab_size).max(1);
        rows.split(each, 0)
            .into_iter()
            .zip(targets.split(each, 0))
            .collect()
    }

    /// Log-probability of each target and entropy of each row's distribution, at a temperature.
    pub(super) fn score(
        &self,
        rows: &Tensor,
        targets: &Tensor,
        temperature: f64,
    ) -> (Tensor, Tensor) {
        let log_probs = self.log_softmax(rows, temperature);
        (chosen(&log_probs, targets), entropies(&log_probs))
    }

    /// `[n, vocab]` log-probabilities after each row, at a temperature.
    pub(super) fn log_softmax(&self, rows: &Tensor, temperature: f64) -> Tensor {
        (self.logits(&self.finish(rows)) / temperature).log_softmax(-1, None)
    }
}

/// The log-probability of each row's target.
pub(super) fn chosen(log_probs: &Tensor, targets: &Tensor) -> Tensor {
    log_probs
        .gather(-1, &targets.unsqueeze(-1), false)
        .squeeze_dim(-1)
}

/// The entropy of each row's distribution.
pub(super) fn entropies(log_probs: &Tensor) -> Tensor {
    -(log_probs.exp() * log_probs).sum_dim_intlist(-1, false, None)
}
