//! From logits to a token: temperature, then the filters, then a draw.

use tch::{Kind, Tensor};

/// How a token is chosen. The filters are for evaluation: in training they would bias the ratio of probabilities.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampling {
    /// What logits are divided by; 0 takes the likeliest token.
    pub temperature: f64,
    /// Keep this many likeliest tokens; 0 keeps all.
    pub top_k: i64,
    /// Keep the fewest likeliest tokens whose probabilities reach this sum; 1 keeps all.
    pub top_p: f64,
    /// Keep tokens at least this share as likely as the likeliest; 0 keeps all.
    pub min_p: f64,
    /// Tokens in a response, at most.
    pub max_tokens: usize,
    /// Tokens that end a response; they are part of it.
    pub stop: Vec<i64>,
    /// What the draws are made from.
    pub seed: u64,
}

impl Default for Sampling {
    /// The Policy as it is: temperature 1, no filter, no stop token.
    fn default() -> Self {
        Sampling {
            temperature: 1.0,
            top_k: 0,
            top_p: 1.0,
            min_p: 0.0,
            max_tokens: 1024,
            stop: Vec::new(),
            seed: 0,
        }
    }
}

impl Sampling {
    /// A token for each row of logits `[n, vocab]`, and the log-probability it was drawn with, `[n]` each. `uniforms` are n
    /// numbers from 0 to below 1. Nothing of it leaves the device.
    pub(super) fn draw(&self, logits: &Tensor, uniforms: &Tensor) -> (Tensor, Tensor) {
        let log_probs = match self.filters() {
            true => filtered_log_probs(logits, self),
            false => {
                let scaled = self.scale(logits);
                &scaled - scaled.logsumexp([-1_i64].as_slice(), true)
            }
        };
        let tokens = match self.temperature == 0.0 {
            true => log_probs.argmax(-1, false),
            false => choose(&log_probs.exp(), uniforms),
        };
        let chosen = log_probs
            .gather(-1, &tokens.unsqueeze(-1), false)
            .squeeze_dim(-1)
            .to_kind(Kind::Float);
        (tokens, chosen)
    }

    fn filters(&self) -> bool {
        self.top_k > 0 || self.top_p < 1.0 || self.min_p > 0.0
    }

    /// Logits over the temperature; at 0 nothing is divided.
    fn scale(&self, logits: &Tensor) -> Tensor {
        match self.temperature == 0.0 || self.temperature == 1.0 {
            true => logits.shallow_clone(),
            false => logits / self.temperature,
        }
    }
}

/// The log-probabilities that tokens are drawn with, `[n, vocab]`: minus infinity where a filter took a token out. The
/// filters apply in transformers' order: temperature, top-k, top-p, min-p. At temperature 0 nothing is divided.
pub fn filtered_log_probs(logits: &Tensor, settings: &Sampling) -> Tensor {
    let mut logits = settings.scale(logits);
    let never = f64::NEG_INFINITY;
    let mut likeliest = None;
    if settings.top_k > 0 {
        let count = settings.top_k.min(*logits.size().last().unwrap_or(&1));
        let top = logits.topk(count, -1, true, true).0;
        logits = logits.masked_fill(&logits.lt_tensor(&top.narrow(-1, count - 1, 1)), never);
        likeliest = Some(top);
    }
    if settings.top_p < 1.0 {
        // Only what top-k has left need be in order: the whole vocabulary is sorted where there is no top-k.
        let sorted = likeliest.unwrap_or_else(|| logits.sort(-1, true).0);
        let probs = (&sorted - logits.logsumexp([-1_i64].as_slice(), true)).exp();
        // A token goes where the likelier ones already reach the sum; the first always stays.
        let gone = (probs.cumsum(-1, None) - &probs).ge(settings.top_p);
        let least = sorted
            .masked_fill(&gone, f64::INFINITY)
            .amin([-1_i64].as_slice(), true);
        logits = logits.masked_fill(&logits.lt_tensor(&least), never);
    }
    if settings.min_p > 0.0 {
        let probs = logits.softmax(-1, None);
        let least = probs.amax([-1_i64].as_slice(), true) * settings.min_p;
        logits = logits.masked_fill(&probs.lt_tensor(&least), never);
    }
    logits.log_softmax(-1, None)
}

/// Tokens whose probabilities are summed as one.
const BLOCK: i64 = 128;

/// Draws by inversion: the first token at which the sum of `probs` `[n, vocab]` passes the uniform number. The block that it is
/// in is found first, so that only sums of blocks, and one block, are added up in order. Sums are float64: with 150 000 tokens,
/// float32 would lose the rare ones.
fn choose(probs: &Tensor, uniforms: &Tensor) -> Tensor {
    let (rows, vocab) = probs.size2().expect("probabilities have two dimensions");
    let padding = (BLOCK - vocab % BLOCK) % BLOCK;
    let blocks = match padding {
        0 => probs.view([rows, -1, BLOCK]),
        _ => probs.constant_pad_nd([0, padding]).view([rows, -1, BLOCK]),
    };
    let sums = blocks.sum_dim_intlist(-1, false, Kind::Double);
    let ends = sums.cumsum(-1, None);
    let marks = uniforms.unsqueeze(-1) * ends.narrow(-1, ends.size()[1] - 1, 1);
    let block = first_above(&ends, &marks);
    let before = ends.gather(-1, &block, false) - sums.gather(-1, &block, false);
    let places = block.unsqueeze(-1).expand([rows, 1, BLOCK], false);
    let inner = blocks
        .gather(1, &places, false)
        .squeeze_dim(1)
        .cumsum(-1, Kind::Double);
    let token = block * BLOCK + first_above(&inner, &(marks - before));
    token.squeeze_dim(-1).clamp_max(vocab - 1)
}

/// The place of the first of the ascending `sums` `[n, m]` that is above its mark, `[n, 1]`.
fn first_above(sums: &Tensor, marks: &Tensor) -> Tensor {
    let found = marks.searchsorted(sums, false, true, "right", None::<Tensor>);
    found.clamp_max(sums.size()[1] - 1)
}
