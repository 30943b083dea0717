//! Writes the records that are left in the forms that others read.

mod livecodebench;
mod own;
#[cfg(feature = "parquet")]
mod verl;

pub use livecodebench::livecodebench;
pub use own::{Written, own};
#[cfg(feature = "parquet")]
pub use verl::verl;
