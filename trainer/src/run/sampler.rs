//! Who samples in a run: the policy where it is, or a server that is given its weights.

use crate::config::Config;
use crate::engine::{Completion, Engine, Sampling};
use crate::memory::Workload;
use crate::model::Qwen;

use super::RunError;
use super::policy::Placement;
use super::served::Served;

/// What gives responses.
pub enum Sampler {
    /// The policy, on its own device.
    Here(Engine),
    /// A server.
    Served(Served),
}

impl Sampler {
    /// The one that the configuration names. A server gets the weights with the first [`Sampler::follow`].
    ///
    /// # Errors
    /// A server that is not there.
    pub fn open(
        config: &Config,
        workload: Workload,
        placement: &Placement,
    ) -> Result<Sampler, RunError> {
        if workload.samples_here(config.rollout.from) {
            return Ok(Sampler::Here(placement.engine(&config.rollout)));
        }
        Ok(Sampler::Served(Served::connect(config, placement.kind)?))
    }

    /// Sample from `model` as it is by now.
    ///
    /// # Errors
    /// A disk that is full; a server that does not take the weights.
    pub fn follow(&self, model: &Qwen) -> Result<(), RunError> {
        match self {
            Sampler::Here(_) => Ok(()),
            Sampler::Served(served) => served.follow(model),
        }
    }

    /// Samples `group` responses to each prompt. `on_done` gets each as soon as it ends, with its number: prompt times group plus
    /// place in the group.
    ///
    /// # Errors
    /// A response that a server did not give, or that is not of this policy.
    pub fn generate(
        &self,
        model: &Qwen,
        prompts: &[Vec<i64>],
        group: usize,
        settings: &Sampling,
        on_done: &mut dyn FnMut(usize, Completion),
    ) -> Result<(), RunError> {
        match self {
            Sampler::Here(engine) => {
                engine.generate(model, prompts, group, settings, on_done);
                Ok(())
            }
            Sampler::Served(served) => served.generate(model, prompts, group, settings, on_done),
        }
    }
}
