//! Writes the records that are left in the forms that others read.

mod own;

pub use own::own;
