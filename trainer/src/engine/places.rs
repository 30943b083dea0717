//! Where the next token of each sequence goes, on the device: counted up there, so that a step copies nothing to it.

use crate::native::Spans;
use tch::{Device, Kind, Tensor};

/// Where the next tokens go.
#[derive(Debug)]
pub(super) struct Places {
    /// `[2, n]`: position in its sequence, row of the pool.
    next: Tensor,
    /// `[n]` int32: keys there will be.
    used: Tensor,
    /// `[n + 1]` int32: where keys begin.
    starts: Tensor,
    /// `[n + 1]` int32: where queries do.
    queries: Tensor,
}

impl Places {
    /// Behind sequences that begin at a row and have a length.
    pub(super) fn new(sequences: &[(i64, i64)], device: Device) -> Places {
        let on_device = |numbers: Vec<i64>| Tensor::from_slice(&numbers).to_device(device);
        let positions = on_device(sequences.iter().map(|(_, length)| *length).collect());
        let rows = on_device(
            sequences
                .iter()
                .map(|(first, length)| first + length)
                .collect(),
        );
        // Where the last one ends is asked for, and not looked at.
        let firsts = sequences.iter().map(|(first, _)| *first);
        let starts = on_device(firsts.chain([0]).collect());
        Places {
            used: (&positions + 1).to_kind(Kind::Int),
            next: Tensor::stack(&[positions, rows], 0),
            starts: starts.to_kind(Kind::Int),
            queries: Tensor::arange(sequences.len() as i64 + 1, (Kind::Int, device)),
        }
    }

    /// Becomes what another is, of as many sequences, where it is.
    pub(super) fn become_like(&mut self, other: &Places) {
        self.next.copy_(&other.next);
        self.used.copy_(&other.used);
        self.starts.copy_(&other.starts);
    }

    /// `[n]`: positions in their sequences.
    pub(super) fn positions(&self) -> Tensor {
        self.next.get(0)
    }

    /// `[n]`: rows of the pool.
    pub(super) fn rows(&self) -> Tensor {
        self.next.get(1)
    }

    /// Queries, and the keys that each of them sees.
    pub(super) fn spans(&self, longest: i64) -> (Spans<'_>, Spans<'_>) {
        let queries = Spans {
            starts: &self.queries,
            used: None,
            longest: 1,
        };
        let keys = Spans {
            starts: &self.starts,
            used: Some(&self.used),
            longest,
        };
        (queries, keys)
    }

    /// A token further.
    pub(super) fn advance(&mut self) {
        for place in [&mut self.next, &mut self.used] {
            let _ = place.g_add_scalar_(1);
        }
    }
}
