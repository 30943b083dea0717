//! Keys and values of the sequences that are growing. Busy slots stand at the front, so a decoding step works on views of
//! them; which request sits where is the caller's.

use crate::model::{FusedHeads, Packed, Qwen, Turns};
use crate::native::{self, Spans};
use tch::{Device, Kind, Tensor};

/// A prompt that went through the model: what its slots start from.
#[derive(Debug)]
pub(super) struct Prefill {
    /// Keys and values of each layer, `[length, 2 * kv_heads, dim]`.
    layers: Vec<Tensor>,
    length: i64,
    /// `[vocab]` logits of the first response token.
    pub(super) logits: Tensor,
}

/// Keys and values of one layer. The last two are views of the first, made once.
#[derive(Debug)]
struct LayerCache {
    /// `[slots * capacity, 2 * kv_heads, dim]`.
    rows: Tensor,
    /// `[slots, kv_heads, capacity, dim]`.
    keys: Tensor,
    values: Tensor,
}

impl LayerCache {
    fn new(rows: Tensor, slots: i64, capacity: i64) -> LayerCache {
        let kv_heads = rows.size()[1] / 2;
        let by_slot = rows.unflatten(0, [slots, capacity]).transpose(1, 2);
        LayerCache {
            keys: by_slot.narrow(1, 0, kv_heads),
            values: by_slot.narrow(1, kv_heads, kv_heads),
            rows,
        }
    }
}

/// The slots, each a stretch of `capacity` rows, and how far each busy slot is filled.
#[derive(Debug)]
pub(super) struct Arena {
    layers: Vec<LayerCache>,
    slots: usize,
    capacity: i64,
    lengths: Vec<i64>,
    device: Device,
    /// Turns of all positions there is room for.
    turns: Turns,
    /// Where the busy slots stand, on the device; none after one has started or ended.
    places: Option<Places>,
}

/// Where the next token of each busy slot goes. Kept on the device and counted up there, so that a step copies nothing to it.
#[derive(Debug)]
struct Places {
    /// `[busy]` position in its sequence.
    positions: Tensor,
    /// `[busy]` row of the arena.
    rows: Tensor,
    /// `[busy]` int32: keys there will be.
    used: Tensor,
}

impl Places {
    fn new(lengths: &[i64], capacity: i64, device: Device) -> Places {
        let positions = Tensor::from_slice(lengths).to_device(device);
        let starts = Tensor::arange(lengths.len() as i64, (Kind::Int64, device)) * capacity;
        Places {
            rows: starts + &positions,
            used: (&positions + 1).to_kind(Kind::Int),
            positions,
        }
    }

    fn advance(&mut self) {
        for place in [&mut self.positions, &mut self.rows, &mut self.used] {
            let _ = place.g_add_scalar_(1);
        }
    }
}

impl Arena {
    pub(super) fn new(policy: &Qwen, slots: usize, capacity: usize) -> Arena {
        let config = policy.config();
        let size = [
            (slots * capacity) as i64,
            2 * config.kv_heads,
            config.head_dim,
        ];
        // Zeros, for what is masked out is still multiplied, by zero: it must be no NaN.
        let zeros = || Tensor::zeros(size, (policy.kind(), policy.device()));
        let positions = Tensor::arange(capacity as i64, (Kind::Int64, policy.device()));
        Arena {
            layers: (0..config.layers)
                .map(|_| LayerCache::new(zeros(), slots as i64, capacity as i64))
                .collect(),
            slots,
            capacity: capacity as i64,
            lengths: Vec::new(),
            device: policy.device(),
            turns: policy.turns(&positions),
            places: None,
        }
    }

    /// Slots that are free.
    pub(super) fn free(&self) -> usize {
        self.slots - self.lengths.len()
    }

    /// Starts one more sequence from a prompt, in the slot after the last busy one.
    pub(super) fn start(&mut self, prefill: &Prefill) {
        let first = self.lengths.len() as i64 * self.capacity;
        for (stored, prompt) in self.layers.iter().zip(&prefill.layers) {
            stored.rows.narrow(0, first, prefill.length).copy_(prompt);
        }
        self.lengths.push(prefill.length);
        self.places = None;
    }

    /// Frees a slot; the last busy slot's sequence moves into it, as `Vec::swap_remove` does.
    pub(super) fn remove(&mut self, slot: usize) {
        let last = self.lengths.len() - 1;
        let length = self.lengths[last];
        if slot != last {
            for stored in &self.layers {
                let rows = |slot: usize| {
                    let first = slot as i64 * self.capacity;
                    stored.rows.narrow(0, first, length)
                };
                rows(slot).copy_(&rows(last));
            }
        }
        self.lengths.swap_remove(slot);
        self.places = None;
    }

