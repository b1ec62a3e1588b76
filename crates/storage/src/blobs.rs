//! Objects: the bytes of assets, on the local disk or in an object store that speaks S3.
//!
//! ```text
//! put:  chunks -> upload (a temporary file; counted, hashed, inspected) -> too large, empty, broken off: the file is removed, nothing else happened
//!                                                                       -> durable under its key -> Stored
//! get:  key, range -> a stream of chunks          remove: key          list: keys, page by page, for the janitor
//! ```
//!
//! No object is ever in memory as a whole: a chunk while it is received, the first bytes of an image until
//! its size is known, and one part while it is sent to S3. Every object is written once, under a key that was
//! never used before, and is never changed. So no reader sees half of an object, and a process that dies
//! between the object and its row leaves nothing but an object without a row, which the janitor removes.
//!
//! With S3, too, an upload goes to the local disk first. A client that is slow, announces a wrong length or
//! disconnects costs the object store nothing, and an upload that the store refuses for the moment can be
//! sent again.

mod disk;
mod inspection;
mod s3;
mod upload;

pub use s3::Settings as S3Settings;

use crate::{GONE, IsThere};
use bytes::Bytes;
use disk::Disk;
use domain::{
    content::asset::{FileName, ObjectKey, Stored},
    shared::{Code, Fault, FieldCode},
};
use futures_util::{Stream, StreamExt};
use inspection::Inspection;
use s3::S3;
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
use upload::{Upload, UploadDir};

/// How many objects are received at the same time; a further client gets 503.
const MAX_UPLOADS: usize = 32;
/// How long a client may send nothing.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);
/// How many bytes a second a client must send on average, after one idle timeout of grace: one that sends
/// byte by byte would hold its permit for hours.
const MIN_RATE: u64 = 16 << 10;

/// Where objects are kept.
#[derive(Clone)]
pub struct BlobSettings {
    /// The directory of the server: for uploads, and for the objects unless they are in S3.
    pub directory: PathBuf,
    /// The object store, if there is one.
    pub s3: Option<S3Settings>,
    /// The most bytes that an object may have.
    pub max_bytes: u64,
    /// Whether the directory is still there. Else nothing is stored in its place, and nothing removed.
    pub is_there: IsThere,
}

/// The subdirectory of files that are being received.
const INCOMING: &str = "incoming";

/// The store of objects. Cheap to clone.
#[derive(Clone)]
pub struct Blobs(Arc<Inner>);

struct Inner {
    backend: Backend,
    uploads: UploadDir,
    max_bytes: u64,
    permits: Semaphore,
    counts: Counters,
    is_there: IsThere,
}

enum Backend {
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

/// Counts since the start of the process, for metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// The bytes of objects that were stored.
    pub received: u64,
    /// The bytes of objects that were read.
    pub sent: u64,
    /// How many uploads were refused: too large, empty, broken off, or too many at a time.
    pub refused: u64,
    /// How often the disk or the object store failed.
    pub failed: u64,
    /// How many objects were removed.
    pub removed: u64,
}

/// What can go wrong with an object. No caller of an API sees its text: see the conversion into [`Fault`].
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The object is too large.
    #[error("larger than {limit} bytes")]
    TooLarge {
        /// The most bytes that it may have.
        limit: u64,
    },
    /// The object has no bytes.
    #[error("empty")]
    Empty,
    /// Too many objects are received at the same time.
    #[error("too many objects are being received")]
    Busy,
    /// The client that sends the object failed or was idle for too long.
    #[error("the sender failed: {0}")]
    Sender(Fault),
    /// No object has this key.
    #[error("no object {0}")]
    Missing(ObjectKey),
    /// The disk or the object store failed.
    #[error("the store of objects failed: {0}")]
    Unavailable(String),
}

/// The result of everything that the store of objects does.
pub type Result<T> = std::result::Result<T, Error>;

/// Reads a file to its end and returns what [`Blobs::put`] would, without storing it.
pub async fn inspect(
    key: ObjectKey,
    name: &FileName,
    chunks: impl Stream<Item = std::result::Result<Bytes, Fault>>,
    limit: u64,
) -> Result<Stored> {
    let mut inspection = Inspection::default();
    let mut chunks = pin!(chunks);
    while let Some(chunk) = chunks.next().await {
        inspection.update(&chunk.map_err(Error::Sender)?);
        if inspection.bytes() > limit {
            return Err(Error::TooLarge { limit });
        }
    }
    if inspection.bytes() == 0 { Err(Error::Empty) } else { Ok(inspection.finish(key, name)) }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Unavailable(error.to_string())
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
            Error::TooLarge { limit } => Self::new(Code::TooLarge, format!("The file is larger than {limit} bytes")),
            Error::Empty => Self::invalid("file", FieldCode::Blank, "can't be empty"),
            Error::Sender(fault) => fault,
            Error::Busy | Error::Unavailable(_) => Self::unavailable(error.to_string()),
            Error::Missing(_) => Self::internal(error.to_string()),
        }
    }
}

/// The bytes of an object in chunks.
pub type ByteStream = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send + Sync>>;

/// A page of the keys of all objects.
#[derive(Debug, Default)]
pub struct Listing {
    /// The keys, in no order. Files whose names are no keys are left out.
    pub keys: Vec<ObjectKey>,
    /// Where the next page begins; `None` after the last page.
    pub next: Option<String>,
}

impl Blobs {
    /// Opens the store: makes the directory and removes uploads that a killed process left. An object store
    /// is not asked for anything yet: the server can start without it.
    pub async fn open(settings: BlobSettings) -> Result<Self> {
        let uploads = UploadDir::open(&settings.directory.join(INCOMING)).await?;
        Self::open_with(settings, uploads).await
    }

