//! Writes the records that are left in the forms that others read.

mod hugging_face;
mod livecodebench;
mod own;
#[cfg(feature = "parquet")]
mod verl;

pub use hugging_face::hugging_face;
pub use livecodebench::livecodebench;
pub use own::own;
#[cfg(feature = "parquet")]
pub use verl::verl;
