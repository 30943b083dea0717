//! A layer of a model that is sampled from, in two halves with attention between them, and that attention on a CPU: what a
//! decoding step is made of. Called one by one from Rust, its operators would cost the host twice their time.

use std::ffi::{c_char, c_int};
use std::ptr::null;

use tch::Tensor;
use torch_sys::C_tensor;

use super::{Spans, check, owned};

/// The weights of a layer with projections of the same input fused.
#[derive(Debug, Clone, Copy)]
pub struct LayerWeights<'a> {
    /// `[hidden]`.
    pub input_norm: &'a Tensor,
    /// Query, key and value, `[(heads + 2 kv_heads) * dim, hidden]`.
    pub heads: &'a Tensor,
    /// `[(heads + 2 kv_heads) * dim]`.
    pub bias: Option<&'a Tensor>,
    /// `[heads * dim, hidden]`.
    pub output: &'a Tensor,
    /// `[hidden]`.
    pub post_norm: &'a Tensor,
    /// Gate and up, `[hidden, 2 * wide]`.
    pub gate_up: &'a Tensor,
    /// `[wide, hidden]`.
    pub down: &'a Tensor,
}

/// The shape of a layer, as the shim reads it.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct LayerShape {
    /// Heads of queries.
    pub heads: i64,
    /// Heads of keys, and of values.
    pub kv_heads: i64,
    /// The size of a head.
    pub dim: i64,
    /// The size between gate and down.
    pub wide: i64,
    /// Whether queries and keys are normalised, head by head. The weights of that are in the turns.
    pub heads_are_normed: c_int,
    /// Added to the mean square in a norm.
    pub epsilon: f64,
}

/// As the shim reads them.
#[repr(C)]
struct Pointers {
    input_norm: *const C_tensor,
    heads: *const C_tensor,
    bias: *const C_tensor,
    output: *const C_tensor,
    post_norm: *const C_tensor,
    gate_up: *const C_tensor,
    down: *const C_tensor,
}

impl Pointers {
    fn of(weights: &LayerWeights<'_>) -> Pointers {
        Pointers {
            input_norm: weights.input_norm.as_ptr(),
            heads: weights.heads.as_ptr(),
            bias: weights.bias.map_or(null(), Tensor::as_ptr),
            output: weights.output.as_ptr(),
            post_norm: weights.post_norm.as_ptr(),
            gate_up: weights.gate_up.as_ptr(),
            down: weights.down.as_ptr(),
        }
    }
}

unsafe extern "C" {
    #[rustfmt::skip]
    fn mc_layer_heads(
        weights: *const Pointers,
        shape: *const LayerShape,
        input: *const C_tensor,
        turns: *const C_tensor,
        output: *mut *mut C_tensor,
    ) -> *mut c_char;
    #[rustfmt::skip]
    fn mc_layer_rest(
        weights: *const Pointers,
        shape: *const LayerShape,
        rows: *const C_tensor,
        attended: *const C_tensor,
        scratch: *const C_tensor,
    ) -> *mut c_char;
    #[rustfmt::skip]
    fn mc_attend(
        query: *const C_tensor,
        rows: *const C_tensor,
        starts: *const C_tensor,
        used: *const C_tensor,
        output: *mut *mut C_tensor,
    ) -> *mut c_char;
}

/// The half before attention, of `[T, hidden]`: queries, keys and values, `[T, heads + 2 kv_heads, dim]`, positions turned in.
/// `turns` are `[T, 1 or heads + kv_heads, 2, 2, dim / 2]`: what each half of a turned head takes of each half of the head.
pub fn layer_heads(
    weights: &LayerWeights<'_>,
    shape: &LayerShape,
    input: &Tensor,
    turns: &Tensor,
) -> Tensor {
    let mut output: *mut C_tensor = std::ptr::null_mut();
    let weights = Pointers::of(weights);
    // SAFETY: live tensors, or null where the shim allows it, in structs that it reads during the call; a place for the result.
    check(unsafe { mc_layer_heads(&weights, shape, input.as_ptr(), turns.as_ptr(), &mut output) });
    // SAFETY: the shim has put a new tensor there.
    unsafe { owned(output) }
}

/// The half after attention, added to the layer's input `rows`, `[T, hidden]`. `attended` is `[T, heads, dim]`; `scratch` is
/// `[T, 3 * wide]`, zero in its first third.
pub fn layer_rest(
    weights: &LayerWeights<'_>,
    shape: &LayerShape,
    rows: &mut Tensor,
    attended: &Tensor,
    scratch: &Tensor,
) {
    let weights = Pointers::of(weights);
    // SAFETY: live tensors, or null where the shim allows it, in structs that it reads during the call.
    check(unsafe {
        mc_layer_rest(
            &weights,
            shape,
            rows.as_ptr(),
            attended.as_ptr(),
            scratch.as_ptr(),
        )
    });
}

/// Attention of each sequence's last query, `[B, heads, dim]`, to its keys and values, which lie side by side in `rows`,
/// `[rows, 2 kv_heads, dim]`: flash attention's stand-in on a CPU.
///
/// # Panics
/// Of spans that do not say how many rows are used.
pub fn attend(query: &Tensor, rows: &Tensor, spans: &Spans<'_>) -> Tensor {
    let mut output: *mut C_tensor = std::ptr::null_mut();
    let used = spans.used.expect("how many rows are used");
    // SAFETY: live tensors, and a place for the result.
    check(unsafe {
        mc_attend(
            query.as_ptr(),
            rows.as_ptr(),
            spans.starts.as_ptr(),
            used.as_ptr(),
            &mut output,
        )
    });
    // SAFETY: the shim has put a new tensor there.
    unsafe { owned(output) }
}
