//! The command line, tested through the binary and with the real sandbox.

mod generating;
mod pipeline;
mod stages;
mod support;
