//! One connection from its first byte to its last.

use super::{
    ServerState, service,
    timeouts::{TimedStream, Timeouts},
};
use hyper::service::service_fn;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
};
use std::{
    future::{Future, poll_fn},
    net::IpAddr,
    pin::pin,
    sync::Arc,
    task::Poll,
};
use tokio::{
    net::TcpStream,
    sync::watch,
    time::{Instant, sleep_until},
};

/// Why waiting for a connection ended.
enum End {
    /// The connection was closed, in order or by an error.
    Closed,
    /// A timeout expired.
    TimedOut,
    /// The server stops.
    Stopping,
}

/// Serves a connection until it is closed, a timeout expires, or the server stops and its last request is answered.
pub(super) async fn serve(stream: TcpStream, peer: IpAddr, state: Arc<ServerState>, mut stop: watch::Receiver<bool>) {
    let limits = state.limits;
    let timeouts = Timeouts::new(limits);
    let io = TokioIo::new(TimedStream::new(stream, timeouts.clone()));
    let requests = timeouts.clone();
    let service = service_fn(move |request| {
        let state = state.clone();
        let running = requests.start_request(request.version() == http::Version::HTTP_2);
        async move {
            let response = service::respond(&state, peer, request).await;
            Ok::<_, std::convert::Infallible>(response.map(|body| running.respond(body)))
        }
    });
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
        // The server sends no pings: the answers of clients would be traffic, and no connection would ever be idle.
        .max_header_list_size(u32::try_from(limits.header_bytes).unwrap_or(u32::MAX));
    let mut connection = pin!(builder.serve_connection(io, service));
    let mut stopping = pin!(stop.wait_for(|stopping| *stopping));
    let mut timer = pin!(sleep_until(Instant::now() + limits.header));
    let mut is_stopping = false;
    loop {
        let end = poll_fn(|cx| {
            if connection.as_mut().poll(cx).is_ready() {
                return Poll::Ready(End::Closed);
            }
            if !is_stopping && stopping.as_mut().poll(cx).is_ready() {
                return Poll::Ready(End::Stopping);
            }
            // Requests may begin and end while the connection is polled, so the timer is reset after each poll.
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
            End::Closed | End::TimedOut => return,
            End::Stopping => {
                is_stopping = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}
