//! What the fuzz targets share: pairs of outputs that are nearly alike, and a slow, obvious reference for the comparator.

pub mod pair;
pub mod reference;
