//! Compresses cached responses on a thread of its own: 100 KB take milliseconds, for which a thread that serves requests must not be blocked.

use crate::web::coding::Coding;
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use std::{
    io::{self, Write},
    sync::mpsc::{Receiver, SyncSender, sync_channel},
};
use tokio::sync::oneshot;

/// How many responses may wait; further ones are sent uncompressed.
const QUEUE: usize = 64;
/// The level of each coding at which more time makes JSON hardly smaller.
const BROTLI: Params = Params { quality: 5, window: 20, buffer: 16 << 10 };
const GZIP: Compression = Compression::new(6);

struct Params {
    quality: u32,
    window: u32,
    buffer: usize,
}

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
        Coding::Brotli => {
            let mut writer = brotli::CompressorWriter::new(Vec::new(), BROTLI.buffer, BROTLI.quality, BROTLI.window);
            writer.write_all(body)?;
            writer.flush()?;
            Ok(writer.into_inner())
        }
        Coding::Gzip => {
            let mut writer = GzEncoder::new(Vec::new(), GZIP);
            writer.write_all(body)?;
            writer.finish()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Coding, Compressor};
    use bytes::Bytes;
    use std::io::Read;

    #[tokio::test]
    async fn what_is_compressed_is_smaller_and_comes_out_the_same() {
        let compressor = Compressor::start().unwrap();
        let body = Bytes::from("{\"name\":\"Lectern\"}".repeat(1_000));
        let brotli = compressor.compress(body.clone(), Coding::Brotli).await.unwrap();
        let gzip = compressor.compress(body.clone(), Coding::Gzip).await.unwrap();
        assert!(brotli.len() * 20 < body.len() && gzip.len() * 20 < body.len());
        let (mut one, mut other) = (Vec::new(), Vec::new());
        brotli::Decompressor::new(&*brotli, 4096).read_to_end(&mut one).unwrap();
        flate2::read::GzDecoder::new(&*gzip).read_to_end(&mut other).unwrap();
        assert!(one == body && other == body);
    }

    #[tokio::test]
    async fn what_does_not_get_smaller_stays_as_it_is() {
        assert_eq!(Compressor::start().unwrap().compress(Bytes::from_static(b"x"), Coding::Gzip).await, None);
    }
}
