//! What a run does, as one TOML file: the records, their defaults and what each means.
//!
//! The defaults are the paper's experimental configuration (its section 5) where that names a value. How a file is
//! read and put together with the command line is the business of [`mod@load`]; nothing here acts on a value.

pub mod describe;
pub mod load;
pub mod schema;
mod validate;
mod values;

use std::path::PathBuf;

use evaluator::Profile;
use evaluator::reward::RewardRule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::algorithm::advantage::Normalisation;
use crate::algorithm::context::LengthStage;
use crate::algorithm::groups::{Curriculum, ZeroVariance};
use crate::algorithm::loss::LossConfig;
use crate::algorithm::overlong::Overlong;
use crate::algorithm::schedule::{Decay, Schedule};
use crate::algorithm::temperature::{Decline, TemperatureStage};
use crate::algorithm::truncation::{Conditions, Mask};

pub use load::{ConfigError, load};
pub use values::{Budgets, CudaGraphs, Slots};

/// All of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// From which every random number of the run follows.
    pub seed: u64,
    /// Training steps: batches of prompts sampled, judged and learned from.
    pub steps: usize,
    /// The policy.
    pub model: ModelConfig,
    /// Problems and how they are asked.
    pub data: DataConfig,
    /// How responses are sampled while training.
    pub rollout: RolloutConfig,
    /// The sampling temperature while training.
    pub temperature: TemperatureConfig,
    /// What a verdict is worth.
    pub reward: RewardConfig,
    /// From rewards to advantages.
    pub advantage: AdvantageConfig,
    /// Which truncated responses are kept out.
    pub truncation: TruncationConfig,
    /// The loss.
    pub loss: LossConfig,
    /// How a batch is cut into updates.
    pub update: UpdateConfig,
    /// The optimizer.
    pub optimizer: OptimizerConfig,
    /// Evaluation while training, and by `mc-train eval`.
    pub evaluation: EvaluationConfig,
    /// A server that answers in place of the policy, for `mc-train eval` and `mc-train generate`, and where `rollout.from` is
    /// "server" for training.
    pub server: ServerConfig,
    /// The probe over temperatures.
    pub probe: ProbeConfig,
    /// What is written, and how often.
    pub output: OutputConfig,
    /// Supervised training, for `mc-train sft`.
    pub sft: SftConfig,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            seed: 0,
            steps: 300,
            model: ModelConfig::default(),
            data: DataConfig::default(),
            rollout: RolloutConfig::default(),
            temperature: TemperatureConfig::default(),
            reward: RewardConfig::default(),
            advantage: AdvantageConfig::default(),
            truncation: TruncationConfig::default(),
            loss: LossConfig::default(),
            update: UpdateConfig::default(),
            optimizer: OptimizerConfig::default(),
            evaluation: EvaluationConfig::default(),
            server: ServerConfig::default(),
            probe: ProbeConfig::default(),
            output: OutputConfig::default(),
            sft: SftConfig::default(),
        }
    }
}

/// The policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ModelConfig {
    /// A folder in the Hugging Face layout.
    pub path: PathBuf,
    /// Take only the shape from the folder, and random weights. For models made from nothing.
    pub random: bool,
    /// What the forward pass computes in.
    pub compute: Compute,
    /// Where it computes.
    pub device: Device,
}

impl Default for ModelConfig {
    fn default() -> ModelConfig {
        ModelConfig {
            path: PathBuf::new(),
            random: false,
            compute: Compute::Auto,
            device: Device::Auto,
        }
    }
}

/// Numbers of a width. Those of the forward pass and of the model that is written are chosen; weights in training,
/// gradients and optimizer state are 32 bits wide in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Compute {
    /// 16 bits on a GPU, 32 on a CPU.
    Auto,
    /// 32 bits.
    Float32,
    /// 16 bits, with the range of 32.
    Bfloat16,
}

/// A device by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Device {
    /// The first GPU, else the CPU.
    Auto,
    /// The CPU.
    Cpu,
    /// The first GPU.
    Cuda,
}

