//! The accept loop round the endpoints. warp's own server has no time limit for a slow client, no cap on connections, no HTTP/2 and no
//! deadline for its end, so this one is ours.
//!
//! ```text
//! permit -> accept -> connection (one task each): pulse (time limits) -> hyper (framing, header caps) -> service (id, panics, metrics)
//!                                                                                                     -> routes::dispatch
//! ```

mod connection;
mod head;
mod pulse;
mod service;
mod unread;

use crate::config::Network;
use domain::shared::SharedEntropy;
use prometheus::IntGauge;
use routes::{dispatch::Dispatch, ops::Metrics};
use std::{io, net::IpAddr, sync::Arc, time::Duration};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, watch},
    task::JoinSet,
    time::{sleep, timeout},
};

/// The limits of what a client may do (reliability, section 6.2).
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Open connections; above it, accepting pauses.
    pub connections: usize,
    /// From the first byte of a request's head to its last; also from the connection to the first request.
    pub header: Duration,
    /// Without a request or a byte.
    pub idle: Duration,
    /// From a request's head to the head of its answer.
    pub request: Duration,
    /// Header lines of a request.
    pub header_lines: usize,
    /// Bytes of a request's head.
    pub header_bytes: usize,
    /// Requests at a time on one HTTP/2 connection.
    pub streams: u32,
    /// How long running requests may take when the server stops.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096,
            header: Duration::from_secs(5),
            idle: Duration::from_mins(1),
            request: Duration::from_secs(30),
            header_lines: 100,
            header_bytes: 32 << 10,
            streams: 100,
            drain: Duration::from_secs(30),
        }
    }
}

/// What the loop needs besides a listener.
pub struct Front {
    /// The endpoints.
    pub dispatch: Dispatch,
    /// What is measured.
    pub metrics: Metrics,
    /// For request ids.
    pub entropy: SharedEntropy,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// What clients may do.
    pub limits: Limits,
}

/// How long to wait after the system refused a connection (too many open files): it will not be better at once.
const BACKOFF: Duration = Duration::from_millis(200);

/// Serves until `stop` turns true, then lets running requests finish within the deadline. Answers whether all of them did.
pub async fn serve(listener: TcpListener, front: Front, mut stop: watch::Receiver<bool>) -> bool {
    let limits = front.limits;
    let front = Arc::new(front);
    let permits = Arc::new(Semaphore::new(limits.connections));
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        let next = async {
            // The semaphore is never closed.
            let permit = permits.clone().acquire_owned().await.ok()?;
            Some((accept(&listener).await?, permit))
        };
        let accepted = tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => break,
            accepted = next => accepted,
        };
        let Some(((stream, peer), permit)) = accepted else { continue };
        let (front, stop) = (front.clone(), stop.clone());
        connections.spawn(async move {
            let _open = Open::new(&front.metrics.connections);
            connection::serve(stream, peer, front.clone(), stop).await;
            drop(permit);
        });
    }
    // From here on the system refuses new connections.
    drop(listener);
    let finished = timeout(limits.drain, async { while connections.join_next().await.is_some() {} }).await.is_ok();
    if !finished {
        tracing::warn!(connections = connections.len(), "requests did not finish in time and are cut off");
    }
    finished
}

async fn accept(listener: &TcpListener) -> Option<(TcpStream, IpAddr)> {
    match listener.accept().await {
        Ok((stream, peer)) => {
            // An answer is written at once and as a whole; waiting for more to send would only delay it.
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "no TCP_NODELAY");
            }
            Some((stream, peer.ip().to_canonical()))
        }
        Err(error) => {
            if !is_clients_fault(&error) {
                tracing::warn!(%error, "connections cannot be accepted");
                sleep(BACKOFF).await;
            }
            None
        }
    }
}

/// A client that left before it was accepted.
fn is_clients_fault(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::Interrupted
    )
}

/// A connection in the gauge, for as long as it lives: however its task ends.
struct Open(IntGauge);

impl Open {
    fn new(gauge: &IntGauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.dec();
    }
}
