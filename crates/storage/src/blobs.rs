//! Objects: the bytes of assets, on the local disk or in an object store that speaks S3.
//!
//! ```text
//! put:  pieces -> spool (a file of our own: counted, hashed, looked at) -> too large, empty, cut off: the file goes, nothing happened
//!                                                                       -> durable under its key -> Stored
//! get:  key, range -> a stream of pieces          remove: key          list: keys, page by page, for the janitor
//! ```
//!
//! Nothing is ever whole in memory: a piece while it is received, the first bytes of an image until its size is known, and for S3 one part.
//! Every object is written once, under a name that was never given before, and never changed. So a reader never sees half of one, and whoever
//! fails between the object and its row leaves nothing behind but an object that the janitor removes (reliability I9, F19).
//!
//! The spool is on the local disk for S3 too. A client that is slow, or lies about its length, or leaves, costs the object store
//! nothing, and what a store refuses for the moment can be sent again.

mod disk;
mod measure;
mod s3;
mod spool;

pub use s3::Settings as S3Settings;

use bytes::Bytes;
use disk::Disk;
use domain::{
    content::asset::{FileName, ObjectKey, Stored},
    shared::{Fault, Kind},
};
use futures_util::{Stream, StreamExt};
use measure::Measure;
use s3::S3;
use spool::{Spool, Spooled};
use std::{
    io,
    ops::Range,
    path::PathBuf,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::Semaphore,
    time::{Instant, timeout_at},
};

/// How many objects are received at the same time; the next one gets 503.
const AT_ONCE: usize = 32;
/// How long a client may be silent while it sends.
const SILENCE: Duration = Duration::from_secs(10);
/// How many bytes a second it sends on average at least, after a silence at the beginning: whoever sends byte by byte would hold a place for ever.
const SLOWEST: u64 = 16 << 10;

/// Where objects lie.
#[derive(Clone)]
pub struct Settings {
    /// A directory of our own: for the spool, and for the objects unless they are in S3.
    pub directory: PathBuf,
    /// The object store, if there is one.
    pub s3: Option<S3Settings>,
    /// The most bytes of one object.
    pub max_bytes: u64,
}

/// The objects. Cheap to clone.
#[derive(Clone)]
pub struct Blobs(Arc<Inner>);

struct Inner {
    place: Place,
    spool: Spool,
    max_bytes: u64,
    permits: Semaphore,
    counts: Counters,
}

enum Place {
    Disk(Disk),
    S3(S3),
}

#[derive(Default)]
struct Counters {
    received: AtomicU64,
    sent: AtomicU64,
    refused: AtomicU64,
    failed: AtomicU64,
    removed: AtomicU64,
}

/// What was done since the start, for metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Bytes that became objects.
    pub received: u64,
    /// Bytes of objects that were read.
    pub sent: u64,
    /// Objects that were not taken: too large, empty, cut off, too many at a time.
    pub refused: u64,
    /// Times that the disk or the object store failed.
    pub failed: u64,
    /// Objects that were removed.
    pub removed: u64,
}

/// What can go wrong with an object. None of its text reaches a caller: see the conversion into [`Fault`].
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// More bytes than an object may have.
    #[error("larger than {limit} bytes")]
    TooLarge {
        /// The most there may be.
        limit: u64,
    },
    /// No bytes at all.
    #[error("empty")]
    Empty,
    /// Too many at a time.
    #[error("too many objects are being received")]
    Busy,
    /// Whoever sends it failed or fell silent.
    #[error("the sender failed: {0}")]
    Sender(Fault),
    /// No object has this key.
    #[error("no object {0}")]
    Missing(ObjectKey),
    /// The disk or the object store failed.
    #[error("the store of objects failed: {0}")]
    Away(String),
}

/// What the store of objects answers.
pub type Result<T> = std::result::Result<T, Error>;

/// What a file is that nobody keeps: read to its end, counted, hashed and looked at like one that is put.
pub async fn look(
    key: ObjectKey,
    name: &FileName,
    pieces: impl Stream<Item = std::result::Result<Bytes, Fault>>,
    limit: u64,
) -> Result<Stored> {
    let mut measure = Measure::default();
    let mut pieces = pin!(pieces);
    while let Some(piece) = pieces.next().await {
        measure.take(&piece.map_err(Error::Sender)?);
        if measure.bytes() > limit {
            return Err(Error::TooLarge { limit });
        }
    }
    if measure.bytes() == 0 { Err(Error::Empty) } else { Ok(measure.finish(key, name)) }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Away(error.to_string())
    }
}

impl From<Error> for crate::Error {
    fn from(error: Error) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::TooLarge { limit } => Self::new(Kind::TooLarge, "tooLarge", format!("The file is larger than {limit} bytes")),
            Error::Empty => Self::invalid("file", "blank", "can't be empty"),
            Error::Sender(fault) => fault,
            Error::Busy | Error::Away(_) => Self::unavailable(error.to_string()),
            Error::Missing(_) => Self::internal(error.to_string()),
        }
    }
}

/// The bytes of an object, piece by piece.
pub type Pieces = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send + Sync>>;

