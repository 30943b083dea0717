//! The policy loss: equation 1, and its relatives, as a sum over tokens.
//!
//! Every aggregation is a weight per token that is fixed before the batch is cut into micro-batches: so the losses of
//! the parts add up to the loss of the whole, and gradient accumulation changes no number.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tch::{Kind, Tensor};

/// What the loss is made of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LossConfig {
    /// The ratio is clipped below at `1 - clip_low`.
    pub clip_low: f64,
    /// The ratio is clipped above at `1 + clip_high`; above `clip_low`, it is DAPO's clip-higher.
    pub clip_high: f64,
    /// For negative advantages, the objective is at least this times the advantage (Ye et al. 2020, arXiv 1912.09729); verl's is 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dual_clip: Option<f64>,
    /// The weight of the divergence from the reference policy; 0 removes it.
    pub kl_beta: f64,
    /// How that divergence is estimated.
    pub kl_estimator: Estimator,
    /// Multiply the estimate by the ratio, which makes the gradient of `k3` that of the reverse divergence.
    pub kl_weighted: bool,
    /// Whether a ratio is that of a token or that of its whole response.
    pub ratio: Ratio,
    /// What tokens are averaged over.
    pub aggregation: Aggregation,
    /// What is done about a sampler whose log-probabilities differ from the trainer's.
    pub correction: Correction,
    /// The bound of that correction.
    pub correction_cap: f64,
}

impl Default for LossConfig {
    /// DAPO and MicroCoder: clip 0.2 and 0.28, no divergence, mean over tokens, no correction.
    fn default() -> LossConfig {
        LossConfig {
            clip_low: 0.2,
            clip_high: 0.28,
            dual_clip: None,
            kl_beta: 0.0,
            kl_estimator: Estimator::K3,
            kl_weighted: false,
            ratio: Ratio::Token,
            aggregation: Aggregation::TokenMean,
            correction: Correction::Off,
            correction_cap: 2.0,
        }
    }
}

/// Estimators of the divergence of the policy from the reference, per token, with `d = reference - new`
/// (Schulman, "Approximating KL divergence", 2020).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Estimator {
    /// `-d`: without bias as a number, but its gradient has the mean 0 on-policy.
    K1,
    /// `d^2 / 2`.
    K2,
    /// `exp(d) - d - 1`: GRPO's.
    K3,
}

/// Whose probabilities a ratio compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ratio {
    /// A token's: PPO, GRPO, DAPO.
    Token,
    /// The geometric mean over a response's tokens: GSPO (Zheng et al. 2025, arXiv 2507.18071). With
    /// an `aggregation` by "sequence_mean", as there.
    Sequence,
}

/// What the terms of tokens are averaged over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aggregation {
    /// All tokens of the batch: DAPO.
    TokenMean,
    /// The tokens of each response, then the responses, empty ones among them: GRPO.
    SequenceMean,
    /// The number of responses times the length limit: Dr. GRPO.
    Constant,
}

/// What is done where the sampler gave a token another probability than the trainer does, by `c = exp(old - sampled)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// Nothing.
    Off,
    /// The token's policy term is multiplied by `min(c, cap)`: truncated importance sampling.
    Truncate,
    /// As above where `c` is within `[1 / cap, cap]`; outside, the policy term is dropped.
    Mask,
}

/// What a whole batch is divided by: fixed over all its responses before any micro-batch is cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Denominators {
    /// Tokens of all responses.
    pub tokens: usize,
    /// Responses.
    pub responses: usize,
    /// The length limit of a response, in tokens.
    pub max_length: usize,
}

impl Denominators {
    /// Those of responses of these lengths.
    pub fn of(lengths: &[usize], max_length: usize) -> Denominators {
        Denominators {
            tokens: lengths.iter().sum(),
            responses: lengths.len(),
            max_length,
        }
    }
}

/// What each token of a response of `length` tokens weighs in the loss.
pub fn token_weight(length: usize, aggregation: Aggregation, of: &Denominators) -> f64 {
    let divisor = match aggregation {
        Aggregation::TokenMean => of.tokens,
        Aggregation::SequenceMean => of.responses * length,
        Aggregation::Constant => of.responses * of.max_length,
    };
    1.0 / divisor.max(1) as f64
}

