//! The time limits of a connection: until when its client has to read or write something.
//!
//! hyper limits the time that a request's head takes, but its clock also runs while a kept-alive connection is idle, and does not run
//! before the version of HTTP is known. So the limits are enforced here, below hyper, for both versions alike.

mod body;
mod stream;

pub(super) use body::TimedBody;
pub(super) use stream::TimedStream;

use super::Limits;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::time::Instant;

/// The state of a connection, shared by its stream, its requests, and the task that closes it when a deadline passes.
#[derive(Clone)]
pub(super) struct Timeouts {
    state: Arc<Mutex<State>>,
    limits: Limits,
}

struct State {
    /// Requests without the head of a response.
    running: usize,
    /// Responses whose body is not finished.
    responding: usize,
    /// Whether bytes of a response wait for the client to read them.
    blocked: bool,
    /// When the head that is being read began.
    head_since: Option<Instant>,
    /// When the client last read or wrote.
    last_byte: Instant,
    /// Whether it is HTTP/2. There a byte may be part of a frame that belongs to no request, so it neither begins a head nor shows that a
    /// response is being read.
    multiplexed: bool,
    /// The HTTP/2 streams whose client has to read the next piece, with the time since when. Streams that wait for the server are absent.
    waiting: HashMap<u64, Instant>,
    /// The number of the last response.
    last_stream: u64,
}

impl Timeouts {
    /// The timeouts of a connection that was just accepted: its first request has to arrive within `limits.header`.
    pub(super) fn new(limits: Limits) -> Self {
        let now = Instant::now();
        let state = State {
            running: 0,
            responding: 0,
            blocked: false,
            head_since: Some(now),
            last_byte: now,
            multiplexed: false,
            waiting: HashMap::new(),
            last_stream: 0,
        };
        Self { state: Arc::new(Mutex::new(state)), limits }
    }

    /// Notes that the head of a request is complete. The request runs until it is responded to or dropped.
    pub(super) fn start_request(&self, multiplexed: bool) -> Running {
        let mut state = self.lock();
        state.running += 1;
        if multiplexed {
            state.multiplexed = true;
            state.head_since = None;
        }
        Running(self.clone())
    }

