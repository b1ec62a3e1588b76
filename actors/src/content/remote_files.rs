//! Files of other servers that a user names by their URLs, downloaded through the guard.

use bytes::Bytes;
use domain::shared::Fault;
use egress::{
    client::HttpError,
    fetch::{Fetcher, Limits},
};
use futures_util::{Stream, TryStreamExt};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many files are downloaded at the same time.
const CONCURRENT: usize = 16;

/// Downloads files. Cheap to clone.
#[derive(Clone)]
pub struct RemoteFiles {
    fetcher: Fetcher,
    permits: Arc<Semaphore>,
}

/// A file on its way.
pub struct RemoteFile<S> {
    /// Its bytes.
    pub chunks: S,
    /// Counts as a download until it is dropped.
    _permit: OwnedSemaphorePermit,
}

impl RemoteFiles {
    /// Downloads with this client.
    pub fn new(fetcher: Fetcher) -> Self {
        Self { fetcher, permits: Arc::new(Semaphore::new(CONCURRENT)) }
    }

    /// Asks for a file of at most so many bytes. 422 on `url` for a target that may not be called, in the words of every other refusal of the guard, and for one that
    /// does not answer with a file; 503 while too many files are downloaded.
    pub async fn open(
        &self,
        url: &str,
        max_bytes: u64,
    ) -> Result<RemoteFile<impl Stream<Item = Result<Bytes, Fault>> + Send + use<>>, Fault> {
        let permit = Arc::clone(&self.permits).try_acquire_owned().map_err(|_| Fault::unavailable("too many downloads"))?;
        let limits = Limits { bytes: max_bytes, ..Limits::default() };
        let fetched = self.fetcher.get(url.trim(), limits).await.map_err(refused)?;
        if !fetched.status.is_success() {
            return Err(unusable(format!("answers with status {}", fetched.status.as_u16())));
        }
        Ok(RemoteFile { chunks: fetched.body.map_err(refused), _permit: permit })
    }
}

/// What a caller is told of a failed download.
fn refused(error: HttpError) -> Fault {
    match error {
        HttpError::Blocked(_) => Fault::invalid("url", "blocked_target", "may not be called"),
        error => unusable(format!("could not be downloaded: {error}")),
    }
}

fn unusable(message: String) -> Fault {
    Fault::invalid("url", "unavailable", message)
}
