//! What waits for a slot, in order: what gave way to others, then prompt by prompt, each with its whole group.

use super::arena::{Arena, Prefill, prefill};
use crate::model::Qwen;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::VecDeque;
use tch::Tensor;

/// Prompt tokens that go through the model at once.
pub const PREFILL_TOKENS: usize = 8192;

/// What a call of [`generate`](super::Engine::generate) did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GenerationStats {
    /// Prompts run through the model.
    pub prefills: usize,
    /// Decoding steps, each of one token for every busy slot.
    pub steps: usize,
    /// Tokens drawn.
    pub tokens: usize,
    /// The most responses that grew at the same time.
    pub side_by_side: usize,
    /// How often all of them were moved for one to go on.
    pub moves: usize,
    /// How often one gave way to the others, to go on when there was room for what it had.
    pub gave_way: usize,
}

/// A response that is growing.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) number: usize,
    pub(super) prompt: usize,
    pub(super) tokens: Vec<i64>,
    pub(super) log_probs: Vec<f32>,
    random: ChaCha8Rng,
}

impl Running {
    /// A response's random numbers are its own: a stream of the seed, told apart by the response's number.
    fn new(number: usize, group: usize, seed: u64) -> Running {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(number as u64);
        Running {
            number,
            prompt: number / group,
            tokens: Vec::new(),
            log_probs: Vec::new(),
            random,
        }
    }

    /// A number from zero to below one, in steps of 2^-52.
    pub(super) fn uniform(&mut self) -> f64 {
        (self.random.next_u64() >> 12) as f64 / (1_u64 << 52) as f64
    }
}

/// Responses that have no slot yet.
#[derive(Debug)]
pub(super) struct Queue<'a> {
    prompts: &'a [Vec<i64>],
    group: usize,
    seed: u64,
    /// The number of the next response to start.
    next: usize,
    /// Prompts that went through the model and whose group has not wholly started; the first is the next one's.
    ready: VecDeque<Prefill>,
    /// Responses that gave way, the last to start first.
    waiting: Vec<Running>,
}

impl<'a> Queue<'a> {
    pub(super) fn new(prompts: &'a [Vec<i64>], group: usize, seed: u64) -> Queue<'a> {
        Queue {
            prompts,
            group,
            seed,
            next: 0,
            ready: VecDeque::new(),
            waiting: Vec::new(),
        }
    }

    /// Takes the response back that was the last to start, with what it has drawn so far.
    pub(super) fn put_back(&mut self, running: &mut Vec<Running>, arena: &mut Arena) {
        let numbers = running
            .iter()
            .enumerate()
            .map(|(slot, one)| (one.number, slot));
        let Some((_, slot)) = numbers.max() else {
            return;
        };
        arena.remove(slot);
        self.waiting.push(running.swap_remove(slot));
        self.waiting.sort_by_key(|one| Reverse(one.number));
    }

    /// Lets responses that gave way go on while there is room, the first to start first: what they have so far goes through the
    /// model again.
    pub(super) fn resume(&mut self, policy: &Qwen, arena: &mut Arena, running: &mut Vec<Running>) {
        while let Some(one) = self.waiting.last() {
            let prompt = &self.prompts[one.prompt];
            let (_, before) = one.tokens.split_last().expect("it has drawn a token");
            if !arena.takes(prompt.len() + before.len(), prompt.len()) {
                return;
            }
            let text = [&prompt[..], before].concat();
            // One at a time, for one may be as long as there is room to run prompts through.
            for held in prefill(policy, &[&text]) {
                arena.start(&held, prompt.len());
            }
            running.extend(self.waiting.pop());
        }
    }

    /// Starts as many responses as there are free slots. Gives the logits of their first tokens, `[started, vocab]`; none
    /// where none started.
    pub(super) fn fill(
        &mut self,
        policy: &Qwen,
        arena: &mut Arena,
        running: &mut Vec<Running>,
        stats: &mut GenerationStats,
    ) -> Option<Tensor> {
        let mut logits = Vec::new();
        while self.takes_another(arena) {
            if self.ready.is_empty() {
                stats.prefills += self.prefill(policy, arena.free());
            }
            let prompt = self.ready.front()?;
            arena.start(prompt, self.prompts[self.next / self.group].len());
            logits.push(prompt.logits.shallow_clone());
            running.push(Running::new(self.next, self.group, self.seed));
            self.next += 1;
            if self.next.is_multiple_of(self.group) {
                self.ready.pop_front();
            }
        }
        if logits.is_empty() {
            None
        } else {
            Some(Tensor::stack(&logits, 0))
        }
    }

    /// Whether there is another to start and room for it. What gave way comes first.
    fn takes_another(&self, arena: &Arena) -> bool {
        let prompt = self.prompts.get(self.next / self.group);
        self.waiting.is_empty()
            && prompt.is_some_and(|prompt| arena.takes(prompt.len(), prompt.len()))
    }

    /// Runs the next prompts through the model, enough for the free slots where they are not too long together.
    fn prefill(&mut self, policy: &Qwen, free: usize) -> usize {
        let first = self.next / self.group;
        let (mut last, mut tokens) = (first, 0);
        while last < self.prompts.len()
            && last - first < free.div_ceil(self.group)
            && tokens <= PREFILL_TOKENS
        {
            tokens += self.prompts[last].len();
            last += 1;
        }
        let prompts: Vec<&[i64]> = self.prompts[first..last]
            .iter()
            .map(Vec::as_slice)
            .collect();
        self.ready.extend(prefill(policy, &prompts));
        last - first
    }
}
