//! Samples responses from the Policy: as many side by side as memory allows, each with its own length; a prompt is run through the
//! model once for its whole group; a slot that ends is filled again at once. Where responses grow beyond the memory there is, the
//! last to start give way, and go on later.
//!
//! It knows no text, no reward and no training. A response depends on the weights, its prompt, the settings and its own
//! number alone, never on which slot it had or what ran beside it (up to the rounding of batched arithmetic).

mod arena;
mod attention;
mod places;
mod queue;
mod replays;
mod sampling;
mod stretches;

pub use arena::Pool;
pub use attention::attend_gathered;
pub use queue::{GenerationStats, PREFILL_TOKENS};
pub use replays::Graphs;
pub use sampling::{Sampling, filtered_log_probs};

use crate::model::Qwen;
use crate::native;
use arena::Arena;
use queue::{Queue, Running};
use replays::Replays;
use tch::{Device, Tensor};

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

/// How responses are sampled side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Engine {
    /// How many responses may grow at the same time.
    pub room: Room,
    /// Tokens of each response between two looks of the host, which ends and starts responses then. What a response draws past its
    /// end is thrown away.
    pub look_every: usize,
    /// How the operators of a step are launched.
    pub graphs: Graphs,
}

/// On a GPU each look waits until all that was launched is done; on a CPU nothing was launched ahead, and what is thrown away
/// is lost.
fn look_every(device: Device) -> usize {
    if device.is_cuda() { 8 } else { 1 }
}

/// How many responses may grow at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// So many slots, each with room for the longest prompt and response.
    Slots(usize),
    /// As many as memory holds of what they have so far, and at least one with room for the longest.
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
    /// The pool for `wanted` sequences of at most `tokens` tokens each.
    pub fn pool(self, tokens: usize, wanted: usize) -> Pool {
        match self {
            Room::Slots(slots) => {
                let slots = slots.min(wanted);
                Pool {
                    slots,
                    tokens: slots * tokens,
                }
            }
            Room::Memory {
                bytes,
                per_token,
                per_sequence,
                most,
            } => {
                // A slot that holds next to nothing is of no use.
                let least = per_sequence + per_token * LEAST_TOKENS.min(tokens) as u64;
                let fit = (bytes / least.max(1)) as usize;
                let slots = most.min(wanted).min(fit).max(1);
                let left = bytes.saturating_sub(slots as u64 * per_sequence);
                let held = (left / per_token.max(1)) as usize;
                Pool {
                    slots,
                    tokens: held.clamp(tokens, slots * tokens),
                }
            }
        }
    }
}

/// Tokens that a slot should hold, at least.
const LEAST_TOKENS: usize = 64;

impl Engine {
    /// With so much room, on a device, without graphs.
    pub fn new(room: Room, device: Device) -> Engine {
        Engine {
            room,
            look_every: look_every(device),
            graphs: Graphs::Off,
        }
    }

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
        let mut work = || self.fill_and_step(model, prompts, group, settings, on_done);
        let stats = native::inference(|| match self.graphs {
            Graphs::On => native::aside(work),
            Graphs::Off | Graphs::Rehearsed => work(),
        });
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
        let policy = model.for_sampling();
        let longest = prompts.iter().map(Vec::len).max().unwrap_or(0);
        let response = settings.max_tokens + self.look_every;
        let pool = self
            .room
            .pool(longest + response, (prompts.len() * group).max(1));
        assert!(pool.slots > 0, "an engine needs at least one slot");
        let mut arena = Arena::new(&policy, pool, longest, response, self.look_every);
        let mut replays = Replays::new(self.graphs, pool.slots, self.look_every, policy.device());
        let mut queue = Queue::new(prompts, group, settings.seed);
        let mut running: Vec<Running> = Vec::new();
        let mut stats = GenerationStats::default();
        loop {
            queue.resume(&policy, &mut arena, &mut running);
            while let Some(logits) = queue.fill(&policy, &mut arena, &mut running, &mut stats) {
                // Only the new ones draw: they stand last. One may end with its first token, and leave its slot to another.
                let first = running.len() - logits.size()[0] as usize;
                let uniforms = uniforms(&mut running[first..], 1, policy.device());
                let (tokens, log_probs) = settings.draw(&logits, &uniforms.get(0));
                let drawn = (tokens.unsqueeze(1), log_probs.unsqueeze(1));
                stats.tokens += append(&mut running[first..], &drawn, settings);
                retire(&mut arena, &mut running, first, settings, on_done);
            }
            if running.is_empty() {
                return stats;
            }
            while arena.overfull() {
                queue.put_back(&mut running, &mut arena);
                stats.gave_way += 1;
            }
            let steps = self.look_every.min(most_left(&running, settings));
            stats.moves += usize::from(arena.settle(steps));
            stats.side_by_side = stats.side_by_side.max(running.len());
            let last = last_tokens(&running, policy.device());
            let uniforms = uniforms(&mut running, steps, policy.device());
            let drawn = match &mut replays {
                Some(replays) => replays.decode(&policy, &mut arena, settings, &last, &uniforms),
                None => decode(&policy, &mut arena, settings, last, &uniforms),
            };
            stats.steps += steps;
            stats.tokens += append(&mut running, &drawn, settings);
            retire(&mut arena, &mut running, 0, settings, on_done);
        }
    }
}