/// What the loss of some tokens depends on. All of one shape, or such that they broadcast to that of `new`; finite everywhere.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a> {
    /// Log-probabilities under the policy that is trained; the gradient flows into these.
    pub new: &'a Tensor,
    /// The same before the first update of the step, by the trainer's own forward pass.
    pub old: &'a Tensor,
    /// The same under the reference policy; needed where `kl_beta` is not 0.
    pub reference: Option<&'a Tensor>,
    /// The same as the sampler saw them; needed for a correction.
    pub sampled: Option<&'a Tensor>,
    /// The advantage of each token's response, 0 where it is masked.
    pub advantages: &'a Tensor,
    /// [`token_weight`] of each token; 0 where there is no token of a response.
    pub weights: &'a Tensor,
    /// The place of each token's response among the responses, int64; needed for [`Ratio::Sequence`].
    pub responses: Option<&'a Tensor>,
}

/// The loss of some tokens.
#[derive(Debug)]
pub struct Loss {
    /// What to minimise; a scalar.
    pub total: Tensor,
    /// What to report.
    pub sums: Sums,
}

/// Sums over tokens, to be divided by their number once all parts are added up.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sums {
    /// Tokens.
    pub tokens: f64,
    /// Tokens whose ratio is below the lower clip, with a negative advantage.
    pub clipped_low: f64,
    /// Tokens whose ratio is above the upper clip, with a positive advantage.
    pub clipped_high: f64,
    /// Ratios.
    pub ratio: f64,
    /// The largest ratio.
    pub ratio_max: f64,
    /// `old - new`: an estimate of how far the policy has moved in this step.
    pub moved: f64,
    /// The divergence from the reference, estimated by [`Estimator::K3`].
    pub divergence: f64,
    /// `|old - sampled|`.
    pub mismatch: f64,
}

impl Sums {
    /// Add another part's.
    pub fn add(&mut self, part: &Sums) {
        self.tokens += part.tokens;
        self.clipped_low += part.clipped_low;
        self.clipped_high += part.clipped_high;
        self.ratio += part.ratio;
        self.ratio_max = self.ratio_max.max(part.ratio_max);
        self.moved += part.moved;
        self.divergence += part.divergence;
        self.mismatch += part.mismatch;
    }

    /// A sum as a mean over the tokens.
    pub fn mean(&self, sum: f64) -> f64 {
        sum / self.tokens.max(1.0)
    }
}

/// The loss: minus the clipped objective, plus the divergence, weighted and summed.
///
/// # Panics
/// If `kl_beta` is not 0 without a reference, or a correction is asked for without the sampler's log-probabilities.
pub fn policy_loss(inputs: &Inputs<'_>, config: &LossConfig) -> Loss {
    let ratio = ratio(inputs, config);
    let policy = -objective(&ratio, inputs.advantages, config);
    let policy = match config.correction {
        Correction::Off => policy,
        _ => policy * correction(inputs, config),
    };
    let per_token = match config.kl_beta == 0.0 {
        true => policy,
        false => policy + penalty(inputs, &ratio, config),
    };
    let total = (per_token * inputs.weights).sum(per_token_kind(inputs.new));
    let sums = tch::no_grad(|| sums(inputs, &ratio, config));
    Loss { total, sums }
}

/// A ratio's logarithm stays within this, as in verl: past it, an exponential says nothing and may overflow.
const LARGEST_LOG: f64 = 20.0;
/// The largest estimate of a token's divergence, as in verl.
const LARGEST_DIVERGENCE: f64 = 10.0;

fn ratio(inputs: &Inputs<'_>, config: &LossConfig) -> Tensor {
    let moved = inputs.new - inputs.old;
    let moved = match config.ratio {
        Ratio::Token => moved,
        Ratio::Sequence => response_means(&moved, inputs),
    };
    moved.clamp(-LARGEST_LOG, LARGEST_LOG).exp()
}

/// For each token, the mean over the tokens of its response.
fn response_means(values: &Tensor, inputs: &Inputs<'_>) -> Tensor {
    let responses = inputs
        .responses
        .expect("ratios of sequences need the tokens' responses");
    let counted = inputs.weights.not_equal(0.0).to_kind(values.kind());
    let count = responses.max().int64_value(&[]) + 1;
    let sums = |of: &Tensor| {
        of.new_zeros([count], (of.kind(), of.device()))
            .index_add(0, responses, of)
    };
    let means = sums(&(values * &counted)) / sums(&counted).clamp_min(1.0);
    means.index_select(0, responses)
}

