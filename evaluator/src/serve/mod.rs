//! Judging for other programs: one engine, and the ways in which clients reach it.
//!
//! An [`Engine`] has workers behind a bounded queue. Each client has a [`Client`] in it: its settings, its jobs, and a way
//! to be told of their answers. Dropping a client frees its work. [`Conversation`] speaks it over a pair of streams, a
//! line for a line.

mod ask;
mod bounds;
mod engine;
mod footprint;
#[cfg(feature = "serve")]
pub mod http;
mod job;
mod lines;
mod queue;
mod stdio;
mod store;

pub use ask::{Ask, Refusal, RowReader};
pub use bounds::Bounds;
pub use engine::{Client, Engine};
pub use job::{Answer, Answered, Job, Work};
pub use queue::{Full, Load, Room};
pub use stdio::{Conversation, Hangup};
pub use store::ProblemStore;
