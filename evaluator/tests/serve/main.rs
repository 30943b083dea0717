//! `mc-eval serve`: the real binary, over loopback and over a socket file.

mod clients;
mod ending;
mod fusion;
mod guarding;
mod judging;
mod limits;
mod peers;
#[path = "../support/processes.rs"]
mod processes;
mod server;
mod workers;
