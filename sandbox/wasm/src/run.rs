//! A run: a fresh instance with fresh surroundings, of which nothing is left when it ends.

use std::io;
use std::time::{Duration, Instant};

use sandbox_guard::bundle::Call;
use sandbox_guard::clock::own_cpu_time;
use sandbox_guard::played::{self, Played};
use sandbox_guard::protocol::{TestReport, TestRequest, cut};
use tokio::runtime::{Builder, Runtime};
use wasmtime::{CallHook, Engine, Result, Store};
use wasmtime_wasi::I32Exit;

use crate::clock::Clock;
use crate::code::{Code, START};
use crate::cut::{Cut, Patience, Slept};
use crate::ending::Ending;
use crate::host::{self, Host, Streams};
use crate::meter::{self, Meter};
use crate::watch::Watch;

/// Most bytes that a component may pass to the host in one call.
const PASSED: usize = 16 << 20;

/// Runs one program, any number of times.
pub struct Runner {
    engine: Engine,
    code: Code,
    /// What it is called with, where it is given files.
    call: Option<Call>,
    runtime: Runtime,
    watch: Watch,
}

impl Runner {
    /// Of this code. Starts a thread.
    pub fn new(engine: &Engine, code: Code, call: Option<Call>) -> io::Result<Runner> {
        Ok(Runner {
            engine: engine.clone(),
            code,
            call,
            // Paused, its time jumps to the end of whatever a program sleeps for.
            runtime: Builder::new_current_thread()
                .enable_time()
                .start_paused(true)
                .build()?,
            watch: Watch::start(engine)?,
        })
    }

    /// Run it once, on these standard streams.
    ///
    /// # Errors
    /// The host failed.
    pub fn run(&self, request: &TestRequest, streams: played::Streams) -> io::Result<Played> {
        let (begun, before) = (Instant::now(), own_cpu_time());
        let patience = Patience {
            idle: Duration::from_nanos(request.idle_ns),
            deadline: begun + Duration::from_nanos(request.wall_ns),
            cut: Cut::default(),
        };
        let streams = Streams::new(streams, &patience, &Meter::default(), request.output)?;
        let limit = Duration::from_nanos(request.cpu_ns);
        self.watch.begin(limit, &patience);
        let played = self.runtime.block_on(self.play(request, &streams));
        self.watch.end();
        let (result, store) = played?;
        let left = store.get_fuel().unwrap_or(0);
        let memory = &store.data().memory;
        let ending = match Ending::of(result, &patience.cut, memory.exceeded()) {
            Ending { cut: cut::NONE, .. } if left == 0 => Ending::out_of_fuel(),
            ending => ending,
        };
        Ok(Played {
            report: TestReport {
                status: ending.status,
                signal: ending.signal,
                cut: ending.cut,
                cpu_ns: own_cpu_time().saturating_sub(before).as_nanos() as u64,
                fuel: tank(request).saturating_sub(left),
                wall_ns: begun.elapsed().as_nanos() as u64,
                // Its time jumps to the end of whatever it sleeps for.
                slept_ns: 0,
                peak_memory: memory.held() as u64,
                own_memory: 0,
                spent: 0,
            },
            stdout: streams.stdout.finish(""),
            stderr: streams.stderr.finish(&ending.message),
        })
    }

    async fn play(
        &self,
        request: &TestRequest,
        streams: &Streams,
    ) -> io::Result<(Result<()>, Store<Host>)> {
        let total = tank(request);
        let host = Host::new(request, streams, Clock::begin(total), self.call.as_ref())?;
        let mut store = Store::new(&self.engine, host);
        store.limiter(|host| &mut host.memory);
        store.set_epoch_deadline(1);
        let call = match self.call {
            Some(_) => meter::CALL_WITH_FILES,
            None => meter::CALL,
        };
        store.call_hook(move |store, hook| match hook {
            CallHook::CallingHost => host::pay(store, call),
            CallHook::ReturningFromHost => host::settle(store),
            _ => Ok(()),
        });
        let result = match store.set_fuel(total) {
            Ok(()) => {
                self.call_within(Duration::from_nanos(request.idle_ns), &mut store)
                    .await
            }
            Err(error) => Err(error),
        };
        Ok((result, store))
    }

    /// Call it; an end without an error is one by itself. It may sleep for `idle` in all.
    async fn call_within(&self, idle: Duration, store: &mut Store<Host>) -> Result<()> {
        match tokio::time::timeout(idle, self.call(store)).await {
            Ok(result) => result,
            Err(_) => Err(Slept.into()),
        }
    }

    async fn call(&self, store: &mut Store<Host>) -> Result<()> {
        match &self.code {
            Code::Module(linked) => {
                let instance = linked.instantiate_async(&mut *store).await?;
                let start = instance.get_typed_func::<(), ()>(&mut *store, START)?;
                start.call_async(store, ()).await
            }
            Code::Component(linked) => {
                store.set_hostcall_fuel(PASSED);
                let command = linked.instantiate_async(&mut *store).await?;
                match command.wasi_cli_run().call_run(store).await? {
                    Ok(()) => Ok(()),
                    Err(()) => Err(I32Exit(1).into()),
                }
            }
        }
    }
}

/// What a run is given: a unit more than it may use, so that none is left if it used more. It need not have been stopped
/// then, as compiled code looks at its fuel in loops and at calls alone.
fn tank(request: &TestRequest) -> u64 {
    request.cpu_ns.saturating_add(1)
}
