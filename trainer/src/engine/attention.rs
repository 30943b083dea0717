//! A decoding step's attention: of each sequence's last query to the keys and values it has, which lie side by side.

use crate::model::Qwen;
use crate::native::{self, Spans};
use tch::{Kind, Tensor};

/// Attention of queries `[B, heads, dim]` to `rows`, `[rows, 2 * kv_heads, dim]`, in one operator where the device has one.
pub(super) fn attend(
    policy: &Qwen,
    query: &Tensor,
    rows: &Tensor,
    queries: &Spans<'_>,
    keys: &Spans<'_>,
) -> Tensor {
    if policy.attends_by_flash() {
        let kv_heads = rows.size()[1] / 2;
        let half = |first: i64| rows.narrow(1, first, kv_heads);
        native::flash_attention([query, &half(0), &half(kv_heads)], queries, keys, false)
    } else if policy.device().is_cuda() {
        attend_gathered(query, rows, keys)
    } else {
        native::attend(query, rows, keys)
    }
}

/// The same of any device and kind, through a copy of all keys and values with room for the longest sequence in each: for 32
/// bits on a GPU.
///
/// # Panics
/// Of spans that do not say how many rows are used.
pub fn attend_gathered(query: &Tensor, rows: &Tensor, keys: &Spans<'_>) -> Tensor {
    let (busy, heads, dim) = query.size3().expect("heads have three dimensions");
    let kv_heads = rows.size()[1] / 2;
    let used = keys.used.expect("how many rows are used");
    let places = Tensor::arange(keys.longest, (Kind::Int, rows.device()));
    let seen = places.lt_tensor(&used.unsqueeze(1));
    // Beyond its end, a sequence repeats its first row: what is masked out is still multiplied, and must be a number.
    let places = keys.starts.narrow(0, 0, busy).unsqueeze(1) + places * &seen;
    let gathered = rows
        .index_select(0, &places.flatten(0, 1))
        .view([busy, keys.longest, 2 * kv_heads, dim])
        .transpose(1, 2);
    // The query heads that share a key head stand in the place of query positions, so no key is copied for them.
    let attended = Tensor::scaled_dot_product_attention(
        &query.reshape([busy, kv_heads, -1, dim]),
        &gathered.narrow(1, 0, kv_heads),
        &gathered.narrow(1, kv_heads, kv_heads),
        Some(seen.unsqueeze(1).unsqueeze(1)),
        0.0,
        false,
        None,
        false,
    );
    attended.reshape([busy, heads, dim])
}
