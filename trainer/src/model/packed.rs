//! Sequences laid end to end, so that no linear layer computes a padding row.

use tch::{Device, Tensor};

/// Prompts with their responses, packed one after the other. What is scored is every response token, in order.
///
/// `T` is the number of tokens in all, `N` that of response tokens, `B` the number of sequences.
#[derive(Debug)]
pub struct Packed {
    /// `[T]` token ids.
    pub tokens: Tensor,
    /// `[T]` place of each token in its own sequence.
    pub positions: Tensor,
    /// `[N]` rows of `[T]` whose output predicts a response token.
    pub rows: Tensor,
    /// `[N]` the response tokens.
    pub targets: Tensor,
    /// `[B]` tokens in each sequence, prompt and response.
    pub lengths: Vec<i64>,
    /// `[B + 1]` int32: the row at which each sequence begins, and `T`.
    pub(super) starts: Tensor,
    /// How `[T]` becomes `[B, longest]` for attention; None where all sequences are equally long.
    pub(super) padding: Option<Padding>,
}

/// Maps between packed rows and the padded square that attention works on.
#[derive(Debug)]
pub(super) struct Padding {
    /// `[B * longest]` packed row of each place; a padding place repeats its sequence's first row.
    pub(super) spread: Tensor,
    /// `[T]` place of each packed row.
    pub(super) gather: Tensor,
    /// Tokens in the longest sequence.
    pub(super) longest: i64,
}

impl Packed {
    /// Packs `(prompt, response)` pairs. A response may be empty.
    ///
    /// # Panics
    /// Where a prompt is empty: then nothing predicts the first response token.
    pub fn new(sequences: &[(&[i64], &[i64])], device: Device) -> Packed {
        let (mut tokens, mut positions, mut rows, mut targets) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (prompt, response) in sequences {
            assert!(!prompt.is_empty(), "a prompt needs at least one token");
            let first = (tokens.len() + prompt.len() - 1) as i64;
            rows.extend(first..first + response.len() as i64);
            targets.extend_from_slice(response);
            positions.extend(0..(prompt.len() + response.len()) as i64);
            tokens.extend_from_slice(prompt);
            tokens.extend_from_slice(response);
        }
        let lengths: Vec<i64> = sequences
            .iter()
            .map(|(prompt, response)| (prompt.len() + response.len()) as i64)
            .collect();
        let to = |values: &[i64]| Tensor::from_slice(values).to_device(device);
        let starts = lengths.iter().scan(0, |end, length| {
            *end += *length as i32;
            Some(*end)
        });
        let starts: Vec<i32> = std::iter::once(0).chain(starts).collect();
        Packed {
            starts: Tensor::from_slice(&starts).to_device(device),
            tokens: to(&tokens),
            positions: to(&positions),
            rows: to(&rows),
            targets: to(&targets),
            padding: Padding::of(&lengths, device),
            lengths,
        }
    }

    /// The number of sequences.
    pub fn sequences(&self) -> i64 {
        self.lengths.len() as i64
    }
}

impl Padding {
    fn of(lengths: &[i64], device: Device) -> Option<Padding> {
        let longest = lengths.iter().copied().max().unwrap_or(0);
        if lengths.iter().all(|length| *length == longest) {
            return None;
        }
        let (mut spread, mut gather, mut start) = (Vec::new(), Vec::new(), 0);
        for (sequence, length) in lengths.iter().enumerate() {
            spread
                .extend((0..longest).map(|place| start + if place < *length { place } else { 0 }));
            gather.extend((0..*length).map(|place| sequence as i64 * longest + place));
            start += length;
        }
        let to = |values: &[i64]| Tensor::from_slice(values).to_device(device);
        Some(Padding {
            spread: to(&spread),
            gather: to(&gather),
            longest,
        })
    }
}
