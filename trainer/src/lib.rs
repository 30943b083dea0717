//! A trainer of language models on code: GRPO and its variants over libtorch, with the evaluator's verdicts as reward.
//!
//! - [`model`], the Policy and its forward pass, reads and writes Hugging Face folders.
//! - [`engine`] samples responses from it.
//! - [`native`] is the little of libtorch that tch does not offer.
//! - [`server`] gets responses from a server instead; vLLM can be given the policy's weights for it.
//! - [`optimizer`] steps its weights; [`tokenizer`] turns text into tokens and back.
//! - [`algorithm`] is the arithmetic between rewards and a loss: pure functions.
//! - [`memory`] reckons what a run takes before it begins; [`update`] is one update of the policy.
//! - [`config`] says what a run does, [`run`] does it, [`report`] draws what came of it.
//! - [`check`] replays reference numbers through these very functions; [`mod@bench`] measures them.
//! - [`toy`] makes a task that a tiny model learns in minutes; [`chance`] gives a run its random numbers.

pub mod algorithm;
pub mod bench;
pub mod chance;
pub mod check;
pub mod config;
pub mod engine;
pub mod memory;
pub mod model;
#[allow(
    unsafe_code,
    reason = "calls of libtorch that tch does not offer; every other module goes through these"
)]
pub mod native;
pub mod optimizer;
pub mod report;
pub mod run;
pub mod server;
pub mod tokenizer;
pub mod toy;
pub mod update;
