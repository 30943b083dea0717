//! How a request wants its submissions judged, where it differs from the server's own settings.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::error::HttpError;
use crate::compare::Profile;
use crate::judge::Settings;
use crate::reward::RewardRule;
use crate::serve::Bounds;

/// Bytes of each stream that an answer may bring back.
const MOST_OUTPUT: usize = 1 << 20;

/// Settings of one request; each stands for the option of `mc-eval judge` of its name.
#[derive(Debug, Clone, Default, Deserialize, ToSchema, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct SettingsPatch {
    /// `standard`, `lcb`, `exact` or `paper`.
    profile: Option<String>,
    /// `binary`, `fraction` or `coarse`.
    reward: Option<String>,
    /// Seconds of CPU time per test of problems that state none.
    time_limit: Option<f64>,
    /// MiB per test of problems that state none.
    memory_limit: Option<u64>,
    /// Stop at a submission's first failing test.
    first_failure: Option<bool>,
    /// Bytes of each test's standard output and standard error to keep.
    keep_output: Option<usize>,
    /// Judge equal programs of one problem once.
    dedup: Option<bool>,
}

impl SettingsPatch {
    /// The server's settings with these in their place.
    pub fn apply(&self, mut settings: Settings, bounds: &Bounds) -> Result<Settings, HttpError> {
        if let Some(name) = &self.profile {
            settings.profile = named("profile", Profile::ALL, |it| it.name(), name)?;
        }
        if let Some(name) = &self.reward {
            let reward = named("reward", RewardRule::ALL, |it| it.name(), name)?;
            settings.reward = Arc::new(reward);
        }
        if let Some(limit) = self.time_limit {
            settings.time_limit = seconds("time_limit", limit, bounds)?;
        }
        if let Some(limit) = self.memory_limit {
            settings.memory_limit = mebibytes("memory_limit", limit, bounds)?;
        }
        settings.first_failure = self.first_failure.unwrap_or(settings.first_failure);
        settings.dedup = self.dedup.unwrap_or(settings.dedup);
        match self.keep_output {
            Some(bytes) if bytes > MOST_OUTPUT => {
                let error = format!("is {bytes} bytes; at most {MOST_OUTPUT} are kept");
                return Err(HttpError::of("keep_output", error));
            }
            keep => settings.keep_output = keep.unwrap_or(settings.keep_output),
        }
        check(&settings)?;
        Ok(settings)
    }
}

fn check(settings: &Settings) -> Result<(), HttpError> {
    let fraction = settings.reward.name() == RewardRule::Fraction.name();
    if settings.first_failure && fraction {
        let error = "skips tests that the reward fraction needs";
        return Err(HttpError::of("first_failure", error));
    }
    Ok(())
}

fn named<T: Copy>(
    field: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
    given: &str,
) -> Result<T, HttpError> {
    let found = all.iter().copied().find(|it| name(*it) == given);
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|it| name(*it)).collect();
        let error = format!("is \"{given}\", but must be one of {}", names.join(", "));
        HttpError::of(field, error)
    })
}

/// A time limit of a request.
pub(super) fn seconds(field: &str, limit: f64, bounds: &Bounds) -> Result<Duration, HttpError> {
    let most = bounds.time_limit;
    match Duration::try_from_secs_f64(limit) {
        Ok(time) if !time.is_zero() && limit <= most => Ok(time),
        _ => {
            let error = format!("is {limit}, but must be over 0 and at most {most} seconds");
            Err(HttpError::of(field, error))
        }
    }
}

/// A memory limit of a request.
pub(super) fn mebibytes(field: &str, limit: u64, bounds: &Bounds) -> Result<u64, HttpError> {
    let most = bounds.memory_limit;
    if (1..=most).contains(&limit) {
        return Ok(limit);
    }
    let error = format!("is {limit}, but must be from 1 to {most} MiB");
    Err(HttpError::of(field, error))
}