/// Problems and how they are asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DataConfig {
    /// Files of problems to train on, in any format that `mc-eval` reads.
    pub problems: Vec<PathBuf>,
    /// Files of problems to evaluate on.
    pub held_out: Vec<PathBuf>,
    /// The user's message; `{statement}` stands for the problem's statement and `{prompt}` for its head of a program.
    pub template: String,
    /// Whether the message is put into the model's chat template.
    pub chat: bool,
    /// Whether the model thinks before it answers, for chat templates that ask (`enable_thinking`). Unset, the template decides:
    /// Qwen3's thinks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<bool>,
    /// Where in a response its program is.
    pub program: ProgramIn,
    /// Longer prompts, in tokens, are passed over and counted.
    pub max_prompt: usize,
    /// Which problems are asked again, by their pass rate.
    pub curriculum: Curriculum,
}

impl Default for DataConfig {
    fn default() -> DataConfig {
        DataConfig {
            problems: Vec::new(),
            held_out: Vec::new(),
            template: "{statement}\n\nWrite a Python program that solves this problem. Put it into one fenced block.\n\n{prompt}".to_owned(),
            chat: true,
            thinking: None,
            program: ProgramIn::Fence,
            max_prompt: 2048,
            curriculum: Curriculum::default(),
        }
    }
}

/// Where in a response its program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProgramIn {
    /// In its last fenced block, as `mc-eval judge` finds it in a solution's `response`.
    Fence,
    /// It is the response.
    Whole,
}

/// How responses are sampled while training: from the whole distribution, as the ratio of the loss demands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RolloutConfig {
    /// Who samples for `mc-train grpo`, in its evaluations too.
    pub from: RolloutSource,
    /// Prompts per step: the paper's `train_batch_size`.
    pub prompts: usize,
    /// Responses to each prompt: the size of a group.
    pub samples: usize,
    /// The longest response, in tokens, before any stage.
    pub max_tokens: usize,
    /// Longer responses from later steps on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<LengthStage>,
    /// Sequences generated side by side: a number, each with room for the longest; or "auto" for as many as memory holds of what
    /// they have so far.
    pub slots: Slots,
    /// Whether a GPU is given the launches of a decoding step all at once, as a CUDA graph.
    pub cuda_graphs: CudaGraphs,
    /// What becomes of groups without variance.
    pub zero_variance: ZeroVariance,
    /// How often a batch is refilled at most in a step.
    pub refills: usize,
    /// Rewards are shuffled within each group: a control that must not learn.
    pub shuffle_rewards: bool,
}

impl Default for RolloutConfig {
    fn default() -> RolloutConfig {
        RolloutConfig {
            from: RolloutSource::Policy,
            prompts: 64,
            samples: 8,
            max_tokens: 8192,
            stages: Vec::new(),
            slots: Slots::Auto,
            cuda_graphs: CudaGraphs::Auto,
            zero_variance: ZeroVariance::Keep,
            refills: 3,
            shuffle_rewards: false,
        }
    }
}

/// Who samples while training.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RolloutSource {
    /// The policy itself, on the device it is trained on.
    Policy,
    /// vLLM at `server.url`, which is given the policy's weights after each step.
    Server,
}

/// The sampling temperature while training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TemperatureConfig {
    /// What it depends on.
    pub by: TemperatureBy,
    /// The temperature, before any stage.
    pub value: f64,
    /// Later temperatures, where `by` is "stages"; where it is "diversity", what a sustained decline moves on to, whatever their
    /// steps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<TemperatureStage>,
    /// When a decline of diversity is alarming.
    pub decline: Decline,
}

impl Default for TemperatureConfig {
    fn default() -> TemperatureConfig {
        TemperatureConfig {
            by: TemperatureBy::Constant,
            value: 1.2,
            stages: Vec::new(),
            decline: Decline::default(),
        }
    }
}

/// What the temperature depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TemperatureBy {
    /// Nothing. A decline of diversity is warned of.
    Constant,
    /// The step. A decline of diversity is warned of.
    Stages,
    /// The diversity of responses: a probe picks the first, and a sustained decline moves on to the next stage.
    Diversity,
}

