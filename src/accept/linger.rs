//! The lingering close (RFC 9112, section 9.6). When a request is answered before all of it was read, closing
//! the connection at once would make the system send a reset, and the client, which is still sending, would
//! lose the response. So the connection is closed for writing only, and what still comes is read and dropped,
//! within bounds.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    time::timeout,
};

/// How long a client may pause.
const PAUSE: Duration = Duration::from_secs(5);
/// How long it may send in all.
const TOTAL: Duration = Duration::from_secs(20);
/// How many bytes it may send.
const BYTES: usize = 64 << 20;

/// The place where a stream is left by hyper, which owns it and drops it when it is done with the connection.
pub(super) struct Leftover<S>(Arc<Mutex<Option<S>>>);

impl<S> Leftover<S> {
    /// Leaves the stream.
    pub(super) fn put(&self, stream: S) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(stream);
    }

    /// Takes the stream; `None` while hyper has it.
    pub(super) fn take(&self) -> Option<S> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<S> Clone for Leftover<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S> Default for Leftover<S> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

/// Closes a stream for writing, and reads until the client closes it, too, or has used up its bounds.
pub(super) async fn close(mut stream: impl AsyncRead + AsyncWrite + Unpin) {
    // Fails when the client has closed the connection already; then there is nothing to read either.
    if stream.shutdown().await.is_err() {
        return;
    }
    let mut buffer = vec![0; 16 << 10];
    let mut left = BYTES;
    let reading = async {
        while let Ok(Ok(count @ 1..)) = timeout(PAUSE, stream.read(&mut buffer)).await {
            left = left.saturating_sub(count);
            if left == 0 {
                break;
            }
        }
    };
    // Either way the stream is dropped now.
    let _ = timeout(TOTAL, reading).await;
}

#[cfg(test)]
mod tests {
    use super::{BYTES, PAUSE, TOTAL, close};
    use std::time::Duration;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, duplex},
        join,
        time::{Instant, sleep},
    };

    #[tokio::test(start_paused = true)]
    async fn the_client_sees_the_end_at_once_and_may_send_on() {
        let (ours, mut client) = duplex(1 << 10);
        let began = Instant::now();
        let sending = async move {
            assert_eq!(client.read(&mut [0; 8]).await.unwrap(), 0);
            client.write_all(&vec![b'x'; 1 << 20]).await.unwrap();
        };
        join!(close(ours), sending);
        assert_eq!(began.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_pauses_or_dawdles_is_left() {
        let (ours, client) = duplex(1 << 10);
        let began = Instant::now();
        close(ours).await;
        assert_eq!(began.elapsed(), PAUSE);
        drop(client);

        let (ours, mut client) = duplex(1 << 10);
        let began = Instant::now();
        let closing = async {
            close(ours).await;
            began.elapsed()
        };
        let dawdling = async {
            while client.write_all(b"x").await.is_ok() {
                sleep(Duration::from_secs(1)).await;
            }
        };
        let (took, ()) = join!(closing, dawdling);
        assert_eq!(took, TOTAL);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_sends_without_end_is_left() {
        let (ours, mut client) = duplex(1 << 16);
        let piece = vec![b'x'; 1 << 16];
        let mut sent = 0;
        let sending = async {
            while client.write_all(&piece).await.is_ok() {
                sent += piece.len();
            }
        };
        join!(close(ours), sending);
        assert!((BYTES..=BYTES + 2 * piece.len()).contains(&sent), "{sent}");
    }
}
