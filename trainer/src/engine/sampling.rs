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
        let Candidates { scores, tokens } = Candidates::of(logits, self);
        let most = scores.amax([-1_i64].as_slice(), true);
        let weights = (&scores - &most).exp_();
        let blocks = Blocks::of(&weights);
        let place = match self.temperature == 0.0 {
            true => scores.argmax(-1, true),
            false => blocks.choose(uniforms),
        };
        let log_prob = scores.gather(-1, &place, false) - most - blocks.total().log();
        let token = tokens.map_or_else(
            || place.shallow_clone(),
            |tokens| tokens.gather(-1, &place, false),
        );
        let column = |tensor: Tensor| tensor.squeeze_dim(-1);
        (column(token), column(log_prob.to_kind(Kind::Float)))
    }
}

/// What a token is drawn from.
struct Candidates {
    /// `[n, m]` tempered logits: minus infinity where a filter took a token out. With top-k or top-p, from the likeliest down.
    scores: Tensor,
    /// `[n, m]` which token each is; none where it is the whole vocabulary in its order.
    tokens: Option<Tensor>,
}

impl Candidates {
    /// The filters apply in transformers' order: temperature, top-k, top-p, min-p. At temperature 0 nothing is divided. Top-k
    /// comes first, so that all that follows works on k tokens in place of the vocabulary.
    fn of(logits: &Tensor, settings: &Sampling) -> Candidates {
        let scaled = match settings.temperature == 0.0 || settings.temperature == 1.0 {
            true => logits.shallow_clone(),
            false => logits / settings.temperature,
        };
        let (mut scores, tokens) = match (settings.top_k, settings.top_p < 1.0) {
            (0, false) => (scaled, None),
            (0, true) => ordered(scaled.sort(-1, true)),
            (count, _) => {
                let count = count.min(*scaled.size().last().unwrap_or(&1));
                ordered(scaled.topk(count, -1, true, true))
            }
        };
        let never = f64::NEG_INFINITY;
        if settings.top_p < 1.0 {
            let probs = scores.softmax(-1, None);
            // A token goes where the likelier ones already reach the sum; the first always stays.
            let gone = (probs.cumsum(-1, None) - &probs).ge(settings.top_p);
            scores = scores.masked_fill(&gone, never);
        }
        if settings.min_p > 0.0 {
            let least = scores.amax([-1_i64].as_slice(), true) + settings.min_p.ln();
            scores = scores.masked_fill(&scores.lt_tensor(&least), never);
        }
        Candidates { scores, tokens }
    }
}

fn ordered((scores, tokens): (Tensor, Tensor)) -> (Tensor, Option<Tensor>) {
    (scores, Some(tokens))
}

/// The log-probabilities that tokens are drawn with, `[n, vocab]`: minus infinity where a filter took a token out.
pub fn filtered_log_probs(logits: &Tensor, settings: &Sampling) -> Tensor {
    let Candidates { scores, tokens } = Candidates::of(logits, settings);
    let log_probs = scores.log_softmax(-1, None);
    match tokens {
        Some(tokens) => logits
            .full_like(f64::NEG_INFINITY)
            .scatter(-1, &tokens, &log_probs),
        None => log_probs,
    }
}

/// Tokens whose weights are summed as one.
const BLOCK: i64 = 128;

/// Weights `[n, m]` and their sums by blocks, for a draw by inversion: the block that a mark lies in is found first, so that
/// only sums of blocks, and one block, are added up in order.
///
/// Adding Gumbel noise and taking the largest would draw as well, and needs a random number for every token of the vocabulary.
/// Those would have to follow from the response and the place alone, whichever slot it has: hashing so many takes more passes
/// over the vocabulary than this takes in all.
struct Blocks {
    /// `[n, blocks, BLOCK]`.
    weights: Tensor,
    /// `[n, blocks]` in float64, as are all sums in order: over 150 000 tokens float32 would lose the rare ones.
    sums: Tensor,
    /// `[n, blocks]` the sum up to each block's end.
    ends: Tensor,
    /// `m - 1`.
    last: i64,
}

impl Blocks {
    fn of(weights: &Tensor) -> Blocks {
        let (rows, count) = weights.size2().expect("weights have two dimensions");
        let padding = (BLOCK - count % BLOCK) % BLOCK;
        let weights = match padding {
            0 => weights.view([rows, -1, BLOCK]),
            _ => weights
                .constant_pad_nd([0, padding])
                .view([rows, -1, BLOCK]),
        };
        let sums = weights.sum_dim_intlist(-1, false, Kind::Double);
        Blocks {
            ends: sums.cumsum(-1, None),
            weights,
            sums,
            last: count - 1,
        }
    }

    /// `[n, 1]` the sum of all.
    fn total(&self) -> Tensor {
        self.ends.narrow(-1, self.ends.size()[1] - 1, 1)
    }

    /// `[n, 1]` the first place at which the sum passes the uniform number's share of all.
    fn choose(&self, uniforms: &Tensor) -> Tensor {
        let marks = uniforms.unsqueeze(-1) * self.total();
        // A mark is below the sum of all, so some block ends above it.
        let block = first_above(&self.ends, &marks);
        let before = (&self.ends - &self.sums).gather(-1, &block, false);
        let rows = self.weights.size()[0];
        let places = block.unsqueeze(-1).expand([rows, 1, BLOCK], false);
        let inner = self.weights.gather(1, &places, false).squeeze_dim(1);
        let inner = inner.cumsum(-1, Kind::Double);
        // In one block alone, rounding may leave it above all.
        let within = first_above(&inner, &(marks - before)).clamp_max(BLOCK - 1);
        (block * BLOCK + within).clamp_max(self.last)
    }
}

/// The place of the first of the ascending `sums` `[n, m]` that is above its mark, `[n, 1]`; `m` where none is.
fn first_above(sums: &Tensor, marks: &Tensor) -> Tensor {
    marks.searchsorted(sums, false, true, "right", None::<Tensor>)
}
