//! What the types of a configuration cannot say.

use super::{Config, ConfigError, TemperatureBy};

/// Whether a rule holds, the key it is about, and what the value must be.
type Rule = (bool, &'static str, &'static str);

impl Config {
    /// Check what would otherwise fail late, or silently do something else.
    ///
    /// # Errors
    /// The first key whose value breaks a rule.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let parts: [Vec<Rule>; 6] = [
            counts(self),
            sampling(self),
            temperature(self),
            truncation(self),
            loss(self),
            around(self),
        ];
        let broken = parts.iter().flatten().find(|(holds, _, _)| !holds);
        broken.map_or(Ok(()), |(_, key, message)| {
            Err(ConfigError::new(*key, *message))
        })
    }
}

/// Counts that none of makes no sense.
fn counts(config: &Config) -> Vec<Rule> {
    let counts = [
        (config.rollout.prompts, "rollout.prompts"),
        (config.rollout.max_tokens, "rollout.max_tokens"),
        (config.rollout.slots, "rollout.slots"),
        (
            config.update.micro_batch_tokens,
            "update.micro_batch_tokens",
        ),
        (
            config.truncation.conditions.window,
            "truncation.conditions.window",
        ),
        (config.evaluation.samples, "evaluation.samples"),
        (config.evaluation.max_tokens, "evaluation.max_tokens"),
        (config.output.checkpoint_every, "output.checkpoint_every"),
        (config.output.keep, "output.keep"),
        (config.sft.checkpoint_every, "sft.checkpoint_every"),
        (config.sft.batch, "sft.batch"),
        (config.server.parallel, "server.parallel"),
    ];
    let rule = |(count, key)| (count >= 1, key, "must be at least 1");
    counts.into_iter().map(rule).collect()
}

fn sampling(config: &Config) -> Vec<Rule> {
    vec![
        (
            config.rollout.samples >= 2,
            "rollout.samples",
            "must be at least 2: an advantage is relative to a group",
        ),
        (
            (1..=config.rollout.prompts).contains(&config.update.prompts),
            "update.prompts",
            "must be between 1 and rollout.prompts",
        ),
        (
            config.evaluation.temperature >= 0.0,
            "evaluation.temperature",
            "must be at least 0",
        ),
        (
            config.evaluation.top_p > 0.0 && config.evaluation.top_p <= 1.0,
            "evaluation.top_p",
            "must be above 0 and at most 1",
        ),
    ]
}

fn temperature(config: &Config) -> Vec<Rule> {
    let temperature = &config.temperature;
    let stages = &temperature.stages;
    vec![
        (
            temperature.value > 0.0,
            "temperature.value",
            "must be above 0",
        ),
        (
            stages.iter().all(|stage| stage.value > 0.0),
            "temperature.stages",
            "must be above 0",
        ),
        (
            temperature.by != TemperatureBy::Stages || !stages.is_empty(),
            "temperature.stages",
            "must not be empty where temperature.by is \"stages\"",
        ),
        (
            config.probe.temperatures.iter().all(|value| *value > 0.0),
            "probe.temperatures",
            "must be above 0",
        ),
    ]
}

fn truncation(config: &Config) -> Vec<Rule> {
    vec![(
        (0.0..=1.0).contains(&config.truncation.conditions.rho),
        "truncation.conditions.rho",
        "must be between 0 and 1",
    )]
}

fn loss(config: &Config) -> Vec<Rule> {
    let loss = &config.loss;
    vec![
        (
            (0.0..1.0).contains(&loss.clip_low),
            "loss.clip_low",
            "must be at least 0 and below 1",
        ),
        (
            loss.clip_high >= 0.0,
            "loss.clip_high",
            "must be at least 0",
        ),
        (
            loss.dual_clip.is_none_or(|c| c > 1.0),
            "loss.dual_clip",
            "must be above 1",
        ),
        (
            loss.correction_cap >= 1.0,
            "loss.correction_cap",
            "must be at least 1",
        ),
        (
            config.optimizer.schedule.rate >= 0.0,
            "optimizer.schedule.rate",
            "must be at least 0",
        ),
    ]
}

/// What stands around the training itself.
fn around(config: &Config) -> Vec<Rule> {
    let seconds = |value: f64| value > 0.0 && value.is_finite();
    let template = &config.data.template;
    vec![
        (
            seconds(config.reward.time_limit),
            "reward.time_limit",
            "must be above 0",
        ),
        (
            seconds(config.server.timeout),
            "server.timeout",
            "must be above 0",
        ),
        (
            template.contains("{statement}") || template.contains("{prompt}"),
            "data.template",
            "must contain {statement} or {prompt}",
        ),
    ]
}
