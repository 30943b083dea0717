//! The part of the sandbox that lives inside the box.
//!
//! Built twice from the same source: as a shared object that the boxed Python loads, and as a library, on which executable
//! workers are built and from which the supervisor takes the [`protocol`]. Three processes run this code, each with fewer rights than the one before:
//!
//! - **Worker** (`worker`): trusted. Enters its namespaces once, then forks a Program for every request.
//! - **Program** (`program`): pid 1 of its own pid namespace. Compiles the untrusted source, runs none of it, and forks
//!   a Test for every request; or it becomes the only Test, for good.
//! - **Test** (`test`): runs the untrusted code.
//!
//! `entry` is what Python calls, and [`executable`] what a worker without Python is made of; from there imports run one way,
//! `-> worker -> program -> test`, down to the parts that a box is made of and to `sys`, which holds every line that the
//! compiler cannot check.
//!
//! It is no supervisor: it decides nothing about a program and knows no limit that a request does not name.

pub mod bundle;
mod cage;
pub mod clock;
mod collect;
mod cores;
pub mod descriptors;
mod entry;
mod errors;
pub mod executable;
mod filter;
mod input;
mod limits;
mod mappings;
pub mod own_files;
pub mod played;
mod program;
pub mod protocol;
mod reserved;
mod root;
pub mod scratch;
#[allow(
    unsafe_code,
    reason = "system calls that no library offers safely; every other module goes through these"
)]
pub mod sys;
mod test;
mod threads;
pub mod watch;
mod worker;
