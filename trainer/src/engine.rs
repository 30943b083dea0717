//! Samples responses from the Policy: a number of slots that memory allows, each with its own length; a prompt is run through the model
//! once for its whole group; a slot that ends is filled again at once.
//!
//! It knows no text, no reward and no training. A response depends on the weights, its prompt, the settings and its own
//! number alone, never on which slot it had or what ran beside it (up to the rounding of batched arithmetic).

mod arena;
mod queue;
mod sampling;

pub use queue::PREFILL_TOKENS;
pub use sampling::{Sampling, filtered_log_probs};

use crate::model::Qwen;
use crate::native;
use arena::Arena;
use queue::{Queue, Running};
use tch::Tensor;

/// One response.
#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    /// Which prompt it answers, counted from zero.
    pub prompt: usize,
    /// The response's tokens, with the stop token if one came.
    pub tokens: Vec<i64>,
    /// The log-probability with which each token was drawn: tempered, filtered.
    pub log_probs: Vec<f32>,
    /// Whether it ended for want of room, not by a stop token.
    pub truncated: bool,
}

/// What a call to [`Engine::generate`] did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GenerationStats {
    /// Prompts run through the model.
    pub prefills: usize,
    /// Decoding steps, each of one token for every busy slot.
    pub steps: usize,
    /// Tokens drawn.
    pub tokens: usize,
}

/// How responses are sampled side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Engine {
    /// How many responses may grow at the same time.
    pub room: Room,
}

/// How many responses may grow at the same time. Each has room for the longest prompt and response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// So many slots.
    Slots(usize),
    /// As many slots as memory holds, and at least one.
    Memory {
        /// Bytes that may be used.
        bytes: u64,
        /// Bytes of a token's keys and values.
        per_token: u64,
        /// Bytes that a slot takes besides.
        per_sequence: u64,
        /// The most slots.
        most: usize,
    },
}

impl Room {
    /// Slots for sequences of at most `tokens` tokens.
    fn slots(self, tokens: usize) -> usize {
        match self {
            Room::Slots(slots) => slots,
            Room::Memory {
                bytes,
                per_token,
                per_sequence,
                most,
            } => {
                let each = (tokens as u64 * per_token + per_sequence).max(1);
                most.min((bytes / each) as usize).max(1)
            }
        }
    }
}

impl Engine {
    /// Samples `group` responses to every prompt. `on_done` gets each one as soon as it ends, with its number: prompt times
    /// group plus place in the group.
    ///
    /// # Panics
    /// With no slots, an empty prompt, or where libtorch fails (no memory).
    pub fn generate(
        &self,
        model: &Qwen,
        prompts: &[Vec<i64>],
        group: usize,
        settings: &Sampling,
        on_done: &mut dyn FnMut(usize, Completion),
    ) -> GenerationStats {
        let stats = self.fill_and_step(model, prompts, group, settings, on_done);
        // Keys and values are gone by now, and what is done next has no use for blocks of their size.
        native::empty_cache();
        stats
    }

    fn fill_and_step(
        &self,
        model: &Qwen,
        prompts: &[Vec<i64>],
        group: usize,
        settings: &Sampling,
        on_done: &mut dyn FnMut(usize, Completion),
    ) -> GenerationStats {
        let _guard = tch::no_grad_guard();
        let policy = model.frozen();
        let longest = prompts.iter().map(Vec::len).max().unwrap_or(0);
        let capacity = longest + settings.max_tokens;
        let slots = self.room.slots(capacity);
        assert!(slots > 0, "an engine needs at least one slot");
        let mut arena = Arena::new(&policy, slots.min(prompts.len() * group), capacity);
        let mut queue = Queue::new(prompts, group, settings.seed);
        let mut running: Vec<Running> = Vec::new();
        let mut stats = GenerationStats::default();
        loop {
            let logits = queue.fill(&policy, &mut arena, &mut running, &mut stats);
            let Some(logits) = logits.or_else(|| step(&policy, &mut arena, &running, &mut stats))
            else {
                return stats;
            };
            // After a fill only the new ones draw: they stand last.
            let first = running.len() - logits.size()[0] as usize;
            stats.tokens += draw(&logits, &mut running[first..], settings);
            retire(&mut arena, &mut running, first, settings, on_done);
        }
    }
}

/// One token for every busy slot: the logits `[busy, vocab]` of the next ones. None where no slot is busy.
fn step(
    policy: &Qwen,
    arena: &mut Arena,
    running: &[Running],
    stats: &mut GenerationStats,
) -> Option<Tensor> {
    if running.is_empty() {
        return None;
    }
    stats.steps += 1;
    let last: Vec<i64> = running
        .iter()
        .filter_map(|one| one.tokens.last().copied())
        .collect();
    Some(arena.decode(policy, &last))
}

/// Draws a token for each of `running` from its row of logits; returns how many.
fn draw(logits: &Tensor, running: &mut [Running], settings: &Sampling) -> usize {
    let uniforms: Vec<f64> = running.iter_mut().map(Running::uniform).collect();
    let (tokens, log_probs) = settings.draw(logits, &uniforms);
    for ((one, token), log_prob) in running.iter_mut().zip(tokens).zip(log_probs) {
        one.tokens.push(token);
        one.log_probs.push(log_prob);
    }
    logits.size()[0] as usize
}

/// Hands out what ended at `first` or after it, and keeps the busy slots at the front of the arena.
fn retire(
    arena: &mut Arena,
    running: &mut Vec<Running>,
    first: usize,
    settings: &Sampling,
    on_done: &mut dyn FnMut(usize, Completion),
) {
    for slot in (first..running.len()).rev() {
        let tokens = &running[slot].tokens;
        let stopped = tokens
            .last()
            .is_some_and(|token| settings.stop.contains(token));
        if stopped || tokens.len() >= settings.max_tokens {
            arena.remove(slot);
            let ended = running.swap_remove(slot);
            let completion = Completion {
                prompt: ended.prompt,
                tokens: ended.tokens,
                log_probs: ended.log_probs,
                truncated: !stopped,
            };
            on_done(ended.number, completion);
        }
    }
}
