//! Takes connections, from an address or a socket file, until told to end.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;

use super::state::Shared;

/// How long to wait where the system refuses a connection, for want of descriptors, say.
const BREATH: Duration = Duration::from_millis(100);

/// Bytes of a request's head.
const HEAD: usize = 64 << 10;

/// A socket that takes connections.
pub(super) enum Door {
    Tcp(TcpListener),
    Unix(UnixListener),
}

/// A connection of either kind.
trait Connected: AsyncRead + AsyncWrite + Send {}
impl<T: AsyncRead + AsyncWrite + Send> Connected for T {}
type AnyConnection = std::pin::Pin<Box<dyn Connected>>;

impl Door {
    async fn next(&self) -> io::Result<AnyConnection> {
        match self {
            Door::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                stream.set_nodelay(true)?;
                Ok(Box::pin(stream))
            }
            Door::Unix(listener) => Ok(Box::pin(listener.accept().await?.0)),
        }
    }
}

/// Serve connections until `end` says so, then let requests in progress go on for a while. True if all of them ended.
pub(super) async fn serve(
    door: Door,
    shared: Arc<Shared>,
    router: Router,
    mut end: watch::Receiver<bool>,
) -> bool {
    let room = Arc::new(Semaphore::new(shared.limits.connections));
    let graceful = GracefulShutdown::new();
    while let Some(stream) = next(&door, &room, &mut end).await {
        let (stream, permit) = stream;
        let connection = connection(stream, &shared, router.clone());
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A connection that breaks is the client's affair.
            let _ = connection.await;
            drop(permit);
        });
    }
    shared.drain();
    drop(door);
    timeout(shared.limits.drain, graceful.shutdown())
        .await
        .is_ok()
}

/// The next connection, once there is room for it; `None` at the end.
async fn next(
    door: &Door,
    room: &Arc<Semaphore>,
    end: &mut watch::Receiver<bool>,
) -> Option<(AnyConnection, tokio::sync::OwnedSemaphorePermit)> {
    let taken = async {
        let permit = room.clone().acquire_owned().await.ok()?;
        loop {
            match door.next().await {
                Ok(stream) => return Some((stream, permit)),
                Err(_) => tokio::time::sleep(BREATH).await,
            }
        }
    };
    tokio::select! {
        // Whoever could say so is gone, or has said so.
        _ = end.wait_for(|is_over| *is_over) => None,
        next = taken => next,
    }
}

fn connection(
    stream: AnyConnection,
    shared: &Shared,
    router: Router,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> + use<> {
    let patience = shared.limits.patience;
    let mut stream = TimeoutStream::new(stream);
    // A client that reads nothing holds its answers, and with them a connection.
    stream.set_write_timeout(Some(patience));
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let router = router.clone();
        async move {
            let request: Request = request.map(axum::body::Body::new);
            let answered: Response = tower::ServiceExt::oneshot(router, request).await?;
            Ok::<_, Infallible>(answered)
        }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
}
