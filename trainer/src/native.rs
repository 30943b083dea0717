//! The calls of libtorch that tch does not offer, through a shim in C++; with its parts, all unsafe code of this crate.
//!
//! It decides nothing: what is called when is for [`crate::model`], [`crate::engine`] and [`crate::optimizer`]. Like tch's
//! plain calls, those on tensors panic with libtorch's message where libtorch fails.

mod graph;
mod layer;
mod record;

pub use graph::{Graph, GraphPool, aside};
pub use layer::{LayerShape, LayerWeights, attend, layer_heads, layer_rest};
pub use record::{Call, operators, record, step};

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::null;
use std::sync::OnceLock;

use tch::{Device, Tensor};
use torch_sys::C_tensor;

/// Lists of tensors cross as arrays of pointers; every function gives null or a message.
type List = *const *const C_tensor;

unsafe extern "C" {
    fn mc_free(message: *mut c_char);
    fn mc_load(library: *const c_char) -> *mut c_char;
    #[rustfmt::skip]
    fn mc_adamw(
        parameters: List,
        gradients: List,
        exp_avgs: List,
        exp_avg_sqs: List,
        count: usize,
        steps: *const C_tensor,
        rate: f64,
        beta1: f64,
        beta2: f64,
        decay: f64,
        epsilon: f64,
    ) -> *mut c_char;
    fn mc_norm(list: List, count: usize, norm: *mut f64) -> *mut c_char;
    fn mc_scale(list: List, count: usize, factor: f64) -> *mut c_char;
    #[rustfmt::skip]
    fn mc_flash(
        query: *const C_tensor,
        key: *const C_tensor,
        value: *const C_tensor,
        query_starts: *const C_tensor,
        key_starts: *const C_tensor,
        used: *const C_tensor,
        longest_query: i64,
        longest_key: i64,
        causal: c_int,
        output: *mut *mut C_tensor,
    ) -> *mut c_char;
    fn mc_peak_memory(bytes: *mut i64, reset: c_int) -> *mut c_char;
    fn mc_empty_cache() -> *mut c_char;
    fn mc_begin_inference() -> *mut c_void;
    fn mc_end_inference(mode: *mut c_void);
    fn mc_free_memory(bytes: *mut i64) -> *mut c_char;
    fn mc_drop_gradients(list: List, count: usize) -> *mut c_char;
}

/// The first GPU, or why there is none to use. The first call loads libtorch's CUDA half, where it is there; it must come
/// before anything asks libtorch for a GPU, for libtorch remembers the answer.
///
/// # Errors
/// A library that is absent or does not load, in the loader's words; a machine without a GPU that its driver shows.
pub fn first_gpu() -> Result<Device, String> {
    static LOADED: OnceLock<Result<(), String>> = OnceLock::new();
    LOADED.get_or_init(load).clone()?;
    match tch::Cuda::is_available() {
        true => Ok(Device::Cuda(0)),
        false => Err("libtorch_cuda.so sees no GPU".to_owned()),
    }
}

/// The linker drops a library that nothing refers to, and the same binary runs where it is absent: so it is loaded by name,
/// as the run path and LD_LIBRARY_PATH find it.
fn load() -> Result<(), String> {
    let name = CString::new("libtorch_cuda.so").expect("no zero byte in it");
    // SAFETY: `name` is a C string that outlives the call; libtorch's libraries are made to be loaded at any time.
    let message = unsafe { mc_load(name.as_ptr()) };
    said(message).map_or(Ok(()), Err)
}

/// One step of AdamW over all parameters at once. `steps` is how often they have been stepped, this step included.
pub fn adamw(parts: &AdamWTensors<'_>, steps: i64, learning_rate: f64, config: &AdamWConfig) {
    let Some(first) = parts.parameters.first() else {
        return;
    };
    let steps = Tensor::from_slice(&[steps as f32])
        .squeeze_dim(0)
        .to_device(first.device());
    let lists = [
        &parts.parameters,
        &parts.gradients,
        &parts.exp_avgs,
        &parts.exp_avg_sqs,
    ]
    .map(|list| pointers(list));
    let count = parts.parameters.len();
    assert!(lists.iter().all(|list| list.len() == count));
    let [parameters, gradients, exp_avgs, exp_avg_sqs] = lists.each_ref().map(|list| list.as_ptr());
    let (beta1, beta2) = config.betas;
    // SAFETY: four arrays of `count` live tensors, and one more tensor; the shim keeps none of them.
    let message = unsafe {
        mc_adamw(
            parameters,
            gradients,
            exp_avgs,
            exp_avg_sqs,
            count,
            steps.as_ptr(),
            learning_rate,
            beta1,
            beta2,
            config.weight_decay,
            config.epsilon,
        )
    };
    check(message);
}

/// What a step of AdamW works on: place by place, a parameter, its gradient and its two moving averages.
#[derive(Debug, Default)]
pub struct AdamWTensors<'a> {
    /// Stepped in place.
    pub parameters: Vec<&'a Tensor>,
    /// Read.
    pub gradients: Vec<&'a Tensor>,
    /// Moved in place.
    pub exp_avgs: Vec<&'a Tensor>,
    /// Moved in place.
    pub exp_avg_sqs: Vec<&'a Tensor>,
}

