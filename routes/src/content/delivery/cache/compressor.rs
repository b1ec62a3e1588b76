//! Compresses cached responses on a thread of its own: 100 KB take milliseconds, for which a thread that
//! serves requests must not be blocked.

use crate::web::coding::Coding;
use bytes::Bytes;
use std::{
    io,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
};
use tokio::sync::oneshot;

/// How many responses may wait; further ones are sent uncompressed.
const QUEUE: usize = 64;
struct Job {
    body: Bytes,
    coding: Coding,
    done: oneshot::Sender<Bytes>,
}

/// The compressing thread. It ends when this is dropped.
pub(super) struct Compressor {
    jobs: SyncSender<Job>,
}

impl Compressor {
    /// Starts the thread.
    pub(super) fn start() -> io::Result<Self> {
        let (jobs, waiting) = sync_channel(QUEUE);
        std::thread::Builder::new().name("compress".to_owned()).spawn(move || run(&waiting))?;
        Ok(Self { jobs })
    }

    /// Compresses a body; `None` when too many wait already, or when the result is no smaller.
    pub(super) async fn compress(&self, body: Bytes, coding: Coding) -> Option<Bytes> {
        let (done, compressed) = oneshot::channel();
        self.jobs.try_send(Job { body, coding, done }).ok()?;
        compressed.await.ok()
    }
}

fn run(waiting: &Receiver<Job>) {
    for Job { body, coding, done } in waiting {
        if done.is_closed() {
            continue;
        }
        match compress(&body, coding) {
            // A send fails when all callers have gone away.
            Ok(compressed) if compressed.len() < body.len() => drop(done.send(compressed.into())),
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, coding = coding.name(), "a response could not be compressed"),
        }
    }
}

fn compress(body: &[u8], coding: Coding) -> io::Result<Vec<u8>> {
    match coding {
        Coding::Brotli => compression::brotli(body),
        Coding::Gzip => compression::gzip(body),
    }
}

#[cfg(test)]
mod tests {
    use super::{Coding, Compressor};
    use bytes::Bytes;

    #[tokio::test]
    async fn each_coding_gets_its_own_bytes() {
        let compressor = Compressor::start().unwrap();
        let body = Bytes::from("{\"name\":\"Lectern\"}".repeat(1_000));
        let expected = [compression::brotli(&body).unwrap(), compression::gzip(&body).unwrap()];
        for (coding, expected) in [Coding::Brotli, Coding::Gzip].into_iter().zip(expected) {
            assert_eq!(compressor.compress(body.clone(), coding).await.unwrap(), expected);
        }
    }

    #[tokio::test]
    async fn what_does_not_get_smaller_stays_as_it_is() {
        assert_eq!(Compressor::start().unwrap().compress(Bytes::from_static(b"x"), Coding::Gzip).await, None);
    }
}
