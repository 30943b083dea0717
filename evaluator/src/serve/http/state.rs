//! What all requests share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::metrics::Metrics;
use crate::judge::Settings;
use crate::serve::{Bounds, Engine, ProblemStore};

/// What a server takes, at most.
#[derive(Debug, Clone)]
pub struct HttpLimits {
    /// Bytes of one body.
    pub body: usize,
    /// Bytes of the bodies of all requests at once.
    pub bodies: usize,
    /// Connections at once.
    pub connections: usize,
    /// How long a client may take to send its headers, and then between two pieces of its body or of the answer that it reads.
    pub patience: Duration,
    /// How long requests may go on after the server was told to end.
    pub drain: Duration,
    /// What a problem may ask for.
    pub bounds: Bounds,
}

/// Bytes for which one permit stands.
pub(super) const PERMIT: usize = 1024;

/// Requests that are read into problems and programs at once: it takes memory, and the workers need the cores.
const READING: usize = 2;

/// What all requests share.
pub(super) struct Shared {
    pub engine: Engine,
    pub store: ProblemStore,
    pub settings: Arc<Settings>,
    pub limits: HttpLimits,
    pub metrics: Metrics,
    /// The hash of the token that each request must show.
    pub token: Option<blake3::Hash>,
    /// Whether only requests for this machine's own names are taken.
    pub only_local: bool,
    /// Permits for bytes of bodies.
    pub memory: Arc<Semaphore>,
    /// Permits to read a body's content.
    pub reading: Semaphore,
    draining: AtomicBool,
}

impl Shared {
    pub fn new(
        engine: Engine,
        store: ProblemStore,
        settings: Settings,
        limits: HttpLimits,
    ) -> Shared {
        Shared {
            engine,
            store,
            settings: Arc::new(settings),
            memory: Arc::new(Semaphore::new(limits.bodies.div_ceil(PERMIT))),
            limits,
            metrics: Metrics::default(),
            token: None,
            only_local: false,
            reading: Semaphore::new(READING),
            draining: AtomicBool::new(false),
        }
    }

    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }
}
