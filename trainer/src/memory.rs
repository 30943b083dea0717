//! How much memory a run takes, by arithmetic, before anything is loaded.
//!
//! A run passes through phases that need different things: while sampling, keys and values fill whatever is free; while
//! updating, gradients and activations do. The larger phase decides whether a run fits, and what sampling leaves free decides
//! how many sequences grow side by side. The terms are upper bounds of what the code allocates; `trainer/gpu/measure.sh` holds
//! them against a GPU.

mod available;
mod shapes;
mod size;

pub use available::available;
pub use shapes::shape;
pub use size::Size;

use crate::config::{Config, ConfigError, RolloutSource, Slots};
use crate::engine::{Graphs, PREFILL_TOKENS, Room};
use crate::model::{QwenConfig, logits_at_once};

/// The most sequences that `rollout.slots = "auto"` has growing side by side. Beyond a few hundred, a decoding step is no
/// longer bound by reading the weights, and more slots gain little.
const MOST_SLOTS: usize = 256;
/// What a GPU's context and libtorch's kernels take.
const CONTEXT: u64 = 1 << 30;
/// The share of a GPU's memory that is lost between blocks of different sizes.
const FRAGMENTED: f64 = 0.04;
/// Rows of the vocabulary's size that sampling holds per sequence: logits, scaled and filtered, and noise, in float32.
const LOGIT_ROWS: u64 = 4;
/// Copies of a chunk of logits that the head's way back holds: logits, log-probabilities, and their gradients.
const LOGIT_CHUNKS: u64 = 5;

/// How often a chunk of logits may be halved to fit. Below, each chunk costs more for the head's gradient than for itself.
const LOGITS_HALVED: u32 = 3;
/// Micro-batches are not cut below this many tokens.
const LEAST_TOKENS: usize = 1024;

/// What a command does with a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workload {
    /// Reinforcement learning: samples, updates, evaluates.
    Grpo,
    /// Supervised training: updates, and evaluates at the end.
    Sft,
    /// Samples only.
    Sampling,
}

impl Workload {
    /// Whether it samples from the policy where that is, and not from a server.
    pub fn samples_here(self, from: RolloutSource) -> bool {
        self != Workload::Grpo || from == RolloutSource::Policy
    }
}

/// Where a model computes, and in what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// Memory that can be used.
    pub memory: Size,
    /// Whether it is a GPU's.
    pub gpu: bool,
    /// Whether the forward pass computes in 16 bits.
    pub half: bool,
    /// Whether it can replay decoding steps as CUDA graphs.
    pub replays: bool,
}

impl Machine {
    /// Bytes of a number in the forward pass.
    fn bytes(&self) -> u64 {
        if self.half { 2 } else { 4 }
    }
}

/// Something that takes memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub what: &'static str,
    /// How much it takes.
    pub size: Size,
}

/// What is in memory at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// Which time.
    pub name: &'static str,
    /// Everything but the sequences that are being sampled.
    pub parts: Vec<Part>,
    /// The sequences being sampled, where there are any.
    pub sequences: Option<Sequences>,
}

/// Sequences that grow side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sequences {
    /// Tokens of the longest prompt and response.
    pub tokens: u64,
    /// Keys and values of a token.
    pub per_token: Size,
    /// What a sequence takes besides.
    pub per_sequence: Size,
    /// How many responses there are to sample: more slots would stay empty.
    pub wanted: usize,
    /// How many grow side by side, at most.
    pub slots: usize,
    /// Tokens that all of them hold together, at most. Where that is less than all at their longest, some give way then.
    pub held: u64,
}

impl Sequences {
    /// What one of them takes at its longest.
    fn each(&self) -> Size {
        Size(self.tokens * self.per_token.0 + self.per_sequence.0)
    }

    /// What all of them take.
    pub fn size(&self) -> Size {
        Size(self.held * self.per_token.0 + self.slots as u64 * self.per_sequence.0)
    }

    /// What sampling may use, of so many bytes.
    fn room(&self, bytes: u64) -> Room {
        Room::Memory {
            bytes,
            per_token: self.per_token.0,
            per_sequence: self.per_sequence.0,
            most: MOST_SLOTS,
        }
    }