    /// Appends a token, of `[busy]`, to every busy slot and gives the logits `[busy, vocab]` after it.
    pub(super) fn decode(&mut self, policy: &Qwen, tokens: &Tensor) -> Tensor {
        let places = match self.places.take() {
            Some(places) => places,
            None => Places::new(&self.lengths, self.capacity, self.device),
        };
        let step = Step::new(self, policy, &places);
        let turns = self.turns.at(&places.positions).weighted(policy);
        let mut rows = policy.embed(tokens);
        for (index, stored) in self.layers.iter_mut().enumerate() {
            rows = policy.fused_layer(index, &rows, &turns, &mut |heads| {
                step.attend(&heads, stored)
            });
        }
        self.lengths.iter_mut().for_each(|length| *length += 1);
        let places = self.places.insert(places);
        places.advance();
        policy.logits(&policy.finish(&rows))
    }
}

/// What all layers of one decoding step share.
struct Step {
    busy: i64,
    /// `[busy]` the arena's row that each slot writes.
    rows: Tensor,
    /// Tokens of the longest sequence, the new one among them.
    longest: i64,
    sight: Sight,
}

/// How a slot is kept from looking at what lies beyond its sequence.
enum Sight {
    /// `[busy, 1, 1, longest]`: which places a slot may look at.
    Mask(Tensor),
    /// As flash attention wants it, int32: where queries and keys begin, `[busy + 1]` each, and how many keys there are, `[busy]`.
    Spans {
        queries: Tensor,
        keys: Tensor,
        used: Tensor,
    },
}

impl Step {
    fn new(arena: &Arena, policy: &Qwen, places: &Places) -> Step {
        let (busy, capacity) = (arena.lengths.len() as i64, arena.capacity);
        let longest = arena.lengths.iter().max().map_or(0, |longest| longest + 1);
        let numbers = |count: i64, kind: Kind| Tensor::arange(count, (kind, arena.device));
        let sight = if policy.attends_by_flash() {
            Sight::Spans {
                queries: numbers(busy + 1, Kind::Int),
                keys: numbers(busy + 1, Kind::Int) * capacity,
                used: places.used.shallow_clone(),
            }
        } else {
            let seen = numbers(longest, Kind::Int64).le_tensor(&places.positions.unsqueeze(1));
            Sight::Mask(seen.unsqueeze(1).unsqueeze(1))
        };
        Step {
            busy,
            rows: places.rows.shallow_clone(),
            longest,
            sight,
        }
    }

    /// Writes the new keys and values and attends to all so far.
    fn attend(&self, heads: &FusedHeads, stored: &mut LayerCache) -> Tensor {
        let _ = stored.rows.index_copy_(0, &self.rows, &heads.stored);
        let attended = match &self.sight {
            Sight::Mask(mask) => self.attend_masked(heads, stored, mask),
            Sight::Spans {
                queries,
                keys: starts,
                used,
            } => {
                let span = |starts, used, longest| Spans {
                    starts,
                    used,
                    longest,
                };
                let kv_heads = stored.keys.size()[1];
                let half = |first: i64| stored.rows.narrow(1, first, kv_heads);
                native::flash_attention(
                    [&heads.query, &half(0), &half(kv_heads)],
                    &span(queries, None, 1),
                    &span(starts, Some(used), self.longest),
                    false,
                )
            }
        };
        attended.reshape([self.busy, -1])
    }

    /// The query heads that share a key head stand in the place of query positions, so no key is copied for them.
    fn attend_masked(&self, heads: &FusedHeads, stored: &LayerCache, mask: &Tensor) -> Tensor {
        let (_, kv_heads, _, dim) = stored.keys.size4().expect("keys have four dimensions");
        let query = heads.query.view([self.busy, kv_heads, -1, dim]);
        let seen = |all: &Tensor| all.narrow(0, 0, self.busy).narrow(2, 0, self.longest);
        Tensor::scaled_dot_product_attention(
            &query,
            &seen(&stored.keys),
            &seen(&stored.values),
            Some(mask),
            0.0,
            false,
            None,
            false,
        )
    }
}

/// Runs prompts through the model together.
pub(super) fn prefill(policy: &Qwen, prompts: &[&[i64]]) -> Vec<Prefill> {
    let sequences: Vec<(&[i64], &[i64])> = prompts
        .iter()
        .map(|prompt| (*prompt, [].as_slice()))
        .collect();
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
