//! One connection from its first byte to its last.

use super::{Limits, ServerState, linger, service, shares::ConnectionSlot, timeouts::TimedStream};
use hyper::service::service_fn;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
};
use std::{
    future::{Future, poll_fn},
    net::IpAddr,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    task::Poll,
};
use tokio::{
    net::TcpStream,
    sync::watch,
    time::{Instant, sleep_until},
};

/// Why waiting for a connection ended.
enum End {
    /// hyper is done with the connection, in order or because of an error of the client.
    Closed {
        in_order: bool,
    },
    TimedOut,
    /// The place is needed for another connection, or its memory for another response.
    Evicted,
    Stopping,
}

/// Serves a connection until it is closed, a timeout expires, its place is needed, or the server stops and
/// its last request is answered. A connection that the server closes although its client may still send is
/// closed lingering.
pub(super) async fn serve(
    stream: TimedStream<TcpStream>,
    peer: IpAddr,
    state: Arc<ServerState>,
    place: &ConnectionSlot,
    stop: watch::Receiver<bool>,
) {
    let leftover = stream.leftover();
    let close = serve_requests(stream, peer, state, place, stop).await;
    let Some(stream) = leftover.take() else { return };
    match close {
        Close::AtOnce => {}
        Close::Lingering => tokio::select! {
            () = linger::close(stream) => {}
            () = place.evicted() => {}
        },
        Close::Reset => {
            // Otherwise the system would keep what it has not sent, and go on trying.
            if let Err(error) = stream.set_zero_linger() {
                tracing::debug!(%error, "a connection cannot be reset");
            }
        }
    }
}

/// How the stream of a connection is closed after its last response.
#[derive(PartialEq, Eq)]
enum Close {
    AtOnce,
    /// See [`linger`].
    Lingering,
    /// With what was not sent yet.
    Reset,
}

/// HTTP/1.1 and HTTP/2 within the limits.
fn protocols(limits: Limits) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .max_headers(limits.header_lines)
        .max_buf_size(limits.header_bytes);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(limits.streams)
        // The server sends no pings: the answers of clients would be traffic, and no connection would ever be
        // idle.
        .max_header_list_size(u32::try_from(limits.header_bytes).unwrap_or(u32::MAX));
    builder
}

async fn serve_requests(
    stream: TimedStream<TcpStream>,
    peer: IpAddr,
    state: Arc<ServerState>,
    place: &ConnectionSlot,
    mut stop: watch::Receiver<bool>,
) -> Close {
    let limits = state.limits;
    let (timeouts, refused) = (stream.timeouts(), stream.refused_request());
    let requests = timeouts.clone();
    // Whether a response was the last one because its request was not read to the end.
    let is_cut = Arc::new(AtomicBool::new(false));
    let cut = is_cut.clone();
    let served = state.clone();
    let count = Arc::new(AtomicU64::new(0));
    let service = service_fn(move |request| {
        let (state, cut) = (served.clone(), cut.clone());
        let refusal = refused.fault(count.fetch_add(1, Ordering::Relaxed) + 1);
        let running = requests.start_request(request.version() == http::Version::HTTP_2);
        async move {
            let (response, held) = service::respond(&state, peer, request, refusal).await;
            if response.headers().contains_key(http::header::CONNECTION) {
                cut.store(true, Ordering::Relaxed);
            }
            Ok::<_, std::convert::Infallible>(response.map(|body| running.respond(body, held)))
        }
    });
    let builder = protocols(limits);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let mut evicted = pin!(place.evicted());
    let mut stopping = pin!(stop.wait_for(|stopping| *stopping));
    let mut timer = pin!(sleep_until(Instant::now() + limits.header));
    let mut is_stopping = false;
    loop {
        let end = poll_fn(|cx| {
            if let Poll::Ready(outcome) = connection.as_mut().poll(cx) {
                return Poll::Ready(End::Closed { in_order: outcome.is_ok() });
            }
            if evicted.as_mut().poll(cx).is_ready() {
                return Poll::Ready(End::Evicted);
            }
            if !is_stopping && stopping.as_mut().poll(cx).is_ready() {
                return Poll::Ready(End::Stopping);
            }
            // Requests may begin and end while the connection is polled, so the timer is reset after each
            // poll.
            while let Some(deadline) = timeouts.deadline() {
                if timer.deadline() != deadline {
                    timer.as_mut().reset(deadline);
                }
                if timer.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
                if timeouts.deadline().is_some_and(|deadline| deadline <= Instant::now()) {
                    return Poll::Ready(End::TimedOut);
                }
            }
            Poll::Pending
        })
        .await;
        match end {
            // hyper answers a request that it cannot read, and closes.
            End::Closed { in_order } if is_cut.load(Ordering::Relaxed) || !in_order && !timeouts.is_multiplexed() => {
                return Close::Lingering;
            }
            End::TimedOut if timeouts.is_too_slow() => {
                state.metrics.cut_connections.with_label_values(&["slow"]).inc();
                return Close::Reset;
            }
            End::Evicted if place.is_evicted_for_memory() => {
                state.metrics.cut_connections.with_label_values(&["memory"]).inc();
                return Close::Reset;
            }
            End::Closed { .. } | End::TimedOut | End::Evicted => return Close::AtOnce,
            End::Stopping => {
                is_stopping = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}
