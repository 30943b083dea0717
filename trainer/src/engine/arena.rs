//! Keys and values of the sequences that are growing, in one pool of rows. Busy slots stand in the order of their sequences'
//! places; which response sits where is the caller's.

use super::attention::attend;
use super::places::Places;
use super::stretches::{Moves, Stretches};
use crate::model::{Packed, Qwen, Turns};
use tch::{Device, Kind, Tensor};

/// A text that went through the model: what its slots start from.
#[derive(Debug)]
pub(super) struct Prefill {
    /// Keys and values of each layer, `[length, 2 * kv_heads, dim]`.
    layers: Vec<Tensor>,
    length: i64,
    /// `[vocab]` logits of the token after it.
    pub(super) logits: Tensor,
}

/// The sizes of an arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pool {
    /// Sequences that may grow at the same time.
    pub slots: usize,
    /// Tokens that all of them may hold together.
    pub tokens: usize,
}

/// Keys and values of the busy slots.
#[derive(Debug)]
pub(super) struct Arena {
    /// Of each layer, `[tokens of the pool and spare rows, 2 * kv_heads, dim]`.
    layers: Vec<Tensor>,
    stretches: Stretches,
    /// The first row that no sequence has.
    spare: i64,
    device: Device,
    /// Tokens of a response, at most, with those that are drawn past its end.
    response: usize,
    /// Turns of all positions there may be.
    turns: Turns,
    /// What the layers need besides.
    scratch: Tensor,
    /// Where the busy slots stand, on the device; none after one has started, moved or ended.
    places: Option<Places>,
}

impl Arena {
    /// For prompts of at most `prompt` tokens and responses of at most `response`; the host looks every `at_once` tokens, for which
    /// idle slots have spare rows.
    pub(super) fn new(
        policy: &Qwen,
        pool: Pool,
        prompt: usize,
        response: usize,
        at_once: usize,
    ) -> Arena {
        let config = policy.config();
        let spare = pool.tokens as i64;
        let size = [spare + at_once as i64, 2 * config.kv_heads, config.head_dim];
        let rows = || Tensor::empty(size, (policy.kind(), policy.device()));
        let longest = (prompt + response) as i64;
        let positions = Tensor::arange(longest, (Kind::Int64, policy.device()));
        Arena {
            layers: (0..config.layers).map(|_| rows()).collect(),
            stretches: Stretches::new(spare, pool.slots, at_once),
            spare,
            device: policy.device(),
            response,
            turns: policy.turns(&positions),
            scratch: policy.scratch(pool.slots as i64),
            places: None,
        }
    }

    /// Slots that are free.
    pub(super) fn free(&self) -> usize {
        self.stretches.free()
    }

    /// Whether there is room for one more sequence of so many tokens, whose prompt has so many.
    pub(super) fn takes(&self, length: usize, prompt: usize) -> bool {
        let most = prompt + self.response;
        self.stretches.takes(length as i64, most as i64)
    }

    /// Starts one more sequence, in the slot after the last busy one.
    pub(super) fn start(&mut self, prefill: &Prefill, prompt: usize) {
        let most = (prompt + self.response) as i64;
        let moves = self.stretches.push(prefill.length, most);
        self.apply(&moves);
        let added = self.stretches.busy().last().expect("one was added");
        for (stored, held) in self.layers.iter().zip(&prefill.layers) {
            stored.narrow(0, added.first, added.length).copy_(held);
        }
    }

    /// Frees a slot; the last busy slot's sequence moves into it, as `Vec::swap_remove` does.
    pub(super) fn remove(&mut self, slot: usize) {
        self.stretches.remove(slot);
        self.places = None;
    }

    /// Whether a sequence has to give way before others can go on.
    pub(super) fn overfull(&self) -> bool {
        self.stretches.overfull()
    }

