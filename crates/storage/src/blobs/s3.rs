//! Objects in a store that speaks S3, through the `MinIO` client.
//!
//! Every call has a time limit, because the client has none. A call with a transient failure is made again,
//! three times in all. An object counts as stored after the store was asked for its size: a store that
//! answers 200 and keeps nothing is found out. The store checks the hash of each part.

use super::{ByteStream, Error, Listing, Result, upload::Upload};
use crate::error::chain;
use bytes::{Bytes, BytesMut};
use domain::content::asset::{ObjectKey, Stored};
use futures_util::future::BoxFuture;
use futures_util::{Stream, StreamExt, stream};
use minio::s3::{
    MinioClient, MinioClientBuilder,
    builders::ObjectContent,
    creds::StaticProvider,
    error::{Error as S3Error, NetworkError, S3ServerError},
    http::BaseUrl,
    minio_error_response::MinioErrorCode,
    types::{Region, S3Api, ToStream},
};
// Named so that it is linked with TLS; the client inside of minio has none of its own then.
use reqwest012 as _;
use secrecy::{ExposeSecret, SecretString};
use std::{
    future::Future,
    io,
    ops::Range,
    pin::Pin,
    sync::{Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    fs::File,
    io::AsyncReadExt,
    sync::Semaphore,
    time::{sleep, timeout},
};

/// The size of a part: the least that S3 takes. Each object that is being sent has one part in memory.
const PART: u64 = 5 << 20;
/// How many objects are sent at the same time; further ones wait.
const MAX_SENDING: usize = 8;
/// How often a call is made at most.
const TRIES: u32 = 3;
/// The pause before the second try; before the third one it is four times as long.
const RETRY_DELAY: Duration = Duration::from_millis(250);
/// How many keys a page has.
const PAGE: u16 = 1000;
/// How many bytes of an upload are read at a time.
const CHUNK: usize = 64 << 10;

/// How an object store is reached.
#[derive(Clone)]
pub struct Settings {
    /// The URL of the store.
    pub endpoint: String,
    /// The bucket, which must exist.
    pub bucket: String,
    /// The region that requests are signed for.
    pub region: String,
    /// The access key id.
    pub access_key: SecretString,
    /// The secret access key.
    pub secret_key: SecretString,
    /// How long a call may take. Sending an object has a second more for each MiB.
    pub timeout: Duration,
}

/// An object store.
pub(super) struct S3 {
    client: MinioClient,
    bucket: String,
    timeout: Duration,
    sending: Semaphore,
}

impl S3 {
    /// Makes a client; it connects when it is used.
    pub(super) fn new(settings: Settings) -> Result<Self> {
        let wrong = |what: &dyn std::fmt::Display| Error::Unavailable(format!("S3 settings: {what}"));
        // The client uses the default provider of the process, which may be installed already.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let mut url: BaseUrl = settings.endpoint.parse().map_err(|error| wrong(&error))?;
        url.region = Region::new(&settings.region).map_err(|error| wrong(&error))?;
        let provider = StaticProvider::new(settings.access_key.expose_secret(), settings.secret_key.expose_secret(), None);
        let client = MinioClientBuilder::new(url)
            .provider(Some(provider))
            .skip_region_lookup(true)
            .build()
            .map_err(|error| wrong(&error))?;
        Ok(Self { client, bucket: settings.bucket, timeout: settings.timeout, sending: Semaphore::new(MAX_SENDING) })
    }

    /// Sends an upload.
    pub(super) fn put<'a>(&'a self, mut upload: Upload, stored: &'a Stored) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            upload.flush().await?;
            let path = upload.path().to_owned();
            let _permit = self.sending.acquire().await.map_err(|error| Error::Unavailable(error.to_string()))?;
            let limit = self.timeout + Duration::from_secs(stored.bytes >> 20);
            self.with_retries("put", limit, || async {
                let chunks = chunks_of(File::open(&path).await.map_err(disk)?);
                let content = ObjectContent::new_from_stream(chunks, Some(stored.bytes));
                let name = stored.key.to_string();
                let put = self.client.put_object_content(self.bucket.as_str(), name.as_str(), content)?;
                put.part_size(PART).content_type(stored.content_type.to_owned()).build().send().await?;
                Ok(())
            })
            .await?;
            let kept = self.size(stored.key).await?;
            if kept == stored.bytes {
                Ok(())
            } else {
                Err(Error::Unavailable(format!("the object store has {kept} bytes of {} that were sent", stored.bytes)))
            }
        })
    }

    async fn size(&self, key: ObjectKey) -> Result<u64> {
        let name = key.to_string();
        self.with_retries("stat", self.timeout, || async {
            let found = self.client.stat_object(self.bucket.as_str(), name.as_str())?.build().send().await?;
            Ok(found.size()?)
        })
        .await
    }

    /// Reads a range.
    pub(super) fn get(&self, key: ObjectKey, range: Range<u64>) -> BoxFuture<'_, Result<ByteStream>> {
        Box::pin(async move {
            let (name, length) = (key.to_string(), range.end.saturating_sub(range.start));
            let got = self.with_retries("get", self.timeout, || async {
                let get = self.client.get_object(self.bucket.as_str(), name.as_str())?;
                let answer = get.offset(Some(range.start)).length(Some(length)).build().send().await?;
                answer.into_boxed_stream()
            });
            let (chunks, announced) = match got.await {
                Err(Error::Unavailable(what)) if what.contains("NoSuchKey") => return Err(Error::Missing(key)),
                got => got?,
            };
            if announced != length {
                return Err(Error::Unavailable(format!("the object store has {announced} bytes where {length} belong")));
            }
            Ok(Box::pin(SyncStream(Mutex::new(Box::pin(limited(chunks, length, self.timeout))))) as ByteStream)
        })
    }

    /// Removes an object.
    pub(super) fn remove(&self, key: ObjectKey) -> BoxFuture<'_, Result<()>> {
        Box::pin(async move {
            let name = key.to_string();
            self.with_retries("remove", self.timeout, || async {
                self.client.delete_object(self.bucket.as_str(), name.as_str())?.build().send().await?;
                Ok(())
            })
            .await
        })
    }

    /// Lists a page of keys, ordered as texts.
    pub(super) fn list<'a>(&'a self, from: Option<&'a str>) -> BoxFuture<'a, Result<Listing>> {
        Box::pin(async move {
            let names = self
                .with_retries("list", self.timeout, || async {
                    let list = self.client.list_objects(self.bucket.as_str())?;
                    let list =
                        list.prefix("f/".to_owned()).recursive(true).max_keys(PAGE).start_after(from.map(str::to_owned)).build();
                    let page = list.to_stream().await.next().await.transpose()?;
                    Ok(page.map_or_else(Vec::new, |page| page.contents.into_iter().map(|entry| entry.name).collect::<Vec<_>>()))
                })
                .await?;
            let keys = names.iter().filter_map(|name| name.parse().ok()).collect();
            Ok(Listing { keys, next: names.into_iter().last() })
        })
    }

    /// Makes a call until it succeeds, fails for good, or was made too often.
    async fn with_retries<T, F>(&self, call: &'static str, limit: Duration, make: impl Fn() -> F) -> Result<T>
    where
        F: Future<Output = std::result::Result<T, S3Error>>,
    {
        let mut pause = RETRY_DELAY;
        for tried in 1.. {
            let (what, may_retry) = match timeout(limit, make()).await {
                Ok(Ok(done)) => return Ok(done),
                Ok(Err(error)) => (chain(&error), is_transient(&error)),
                // Another try would hardly be faster, and a request waits for this one.
                Err(_) => (format!("no answer within {} s", limit.as_secs_f32()), false),
            };
            tracing::debug!(call, tried, what, "the object store failed");
            if !may_retry || tried >= TRIES {
                return Err(Error::Unavailable(format!("{call}: {what}")));
            }
            sleep(pause).await;
            pause *= 4;
        }
        Err(Error::Unavailable(call.to_owned()))
    }
}

