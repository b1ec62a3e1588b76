//! The pulse of a connection: what it last did, and until when it must do something again.
//!
//! hyper has a limit for the time a request's head takes, but its clock also runs while a kept-alive connection rests, and does not run
//! before it knows which HTTP is spoken. So the limits are kept here, below hyper, for both versions alike.

mod answering;
mod stream;

pub(super) use answering::Answering;
pub(super) use stream::Watched;

use super::Limits;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::time::Instant;

/// Shared by a connection's stream, its requests, and who watches its time.
#[derive(Clone)]
pub(super) struct Pulse {
    state: Arc<Mutex<State>>,
    limits: Limits,
}

struct State {
    /// Requests without the head of an answer.
    running: usize,
    /// Answers whose body is not finished.
    answering: usize,
    /// Whether bytes of an answer wait for the client to take them.
    blocked: bool,
    /// When the head that is being read began.
    head_since: Option<Instant>,
    /// The last sign of life.
    last_byte: Instant,
    /// HTTP/2 has frames that belong to no request, so a byte is no beginning of a head there, and no sign that an answer is taken.
    multiplexed: bool,
    /// Since when the clients of HTTP/2 streams have to take the next piece. Who waits for us is not here.
    turns: HashMap<u64, Instant>,
    /// The number of the next answer.
    next: u64,
}

impl Pulse {
    /// Of a connection that was just accepted: its first request has to come soon.
    pub(super) fn new(limits: Limits) -> Self {
        let now = Instant::now();
        let state = State {
            running: 0,
            answering: 0,
            blocked: false,
            head_since: Some(now),
            last_byte: now,
            multiplexed: false,
            turns: HashMap::new(),
            next: 0,
        };
        Self { state: Arc::new(Mutex::new(state)), limits }
    }

    /// A request's head is complete. It runs until it is answered or dropped.
    pub(super) fn request(&self, multiplexed: bool) -> Running {
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
        // On HTTP/2 one answer that nobody takes is the end of all: its client holds what we keep for it, whatever else it asks.
        let stalled = state.turns.values().min().map(|since| *since + self.limits.idle);
        if state.running > 0 {
            return stalled;
        }
        // A head that was begun during an answer has to wait for it, so its time does not pass.
        let head_since = state.head_since.filter(|_| !state.is_answering());
        let rest = head_since.map_or(state.last_byte + self.limits.idle, |since| since + self.limits.header);
        Some(stalled.map_or(rest, |stalled| stalled.min(rest)))
    }

    /// Bytes came; whether they ended in the middle of a head.
    fn read(&self, in_head: bool) {
        let now = Instant::now();
        let mut state = self.lock();
        if state.multiplexed {
            // It may be a ping, which says nothing of any request.
            return;
        }
        state.head_since = in_head.then(|| state.head_since.unwrap_or(now));
        // Whoever asks for more does not thereby take what it was answered.
        if !state.is_answering() {
            state.last_byte = now;
        }
    }

    /// Bytes of an answer went, or have to wait.
    fn wrote(&self, went: bool) {
        let mut state = self.lock();
        if went {
            // On HTTP/2 it may be the answer to a ping.
            if !state.multiplexed || state.is_answering() {
                state.last_byte = Instant::now();
            }
            if state.blocked {
                state.restart_head();
            }
        }
        state.blocked = !went;
    }