/// Sums of half-precision log-probabilities would lose tokens.
fn per_token_kind(new: &Tensor) -> Kind {
    match new.kind() {
        Kind::Double => Kind::Double,
        _ => Kind::Float,
    }
}

/// `min(r A, clip(r) A)`, bounded below for negative advantages by the dual clip.
fn objective(ratio: &Tensor, advantages: &Tensor, config: &LossConfig) -> Tensor {
    let clipped = ratio.clamp(1.0 - config.clip_low, 1.0 + config.clip_high) * advantages;
    let objective = (ratio * advantages).minimum(&clipped);
    match config.dual_clip {
        None => objective,
        Some(bound) => {
            let bounded = objective.maximum(&(advantages * bound));
            bounded.where_self(&advantages.lt(0.0), &objective)
        }
    }
}

fn divergence(new: &Tensor, reference: &Tensor, estimator: Estimator) -> Tensor {
    let d = reference - new;
    match estimator {
        Estimator::K1 => -d,
        Estimator::K2 => d.square() * 0.5,
        Estimator::K3 => {
            let d = d.clamp(-LARGEST_LOG, LARGEST_LOG);
            (d.exp() - d - 1.0).clamp_max(LARGEST_DIVERGENCE)
        }
    }
}

/// What the divergence adds to each token's loss.
fn penalty(inputs: &Inputs<'_>, ratio: &Tensor, config: &LossConfig) -> Tensor {
    let reference = inputs
        .reference
        .expect("a divergence needs a reference policy");
    let kl = divergence(inputs.new, reference, config.kl_estimator) * config.kl_beta;
    if config.kl_weighted { kl * ratio } else { kl }
}

/// The factor of each token's policy term; no gradient flows through it.
fn correction(inputs: &Inputs<'_>, config: &LossConfig) -> Tensor {
    let sampled = inputs
        .sampled
        .expect("a correction needs the sampler's log-probabilities");
    let cap = config.correction_cap;
    let ratio = (inputs.old - sampled).detach().exp();
    let bounded = ratio.clamp_max(cap);
    match config.correction {
        Correction::Mask => bounded * ratio.ge(1.0 / cap).logical_and(&ratio.le(cap)),
        Correction::Truncate | Correction::Off => bounded,
    }
}

fn sums(inputs: &Inputs<'_>, ratio: &Tensor, config: &LossConfig) -> Sums {
    let counted = inputs.weights.not_equal(0.0);
    let sum = |values: Tensor| (values * &counted).sum(Kind::Double);
    let low = ratio
        .lt(1.0 - config.clip_low)
        .logical_and(&inputs.advantages.lt(0.0));
    let high = ratio
        .gt(1.0 + config.clip_high)
        .logical_and(&inputs.advantages.gt(0.0));
    let nothing = || Tensor::zeros_like(ratio);
    let against =
        |other: Option<&Tensor>, f: &dyn Fn(&Tensor) -> Tensor| other.map_or_else(nothing, f);
    let all = [
        sum(counted.ones_like()),
        sum(low),
        sum(high),
        sum(ratio.shallow_clone()),
        (ratio * &counted).max().to_kind(Kind::Double),
        sum((inputs.old - inputs.new).clamp(-LARGEST_LOG, LARGEST_LOG)),
        sum(against(inputs.reference, &|r| {
            divergence(inputs.new, r, Estimator::K3)
        })),
        sum(against(inputs.sampled, &|s| (inputs.old - s).abs())),
    ];
    let values = Vec::<f64>::try_from(Tensor::stack(&all, 0)).expect("a vector of numbers");
    let [
        tokens,
        clipped_low,
        clipped_high,
        ratio,
        ratio_max,
        moved,
        divergence,
        mismatch,
    ] = values[..]
    else {
        unreachable!("as many values as were stacked");
    };
    Sums {
        tokens,
        clipped_low,
        clipped_high,
        ratio,
        ratio_max,
        moved,
        divergence,
        mismatch,
    }
}
