//! What the types of a configuration cannot say.

use std::ops::Bound::{self, Excluded, Included, Unbounded};
use std::ops::RangeBounds;

use crate::algorithm::loss::{Correction, Ratio};

use super::{Config, ConfigError, OptimizerConfig, RolloutSource, Slots, TemperatureBy};

/// The most prompts, samples or pairs of anything.
const MANY: usize = 1_000_000;
/// The most tokens of a sequence: what the longest contexts of published models hold.
const TOKENS: usize = 1 << 20;
/// The most threads of one kind.
const THREADS: usize = 1024;
/// The longest time that a test or a response may take.
const DAY: f64 = 86_400.0;

impl Config {
    /// Check what would otherwise fail late, or silently do something else.
    ///
    /// # Errors
    /// The first key whose value breaks a rule.
    pub fn validate(&self) -> Result<(), ConfigError> {
        numbers(self).iter().try_for_each(Number::check)?;
        relations(self).iter().try_for_each(Rule::check)
    }
}

/// Every number of a configuration with its bounds.
pub(super) fn numbers(config: &Config) -> Vec<Number> {
    [
        counts(config),
        at_least_one(config),
        tokens(config),
        sampling(config),
        rewards(config),
        loss(config),
        optimizer("optimizer", &config.optimizer),
        optimizer("sft.optimizer", &config.sft.optimizer),
    ]
    .concat()
}
/// A number, the key it stands at, and its bounds. It is finite in any case.
#[derive(Clone)]
pub(super) struct Number {
    pub(super) key: String,
    value: f64,
    pub(super) least: Bound<f64>,
    pub(super) most: Bound<f64>,
    /// The reason, where that is no matter of course.
    why: &'static str,
}

fn number(key: impl Into<String>, value: f64, least: Bound<f64>, most: Bound<f64>) -> Number {
    Number {
        key: key.into(),
        value,
        least,
        most,
        why: "",
    }
}

/// A number from 0 to 1.
fn share(key: impl Into<String>, value: f64) -> Number {
    number(key, value, Included(0.0), Included(1.0))
}

impl Number {
    fn check(&self) -> Result<(), ConfigError> {
        let within = (self.least, self.most).contains(&self.value);
        match within && self.value.is_finite() {
            true => Ok(()),
            false => Err(ConfigError::new(&self.key, self.demand())),
        }
    }

    fn demand(&self) -> String {
        if !self.value.is_finite() {
            return "must be finite".to_owned();
        }
        let least = match self.least {
            Included(least) => Some(format!("at least {least}")),
            Excluded(least) => Some(format!("above {least}")),
            Unbounded => None,
        };
        let most = match self.most {
            Included(most) => Some(format!("at most {most}")),
            Excluded(most) => Some(format!("below {most}")),
            Unbounded => None,
        };
        let both: Vec<String> = least.into_iter().chain(most).collect();
        format!("must be {}{}", both.join(" and "), self.why)
    }
}

/// What must hold beyond the bounds of a number.
#[derive(Clone)]
struct Rule {
    holds: bool,
    key: &'static str,
    message: &'static str,
    hint: Option<&'static str>,
}

fn rule(holds: bool, key: &'static str, message: &'static str) -> Rule {
    Rule {
        holds,
        key,
        message,
        hint: None,
    }
}

impl Rule {
    fn check(&self) -> Result<(), ConfigError> {
        match self.holds {
            true => Ok(()),
            false => Err(ConfigError {
                hint: self.hint.map(str::to_owned),
                ..ConfigError::new(self.key, self.message)
            }),
        }
    }
}