/// Tokens of each response and their log-probabilities, `[responses, steps]` each, on the device.
type Drawn = (Tensor, Tensor);

/// Appends as many tokens to every busy slot as there are rows of `uniforms`, after the last ones. Nothing goes to the device or comes
/// back.
fn decode(
    policy: &Qwen,
    arena: &mut Arena,
    settings: &Sampling,
    last: Tensor,
    uniforms: &Tensor,
) -> Drawn {
    let mut tokens = last;
    let mut step = |step: i64| {
        let logits = arena.decode(policy, &tokens);
        let drawn = settings.draw(&logits, &uniforms.get(step));
        tokens = drawn.0.shallow_clone();
        drawn
    };
    let (tokens, log_probs): (Vec<_>, Vec<_>) = (0..uniforms.size()[0]).map(&mut step).unzip();
    (Tensor::stack(&tokens, 1), Tensor::stack(&log_probs, 1))
}

/// The last token of each response, `[responses]`.
fn last_tokens(running: &[Running], device: Device) -> Tensor {
    let last = running.iter().filter_map(|one| one.tokens.last().copied());
    Tensor::from_slice(&last.collect::<Vec<i64>>()).to_device(device)
}

/// The next random numbers of each response, `[steps, responses]`.
fn uniforms(running: &mut [Running], steps: usize, device: Device) -> Tensor {
    let numbers: Vec<f64> = running
        .iter_mut()
        .flat_map(|one| (0..steps).map(|_| one.uniform()).collect::<Vec<f64>>())
        .collect();
    let table = Tensor::from_slice(&numbers).view([running.len() as i64, steps as i64]);
    table.tr().contiguous().to_device(device)
}

/// How many tokens the response that has the most room left may still get.
fn most_left(running: &[Running], settings: &Sampling) -> usize {
    let left = running
        .iter()
        .map(|one| settings.max_tokens - one.tokens.len());
    left.max().unwrap_or(0)
}

fn has_ended(one: &Running, settings: &Sampling) -> bool {
    let stopped = one
        .tokens
        .last()
        .is_some_and(|token| settings.stop.contains(token));
    stopped || one.tokens.len() >= settings.max_tokens
}

/// Appends what was drawn to each response, up to its end; returns how many tokens were.
fn append(running: &mut [Running], drawn: &Drawn, settings: &Sampling) -> usize {
    let tokens = rows(&drawn.0, 0_i64);
    let log_probs = rows(&drawn.1, 0_f32);
    let mut appended = 0;
    for ((one, tokens), log_probs) in running.iter_mut().zip(tokens).zip(log_probs) {
        for (token, log_prob) in tokens.into_iter().zip(log_probs) {
            one.tokens.push(token);
            one.log_probs.push(log_prob);
            appended += 1;
            if has_ended(one, settings) {
                break;
            }
        }
    }
    appended
}

/// The rows of a table.
fn rows<T: tch::kind::Element + Copy>(table: &Tensor, zero: T) -> Vec<Vec<T>> {
    let flat = table.contiguous().view(-1).to_device(Device::Cpu);
    let mut values = vec![zero; flat.numel()];
    flat.copy_data(&mut values, flat.numel());
    values
        .chunks(table.size()[1] as usize)
        .map(<[T]>::to_vec)
        .collect()
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
        if !has_ended(&running[slot], settings) {
            continue;
        }
        arena.remove(slot);
        let ended = running.swap_remove(slot);
        let stopped = ended
            .tokens
            .last()
            .is_some_and(|token| settings.stop.contains(token));
        let completion = Completion {
            prompt: ended.prompt,
            tokens: ended.tokens,
            log_probs: ended.log_probs,
            truncated: !stopped,
        };
        on_done(ended.number, completion);
    }
}
