//! The policy of a run, loaded only once it is known to fit.

use std::path::Path;

use tch::{Device, Kind};

use super::RunError;
use crate::chance::{self, Purpose};
use crate::config::{
    self, Compute, Config, ConfigError, CudaGraphs, ModelConfig, OptimizerConfig, RolloutConfig,
};
use crate::engine::Engine;
use crate::memory::{self, Machine, Plan, Size, Workload};
use crate::model::{self, Qwen, QwenConfig};
use crate::native::{self, GraphPool};
use crate::optimizer::{AdamW, AdamWConfig};
use crate::tokenizer::Tokenizer;

/// Where a run computes, and what it takes there.
#[derive(Debug, Clone)]
pub struct Placement {
    /// The device.
    pub device: Device,
    /// What the forward pass computes in.
    pub kind: Kind,
    /// What the run takes, phase by phase.
    pub plan: Plan,
}

impl Placement {
    /// Find the device, and check from the model's shape alone that the run fits.
    ///
    /// # Errors
    /// No model, no such device, responses that are longer than the model's positions, or too little memory.
    pub fn find(config: &Config, workload: Workload) -> Result<Placement, RunError> {
        let device = device(config.model.device)?;
        let shape = QwenConfig::read(&config.model.path.join("config.json"))?;
        has_positions(&shape, config)?;
        let kind = kind(config.model.compute, device);
        let machine = Machine {
            memory: memory::available(device).unwrap_or(Size(u64::MAX)),
            gpu: device.is_cuda(),
            half: kind == Kind::BFloat16,
            replays: shape.attends_by_flash(device, kind) && GraphPool::new().is_ok(),
        };
        if workload.samples_here(config.rollout.from) {
            has_graphs(config.rollout.cuda_graphs, &shape, device, kind)?;
        }
        let plan = Plan::of(&shape, config, workload, machine);
        plan.check()?;
        Ok(Placement { device, kind, plan })
    }

    /// What samples from the policy here.
    pub fn engine(&self, rollout: &RolloutConfig) -> Engine {
        Engine {
            graphs: rollout.cuda_graphs.on_machine(self.plan.machine.replays),
            ..Engine::new(self.plan.room(rollout.slots), self.device)
        }
    }

    /// The policy as the configuration has it at the start of a run.
    ///
    /// # Errors
    /// A folder without a model; one with weights where random ones are asked for.
    pub fn policy(&self, config: &ModelConfig, seed: u64) -> Result<Qwen, RunError> {
        let policy = policy(config, seed, self.device, self.kind)?;
        Ok(policy.with_logits_at_once(self.plan.cut.logits_at_once))
    }

    /// The policy that a KL term is measured from: the initial one, in the numbers of the forward pass alone. It goes by way of
    /// the CPU, so that masters of 32 bits never stand beside the policy's.
    ///
    /// # Errors
    /// As [`Placement::policy`].
    pub fn reference(&self, config: &ModelConfig, seed: u64) -> Result<Qwen, RunError> {
        let initial = policy(config, seed, Device::Cpu, self.kind)?;
        Ok(initial.frozen().to_device(self.device))
    }
}

fn policy(config: &ModelConfig, seed: u64, device: Device, kind: Kind) -> Result<Qwen, RunError> {
    if !config.random {
        return Ok(Qwen::load(&config.path, device, kind)?);
    }
    if model::has_weights(&config.path) {
        let problem = format!(
            "asks for random weights, but {} holds weights",
            config.path.display()
        );
        let hint = "set it to false to start from those weights, or use a folder without weights";
        return Err(ConfigError::new("model.random", problem).hint(hint).into());
    }
    let shape = QwenConfig::read(&config.path.join("config.json"))?;
    let seed = chance::seed(seed, Purpose::Weights, 0);
    Ok(Qwen::random(shape, seed, device, kind).with_tokenizer_of(&config.path))
}

/// What a setting of numbers means on a device.
pub fn kind(compute: Compute, device: Device) -> Kind {
    match compute {
        Compute::Auto if device.is_cuda() => Kind::BFloat16,
        Compute::Auto | Compute::Float32 => Kind::Float,
        Compute::Bfloat16 => Kind::BFloat16,
    }
}

/// A missing model is reported by the setting that names it.
pub fn exists(path: &Path) -> Result<(), ConfigError> {
    if path.is_dir() {
        return Ok(());
    }
    let problem = match path.as_os_str().is_empty() {
        true => "no model is set".to_owned(),
        false => format!("there is no folder {}", path.display()),
    };
    let hint = "it must be a local folder in the Hugging Face layout; models are not downloaded";
    Err(ConfigError::new("model.path", problem).hint(hint))
}

