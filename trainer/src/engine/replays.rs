//! Decoding steps that are alike, launch by launch and address by address, so that a GPU can be given all launches of a step at once.
//!
//! What differs from one step to the next lies on the device, at one place for as long as responses are sampled, and a step itself
//! moves it on. The number of slots is rounded up, idle ones among them, and so is the bound on lengths: so there are few
//! shapes. The first step of a shape is launched one by one, as libtorch then finds its kernels and their memory; the second
//! is captured; and from then on it is replayed. The weights do not move meanwhile, for they are a copy made to sample from.

use super::arena::Arena;
use super::places::Places;
use super::sampling::Sampling;
use crate::model::Qwen;
use crate::native::{self, Graph, GraphPool};
use std::collections::BTreeMap;
use tch::{Device, Kind, Tensor};

/// How the operators of a decoding step are launched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Graphs {
    /// One by one, for as many slots as are busy.
    Off,
    /// One by one, in the steps that would be captured: what `on` must agree with, on any device.
    Rehearsed,
    /// All at once, as a CUDA graph for each number of slots and bound on lengths, both rounded up to a power of two.
    On,
}

/// Lengths are told apart from here on.
const SHORTEST: u64 = 256;

/// What decides which launches a step makes: its slots, and a bound on the length of sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    slots: usize,
    longest: i64,
}

/// Steps of all shapes that there were.
#[derive(Debug)]
pub(super) struct Replays {
    /// The most slots.
    slots: usize,
    /// Tokens between two looks of the host.
    at_once: usize,
    device: Device,
    desks: BTreeMap<usize, Desk>,
    /// None where steps are rehearsed.
    pool: Option<GraphPool>,
    /// None of a shape that there was one step of.
    graphs: BTreeMap<Shape, Option<Graph>>,
}

impl Replays {
    /// For so many slots at most; none where steps are not replayed.
    ///
    /// # Panics
    /// Where graphs are asked for and there are none to be had.
    pub(super) fn new(
        graphs: Graphs,
        slots: usize,
        at_once: usize,
        device: Device,
    ) -> Option<Replays> {
        let pool = match graphs {
            Graphs::Off => return None,
            Graphs::Rehearsed => None,
            Graphs::On => Some(GraphPool::new().expect("graphs were asked for")),
        };
        Some(Replays {
            slots,
            at_once,
            device,
            desks: BTreeMap::new(),
            pool,
            graphs: BTreeMap::new(),
        })
    }

    /// Appends as many tokens to every busy slot as there are rows of `uniforms`, `[steps, busy]`, and gives them with their
    /// log-probabilities, `[busy, steps]` each. `last` are the tokens before, `[busy]`.
    pub(super) fn decode(
        &mut self,
        policy: &Qwen,
        arena: &mut Arena,
        settings: &Sampling,
        last: &Tensor,
        uniforms: &Tensor,
    ) -> (Tensor, Tensor) {
        let (steps, busy) = uniforms.size2().expect("uniforms have two dimensions");
        let longest = (arena.longest() + steps) as u64;
        let shape = Shape {
            slots: (busy as usize).next_power_of_two().min(self.slots),
            longest: longest.max(SHORTEST).next_power_of_two() as i64,
        };
        let mut desk = self
            .desks
            .remove(&shape.slots)
            .unwrap_or_else(|| Desk::new(arena.places(shape.slots), shape.slots, self));
        desk.lay(&arena.places(shape.slots), last, uniforms);
        for _ in 0..steps {
            self.run(shape, || desk.step(policy, arena, settings, shape.longest));
        }
        arena.grow(steps as usize);
        let drawn = desk.drawn(busy, steps);
        self.desks.insert(shape.slots, desk);
        drawn
    }

    fn run(&mut self, shape: Shape, step: impl FnOnce()) {
        let Some(pool) = self.pool else {
            return native::step(step);
        };
        let graph = match self.graphs.remove(&shape) {
            None => {
                native::step(step);
                None
            }
            Some(captured) => {
                let graph = captured.unwrap_or_else(|| capture(pool, step));
                graph.replay();
                Some(graph)
            }
        };
        self.graphs.insert(shape, graph);
    }
}

/// While it captures, libtorch gives no memory back that it keeps for later: so it does before.
fn capture(pool: GraphPool, step: impl FnOnce()) -> Graph {
    native::empty_cache();
    Graph::capture(pool, step)
}

/// What steps of so many slots read and write, besides the arena.
#[derive(Debug)]
struct Desk {
    /// `[slots]`: the last token of each.
    tokens: Tensor,
    places: Places,
    /// `[1]`: the step, counted from the last look of the host.
    turn: Tensor,
    /// `[steps, slots]`: a random number for each step and slot.
    uniforms: Tensor,
    /// `[steps, slots]`: what was drawn, and its log-probability.
    drawn: Tensor,
    log_probs: Tensor,
}

impl Desk {
    fn new(places: Places, slots: usize, of: &Replays) -> Desk {
        let zeros = |size: &[i64], kind| Tensor::zeros(size, (kind, of.device));
        let table = [of.at_once as i64, slots as i64];
        Desk {
            tokens: zeros(&table[1..], Kind::Int64),
            places,
            turn: zeros(&[1], Kind::Int64),
            uniforms: zeros(&table, Kind::Double),
            drawn: zeros(&table, Kind::Int64),
            log_probs: zeros(&table, Kind::Float),
        }
    }

    /// Lays out what the next steps begin with. Idle slots go on with whatever is there: nobody looks at what comes of it.
    fn lay(&mut self, places: &Places, last: &Tensor, uniforms: &Tensor) {
        let (steps, busy) = uniforms.size2().expect("uniforms have two dimensions");
        self.places.become_like(places);
        self.tokens.narrow(0, 0, busy).copy_(last);
        let mut rows = self.uniforms.narrow(0, 0, steps).narrow(1, 0, busy);
        rows.copy_(uniforms);
        let _ = self.turn.zero_();
    }

    fn step(&mut self, policy: &Qwen, arena: &mut Arena, settings: &Sampling, longest: i64) {
        let logits = arena.step(policy, &self.tokens, &mut self.places, longest);
        let uniforms = self.uniforms.index_select(0, &self.turn).squeeze_dim(0);
        let (tokens, log_probs) = settings.draw(&logits, &uniforms);
        let row = |drawn: &Tensor| drawn.unsqueeze(0);
        let _ = self.drawn.index_copy_(0, &self.turn, &row(&tokens));
        let _ = self.log_probs.index_copy_(0, &self.turn, &row(&log_probs));
        self.tokens.copy_(&tokens);
        let _ = self.turn.g_add_scalar_(1);
    }

    fn drawn(&self, busy: i64, steps: i64) -> (Tensor, Tensor) {
        let part = |table: &Tensor| table.narrow(0, 0, steps).narrow(1, 0, busy).tr();
        (part(&self.drawn), part(&self.log_probs))
    }
}
