//! The command line, tested through the binary and with the real sandbox.

mod blaming;
mod broken;
mod caching;
mod checkers;
mod codes;
mod converting;
mod diff;
mod duplicates;
mod ending;
mod evaluating;
mod examining;
mod handing;
mod inputs;
mod lab;
mod languages;
mod lcb;
mod linting;
mod man;
#[path = "../../../sandbox/tests/support/numpy.rs"]
mod numpy;
mod objects;
mod one_process;
mod own_checkers;
mod preludes;
#[path = "../support/processes.rs"]
mod processes;
mod published;
mod reflecting;
mod resume;
mod returning;
mod schema;
mod shards;
mod shielding;
mod show;
mod stdio;
mod summary;
mod surroundings;
mod unshielded;
mod verdicts;
#[cfg(feature = "wasm")]
mod wasm_checkers;
