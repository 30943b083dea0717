//! The toy task, from end to end through the command, on a CPU and with the sandbox as the judge.

mod failing;
mod half;
mod lab;
mod learning;
mod presets;
mod runs;
mod staged;
mod tensorboard;
