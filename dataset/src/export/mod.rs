//! Writes the records that are left in the forms that others read.

mod livecodebench;
mod own;

pub use livecodebench::livecodebench;
pub use own::{Written, own};
