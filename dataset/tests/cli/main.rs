//! The command line, tested through the binary and with the real sandbox.

mod broken;
mod converting;
mod generating;
mod model;
mod pipeline;
mod server;
mod sources;
mod stages;
mod support;