    /// The same beside the process that uses the directory: what that one is receiving is left alone.
    pub async fn open_beside(settings: BlobSettings) -> Result<Self> {
        let uploads = UploadDir::open_beside(&settings.directory.join(INCOMING)).await?;
        Self::open_with(settings, uploads).await
    }

    async fn open_with(settings: BlobSettings, uploads: UploadDir) -> Result<Self> {
        let backend = match settings.s3 {
            Some(s3) => Backend::S3(S3::new(s3)?),
            None => Backend::Disk(Disk::open(settings.directory).await?),
        };
        let inner = Inner {
            backend,
            uploads,
            max_bytes: settings.max_bytes,
            permits: Semaphore::new(MAX_UPLOADS),
            counts: Counters::default(),
            is_there: settings.is_there,
        };
        Ok(Self(Arc::new(inner)))
    }

    /// Refuses to go on when what is found at the path may be the directory of another server.
    fn ensure_is_there(&self) -> Result<()> {
        if (self.0.is_there)() { Ok(()) } else { Err(Error::Unavailable(GONE.to_owned())) }
    }

    /// Receives an object and makes it durable under its key. The name helps to find its content type.
    ///
    /// The caller must write a row for it within [`ObjectKey::UNCLAIMED_FOR`], after which the janitor
    /// removes it. A future that is dropped before its end leaves nothing.
    pub async fn put(
        &self,
        key: ObjectKey,
        name: &FileName,
        chunks: impl Stream<Item = std::result::Result<Bytes, Fault>> + Send,
    ) -> Result<Stored> {
        let outcome = self.receive(key, name, chunks).await;
        let counts = &self.0.counts;
        match &outcome {
            Ok(stored) => counts.received.fetch_add(stored.bytes, Ordering::Relaxed),
            Err(Error::Unavailable(what)) => {
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
        chunks: impl Stream<Item = std::result::Result<Bytes, Fault>> + Send,
    ) -> Result<Stored> {
        let _permit = self.0.permits.try_acquire().map_err(|_| Error::Busy)?;
        self.ensure_is_there()?;
        let mut upload = self.0.uploads.create(key).await?;
        let mut inspection = Inspection::default();
        let mut chunks = pin!(chunks);
        let began = Instant::now();
        loop {
            let due = began + IDLE_TIMEOUT + Duration::from_secs(inspection.bytes() / MIN_RATE);
            let next = timeout_at(due.min(Instant::now() + IDLE_TIMEOUT), chunks.next()).await;
            let Some(chunk) = next.map_err(|_| Error::Sender(idle()))? else { break };
            let chunk = chunk.map_err(Error::Sender)?;
            inspection.update(&chunk);
            if inspection.bytes() > self.0.max_bytes {
                return Err(Error::TooLarge { limit: self.0.max_bytes });
            }
            upload.write(&chunk).await?;
        }
        if inspection.bytes() == 0 {
            return Err(Error::Empty);
        }
        let stored = inspection.finish(key, name);
        self.store(upload, &stored).await?;
        Ok(stored)
    }

    async fn store(&self, upload: Upload, stored: &Stored) -> Result<()> {
        self.ensure_is_there()?;
        match &self.0.backend {
            Backend::Disk(disk) => disk.put(upload, stored.key).await,
            Backend::S3(s3) => s3.put(upload, stored).await,
        }
    }

    /// Makes bytes durable that this server has made itself. They are counted neither as uploads nor in their
    /// bound.
    pub async fn put_bytes(&self, key: ObjectKey, name: &FileName, bytes: &Bytes) -> Result<Stored> {
        self.ensure_is_there()?;
        let mut upload = self.0.uploads.create(key).await?;
        let mut inspection = Inspection::default();
        inspection.update(bytes);
        upload.write(bytes).await?;
        let stored = inspection.finish(key, name);
        self.store(upload, &stored).await?;
        Ok(stored)
    }

    /// Reads a range of an object; it must lie within the object.
    pub async fn get(&self, key: ObjectKey, range: Range<u64>) -> Result<ByteStream> {
        let length = range.end.saturating_sub(range.start);
        let got = match &self.0.backend {
            Backend::Disk(disk) => disk.get(key, range).await,
            Backend::S3(s3) => s3.get(key, range).await,
        };
        match &got {
            Ok(_) => self.0.counts.sent.fetch_add(length, Ordering::Relaxed),
            Err(_) => self.0.counts.failed.fetch_add(1, Ordering::Relaxed),
        };
        got
    }

    /// Removes an object; one that does not exist counts as removed.
    pub async fn remove(&self, key: ObjectKey) -> Result<()> {
        self.ensure_is_there()?;
        match &self.0.backend {
            Backend::Disk(disk) => disk.remove(key).await,
            Backend::S3(s3) => s3.remove(key).await,
        }?;
        self.0.counts.removed.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Lists a page of keys, from the beginning or from the `next` of the page before.
    pub async fn list(&self, from: Option<&str>) -> Result<Listing> {
        match &self.0.backend {
            Backend::Disk(disk) => disk.list(from).await,
            Backend::S3(s3) => s3.list(from).await,
        }
    }

    /// The most bytes that an object may have.
    pub fn max_bytes(&self) -> u64 {
        self.0.max_bytes
    }

    /// The counts since the start of the process.
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

fn idle() -> Fault {
    Fault::new(Code::BodyBroken, "The body did not come to its end in time")
}
