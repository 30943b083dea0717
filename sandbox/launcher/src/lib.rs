//! The worker whose programs are executables: each Test becomes the executable that its program names.
//!
//! It has nothing to warm up, and is small: what a fork of it copies is a few pages.

use nix::errno::Errno;
use nix::unistd::execve;
use sandbox_guard::bundle::{Call, Reader};
use sandbox_guard::executable::{Engine, Forking, Source};

/// Executes what its programs name.
pub struct Launcher;

/// What a shell answers for what it cannot execute.
const NOT_EXECUTED: i32 = 126;

impl Engine for Launcher {
    type Prepared = Call;

    fn warm_up() -> Result<Launcher, String> {
        Ok(Launcher)
    }

    fn prepare(self, source: Source) -> Result<Call, String> {
        let broken = |error: std::io::Error| format!("its files cannot be read: {error}");
        let (_, call) = source.into_file().and_then(Reader::new).map_err(broken)?;
        Ok(call)
    }
}

impl Forking for Launcher {
    fn play(call: Call, _seed: u64) -> i32 {
        let Call {
            arguments,
            environment,
        } = call;
        let errno = match arguments.first() {
            Some(executable) => execve(executable, &arguments, &environment).unwrap_err(),
            None => Errno::ENOENT,
        };
        eprintln!("the program cannot be executed: {}", errno.desc());
        NOT_EXECUTED
    }
}