/// What a verdict is worth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RewardConfig {
    /// The reward function.
    pub function: RewardRule,
    /// The comparison profile that decides.
    pub profile: Profile,
    /// CPU time per test, in seconds, of a problem that states none.
    pub time_limit: f64,
    /// Submissions judged side by side; 0 for as many as there are cores, less one for sampling where there are more than two.
    pub workers: usize,
    /// The penalty for responses near the length limit.
    pub overlong: Overlong,
}

impl Default for RewardConfig {
    fn default() -> RewardConfig {
        RewardConfig {
            function: RewardRule::Binary,
            profile: Profile::Standard,
            time_limit: evaluator::Settings::default().time_limit.as_secs_f64(),
            workers: 0,
            overlong: Overlong::default(),
        }
    }
}

/// From rewards to advantages.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AdvantageConfig {
    /// What centred rewards are divided by.
    pub normalisation: Normalisation,
    /// What is added to a standard deviation; 1e-4 in TRL, 1e-6 in verl.
    pub eps: f64,
}

impl Default for AdvantageConfig {
    fn default() -> AdvantageConfig {
        AdvantageConfig {
            normalisation: Normalisation::Group,
            eps: 1e-6,
        }
    }
}

/// Which truncated responses are kept out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TruncationConfig {
    /// Which of them.
    pub mask: Mask,
    /// On what conditions, where `mask` is "conditional".
    pub conditions: Conditions,
}

impl Default for TruncationConfig {
    fn default() -> TruncationConfig {
        TruncationConfig {
            mask: Mask::Off,
            conditions: Conditions::default(),
        }
    }
}

/// How a batch is cut into updates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct UpdateConfig {
    /// Prompts per update: the paper's `ppo_mini_batch_size`. As many as `rollout.prompts` is on-policy; fewer, more updates per step.
    pub prompts: usize,
    /// Tokens, prompts among them, of a micro-batch. Changes memory and speed, and no number.
    pub micro_batch_tokens: usize,
    /// Keep only the inputs of layers and run them again on the way back. Changes memory and speed, and no number.
    pub activation_checkpointing: bool,
}

impl Default for UpdateConfig {
    /// Two updates per step, where the paper does not say.
    fn default() -> UpdateConfig {
        UpdateConfig {
            prompts: 32,
            micro_batch_tokens: 16384,
            activation_checkpointing: true,
        }
    }
}

/// AdamW.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OptimizerConfig {
    /// The learning rate over the run's steps.
    pub schedule: Schedule,
    /// Decay of the first moment.
    pub beta1: f64,
    /// Decay of the second moment.
    pub beta2: f64,
    /// Added to the root of the second moment.
    pub eps: f64,
    /// Decay of the weights, times the learning rate.
    pub weight_decay: f64,
    /// Gradients are scaled down to this norm.
    pub max_norm: f64,
}

impl Default for OptimizerConfig {
    fn default() -> OptimizerConfig {
        OptimizerConfig {
            schedule: Schedule::default(),
            beta1: 0.9,
            beta2: 0.999,
            eps: 1e-8,
            weight_decay: 0.0,
            max_norm: 1.0,
        }
    }
}

/// Evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EvaluationConfig {
    /// Steps from one evaluation to the next; 0 for none while training.
    pub every: usize,
    /// Responses to each problem: k of avg@k.
    pub samples: usize,
    /// The longest response, in tokens; may be more than is trained on. Several, as in `[4096, 8192]`, are measured from the same
    /// responses: what a shorter limit would have left of each.
    pub max_tokens: Budgets,
    /// The sampling temperature; 0 takes the likeliest token.
    pub temperature: f64,
    /// Sample from the smallest set of tokens that has this probability.
    pub top_p: f64,
    /// Sample from so many of the likeliest tokens; 0 for all.
    pub top_k: usize,
}

impl Default for EvaluationConfig {
    fn default() -> EvaluationConfig {
        EvaluationConfig {
            every: 10,
            samples: 4,
            max_tokens: Budgets(vec![8192]),
            temperature: 0.6,
            top_p: 0.95,
            top_k: 20,
        }
    }
}

