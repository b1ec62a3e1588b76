//! The pulse of a connection: what it last did, and until when it must do something again.
//!
//! hyper has a limit for the time a request's head takes, but its clock also runs while a kept-alive connection rests, and does not run
//! before it knows which HTTP is spoken. So the limits are kept here, below hyper, for both versions alike.

use super::{
    Limits,
    head::{Heads, SPOILT},
};
use hyper::body::{Body, Frame, SizeHint};
use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Instant,
};

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
    /// HTTP/2 has frames that belong to no request, so a byte is no beginning of a head there.
    multiplexed: bool,
}

impl Pulse {
    /// Of a connection that was just accepted: its first request has to come soon.
    pub(super) fn new(limits: Limits) -> Self {
        let now = Instant::now();
        let state = State { running: 0, answering: 0, blocked: false, head_since: Some(now), last_byte: now, multiplexed: false };
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
        if state.running > 0 {
            return None;
        }
        // A head that was begun during an answer has to wait for it, so its time does not pass.
        let head_since = state.head_since.filter(|_| !state.is_answering());
        Some(head_since.map_or(state.last_byte + self.limits.idle, |since| since + self.limits.header))
    }

    /// Bytes came; whether they ended in the middle of a head.
    fn read(&self, in_head: bool) {
        let now = Instant::now();
        let mut state = self.lock();
        if state.multiplexed {
            state.last_byte = now;
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
            state.last_byte = Instant::now();
            if state.blocked {
                state.restart_head();
            }
        }
        state.blocked = !went;
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
        self.0.lock().answering += 1;
        Answering { body, _sending: Sending(self.0.clone()) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.running -= 1;
        state.last_byte = Instant::now();
    }
}

/// The body of an answer.
pub(super) struct Answering<B> {
    body: B,
    _sending: Sending,
}

/// An answer that is not finished.
struct Sending(Pulse);

impl Drop for Sending {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.answering -= 1;
        state.last_byte = Instant::now();
        state.restart_head();
    }
}

impl<B: Body + Unpin> Body for Answering<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A stream that reports its bytes to the pulse, and has heads looked at.
pub(super) struct Felt<S> {
    stream: S,
    pulse: Pulse,
    heads: Heads,
    spoilt: bool,
}

impl<S> Felt<S> {
    pub(super) fn new(stream: S, pulse: Pulse) -> Self {
        Self { stream, pulse, heads: Heads::new(), spoilt: false }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Felt<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.spoilt && buffer.remaining() >= SPOILT.len() {
            self.spoilt = false;
            buffer.put_slice(SPOILT);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let outcome = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if let Some(bytes) = buffer.filled_mut().get_mut(before..).filter(|it| !it.is_empty()) {
            self.spoilt = self.heads.inspect(bytes);
            self.pulse.read(self.heads.in_head());
        }
        outcome
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Felt<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.pulse.wrote(outcome.is_ready());
        outcome
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.pulse.wrote(outcome.is_ready());
        outcome
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::{Felt, Limits, Pulse};
    use std::time::Duration;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, duplex},
        time::{Instant, advance},
    };

    const SECOND: Duration = Duration::from_secs(1);

    fn pulse() -> (Limits, Pulse) {
        (Limits::default(), Pulse::new(Limits::default()))
    }

    fn left(pulse: &Pulse) -> Option<Duration> {
        pulse.deadline().map(|it| it - Instant::now())
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
        let mut felt = Felt::new(ours, pulse.clone());
        drop(pulse.request(false).answered(()));
        let write = felt.write_all(b"12345678");
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
