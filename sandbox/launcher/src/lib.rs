//! The worker whose programs are executables: each Test becomes the executable that its program names.
//!
//! It has nothing to warm up, and is small: what a fork of it copies is a few pages.

use sandbox_guard::bundle::{Call, Reader};
use sandbox_guard::executable::{Engine, Source};

/// Executes what its programs name.
pub struct Launcher;

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
