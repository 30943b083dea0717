//! What libtorch is asked to do, call by call: for counting launches, and for holding two decoding steps against one another.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

use super::{check, said};

unsafe extern "C" {
    fn mc_begin_recording() -> *mut c_char;
    fn mc_end_recording(calls: *mut *mut c_char) -> *mut c_char;
    fn mc_begin_step() -> *mut c_void;
    fn mc_end_step(step: *mut c_void);
}

/// A call of an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// How many operators it was called within.
    pub depth: usize,
    /// `aten::addmm`, with the overload after a dot.
    pub name: String,
    /// All that decides what it does; nothing of one that was called within another. Numbers as they are. A tensor by the address and
    /// shape of its memory; one that was made since the [`step`] began, by a number in the order of making, for where that lies is
    /// the allocator's affair.
    pub arguments: String,
}

impl Call {
    fn read(line: &str) -> Option<Call> {
        let mut parts = line.splitn(3, '\t');
        Some(Call {
            depth: parts.next()?.parse().ok()?,
            name: parts.next()?.to_owned(),
            arguments: parts.next()?.to_owned(),
        })
    }

    /// Whether it only describes memory anew, and launches nothing.
    fn is_view(&self) -> bool {
        let name = self.name.split('.').next().unwrap_or_default();
        VIEWS.contains(&name.trim_start_matches("aten::"))
    }

    fn is_operator(&self) -> bool {
        !self.name.starts_with(STEP) && !self.is_view()
    }
}

const STEP: &str = "microcoder::step";

#[rustfmt::skip]
const VIEWS: [&str; 18] = [
    "view", "narrow", "slice", "select", "unsqueeze", "squeeze", "transpose", "t", "numpy_T", "expand", "as_strided", "alias",
    "reshape", "detach", "permute", "unflatten", "flatten", "_unsafe_view",
];

/// All that `work` asks of libtorch on this thread, in order.
pub fn record<T>(work: impl FnOnce() -> T) -> (T, Vec<Call>) {
    // SAFETY: no argument; the shim keeps its own state for each thread.
    check(unsafe { mc_begin_recording() });
    let done = work();
    let mut calls = null_mut();
    // SAFETY: a place for the result.
    check(unsafe { mc_end_recording(&mut calls) });
    let calls = said(calls).unwrap_or_default();
    (done, calls.lines().filter_map(Call::read).collect())
}

/// The names of the operators that `work` itself calls on this thread, in order, views apart. On a GPU each is at least one launch.
pub fn operators<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    let (done, calls) = record(work);
    let own = |call: &Call| call.depth == 0 && call.is_operator();
    let names = calls.into_iter().filter(own).map(|call| call.name);
    (done, names.collect())
}

/// Does work that is a step of many alike. A recording has a call `microcoder::step` before it, and after it
/// `microcoder::step.kept`, with the number of the step's own tensors that are not gone by then.
pub fn step<T>(work: impl FnOnce() -> T) -> T {
    struct Step(*mut c_void);
    impl Drop for Step {
        fn drop(&mut self) {
            // SAFETY: what began on this thread, ended once, and in the reverse order also where `work` panics.
            unsafe { mc_end_step(self.0) };
        }
    }
    // SAFETY: no argument; it is ended below.
    let _step = Step(unsafe { mc_begin_step() });
    work()
}
