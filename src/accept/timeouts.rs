//! The time limits of a connection: until when its client has to read or write something.
//!
//! hyper limits the time that a request's head takes, but its clock also runs while a kept-alive connection
//! is idle, and does not run before the version of HTTP is known. So the limits are enforced here, below
//! hyper, for both versions alike.

mod body;
mod pace;
mod stream;

pub(super) use body::TimedBody;
pub(super) use stream::TimedStream;

use super::Limits;
use hyper::body::Body;
use pace::{TransferBudget, UnblockedTime};
use routes::web::HeldBytes;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::time::Instant;

/// The state of a connection, shared by its stream, its requests, and the task that closes it when a deadline
/// passes.
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
    /// Since when bytes wait for the client to read some that were written before; `None` while the system
    /// takes more.
    blocked_since: Option<Instant>,
    /// How slow the client may still be while bytes wait for it.
    pace: TransferBudget,
    /// The time of HTTP/2 streams.
    unblocked: UnblockedTime,
    /// When the head that is being read began.
    head_since: Option<Instant>,
    /// When the client last read or wrote.
    last_byte: Instant,
    /// Whether it is HTTP/2. There a byte may be part of a frame that belongs to no request, so it neither
    /// begins a head nor shows that a response is being read.
    multiplexed: bool,
    /// The responses on HTTP/2 that are not finished.
    streams: HashMap<u64, Stream>,
    /// The number of the last response.
    last_stream: u64,
    /// The bytes of the responses that are not sent yet. hyper keeps those on HTTP/1.1 when it is done with
    /// their bodies.
    unsent: Unsent,
}

/// A response on HTTP/2.
struct Stream {
    /// Since when its client has to read the next piece, in [`UnblockedTime`]; `None` while the server makes
    /// that piece.
    waiting_since: Option<Duration>,
    /// How slow its client may still be.
    pace: TransferBudget,
    /// How many bytes its body has, where that is known.
    bytes: usize,
}

/// Responses on HTTP/1.1 that are not sent as a whole.
#[derive(Default)]
struct Unsent {
    /// How many bytes of their bodies are left. Their heads are counted among what was sent, so it is a
    /// little less.
    left: usize,
    /// How many bytes their bodies have.
    held: usize,
    counted: Vec<HeldBytes>,
}

impl Unsent {
    fn add(&mut self, bytes: usize, counted: Option<HeldBytes>) {
        self.left += bytes;
        self.held += bytes;
        self.counted.extend(counted);
    }

    /// A body stays in memory until its last byte is sent.
    fn sent(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes);
        if self.left == 0 && self.held > 0 {
            self.held = 0;
            self.counted.clear();
        }
    }
}

impl Timeouts {
    /// The timeouts of a connection that was just accepted: its first request has to arrive within
    /// `limits.header`.
    pub(super) fn new(limits: Limits) -> Self {
        let now = Instant::now();
        let state = State {
            running: 0,
            responding: 0,
            blocked_since: None,
            pace: TransferBudget::new(&limits),
            unblocked: UnblockedTime::new(now),
            head_since: Some(now),
            last_byte: now,
            multiplexed: false,
            streams: HashMap::new(),
            last_stream: 0,
            unsent: Unsent::default(),
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
        let too_slow = state.too_slow_at();
        if state.running > 0 {
            return too_slow;
        }
        // A head that was begun during a response has to wait for it, so its time does not pass meanwhile.
        let head_since = state.head_since.filter(|_| !state.is_responding());
        let rest = head_since.map_or(state.last_byte + self.limits.idle, |since| since + self.limits.header);
        Some(too_slow.map_or(rest, |too_slow| too_slow.min(rest)))
    }

    /// Whether the client takes its responses too slowly.
    pub(super) fn is_too_slow(&self) -> bool {
        self.lock().too_slow_at().is_some_and(|at| at <= Instant::now())
    }

    /// Since when the client has neither sent a request nor read a response; `None` while it does one of
    /// them.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let state = self.lock();
        (state.running == 0 && !state.is_responding()).then_some(state.last_byte)
    }

    /// How many bytes of memory the responses hold that the client has not taken as a whole.
    pub(super) fn held_bytes(&self) -> usize {
        let state = self.lock();
        state.unsent.held + state.streams.values().map(|stream| stream.bytes).sum::<usize>()
    }