    /// Makes room for `steps` more tokens in every busy slot, and says whether sequences had to move for it.
    pub(super) fn settle(&mut self, steps: usize) -> bool {
        let moves = self.stretches.settle(steps);
        let moved = !moves.from.is_empty();
        if moved {
            self.apply(&moves);
        }
        moved
    }

    /// Through a copy, as old places and new ones overlap.
    fn apply(&mut self, moves: &Moves) {
        self.places = None;
        if moves.from.is_empty() {
            return;
        }
        let [from, to] =
            [&moves.from, &moves.to].map(|rows| Tensor::from_slice(rows).to_device(self.device));
        for stored in &mut self.layers {
            let held = stored.index_select(0, &from);
            let _ = stored.index_copy_(0, &to, &held);
        }
    }

    /// Appends a token, of `[busy]`, to every busy slot and gives the logits `[busy, vocab]` after it. There must be
    /// [room](Arena::settle).
    pub(super) fn decode(&mut self, policy: &Qwen, tokens: &Tensor) -> Tensor {
        let busy = self.stretches.busy().len();
        let mut places = match self.places.take() {
            Some(places) => places,
            None => self.places(busy),
        };
        let logits = self.step(policy, tokens, &mut places, self.longest() + 1);
        self.places = Some(places);
        self.grow(1);
        logits
    }

    /// Where the next tokens go: of the busy slots, and of as many idle ones that there are `slots` in all. Idle slots share the spare
    /// rows, which they write before they read them, and nobody else does.
    pub(super) fn places(&self, slots: usize) -> Places {
        let busy = self.stretches.busy().iter();
        let busy = busy.map(|one| (one.first, one.length));
        let all = busy.chain(std::iter::repeat((self.spare, 0))).take(slots);
        Places::new(&all.collect::<Vec<_>>(), self.device)
    }

    /// Tokens that the longest of the busy sequences has.
    pub(super) fn longest(&self) -> i64 {
        let lengths = self.stretches.busy().iter().map(|one| one.length);
        lengths.max().unwrap_or(0)
    }

    /// After so many tokens were appended to each.
    pub(super) fn grow(&mut self, steps: usize) {
        self.stretches.grow(steps);
    }

    /// Appends a token, of `[n]`, at each of n places and gives the logits `[n, vocab]` after it. No sequence is longer than `longest`
    /// then. Nothing here depends on anything else that the host knows.
    pub(super) fn step(
        &mut self,
        policy: &Qwen,
        tokens: &Tensor,
        places: &mut Places,
        longest: i64,
    ) -> Tensor {
        let (queries, keys) = places.spans(longest);
        let (positions, rows) = (places.positions(), places.rows());
        let turns = self.turns.at(&positions).weighted(policy);
        let scratch = self.scratch.narrow(0, 0, tokens.size()[0]);
        let mut hidden = policy.embed(tokens);
        for (index, stored) in self.layers.iter_mut().enumerate() {
            policy.fused_layer(index, &mut hidden, &turns, &scratch, &mut |heads| {
                let _ = stored.index_copy_(0, &rows, &heads.stored);
                attend(policy, &heads.query, stored, &queries, &keys)
            });
        }
        places.advance();
        policy.logits(&policy.finish(&hidden))
    }
}

/// Runs texts through the model together.
pub(super) fn prefill(policy: &Qwen, texts: &[&[i64]]) -> Vec<Prefill> {
    let sequences: Vec<(&[i64], &[i64])> =
        texts.iter().map(|text| (*text, [].as_slice())).collect();
    let packed = Packed::new(&sequences, policy.device());
    let (rows, layers) = policy.hidden_with_heads(&packed);
    let mut start = 0;
    let parts = packed.lengths.iter().map(|length| {
        let part = |tensor: &Tensor| tensor.narrow(0, start, *length);
        let layers = layers.iter().map(part).collect();
        start += length;
        let logits = policy
            .logits(&policy.finish(&rows.narrow(0, start - 1, 1)))
            .squeeze_dim(0);
        Prefill {
            layers,
            length: *length,
            logits,
        }
    });
    parts.collect()
}
