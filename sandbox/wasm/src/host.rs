//! What a program finds around it: standard streams, a clock, pseudo-random numbers, the files that it is given, and nothing
//! else.

use std::ffi::CString;
use std::io;

use sandbox_guard::bundle::Call;
use sandbox_guard::played;
use sandbox_guard::protocol::TestRequest;
use sandbox_guard::{own_files, scratch};
use wasmtime::{AsContextMut, Result, Trap};
use wasmtime_wasi::p1::WasiP1Ctx;
use wasmtime_wasi::{FsPerms, WasiCtxBuilder, WasiCtxView, WasiView};

use crate::clock::Clock;
use crate::cut::Patience;
use crate::memory::Memory;
use crate::meter::{ARGUMENT, BYTE, Drawn, Meter};
use crate::streams::{Input, Output};

/// Most things that the host keeps for a program at once: streams, and what it waits for.
const RESOURCES: usize = 4096;
/// Most pseudo-random bytes at once.
const RANDOM: u64 = 1 << 20;

/// The surroundings of one run.
pub struct Host {
    /// What the library keeps of it.
    pub wasi: WasiP1Ctx,
    /// What it holds of memory.
    pub memory: Memory,
    /// What it owes for what the host does.
    pub meter: Meter,
    /// The only time that it sees.
    pub clock: Clock,
    /// What it costs to ask for its arguments.
    pub arguments: u64,
}

/// The standard streams of one run.
pub struct Streams {
    /// Standard input.
    pub stdin: Input,
    /// Standard output.
    pub stdout: Output,
    /// Standard error.
    pub stderr: Output,
    meter: Meter,
}

impl Streams {
    /// On those that the run was given, with as many bytes of output as `limit`. What they carry is owed to `meter`.
    pub fn new(
        given: played::Streams,
        patience: &Patience,
        meter: &Meter,
        limit: u64,
    ) -> io::Result<Streams> {
        Ok(Streams {
            stdin: Input::new(given.stdin, patience, meter)?,
            stdout: Output::new(given.stdout, patience, meter, limit),
            stderr: Output::new(None, patience, meter, limit),
            meter: meter.clone(),
        })
    }
}

impl Host {
    /// New surroundings, in which nothing is left of any other run. What is called with arguments finds files too.
    ///
    /// # Errors
    /// The files are not there.
    pub fn new(
        request: &TestRequest,
        streams: &Streams,
        clock: Clock,
        call: Option<&Call>,
    ) -> io::Result<Host> {
        let mut wasi = WasiCtxBuilder::new();
        wasi.stdin(streams.stdin.clone())
            .stdout(streams.stdout.clone())
            .stderr(streams.stderr.clone())
            .wall_clock(clock.clone())
            .monotonic_clock(clock.clone())
            .secure_random(Drawn::new(request.seed, &streams.meter))
            .insecure_random(Drawn::new(request.seed, &streams.meter))
            .insecure_random_seed(request.seed.into())
            .max_random_size(RANDOM);
        if let Some(call) = call {
            give(&mut wasi, call)?;
        }
        let mut wasi = wasi.build_p1();
        wasi.ctx().table.set_max_capacity(RESOURCES);
        Ok(Host {
            wasi,
            memory: Memory::new(request.memory as usize),
            meter: streams.meter.clone(),
            clock,
            arguments: call.map_or(0, price_of_arguments),
        })
    }
}

fn price_of_arguments(call: &Call) -> u64 {
    let bytes = |argument: &CString| argument.as_bytes().len() as u64;
    let price = |argument| ARGUMENT + BYTE * bytes(argument);
    call.arguments.iter().map(price).sum()
}

/// Give it arguments, its own files to read, and the scratch directory, which is its working directory too.
fn give(wasi: &mut WasiCtxBuilder, call: &Call) -> io::Result<()> {
    let arguments = call.arguments.iter().map(|it| it.to_string_lossy());
    let arguments: Vec<_> = arguments.collect();
    // Nothing else goes on in this process that waiting for a file could hold up.
    wasi.args(&arguments).allow_blocking_current_thread(true);
    let own = (own_files::PLACE, own_files::PLACE, FsPerms::ReadOnly);
    let scratch = [".", scratch::PLACE].map(|name| (scratch::PLACE, name, FsPerms::ReadWrite));
    for (place, name, rights) in scratch.into_iter().chain([own]) {
        let opened = wasi.preopened_dir(place, name, rights);
        opened.map_err(io::Error::other)?;
    }
    Ok(())
}

impl WasiView for Host {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        self.wasi.ctx()
    }
}

/// Take `price` from what a run has left, and set its clock. Where less is left, the run ends.
pub fn pay(mut store: impl AsContextMut<Data = Host>, price: u64) -> Result<()> {
    let mut store = store.as_context_mut();
    let left = store.get_fuel()?;
    let rest = left.saturating_sub(price);
    store.set_fuel(rest)?;
    if left < price {
        return Err(Trap::OutOfFuel.into());
    }
    store.data().clock.advance(rest);
    Ok(())
}

/// The same for all that is owed.
pub fn settle(store: impl AsContextMut<Data = Host>) -> Result<()> {
    let owed = store.as_context().data().meter.take();
    match owed {
        0 => Ok(()),
        owed => pay(store, owed),
    }
}