/// A server that speaks OpenAI's protocol, as vLLM and SGLang do. Training needs vLLM.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ServerConfig {
    /// Its base URL, as OpenAI's clients take it: `http://127.0.0.1:8000/v1`; `/v1` may be left out. None for the policy.
    pub url: Option<String>,
    /// The model to ask for. None for the one that the server lists.
    pub model: Option<String>,
    /// The environment variable that holds the key, if one is needed. The key itself is written nowhere.
    pub key_variable: Option<String>,
    /// Requests made at a time, each for one response.
    pub parallel: usize,
    /// How often a request is made again, ever later: where the server cannot be reached, is busy or fails.
    pub retries: usize,
    /// Seconds that one response may take.
    pub timeout: f64,
    /// The folder through which the server gets the policy's weights while training, at the same path for both; a run needs one of
    /// its own. Unset, it is in the run's folder.
    pub weights: Option<PathBuf>,
    /// How the server is told of them.
    pub handover: Handover,
}

impl Default for ServerConfig {
    fn default() -> ServerConfig {
        ServerConfig {
            url: None,
            model: None,
            key_variable: None,
            parallel: 64,
            retries: 6,
            timeout: 1800.0,
            weights: None,
            handover: Handover::Reload,
        }
    }
}

/// How vLLM is told of new weights, in its development mode (`VLLM_SERVER_DEV_MODE=1`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Handover {
    /// By its worker's `reload_weights`, which reads a folder (from version 0.18 on).
    Reload,
    /// By its weight transfer interface, where it is served with a backend that reads a folder.
    Transfer,
}

/// The probe over temperatures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ProbeConfig {
    /// The temperatures.
    pub temperatures: Vec<f64>,
    /// Problems asked at each.
    pub problems: usize,
    /// Responses to each problem.
    pub samples: usize,
    /// The diversity that training is expected to settle at.
    pub convergence: f64,
    /// The share of the best accuracy that may be lost, beyond what the probe's standard error explains.
    pub accuracy_loss: f64,
}

impl Default for ProbeConfig {
    fn default() -> ProbeConfig {
        ProbeConfig {
            temperatures: vec![0.6, 0.9, 1.2, 1.5, 1.8],
            problems: 64,
            samples: 8,
            convergence: 0.3,
            accuracy_loss: 0.1,
        }
    }
}

/// What is written, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OutputConfig {
    /// Steps from one checkpoint to the next; one is always written at the end.
    pub checkpoint_every: usize,
    /// How many checkpoints are kept.
    pub keep: usize,
    /// Steps from one set of samples to the next; 0 for none.
    pub samples_every: usize,
    /// Groups in a set of samples.
    pub samples: usize,
    /// Write events for TensorBoard too.
    pub tensorboard: bool,
    /// The numbers of the model that is written at the end. Checkpoints always keep all 32 bits.
    pub model: Compute,
}

impl Default for OutputConfig {
    fn default() -> OutputConfig {
        OutputConfig {
            checkpoint_every: 10,
            keep: 2,
            samples_every: 10,
            samples: 2,
            tensorboard: true,
            model: Compute::Auto,
        }
    }
}

/// Supervised training on prompts and responses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SftConfig {
    /// Files of JSON lines with `prompt` and `response`.
    pub corpus: Vec<PathBuf>,
    /// Updates.
    pub steps: usize,
    /// Pairs per update.
    pub batch: usize,
    /// Updates from one checkpoint to the next.
    pub checkpoint_every: usize,
    /// The optimizer, of its own.
    pub optimizer: OptimizerConfig,
}

impl Default for SftConfig {
    fn default() -> SftConfig {
        SftConfig {
            corpus: Vec::new(),
            steps: 800,
            batch: 64,
            checkpoint_every: 200,
            optimizer: OptimizerConfig {
                schedule: Schedule {
                    rate: 2e-3,
                    warmup: 30,
                    decay: Decay::Cosine,
                    floor: 0.1,
                },
                beta2: 0.98,
                weight_decay: 0.01,
                ..OptimizerConfig::default()
            },
        }
    }
}