    /// Whether it is the client's turn with an answer.
    fn turn(&self, number: u64, is_clients: bool) {
        let mut state = self.lock();
        if is_clients {
            state.turns.insert(number, Instant::now());
        } else {
            state.turns.remove(&number);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_answering(&self) -> bool {
        self.answering > 0 || self.blocked
    }

    fn restart_head(&mut self) {
        self.head_since = self.head_since.map(|_| Instant::now());
    }
}

/// A request that has no answer yet.
pub(super) struct Running(Pulse);

impl Running {
    /// Its answer begins.
    pub(super) fn answered<B>(self, body: B) -> Answering<B> {
        let number = {
            let mut state = self.0.lock();
            state.answering += 1;
            state.next += 1;
            state.multiplexed.then_some(state.next)
        };
        if let Some(number) = number {
            self.0.turn(number, true);
        }
        Answering::new(body, Sending { pulse: self.0.clone(), number })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.running -= 1;
        state.last_byte = Instant::now();
    }
}

/// An answer that is not finished; with a number on HTTP/2.
struct Sending {
    pulse: Pulse,
    number: Option<u64>,
}

impl Drop for Sending {
    fn drop(&mut self) {
        let mut state = self.pulse.lock();
        state.answering -= 1;
        if let Some(number) = self.number {
            state.turns.remove(&number);
        }
        state.last_byte = Instant::now();
        state.restart_head();
    }
}

#[cfg(test)]
mod tests {
    use super::{Limits, Pulse, Watched, answering::PIECE};
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

    fn pulse() -> (Limits, Pulse) {
        (Limits::default(), Pulse::new(Limits::default()))
    }

    fn left(pulse: &Pulse) -> Option<Duration> {
        pulse.deadline().map(|d| d - Instant::now())
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_has_less_time_than_a_rest_and_an_answer_has_its_own() {
        let (limits, pulse) = pulse();
        assert_eq!(left(&pulse), Some(limits.header), "the first request has to come soon");
        pulse.read(false);

        let running = pulse.request(false);
        assert_eq!(left(&pulse), None);
        pulse.read(false);
        drop(running);
        assert_eq!(left(&pulse), Some(limits.idle));

        advance(10 * SECOND).await;
        pulse.wrote(true);
        assert_eq!(left(&pulse), Some(limits.idle), "a byte of an answer is a sign of life");

        pulse.read(true);
        assert_eq!(left(&pulse), Some(limits.header));
        advance(SECOND).await;
        pulse.read(true);
        assert_eq!(left(&pulse), limits.header.checked_sub(SECOND), "further bytes of a head win no time");
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_waits_for_the_answer_before_it() {
        let (limits, pulse) = pulse();
        let answering = pulse.request(false).answered(());
        pulse.read(true);
        assert_eq!(left(&pulse), Some(limits.idle));
        advance(10 * SECOND).await;
        pulse.wrote(true);
        assert_eq!(left(&pulse), Some(limits.idle), "an answer may take long, as long as it goes on");
        advance(SECOND).await;
        pulse.read(true);
        assert_eq!(left(&pulse), limits.idle.checked_sub(SECOND), "but not because the client says more");
        drop(answering);
        assert_eq!(left(&pulse), Some(limits.header), "its own time begins when it can be read");
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_lasts_until_the_client_took_it() {
        let (limits, pulse) = pulse();
        let (ours, mut clients) = duplex(4);
        let mut watched = Watched::new(ours, pulse.clone());
        drop(pulse.request(false).answered(()));
        let write = watched.write_all(b"12345678");
        let take = async {
            advance(10 * SECOND).await;
            pulse.read(true);
            assert_eq!(left(&pulse), limits.idle.checked_sub(10 * SECOND));
            clients.read_exact(&mut [0; 8]).await.unwrap();
        };
        let (written, ()) = tokio::join!(write, take);
        written.unwrap();
        assert_eq!(left(&pulse), Some(limits.header));
    }

    #[tokio::test(start_paused = true)]
    async fn an_http_2_answer_that_nobody_takes_ends_the_connection_whatever_else_goes_on() {
        let (limits, pulse) = pulse();
        let body = Bytes::from(vec![b'x'; 2 * PIECE + 1]);
        let mut answering = pulse.request(true).answered(Full::new(body));
        let running = pulse.request(true);
        for piece in [PIECE, PIECE, 1] {
            advance(10 * SECOND).await;
            // A ping, and the answer to it.
            pulse.read(false);
            pulse.wrote(true);
            assert_eq!(left(&pulse), limits.idle.checked_sub(10 * SECOND));
            assert!(!answering.is_end_stream());
            assert_eq!(answering.frame().await.unwrap().unwrap().into_data().unwrap().len(), piece);
            assert_eq!(left(&pulse), Some(limits.idle), "what is taken is a sign of life");
        }
        assert!(answering.is_end_stream());
        drop(answering);
        assert_eq!(left(&pulse), None, "the other request");
        drop(running);
        advance(SECOND).await;
        pulse.read(false);
        pulse.wrote(true);
        assert_eq!(left(&pulse), limits.idle.checked_sub(SECOND), "pings keep nothing open");
    }

    #[tokio::test(start_paused = true)]
    async fn an_http_2_answer_that_we_still_write_is_not_the_clients_fault() {
        let (limits, pulse) = pulse();
        let (write, written) = tokio::sync::oneshot::channel();
        let pieces = stream::once(async { Ok::<_, Infallible>(Frame::data(written.await.unwrap())) });
        let mut answering = pulse.request(true).answered(StreamBody::new(Box::pin(pieces)));
        let _running = pulse.request(true);
        assert!(answering.frame().now_or_never().is_none());
        assert_eq!(left(&pulse), None);
        write.send(Bytes::from_static(b"x")).unwrap();
        assert!(answering.frame().await.unwrap().is_ok());
        assert_eq!(left(&pulse), Some(limits.idle));
    }

    #[tokio::test(start_paused = true)]
    async fn frames_between_requests_are_no_heads_in_http_2() {
        let (limits, pulse) = pulse();
        pulse.read(true);
        advance(SECOND).await;
        pulse.read(true);
        assert_eq!(left(&pulse), limits.header.checked_sub(SECOND), "the preface is not a request");
        drop(pulse.request(true));
        pulse.read(true);
        assert_eq!(left(&pulse), Some(limits.idle));
    }
}