    /// How long the client has taken no byte although some wait for it; `None` when none wait.
    pub(super) fn unread_for(&self) -> Option<Duration> {
        let state = self.lock();
        if let Some(since) = state.blocked_since {
            return Some(since.elapsed());
        }
        let now = state.unblocked.at(Instant::now(), None);
        let first = state.streams.values().filter_map(|stream| stream.waiting_since).min()?;
        Some(now.saturating_sub(first))
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

    /// Notes an attempt to write bytes, and how many of them the system took; `None` when it takes none
    /// before the client has read some.
    fn on_write(&self, written: Option<usize>) {
        let now = Instant::now();
        let mut state = self.lock();
        let Some(bytes) = written else {
            state.blocked_since.get_or_insert(now);
            return;
        };
        // On HTTP/2 the bytes may be the answer to a ping.
        if !state.multiplexed || state.is_responding() {
            state.last_byte = now;
        }
        let mut waited = Duration::ZERO;
        if let Some(since) = state.blocked_since.take() {
            waited = now - since;
            state.unblocked.add_blocked(waited);
            state.restart_head();
        }
        state.pace.took(bytes, waited, &self.limits);
        state.unsent.sent(bytes);
    }

    /// Notes that an HTTP/2 stream was asked for the next piece, and how many bytes that has; `None` when the
    /// server has yet to make it.
    fn on_piece(&self, stream: u64, piece: Option<usize>) {
        let mut state = self.lock();
        let now = state.unblocked.at(Instant::now(), state.blocked_since);
        let Some(stream) = state.streams.get_mut(&stream) else { return };
        if let Some(bytes) = piece {
            let waited = stream.waiting_since.map(|since| now.saturating_sub(since)).unwrap_or_default();
            stream.pace.took(bytes, waited, &self.limits);
        }
        stream.waiting_since = piece.map(|_| now);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code panics while it holds the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_responding(&self) -> bool {
        self.responding > 0 || self.blocked_since.is_some()
    }

    /// When the connection is to be closed because of its client's pace, unless the client takes something
    /// before. One response on HTTP/2 that is not read suffices, because it holds memory whatever else the
    /// client requests. While the connection is blocked as a whole, no stream can be told to be slow.
    fn too_slow_at(&self) -> Option<Instant> {
        if let Some(since) = self.blocked_since {
            return Some(since + self.pace.left());
        }
        let first = self.streams.values().filter_map(|stream| Some(stream.waiting_since? + stream.pace.left())).min()?;
        Some(self.unblocked.instant(first))
    }

    /// Notes a response; its number on HTTP/2, and what its body has to keep.
    fn begin_response(&mut self, bytes: usize, held: Option<HeldBytes>, limits: &Limits) -> (Option<u64>, Option<HeldBytes>) {
        self.responding += 1;
        self.last_stream += 1;
        if !self.multiplexed {
            self.unsent.add(bytes, held);
            return (None, None);
        }
        let now = self.unblocked.at(Instant::now(), self.blocked_since);
        self.streams.insert(self.last_stream, Stream { waiting_since: Some(now), pace: TransferBudget::new(limits), bytes });
        (Some(self.last_stream), held)
    }

    fn restart_head(&mut self) {
        self.head_since = self.head_since.map(|_| Instant::now());
    }
}

/// A request without a response.
pub(super) struct Running(Timeouts);

impl Running {
    /// Notes that the response begins, and wraps its body. `held` counts the bytes of the body until they are
    /// sent.
    pub(super) fn respond<B: Body>(self, body: B, held: Option<HeldBytes>) -> TimedBody<B> {
        let bytes = body.size_hint().exact().and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(0);
        let (stream, held) = self.0.lock().begin_response(bytes, held, &self.0.limits);
        TimedBody::new(body, Responding { timeouts: self.0.clone(), stream, _held: held })
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
    /// Counts the body on HTTP/2, where it is dropped when its last byte may be sent.
    _held: Option<HeldBytes>,
}

impl Drop for Responding {
    fn drop(&mut self) {
        let mut state = self.timeouts.lock();
        state.responding -= 1;
        if let Some(stream) = self.stream {
            state.streams.remove(&stream);
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
    use http_body_util::{BodyExt, Empty, Full, StreamBody};
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
        timeouts.on_write(Some(1));
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
        let response = timeouts.start_request(false).respond(Empty::<Bytes>::new(), None);
        timeouts.on_read(true);
        assert_eq!(left(&timeouts), Some(limits.idle));
        advance(10 * SECOND).await;
        timeouts.on_write(Some(1));
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
        drop(timeouts.start_request(false).respond(Empty::<Bytes>::new(), None));
        let write = stream.write_all(b"12345678");
        let take = async {
            advance(10 * SECOND).await;
            timeouts.on_read(true);
            assert_eq!(left(&timeouts), limits.slack.checked_sub(10 * SECOND));
            clients.read_exact(&mut [0; 8]).await.unwrap();
        };
        let (written, ()) = tokio::join!(write, take);
        written.unwrap();
        assert_eq!(left(&timeouts), Some(limits.header));
    }

    #[tokio::test(start_paused = true)]
    async fn a_response_that_is_read_too_slowly_ends_the_connection() {
        let (limits, timeouts) = timeouts();
        let response = timeouts.start_request(false).respond(Empty::<Bytes>::new(), None);
        let half = usize::try_from(limits.pace / 2).unwrap();
        for second in 1..60 {
            timeouts.on_write(None);
            assert!(!timeouts.is_too_slow());
            advance(SECOND).await;
            timeouts.on_write(Some(half));
            assert_eq!(left(&timeouts), Some(limits.idle), "the server is to write, after {second} s");
        }
        timeouts.on_write(None);
        assert_eq!(left(&timeouts), Some(SECOND / 2));
        advance(SECOND / 2).await;
        assert!(timeouts.is_too_slow());
        drop(response);
    }

    #[tokio::test(start_paused = true)]
    async fn an_http_2_response_that_is_not_read_ends_the_connection_whatever_else_happens() {
        let (limits, timeouts) = timeouts();
        let body = Bytes::from(vec![b'x'; 2 * PIECE + 2]);
        let mut response = timeouts.start_request(true).respond(Full::new(body), None);
        let running = timeouts.start_request(true);
        let mut slack = limits.slack;
        for piece in [PIECE, PIECE, 1, 1] {
            advance(5 * SECOND).await;
            // A ping, and the answer to it.
            timeouts.on_read(false);
            timeouts.on_write(Some(17));
            slack -= 5 * SECOND;
            assert_eq!(left(&timeouts), Some(slack));
            assert!(!response.is_end_stream());
            assert_eq!(response.frame().await.unwrap().unwrap().into_data().unwrap().len(), piece);
            slack += Duration::from_micros(u64::try_from(piece).unwrap() * 1_000_000 / u64::from(limits.pace));
            assert_eq!(left(&timeouts), Some(slack), "a piece that is read gives time");
        }
        assert!(response.is_end_stream());
        drop(response);
        assert_eq!(left(&timeouts), None, "the other request");
        drop(running);
        advance(SECOND).await;
        timeouts.on_read(false);
        timeouts.on_write(Some(17));
        assert_eq!(left(&timeouts), limits.idle.checked_sub(SECOND), "pings keep nothing open");
    }

    #[tokio::test(start_paused = true)]
    async fn streams_of_a_slow_connection_are_not_slow_themselves() {
        let (limits, timeouts) = timeouts();
        let body = Bytes::from(vec![b'x'; 2 * PIECE]);
        let mut responses: Vec<_> = (0..2).map(|_| timeouts.start_request(true).respond(Full::new(body.clone()), None)).collect();
        for _ in 0..60 {
            timeouts.on_write(None);
            advance(SECOND).await;
            timeouts.on_write(Some(usize::try_from(limits.pace).unwrap()));
        }
        assert_eq!(left(&timeouts), Some(limits.slack));
        advance(limits.slack).await;
        assert!(responses.remove(0).frame().now_or_never().is_some());
        assert!(timeouts.is_too_slow(), "the other one was not read although it could be");
    }

    #[tokio::test(start_paused = true)]
    async fn an_http_2_response_that_the_server_still_writes_has_no_deadline() {
        let (limits, timeouts) = timeouts();
        let (write, written) = tokio::sync::oneshot::channel();
        let pieces = stream::once(async { Ok::<_, Infallible>(Frame::data(written.await.unwrap())) });
        let mut response = timeouts.start_request(true).respond(StreamBody::new(Box::pin(pieces)), None);
        let _running = timeouts.start_request(true);
        assert!(response.frame().now_or_never().is_none());
        assert_eq!(left(&timeouts), None);
        write.send(Bytes::from_static(b"x")).unwrap();
        assert!(response.frame().await.unwrap().is_ok());
        assert_eq!(left(&timeouts), Some(limits.slack));
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
