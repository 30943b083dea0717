//! What the boxed interpreter needs beside itself, carried in this library.

/// The guard, a shared object.
pub const GUARD: &[u8] = include_bytes!(env!("SANDBOX_GUARD"));

/// What the interpreter runs: the parts share one namespace, in this order.
const PARTS: [&str; 9] = [
    include_str!("python/bootstrap.py"),
    include_str!("python/data.py"),
    include_str!("python/names.py"),
    include_str!("python/entries.py"),
    include_str!("python/channel.py"),
    include_str!("python/serve.py"),
    include_str!("python/remote.py"),
    include_str!("python/examine.py"),
    include_str!("python/worker.py"),
];

/// The whole script.
pub fn script() -> String {
    PARTS.concat()
}