    /// How many may be at their longest at the same time.
    pub fn at_full_length(&self) -> u64 {
        self.held / self.tokens.max(1)
    }
}

impl Phase {
    fn fixed(&self) -> Size {
        Size(self.parts.iter().map(|part| part.size.0).sum())
    }

    /// All of it.
    pub fn size(&self) -> Size {
        Size(self.fixed().0 + self.sequences.map_or(0, |sequences| sequences.size().0))
    }
}

/// What a run takes, phase by phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Where it runs.
    pub machine: Machine,
    /// Its phases.
    pub phases: Vec<Phase>,
    /// How finely updates are cut to fit.
    pub cut: Cut,
}

/// How finely an update is cut. It changes memory and speed, and no number but for rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Tokens of a micro-batch, at most.
    pub micro_batch_tokens: usize,
    /// Logits that stand in memory at once.
    pub logits_at_once: i64,
}

impl Plan {
    /// Reckon what `workload` takes. `rollout.slots = "auto"` becomes as many as fit.
    pub fn of(shape: &QwenConfig, config: &Config, workload: Workload, machine: Machine) -> Plan {
        let terms = Terms {
            shape,
            config,
            workload,
            machine,
        };
        let cut = terms.cut();
        Plan {
            machine,
            phases: terms.phases(cut),
            cut,
        }
    }

    /// What sampling may use, for the engine: a fixed number of slots, or the memory left for them.
    pub fn room(&self, slots: Slots) -> Room {
        let sampled = self.phases.iter().filter_map(|phase| {
            let sequences = phase.sequences?;
            let left = self.machine.memory.0.saturating_sub(phase.fixed().0);
            Some((left, sequences))
        });
        match (slots, sampled.min_by_key(|(left, _)| *left)) {
            (Slots::Count(count), _) => Room::Slots(count),
            (Slots::Auto, None) => Room::Slots(MOST_SLOTS),
            (Slots::Auto, Some((left, sequences))) => sequences.room(left),
        }
    }

    /// Check that every phase fits.
    ///
    /// # Errors
    /// The first that does not, with its sum, and what to set instead.
    pub fn check(&self) -> Result<(), ConfigError> {
        let memory = self.machine.memory;
        match self.phases.iter().find(|phase| phase.size() > memory) {
            Some(phase) => Err(phase.too_large(memory)),
            None => Ok(()),
        }
    }
}

impl Phase {
    fn too_large(&self, memory: Size) -> ConfigError {
        let mut sum: Vec<String> = self
            .parts
            .iter()
            .filter(|part| part.size.0 > 0)
            .map(|part| format!("{} {}", part.what, part.size))
            .collect();
        let left = memory.0.saturating_sub(self.fixed().0);
        let (place, hint) = match self.sequences {
            Some(sequences) => {
                sum.push(format!(
                    "{} slots of {} tokens {}",
                    sequences.at_full_length(),
                    sequences.tokens,
                    sequences.size()
                ));
                ("rollout.slots", sequences.hint(left))
            }
            None => (
                "update.micro_batch_tokens",
                "update.activation_checkpointing = true, shorter responses or a smaller model takes less"
                    .to_owned(),
            ),
        };
        let problem = format!(
            "{} needs {}, but {memory} is available: {}",
            self.name,
            self.size(),
            sum.join(", ")
        );
        ConfigError {
            hint: Some(hint),
            ..ConfigError::new(place, problem)
        }
    }
}

impl Sequences {
    fn hint(&self, left: u64) -> String {
        match left / self.each().0.max(1) {
            0 => "shorter responses, a smaller model or model.compute = \"bfloat16\" takes less"
                .to_owned(),
            fit => format!("{fit} slots fit: set rollout.slots = \"auto\", or no more than that"),
        }
    }
}

/// What the terms depend on.
struct Terms<'a> {
    shape: &'a QwenConfig,
    config: &'a Config,
    workload: Workload,
    machine: Machine,
}