/// A page of the keys that there are.
#[derive(Debug, Default)]
pub struct Listing {
    /// The keys, in no order. What lies there and is none of ours is not among them.
    pub keys: Vec<ObjectKey>,
    /// Where the next page goes on; `None` after the last.
    pub next: Option<String>,
}

impl Blobs {
    /// Opens the place. It makes the directory, empties the spool, and asks an object store nothing: one that is away now may be back later.
    pub async fn open(settings: Settings) -> Result<Self> {
        let spool = Spool::open(&settings.directory.join("incoming")).await?;
        let place = match settings.s3 {
            Some(s3) => Place::S3(S3::new(s3)?),
            None => Place::Disk(Disk::open(settings.directory).await?),
        };
        let inner =
            Inner { place, spool, max_bytes: settings.max_bytes, permits: Semaphore::new(AT_ONCE), counts: Counters::default() };
        Ok(Self(Arc::new(inner)))
    }

    /// Receives an object and makes it durable under its key. The name only helps to tell what it is.
    ///
    /// It is the caller's to write a row for it, within [`ObjectKey::UNCLAIMED_FOR`]. Dropped before its end, it leaves nothing.
    pub async fn put(
        &self,
        key: ObjectKey,
        name: &FileName,
        pieces: impl Stream<Item = std::result::Result<Bytes, Fault>> + Send,
    ) -> Result<Stored> {
        let outcome = self.receive(key, name, pieces).await;
        let counts = &self.0.counts;
        match &outcome {
            Ok(stored) => counts.received.fetch_add(stored.bytes, Ordering::Relaxed),
            Err(Error::Away(what)) => {
                tracing::warn!(what, "an object could not be stored");
                counts.failed.fetch_add(1, Ordering::Relaxed)
            }
            Err(_) => counts.refused.fetch_add(1, Ordering::Relaxed),
        };
        outcome
    }

    async fn receive(
        &self,
        key: ObjectKey,
        name: &FileName,
        pieces: impl Stream<Item = std::result::Result<Bytes, Fault>> + Send,
    ) -> Result<Stored> {
        let _permit = self.0.permits.try_acquire().map_err(|_| Error::Busy)?;
        let mut spooled = self.0.spool.begin(key).await?;
        let mut measure = Measure::default();
        let mut pieces = pin!(pieces);
        let began = Instant::now();
        loop {
            let due = began + SILENCE + Duration::from_secs(measure.bytes() / SLOWEST);
            let next = timeout_at(due.min(Instant::now() + SILENCE), pieces.next()).await;
            let Some(piece) = next.map_err(|_| Error::Sender(silent()))? else { break };
            let piece = piece.map_err(Error::Sender)?;
            measure.take(&piece);
            if measure.bytes() > self.0.max_bytes {
                return Err(Error::TooLarge { limit: self.0.max_bytes });
            }
            spooled.write(&piece).await?;
        }
        if measure.bytes() == 0 {
            return Err(Error::Empty);
        }
        let stored = measure.finish(key, name);
        self.keep(spooled, &stored).await?;
        Ok(stored)
    }

    async fn keep(&self, spooled: Spooled, stored: &Stored) -> Result<()> {
        match &self.0.place {
            Place::Disk(disk) => disk.keep(spooled, stored.key).await,
            Place::S3(s3) => s3.put(spooled, stored).await,
        }
    }

    /// The bytes of an object within a range, which has to lie inside of it.
    pub async fn get(&self, key: ObjectKey, range: Range<u64>) -> Result<Pieces> {
        let length = range.end.saturating_sub(range.start);
        let got = match &self.0.place {
            Place::Disk(disk) => disk.get(key, range).await,
            Place::S3(s3) => s3.get(key, range).await,
        };
        match &got {
            Ok(_) => self.0.counts.sent.fetch_add(length, Ordering::Relaxed),
            Err(_) => self.0.counts.failed.fetch_add(1, Ordering::Relaxed),
        };
        got
    }

    /// Removes an object; one that is not there is removed already.
    pub async fn remove(&self, key: ObjectKey) -> Result<()> {
        match &self.0.place {
            Place::Disk(disk) => disk.remove(key).await,
            Place::S3(s3) => s3.remove(key).await,
        }?;
        self.0.counts.removed.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// A page of keys, from the beginning or from where the last page ended.
    pub async fn list(&self, from: Option<&str>) -> Result<Listing> {
        match &self.0.place {
            Place::Disk(disk) => disk.list(from).await,
            Place::S3(s3) => s3.list(from).await,
        }
    }

    /// The most bytes of one object.
    pub fn max_bytes(&self) -> u64 {
        self.0.max_bytes
    }

    /// What was done since the start.
    pub fn counts(&self) -> Counts {
        let counts = &self.0.counts;
        let read = |value: &AtomicU64| value.load(Ordering::Relaxed);
        Counts {
            received: read(&counts.received),
            sent: read(&counts.sent),
            refused: read(&counts.refused),
            failed: read(&counts.failed),
            removed: read(&counts.removed),
        }
    }
}

fn silent() -> Fault {
    Fault::bad_request("bodyBroken", "The body did not come to its end in time")
}