    /// When the connection is to be closed if nothing happens until then.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let state = self.lock();
        // On HTTP/2 one response that the client does not read ends the connection, because it holds memory whatever else the client requests.
        let stalled = state.waiting.values().min().map(|since| *since + self.limits.idle);
        if state.running > 0 {
            return stalled;
        }
        // A head that was begun during a response has to wait for it, so its time does not pass meanwhile.
        let head_since = state.head_since.filter(|_| !state.is_responding());
        let rest = head_since.map_or(state.last_byte + self.limits.idle, |since| since + self.limits.header);
        Some(stalled.map_or(rest, |stalled| stalled.min(rest)))
    }

    /// Since when the client has neither sent a request nor read a response; `None` while it does one of them.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let state = self.lock();
        (state.running == 0 && !state.is_responding()).then_some(state.last_byte)
    }

    /// Whether the connection is HTTP/2.
    pub(super) fn is_multiplexed(&self) -> bool {
        self.lock().multiplexed
    }

    /// Notes that bytes were read, and whether they end within a head.
    fn on_read(&self, in_head: bool) {
        let now = Instant::now();
        let mut state = self.lock();
        if state.multiplexed {
            // The bytes may be a ping, which belongs to no request.
            return;
        }
        state.head_since = in_head.then(|| state.head_since.unwrap_or(now));
        // A client that sends more does not thereby read its response.
        if !state.is_responding() {
            state.last_byte = now;
        }
    }

    /// Notes an attempt to write bytes of a response, and whether the system took them.
    fn on_write(&self, is_written: bool) {
        let mut state = self.lock();
        if is_written {
            // On HTTP/2 the bytes may be the answer to a ping.
            if !state.multiplexed || state.is_responding() {
                state.last_byte = Instant::now();
            }
            if state.blocked {
                state.restart_head();
            }
        }
        state.blocked = !is_written;
    }

    /// Notes whether an HTTP/2 stream waits for its client to read.
    fn set_waiting(&self, stream: u64, is_waiting: bool) {
        let mut state = self.lock();
        if is_waiting {
            state.waiting.insert(stream, Instant::now());
        } else {
            state.waiting.remove(&stream);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code panics while it holds the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_responding(&self) -> bool {
        self.responding > 0 || self.blocked
    }

    fn restart_head(&mut self) {
        self.head_since = self.head_since.map(|_| Instant::now());
    }
}

/// A request without a response.
pub(super) struct Running(Timeouts);

impl Running {
    /// Notes that the response begins, and wraps its body.
    pub(super) fn respond<B>(self, body: B) -> TimedBody<B> {
        let stream = {
            let mut state = self.0.lock();
            state.responding += 1;
            state.last_stream += 1;
            state.multiplexed.then_some(state.last_stream)
        };
        if let Some(stream) = stream {
            self.0.set_waiting(stream, true);
        }
        TimedBody::new(body, Responding { timeouts: self.0.clone(), stream })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.running -= 1;
        state.last_byte = Instant::now();
    }
}

/// A response that is not finished; on HTTP/2 with a number for its stream.
struct Responding {
    timeouts: Timeouts,
    stream: Option<u64>,
}

impl Drop for Responding {
    fn drop(&mut self) {
        let mut state = self.timeouts.lock();
        state.responding -= 1;
        if let Some(stream) = self.stream {
            state.waiting.remove(&stream);
        }
        state.last_byte = Instant::now();
        state.restart_head();
    }
}

#[cfg(test)]
mod tests {
    use super::{Limits, TimedStream, Timeouts, body::PIECE};
    use bytes::Bytes;
    use futures_util::{FutureExt, stream};
    use http_body_util::{BodyExt, Full, StreamBody};
    use hyper::body::{Body as _, Frame};
    use std::{convert::Infallible, time::Duration};
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, duplex},
        time::{Instant, advance},
    };

    const SECOND: Duration = Duration::from_secs(1);

    fn timeouts() -> (Limits, Timeouts) {
        (Limits::default(), Timeouts::new(Limits::default()))
    }

    fn left(timeouts: &Timeouts) -> Option<Duration> {
        timeouts.deadline().map(|deadline| deadline - Instant::now())
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_has_less_time_than_an_idle_connection_and_a_response_has_its_own() {
        let (limits, timeouts) = timeouts();
        assert_eq!(left(&timeouts), Some(limits.header), "the first request has to arrive soon");
        timeouts.on_read(false);

        let running = timeouts.start_request(false);
        assert_eq!(left(&timeouts), None);
        timeouts.on_read(false);
        drop(running);
        assert_eq!(left(&timeouts), Some(limits.idle));

        advance(10 * SECOND).await;
        timeouts.on_write(true);
        assert_eq!(left(&timeouts), Some(limits.idle), "a written byte counts as traffic");

        timeouts.on_read(true);
        assert_eq!(left(&timeouts), Some(limits.header));
        advance(SECOND).await;
        timeouts.on_read(true);
        assert_eq!(left(&timeouts), limits.header.checked_sub(SECOND), "further bytes of a head gain no time");
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_waits_for_the_response_before_it() {
        let (limits, timeouts) = timeouts();
        let response = timeouts.start_request(false).respond(());
        timeouts.on_read(true);
        assert_eq!(left(&timeouts), Some(limits.idle));
        advance(10 * SECOND).await;
        timeouts.on_write(true);
        assert_eq!(left(&timeouts), Some(limits.idle), "a response may take long while the client reads");
        advance(SECOND).await;
        timeouts.on_read(true);
        assert_eq!(left(&timeouts), limits.idle.checked_sub(SECOND), "but not because the client writes");
        drop(response);
        assert_eq!(left(&timeouts), Some(limits.header), "its own time begins when it can be read");
    }

    #[tokio::test(start_paused = true)]
    async fn a_response_lasts_until_the_client_has_read_it() {
        let (limits, timeouts) = timeouts();
        let (ours, mut clients) = duplex(4);
        let mut stream = TimedStream::new(ours, timeouts.clone());
        drop(timeouts.start_request(false).respond(()));
        let write = stream.write_all(b"12345678");
        let take = async {
            advance(10 * SECOND).await;
            timeouts.on_read(true);
            assert_eq!(left(&timeouts), limits.idle.checked_sub(10 * SECOND));
            clients.read_exact(&mut [0; 8]).await.unwrap();
        };
        let (written, ()) = tokio::join!(write, take);
        written.unwrap();
        assert_eq!(left(&timeouts), Some(limits.header));
    }

    #[tokio::test(start_paused = true)]
    async fn an_http_2_response_that_is_not_read_ends_the_connection_whatever_else_happens() {
        let (limits, timeouts) = timeouts();
        let body = Bytes::from(vec![b'x'; 2 * PIECE + 1]);
        let mut response = timeouts.start_request(true).respond(Full::new(body));
        let running = timeouts.start_request(true);
        for piece in [PIECE, PIECE, 1] {
            advance(10 * SECOND).await;
            // A ping, and the answer to it.
            timeouts.on_read(false);
            timeouts.on_write(true);
            assert_eq!(left(&timeouts), limits.idle.checked_sub(10 * SECOND));
            assert!(!response.is_end_stream());
            assert_eq!(response.frame().await.unwrap().unwrap().into_data().unwrap().len(), piece);
            assert_eq!(left(&timeouts), Some(limits.idle), "a piece that is read counts as traffic");
        }
        assert!(response.is_end_stream());
        drop(response);
        assert_eq!(left(&timeouts), None, "the other request");
        drop(running);
        advance(SECOND).await;
        timeouts.on_read(false);
        timeouts.on_write(true);
        assert_eq!(left(&timeouts), limits.idle.checked_sub(SECOND), "pings keep nothing open");
    }

    #[tokio::test(start_paused = true)]
    async fn an_http_2_response_that_the_server_still_writes_has_no_deadline() {
        let (limits, timeouts) = timeouts();
        let (write, written) = tokio::sync::oneshot::channel();
        let pieces = stream::once(async { Ok::<_, Infallible>(Frame::data(written.await.unwrap())) });
        let mut response = timeouts.start_request(true).respond(StreamBody::new(Box::pin(pieces)));
        let _running = timeouts.start_request(true);
        assert!(response.frame().now_or_never().is_none());
        assert_eq!(left(&timeouts), None);
        write.send(Bytes::from_static(b"x")).unwrap();
        assert!(response.frame().await.unwrap().is_ok());
        assert_eq!(left(&timeouts), Some(limits.idle));
    }

    #[tokio::test(start_paused = true)]
    async fn frames_between_requests_are_no_heads_in_http_2() {
        let (limits, timeouts) = timeouts();
        timeouts.on_read(true);
        advance(SECOND).await;
        timeouts.on_read(true);
        assert_eq!(left(&timeouts), limits.header.checked_sub(SECOND), "the preface is no request");
        drop(timeouts.start_request(true));
        timeouts.on_read(true);
        assert_eq!(left(&timeouts), Some(limits.idle));
    }
}