impl Terms<'_> {
    fn phases(&self, cut: Cut) -> Vec<Phase> {
        let (rollout, evaluation) = (&self.config.rollout, &self.config.evaluation);
        let mut phases = Vec::new();
        let samples = self.workload.samples_here(rollout.from);
        if samples && self.workload == Workload::Grpo {
            let wanted = rollout.prompts * rollout.samples;
            phases.push(self.sampling("sampling", self.longest_response(), wanted));
        }
        let evaluates =
            self.workload == Workload::Sampling || !self.config.data.held_out.is_empty();
        if samples && evaluates {
            phases.push(self.sampling("evaluation", evaluation.max_tokens.longest(), usize::MAX));
        }
        if self.workload != Workload::Sampling {
            phases.push(self.updating(cut));
        }
        phases
    }

    /// What lies in memory all the time.
    fn standing(&self) -> Vec<Part> {
        let weights = self.shape.parameter_count() as u64;
        let mut parts = vec![part("weights", 4 * weights)];
        if self.workload != Workload::Sampling {
            parts.push(part("AdamW's moments", 8 * weights));
        }
        if self.workload == Workload::Grpo && self.config.loss.kl_beta != 0.0 {
            parts.push(part("reference policy", self.machine.bytes() * weights));
        }
        let reserve = match self.machine.gpu {
            true => CONTEXT + (FRAGMENTED * self.machine.memory.0 as f64) as u64,
            false => 0,
        };
        parts.push(part("reserve", reserve));
        parts
    }

    /// While responses are sampled, gradients are not in memory, and a copy of the weights in 16 bits is.
    fn sampling(&self, name: &'static str, max_tokens: usize, wanted: usize) -> Phase {
        let (shape, bytes) = (self.shape, self.machine.bytes());
        // In 32 bits too: the fused projections are a copy.
        let copied = bytes;
        let prompt = self.config.data.max_prompt as u64;
        let tokens = prompt + max_tokens as u64;
        // A response that gave way goes through the model again by itself; one more prompt may come with others.
        let at_once = tokens.max(PREFILL_TOKENS as u64 + prompt);
        let prefill = at_once * (self.layer_bytes() + self.cache_bytes());
        // Where responses move, the rows of one layer stand in memory twice.
        let most = MOST_SLOTS.min(wanted) as u64 * tokens * self.cache_bytes();
        let moving = most.min(self.machine.memory.0) / shape.layers as u64;
        let mut parts = self.standing();
        parts.push(part(
            "copy to sample from",
            copied * shape.parameter_count() as u64,
        ));
        parts.push(part("prefill", prefill.max(moving)));
        let mut sequences = Sequences {
            tokens,
            per_token: Size(self.cache_bytes()),
            per_sequence: Size(self.slot_bytes()),
            wanted,
            slots: 0,
            held: 0,
        };
        let fixed: u64 = parts.iter().map(|part| part.size.0).sum();
        let left = self.machine.memory.0.saturating_sub(fixed);
        let room = match self.config.rollout.slots {
            Slots::Count(count) => Room::Slots(count),
            Slots::Auto => sequences.room(left),
        };
        let pool = room.pool(tokens as usize, wanted);
        (sequences.slots, sequences.held) = (pool.slots, pool.tokens as u64);
        Phase {
            name,
            parts,
            sequences: Some(sequences),
        }
    }

    /// Keys and values of a token.
    fn cache_bytes(&self) -> u64 {
        let shape = self.shape;
        (2 * shape.layers * shape.kv_heads * shape.head_dim) as u64 * self.machine.bytes()
    }

    /// What a slot takes besides keys and values: logits, its position's turns, and the inner numbers of a layer. Graphs have memory
    /// of their own for them, beside that of a step that is launched one by one.
    fn slot_bytes(&self) -> u64 {
        let (shape, bytes) = (self.shape, self.machine.bytes());
        let logits = (4 * LOGIT_ROWS + bytes) * shape.vocab_size as u64;
        let step = logits + self.angles() + 4 * shape.intermediate_size as u64 * bytes;
        match self
            .config
            .rollout
            .cuda_graphs
            .on_machine(self.machine.replays)
        {
            Graphs::On => 2 * step,
            Graphs::Off | Graphs::Rehearsed => step,
        }
    }

    /// Cosines and sines of a sequence's position, with the weights of every layer's norms in them.
    fn angles(&self) -> u64 {
        let shape = self.shape;
        let heads = shape.layers * (shape.heads + shape.kv_heads) * shape.head_dim;
        2 * heads as u64 * self.machine.bytes()
    }

    /// What a layer's forward pass keeps of a token: the inputs of its norms and products, and what they give.
    fn layer_bytes(&self) -> u64 {
        let shape = self.shape;
        let (query, key) = (
            shape.heads * shape.head_dim,
            shape.kv_heads * shape.head_dim,
        );
        let numbers = 6 * shape.hidden_size + 5 * query + 5 * key + 4 * shape.intermediate_size;
        numbers as u64 * self.machine.bytes()
    }

    /// The coarsest cut that fits, or the finest: as configured, with smaller chunks of logits, in smaller micro-batches.
    fn cut(&self) -> Cut {
        let longest = self.longest_sequence();
        let mut cut = Cut {
            micro_batch_tokens: self.config.update.micro_batch_tokens,
            logits_at_once: logits_at_once(self.machine.gpu),
        };
        loop {
            for halved in 0..=LOGITS_HALVED {
                let finer = Cut {
                    logits_at_once: logits_at_once(self.machine.gpu) >> halved,
                    ..cut
                };
                if self.updating(finer).size() <= self.machine.memory {
                    return finer;
                }
                cut.logits_at_once = finer.logits_at_once;
            }
            if cut.micro_batch_tokens <= longest.max(LEAST_TOKENS) {
                return cut;
            }
            cut.micro_batch_tokens /= 2;
        }
    }

    /// While weights are updated, nothing is sampled.
    fn updating(&self, cut: Cut) -> Phase {
        let (shape, bytes) = (self.shape, self.machine.bytes());
        let (layers, hidden) = (shape.layers as u64, shape.hidden_size as u64);
        // A sequence that is longer than a micro-batch is one by itself.
        let tokens = cut.micro_batch_tokens.max(self.longest_sequence()) as u64;
        let one = tokens * (self.layer_bytes() + self.gradient_bytes());
        let activations = match self.config.update.activation_checkpointing {
            true => (layers + 1) * tokens * hidden * bytes + one,
            false => (layers - 1) * tokens * self.layer_bytes() + one,
        };
        let logits = (4 * cut.logits_at_once as u64).min(4 * tokens * shape.vocab_size as u64);
        // The head's weights and their gradient in the kind of the forward pass, and that gradient in float32.
        let head = (2 * bytes + 4) * shape.vocab_size as u64 * hidden;
        let mut parts = self.standing();
        parts.push(part("gradients", 4 * shape.parameter_count() as u64));
        parts.push(part("activations", activations));
        parts.push(part("logits and head", LOGIT_CHUNKS * logits + head));
        Phase {
            name: "updating",
            parts,
            sequences: None,
        }
    }

    /// On the way back, the gradients that stand beside a layer's activations, per token: those of the SwiGLU's three products
    /// are the widest.
    fn gradient_bytes(&self) -> u64 {
        let shape = self.shape;
        (3 * shape.intermediate_size + 4 * shape.hidden_size) as u64 * self.machine.bytes()
    }

    /// Tokens of the longest sequence that is trained on. What a corpus holds is not known before it is read.
    fn longest_sequence(&self) -> usize {
        match self.workload {
            Workload::Grpo => self.config.data.max_prompt + self.longest_response(),
            Workload::Sft | Workload::Sampling => 0,
        }
    }

    fn longest_response(&self) -> usize {
        let rollout = &self.config.rollout;
        let stages = rollout.stages.iter().map(|stage| stage.tokens);
        stages.fold(rollout.max_tokens, usize::max)
    }
}

fn part(what: &'static str, bytes: u64) -> Part {
    Part {
        what,
        size: Size(bytes),
    }
}
