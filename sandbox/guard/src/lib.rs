//! The part of the sandbox that lives inside the interpreter.
//!
//! Built twice from the same source: as a shared object that the boxed Python loads, and as a library from which the
//! supervisor takes the [`protocol`]. Three processes run this code, each with fewer rights than the one before:
//!
//! - **Worker** (`worker`): trusted. Enters its namespaces once, then forks a Program for every request.
//! - **Program** (`program`): pid 1 of its own pid namespace. Compiles the untrusted source, runs none of it, and forks
//!   a Test for every request.
//! - **Test** (`test`): runs the untrusted code.
//!
//! The entry points that Python calls are in [`sys`], with every other line that the compiler cannot check. Each of
//! them that forks returns in the child: the parent stays inside, serving.
//!
//! It is no supervisor: it decides nothing about a program and knows no limit that a request does not name.

pub mod descriptors;
mod errors;
mod filter;
mod mappings;
mod program;
pub mod protocol;
mod root;
pub mod sys;
mod test;
mod worker;
