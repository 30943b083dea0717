//! The command line, tested through the binary and with the real sandbox.

mod codes;
mod diff;
mod ending;
mod examining;
mod inputs;
mod lab;
mod preludes;
#[path = "../support/processes.rs"]
mod processes;
mod resume;
mod schema;
mod summary;
mod verdicts;
