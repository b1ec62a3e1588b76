//! The accept loop in front of the endpoints. warp's own server has no time limit for a slow client, no limit
//! of connections, no HTTP/2 and no deadline for its shutdown.
//!
//! ```text
//! accept -> share, permit -> connection (one task each): timeouts -> hyper (framing, header limits) -> service (id, panics, metrics)
//!                                                                                            -> routes::dispatch
//! ```

mod body_tracker;
mod connection;
mod head;
mod linger;
mod service;
mod shares;
mod timeouts;

use crate::config::Network;
use domain::shared::SharedEntropy;
use prometheus::IntGauge;
use routes::{dispatch::Dispatch, ops::Metrics, web::ResponseMemory};
use shares::{ConnectionSlot, Shares, WhenFull};
use socket2::SockRef;
use std::{io, net::IpAddr, sync::Arc, time::Duration};
use timeouts::{TimedStream, Timeouts};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, watch},
    task::JoinSet,
    time::{sleep, timeout},
};

/// The limits of connections and requests.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Open connections. At this number a new one takes the place of one of an address that has more, or
    /// accepting pauses.
    pub connections: usize,
    /// Open connections of one address (or IPv6 network of 64 bits). Those of trusted proxies are not
    /// counted.
    pub connections_per_address: usize,
    /// Time from the first byte of a request's head to its last; also from the connection to the first
    /// request.
    pub header: Duration,
    /// Time without a request or a byte.
    pub idle: Duration,
    /// How long a client may take less of its responses than `pace`, or nothing at all.
    pub slack: Duration,
    /// Bytes that a client has to take in each second in which some wait for it.
    pub pace: u32,
    /// Time from the head of a request to the head of its response.
    pub request: Duration,
    /// Number of header lines of a request.
    pub header_lines: usize,
    /// Size of a request's head in bytes.
    pub header_bytes: usize,
    /// Concurrent requests on one HTTP/2 connection.
    pub streams: u32,
    /// Time that running requests have when the server stops.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096,
            connections_per_address: 256,
            header: Duration::from_secs(5),
            idle: Duration::from_mins(1),
            slack: Duration::from_secs(30),
            pace: 4 << 10,
            request: Duration::from_secs(30),
            header_lines: 100,
            header_bytes: 32 << 10,
            streams: 100,
            drain: Duration::from_secs(30),
        }
    }
}

/// What serves the requests of all connections.
pub struct ServerState {
    pub dispatch: Dispatch,
    pub metrics: Metrics,
    /// The bytes of all responses.
    pub memory: ResponseMemory,
    pub entropy: SharedEntropy,
    /// The proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<Network>,
    pub limits: Limits,
}

/// The pause after the system refused a connection (too many open files), which lasts for a while.
const BACKOFF: Duration = Duration::from_millis(200);

/// How many bytes the system keeps of a connection that it has not sent yet. Without a limit it takes
/// megabytes, and whether a client takes them is seen late.
const MAX_UNSENT: u32 = 256 << 10;

/// Serves until `stop` turns true, then lets running requests finish within `limits.drain`. Returns whether
/// all of them did.
pub async fn serve(listener: TcpListener, state: ServerState, mut stop: watch::Receiver<bool>) -> bool {
    let limits = state.limits;
    let state = Arc::new(state);
    let permits = Arc::new(Semaphore::new(limits.connections));
    let shares = Shares::new(limits.connections_per_address);
    let weak = Arc::downgrade(&shares);
    state.memory.on_shortage(move |ip| {
        if let Some(shares) = weak.upgrade() {
            shares.free_memory(ip);
        }
    });
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        let next = async {
            let (stream, peer) = accept(&listener).await?;
            let timeouts = Timeouts::new(limits);
            let place = enter(&shares, &state, peer, &timeouts)?;
            let permit = match permits.clone().try_acquire_owned() {
                Ok(permit) => permit,
                Err(_) if shares.make_room(&place) == WhenFull::Refuse => {
                    state.metrics.refused_connections.with_label_values(&["full"]).inc();
                    return None;
                }
                // The semaphore is never closed.
                Err(_) => permits.clone().acquire_owned().await.ok()?,
            };
            Some((TimedStream::new(stream, timeouts), peer, place, permit))
        };
        let accepted = tokio::select! {
            biased;
            _ = stop.wait_for(|stopping| *stopping) => break,
            accepted = next => accepted,
        };
        let Some((stream, peer, place, permit)) = accepted else { continue };
        let (state, stop) = (state.clone(), stop.clone());
        connections.spawn(async move {
            let _open = OpenConnection::new(&state.metrics.connections);
            connection::serve(stream, peer, state.clone(), &place, stop).await;
            drop((place, permit));
        });
    }
    // With the listener closed the system refuses new connections.
    drop(listener);
    let finished = timeout(limits.drain, async { while connections.join_next().await.is_some() {} }).await.is_ok();
    if !finished {
        tracing::warn!(connections = connections.len(), "requests did not finish in time and are cut off");
    }
    finished
}

/// A place for a connection; `None` when its address has its share.
fn enter(shares: &Arc<Shares>, state: &ServerState, peer: IpAddr, timeouts: &Timeouts) -> Option<ConnectionSlot> {
    if state.trusted_proxies.iter().any(|network| network.contains(peer)) {
        return Some(ConnectionSlot::uncounted());
    }
    let place = shares.enter(peer, timeouts);
    if place.is_none() {
        state.metrics.refused_connections.with_label_values(&["address"]).inc();
    }
    place
}

async fn accept(listener: &TcpListener) -> Option<(TcpStream, IpAddr)> {
    match listener.accept().await {
        Ok((stream, peer)) => {
            // A response is written as a whole: without TCP_NODELAY the system would wait for more to send.
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "no TCP_NODELAY");
            }
            if let Err(error) = SockRef::from(&stream).set_tcp_notsent_lowat(MAX_UNSENT) {
                tracing::debug!(%error, "no TCP_NOTSENT_LOWAT");
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

/// Whether the client closed the connection before it was accepted.
fn is_clients_fault(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::Interrupted
    )
}

/// Counts a connection in the gauge until its task ends, for whatever reason.
struct OpenConnection(IntGauge);

impl OpenConnection {
    fn new(gauge: &IntGauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.dec();
    }
}
