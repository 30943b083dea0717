//! The languages that submissions are written in: a table, and what of it this machine has.

mod cache;
mod called;
mod classes;
mod compiler;
mod outline;
mod table;
mod toolchain;

pub(crate) use cache::CompileCache;
pub(crate) use called::{CallTarget, callable};
pub(crate) use compiler::{Compiled, Invocation, Source, TOOK_LONG};
pub use table::{Language, Languages, PYTHON};
pub use toolchain::{Toolchain, toolchain};
