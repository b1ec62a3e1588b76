//! One connection from its first byte to its last.

use super::{
    Front,
    pulse::{Pulse, Watched},
    service,
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

/// Why a connection is looked after no longer.
enum End {
    /// It ended by itself, well or not.
    Itself,
    /// Its time was up.
    Late,
    /// The server stops.
    Stop,
}

/// Serves a connection until it ends, its time is up, or the server stops and its last request is answered.
pub(super) async fn serve(stream: TcpStream, peer: IpAddr, front: Arc<Front>, mut stop: watch::Receiver<bool>) {
    let limits = front.limits;
    let pulse = Pulse::new(limits);
    let io = TokioIo::new(Watched::new(stream, pulse.clone()));
    let requests = pulse.clone();
    let service = service_fn(move |request| {
        let front = front.clone();
        let running = requests.request(request.version() == http::Version::HTTP_2);
        async move {
            let response = service::answer(&front, peer, request).await;
            Ok::<_, std::convert::Infallible>(response.map(|body| running.answered(body)))
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
        // No pings: their answers would be bytes, and no connection would ever be idle.
        .max_header_list_size(u32::try_from(limits.header_bytes).unwrap_or(u32::MAX));
    let mut connection = pin!(builder.serve_connection(io, service));
    let mut stopping = pin!(stop.wait_for(|stop| *stop));
    let mut alarm = pin!(sleep_until(Instant::now() + limits.header));
    let mut told = false;
    loop {
        let end = poll_fn(|cx| {
            if connection.as_mut().poll(cx).is_ready() {
                return Poll::Ready(End::Itself);
            }
            if !told && stopping.as_mut().poll(cx).is_ready() {
                return Poll::Ready(End::Stop);
            }
            // Requests may begin and end while the connection is polled, so the alarm is set anew after each poll.
            while let Some(deadline) = pulse.deadline() {
                if alarm.deadline() != deadline {
                    alarm.as_mut().reset(deadline);
                }
                if alarm.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
                if pulse.deadline().is_some_and(|d| d <= Instant::now()) {
                    return Poll::Ready(End::Late);
                }
            }
            Poll::Pending
        })
        .await;
        match end {
            End::Itself | End::Late => return,
            End::Stop => {
                told = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}