/// Counts with the least and the most that make sense.
fn counts(config: &Config) -> Vec<Number> {
    let Config {
        rollout,
        evaluation,
        probe,
        ..
    } = config;
    let decline = &config.temperature.decline;
    let counts = [
        ("rollout.prompts", rollout.prompts, 1, MANY),
        ("rollout.slots", slots(rollout.slots), 1, MANY),
        ("evaluation.samples", evaluation.samples, 1, MANY),
        ("sft.batch", config.sft.batch, 1, MANY),
        ("temperature.decline.window", decline.window, 0, MANY),
        ("server.parallel", config.server.parallel, 1, THREADS),
        ("reward.workers", config.reward.workers, 0, THREADS),
    ];
    let several = [
        (
            ("rollout.samples", rollout.samples, 2, MANY),
            ": an advantage is relative to a group",
        ),
        (
            ("probe.problems", probe.problems, 2, MANY),
            ": of one, an accuracy has no standard error",
        ),
        (
            ("probe.samples", probe.samples, 2, MANY),
            ": diversity is that of pairs",
        ),
    ];
    let several = several.map(|(of, why)| Number { why, ..count(of) });
    [counts.map(count).as_slice(), &several].concat()
}

/// "auto" is as good as one.
fn slots(slots: Slots) -> usize {
    match slots {
        Slots::Auto => 1,
        Slots::Count(count) => count,
    }
}

/// Counts that may be as large as one likes.
fn at_least_one(config: &Config) -> Vec<Number> {
    let output = &config.output;
    let counts = [
        ("output.checkpoint_every", output.checkpoint_every),
        ("output.keep", output.keep),
        ("sft.checkpoint_every", config.sft.checkpoint_every),
        (
            "update.micro_batch_tokens",
            config.update.micro_batch_tokens,
        ),
    ];
    let rule = |(key, value)| number(key, value as f64, Included(1.0), Unbounded);
    counts.map(rule).into()
}

/// Lengths in tokens.
fn tokens(config: &Config) -> Vec<Number> {
    let rollout = &config.rollout;
    let window = config.truncation.conditions.window;
    let lengths = [
        ("data.max_prompt", config.data.max_prompt, 1, TOKENS),
        ("rollout.max_tokens", rollout.max_tokens, 1, TOKENS),
        ("truncation.conditions.window", window, 1, TOKENS),
    ];
    let stages = rollout.stages.iter();
    let stages = stages.map(|stage| ("rollout.stages.tokens", stage.tokens, 1, TOKENS));
    let budgets = config.evaluation.max_tokens.0.iter();
    let budgets = budgets.map(|tokens| ("evaluation.max_tokens", *tokens, 1, TOKENS));
    lengths
        .into_iter()
        .chain(stages)
        .chain(budgets)
        .map(count)
        .collect()
}

