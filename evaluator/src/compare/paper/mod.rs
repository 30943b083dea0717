//! The paper's full chain: every strategy always on, line structure and order overlooked.
//!
//! Not sound: it accepts `3 2 1` for `1 2 3` and 100001 for 100000. It is here to be compared with. Its strategies may
//! overlook how often something comes, so each reads the actual output only as far as the expected one could reach.

mod array;
mod slack;
mod text;
mod value;

pub(super) use text::text;
pub(super) use value::value;
