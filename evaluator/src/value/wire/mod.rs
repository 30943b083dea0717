//! Values as the JSON that crosses the border of a box; the harness's `values.py` is the other end.
//!
//! Lists, strings, booleans, `None`, finite reals and small whole numbers stand for themselves; everything else is an
//! object of one member, whose name is the kind of value: `{"tuple": [1, 2]}`.

mod decode;
mod encode;

pub use decode::returned;
pub(crate) use encode::encode_arguments;
