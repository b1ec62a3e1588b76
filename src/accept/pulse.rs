//! The pulse of a connection: what it last did, and until when it must do something again.
//!
//! hyper has a limit for the time a request's head takes, but its clock also runs while a kept-alive connection rests, and does not run
//! before it knows which HTTP is spoken. So the limits are kept here, below hyper, for both versions alike.

use super::{
    Limits,
    head::{Head, SPOILT},
};
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
    /// Requests that are being answered.
    running: usize,
    /// When the head that is being read began.
    head_since: Option<Instant>,
    /// The last byte in either direction.
    last_byte: Instant,
    /// Requests so far.
    requests: usize,
    /// HTTP/2 has frames that belong to no request, so a byte is no beginning of a head there.
    multiplexed: bool,
}

impl Pulse {
    /// Of a connection that was just accepted: its first request has to come soon.
    pub(super) fn new(limits: Limits) -> Self {
        let now = Instant::now();
        let state = State { running: 0, head_since: Some(now), last_byte: now, requests: 0, multiplexed: false };
        Self { state: Arc::new(Mutex::new(state)), limits }
    }

    /// A request's head is complete. It runs until the answer is dropped.
    pub(super) fn request(&self, multiplexed: bool) -> Running {
        let mut state = self.lock();
        state.running += 1;
        state.requests += 1;
        state.head_since = None;
        state.multiplexed = multiplexed;
        Running(self.clone())
    }

    /// When the connection is to be closed if nothing happens until then.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let state = self.lock();
        if state.running > 0 {
            return None;
        }
        Some(state.head_since.map_or(state.last_byte + self.limits.idle, |since| since + self.limits.header))
    }

    /// Bytes came. Answers the number of the request whose head they belong to, if that is what they belong to.
    fn read(&self) -> Option<usize> {
        let now = Instant::now();
        let mut state = self.lock();
        state.last_byte = now;
        if state.running > 0 || state.multiplexed {
            return None;
        }
        state.head_since.get_or_insert(now);
        Some(state.requests)
    }

    fn wrote(&self) {
        self.lock().last_byte = Instant::now();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that is being answered.
pub(super) struct Running(Pulse);

impl Drop for Running {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.running -= 1;
        state.last_byte = Instant::now();
    }
}

/// A stream that reports its bytes to the pulse, and has heads looked at.
pub(super) struct Felt<S> {
    stream: S,
    pulse: Pulse,
    head: Head,
    spoilt: bool,
}

impl<S> Felt<S> {
    pub(super) fn new(stream: S, pulse: Pulse) -> Self {
        Self { stream, pulse, head: Head::default(), spoilt: false }
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
        if let Some(bytes) = buffer.filled_mut().get_mut(before..).filter(|it| !it.is_empty())
            && let Some(number) = self.pulse.read()
        {
            self.spoilt = self.head.inspect(bytes, number);
        }
        outcome
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Felt<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(cx, bytes);
        if outcome.is_ready() {
            self.pulse.wrote();
        }
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
        if outcome.is_ready() {
            self.pulse.wrote();
        }
        outcome
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::{Limits, Pulse};
    use std::time::Duration;
    use tokio::time::{Instant, advance};

    #[tokio::test(start_paused = true)]
    async fn a_head_has_less_time_than_a_rest_and_an_answer_has_its_own() {
        let limits = Limits::default();
        let pulse = Pulse::new(limits);
        let left = || pulse.deadline().map(|it| it - Instant::now());
        assert_eq!(left(), Some(limits.header), "the first request has to come soon");

        let running = pulse.request(false);
        assert_eq!(left(), None);
        assert_eq!(pulse.read(), None, "a byte of a body");
        drop(running);
        assert_eq!(left(), Some(limits.idle));

        advance(Duration::from_secs(10)).await;
        pulse.wrote();
        assert_eq!(left(), Some(limits.idle), "a byte of an answer is a sign of life");

        assert_eq!(pulse.read(), Some(1));
        assert_eq!(left(), Some(limits.header));
        advance(Duration::from_secs(1)).await;
        assert_eq!(pulse.read(), Some(1));
        assert_eq!(left(), limits.header.checked_sub(Duration::from_secs(1)), "further bytes of a head win no time");
    }

    #[tokio::test(start_paused = true)]
    async fn frames_between_requests_are_no_heads_in_http_2() {
        let limits = Limits::default();
        let pulse = Pulse::new(limits);
        drop(pulse.request(true));
        assert_eq!(pulse.read(), None);
        assert_eq!(pulse.deadline(), Some(Instant::now() + limits.idle));
    }
}
