//! Python source as syntax: what test code asserts, and programs with one thing changed.

mod assertions;
mod constants;
mod literal;
mod mutants;
mod signature;

use std::thread;

use ruff_python_ast::ModModule;

pub use assertions::{
    Asks, AssertedCall, Assertion, asserted_calls, assertions, call_in, expected_places,
    split_check,
};
pub use constants::Constants;
pub use literal::literal;
pub use mutants::mutants;
pub use signature::parameters;

/// Bytes of source that are read: with [`STACK`], what nesting may cost.
const MOST: usize = 64 << 10;

/// The stack of the thread that reads, of which only what is used is ever there. The parser recurses, and source of `MOST` bytes may be
/// nested that deep.
const STACK: usize = 512 << 20;

/// What `read` makes of the syntax tree of `source`; `None` for what is no Python or is too long.
pub(crate) fn parsed<T: Send>(
    source: &str,
    read: impl FnOnce(&ModModule) -> T + Send,
) -> Option<T> {
    if source.len() > MOST {
        return None;
    }
    let parse = || {
        let parsed = ruff_python_parser::parse_module(source).ok()?;
        Some(read(parsed.syntax()))
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, parse);
        thread.ok()?.join().ok().flatten()
    })
}

/// Whether `source` is Python, as far as its syntax goes.
pub fn is_python(source: &str) -> bool {
    parsed(source, |_| ()).is_some()
}