/// Whether another try may succeed: the store is busy, or the connection broke.
fn is_transient(error: &S3Error) -> bool {
    let is_transient = |status: u16| status == 429 || status >= 500;
    match error {
        S3Error::Network(NetworkError::ReqwestError(_)) => true,
        S3Error::S3Server(S3ServerError::InvalidServerResponse { http_status_code, .. }) => is_transient(*http_status_code),
        S3Error::Network(NetworkError::ServerError(status)) | S3Error::S3Server(S3ServerError::HttpError(status, _)) => {
            is_transient(*status)
        }
        S3Error::S3Server(S3ServerError::S3Error(answer)) => match answer.code() {
            MinioErrorCode::OtherError(code) => {
                ["SlowDown", "InternalError", "ServiceUnavailable", "RequestTimeout"].iter().any(|value| code.contains(value))
            }
            _ => false,
        },
        S3Error::Validation(_) | S3Error::DriveIo(_) => false,
    }
}

fn disk(error: io::Error) -> S3Error {
    S3Error::DriveIo(error.into())
}

/// The chunks of a file.
fn chunks_of(file: File) -> impl Stream<Item = io::Result<Bytes>> + Send {
    stream::try_unfold(file, |mut file| async move {
        let mut chunk = BytesMut::with_capacity(CHUNK);
        let read = file.read_buf(&mut chunk).await?;
        Ok((read > 0).then(|| (chunk.freeze(), file)))
    })
}

/// Fails a stream whose next chunk takes too long, or that does not have as many bytes as were announced.
fn limited<S>(chunks: S, length: u64, limit: Duration) -> impl Stream<Item = io::Result<Bytes>> + Send
where
    S: Stream<Item = io::Result<Bytes>> + Send + Unpin,
{
    stream::try_unfold((chunks, length), move |(mut chunks, left)| async move {
        let next = timeout(limit, chunks.next()).await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?;
        match next.transpose()? {
            Some(chunk) => {
                let left = left.checked_sub(chunk.len() as u64).ok_or(io::ErrorKind::InvalidData)?;
                Ok(Some((chunk, (chunks, left))))
            }
            None if left > 0 => Err(io::ErrorKind::UnexpectedEof.into()),
            None => Ok(None),
        }
    })
}

/// Makes a stream `Sync`, which bodies of responses must be. Only one thread at a time polls it.
struct SyncStream<S>(Mutex<Pin<Box<S>>>);

impl<S: Stream> Stream for SyncStream<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut().poll_next(cx)
    }
}