/// Whether the model has an embedding of every token that a text can become.
pub fn knows_all_tokens(shape: &QwenConfig, tokenizer: &Tokenizer) -> Result<(), ConfigError> {
    let (largest, size) = (tokenizer.largest(), shape.vocab_size);
    match largest < size {
        true => Ok(()),
        false => Err(ConfigError::new(
            "model.path",
            format!(
                "the tokenizer's largest token id is {largest}, but the model's vocab_size is {size}"
            ),
        )),
    }
}

/// Whether the model was made for sequences as long as those of a run may be.
fn has_positions(shape: &QwenConfig, config: &Config) -> Result<(), ConfigError> {
    let (prompt, most) = (config.data.max_prompt, shape.max_positions);
    let too_long = |(_, tokens): &(&str, usize)| (prompt + tokens) as i64 > most;
    let Some((key, tokens)) = lengths(config).into_iter().find(too_long) else {
        return Ok(());
    };
    let longest = prompt + tokens;
    let problem = format!(
        "{tokens} together with data.max_prompt makes {longest} tokens, but the model's max_position_embeddings is {most}"
    );
    Err(ConfigError::new(key, problem).hint(format!("lower {key} or data.max_prompt")))
}

/// Whether graphs that are asked for can be had.
fn has_graphs(
    graphs: CudaGraphs,
    shape: &QwenConfig,
    device: Device,
    kind: Kind,
) -> Result<(), ConfigError> {
    let wrong = |problem: String| ConfigError::new("rollout.cuda_graphs", problem);
    match graphs {
        CudaGraphs::Auto | CudaGraphs::Off | CudaGraphs::Rehearsed => Ok(()),
        CudaGraphs::On if !device.is_cuda() => {
            let problem = "is \"on\", but the model computes on the CPU".to_owned();
            Err(wrong(problem).hint("set it to \"off\", or model.device to \"cuda\""))
        }
        CudaGraphs::On if !shape.attends_by_flash(device, kind) => {
            let problem = "is \"on\", but attention is not flash attention here".to_owned();
            Err(wrong(problem).hint("set it to \"off\", or model.compute to \"bfloat16\""))
        }
        CudaGraphs::On => match GraphPool::new() {
            Ok(_) => Ok(()),
            Err(problem) => {
                Err(wrong(format!("cannot be had: {problem}")).hint("set it to \"off\""))
            }
        },
    }
}

/// How long responses may be to the problems that there are, with the key that says so.
fn lengths(config: &Config) -> Vec<(&'static str, usize)> {
    let (rollout, data) = (&config.rollout, &config.data);
    let mut lengths = Vec::new();
    if !data.problems.is_empty() {
        lengths.push(("rollout.max_tokens", rollout.max_tokens));
        let stages = rollout.stages.iter();
        lengths.extend(stages.map(|stage| ("rollout.stages", stage.tokens)));
    }
    if !data.held_out.is_empty() {
        lengths.push((
            "evaluation.max_tokens",
            config.evaluation.max_tokens.longest(),
        ));
    }
    lengths
}

/// AdamW over all weights of a model.
pub fn optimizer(model: &Qwen, config: &OptimizerConfig) -> AdamW {
    let settings = AdamWConfig {
        betas: (config.beta1, config.beta2),
        epsilon: config.eps,
        weight_decay: config.weight_decay,
    };
    AdamW::new(model.parameters(), settings)
}

/// Where to compute. A fallback to the CPU is reported.
pub fn device(asked: config::Device) -> Result<Device, ConfigError> {
    let gpu = match asked {
        config::Device::Cpu => return Ok(Device::Cpu),
        config::Device::Auto | config::Device::Cuda => native::first_gpu(),
    };
    match gpu {
        Ok(gpu) => Ok(gpu),
        Err(problem) if asked == config::Device::Cuda => {
            let problem = format!("no usable GPU ({problem})");
            let hint =
                "build against a libtorch with CUDA: eval \"$(trainer/setup-torch.sh --cuda)\"";
            Err(ConfigError::new("model.device", problem).hint(hint))
        }
        Err(problem) => {
            eprintln!("no usable GPU ({problem}); falling back to CPU");
            Ok(Device::Cpu)
        }
    }
}
