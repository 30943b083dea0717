//! The server: HTTP at the edge, the engine behind it. Paths are thin; what they ask is done on the engine's own threads.

mod body;
mod call;
mod error;
mod fusion;
mod guard;
mod health;
mod held;
mod judge;
mod listen;
mod metrics;
mod open_instruct;
mod openrlhf;
mod patch;
mod problems;
mod read;
mod routes;
mod rows;
mod scrape;
mod state;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::watch;

pub use state::HttpLimits;

use self::listen::Door;
use self::state::Shared;
use super::{Engine, ProblemStore};
use crate::judge::Settings;

/// Threads that keep up connections; the cores belong to the workers.
const THREADS: usize = 2;

/// How long a request may take to notice that it was ended.
const CLEARING: Duration = Duration::from_secs(5);

/// Where a server listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// At an address; beyond this machine only with a token.
    Tcp(SocketAddr),
    /// At a socket file, which only its owner may open.
    Unix(PathBuf),
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Anyone who reaches it could use it.
    #[error("{0} can be reached from other machines, which takes a token")]
    Unguarded(SocketAddr),
    /// The address cannot be had.
    #[error("failed to listen at {address}: {source}")]
    Listen {
        /// The address.
        address: String,
        /// What the system said.
        source: io::Error,
    },
    /// The threads cannot be had.
    #[error("failed to start: {0}")]
    Start(io::Error),
}

/// A server that listens.
pub struct Server {
    runtime: Runtime,
    door: Socket,
    shared: Arc<Shared>,
    end: watch::Sender<bool>,
}

/// A socket that is not served yet.
enum Socket {
    Tcp(TcpListener, SocketAddr),
    Unix(UnixListener, PathBuf),
}

/// Ends a server from another thread.
pub struct Ender(watch::Sender<bool>);

impl Ender {
    /// Take no more requests, and end once those in progress are answered.
    pub fn end(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Listen. Each request must show `token`, if there is one.
    ///
    /// # Errors
    /// The address cannot be had, or it can be reached from other machines and there is no token.
    pub fn listen(
        address: &Address,
        token: Option<&str>,
        engine: Engine,
        store: ProblemStore,
        settings: Settings,
        limits: HttpLimits,
    ) -> Result<Server, ServeError> {
        if let Address::Tcp(address) = address
            && token.is_none()
            && !address.ip().is_loopback()
        {
            return Err(ServeError::Unguarded(*address));
        }
        let door = Socket::at(address)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("serve")
            .enable_all()
            .build()
            .map_err(ServeError::Start)?;
        let mut shared = Shared::new(engine, store, settings, limits);
        shared.token = token.map(|token| blake3::hash(token.as_bytes()));
        shared.only_local = token.is_none() && matches!(address, Address::Tcp(_));
        Ok(Server {
            runtime,
            door,
            shared: Arc::new(shared),
            end: watch::Sender::new(false),
        })
    }

    /// Where it can be reached: `http://127.0.0.1:8080`, with the port that the system chose, or the socket's path.
    pub fn url(&self) -> String {
        match &self.door {
            Socket::Tcp(_, address) => format!("http://{address}"),
            Socket::Unix(_, path) => format!("unix:{}", path.display()),
        }
    }

    /// A handle that ends it.
    pub fn ender(&self) -> Ender {
        Ender(self.end.clone())
    }

    /// Serve until it is told to end. True if all requests in progress were answered.
    ///
    /// # Errors
    /// The socket cannot be served.
    pub fn run(self) -> Result<bool, ServeError> {
        let (address, path) = (self.url(), self.door.path());
        let router = routes::router(&self.shared);
        let end = self.end.subscribe();
        let Server {
            runtime,
            door,
            shared,
            end: _end,
        } = self;
        let served = runtime.block_on(async {
            let door = door.open()?;
            Ok(listen::serve(door, shared, router, end).await)
        });
        // What did not end in time ends now, and its programs with it.
        runtime.shutdown_timeout(CLEARING);
        if let Some(path) = path {
            // A file that somebody removed already is as good.
            let _ = fs_err::remove_file(path);
        }
        served.map_err(|source| ServeError::Listen { address, source })
    }
}

impl Socket {
    fn at(address: &Address) -> Result<Socket, ServeError> {
        let failed = |address: String| move |source| ServeError::Listen { address, source };
        match address {
            Address::Tcp(address) => bind_tcp(*address).map_err(failed(address.to_string())),
            Address::Unix(path) => bind_unix(path).map_err(failed(path.display().to_string())),
        }
    }

    fn open(self) -> io::Result<Door> {
        match self {
            Socket::Tcp(listener, _) => tokio::net::TcpListener::from_std(listener).map(Door::Tcp),
            Socket::Unix(listener, _) => {
                tokio::net::UnixListener::from_std(listener).map(Door::Unix)
            }
        }
    }

    fn path(&self) -> Option<PathBuf> {
        match self {
            Socket::Tcp(..) => None,
            Socket::Unix(_, path) => Some(path.clone()),
        }
    }
}

fn bind_tcp(address: SocketAddr) -> io::Result<Socket> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok(Socket::Tcp(listener, address))
}

/// A socket file that a killed server left is replaced; one that somebody listens at is not.
fn bind_unix(path: &Path) -> io::Result<Socket> {
    let bound = match UnixListener::bind(path) {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => match UnixStream::connect(path) {
            Err(refused) if refused.kind() == io::ErrorKind::ConnectionRefused => {
                fs_err::remove_file(path)?;
                UnixListener::bind(path)
            }
            _ => Err(error),
        },
        bound => bound,
    };
    let listener = bound?;
    // Nothing is served before this: a connection of somebody else's would wait, and be closed.
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    listener.set_nonblocking(true)?;
    Ok(Socket::Unix(listener, path.to_owned()))
}
