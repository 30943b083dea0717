//! What a program finds around it: standard streams, a clock, pseudo-random numbers, and nothing else.

use std::io;
use std::os::fd::OwnedFd;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sandbox_guard::protocol::TestRequest;
use wasmtime::{Engine, Linker, Result, component};
use wasmtime_wasi::p1::{self, WasiP1Ctx};
use wasmtime_wasi::{I32Exit, WasiCtxBuilder, WasiCtxView, WasiView, p2};

use crate::clock::Clock;
use crate::cut::Patience;
use crate::memory::Memory;
use crate::streams::{Input, Output};

/// Most things that the host keeps for a program at once: streams, and what it waits for.
const RESOURCES: usize = 4096;
/// Most pseudo-random bytes at once.
const RANDOM: u64 = 1 << 20;

/// The surroundings of one run.
pub struct Host {
    wasi: WasiP1Ctx,
    /// What it holds of memory.
    pub memory: Memory,
}

/// The standard streams of one run.
pub struct Streams {
    /// Standard input.
    pub stdin: Input,
    /// Standard output.
    pub stdout: Output,
    /// Standard error.
    pub stderr: Output,
}

impl Streams {
    /// On the first three of `files`; none if there are fewer.
    pub fn new(files: Vec<OwnedFd>, patience: &Patience, limit: u64) -> io::Result<Streams> {
        let mut files = files.into_iter();
        let mut next = || {
            files
                .next()
                .ok_or_else(|| io::Error::other("a stream is missing"))
        };
        Ok(Streams {
            stdin: Input::new(next()?, patience)?,
            stdout: Output::new(next()?, patience, limit)?,
            stderr: Output::new(next()?, patience, limit)?,
        })
    }
}

impl Host {
    /// New surroundings, in which nothing is left of any other run.
    pub fn new(request: &TestRequest, streams: &Streams, clock: &Clock) -> Host {
        let mut wasi = WasiCtxBuilder::new();
        wasi.stdin(streams.stdin.clone())
            .stdout(streams.stdout.clone())
            .stderr(streams.stderr.clone())
            .wall_clock(clock.clone())
            .monotonic_clock(clock.clone())
            .secure_random(ChaCha8Rng::seed_from_u64(request.seed))
            .insecure_random(ChaCha8Rng::seed_from_u64(request.seed))
            .insecure_random_seed(request.seed.into())
            .max_random_size(RANDOM);
        let mut wasi = wasi.build_p1();
        wasi.ctx().table.set_max_capacity(RESOURCES);
        Host {
            wasi,
            memory: Memory::new(request.memory as usize),
        }
    }
}

impl WasiView for Host {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        self.wasi.ctx()
    }
}

/// All that programs may import.
pub struct Linkers {
    /// Modules: WASI preview 1.
    pub modules: Linker<Host>,
    /// Components: WASI preview 2.
    pub components: component::Linker<Host>,
}

impl Linkers {
    /// Of this engine.
    pub fn new(engine: &Engine) -> Result<Linkers> {
        let mut modules = Linker::new(engine);
        p1::add_to_linker_async(&mut modules, |host: &mut Host| &mut host.wasi)?;
        modules.allow_shadowing(true);
        // The library takes no status above 125, which programs do end with.
        modules.func_wrap(
            "wasi_snapshot_preview1",
            "proc_exit",
            |status: i32| -> Result<()> { Err(I32Exit(status).into()) },
        )?;
        let mut components = component::Linker::new(engine);
        p2::add_to_linker_async(&mut components)?;
        Ok(Linkers {
            modules,
            components,
        })
    }
}
