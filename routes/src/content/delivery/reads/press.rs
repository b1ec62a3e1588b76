//! Compresses kept answers, on a thread of its own: 100 KB take milliseconds, and the threads that answer requests have none to spare.

use super::coding::Coding;
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use std::{
    io::{self, Write},
    sync::mpsc::{Receiver, SyncSender, sync_channel},
};
use tokio::sync::oneshot;

/// How many answers may wait; the next ones go out as they are.
const QUEUE: usize = 64;
/// Where both give most for their time on JSON.
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

/// The way to that thread. It ends when this is dropped.
pub(super) struct Press {
    jobs: SyncSender<Job>,
}

impl Press {
    /// Starts the thread.
    pub(super) fn start() -> io::Result<Self> {
        let (jobs, waiting) = sync_channel(QUEUE);
        std::thread::Builder::new().name("compress".to_owned()).spawn(move || run(&waiting))?;
        Ok(Self { jobs })
    }

    /// Compresses; `None` when too many wait already, or when it came out no smaller.
    pub(super) async fn compress(&self, body: Bytes, coding: Coding) -> Option<Bytes> {
        let (done, pressed) = oneshot::channel();
        self.jobs.try_send(Job { body, coding, done }).ok()?;
        pressed.await.ok()
    }
}

fn run(waiting: &Receiver<Job>) {
    for Job { body, coding, done } in waiting {
        if done.is_closed() {
            continue;
        }
        match press(&body, coding) {
            // Who asked may have gone away meanwhile.
            Ok(pressed) if pressed.len() < body.len() => drop(done.send(pressed.into())),
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, coding = coding.name(), "an answer could not be compressed"),
        }
    }
}

fn press(body: &[u8], coding: Coding) -> io::Result<Vec<u8>> {
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
    use super::{Coding, Press};
    use bytes::Bytes;
    use std::io::Read;

    #[tokio::test]
    async fn what_is_compressed_is_smaller_and_comes_out_the_same() {
        let press = Press::start().unwrap();
        let body = Bytes::from("{\"name\":\"Lectern\"}".repeat(1_000));
        let brotli = press.compress(body.clone(), Coding::Brotli).await.unwrap();
        let gzip = press.compress(body.clone(), Coding::Gzip).await.unwrap();
        assert!(brotli.len() * 20 < body.len() && gzip.len() * 20 < body.len());
        let (mut one, mut other) = (Vec::new(), Vec::new());
        brotli::Decompressor::new(&*brotli, 4096).read_to_end(&mut one).unwrap();
        flate2::read::GzDecoder::new(&*gzip).read_to_end(&mut other).unwrap();
        assert!(one == body && other == body);
    }

    #[tokio::test]
    async fn what_does_not_get_smaller_stays_as_it_is() {
        assert_eq!(Press::start().unwrap().compress(Bytes::from_static(b"x"), Coding::Gzip).await, None);
    }
}
