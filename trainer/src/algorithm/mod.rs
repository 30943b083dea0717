//! The arithmetic of group-relative policy optimisation: from rewards to advantages, from log-probabilities to a loss,
//! and what changes over a run (temperature, length, learning rate).
//!
//! Pure functions of named inputs. Nothing here samples, runs a model or knows of files; only [`loss`] knows tensors.
//! "The paper" is MicroCoder-GRPO, whose equations 1 and 2 these functions make up; each names its other sources.

pub mod advantage;
pub mod context;
pub mod diversity;
pub mod groups;
pub mod health;
pub mod loss;
pub mod overlong;
pub mod schedule;
pub mod statistics;
pub mod temperature;
pub mod truncation;
