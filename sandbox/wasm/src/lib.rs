//! The worker whose programs are WebAssembly: modules of WASI preview 1 and components of preview 2, as binaries or as text.
//!
//! The engine keeps programs from each other and from itself, so that a Test needs no process of its own: each is a fresh
//! instance with a fresh store, played in the Program. What the engine cannot keep from a hostile module, above all that
//! compiling it takes long, the box does. Fuel decides about time, and the engine counts memory: both are the same on every
//! machine.

mod clock;
mod code;
mod cut;
mod ending;
mod engine;
mod host;
mod linkers;
mod memory;
mod meter;
mod priced;
mod run;
mod streams;
#[allow(
    unsafe_code,
    reason = "machine code that was made earlier is run as it is; no other module may"
)]
mod trusted;
mod watch;

use sandbox_guard::bundle::Call;
use sandbox_guard::executable::{Engine, Resident, Source};
use sandbox_guard::played::{Played, Streams};
use sandbox_guard::protocol::TestRequest;

use code::{Code, Compiled};
use linkers::Linkers;
use run::Runner;
use trusted::Sent;

/// The engine, and what programs may import.
pub struct Wasm {
    engine: wasmtime::Engine,
    linkers: Linkers,
}

impl Engine for Wasm {
    type Prepared = Runner;

    fn warm_up() -> Result<Wasm, String> {
        let engine = engine::new().map_err(in_one_line)?;
        let linkers = Linkers::new(&engine).map_err(in_one_line)?;
        Ok(Wasm { engine, linkers })
    }

    fn prepare(self, source: Source) -> Result<Runner, String> {
        // It is closed before anything of the program runs, so that nothing of that can reach the file.
        let (code, call) = self.code(source).map_err(in_one_line)?;
        Runner::new(&self.engine, code, call).map_err(|error| format!("it cannot be run: {error}"))
    }
}

impl Resident for Wasm {
    fn play(runner: &Runner, request: &TestRequest, streams: Streams) -> Result<Played, String> {
        let played = runner.run(request, streams);
        played.map_err(|error| format!("play a test: {error}"))
    }
}

impl Wasm {
    /// Compile what is in the file, and leave there what that came to; or take what was left there before.
    fn code(&self, source: Source) -> wasmtime::Result<(Code, Option<Call>)> {
        let (sent, call) = Sent::read(&source)?;
        let code = match sent {
            Sent::Text(text) => {
                let compiled = Compiled::new(&self.engine, &text)?;
                let code = compiled.link(&self.linkers)?;
                source.leave(&compiled.serialize()?)?;
                code
            }
            Sent::Code(compiled) => compiled.restore(&self.engine)?.link(&self.linkers)?,
        };
        Ok((code, call))
    }
}

/// An error with what caused it.
fn in_one_line(error: wasmtime::Error) -> String {
    format!("{error:#}")
}