fn count((key, value, least, most): (&'static str, usize, usize, usize)) -> Number {
    let (least, most) = (Included(least as f64), Included(most as f64));
    number(key, value as f64, least, most)
}

/// What responses are sampled with.
fn sampling(config: &Config) -> Vec<Number> {
    let (temperature, evaluation) = (&config.temperature, &config.evaluation);
    let (probe, curriculum) = (&config.probe, &config.data.curriculum);
    let above = |key, value| number(key, value, Excluded(0.0), Unbounded);
    let decline = temperature.decline.threshold;
    let mut all = vec![
        above("temperature.value", temperature.value),
        number(
            "temperature.decline.threshold",
            decline,
            Unbounded,
            Unbounded,
        ),
        number(
            "evaluation.temperature",
            evaluation.temperature,
            Included(0.0),
            Unbounded,
        ),
        number(
            "evaluation.top_p",
            evaluation.top_p,
            Excluded(0.0),
            Included(1.0),
        ),
        number("probe.convergence", probe.convergence, Unbounded, Unbounded),
        share("probe.accuracy_loss", probe.accuracy_loss),
        share("data.curriculum.lowest", curriculum.lowest),
        share("data.curriculum.highest", curriculum.highest),
    ];
    let stages = temperature.stages.iter();
    all.extend(stages.map(|stage| above("temperature.stages.value", stage.value)));
    let probed = probe.temperatures.iter();
    all.extend(probed.map(|value| above("probe.temperatures", *value)));
    all
}

/// What responses are worth, and how long it may take to get and to judge them.
fn rewards(config: &Config) -> Vec<Number> {
    let seconds = |key, value| number(key, value, Excluded(0.0), Included(DAY));
    let at_least_0 = |key, value| number(key, value, Included(0.0), Unbounded);
    vec![
        seconds("reward.time_limit", config.reward.time_limit),
        seconds("server.timeout", config.server.timeout),
        at_least_0("reward.overlong.weight", config.reward.overlong.weight),
        at_least_0("advantage.eps", config.advantage.eps),
        share(
            "truncation.conditions.rho",
            config.truncation.conditions.rho,
        ),
    ]
}

fn loss(config: &Config) -> Vec<Number> {
    let loss = &config.loss;
    let unbounded = |key, value, least| number(key, value, least, Unbounded);
    let dual_clip = loss.dual_clip.into_iter();
    let dual_clip = dual_clip.map(|value| unbounded("loss.dual_clip", value, Excluded(1.0)));
    let others = [
        number("loss.clip_low", loss.clip_low, Included(0.0), Excluded(1.0)),
        unbounded("loss.clip_high", loss.clip_high, Included(0.0)),
        unbounded("loss.kl_beta", loss.kl_beta, Included(0.0)),
        unbounded("loss.correction_cap", loss.correction_cap, Included(1.0)),
    ];
    dual_clip.chain(others).collect()
}

/// What holds of the optimizer in either section.
fn optimizer(section: &str, config: &OptimizerConfig) -> Vec<Number> {
    let key = |name: &str| format!("{section}.{name}");
    let at_least_0 = |name, value| number(key(name), value, Included(0.0), Unbounded);
    let decay = |name, value| number(key(name), value, Included(0.0), Excluded(1.0));
    vec![
        at_least_0("schedule.rate", config.schedule.rate),
        share(key("schedule.floor"), config.schedule.floor),
        decay("beta1", config.beta1),
        decay("beta2", config.beta2),
        at_least_0("eps", config.eps),
        at_least_0("weight_decay", config.weight_decay),
        number(key("max_norm"), config.max_norm, Excluded(0.0), Unbounded),
    ]
}

/// What holds between keys, and of texts.
fn relations(config: &Config) -> Vec<Rule> {
    [settings(config), served(config)].concat()
}

/// Where a server samples.
fn served(config: &Config) -> Vec<Rule> {
    let here = config.rollout.from == RolloutSource::Policy;
    vec![
        Rule {
            hint: Some("set server.url to where vLLM listens, such as http://127.0.0.1:8000"),
            ..rule(
                here || config.server.url.is_some(),
                "rollout.from",
                "is \"server\", but server.url is not set",
            )
        },
        Rule {
            hint: Some("set loss.correction to \"truncate\" or to \"mask\""),
            ..rule(
                here || config.loss.correction != Correction::Off,
                "loss.correction",
                "must not be \"off\" where a server samples: no two engines give a token quite the same probability",
            )
        },
    ]
}

fn settings(config: &Config) -> Vec<Rule> {
    let (temperature, curriculum) = (&config.temperature, &config.data.curriculum);
    let (template, staged) = (&config.data.template, !temperature.stages.is_empty());
    vec![
        rule(
            (1..=config.rollout.prompts).contains(&config.update.prompts),
            "update.prompts",
            "must be between 1 and rollout.prompts",
        ),
        rule(
            curriculum.lowest <= curriculum.highest,
            "data.curriculum.lowest",
            "must not be above data.curriculum.highest",
        ),
        rule(
            temperature.by != TemperatureBy::Stages || staged,
            "temperature.stages",
            "must not be empty where temperature.by is \"stages\"",
        ),
        Rule {
            hint: Some("set temperature.by to \"stages\" or to \"diversity\""),
            ..rule(
                temperature.by != TemperatureBy::Constant || !staged,
                "temperature.stages",
                "would be ignored: temperature.by is \"constant\"",
            )
        },
        rule(
            !config.evaluation.max_tokens.0.is_empty(),
            "evaluation.max_tokens",
            "must not be an empty list",
        ),
        rule(
            config.loss.ratio == Ratio::Token || config.loss.correction == Correction::Off,
            "loss.correction",
            "corrects single tokens: it does not go with loss.ratio = \"sequence\"",
        ),
        rule(
            template.contains("{statement}") || template.contains("{prompt}"),
            "data.template",
            "must contain {statement} or {prompt}",
        ),
    ]
}