/// AdamW's settings. The learning rate comes with each step, for it follows a schedule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdamWConfig {
    /// Decay of the moving averages of gradients and of their squares.
    pub betas: (f64, f64),
    /// Added to the root of the average square.
    pub epsilon: f64,
    /// Decay of the weights, times the learning rate.
    pub weight_decay: f64,
}

impl Default for AdamWConfig {
    /// PyTorch's defaults, without weight decay.
    fn default() -> AdamWConfig {
        AdamWConfig {
            betas: (0.9, 0.999),
            epsilon: 1e-8,
            weight_decay: 0.0,
        }
    }
}

/// The norm of all tensors together, as one vector; 0 of none.
pub fn norm(list: &[&Tensor]) -> f64 {
    let (pointers, mut norm) = (pointers(list), 0.0);
    if !list.is_empty() {
        // SAFETY: an array of as many live tensors as is said, and a place for the result.
        check(unsafe { mc_norm(pointers.as_ptr(), list.len(), &mut norm) });
    }
    norm
}

/// Multiplies every tensor in place.
pub fn scale(list: &[&Tensor], factor: f64) {
    let pointers = pointers(list);
    if !list.is_empty() {
        // SAFETY: an array of as many live tensors as is said.
        check(unsafe { mc_scale(pointers.as_ptr(), list.len(), factor) });
    }
}

/// Sequences that lie one after the other in a tensor's rows.
#[derive(Debug)]
pub struct Spans<'a> {
    /// `[B + 1]` int32: the row at which each begins, and the end of the last.
    pub starts: &'a Tensor,
    /// `[B]` int32: rows in use, where a sequence may be shorter than the room from its start to the next.
    pub used: Option<&'a Tensor>,
    /// Rows of the longest.
    pub longest: i64,
}

/// Attention of each sequence to its own keys, `[rows, heads, dim]` like the query: flash attention, which libtorch has for a
/// GPU and 16 bits alone. Differentiable where keys have no `used`.
pub fn flash_attention(
    heads: [&Tensor; 3],
    queries: &Spans<'_>,
    keys: &Spans<'_>,
    causal: bool,
) -> Tensor {
    let [query, key, value] = heads.map(Tensor::as_ptr);
    let mut output: *mut C_tensor = std::ptr::null_mut();
    // SAFETY: live tensors, or null where the shim allows it, and a place for the result.
    let message = unsafe {
        mc_flash(
            query,
            key,
            value,
            queries.starts.as_ptr(),
            keys.starts.as_ptr(),
            keys.used.map_or(null(), Tensor::as_ptr),
            queries.longest,
            keys.longest,
            c_int::from(causal),
            &mut output,
        )
    };
    check(message);
    // SAFETY: the shim has put a new tensor there.
    unsafe { owned(output) }
}

/// What a call that gave no message has put at its last argument.
///
/// # Safety
/// A tensor of the shim's making that nothing else owns.
unsafe fn owned(output: *mut C_tensor) -> Tensor {
    // SAFETY: the caller's promise.
    unsafe { Tensor::from_ptr(output) }
}

/// The most bytes of the first GPU's memory that tensors held at once since the last reset; 0 where nothing lies there.
pub fn peak_memory(reset: bool) -> u64 {
    let mut bytes = 0;
    // SAFETY: a place for the result.
    check(unsafe { mc_peak_memory(&mut bytes, c_int::from(reset)) });
    bytes.unsigned_abs()
}

/// Gives memory of the GPU back that no tensor holds: what comes next needs blocks of other sizes. On a CPU, nothing.
pub fn empty_cache() {
    // SAFETY: no argument; memory that tensors hold is not touched.
    check(unsafe { mc_empty_cache() });
}

/// Does work whose tensors no gradient will ever be asked of: operators then skip autograd's part of a call.
pub fn inference<T>(work: impl FnOnce() -> T) -> T {
    struct Mode(*mut c_void);
    impl Drop for Mode {
        fn drop(&mut self) {
            // SAFETY: what began on this thread, ended once, and in the reverse order also where `work` panics.
            unsafe { mc_end_inference(self.0) };
        }
    }
    // SAFETY: no argument; it is ended below.
    let _mode = Mode(unsafe { mc_begin_inference() });
    work()
}

/// Bytes of the first GPU's memory that are free; none where nothing has been put there yet.
pub fn free_memory() -> Option<u64> {
    let mut bytes = 0;
    // SAFETY: a place for the result.
    check(unsafe { mc_free_memory(&mut bytes) });
    u64::try_from(bytes).ok().filter(|bytes| *bytes > 0)
}

/// Forgets the gradients and gives their memory back; tch can only zero them.
pub fn drop_gradients(list: &[&Tensor]) {
    let pointers = pointers(list);
    // SAFETY: an array of as many live tensors as is said.
    check(unsafe { mc_drop_gradients(pointers.as_ptr(), list.len()) });
}

fn pointers(list: &[&Tensor]) -> Vec<*const C_tensor> {
    list.iter().map(|tensor| tensor.as_ptr()).collect()
}

fn check(message: *mut c_char) {
    if let Some(problem) = said(message) {
        panic!("libtorch failed: {problem}");
    }
}

/// What the shim said, if it did.
fn said(message: *mut c_char) -> Option<String> {
    if message.is_null() {
        return None;
    }
    // SAFETY: a message of the shim is a C string that is its caller's to free, once.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        mc_free(message);
        Some(text)
    }
}
