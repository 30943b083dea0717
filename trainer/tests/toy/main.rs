//! The toy task, from end to end through the command, on a CPU and with the sandbox as the judge.

mod failing;
mod half;
mod lab;
mod learning;
mod runs;
mod staged;
#[path = "../support/lab.rs"]
mod support;
mod tensorboard;
