//! Files of other servers that a user names by their URLs, downloaded through the guard.

use bytes::Bytes;
use domain::shared::{Fault, FieldCode, SpaceId};
use egress::{
    client::HttpError,
    fetch::{FetchLimits, Fetcher},
};
use futures_util::{Stream, TryStreamExt};
use http::{HeaderMap, StatusCode};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::Semaphore;

/// How many files are downloaded at the same time.
const CONCURRENT: usize = 16;
/// How many of them for one space: sources that are slow must not take all places from other spaces.
const CONCURRENT_OF_SPACE: usize = 4;
/// How long a page may take that is only looked at.
const LOOK_TIME: Duration = Duration::from_secs(5);
/// How many small files are read at the same time; others wait, as long as one may take.
const CONCURRENT_READS: usize = 32;
/// How long a small file may take, and how many bytes it may have.
const READ_TIME: Duration = Duration::from_secs(5);
const READ_BYTES: u64 = 1 << 20;
/// When a client may try again that got no place.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// Downloads files. Cheap to clone.
#[derive(Clone)]
pub struct RemoteFiles {
    fetcher: Fetcher,
    places: Places,
    reads: Arc<Semaphore>,
}

/// A file on its way.
pub struct RemoteFile<S> {
    /// Its bytes.
    pub chunks: S,
    /// Counts as a download until it is dropped.
    _place: DownloadPermit,
}

/// How many files are downloaded for each space; spaces without any are not in it.
#[derive(Clone, Default)]
struct Places(Arc<Mutex<HashMap<SpaceId, usize>>>);

/// The place of one download, which is free again when this is dropped.
struct DownloadPermit {
    places: Places,
    space: SpaceId,
}

impl Places {
    /// Takes a place for a space, if one is free and the space does not have its share.
    fn take(&self, space: SpaceId) -> Option<DownloadPermit> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.values().sum::<usize>() >= CONCURRENT || taken.get(&space).is_some_and(|own| *own >= CONCURRENT_OF_SPACE) {
            return None;
        }
        *taken.entry(space).or_default() += 1;
        Some(DownloadPermit { places: self.clone(), space })
    }
}

impl Drop for DownloadPermit {
    fn drop(&mut self) {
        let mut taken = self.places.0.lock().unwrap_or_else(PoisonError::into_inner);
        match taken.get_mut(&self.space) {
            Some(own) if *own > 1 => *own -= 1,
            _ => {
                taken.remove(&self.space);
            }
        }
    }
}

impl RemoteFiles {
    /// Downloads with this client.
    pub fn new(fetcher: Fetcher) -> Self {
        Self { fetcher, places: Places::default(), reads: Arc::new(Semaphore::new(CONCURRENT_READS)) }
    }

    /// Asks for a file of at most `max_bytes`, for a space. 422 on `url` for a target that may not be called,
    /// in the words of every other refusal of the guard, and for one that does not answer with a file; 503
    /// while too many files are downloaded, for the space or for all.
    pub async fn open(
        &self,
        space: SpaceId,
        url: &str,
        max_bytes: u64,
    ) -> Result<RemoteFile<impl Stream<Item = Result<Bytes, Fault>> + Send + use<>>, Fault> {
        let place = self.take_place(space)?;
        let limits = FetchLimits { bytes: max_bytes, ..FetchLimits::default() };
        let chunks = self.get("url", url, limits).await?;
        Ok(RemoteFile { chunks, _place: place })
    }

