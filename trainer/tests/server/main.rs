//! Responses from a server: the real binary against a small server on the loopback device, over real sockets.

mod asked;
mod failing;
mod fake;
mod served;
#[path = "../support/lab.rs"]
mod support;
mod vllm;