    /// Reads a small file, within 5 seconds and 1 MB. 422 on `field` as [`RemoteFiles::open`] has it; 503
    /// when others take all places for as long. A form asks for many at once, so that no space has a share
    /// of its own: its caller counts them.
    pub async fn read(&self, field: &'static str, url: &str) -> Result<Vec<u8>, Fault> {
        let busy = || Fault::unavailable("too many small files").retry(RETRY_AFTER);
        let place = tokio::time::timeout(READ_TIME, self.reads.acquire()).await;
        let _place = place.map_err(|_| busy())?.map_err(|_| busy())?;
        let limits = FetchLimits { bytes: READ_BYTES, first_byte: READ_TIME, ..FetchLimits::default() };
        let whole = async {
            let chunks = self.get(field, url, limits).await?;
            chunks
                .try_fold(Vec::new(), async |mut read, chunk| {
                    read.extend_from_slice(&chunk);
                    Ok(read)
                })
                .await
        };
        let slow = |_| Fault::invalid(field, FieldCode::TimedOut, format!("did not answer within {} seconds", READ_TIME.as_secs()));
        tokio::time::timeout(READ_TIME, whole).await.map_err(slow)?
    }

    /// The bytes of a file.
    async fn get(
        &self,
        field: &'static str,
        url: &str,
        limits: FetchLimits,
    ) -> Result<impl Stream<Item = Result<Bytes, Fault>> + Send + use<>, Fault> {
        let fault = move |error| download_fault(field, error);
        let fetched = self.fetcher.get(url.trim(), limits).await.map_err(fault)?;
        if !fetched.status.is_success() {
            let message = format!("answers with status {}", fetched.status.as_u16());
            return Err(Fault::invalid(field, FieldCode::Unavailable, message));
        }
        Ok(fetched.body.map_err(fault))
    }

    /// Looks at a page for a space. 503 as [`RemoteFiles::open`].
    pub async fn look(&self, space: SpaceId, url: &str) -> Result<Look, Fault> {
        let _place = self.take_place(space)?;
        let limits = FetchLimits { first_byte: LOOK_TIME, ..FetchLimits::default() };
        Ok(match self.fetcher.head(url.trim(), limits).await {
            Ok((status, headers)) => Look::Answered(status, headers),
            Err(HttpError::Blocked(_)) => Look::Blocked,
            Err(error) => Look::Failed(error.to_string()),
        })
    }

    fn take_place(&self, space: SpaceId) -> Result<DownloadPermit, Fault> {
        self.places.take(space).ok_or_else(|| Fault::unavailable("too many downloads").retry(RETRY_AFTER))
    }
}

/// What a page answers, as far as its head tells.
pub enum Look {
    /// The status and the headers.
    Answered(StatusCode, HeaderMap),
    /// Nothing; the sentence says why.
    Failed(String),
    /// The guard lets no request of this server go there.
    Blocked,
}

/// What a caller is told of a failed download.
fn download_fault(field: &str, error: HttpError) -> Fault {
    let code = match &error {
        HttpError::Blocked(_) => return Fault::invalid(field, FieldCode::BlockedTarget, "may not be called"),
        HttpError::TimedOut => FieldCode::TimedOut,
        HttpError::TooLarge => FieldCode::TooLarge,
        _ => FieldCode::Unavailable,
    };
    Fault::invalid(field, code, format!("could not be downloaded: {error}"))
}

#[cfg(test)]
mod tests {
    use super::{CONCURRENT, CONCURRENT_OF_SPACE, Places};
    use domain::shared::SpaceId;

    #[test]
    fn a_space_takes_no_more_than_its_share_and_all_no_more_than_there_are() {
        let places = Places::default();
        let mut held: Vec<_> = (0..CONCURRENT_OF_SPACE).map(|_| places.take(SpaceId(1)).unwrap()).collect();
        assert!(places.take(SpaceId(1)).is_none());
        held.extend((2..).take(CONCURRENT - CONCURRENT_OF_SPACE).map(|space| places.take(SpaceId(space)).unwrap()));
        assert!(places.take(SpaceId(99)).is_none());
        held.remove(0);
        drop(places.take(SpaceId(99)).unwrap());
        drop(places.take(SpaceId(1)).unwrap());
        drop(held);
        assert!(places.0.lock().unwrap().is_empty(), "nothing is left of spaces without downloads");
    }
}
